"""Stencils in tiles: what a derivation preserves, its result, and programs to which it does not apply. Independent of
kernels.
"""

from functools import cache
from typing import Any

import pytest

import elevate
import rise
import strategies
from elevate import Failure, FloatClass, Success, replay
from rise.primitives import with_trait
from rise.terms import App, DepApp, Expr, Primitive
from rise.types import Space
from strategies.parts.nests import openCalls
from strategies.parts.windows import hasKnownTiles, isTotal
from strategies.rules.functions import callAtSize, callFunction
from strategies.rules.stencils import padEmptyToClamp, splitSlide, transposeWindows
from strategies.testing import check_in_program
from strategies.testing.values import differ, inputs, may_be_unspecified
from tests.examples import THOROUGH, in_turns, some
from tests.strategies import corpus
from tests.strategies.stencils import STENCILS

TILE = "strategies.stencils:tileStencil"
CASES = {"jacobi": 2, "conv2d": 2, "conv1d": 1, "moving_average": 1}
NAMES = [*CASES, *STENCILS]
#: the levels of a tile's kernel, in the order of the program, for two directions and for one
GRID = ["mapBlock 1", "mapBlock 0", "mapThreads 1", "mapThreads 0"]
ROW = ["mapBlock 0", "mapThreads 0"]


def program(name: str) -> rise.Expr:
    found: rise.Expr = corpus.program(name) if name in CASES else STENCILS[name].program
    return found


def sizes(name: str) -> dict[str, int]:
    """Sizes that are not multiples of any tile."""
    if name in CASES:
        return corpus.sizes(name)
    return {size: 3 + 4 * place for place, size in enumerate(corpus.size_names(program(name)))}


@cache
def derived(name: str, items: int = 1) -> Success[Any]:
    result = strategies.load(TILE, rows=2, columns=4, items=items)(program(name))
    assert isinstance(result, Success), result.explain()
    return result


@pytest.mark.parametrize(("name", "items"), some([*((name, 1) for name in some(NAMES, 5)), ("jacobi", 2)], 2))
def test_every_step_preserves_type_and_meaning(name: str, items: int) -> None:
    start = program(name)
    arguments = inputs(corpus.at(start, **sizes(name)).type, True)
    expected = rise.evaluate(start, *arguments, sizes=sizes(name))
    programs: list[Any] = list(replay(start, derived(name, items).steps))
    seen = set()
    last = len(programs) - 2
    for number, (step, after) in enumerate(zip(derived(name, items).steps, programs[1:], strict=True)):
        assert isinstance(step.redex, Expr) and isinstance(step.contractum, Expr)
        assert step.redex.type == step.contractum.type, step
        assert after.type == start.type, step
        if after not in seen and (THOROUGH or number % 3 == 0 or number == last):
            found = rise.evaluate(after, *arguments, sizes=sizes(name))
            unspecified = name not in CASES and may_be_unspecified(start)
            assert not differ(expected, found, FloatClass.EXACT, unspecified), step
        seen.add(after)


@pytest.mark.parametrize("name", some(NAMES, 2))
def test_rounding_does_not_change(name: str) -> None:
    """Each window is summed as in the program."""
    assert derived(name).float_class is FloatClass.EXACT


@pytest.mark.parametrize(("items", "name"), in_turns([1, 2], NAMES))
def test_blocks_copy_a_tile_from_which_threads_compute(name: str, items: int) -> None:
    low = derived(name, items).program
    directions = CASES.get(name) or STENCILS[name].directions
    expected = GRID if directions == 2 else ROW
    is_batch = name in STENCILS and STENCILS[name].batch
    assert levels(low)[0] == ("mapBlock 2" if is_batch else expected[0])
    assert set(levels(low)) == {*expected, *(["mapBlock 2"] if is_batch else [])}
    kept = shared(low)
    assert len(kept) == (1 if name in CASES else STENCILS[name].shared)
    for one in kept:
        assert [level for level in levels(one) if level.startswith("mapThreads")] == expected[directions:]
        assert not set(levels(one)) & {"mapBlock 0", "mapBlock 1"}


def test_the_tile_has_the_border_of_its_windows() -> None:
    """A tile of 2 x 4 windows of 3 x 3 has 4 x 6 elements, of which 8 threads copy 8 at a time."""
    kept = shared(derived("jacobi").program)[0]
    assert str(kept.type) == "4.6.f32"
    splits = [rise.show(e) for e in subterms(kept) if isinstance(e, DepApp) and e.root == ("split", 0)]
    assert any("(8)" in one for one in splits) and any("(4)" in one for one in splits)


@pytest.mark.parametrize(
    "name", ["of squares", "one after the other", "one after the other, of grids", "windows of halves"]
)
def test_elements_of_windows_are_computed_once_per_tile(name: str) -> None:
    """Each thread computes elements of the tile, which is in shared memory, but none of its windows."""
    low = derived(name).program
    arithmetic = [e for e in subterms(low) if isinstance(e, Primitive) and e.name in ("mul", "add", "cast")]
    (kept,) = shared(low)
    before = [e for e in subterms(kept) if isinstance(e, Primitive) and e.name in ("mul", "add", "cast")]
    assert (len(arithmetic), len(before)) == (2, 1)


@pytest.mark.parametrize("name", NAMES)
def test_sizes_stay_symbolic(name: str) -> None:
    assert derived(name).program.type == program(name).type
    assert corpus.size_names(derived(name).program) == corpus.size_names(program(name))


def test_tiles_of_windows_of_symbolic_size_have_a_symbolic_size() -> None:
    """So that a strategy for any program can continue with another one, or sizes can be fixed first."""
    assert hasKnownTiles(derived("jacobi").program)
    assert not hasKnownTiles(derived("conv1d").program)
    assert hasKnownTiles(corpus.at(derived("conv1d").program, K=3))


def test_the_engines_agree() -> None:
    strategy = strategies.load(TILE)
    fast = elevate.run(strategy, program("jacobi"))
    assert fast.result == elevate.run(strategy, program("jacobi"), engine="reference").result


@pytest.mark.parametrize("name", ["laplace", "mm", "dot", "relu", "block_sums", "prefix_sum"])
def test_programs_without_windows_are_rejected(name: str) -> None:
    result = strategies.load(TILE)(corpus.program(name))
    assert isinstance(result, Failure)
    assert "hasSlide at the root: does not hold" in str(result.explain())


def test_windows_of_long_rows_are_refused() -> None:
    """A tile must have a known size: these rows have none."""
    e = rise.parse("val m = fun(g: (M+2).N.f32 => g |> slide(3, 1) |> map(map(map(fun(x => x + 1.0)))))").main
    assert isinstance(strategies.load(TILE)(e), Failure)


@pytest.mark.parametrize("facts", ["", " where n < 5"])
def test_a_function_of_sizes_is_called(facts: str) -> None:
    e = rise.parse_expr(f"fun(xs: 7.f32 => (fun(n: nat{facts} => xs |> take(n) |> slide(2, 1)))(4))")
    assert check_in_program(callAtSize, e) == 1


@pytest.mark.parametrize(
    ("text", "firings"),
    [
        ("fun(xs: 4.f32, a: f32 => (fun(f => xs |> map(f)))(mul(a)))", 1),
        ("fun(xs: 4.f32, a: f32 => (fun(f => xs |> map(f)))(mul(a * a)))", 1),
        ("fun(xs: 4.f32, a: f32 => (fun(f => xs |> map(fun(x => f(f(x))))))(fun(x => x * a)))", 1),
    ],
)
def test_a_function_is_substituted_where_it_is_called(text: str, firings: int) -> None:
    e = rise.parse_expr(text)
    assert check_in_program(callFunction, e) == firings
    called = openCalls(e).program
    assert (
        rise.evaluate(called, *inputs(e.type, True)).tolist()
        == rise.evaluate(e, *inputs(e.type, True)).tolist()
    )
    assert "f32 -> f32" not in rise.show(called)


def test_expensive_computations_are_not_repeated_for_each_element() -> None:
    e = rise.parse_expr("fun(xs: 4.f32, a: f32 => (fun(f => xs |> map(f) |> map(f)))(mul(sqrt(a))))")
    assert rise.show(openCalls(e).program).count("sqrt") == 1


def test_windows_are_split_only_if_tiles_fit() -> None:
    """Nine windows cannot be split into tiles of two; ten can."""
    for number, fits in ((9, False), (10, True)):
        e = rise.parse_expr(
            "split(2, slide(3, 1, xs))" if fits else "slide(3, 1, xs)", {"xs": f"{number + 2}.f32"}
        )
        assert (splitSlide(2).apply(e) is not None) == fits
        assert splitSlide(5).apply(e) is None


def test_a_transposition_of_other_arrays_is_unchanged() -> None:
    e = rise.parse_expr("transpose(map(fun(row => transpose(row)), xs))", {"xs": "4.3.2.f32"})
    assert transposeWindows.apply(e) is None


def test_unspecified_padding_may_be_the_last_element() -> None:
    e = rise.parse_expr("padEmpty(2, xs)", {"xs": "3.f32"})
    assert padEmptyToClamp.apply(e) == rise.parse_expr("padClamp(0, 2, xs)", {"xs": "3.f32"})


def test_a_thread_keeps_its_results_before_it_stores_them() -> None:
    """But not if a window beyond the results may have no value, as for a quotient of integers."""
    for scalar in ("f32", "i32"):
        windows = "map(slide(3, 1)) |> slide(3, 1) |> map(transpose)"
        quotient = "map(map(fun(w => idx(0, idx(0, w)) / idx(1, idx(1, w)))))"
        e = rise.parse(f"val m = fun(g: (M+2).(N+2).{scalar} => g |> {windows} |> {quotient})").main
        result = strategies.load(TILE, rows=4, columns=4, items=2)(e)
        assert isinstance(result, Success)
        kept = [one for one in subterms(result.program) if one.root == ("toMem", 1)]
        assert len(kept) == {"f32": 2, "i32": 1}[scalar]


def shared(e: Expr) -> list[Expr]:
    """The values that are stored in shared memory."""
    return [
        one
        for one in subterms(e)
        if isinstance(one, App) and isinstance(one.fun, DepApp) and one.fun.argument == Space("Shared")
    ]


def levels(e: Expr) -> list[str]:
    """The loops over levels in a term, outermost first."""
    found = []
    for node in subterms(e):
        if isinstance(node, DepApp) and isinstance(node.fun, Primitive) and node.fun.name in LEVELS:
            found.append(f"{node.fun.name} {node.argument}")
    return found


LEVELS = ("mapBlock", "mapThreads", "mapGlobal", "mapWarp", "mapLane")


def subterms(e: Expr) -> list[Expr]:
    """All subterms of a term, from the outside in, functions before their arguments."""
    found = []
    waiting = [e]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(reversed(node.children))
    return found


@pytest.mark.parametrize("name", sorted(with_trait("divides")))
def test_a_quotient_of_integers_may_have_no_value_for_padding(name: str) -> None:
    assert not isTotal(rise.parse_expr(f"fun(x: i32 => {name}(7, x))"))


def test_other_functions_have_values_for_all_arguments() -> None:
    assert isTotal(rise.parse_expr("fun(x: f32 => 7.0 / x)"))
    assert isTotal(rise.parse_expr("fun(x: i32 => x * 7)"))
