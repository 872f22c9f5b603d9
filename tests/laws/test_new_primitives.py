"""A new primitive changes at most three files, and works everywhere by its name.

Depends on the fixtures, but not on families.

`tests/data/primitives/NAME.txt` says what is added to which file, and below which line. All are added to copies of
these files, which a process imports instead; there, a program with each primitive is read, inferred, printed,
evaluated, lowered for every target, and run on one of the compiled ones.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
FIXTURES: Final = ROOT / "tests" / "data" / "primitives"
MOST_FILES: Final = 3
ADDITION: Final = re.compile(
    r"=== (?P<file>[^\n]+)\n@@ (?P<line>[^\n]+)\n(?P<added>.*?)(?=^=== |\Z)", re.DOTALL | re.M
)
#: for each fixture: a program, its result in Python for the numbers 0, 1, 2, ... 11, its type, and a condition on the
#: lowered program: `low` is this program, and `loops` are its loops, from the outside in
PROGRAMS: Final = {
    "skipping": (
        "fun(xs: (3 * N).f32 => xs |> skipping(2) |> map(fun(x => x + 1.0)))",
        "[x + 1 for x in xs[::3]]",
        "{N: nat} -> (3 * N).f32 -> N.f32",
        "loops and [one for one in loops if is_copy(one)] == []",
    ),
    "heaviside": (
        "fun(xs: N.f32 => xs |> map(fun(x => heaviside(x - 5.0, 0.5))))",
        "[0.0] * 5 + [0.5] + [1.0] * 6",
        "{N: nat} -> N.f32 -> N.f32",
        "loops and [one for one in loops if is_copy(one)] == []",
    ),
    # written through, alone and in each row, without copies
    "backwards": (
        "fun(xs: (3 * N).f32 => xs |> split(3) |> map(map(fun(x => x + 1.0))) |> map(backwards) |> join |> backwards)",
        "[x + 1 for row in range(9, -1, -3) for x in xs[row : row + 3]]",
        "{N: nat} -> (3 * N).f32 -> (3 * N).f32",
        "low.root[0] == name and [one for one in loops if is_copy(one)] == [] and 'toMem' not in str(low)",
    ),
    # the loop is kept, its body is lowered, and it is a loop even if its body has none
    "mapInTurn": (
        "fun(xs: (3 * N).f32 => xs |> split(3) |> mapInTurn(fun(row => row |> map(fun(x => x + 1.0)))) |> join)",
        "[x + 1 for x in xs]",
        "{N: nat} -> (3 * N).f32 -> (3 * N).f32",
        "loops[0].root[0] == name and len(loops) == 2 and isLowered(loops[0])"
        " and hasLoop(rise.parse('fun(xs: 3.f32 => xs |> mapInTurn(fun(x => x)))').main)"
        " and [one for one in loops if is_copy(one)] == []",
    ),
}
SCRIPT: Final = """
import json, sys
from importlib import import_module
from importlib.util import spec_from_file_location
from pathlib import Path


class Changed:
    \"""Finds the modules that stand in this folder, which are others in the packages.\"""

    @staticmethod
    def find_spec(name, path, target=None):
        file = Path(sys.argv[2], *name.split(".")).with_suffix(".py")
        return spec_from_file_location(name, file) if file.is_file() else None


sys.meta_path.insert(0, Changed)
import numpy as np
import rise, shine, strategies, strategies.testing
from rise.primitives import PRIMITIVES, applied, with_trait
from rise.primitives.schedules import SCHEDULES
from rise.terms import Bound, DepLam, Lam
from shine.cli.main import main
from strategies.equations.rule import rule
from strategies.lowering.predicates import hasLoop, isLowered
from tests.quick_runtime import quick_runtime

LOOPS = applied(with_trait("loops"))
MARKS = applied(record.name for record in SCHEDULES)


def body(e):
    while isinstance(e, Lam | DepLam):
        e = e.body
    return e


def loops_in(e):
    found, waiting = [], [e]
    while waiting:
        node = waiting.pop()
        found += [node] * (node.root in LOOPS)
        waiting += reversed(node.children)
    return found


def unmarked(e):
    while e.root in MARKS:
        e = e.children[-1]
    return e


def is_copy(loop):
    return isinstance(body(loop.children[0].children[1]), Bound)


def work_by_name(compiled_for, name, text, expected, wanted_type, lowered):
    xs = np.arange(12, dtype=np.float32)
    expected = eval(expected, {"xs": xs.tolist()})
    program = rise.parse(text)
    assert str(program.main.type) == wanted_type, program.main.type
    assert name in rise.show(program.main) and rise.parse_expr(rise.show(program.main)) == program.main
    assert rise.evaluate(program.main, xs).tolist() == expected
    for target, options in (("interpret", {}), ("openmp", {"check": True}), ("cuda-sim", {"check": True})):
        whole = strategies.load(shine.TARGETS[target].strategy)(program.main).program
        low, loops = unmarked(body(whole)), loops_in(whole)
        assert eval(lowered, globals() | locals()), (target, whole)
        if target == "interpret" or target == compiled_for:
            assert shine.compile(whole, target, **options)(xs).tolist() == expected, target
    strategies.testing.check(rule(PRIMITIVES[name].law, why="It holds."), examples=3)
    try:
        rise.parse(f"val {name} = 1")
    except rise.RiseError as error:
        assert error.diagnostic.code == "reserved-name"
    else:
        raise AssertionError("its name is free")
    assert main(["list", "primitives", name]) == 0


assert all(import_module(name).__file__.startswith(sys.argv[2]) for name in sys.argv[3:])
with quick_runtime():  # the one that other tests have built in `make test`
    for number, (name, (text, *facts)) in enumerate(json.loads(sys.argv[1]).items()):
        work_by_name(("cuda-sim", "openmp")[number % 2], name, text, *facts)
"""


def additions(name: str) -> list[tuple[str, str, str]]:
    """The file, the line, and the text that is added below it."""
    text = (FIXTURES / f"{name}.txt").read_text("utf-8")
    found = [(one["file"], one["line"], one["added"]) for one in ADDITION.finditer(text)]
    assert len(found) == text.count("=== ")
    return found


def add_primitive(name: str, folder: Path) -> None:
    """Add a primitive to copies of the files that it changes."""
    for file, line, added in additions(name):
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        text = (path if path.exists() else ROOT / file).read_text("utf-8")
        assert text.count(f"\n{line}\n") == 1, (file, line)
        path.write_text(text.replace(f"\n{line}\n", f"\n{line}\n{added}"), "utf-8")


def changed_files() -> list[str]:
    """The files that the primitives of all fixtures change."""
    return sorted({file for name in PROGRAMS for file, _, _ in additions(name)})


def test_every_fixture_has_a_program() -> None:
    assert {path.stem for path in FIXTURES.glob("*.txt")} == set(PROGRAMS)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies of the files that the primitives of all fixtures change; the primitives do not conflict with each
    other.
    """
    folder = tmp_path_factory.mktemp("packages")
    for name in PROGRAMS:
        add_primitive(name, folder)
    return folder


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_new_primitive_changes_at_most_three_files(name: str) -> None:
    assert 1 <= len({file for file, _, _ in additions(name)}) <= MOST_FILES


def test_new_primitives_work_everywhere_by_their_names(packages: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    modules = [file.removesuffix(".py").replace("/", ".") for file in changed_files()]
    ran = subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT, json.dumps(PROGRAMS), str(packages), *modules],
        cwd=packages,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert all(f"\n{name}  " in ran.stdout for name in PROGRAMS)
