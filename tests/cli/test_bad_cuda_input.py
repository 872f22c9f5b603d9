"""Messages of `shine simulate` about wrong CUDA texts, arguments and kernels: snapshots of file, command and message.

`tests/cli/snapshots/bad_cuda_input.txt` holds the cases, as `tests.cli.test_bad_input` reads them.
`python -m tests.cli.test_bad_cuda_input` rewrites the messages.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from tests import required_tools
from tests.cli import commands
from tests.cli.test_bad_input import Case, cases, inside, said_by_command, written

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "bad_cuda_input.txt"
FILE: Final = "bad.cu"
NO_CXX: Final = "error[no-compiler]: expected a C++ compiler"
ADD: Final = """__global__ void add(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}
"""


def said_of(case: Case) -> str:
    """The message of a case, run in an empty directory, which must not contain partial files afterwards."""
    with TemporaryDirectory() as folder, inside(Path(folder)):
        Path(FILE).write_bytes(case.content)
        said = said_by_command(case.command)
        assert [path.name for path in Path().iterdir()] == [FILE], "something was written"
        return said


@pytest.mark.parametrize("name", cases(SNAPSHOTS))
def test_the_message(name: str) -> None:
    case = cases(SNAPSHOTS)[name]
    said = said_of(case)
    if said.startswith(NO_CXX) and not case.said.startswith(NO_CXX):
        required_tools.skip_without(required_tools.CXX)
    assert said == case.said
    assert re.match(r"error\[[a-z0-9-]+\]: \S", said)
    assert "\nhint: " in said
    assert not re.search(r"\b(?:invalid|illegal|unexpected|Traceback)\b|sim_|simulator::|/runtime/", said)


def test_the_message_as_json(tmp_path: Path) -> None:
    needs_cxx()
    with inside(tmp_path):
        Path(FILE).write_text(ADD.replace("i < n", "i <= n"), encoding="utf-8")
        words = shlex.split(
            "simulate bad.cu --check --block 5 --arg ones:f32:4 --arg ones:f32:4 --arg 4 --json"
        )
        said = commands.shine(*words)
    assert said.status == 1 and not said.err
    (diagnostic,) = json.loads(said.out)["diagnostics"]
    assert diagnostic["code"] == "simulator-out-of-bounds"
    assert [label["line"] for label in diagnostic["labels"]] == [3]
    assert diagnostic["hint"]


def test_the_snapshot_file_is_read_completely() -> None:
    assert SNAPSHOTS.read_text(encoding="utf-8") == written(cases(SNAPSHOTS))


def needs_cxx() -> None:
    if not required_tools.has_cxx():
        required_tools.skip_without(required_tools.CXX)


if __name__ == "__main__":
    renewed = {one: Case(c.source, c.command, said_of(c)) for one, c in cases(SNAPSHOTS).items()}
    SNAPSHOTS.write_text(written(renewed), encoding="utf-8")
    sys.stdout.write(f"wrote {len(renewed)} cases\n")
