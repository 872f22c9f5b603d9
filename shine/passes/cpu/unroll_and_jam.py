"""Sums of neighbours that are computed together: their loop comes outside of a loop over a few. Knows no target.

Only loops that the program allows to be changed so are: those inside `unrollAndJam`.

Where each turn of a loop over i runs a loop over k, as for the windows of a convolution, compilers make vectors of
neither if the number of windows' elements is not known. Here turns are taken by `LANES`: their sums stand in an array,
and the loop over k runs once for all of them. Each sum is computed as before, in the same order; turns are independent.
A turn may have several such loops: what later ones ask for, as a mean, stands in an array too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from rise.naturals import Nat, NatVar, const, nat
from rise.quotients import floor_quotient, linear_in
from rise.types import ScalarType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Define,
    For,
    If,
    Load,
    Local,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.rewrite import Cell, Parts, rewrite, substitution
from shine.imperative.walk import loads, map_value, value_of, values
from shine.passes.cpu.mark_loops import SHORT

LANES: Final = 32


#: statements in a row, or an inner loop
_Part: TypeAlias = tuple[Statement, ...] | For


def unroll_and_jam(procedure: Procedure) -> Procedure:
    """The procedure with sums of neighbours computed together."""
    return replace(procedure, body=_block(procedure.body))


def _block(block: Block) -> Block:
    found: list[Statement] = []
    for statement in block.statements:
        match statement:
            case For(kind="seq" | "parallel", allowed=allowed) as loop if (
                "unroll_and_jam" in allowed and (parts := _parts(loop)) is not None
            ):
                found += _together(loop, parts)
            case For(body=body) | If(body=body):
                found.append(replace(statement, body=_block(body)))
            case _:
                found.append(statement)
    return Block(tuple(found))


def _parts(loop: For) -> list[_Part] | None:
    """The parts of a loop that may be taken together: inner loops, and neighbours where turns are neighbours."""
    if loop.count.constant is not None and loop.count.constant < LANES:
        return None
    parts = _cut(loop.body.statements)
    inner = [part for part in parts if isinstance(part, For)]
    plain = [one for part in parts if not isinstance(part, For) for one in part]
    if not inner or not all(_is_long(one, loop.index) for one in inner):
        return None
    own = {one.buffer for one in plain if isinstance(one, Allocate)}
    if not own or not all(buffer.size.constant == 1 for buffer in own):
        return None
    turns = [one for part in inner for one in part.body.statements]
    if any(isinstance(one, Allocate) for one in turns):
        return None
    statements = [*plain, *turns]
    if not all(isinstance(one, Assign | Define | Allocate) for one in statements):
        return None
    if not all(isinstance(one.local.type, ScalarType) for one in statements if isinstance(one, Define)):
        return None
    if loop.kind == "seq" and not all(one.buffer in own for one in _assigned(turns)):
        return None  # turns may store in the same place
    stored = {one.buffer for one in _assigned(statements)}
    loaded = [load for one in statements if (value := value_of(one)) is not None for load in loads(value)]
    if any(load.buffer in stored - own or not _is_near(load.index, loop.index, 0) for load in loaded):
        return None
    if not all(_is_near(one.index, loop.index, 1) for one in _assigned(statements) if one.buffer not in own):
        return None
    return _remembered(parts, own)


def _cut(statements: Iterable[Statement]) -> list[_Part]:
    """Statements in a row, and the loops between them."""
    found: list[_Part] = []
    for one in statements:
        if isinstance(one, For):
            found.append(one)
        elif found and not isinstance(found[-1], For):
            found[-1] = (*found[-1], one)
        else:
            found.append((one,))
    return found


def _is_long(loop: For, turn: NatVar) -> bool:
    """Whether a loop is not written out, and as long in each turn of the loop around it."""
    short = loop.count.constant is not None and loop.count.constant <= SHORT
    return loop.kind == "seq" and not short and turn not in loop.count.free


def _remembered(parts: list[_Part], own: set[Buffer]) -> list[_Part]:
    """The parts, with variables in memory that later parts ask for and that cannot be computed again there."""
    kept: dict[str, Buffer] = {}
    changing: set[str] = set()
    found: list[_Part] = []
    for at, part in enumerate(parts):
        if isinstance(part, For):
            body = tuple(_recalled(one, kept) for one in part.body.statements)
            found.append(replace(part, body=Block(body)))
            continue
        later = {name for rest in parts[at + 1 :] for one in _all(rest) for name in _asked(value_of(one))}
        statements: list[Statement] = []
        for one in (_recalled(each, kept) for each in part):
            statements.append(one)
            if not isinstance(one, Define):
                continue
            name, origin = one.local.name, one.origin
            if any(load.buffer in own for load in loads(one.value)) or not changing.isdisjoint(
                _asked(one.value)
            ):
                changing.add(name)
                if name in later:
                    buffer = Buffer(f"{name}_kept", one.local.type, const(1), "Local", origin)
                    kept[name] = buffer
                    statements += (
                        Allocate(buffer, origin),
                        Assign(buffer, const(0), one.local, True, origin),
                    )
        found.append(tuple(statements))
    return found


def _all(part: _Part) -> tuple[Statement, ...]:
    return part.body.statements if isinstance(part, For) else part


def _recalled(statement: Statement, kept: Mapping[str, Buffer]) -> Statement:
    """A statement that loads what variables were."""
    match statement:
        case Assign(value=value) | Define(value=value):
            return replace(statement, value=map_value(value, lambda one: _recalled_value(one, kept)))
        case _:
            return statement


def _recalled_value(value: Value, kept: Mapping[str, Buffer]) -> Value:
    match value:
        case Local(name, t) if name in kept:
            return Load(kept[name], const(0), 1, True, t)
        case _:
            return value


def _assigned(statements: Iterable[Statement]) -> Iterator[Assign]:
    return (one for one in statements if isinstance(one, Assign))


def _is_near(index: Nat, turn: NatVar, least: int) -> bool:
    """Whether the next turn takes the next element, or (`least` is 0) the same."""
    found = linear_in(index, turn)
    return found is not None and found[0].constant in range(least, 2)


def _asked(value: Value | None) -> set[str]:
    return set() if value is None else {one.name for one in values(value) if isinstance(one, Local)}


def _together(loop: For, parts: list[_Part]) -> list[Statement]:
    """Blocks of turns, and the turns that are left."""
    origin, name = loop.origin, loop.index.name
    blocks = floor_quotient(loop.count, LANES)
    block, lane = NatVar(f"{name}_block", blocks), NatVar(name, const(LANES))
    plain = [one for part in parts if not isinstance(part, For) for one in part]
    own = {one.buffer: _widened(one.buffer) for one in plain if isinstance(one, Allocate)}
    here = substitution({loop.index: nat(block) * LANES + lane})

    def cell(one: Cell) -> Cell:
        return replace(one, buffer=own[one.buffer], index=nat(lane)) if one.buffer in own else one

    put = replace(here, cell=cell)
    known: list[Statement] = []
    body: list[Statement] = [Allocate(buffer, origin) for buffer in own.values()]
    for part in parts:
        if isinstance(part, For):
            turn = _lanes(loop, lane, _needed([*known, *part.body.statements]), put)
            body.append(replace(part, body=Block((turn,))))
        else:
            steps = _needed([*known, *(one for one in part if not isinstance(one, Allocate))])
            body += [_lanes(loop, lane, steps, put)] if steps else []
            known += [one for one in part if isinstance(one, Define)]
    rest = NatVar(name, loop.count - blocks * LANES)
    moved = substitution({loop.index: nat(rest) + blocks * LANES})
    left = replace(
        loop,
        kind="seq",
        index=rest,
        count=loop.count - blocks * LANES,
        body=Block(tuple(rewrite(one, moved) for one in loop.body.statements)),
    )
    return [replace(loop, index=block, count=blocks, body=Block(tuple(body))), left]


def _needed(statements: Sequence[Statement]) -> list[Statement]:
    """The statements without variables that none of them asks for."""
    found: list[Statement] = []
    asked: set[str] = set()
    for one in reversed(statements):
        if not isinstance(one, Define) or one.local.name in asked:
            found.append(one)
            asked |= _asked(value_of(one))
    return found[::-1]


def _widened(buffer: Buffer) -> Buffer:
    return replace(buffer, size=const(LANES))


def _lanes(loop: For, lane: NatVar, statements: Sequence[Statement], parts: Parts) -> For:
    """A loop over the turns of a block."""
    body = Block(tuple(rewrite(one, parts) for one in statements))
    return replace(loop, index=lane, count=const(LANES), kind="seq", body=body)
