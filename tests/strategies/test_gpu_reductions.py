"""Reductions and scans split for a GPU: every step preserves the meaning, and some programs must not change. Runs no
kernel.
"""

import pickle

import numpy as np
import pytest

import elevate
import rise
from cases.answers import ANSWERS
from cases.case_files import Numbers
from cases.comparison import differences, signature
from cases.inputs import some_input
from elevate import Failure, FloatClass, Strategy, Success, replay, topDown
from rise.terms import Expr, spine
from rise.types import F32, I32, ScalarType
from strategies.gpu_reductions import reduceOnBlocks, reductionsOnBlocks, scanInBlock, scanOnBlocks
from strategies.parts.reduction_trees import reduceInBlock, treeOfLanes
from strategies.rules import gpu_reductions as rules
from strategies.rules.gpu_reductions import composition, is_optional, isLinearStep, neutral_to
from strategies.testing import check
from tests.examples import some
from tests.strategies import corpus

U32 = ScalarType("u32")
DERIVED: list[tuple[str, Strategy, Numbers]] = [
    ("dot", reduceOnBlocks(32, 2), (("N", 70),)),
    ("dot", reduceOnBlocks(64, 1, atomic=1), (("N", 70),)),
    ("min_max", reduceOnBlocks(64, 1), (("N", 70),)),
    ("argmax", reduceOnBlocks(32, 1), (("N", 45),)),
    ("mean_variance", reduceOnBlocks(32, 1), (("N", 45),)),
    ("softmax", reduceOnBlocks(32, 1), (("M", 2), ("N", 37))),
    ("prefix_sum", scanOnBlocks(32, 1), (("N", 70),)),
    ("prefix_sum", scanOnBlocks(64, 1), (("N", 70),)),
    ("rolling_hash", scanOnBlocks(32, 1), (("N", 45),)),
    ("running_totals", scanOnBlocks(32, 1), (("M", 2), ("N", 45))),
]


@pytest.mark.parametrize(("name", "strategy", "sizes"), some(DERIVED, 17), ids=str)
def test_every_step_preserves_the_meaning(name: str, strategy: Strategy, sizes: Numbers) -> None:
    """Every third program of a derivation is run, and the last; in soak all of them."""
    program = corpus.program(name)
    result = strategy(program)
    assert isinstance(result, Success)
    parameters, at = signature(program, sizes)
    arguments = [some_input("random", np.random.default_rng(7), place) for place in parameters]
    expected = ANSWERS[name](*arguments)
    programs = list(replay(program, result.steps))
    assert programs[-1] == result.program
    tried = list(zip(result.steps, programs[1:], strict=True))
    for step, after in (*some(tried[:-1], 3), tried[-1]):
        found = rise.evaluate(after, *arguments, sizes=dict(sizes))
        assert differences(found, expected, at) == [], step.rule
    assert result.float_class == FloatClass.REASSOCIATING


@pytest.mark.parametrize(("name", "strategy", "sizes"), DERIVED, ids=str)
def test_the_result_is_low_level(name: str, strategy: Strategy, sizes: Numbers) -> None:
    """No thread reduces all elements."""
    low = rise.show(strategy(corpus.program(name)).program)
    assert "reduce(" not in low and "scan(" not in low
    assert "mapBlock" in low or "reduceBlockAtomic" in low
    assert "mapLane" in low or "toMem(Shared)" in low


def program(text: str) -> Expr:
    found: Expr = rise.parse(f"val f = {text}").main
    return found


def after(strategy: Strategy, text: str) -> str:
    result = strategy(program(text))
    assert isinstance(result, Success)
    return rise.show(result.program)


UNTOUCHED = [
    "fun(xs: N.8.f32 => xs |> map(reduce(add, 0.0)))",  # short
    "fun(xs: 31.f32 => xs |> reduce(add, 0.0))",
    "fun(xs: M.K.N.f32 => xs |> map(map(reduce(add, 0.0))))",  # inside two loops
    "fun(xs: N.f32 => xs |> scan(fun(a, b => a - b), 0.0))",  # not known to be associative
    "fun(xs: N.f32 => xs |> scan(fun(a, b => a * a + b), 0.0))",
    "fun(xs: N.M.f32, ys: M.f32 => xs |> reduce(fun(a, b => zip(a, b) |> map(add)), ys))",  # of arrays
]


@pytest.mark.parametrize("text", UNTOUCHED)
def test_reductions_that_are_not_split(text: str) -> None:
    assert after(reductionsOnBlocks(32, 1), text).count("Block") == 0


def test_how_partial_results_are_combined() -> None:
    """By lanes if order does not matter; otherwise in order, with a flag that says whether there is a value."""
    commutative = after(reduceOnBlocks(64), "fun(xs: N.i32 => xs |> reduce(max, 0))")
    chosen = after(
        reduceOnBlocks(64), "fun(xs: N.i32 => xs |> reduce(fun(a, b => if b > a then b else a), 0))"
    )
    updated = after(reduceOnBlocks(64, atomic=1), "fun(xs: N.i32 => xs |> reduce(max, 0))")
    product = after(reduceOnBlocks(64, atomic=1), "fun(xs: N.i32 => xs |> reduce(mul, 1))")
    assert "mapLane" in commutative and "bool" not in commutative
    assert "mapLane" not in chosen and "(bool, i32)" in chosen
    assert "reduceBlockAtomic(0" in updated
    assert "Atomic" not in product and "mapLane" in product


@pytest.mark.parametrize("start", some(["5", "0"], 2))
def test_a_start_value_is_counted_once(start: str) -> None:
    total = program(f"fun(xs: N.i32 => xs |> reduce(add, {start}))")
    sums = program(f"fun(xs: N.i32 => xs |> scan(add, {start}))")
    for n in (0, 1, 100):
        xs = np.arange(n, dtype=np.int32)
        low = rise.specialise(reduceOnBlocks(32, 1)(total).program, N=n)
        assert rise.evaluate(low, xs) == int(start) + xs.sum()
        scanned = rise.specialise(scanOnBlocks(32, 1)(sums).program, N=n)
        np.testing.assert_array_equal(rise.evaluate(scanned, xs), int(start) + np.cumsum(xs, dtype=np.int32))


def test_parts_of_strategies_in_one_block() -> None:
    """The parts of strategies can be used alone."""
    summed = topDown(reduceInBlock(32))(program("fun(xs: N.i32 => xs |> reduce(add, 0))"))
    scanned = topDown(scanInBlock(32))(program("fun(xs: N.i32 => xs |> scan(add, 0))"))
    assert isinstance(summed, Success) and isinstance(scanned, Success)
    assert "mapBlock" not in rise.show(summed.program) + rise.show(scanned.program)


def test_a_tree_of_another_size_fails() -> None:
    failure = topDown(treeOfLanes(32))(program("fun(xs: 48.i32 => xs |> reduce(add, 0))"))
    assert isinstance(failure, Failure)
    assert "reduceHalves(16)" in str(failure.explain())


def reduction(text: str) -> tuple[Expr, Expr]:
    """The function and the start value of the first reduction in a program."""
    for node in elevate.term.preorder(program(text)):
        e = node[0]
        if isinstance(e, Expr) and e.root == ("reduce", 3):
            function, start, _ = spine(e)[1]
            assert isinstance(function, Expr) and isinstance(start, Expr)
            return function, start
    raise AssertionError(text)


OPTIONAL = "fun(a, b => if fst(a) then if fst(b) then pair(true, {both}) else a else b), pair({none}, 0)"


@pytest.mark.parametrize(
    ("both", "none", "holds"),
    [
        ("snd(a) + snd(b)", "false", True),
        ("max(snd(a), snd(b))", "false", True),
        ("snd(a) + snd(b)", "true", False),
        ("snd(b) + snd(a)", "false", False),
        ("snd(a) + 1", "false", False),
    ],
)
def test_optional_values_are_recognised_by_their_form(both: str, none: str, holds: bool) -> None:
    text = f"fun(xs: N.(bool, i32) => xs |> reduce({OPTIONAL.format(both=both, none=none)}))"
    assert is_optional(*reduction(text)) == holds


def test_neutral_elements() -> None:
    add, _ = reduction("fun(xs: N.f32 => xs |> reduce(add, 0.0))")
    least, _ = reduction("fun(xs: N.f32 => xs |> reduce(min, 0.0))")
    pair = composition(U32).type.parameter  # type: ignore[attr-defined]  # it is a function
    found, of_pairs = neutral_to(add, F32), neutral_to(composition(U32), pair)
    assert found is not None and rise.show(found) == "0.0"
    assert of_pairs is not None and rise.show(of_pairs) == "pair(1u32, 0u32)"
    assert neutral_to(least, F32) is None
    assert neutral_to(composition(I32), pair) is None


def test_reductions_of_pairs_of_booleans_are_not_compositions() -> None:
    function, start = reduction("fun(xs: N.(bool, bool) => xs |> reduce(fun(a, b => b), pair(true, false)))")
    assert neutral_to(function, start.type) is None


def test_steps_on_booleans_are_not_linear() -> None:
    step = rise.parse("fun(y: bool, p: (bool, bool) => if y then fst(p) else snd(p))").main
    assert not isLinearStep(step)


def test_steps_compose_in_order() -> None:
    """y -> y * a + b, twice, for integers that wrap."""
    p, q = (np.uint32(7), np.uint32(5)), (np.uint32(3), np.uint32(2**32 - 1))
    a, b = rise.evaluate(composition(U32), p, q)
    assert (a, b) == (21, (5 * 3 + 2**32 - 1) % 2**32)


def test_start_values_are_moved_outside_only_if_a_neutral_element_is_known() -> None:
    programs = [program(f"fun(xs: 3.i32 => xs |> scan({f}, 4))") for f in ("add", "mul", "min")]
    assert check(rules.startOutside, examples=4, given_programs=programs) >= 3
    failure = topDown(rules.startOutside)(program("fun(xs: 3.i32 => xs |> scan(sub, 4))"))
    assert isinstance(failure, Failure)


CHOICE = "fun(a, b => if fst(b) > fst(a) then b else a)"
FLAGGED = "fun(a, b => if fst(b) then pair(true, snd(a) + snd(b)) else a)"


@pytest.mark.parametrize(
    ("rule", "texts"),
    some(
        [
            (
                rules.reducePairs,
                [f"fun(xs: {n}.(i32, i32) => xs |> reduce({CHOICE}, pair(0, 0)))" for n in (0, 2, 6)],
            ),
            (
                rules.startFromNone,
                [f"fun(xs: {n}.(bool, i32) => xs |> reduce({FLAGGED}, pair(true, 3)))" for n in (0, 1, 5)],
            ),
        ],
        2,
    ),
    ids=str,
)
def test_a_reduction_that_is_marked_associative_is(rule: elevate.Rule, texts: list[str]) -> None:
    programs = [program(text) for text in texts]
    assert check(rule, examples=4, given_programs=programs) >= 3  # type: ignore[arg-type]  # it is a rule by a function


@pytest.mark.parametrize("text", ["sub, 0", "add, 1", "fun(x, y => x), 0"])
@pytest.mark.parametrize(
    "rule", [rules.reducePadded(4), rules.reduceParts(2), rules.reducePartsInto(2)], ids=str
)
def test_reductions_that_may_not_restart_are_not_split(rule: elevate.Rule, text: str) -> None:
    result = topDown(rule)(program(f"fun(xs: 6.i32 => xs |> reduce({text}))"))
    assert isinstance(result, Failure)
    assert "starts from its neutral element" in str(result.explain())


def test_strategies_are_values() -> None:
    assert reduceOnBlocks(64, 2) == reduceOnBlocks(64, items=2) != reduceOnBlocks(64, 3)
    assert pickle.loads(pickle.dumps(reduceOnBlocks(64, 2))) == reduceOnBlocks(64, 2)
    assert str(scanOnBlocks(64)).startswith("scanOnBlocks(threads=64")
