"""Statements taken apart and put together in passes over kernels. Knows no pass, no level and no launch."""

from __future__ import annotations

from dataclasses import replace

from rise.naturals import Nat, NatVar
from shine.imperative.names import Names
from shine.imperative.nodes import Allocate, Block, Define, For, If, MapFragment, Statement
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.walk import statements


def take_allocations(block: Block, space: str) -> tuple[list[Allocate], Block]:
    """The allocations of buffers in a memory, in order, and the block without them."""
    found: list[Allocate] = []
    kept: list[Statement] = []
    for statement in block.statements:
        match statement:
            case Allocate(buffer) if buffer.space == space:
                found.append(statement)
            case For(body=body) | If(body=body):
                taken, body = take_allocations(body, space)
                found += taken
                kept.append(replace(statement, body=body) if taken else statement)
            case _:
                kept.append(statement)
    return found, Block(tuple(kept))


def names_of(block: Block) -> Names:
    """Names, with all that a block uses given already."""
    found: dict[str, None] = {}

    def see(a: Nat) -> Nat:
        found.update((one.name, None) for one in sorted(a.free, key=_name) if isinstance(one, NatVar))
        return a

    def seen(cell: Cell) -> Cell:
        found[cell.buffer.name] = None
        return cell

    rewrite_block(block, Parts(natural=see, cell=seen))
    waiting = [block]
    while waiting:
        for statement, _ in statements(waiting.pop()):
            match statement:
                case Define(local):
                    found[local.name] = None
                case Allocate(buffer):
                    found[buffer.name] = None
                case MapFragment(parameters=parameters, body=body):
                    found.update((one.name, None) for one in parameters)
                    waiting.append(body)
                case _:
                    pass
    names = Names()
    for name in found:
        names.fresh(name)
    return names


def _name(node: object) -> str:
    return node.name if isinstance(node, NatVar) else ""
