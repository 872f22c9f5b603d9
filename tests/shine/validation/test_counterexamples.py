"""`counterexample`: iterations that it finds in imperative programs; it finds none in programs that are right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from rise.naturals import Nat, const
from shine.imperative.nodes import Block, Buffer, Condition, If, Procedure, Statement
from shine.validation import check_procedure, counterexample
from tests.examples import some
from tests.shine.procedure_mutants import mutants
from tests.shine.procedures import array, load, loop, parameter, procedure, size
from tests.shine.procedures import assign as store
from tests.shine.validation.programs import candidate

Body = Callable[[Nat, Buffer, Buffer], Sequence[Statement]]


def over(body: Body) -> Procedure:
    """A parallel loop over eight numbers."""
    xs, output = parameter("xs", array(8)), parameter("output", array(8))
    made = loop("i", 8, lambda i: body(i, xs.buffers[0], output.buffers[0]), "parallel")
    return procedure("over", [], [xs], output, made)


def only_below(limit: int, body: Body) -> Body:
    """The same for the first iterations only."""
    return lambda i, xs, out: [If(Condition(((i, const(limit)),)), Block(tuple(body(i, xs, out))), (1,))]


def copied(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
    return [store(out, i, load(xs, i))]


def ahead(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
    return [store(out, i, load(xs, i + 1))]


def behind(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
    return [store(out, i - 1, load(xs, i))]


def wide(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
    return [store(out, i, load(xs, i, 4))]


def same(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
    return [store(out, 3, load(xs, i))]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (ahead, "expected accesses to `xs` below 8, found a load at 8, where i = 7"),
        (behind, "expected accesses to `output` below 8, found a store at -1, where i = 0"),
        (wide, "expected accesses to `xs` below 8, found a load at 10, where i = 7"),
        (
            same,
            "expected iterations in parallel to store different elements of `output`, found that i = 0 and 1 store"
            " element 3, where i = 0",
        ),
    ],
)
def test_what_is_found(body: Body, found: str) -> None:
    said = counterexample(over(body))
    assert said is not None and f"{said.title}, {said.notes[0]}" == found


@pytest.mark.parametrize("body", [copied, only_below(7, ahead), only_below(1, same)])
def test_what_is_right_has_none(body: Body) -> None:
    assert counterexample(over(body)) is None


def test_sizes_must_be_known() -> None:
    assert counterexample(replace(over(ahead), sizes=(size("n"),))) is None


@pytest.mark.parametrize("loops", some(["own", "rows", "blocks"], 2))
def test_candidates_have_none_and_their_mutants_with_one_are_not_proved(loops: str) -> None:
    program, low, made = candidate(loops, 5, 12, 7)
    assert counterexample(made) is None
    found = [one for _, one in mutants(made) if counterexample(one) is not None]
    assert len(found) > 40
    assert not any(check_procedure(program, one, low, contracts=True, effort=1_000) for one in found[::20])
