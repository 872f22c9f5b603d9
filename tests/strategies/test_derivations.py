"""Derivations: each step preserves type and meaning, both engines agree, and a GEMM of any form is derived to
fragments.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import elevate
import rise
import strategies
from elevate import FloatClass, Success, join
from rise.terms import Expr, Lam, spine
from strategies.testing.values import differ, inputs, may_be_unspecified, run
from tests.examples import THOROUGH, some
from tests.strategies import corpus

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
TENSOR_CORE = "strategies.tensor_core:tensorCore"
FORMS = ("gemm", "gemm_alpha", "gemm_bf16", "gemm_bias", "gemm_left_transposed", "gemm_plain")
RIGHT_TRANSPOSED = """
val main = fun(alpha: f32, beta: f32, a: M.K.f16, bt: N.K.f16, c: M.N.f32 =>
  zip(a, c) |> map(fun(row, cs => zip(bt, cs) |> map(fun(column, cij =>
    alpha * (zip(row, column) |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0))
    + beta * cij)))))
"""
TILES = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
"""Rows, columns and depth of the products that tensor cores compute in half precision."""


@pytest.mark.parametrize(
    ("name", "number"),
    some(
        [
            (name, number)
            for number in range(len(corpus.STRATEGIES))
            for name in some(corpus.NAMES, 36 if number < 2 else 60, number)
        ],
        2,
    ),
)
def test_every_step_preserves_type_and_meaning(name: str, number: int) -> None:
    """Of the derivations that differ only by the size of a tile, the first two are run step by step for every 36th
    case; of the others, every fifth program of every 60th case; of a long derivation, five programs at equal
    distances, and the last.
    """
    start = corpus.program(name)
    sizes = corpus.sizes(name)
    arguments = inputs(corpus.at(start, **sizes).type)
    expected = rise.evaluate(start, *arguments, sizes=sizes)
    allowed = FloatClass.EXACT
    steps = list(corpus.derivation(name, number))
    apart = 1 if THOROUGH else (1 if number < 2 else 5) + len(steps) // (2 if name == "argmax" else 5)
    for count, (step, before, after) in enumerate(steps, start=1):
        assert isinstance(step.redex, Expr) and isinstance(step.contractum, Expr)
        assert step.redex.type == step.contractum.type, step
        assert step.contractum.free <= step.redex.free, step
        assert after.type == before.type, step
        allowed = join((allowed, step.rule.float_class))
        if count % apart == 0 or count == len(steps):
            found = computed(after, name)
            assert not differ(expected, found, allowed, may_be_unspecified(start)), step


@cache
def computed(e: rise.Expr, name: str) -> Any:
    """The result of a program of a derivation; cached, since many occur again with another strategy."""
    sizes = corpus.sizes(name)
    arguments = inputs(corpus.at(corpus.program(name), **sizes).type)
    return rise.evaluate(e, *arguments, sizes=sizes)


@pytest.mark.parametrize(("turn", "name"), some(enumerate(corpus.NAMES), apart=10))
def test_the_engines_agree(turn: int, name: str) -> None:
    """The fast engine fires the same rules at the same places as the reference, and fails if that fails.

    With every tenth program, and one of the strategies for each in turn; in soak, with all.
    """
    tried = (*corpus.STRATEGIES[:2], (TENSOR_CORE, {}))
    for address, parameters in some(tried, len(tried), turn):
        strategy = strategies.load(address, **parameters)
        fast = elevate.run(strategy, corpus.program(name))
        reference = elevate.run(strategy, corpus.program(name), engine="reference")
        assert fast.result == reference.result
        assert fast.counters.firings == reference.counters.firings


@cache
def form(name: str) -> rise.Expr:
    return rise.parse(RIGHT_TRANSPOSED).main if name == "gemm_right_transposed" else corpus.program(name)


@cache
def fragments(name: str, rows: int = 16, columns: int = 16, depth: int = 16) -> rise.Expr:
    """The derivation of a form of GEMM; the strategy is the same for all."""
    strategy = strategies.load(TENSOR_CORE, rows=rows, columns=columns, depth=depth)
    result = strategy(form(name))
    assert isinstance(result, Success), result.explain()
    assert result.float_class is FloatClass.REASSOCIATING
    return result.program


@pytest.mark.parametrize("name", [*FORMS, "gemm_right_transposed"])
def test_any_form_of_gemm_becomes_fragments(name: str) -> None:
    low = fragments(name)
    loops = [e for e in subterms(low) if e.root == ("reduceSeq", 3)]
    assert len(loops) == 1
    _, (function, start, _) = spine(loops[0])
    assert isinstance(function, Lam) and isinstance(function.body, Lam)
    step = function.body.body
    assert step.root == ("tensorMatMulAdd", 3)
    assert "asMatrix" not in names(step) and "asFragmentAcc" not in names(step)
    assert isinstance(start, Expr) and start.root == ("generateFragment", 1)
    assert names(low) & {"reduce", "reduceSeqUnroll"} == set()
    assert [name_ for name_ in heads(low) if name_ == "asMatrix"] == ["asMatrix"]


@pytest.mark.parametrize("name", [*FORMS, "gemm_right_transposed"])
def test_operations_around_a_product_are_done_in_fragments(name: str) -> None:
    """By lanes if a vector is read, since WMMA cannot load a fragment of repeated numbers."""
    plain: set[str] = set()
    epilogues = {
        "gemm_alpha": {"mapFragment"},
        "gemm_plain": plain,
        "gemm_bf16": plain,
        "gemm_bias": {"mapLane"},
    }
    expected = epilogues.get(name, {"zipFragment"})
    assert names(fragments(name)) & {"mapFragment", "zipFragment", "mapLane"} == expected


@pytest.mark.parametrize(
    ("name", "tile"),
    [
        (name, tile)
        for turn, name in some(enumerate((*FORMS, "gemm_right_transposed")), 2)
        for tile in some(TILES, len(TILES), first=turn)
    ],
)
def test_fragments_compute_the_product(name: str, tile: tuple[int, int, int]) -> None:
    rows, columns, depth = tile
    for times in ((1, 1, 1), (2, 1, 3), (1, 2, 0)):
        sizes = dict(zip(("M", "N", "K"), (a * b for a, b in zip(tile, times, strict=True)), strict=True))
        before = corpus.at(form(name), **sizes)
        after = corpus.at(fragments(name, rows, columns, depth), **sizes)
        assert after.type == before.type
        assert not differ(run(before, True), run(after, True), FloatClass.EXACT, False), sizes


@pytest.mark.parametrize("name", [*FORMS, "gemm_right_transposed"])
def test_sizes_stay_symbolic(name: str) -> None:
    assert fragments(name).type == form(name).type
    assert corpus.size_names(fragments(name)) == corpus.size_names(form(name))


def test_the_derived_gemm_is_the_golden_one() -> None:
    """`python -m tests.strategies.test_derivations` rewrites it."""
    expected = (GOLDEN / "gemm_tensor_core.rise").read_text(encoding="utf-8")
    assert shown() == expected
    assert rise.parse(expected).main == fragments("gemm")


def test_deriving_a_derived_program_again_changes_nothing() -> None:
    strategy = strategies.load(TENSOR_CORE)
    assert strategy(corpus.program("gemm")) == strategy(corpus.program("gemm"))


def shown() -> str:
    head = "// What strategies.tensor_core:tensorCore makes of cases/gemm.rise.\n"
    return f"{head}{rise.show(fragments('gemm'))}\n"


def subterms(e: rise.Expr) -> list[rise.Expr]:
    found = []
    waiting = [e]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(node.children)
    return found


def heads(e: rise.Expr) -> list[str]:
    """The names of the primitives of a term, once for each place."""
    return [node.name for node in subterms(e) if isinstance(node, rise.Primitive)]


def names(e: rise.Expr) -> set[str]:
    return set(heads(e))


if __name__ == "__main__":
    (GOLDEN / "gemm_tensor_core.rise").write_text(shown(), encoding="utf-8")
