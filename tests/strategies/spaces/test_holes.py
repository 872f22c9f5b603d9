"""Holes and their replay: domains, constraints, dead candidates, and errors of authors. Independent of search."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import rise
from elevate import Strategy, StrategyError, fail, id_
from rise import RiseError
from strategies.cpu_gemm import blocking, microKernel
from strategies.openmp import parallel
from strategies.parts.parameters import check_sizes
from strategies.spaces import Dead, Leaf, Open, Space, choose, leaves, one_of, replay, space
from strategies.spaces.replay import decisions_of, load_space, text_of

PRODUCT = rise.parse(
    "val main = fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b)"
    " |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, 0.0))))))"
)


@space
def tiles() -> Strategy:
    """A space of tiles of a product."""
    vectors = choose("vectors", (1, 2, 4))
    rows = choose("rows", range(1, 9), where=lambda rows: rows * vectors <= 8)
    return one_of("A", microKernel(rows, 16 * vectors), parallel(rows=rows, columns=16 * vectors))


def test_the_first_hole_is_open() -> None:
    assert replay(tiles, {}) == Open("vectors", (1, 2, 4), {})


def test_conditions_may_depend_on_earlier_decisions() -> None:
    assert replay(tiles, {"vectors": 4}) == Open("rows", (1, 2), {"vectors": 4})


def test_a_leaf_has_its_strategy_and_decisions() -> None:
    decisions = {"vectors": 2, "rows": 3, "A": "microKernel"}
    assert replay(tiles, decisions) == Leaf(microKernel(3, 32), decisions)


def test_leaves_are_all_valid_candidates_in_order() -> None:
    found = [(leaf.decisions["vectors"], leaf.decisions["rows"]) for leaf in leaves(tiles)]
    fitting = [(vectors, rows) for vectors in (1, 2, 4) for rows in range(1, 9) if rows * vectors <= 8]
    assert found == [pair for pair in fitting for _ in range(2)]


def test_decisions_are_data_and_give_the_same_leaf_in_any_order() -> None:
    for leaf in leaves(tiles):
        again = decisions_of(text_of(leaf.decisions))
        assert replay(tiles, again) == leaf
        assert replay(tiles, dict(reversed(leaf.decisions.items()))) == leaf


def test_a_hole_with_one_value_left_needs_no_decision() -> None:
    @space
    def one() -> Strategy:
        rows = choose("rows", (1, 2, 3), where=lambda rows: rows == 2)
        return microKernel(rows, 16)

    assert replay(one, {}) == Leaf(microKernel(2, 16), {"rows": 2})


def test_a_constraint_without_values_kills_the_candidate() -> None:
    @space
    def none() -> Strategy:
        choose("a", (1, 2))
        choose("b", (1, 2), where=lambda b: b > 2)
        return id_

    outcome = replay(none, {"a": 1})
    assert isinstance(outcome, Dead)
    assert outcome.diagnostic.title == "no value of `b` fits for a = 1: none of 1 or 2 meets its `where`"
    assert list(leaves(none)) == []


def test_a_value_that_no_longer_fits_kills_the_candidate() -> None:
    outcome = replay(tiles, {"vectors": 4, "rows": 8})
    assert isinstance(outcome, Dead) and outcome.diagnostic.code == "unfit-value"


def test_a_parameter_that_a_strategy_refuses_kills_the_candidate() -> None:
    @space
    def refused() -> Strategy:
        check_sizes(rows=choose("rows", (0, 1)))
        return id_

    outcome = replay(refused, {"rows": 0})
    assert isinstance(outcome, Dead) and outcome.diagnostic.code == "tiles"
    assert isinstance(replay(refused, {"rows": 1}), Leaf)


def test_a_strategy_that_does_not_apply_kills_the_candidate() -> None:
    outcome = replay(space(nothing), {}, PRODUCT, {"M": 2, "N": 2, "K": 2})
    assert isinstance(outcome, Dead) and outcome.diagnostic.code == "strategy-failed"


def nothing() -> Strategy:
    return fail


def test_an_obligation_that_fails_kills_the_candidate() -> None:
    @space
    def blocks() -> Strategy:
        return blocking(choose("rows", (4, 5)), 4, 4)

    sizes = {"M": 8, "N": 8, "K": 8}
    outcome = replay(blocks, {"rows": 5}, PRODUCT, sizes)
    assert isinstance(outcome, Dead) and outcome.diagnostic.code == "size-mismatch"
    assert "5 divides M" in outcome.diagnostic.title
    leaf = replay(blocks, {"rows": 4}, PRODUCT, sizes)
    assert isinstance(leaf, Leaf) and leaf.term is not None
    assert not rise.obligations(leaf.term)


def test_options_are_named_after_their_strategies_or_by_keywords() -> None:
    @space
    def options() -> Strategy:
        one_of("a", microKernel(1, 16), microKernel(2, 16))
        return one_of("b", fail, plain=id_)

    assert replay(options, {}) == Open("a", ("microKernel 1", "microKernel 2"), {})
    assert replay(options, {"a": "microKernel 2", "b": "plain"}) == Leaf(
        id_, {"a": "microKernel 2", "b": "plain"}
    )


def test_the_machine_is_an_argument() -> None:
    @space
    def lanes(machine: int) -> Strategy:
        return microKernel(1, machine * choose("vectors", (1, 2)))

    assert lanes.takes_machine and not lanes.on(16).takes_machine and not tiles.takes_machine
    assert replay(lanes.on(16), {"vectors": 2}) == Leaf(microKernel(1, 32), {"vectors": 2})


def test_the_program_is_an_argument() -> None:
    """The parameter `program` is the program with fixed sizes; another one is the machine."""

    @space
    def of_program(program: object) -> Strategy:
        return microKernel(1, choose("columns", (len(str(program)), 2)))

    @space
    def of_both(machine: int, program: str) -> Strategy:
        return microKernel(1, choose("columns", (machine, len(program))))

    assert of_program.takes_program and not of_program.takes_machine
    assert replay(of_program.on(16, "four"), {}) == Open("columns", (4, 2), {})
    assert of_both.takes_program and of_both.takes_machine
    assert replay(of_both.on(16, "four"), {}) == Open("columns", (16, 4), {})


def test_a_handler_in_a_space_does_not_catch_open_holes() -> None:
    @space
    def careless() -> Strategy:
        try:
            choose("a", (1, 2))
        except Exception:  # as an author may write
            return fail
        return id_

    assert replay(careless, {}) == Open("a", (1, 2), {})


def test_the_fingerprint_follows_the_source() -> None:
    @space
    def other() -> Strategy:
        return id_

    assert tiles.fingerprint == Space("t", tiles.make).fingerprint != other.fingerprint


def test_the_fingerprint_ignores_comments_and_docstrings() -> None:
    @space
    def tiled() -> Strategy:
        return parallel(rows=choose("rows", (1, 2)))

    first = tiled.fingerprint

    @space
    def tiled() -> Strategy:
        """Tiles of some rows."""
        # one or two
        return parallel(
            rows=choose("rows", (1, 2)),
        )

    assert tiled.fingerprint == first


def refusal(make: Any, decisions: Any = None) -> str:
    with pytest.raises(RiseError) as caught:
        replay(space(make), decisions or {})
    return caught.value.diagnostic.code


def holes(*calls: Any) -> Any:
    def made() -> Strategy:
        for call in calls:
            call()
        return id_

    return made


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("empty-domain", [lambda: choose("a", ())]),
        ("no-domain", [lambda: choose("a", 3)]),  # type: ignore[arg-type]  # the mistake
        ("no-domain", [lambda: choose("a", (1, 1))]),
        ("no-domain", [lambda: choose("a", iter(int, 1))]),
        ("no-data", [lambda: choose("a", (id_,))]),  # type: ignore[arg-type]  # the mistake
        ("no-data", [lambda: choose("a", (float("nan"),))]),
        ("no-name", [lambda: choose("", (1,))]),
        ("hole-twice", [lambda: choose("a", (1,)), lambda: choose("a", (1,))]),
        ("empty-domain", [lambda: one_of("a")]),
        ("no-strategy", [lambda: one_of("a", 3)]),  # type: ignore[arg-type]  # the mistake
        ("broken-space", [lambda: 1 // 0]),
        ("broken-space", [lambda: sys.exit(3)]),
    ],
)
def test_errors_of_authors_are_diagnostics(code: str, calls: Any) -> None:
    assert refusal(holes(*calls)) == code


def test_values_of_different_types_are_different() -> None:
    made = holes(lambda: choose("a", (1, True, 1.0, "1", None)))
    for value in (1, True, 1.0, "1", None):
        leaf = replay(space(made), {"a": value})
        assert isinstance(leaf, Leaf) and type(leaf.decisions["a"]) is type(value)


def test_unknown_decisions_are_refused() -> None:
    made = holes(lambda: choose("rows", (1, 2)))
    assert refusal(made, {"rows": 3}) == "unknown-decision"
    assert refusal(made, {"rows": 1, "row": 1}) == "unknown-decision"


def test_a_space_returns_a_strategy() -> None:
    def number() -> Any:
        return 3

    assert refusal(number) == "no-strategy"


def test_a_hole_outside_of_a_space_is_refused() -> None:
    with pytest.raises(RiseError) as caught:
        choose("rows", (1, 2))
    assert caught.value.diagnostic.code == "hole-outside"


@pytest.mark.parametrize("wrong", [3, "x", lambda a, b: a, lambda *a: a, lambda *, a: a])
def test_only_functions_of_the_machine_are_spaces(wrong: Any) -> None:
    with pytest.raises(RiseError) as caught:
        space(wrong)
    assert caught.value.diagnostic.code == "no-space"


@pytest.mark.parametrize("address", ["rows", "strategies.openmp:parallel", "strategies.spaces.nowhere:a"])
def test_spaces_are_found_by_name(address: str) -> None:
    with pytest.raises((RiseError, StrategyError)):
        load_space(address)
