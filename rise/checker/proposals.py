"""Proposals for proofs: divisors of indices, folds to replace, places where sums are cut and joined.

Outside of the trusted core: whatever this proposes, `comparison`, `fusion`, `boxes` and `sizes` prove each step. A
mistake here can only make a proof fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Final

from rise.checker.state import DifferentError, State
from rise.checker.values import (
    Box,
    Call,
    Choice,
    Element,
    Equal,
    Fold,
    Half,
    Holds,
    Index,
    Item,
    Less,
    Operation,
    Pair,
    Value,
    is_free_of,
    variable_of,
)
from rise.naturals import Nat, exact_quotient, nat
from rise.nodes import postorder
from rise.quotients import NatCall, is_integral, linear_in

MAX_PARTS: Final = 6  # of nested values that are searched for divisors


def longest_first(divisors: Sequence[Nat], length: Nat) -> list[Nat]:
    """The divisors by which an index below a length is decomposed, in the order in which they are tried: products of
    more sizes first. Neither zero nor the length itself.
    """
    others = [divisor for divisor in divisors if divisor.terms and divisor != length]
    return sorted(others, key=lambda divisor: -sum(1 for _ in divisor.terms[0][0]))


def divisors_of(*values: Value) -> Iterator[Nat]:
    """The divisors of quotients that occur in the indices, conditions and lengths of neutral values."""
    return (quotient.args[1] for quotient in quotients_of(*values))


def quotients_of(*values: Value, state: State | None = None, depth: int = 0) -> Iterator[NatCall]:
    """The quotients in the indices, conditions and lengths of neutral values; with a state, also in steps and cases."""
    for value in values:
        parts: tuple[Value, ...] = ()
        match value:
            case Element(of, index):
                yield from quotients(index)
                parts = (of,)
            case Half(of, _):
                parts = (of,)
            case Operation(_, _, operands):
                parts = tuple(x for x, _ in operands)
            case Fold(length, step, start, t):
                yield from quotients(length)
                if state is not None:
                    parts = (start, step(state.fresh(t), state.fresh_index(length)))
            case Choice(condition, yes, no):
                match condition:
                    case Holds(truth):
                        parts = (truth,)
                    case Less(left, right) | Equal(left, right):
                        yield from quotients(left, right)
                if state is not None:
                    parts += (yes(), no())
            case Index(index):
                yield from quotients(index)
            case Pair(first, second):
                parts = (first, second)
            case _:
                of, argument = getattr(value, "of", None), getattr(value, "argument", None)
                parts = tuple(x for x in (of, argument) if x is not None)
        if depth < MAX_PARTS:
            yield from quotients_of(*parts, state=state, depth=depth + 1)


def quotients(*naturals: Nat) -> Iterator[NatCall]:
    """The quotients in naturals."""
    for natural in naturals:
        for node in postorder(natural):
            match node:
                case NatCall("floor" | "ceil"):
                    yield node


def folds_of(state: State, value: Value) -> Iterator[Fold]:
    """The folds in a value, except those inside of functions and arrays."""
    match value:
        case Fold():
            yield value
        case Element(of) | Half(of):
            yield from folds_of(state, of)
        case Call(of, argument, t):
            yield from folds_of(state, of)
            if t is not None:
                yield from folds_of(state, argument)
        case Operation(_, _, operands):
            for x, _ in operands:
                yield from folds_of(state, x)
        case Pair(first, second):
            yield from folds_of(state, first)
            yield from folds_of(state, second)
        case Choice(condition, yes, no):
            known = state.decide(condition)
            if known is None and isinstance(condition, Holds):
                yield from folds_of(state, condition.value)
            if known is not False:
                yield from folds_of(state, yes())
            if known is not True:
                yield from folds_of(state, no())


def changes(box: Box, indices: Sequence[Nat]) -> Iterator[tuple[int, Nat]]:
    """The indices of a box, by their places, on which conditions in its items depend, and where these change."""
    for condition in _conditions(box.items(*indices)):
        for p, k in enumerate(indices):
            line = linear_in(condition.right - condition.left, variable_of(k))
            if line is None or line[0].constant not in (-1, 1):
                continue
            change = line[1] if line[0].constant == -1 else 1 - line[1]  # at this index
            yield p, change


def _conditions(items: Sequence[Item]) -> Iterator[Less]:
    """The conditions on indices of choices among items and among their operands."""
    for item in items:
        match item:
            case Choice(Less() as condition):
                yield condition
            case Operation(_, _, operands):
                yield from _conditions([x for x, _ in operands])


def digits_of(state: State, box: Box, joined_at: Callable[[Box, int, int], Box]) -> tuple[int, int] | None:
    """The places of indices i and j of a box whose items depend on `i * n + j`; None if there are none."""
    for p, q in permutations(range(len(box.lengths)), 2):
        one = joined_at(box, p, q)
        indices = [state.fresh_index(length) for length in one.lengths]
        try:
            found = one.items(*indices)
        except DifferentError:
            continue
        if all(is_free_of(nat(quotient), indices[-1:]) for quotient in _quotients_of_items(state, found)):
            return p, q
    return None


def parts_of(state: State, box: Box) -> Iterator[tuple[int, Nat, Nat]]:
    """For each index of a box whose quotient by a divisor of its length occurs in the items: its place, the quotient of
    the length, and the divisor.
    """
    indices = [state.fresh_index(length) for length in box.lengths]
    for quotient in dict.fromkeys(_quotients_of_items(state, box.items(*indices))):
        for p, k in enumerate(indices):
            width = quotient.args[1]
            rows = exact_quotient(box.lengths[p], width) if width.terms else width
            is_part = rows.terms and is_integral(rows) and rows.constant != 1 and width.constant != 1
            if is_part and quotient.args[0] == k and is_free_of(width, indices):
                yield p, rows, width


def _quotients_of_items(state: State, items: Sequence[Item]) -> Iterator[NatCall]:
    for item in items:
        if isinstance(item, Box):
            yield from quotients(*item.lengths)
            yield from _quotients_of_items(state, item.items(*map(state.fresh_index, item.lengths)))
        else:
            yield from quotients_of(item, state=state)
