"""Checks of finished statements: what parallel iterations write, and what a loop reads back. Knows no
terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rise.naturals import Nat, NatVar
from rise.quotients import is_nonnegative
from rise.types import VectorType
from shine.imperative import Allocate, Assign, Block, Buffer, Define, DefineIndex, For, If, Value
from shine.translate.errors import nested_parallel, parallel_write
from shine.translate.indices import as_digit, disjoint, greatest
from shine.translate.vectors import loads

#: how many stores to one buffer are compared pair by pair
MOST_STORES = 64


@dataclass(frozen=True, slots=True)
class Access:
    """A load or a store of a run of elements: inside which loops of the block, under which guards."""

    is_store: bool
    buffer: Buffer
    index: Nat
    lanes: int
    loops: tuple[NatVar, ...]
    guards: tuple[tuple[Nat, Nat], ...] = ()


def accesses(block: Block) -> Iterator[Access]:
    """What a block loads and stores, in order; a value's loads before its store."""
    waiting: list[tuple[object, tuple[NatVar, ...], tuple[tuple[Nat, Nat], ...]]] = [(block, (), ())]
    while waiting:
        node, loops, guards = waiting.pop()
        match node:
            case Block(statements):
                waiting += [(one, loops, guards) for one in reversed(statements)]
            case Assign(buffer, index, value):
                yield from _loaded(value, loops)
                yield Access(True, buffer, index, lanes_in(value), loops, guards)
            case Define(_, value) | DefineIndex(_, value):
                yield from _loaded(value, loops)
            case For(index=index, body=body):
                waiting.append((body, (*loops, index), guards))
            case If(condition, body):
                waiting.append((body, loops, (*guards, *condition.below)))
            case _:
                assert isinstance(node, Allocate), node


def _loaded(value: Value, loops: tuple[NatVar, ...]) -> Iterator[Access]:
    for load in loads(value):
        yield Access(False, load.buffer, load.index, load.lanes, loops)


def lanes_in(value: Value) -> int:
    """How many elements a value fills."""
    if isinstance(value.type, VectorType):
        known = value.type.size.constant
        assert known is not None
        return known
    return 1


def bound_inside(block: Block) -> tuple[list[NatVar], set[str]]:
    """The naturals and the buffers that a block itself makes, from the outside in."""
    naturals: list[NatVar] = []
    buffers: set[str] = set()
    waiting: list[object] = [block]
    while waiting:
        match waiting.pop():
            case Block(statements):
                waiting += reversed(statements)
            case For(index=index, body=body):
                naturals.append(index)
                waiting.append(body)
            case If(body=body):
                waiting.append(body)
            case DefineIndex(name):
                naturals.append(name)
            case Allocate(buffer):
                buffers.add(buffer.name)
            case _:
                pass
    return naturals, buffers


def check_parallel(loop: For) -> None:
    """Raise a diagnostic unless the iterations of a parallel loop write different elements."""
    _check_nesting(loop)
    inner, own = bound_inside(loop.body)
    stores: dict[str, list[Access]] = {}
    for access in accesses(loop.body):
        if access.is_store and access.buffer.name not in own:
            stores.setdefault(access.buffer.name, []).append(access)
    for name, found in stores.items():
        if len(found) > MOST_STORES:
            parallel_write(loop.index.name, name, loop.origin)
        for position, one in enumerate(found):
            index, _ = behind_guards(one, loop.index, inner)
            for other in found[position:]:
                is_same = (other.index, other.lanes, other.guards) == (one.index, one.lanes, one.guards)
                if is_same and kept_apart(one, loop.index, inner):
                    continue
                other_index, digits = behind_guards(other, loop.index, inner)
                moving = [*inner, *digits]
                if not disjoint(index, one.lanes, other_index, other.lanes, loop.index, moving):
                    parallel_write(loop.index.name, name, loop.origin)


def behind_guards(access: Access, parallel: NatVar, inner: Sequence[NatVar]) -> tuple[Nat, list[NatVar]]:
    """An index with a digit for each part that a guard keeps in a range, and that inner loops move."""
    index = access.index
    digits: list[NatVar] = []
    for number, (part, end) in enumerate(kept_in_range(access, inner)):
        if parallel in part.free or part.free.isdisjoint(inner):
            continue
        digit = NatVar(f"guarded{number}", end)
        found = as_digit(index, part, digit)
        if found is not None:
            index = found
            digits.append(digit)
    return index, digits


def kept_in_range(access: Access, moving: Sequence[NatVar]) -> list[tuple[Nat, Nat]]:
    """What the guards keep from 0 to an end: `i - n` for `n < i + 1`, `i` for `i < n`; with the least known end."""
    ends: dict[Nat, Nat] = {}
    for part, end in access.guards:
        if not part.free.isdisjoint(moving):
            ends[part] = _lesser(ends.get(part), end)
    shifted: dict[Nat, Nat] = {}
    for low, above in access.guards:
        if low.free.isdisjoint(moving):
            part, end = above - 1 - low, _lesser(ends.get(above - 1), greatest(above)) - low
            shifted[part] = _lesser(shifted.get(part), end)
    return [*shifted.items(), *ends.items()]


def _lesser(known: Nat | None, end: Nat) -> Nat:
    """The smaller of two ends, where that follows; else the one known first."""
    return end if known is None or is_nonnegative(known - end) else known


def kept_apart(access: Access, parallel: NatVar, inner: list[NatVar]) -> bool:
    """Whether a guard that mentions the parallel index proves that iterations store different elements.

    The guarded part is a digit of the index, since it is below its end; and different iterations give it
    different values. That is a tile that may run over: `48 * block + i < n` in `row * n + 48 * block + i`.
    """
    for number, (part, end) in enumerate(kept_in_range(access, [parallel, *inner])):
        digit = NatVar(f"guarded{number}", end)
        index = as_digit(access.index, part, digit)
        if parallel not in part.free or index is None or parallel in index.free:
            continue
        different = disjoint(index, access.lanes, index, access.lanes, digit, inner)
        if different and disjoint(part, access.lanes, part, access.lanes, parallel, inner):
            return True
    return False


def _check_nesting(loop: For) -> None:
    """A parallel loop may hold another if it holds nothing else."""
    body = loop.body
    waiting: list[object] = [body]
    while waiting:
        match waiting.pop():
            case Block(statements):
                waiting += statements
            case If(body=inner):
                waiting.append(inner)
            case For(kind=kind, body=inner) as found:
                if kind == "parallel" and body.statements != (found,):
                    nested_parallel(found.origin)
                waiting.append(inner)
            case _:
                pass


def updates_in_place(block: Block, buffers: frozenset[str]) -> bool:
    """Whether a block that computes the next value of buffers from the present one reads nothing it
    overwrote.

    That is so where each buffer has one store, every load of it is of the very element that is stored,
    earlier in the same iteration, and different iterations store different elements.
    """
    for name in buffers:
        found = [access for access in accesses(block) if access.buffer.name == name]
        if not any(not access.is_store for access in found):
            continue
        stores = [position for position, access in enumerate(found) if access.is_store]
        if len(stores) != 1 or stores[0] != len(found) - 1:
            return False
        store = found[-1]
        for load in found[:-1]:
            same_iteration = load.loops[: len(store.loops)] == store.loops
            if load.index is not store.index or load.lanes != store.lanes or not same_iteration:
                return False
        for depth, loop in enumerate(store.loops):
            if not disjoint(
                store.index, store.lanes, store.index, store.lanes, loop, store.loops[depth + 1 :]
            ):
                return False
    return True
