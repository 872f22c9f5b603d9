"""Copies the few elements that a step of a loop reads and also overwrites, before the step.

A step that exchanges two rows, `for i: for j: a[i, j] = i == p ? a[q, j] : i == q ? a[p, j] : a[i, j]`, may overwrite
the array if both rows are copied first, instead of the whole array. Decides nothing about what is overwritten.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeGuard

from rise.indices import is_below
from rise.natural_values import substitute_naturals
from rise.naturals import Atom, Nat, NatLike, const
from rise.quotients import is_nonnegative
from rise.types import ScalarType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Define,
    DefineIndex,
    For,
    Load,
    Local,
    Statement,
    Value,
)
from shine.imperative.rewrite import Parts, rewrite_block
from shine.imperative.walk import everything, loads, map_outermost, value_of

#: how many times fewer elements are copied than the array has, if both numbers are known
FEWER: Final = 8
#: the name of the copies
HELD: Final = "held"


def load_early(block: Block, early: Mapping[Load, tuple[For, ...]], fresh: Callable[[str], str]) -> Block:
    """The block after loops that copy the elements that some of its loads read, each with the loops on which its index
    depends. These loads are of the copies.
    """
    copies: list[Statement] = []
    held: dict[Load, Load] = {}
    for load, loops in early.items():
        assert isinstance(load.type, ScalarType), "as is every element that is copied"
        origin = loops[-1].origin if loops else block.statements[0].origin
        count, index = const(1), const(0)
        for loop in loops:
            count, index = count * loop.count, index * loop.count + loop.index
        buffer = Buffer(fresh(HELD), load.type, count, "Local", origin)
        held[load] = Load(buffer, index, 1, False, load.type)
        copies += [Allocate(buffer, origin), _nest(loops, Assign(buffer, index, load, False, origin))]

    def of_copy(load: Load) -> Value:
        return held.get(load, load)

    return Block((*copies, *rewrite_block(block, Parts(load=of_copy)).statements))


def numbers_of_iterations(block: Block, name: str, least: Mapping[Atom, NatLike]) -> list[Load]:
    """The loads of one number of a buffer in each iteration of a loop with several statements, outermost loops only.
    `least` has sizes that are at least a number, as that number and the rest.
    """
    found: dict[Load, None] = {}

    def visit(statement: Statement) -> tuple[Statement, ...] | None:
        if not _has_steps(statement):
            return None
        found.update(
            (load, None) for load, loops in few_loads(statement.body, {name}, least).items() if not loops
        )
        return (statement,)

    map_outermost(block, visit)
    return list(found)


def load_numbers(
    block: Block, early: Collection[Load], least: Mapping[Atom, NatLike], fresh: Callable[[str], str]
) -> Block:
    """The block whose loops begin with those of these loads that they contain."""
    held = {load: Local(fresh(HELD), load.type) for load in early}

    def of_local(load: Load) -> Value:
        return held.get(load, load)

    def begun(statement: Statement) -> tuple[Statement, ...] | None:
        if not _has_steps(statement):
            return None
        body = statement.body
        inside = set(few_loads(body, {load.buffer.name for load in early}, least))
        first = [Define(held[load], load, statement.origin) for load in early if load in inside]
        rest = rewrite_block(body, Parts(load=of_local)) if first else body
        return (replace(statement, body=Block((*first, *rest.statements))),)

    return map_outermost(block, begun)


def _has_steps(statement: Statement) -> TypeGuard[For]:
    return isinstance(statement, For) and len(statement.body.statements) > 1


def fewest(early: Iterable[Load], suffice: Callable[[Collection[Load]], bool]) -> list[Load]:
    """Some of the loads that suffice, each of which is needed."""
    needed = list(early)
    for load in tuple(needed):
        others = [other for other in needed if other is not load]
        if suffice(others):
            needed = others
    return needed


def few_loads(
    block: Block, names: Collection[str], least: Mapping[Atom, NatLike] = MappingProxyType({})
) -> dict[Load, tuple[For, ...]]:
    """The loads of buffers with these names whose elements are few compared with the buffer, and may be copied before
    the block: those whose index depends on fewer loops. Each with these loops. `least` has sizes that are at least a
    number, as that number and the rest.
    """
    found: dict[Load, tuple[For, ...]] = {}
    refused: set[Load] = set()
    inside = {one.index for one, _ in everything(block) if isinstance(one, For)}
    read = {one.name for one, _ in everything(block) if isinstance(one, DefineIndex)}
    for statement, loops in everything(block):
        value = value_of(statement)
        for load in () if value is None else loads(value):
            if load.buffer.name not in names:
                continue
            used = tuple(loop for loop in loops if loop.index in load.index.free)
            counted = all(loop.kind == "seq" and loop.count.free.isdisjoint(inside) for loop in used)
            known = load.index.free.isdisjoint((inside | read) - {loop.index for loop in used})
            if counted and known and _is_inside(load, least) and _is_few(used, load.buffer.size):
                if [loop.count for loop in found.setdefault(load, used)] == [loop.count for loop in used]:
                    continue
            refused.add(load)
    return {load: used for load, used in found.items() if load not in refused}


def _is_inside(load: Load, least: Mapping[Atom, NatLike]) -> bool:
    """Whether a load of one number is inside its buffer in all iterations, also where a condition guards it."""
    if load.lanes != 1 or not isinstance(load.type, ScalarType):
        return False
    index, size = (substitute_naturals(one, least) for one in (load.index, load.buffer.size))
    return is_nonnegative(index) and is_below(index, size)


def _is_few(loops: tuple[For, ...], size: Nat) -> bool:
    """Whether loops have far fewer iterations than a buffer has elements."""
    count = const(1)
    for loop in loops:
        count = count * loop.count
    if count.constant is not None and size.constant is not None:
        return bool(FEWER * count.constant <= size.constant)
    return _degree(count) < _degree(size)


def _degree(a: Nat) -> int:
    """The greatest number of factors in a product of sizes."""
    return max(
        (
            sum(exponent if isinstance(exponent, int) else 1 for _, exponent in monomial)
            for monomial, _ in a.terms
        ),
        default=0,
    )


def _nest(loops: tuple[For, ...], statement: Statement) -> Statement:
    for loop in reversed(loops):
        statement = replace(loop, body=Block((statement,)), worth=None)
    return statement
