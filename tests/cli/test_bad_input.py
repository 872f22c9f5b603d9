"""Messages about users' errors: snapshots of source, command and message. Independent of the internals of commands.

`tests/cli/snapshots/bad_input.txt` has the cases: a name, a program, the command (`$ shine ...`, optionally after
assignments to the environment) or a call of its kernel `k` in Python (`> k(...)`), and below the line the message. A
program that begins with `python:` is the value of the expression that follows. `python -m tests.cli.test_bad_input`
rewrites the messages.
"""

import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import rise
import shine
import strategies
from shine.cli.main import main

SNAPSHOTS = Path(__file__).parent / "snapshots" / "bad_input.txt"
FILE = "bad.rise"
CASE = re.compile(
    r"=== (?P<name>[^\n]*)\n(?P<source>.*?)(?P<command>^[$>] [^\n]*)\n---\n(?P<said>.*?)\n(?:\n(?==== )|\Z)",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Case:
    """A program, a command or call, and its message."""

    source: str
    command: str
    said: str

    @property
    def content(self) -> bytes:
        """The content of the file of cases."""
        code = self.source.removeprefix("python:")
        if code == self.source:
            return self.source.encode()
        value = eval(code, {})
        return value if isinstance(value, bytes) else str(value).encode()


def cases(snapshots: Path = SNAPSHOTS) -> dict[str, Case]:
    """The cases of a file, by name."""
    found: dict[str, Case] = {}
    for one in CASE.finditer(snapshots.read_text(encoding="utf-8")):
        assert one["name"] not in found, one["name"]
        found[one["name"]] = Case(one["source"], one["command"], one["said"])
    return found


def said_of(case: Case) -> str:
    """The message of a case, run in an empty directory, which must not contain partial files afterwards."""
    with TemporaryDirectory() as folder, inside(Path(folder)):
        Path(FILE).write_bytes(case.content)
        said = said_by_call(case) if case.command.startswith("> ") else said_by_command(case.command)
        assert [path.name for path in Path().iterdir()] == [FILE], "something was written"
        return said


def said_by_command(command: str) -> str:
    words = shlex.split(command.removeprefix("$ "))
    environment: dict[str, str] = {}
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    assert words.pop(0) == "shine"
    out, err = StringIO(), StringIO()
    with changed_environment(environment), redirect_stdout(out), redirect_stderr(err):
        status = main(words)
    assert status == 1, (status, out.getvalue(), err.getvalue())
    assert len(re.findall(r"^error\[", err.getvalue(), re.MULTILINE)) == 1
    return err.getvalue().rstrip("\n")


def said_by_call(case: Case) -> str:
    """The error of a call of the program's kernel, lowered to sequential loops."""
    lowered = strategies.load("strategies.sequential:sequential")(rise.parse_file(FILE).main)
    names = {"k": shine.compile(lowered.program, target="interpret"), "np": np}
    with pytest.raises(rise.RiseError) as error:
        eval(case.command.removeprefix("> "), names)
    return str(error.value)


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def changed_environment(values: Mapping[str, str]) -> Iterator[None]:
    values = {"COLUMNS": "100", **values}
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@pytest.mark.parametrize("name", cases())
def test_the_message(name: str) -> None:
    case = cases()[name]
    said = said_of(case)
    assert said == case.said
    assert re.match(r"error\[[a-z0-9-]+\]: \S", said)
    assert not re.search(r"\b(?:invalid|illegal|unexpected|Traceback)\b", said)


def test_the_snapshot_file_is_read_completely() -> None:
    assert SNAPSHOTS.read_text(encoding="utf-8") == written(cases())


def written(found: Mapping[str, Case]) -> str:
    return "\n".join(
        f"=== {name}\n{one.source}{one.command}\n---\n{one.said}\n" for name, one in found.items()
    )


if __name__ == "__main__":
    renewed = {name: Case(one.source, one.command, said_of(one)) for name, one in cases().items()}
    SNAPSHOTS.write_text(written(renewed), encoding="utf-8")
    sys.stdout.write(f"wrote {len(renewed)} cases\n")
