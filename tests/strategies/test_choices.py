"""The author's choices: where a named value is stored, or that it is recomputed; and choices that are rejected.

`tests/strategies/snapshots/choices.txt` contains the programs and the messages; `python -m
tests.strategies.test_choices` rewrites it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import Failure, Strategy, Success, derive, from_json, recording, to_json
from rise.nodes import postorder
from rise.terms import Expr
from rise.testing.arguments import calls
from shine.front.derivation import Stopped, attempt, failure
from strategies.choices import inline, storeAt
from strategies.openmp import parallel
from strategies.saved_derivations import known_rules, read_parameter
from strategies.sharing import share
from tests.examples import some
from tests.snapshot_files import read_snapshots, write_snapshots

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "choices.txt"
SOFTMAX: Final = (
    "fun(x: N.M.f32 => x |> map(fun(row => let top = (row |> reduce(max, -inf)) in"
    " let e = (row |> map(fun(v => exp(v - top)))) in let total = (e |> reduce(add, 0.0)) in"
    " e |> map(fun(v => v / total)))))"
)
MIRRORED: Final = (
    "import stencils\n"
    "val main = fun(xs: 8.64.f32 => xs |> map(fun(row => let e = (row |> map(exp)) in zip(e, reversed(e))"
    " |> map(fun(p => fst(p) / (snd(p) + (e |> reduce(add, 0.0)))))))"
    ")"
)
SUMS: Final = (
    "fun(xs: (N + 2).f32 => let e = (xs |> map(fun(x => x + 1.0))) in"
    " e |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0))))"
)
EXPONENTIALS: Final = SUMS.replace("x + 1.0", "exp(x)")
INVARIANT: Final = (
    "fun(x: N.M.f32, y: K.f32 => x |> map(fun(row => let scale = (y |> reduce(add, 0.0)) in"
    " row |> map(fun(v => let t = (y |> map(fun(u => exp(u) * scale))) in v + (t |> reduce(add, 0.0)))))))"
)
TWICE: Final = (
    "fun(x: N.f32 => let e = (x |> map(exp)) in let f = (let e = (x |> map(log)) in zip(e, e)) in"
    " zip(e, f) |> slide(2, 1))"
)
RUNNING: Final = "fun(x: N.f32 => let s = (x |> scan(add, 0.0)) in zip(s, s |> map(exp)))"
LONG: Final = (
    "fun(x: NumRows.M.f32, y: K.f32 => x |> map(fun(r =>"
    " let t = (y |> map(exp)) in zip(r, r) |> map(fun(p => fst(p) + (t |> reduce(add, 0.0)))))))"
)

#: by name: a choice, a program, the number of arrays or numbers that are stored, and of values that are recomputed
CHOSEN: Final[Mapping[str, tuple[Strategy, str, int, int]]] = {
    "stored where it is named": (storeAt("e"), SUMS, 1, 0),
    "stored in another memory": (storeAt("e", space="Global"), SUMS, 1, 0),
    "stored in a loop, after what it is computed from": (storeAt("e", at="row"), SOFTMAX, 1, 0),
    "a loop by its axis": (storeAt("t", at="n"), INVARIANT, 1, 0),
    "a loop by an axis of two words": (storeAt("t", at="num_rows"), LONG, 1, 0),
    "stored outside of a loop": (storeAt("t", at="row"), INVARIANT, 1, 0),
    "stored in the innermost loop": (storeAt("t", at="v"), INVARIANT, 1, 0),
    "a number outside of all loops": (storeAt("scale", at="top"), INVARIANT, 1, 0),
    "two choices": (storeAt("scale", at="top") >> storeAt("t", at="top"), INVARIANT, 2, 0),
    "the second of two of one name": (storeAt("e", which=2), TWICE, 1, 0),
    "computed again before windows": (inline("e"), EXPONENTIALS, 0, 1),
    "computed again for two readers": (inline("e"), SOFTMAX, 0, 2),
    "a number for each element": (inline("total"), SOFTMAX, 0, 1),
    "one computed again, one stored": (inline("top") >> storeAt("e"), SOFTMAX, 1, 1),
}
#: by name: a choice that is rejected, and the program
REFUSED: Final[Mapping[str, tuple[Strategy, str]]] = {
    "a name that is not there": (storeAt("eh"), SOFTMAX),
    "a name, where nothing has one": (inline("e"), "fun(x: N.f32 => x |> map(exp))"),
    "a loop that is not there": (storeAt("e", at="roww"), SOFTMAX),
    "a loop that does not enclose the value": (storeAt("e", at="v"), SOFTMAX),
    "a loop that what it is computed from stands in": (storeAt("t", at="top"), INVARIANT),
    "a memory that is not there": (storeAt("e", space="Locale"), SOFTMAX),
    "a memory that no kernel writes": (storeAt("e", space="Constant"), SOFTMAX),
    "a memory of blocks where no block runs": (storeAt("e", at="top", space="Shared"), SUMS),
    "one of two, without which": (inline("e"), TWICE),
    "the third of two": (storeAt("e", which=3), TWICE),
    "what is made in order": (inline("s"), RUNNING),
}


def chosen(name: str) -> Expr:
    """The program after a choice."""
    choice, text, _, _ = CHOSEN[name]
    result = choice(rise.parse(text).main)
    assert isinstance(result, Success), result.explain()
    return result.program


def refusal(name: str) -> str:
    """The message for a choice that is rejected, and the part of the program that it is about."""
    choice, text = REFUSED[name]
    program = rise.parse(text).main
    stopped = attempt(choice, program)
    assert isinstance(stopped, Stopped)
    (leaf,) = stopped.failure.explain().leaves()
    part = program
    for index in leaf.focus:
        part = part.children[index]
    return f"{failure(stopped, 'the program').render()}\nat: {rise.show(part, width=1 << 20)}"


def texts() -> dict[str, str]:
    """The snapshots, by name."""
    return {
        **{name: rise.show(chosen(name)) for name in CHOSEN},
        **{name: refusal(name) for name in REFUSED},
    }


def decided(program: Expr) -> tuple[int, int]:
    """The numbers of values that are stored, and that are recomputed."""
    roots = [e.root for e in postorder(program) if isinstance(e, Expr)]
    return roots.count(("toMem", 1)), roots.count(("recompute", 1))


@pytest.mark.parametrize("name", CHOSEN)
def test_a_choice_is_respected(name: str) -> None:
    *_, stored, again = CHOSEN[name]
    program = chosen(name)
    assert rise.show(program) == read_snapshots(SNAPSHOTS)[name]
    assert decided(program) == (stored, again)
    shared = share(program).program
    _, left = decided(shared)
    assert left <= again  # a value that two loops read may become one
    assert bool(left) == bool(again)


@pytest.mark.parametrize("name", REFUSED)
def test_a_message_has_a_reason_a_place_and_a_hint(name: str) -> None:
    assert refusal(name) == read_snapshots(SNAPSHOTS)[name]
    assert "\nhint: " in refusal(name)


def test_every_snapshot_is_used() -> None:
    assert list(read_snapshots(SNAPSHOTS)) == [*CHOSEN, *REFUSED]


@pytest.mark.parametrize("name", some(CHOSEN, 5))
def test_choices_change_no_result(name: str) -> None:
    choice, text, _, _ = CHOSEN[name]
    program = rise.parse(text).main
    kernel = shine.compile(program, target="interpret", strategy=choice >> parallel())
    for call in calls(program, 2, seed=5, most=1 << 8):
        expected = rise.evaluate(rise.specialise(program, **call.sizes), *call.arguments)
        found = kernel(*call.arguments)
        for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, expected)), strict=True):
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-4, atol=1e-5)


def test_recomputed_values_are_not_stored_in_c() -> None:
    for text in (SUMS, EXPONENTIALS):
        program = rise.parse(text).main
        kept, again = (
            shine.compile(program, target="openmp", strategy=choice >> parallel()).source
            for choice in (storeAt("e"), inline("e"))
        )
        assert "*const e = allocate(" in kept
        assert "= allocate(" not in again


def test_a_number_is_stored_in_the_chosen_loop() -> None:
    program = rise.parse(INVARIANT).main
    inner = shine.compile(program, target="openmp", strategy=storeAt("scale", at="row") >> parallel()).source
    outer = shine.compile(program, target="openmp", strategy=storeAt("scale", at="top") >> parallel()).source
    loop = "for (int64_t "
    assert outer.index("scale = ") < outer.index(loop)
    assert inner.index("scale = ") > inner.index(loop)


def on_gpu(program: Expr, space: str) -> str:
    """The kernels of a program by the default strategy of GPUs, with `e` in a memory."""
    default = strategies.load(shine.TARGETS["cuda-sim"].strategy)
    return shine.compile(program, target="cuda-sim", strategy=storeAt("e", space=space) >> default).source


def test_values_that_threads_share_are_in_shared_memory_whatever_is_chosen() -> None:
    """Registers of one thread cannot contain what others read: the default strategy restricts the memory by the
    level.
    """
    program = rise.parse(MIRRORED).main
    texts = {on_gpu(program, space) for space in ("Local", "Shared")}
    assert len(texts) == 1
    assert all(re.search(r"__shared__ .* e\[64\]", text) for text in texts)


def test_values_that_each_thread_reads_alone_are_where_they_are_chosen() -> None:
    program = rise.specialise(rise.parse(SOFTMAX).main, N=8, M=64)
    assert "float e[2];" in on_gpu(program, "Local")
    assert re.search(r"__shared__ .* e\[64\]", on_gpu(program, "Shared"))


def test_choices_are_found_by_name_and_saved() -> None:
    choice = strategies.load("strategies.choices:storeAt", name="e", at="row")
    program = rise.parse(SOFTMAX).main
    assert choice(program) == storeAt("e", at="row")(program)
    for one in (choice, strategies.load("strategies.choices:inline", name="total")):
        saved = from_json(to_json(recording(derive(one, program))), known_rules(), read_parameter)
        assert saved(program).program == one(program).program


def test_a_choice_that_does_not_apply_is_a_failure() -> None:
    assert isinstance(storeAt("nothing")(rise.parse(SOFTMAX).main), Failure)


def write() -> None:
    """Write the snapshots."""
    write_snapshots(SNAPSHOTS, texts())


if __name__ == "__main__":
    write()
