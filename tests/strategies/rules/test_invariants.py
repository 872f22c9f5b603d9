"""Sums that do not change between the iterations of a loop are computed once; others are not moved."""

from pathlib import Path

import pytest

import rise
from elevate import Failure, Strategy, Success, topDown
from rise.nodes import postorder
from rise.terms import App, Expr, Lam, has_primitive, shift
from strategies.costs.decisions import COMPUTED_IN_ORDER
from strategies.parts.nests import tidy
from strategies.rules import invariants
from strategies.rules.invariants import isComputedAsAWhole, nameGenerated, nameSum, nameSums
from strategies.sharing import hoistSums
from strategies.vocabulary.traversals import FOLDS
from tests.strategies import corpus

COSINES = rise.parse_file(Path(__file__).resolve().parents[3] / "cases" / "cosine_similarity.rise").main
NAMES = {"xs": "12.f32", "is": "12.i32", "ys": "12.f32", "rows": "8.6.f32", "a": "f32"}


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("map(fun(x => x - reduce(add, x, ys)), xs)", nameSum),
        ("fun(b: f32 => reduce(add, b, ys))", nameSum),
        ("fun(b: f32 => map(fun(x => if a > b then reduce(add, b, ys) else x), xs))", nameSum),
        ("fun(b: f32 => if a > b then map(fun(x => reduce(add, b, ys) + x), xs) else xs)", nameSum),
        (
            "fun(b: i32 => map(fun(x => if x > b then reduce(fun(s, y => s + y / b), 0, is) else x), is))",
            nameSum,
        ),
        ("fun(b: f32 => map(fun(row => reduce(add, b, row)), rows))", nameSum),
        (
            "fun(b: f32 => generate(fun(i: idx[6] => map(fun(row => reduce(add, idx(i, row), row)), rows))))",
            nameGenerated,
        ),
        ("fun(b: f32 => generate(fun(i: idx[6] => map(fun(x => x + b), xs))))", nameGenerated),
        ("map(fun(x => map(fun(row => reduce(add, x, row)), rows)), xs)", nameSums),
        ("map(fun(row => map(fun(x => reduce(add, x, ys)), row)), rows)", nameSums),
        ("map(fun(x => map(fun(row => map(fun(y => reduce(add, x, row) + y), xs)), rows)), xs)", nameSums),
        ("map(fun(x => map(fun(y => y + 1.0), xs)), xs)", nameSums),
        ("map(fun(row => map(fun(p => exp(fst(p)) * snd(p)), zip(row, row))), rows)", nameSums),
        ("map(fun(x => map(fun(row => if x > a then reduce(add, a, row) else x), rows)), xs)", nameSums),
    ],
)
def test_sums_that_change_or_may_be_undefined_are_not_moved(text: str, law: Strategy) -> None:
    assert isinstance(topDown(law)(rise.parse_expr(text, NAMES)), Failure)


@pytest.mark.parametrize(
    ("text", "table"),
    [
        (
            "map(fun(x => map(fun(row => x * reduce(add, a, row)), rows)), xs)",
            "map(fun(row => reduce(add, a, row)), rows)",
        ),
        (
            "map(fun(r => map(fun(p => fst(p) * reduce(add, a, snd(p))), zip(r, six))), rows)",
            "map(fun(x => reduce(add, a, x)), six)",
        ),
        (
            "map(fun(r => map(fun(p => fst(fst(p)) * exp(snd(fst(p)) * snd(p))), zip(zip(r, s), t))), rows)",
            "map(fun(p => exp(fst(p) * snd(p))), zip(s, t))",
        ),
        (
            "map(fun(x => map(fun(r => map(fun(y => exp(y) * x), six1)), rows)), xs)",
            "map(fun(y => exp(y)), six1)",
        ),
    ],
)
def test_sums_that_only_depend_on_an_inner_loop_become_a_table(text: str, table: str) -> None:
    names = NAMES | {"six": "6.8.f32", "s": "6.f32", "t": "6.f32", "six1": "6.f32"}
    result = topDown(nameSums)(rise.parse_expr(text, names))
    assert isinstance(result, Success)
    assert isinstance(result.program, rise.App)
    assert result.program.arg == rise.parse_expr(table, names)


def test_a_sum_in_a_branch_is_moved_if_some_iterations_may_compute_it() -> None:
    """It is the same in all of them, and cannot fail."""
    loop = "map(fun(x => if x > b then {} else x), xs)"
    found = topDown(nameSum)(rise.parse_expr(f"fun(b: f32 => {loop.format('reduce(add, b, ys)')})", NAMES))
    assert isinstance(found, Success)
    named = f"fun(b: f32 => (fun(sum => {loop.format('sum')}))(reduce(add, b, ys)))"
    assert found.program == rise.parse_expr(named, NAMES)


def test_a_named_sum_is_not_moved() -> None:
    e = rise.parse_expr(
        "map(fun(row => (fun(s => map(fun(x => x - s), row)))(reduce(add, 0.0, row))), rows)", NAMES
    )
    assert isinstance(topDown(nameSum)(e), Failure)


def test_lengths_are_summed_outside_of_the_product() -> None:
    result = (tidy >> hoistSums)(COSINES)
    assert isinstance(result, Success)
    assert [step.rule for step in result.steps].count(nameSums) == 1
    assert [step.rule for step in result.steps].count(nameSum) == 1


def test_a_sum_is_not_moved_to_the_places_where_it_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moved: list[int] = []

    def counted(e: rise.Expr, by: int) -> rise.Expr:
        moved.append(by)
        return shift(e, by)

    monkeypatch.setattr(invariants, "shift", counted)
    e = rise.parse(
        f"fun(ys: 12.f32, a: f32, xs: 12.f32 => map(fun(x => {'x + ' * 40}reduce(add, a, ys)), xs))"
    ).main
    assert isinstance(topDown(nameSum)(e), Success)
    assert not moved


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("reduce(add, 0.0, ys) * x", "sum"),
        ("let total = reduce(add, 0.0, ys) in total * x", "total"),
        ("(fun(total: f32 => total * x))(reduce(add, 0.0, ys))", "total"),
        ("let p = reduce(add, 0.0, ys) in p * x", "sum"),
        ("let total = x + 1.0 in total * reduce(add, 0.0, ys)", "sum"),
    ],
)
def test_a_sum_keeps_the_name_that_the_program_gives_it(body: str, name: str) -> None:
    """If the name is meaningful, and is that of exactly this sum."""
    found = topDown(nameSum)(rise.parse_expr(f"fun(b: f32 => map(fun(x => {body}), xs))", NAMES))
    assert isinstance(found, Success)
    (fired,) = [step.contractum for step in found.steps]
    assert isinstance(fired, Lam) and isinstance(fired.body, App) and isinstance(fired.body.fun, Lam)
    assert fired.body.fun.name == name


@pytest.mark.parametrize("name", corpus.NAMES)
def test_what_is_computed_as_a_whole_has_the_primitives_that_are_searched_for(name: str) -> None:
    derived = corpus.derived(name, 1).program
    for term in (corpus.program(name), derived):
        for node in postorder(term):
            if isinstance(node, Expr) and isComputedAsAWhole(node):
                assert has_primitive(node, *FOLDS, *COMPUTED_IN_ORDER), node
