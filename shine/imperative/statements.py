"""Extracts allocations and names from statements, and compares conditions.

Independent of passes, levels and launches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rise.naturals import Nat, NatVar, nat
from shine.imperative.names import Names
from shine.imperative.nodes import (
    Allocate,
    Block,
    Condition,
    Define,
    DefineIndex,
    For,
    If,
    Index,
    Load,
    MapFragment,
    Operation,
    Statement,
)
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.walk import everything, map_statements, statements


def take_allocations(block: Block, space: str) -> tuple[list[Allocate], Block]:
    """The allocations of buffers in a memory, in order, and the block without them."""
    allocations = [
        one for one, _ in statements(block) if isinstance(one, Allocate) and one.buffer.space == space
    ]
    taken = {one.buffer for one in allocations}

    def remaining(statement: Statement) -> tuple[Statement, ...]:
        return () if isinstance(statement, Allocate) and statement.buffer in taken else (statement,)

    return allocations, map_statements(block, remaining)


def while_true(loop: For) -> tuple[Load, Block] | None:
    """For a sequential loop whose iterations do nothing once a truth value in memory is false: the load of that value,
    and the statements under its condition. Printed loops end there.
    """
    if loop.kind != "seq" or len(loop.body.statements) != 2:
        return None
    match loop.body.statements:
        case (
            DefineIndex(variable, Operation("select", (Load() as flag, Index(yes), Index(no)))),
            If(Condition(((low, high),)), body),
        ) if (yes.constant, no.constant, low.constant, high) == (1, 0, 0, nat(variable)):
            used: set[NatVar] = set()

            def visit(a: Nat) -> Nat:
                used.update(v for v in a.free if isinstance(v, NatVar))
                return a

            rewrite_block(body, Parts(natural=visit))
            return None if variable in used or loop.index in flag.index.free else (flag, body)
    return None


def names_of(block: Block, others: Iterable[str] = ()) -> Names:
    """A collection of names in which all names that a block uses are taken, and `others`."""
    used = dict.fromkeys(others)

    def visit_natural(a: Nat) -> Nat:
        used.update((v.name, None) for v in sorted(a.free, key=_name) if isinstance(v, NatVar))
        return a

    def visit_cell(cell: Cell) -> Cell:
        used[cell.buffer.name] = None
        return cell

    rewrite_block(block, Parts(natural=visit_natural, cell=visit_cell))
    for statement, _ in everything(block):
        match statement:
            case Define(local):
                used[local.name] = None
            case Allocate(buffer):
                used[buffer.name] = None
            case MapFragment(parameters=parameters):
                used.update((parameter.name, None) for parameter in parameters)
            case _:
                pass
    names = Names()
    for name in used:
        names.fresh(name)
    return names


def _name(node: object) -> str:
    return node.name if isinstance(node, NatVar) else ""


def opposite(statements: Sequence[Statement], at: int) -> If | None:
    """The next statement, if it is a condition opposite to the statement at this position."""
    match statements[at : at + 2]:
        case (If(Condition(((a, b),))), If(Condition(((c, d),))) as following) if c == b and d == a + 1:
            return following
        case _:
            return None
