"""Loops over joined rows run row by row. Knows no target.

Only loops that the program allows to be changed so are: those inside `unjoinLoops`.

Where a loop over i reads an array that was joined, its indices ask for i / n, which processors compute slowly and in no
vectors. A loop over m * n turns becomes one over m rows around one over the n turns of each: the same turns in the same
order, and no division is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rise.naturals import Nat, NatVar, exact_quotient, nat
from rise.nodes import postorder
from rise.quotients import NatCall, is_integral
from shine.imperative.nodes import (
    Assign,
    Block,
    For,
    If,
    Index,
    Load,
    Procedure,
    Statement,
)
from shine.imperative.rewrite import rewrite_block, substitution
from shine.imperative.walk import statements, value_of, values

#: turns of a row that are worth a loop of their own, where their number is known: compilers divide by such numbers by
#: multiplying; a loop that has others inside it is worth it always
LEAST: Final = 32


def unjoin_loops(procedure: Procedure) -> Procedure:
    """The procedure with loops over rows where loops ran over joined ones."""
    return replace(procedure, body=_block(procedure.body))


def _block(block: Block) -> Block:
    return Block(tuple(_apart(one) for one in block.statements))


def _apart(statement: Statement) -> Statement:
    """A statement with the loops inside it, and itself, row by row."""
    match statement:
        case For(index, count, "seq", body) as loop if "unjoin_loops" in loop.allowed:
            least = 2 if any(isinstance(one, For) for one in body.statements) else LEAST
            length = next((n for n in _divisors(body, index) if _is_worth(count, n, least)), None)
            if length is None:
                return replace(loop, body=_block(body))
            rows = exact_quotient(count, length)
            row, turn = NatVar(f"{index.name}_row", rows), NatVar(index.name, length)
            inside = rewrite_block(body, substitution({index: nat(row) * length + turn}))
            inner = replace(loop, index=turn, count=length, body=inside)
            return _apart(replace(loop, index=row, count=rows, body=Block((inner,))))
        case For(body=body) | If(body=body):
            return replace(statement, body=_block(body))
        case _:
            return statement


def _is_worth(count: Nat, length: Nat, least: int) -> bool:
    """Whether so many turns are whole rows of that length, and not of less turns than `least`."""
    if length.constant is not None and length.constant < least:
        return False
    return length != count and is_integral(exact_quotient(count, length))


def _divisors(block: Block, index: NatVar) -> Iterator[Nat]:
    """What the index of a loop is divided by."""
    for a in _naturals(block):
        for node in postorder(a):
            if isinstance(node, NatCall) and node.function == "floor" and node.args[0] == nat(index):
                yield node.args[1]


def _naturals(block: Block) -> Iterator[Nat]:
    """The indices of what statements store and load, and numbers that are made of indices."""
    for statement, _ in statements(block):
        if isinstance(statement, Assign):
            yield statement.index
        value = value_of(statement)
        for one in () if value is None else values(value):
            match one:
                case Load(index=a) | Index(value=a):
                    yield a
                case _:
                    pass
