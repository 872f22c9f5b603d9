"""Splits loops over joined rows into a loop over rows and one over columns. Independent of targets.

Only loops inside `unjoinLoops` are changed.

If a loop over i reads a joined array, its indices contain i / n, which processors compute slowly and compilers do not
vectorise. A loop over m * n iterations becomes a loop over m rows around a loop over n columns: the same iterations in
the same order, without divisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rise.hardware import DEFAULT
from rise.naturals import Nat, NatVar, exact_quotient, nat
from rise.nodes import postorder
from rise.quotients import NatCall, is_integral
from shine.imperative.nodes import (
    Assign,
    Block,
    For,
    Index,
    Load,
    Procedure,
    Statement,
)
from shine.imperative.rewrite import rewrite_block, substitution
from shine.imperative.walk import map_outermost, statements, value_of, values

#: the fewest columns that are worth a separate loop: compilers replace divisions by constants by multiplications.
#: A loop that contains other loops is always split.
MIN_COLUMNS: Final = DEFAULT.neighbours


def unjoin_loops(procedure: Procedure) -> Procedure:
    """The procedure with loops over joined rows split."""
    return replace(procedure, body=map_outermost(procedure.body, _split))


def _split(statement: Statement) -> tuple[Statement, ...] | None:
    """A loop over joined rows that may be changed, split, perhaps more than once; None for other statements."""
    match statement:
        case For(index, count, "seq", body) as loop if "unjoin_loops" in loop.allowed:
            min_columns = 2 if any(isinstance(inner, For) for inner in body.statements) else MIN_COLUMNS
            length = next((n for n in _divisors(body, index) if _is_worth(count, n, min_columns)), None)
            if length is None:
                return None
            rows = exact_quotient(count, length)
            row, turn = NatVar(f"{index.name}_row", rows), NatVar(index.name, length)
            inside = rewrite_block(body, substitution({index: nat(row) * length + turn}))
            inner = replace(loop, index=turn, count=length, body=inside)
            outer = replace(loop, index=row, count=rows, body=Block((inner,)))
            return map_outermost(Block((outer,)), _split).statements
        case _:
            return None


def _is_worth(count: Nat, length: Nat, min_length: int) -> bool:
    """Whether the iterations are whole rows of a length of at least `min_length`."""
    if length.constant is not None and length.constant < min_length:
        return False
    return length != count and is_integral(exact_quotient(count, length))


def _divisors(block: Block, index: NatVar) -> Iterator[Nat]:
    """The divisors of a loop's index."""
    for a in _naturals(block):
        for node in postorder(a) if index in a.free else ():
            if isinstance(node, NatCall) and node.function == "floor" and node.args[0] == nat(index):
                yield node.args[1]


def _naturals(block: Block) -> Iterator[Nat]:
    """The naturals in statements: indices of stores and loads, and numbers that are indices."""
    for statement, _ in statements(block):
        if isinstance(statement, Assign):
            yield statement.index
        value = value_of(statement)
        for part in () if value is None else values(value):
            match part:
                case Load(index=a) | Index(value=a):
                    yield a
                case _:
                    pass
