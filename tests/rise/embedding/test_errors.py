"""Messages for Python functions that are not programs: snapshots, each with the Python line.

`snapshots/embedding_errors.txt` contains the cases; `python -m tests.rise.embedding.test_errors` rewrites the messages.
"""

from __future__ import annotations

import linecache
import re
import sys
from pathlib import Path
from typing import Final

import pytest

from rise import RiseError
from tests.snapshot_files import read_sources, snapshots_text, write_snapshots

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "embedding_errors.txt"
BEFORE: Final = """import math
import numpy as np
import rise
from rise.embedding import *

"""


def refusal(source: str) -> RiseError:
    """The error with which a program is rejected."""
    whole = f"{BEFORE}{source}\n"
    linecache.cache["program.py"] = (len(whole), None, whole.splitlines(keepends=True), "program.py")
    try:
        exec(compile(whole, "program.py", "exec", dont_inherit=True), {})
    except RiseError as error:
        return error
    finally:
        del linecache.cache["program.py"]
    raise AssertionError(f"this is a program: {source}")


def as_placed(said: str) -> str:
    """A message, without columns since Python 3.12: the stored messages are those of 3.11, and each version marks some
    expressions, like the values in f-strings, more narrowly than the previous one.
    """
    if sys.version_info < (3, 12):
        return said
    return re.sub(r"(program\.py:\d+):\d+|^ +\| +\^+$", r"\1", said, flags=re.MULTILINE)


@pytest.mark.parametrize("name", read_sources(SNAPSHOTS))
def test_messages(name: str) -> None:
    source, said = read_sources(SNAPSHOTS)[name]
    error = refusal(source)
    assert as_placed(str(error)) == as_placed(said)
    diagnostic = error.diagnostic
    assert diagnostic.file == "program.py" and diagnostic.hint
    assert all(BEFORE.count("\n") < place["line"] for place in diagnostic.to_dict()["labels"])
    assert len(diagnostic.labels) == 1
    assert not re.search(r"\b(?:invalid|illegal|unexpected)\b", diagnostic.title)


def test_the_snapshot_file_is_read_completely() -> None:
    assert SNAPSHOTS.read_text(encoding="utf-8") == snapshots_text(read_sources(SNAPSHOTS))


if __name__ == "__main__":
    current = {name: (source, str(refusal(source))) for name, (source, _) in read_sources(SNAPSHOTS).items()}
    write_snapshots(SNAPSHOTS, current)
