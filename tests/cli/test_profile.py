"""The command `shine profile`, and `kernel.profile`: counts by line and by place in the program."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import rise
import shine
from rise.diagnostics import RiseError
from shine.targets.cuda.sass import Instruction, Listing, main_loop
from tests import required_tools
from tests.cli import commands
from tests.examples import in_whole

TEXT = "val main = fun(a: M.N.f32 => transpose(a))\n"
#: the codes of errors for missing tools
ABSENT = {"no-compiler": required_tools.CUDA_COMPILER, "no-disassembler": required_tools.DISASSEMBLER}


@pytest.fixture(autouse=True)
def needs_a_compiler() -> None:
    if not required_tools.has_cxx():
        required_tools.skip_without(required_tools.CXX)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "turned.rise"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_counts_are_by_line_and_by_place() -> None:
    kernel = shine.compile(rise.parse(TEXT).main, target="cuda-sim")
    found = kernel.profile(np.ones((64, 96), np.float32))
    (launch,) = found.launches
    # 6144 numbers, 32 per instruction: loaded, stored in a tile, loaded from it, stored.
    assert found.total.instructions == dict.fromkeys(
        ("global loads", "shared stores", "shared loads", "global stores"), 192
    )
    assert found.total.bank_conflicts == 0 and found.total.sectors_per_request == 4
    assert sum(one.bytes_in("global") for one in found.by_place().values()) == 2 * 4 * 6144
    assert all(kernel.origin_of_line(line) in found.by_place() for line in launch.profile.lines)
    assert "fun(x: f32 => x)" in found.place_table() and launch.kernel in str(found)
    assert kernel.profile(a=np.ones((64, 96), np.float32)).total == found.total


def test_the_architecture_is_that_of_the_text() -> None:
    kernel = shine.compile(rise.parse(TEXT).main, target="cuda-sim", arch="sm_75")
    (launch,) = kernel.profile(np.ones((32, 32), np.float32)).launches
    assert launch.profile.occupancy.most_warps == 32  # 64 from sm_80 on, but for some


def test_other_targets_have_no_profile() -> None:
    kernel = shine.compile(rise.parse(TEXT).main, target="interpret")
    with pytest.raises(RiseError, match="expected a kernel of the target cuda-sim, found one of interpret"):
        kernel.profile(np.ones((4, 4), np.float32))


def test_the_command_prints_and_writes(file: str, tmp_path: Path) -> None:
    words = [file, "--size", "M=64,N=96"]
    said = commands.shine("profile", *words, "--html", f"{tmp_path}/page.html")
    assert said.status == 0, said.err
    assert "main with M=64 N=96" in said.out and "part of the program" in said.out
    assert "192 global loads, 192 global stores, 192 shared loads, 192 shared stores" in said.out
    written = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "__syncthreads();" in written
    parts = written.split("</table>")[0]
    assert "part of the program" in parts and parts.count("<tr") == 3 and "bank conflicts" not in parts
    facts = json.loads(commands.shine("profile", *words, "--json").out)
    assert facts["launches"][0]["total"]["sectors"] == 2 * 4 * 192
    assert sum(one["sectors"] for one in facts["parts"]) == 2 * 4 * 192 and all(
        one["part"] for one in facts["parts"]
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--target", "interpret"], "expected the target cuda-sim, found interpret"),
        (["--html", "page.txt"], "expected a .html file for the profile, found page.txt"),
    ],
)
def test_programs_without_a_profile_are_rejected(words: list[str], said: str, file: str) -> None:
    ran = commands.shine("profile", file, *words)
    assert ran.status == 1 and said in ran.err


@in_whole("tests/test_sass.py::test_the_default_strategy_has_the_pinned_counts")
def test_machine_code_is_counted_if_tools_are_installed(file: str) -> None:
    ran = commands.shine("profile", file, "--size", "M=64,N=96", "--sass")
    if ran.status:
        code = next((code for code in ABSENT if f"error[{code}]" in ran.err), None)
        assert code is not None, ran.err
        required_tools.skip_without(ABSENT[code])
    assert " registers, 0 bytes spilled, " in ran.out and " instructions: " in ran.out


def test_the_main_loop_is_the_innermost_loop_with_the_highest_count() -> None:
    names = ["MOV", "LDG", "BRA", "HMMA", "BRA", "EXIT"]
    targets = {2: "`(.L_0)", 4: "`(.L_1)"}
    code = tuple(Instruction(name, targets.get(i, "")) for i, name in enumerate(names))
    listing = Listing(code, {".L_0": 0, ".L_1": 3})
    assert [one.name for one in main_loop(listing)] == ["MOV", "LDG", "BRA"]
    heaviest = main_loop(listing, lambda one: one.name == "HMMA")
    assert Counter(one.name for one in heaviest) == {"HMMA": 1, "BRA": 1}
    assert main_loop(Listing(code[:1], {})) == ()
