"""Messages about errors on the way to a GPU: snapshots of source, command and message.

`tests/cli/snapshots/bad_gpu_input.txt` holds the cases, as `tests.cli.test_bad_input` reads them. A comment in a
program may say what the machine lacks or has (`tests.cli.machines`). A call (`> k(...)`) is of its kernel on a device,
and `on(device, array)` copies an array there. `python -m tests.cli.test_bad_gpu_input` rewrites the messages.
"""

from __future__ import annotations

import json
import pickle
import re
import shlex
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
import strategies
from tests import required_tools
from tests.cli import commands
from tests.cli.machines import machine_of
from tests.cli.test_bad_input import FILE, Case, cases, inside, said_by_command, written
from tests.examples import some
from tests.shine.targets.cuda.pycuda_libraries import DlpackArray

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "bad_gpu_input.txt"
NO_CXX: Final = "error[no-compiler]: expected a C++ compiler"


def said_of(case: Case) -> str:
    """The message of a case, run in an empty directory, which must not contain partial files afterwards."""
    with TemporaryDirectory() as folder, inside(Path(folder)), machine_of(case.source):
        Path(FILE).write_bytes(case.content)
        said = said_by_call(case) if case.command.startswith("> ") else said_by_command(case.command)
        assert [path.name for path in Path().iterdir()] == [FILE], "something was written"
        return said


def said_by_call(case: Case) -> str:
    """The error of a call of the program's kernel for the target cuda, lowered to sequential loops."""
    lowered = strategies.load("strategies.sequential:sequential")(rise.parse_file(FILE).main)

    def on(device: int, array: Any) -> DlpackArray:
        return DlpackArray(array, device)

    k = shine.compile(lowered.program, target="cuda", arch="sm_80")
    with pytest.raises(rise.RiseError) as error:
        eval(case.command.removeprefix("> "), {"k": k, "np": np, "on": on})
    return str(error.value)


@pytest.mark.parametrize("name", cases(SNAPSHOTS))
def test_the_message(name: str) -> None:
    case = cases(SNAPSHOTS)[name]
    said = said_of(case)
    if said.startswith(NO_CXX) and not case.said.startswith(NO_CXX):
        required_tools.skip_without(required_tools.CXX)
    assert said == case.said
    assert re.match(r"error\[[a-z0-9-]+\]: \S", said)
    assert not re.search(r"\b(?:invalid|illegal|unexpected|Traceback)\b", said)


COMMANDS = [one for one, case in cases(SNAPSHOTS).items() if case.command.startswith("$ shine ")]


@pytest.mark.parametrize("name", some(COMMANDS, 9))
def test_the_message_as_json(name: str, tmp_path: Path) -> None:
    case = cases(SNAPSHOTS)[name]
    with inside(tmp_path), machine_of(case.source):
        Path(FILE).write_bytes(case.content)
        said = commands.shine(*shlex.split(case.command)[2:], "--json")
    assert said.status == 1 and not said.err
    (diagnostic,) = json.loads(said.out)["diagnostics"]
    if f"error[{diagnostic['code']}]: {diagnostic['title']}".startswith(NO_CXX) and not case.said.startswith(
        NO_CXX
    ):
        required_tools.skip_without(required_tools.CXX)
    assert case.said.startswith(f"error[{diagnostic['code']}]: {diagnostic['title']}")
    assert diagnostic["hint"]


def test_the_snapshot_file_is_read_completely() -> None:
    assert SNAPSHOTS.read_text(encoding="utf-8") == written(cases(SNAPSHOTS))


def endless(**options: Any) -> shine.Kernel:
    """A kernel that does not finish within its time limit."""
    e = rise.parse(
        "val sum = fun(x: f32 => generate(fun(i: idx[100000000000] => x)) |> reduceSeq(add, 0.0))"
    ).main
    return shine.compile(e, target="cuda-sim", **options)


def test_a_kernel_remembers_its_term() -> None:
    k = endless(seconds=0.05)
    again = pickle.loads(pickle.dumps(k))
    for kernel in (k, again):
        with pytest.raises(rise.RiseError) as caught:
            kernel(np.float32(1))
        assert caught.value.diagnostic.notes[0].startswith("in generate(")
        with pytest.raises(rise.RiseError) as caught:
            kernel.time(np.float32(1))
        assert caught.value.diagnostic.notes[0].startswith("in generate(")


def test_a_number_may_be_an_integer() -> None:
    assert endless(seconds=1).options == {"seconds": 1}


if __name__ == "__main__":
    renewed = {one: Case(c.source, c.command, said_of(c)) for one, c in cases(SNAPSHOTS).items()}
    SNAPSHOTS.write_text(written(renewed), encoding="utf-8")
    sys.stdout.write(f"wrote {len(renewed)} cases\n")
