"""Checks of finished statements: what parallel iterations write, and what a loop reads back. Knows no
terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import assert_never

from rise.naturals import Atom, Nat, NatLike, NatVar
from rise.quotients import is_nonnegative, substitute_naturals
from rise.types import FragmentType, VectorType
from shine.imperative import (
    Allocate,
    Assign,
    AtomicUpdate,
    Barrier,
    Block,
    Buffer,
    Define,
    DefineIndex,
    FillFragment,
    For,
    If,
    LoadFragment,
    MapFragment,
    Matrix,
    MultiplyAdd,
    Piece,
    Statement,
    StoreFragment,
    Value,
)
from shine.translate.context import Position
from shine.translate.errors import nested_parallel, parallel_write
from shine.translate.indices import as_digit, digits_of, disjoint, divisor_of, greatest
from shine.translate.vectors import loads

#: how many stores to one buffer are compared pair by pair
MOST_STORES = 64


@dataclass(frozen=True, slots=True)
class Access:
    """A load or a store of a run of elements: inside which loops of the block, under which guards.

    A matrix in memory is a run for each of its rows, or columns, over which `loops` has an index then.
    """

    is_store: bool
    buffer: Buffer
    index: Nat
    lanes: int
    loops: tuple[NatVar, ...]
    guards: tuple[tuple[Nat, Nat], ...] = ()


def accesses(block: Block) -> Iterator[Access]:
    """What a block loads and stores, in order; a value's loads before its store. An update is both."""
    waiting: list[tuple[Block | Statement, tuple[NatVar, ...], tuple[tuple[Nat, Nat], ...]]]
    waiting = [(block, (), ())]
    while waiting:
        node, loops, guards = waiting.pop()
        match node:
            case Block(statements):
                waiting += [(one, loops, guards) for one in reversed(statements)]
            case AtomicUpdate(_, buffer, index, value):
                yield from _loaded(value, loops)
                yield Access(False, buffer, index, 1, loops, guards)
                yield Access(True, buffer, index, 1, loops, guards)
            case Assign(buffer, index, value):
                yield from _loaded(value, loops)
                yield Access(True, buffer, index, lanes_in(value), loops, guards)
            case Define(_, value) | DefineIndex(_, value):
                yield from _loaded(value, loops)
            case For(index=index, body=body):
                waiting.append((body, (*loops, index), guards))
            case If(condition, body):
                waiting.append((body, loops, (*guards, *condition.below)))
            case LoadFragment(target, source):
                yield in_memory(False, source, target.type, loops, guards)
                yield _piece(True, target, loops, guards)
            case StoreFragment(place, fragment):
                yield _piece(False, fragment, loops, guards)
                yield in_memory(True, place, fragment.type, loops, guards)
            case FillFragment(target, value):
                yield from _loaded(value, loops)
                yield _piece(True, target, loops, guards)
            case MultiplyAdd(target, left, right, addend):
                yield from (_piece(False, one, loops, guards) for one in (left, right, addend))
                yield _piece(True, target, loops, guards)
            case MapFragment(target, sources, _, body, value):
                yield from (_piece(False, one, loops, guards) for one in sources)
                for one in accesses(body):
                    yield replace(one, loops=(*loops, *one.loops), guards=(*guards, *one.guards))
                yield from _loaded(value, loops)
                yield _piece(True, target, loops, guards)
            case Allocate() | Barrier():
                pass
            case _:
                assert_never(node)


def in_memory(
    is_store: bool,
    matrix: Matrix,
    t: FragmentType,
    loops: tuple[NatVar, ...] = (),
    guards: tuple[tuple[Nat, Nat], ...] = (),
) -> Access:
    """The access to a matrix of a fragment's shape."""
    lines, width = (t.rows, t.columns) if matrix.by_rows else (t.columns, t.rows)
    assert width.constant is not None, t
    line = NatVar("line of a matrix", lines)
    index = matrix.index + matrix.stride * line
    return Access(is_store, matrix.buffer, index, width.constant, (*loops, line), guards)


def _piece(
    is_store: bool, piece: Piece, loops: tuple[NatVar, ...], guards: tuple[tuple[Nat, Nat], ...]
) -> Access:
    return Access(is_store, piece.buffer, piece.index, 1, loops, guards)


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
            case If(body=body) | MapFragment(body=body):
                waiting.append(body)
            case DefineIndex(name):
                naturals.append(name)
            case Allocate(buffer):
                buffers.add(buffer.name)
            case _:
                pass
    return naturals, buffers


def outermost(name: str, merged: Mapping[str, Buffer]) -> str:
    """The name of the accumulator that an inner one is."""
    while name in merged:
        name = merged[name].name
    return name


def check_parallel(
    loop: For,
    merged: Mapping[str, Buffer] = MappingProxyType({}),
    permuted: Mapping[NatVar, Position] = MappingProxyType({}),
) -> None:
    """Raise a diagnostic unless the iterations of a parallel loop write different elements. `merged` has the outer
    accumulator for each inner one, `permuted` the positions of indices that differ.
    """
    _check_nesting(loop)
    inner, own = bound_inside(loop.body)
    stores: dict[str, list[Access]] = {}
    for access in accesses(loop.body):
        if access.is_store and outermost(access.buffer.name, merged) not in own:
            stores.setdefault(access.buffer.name, []).append(access)
    for name, found in stores.items():
        if any(scattered_apart(loop.index, inner, found, at, permuted[at]) for at in inner if at in permuted):
            continue
        ways = by_digits(loop.index, *in_digits(inner, found))
        if len(found) > MOST_STORES or not all(written_apart(*way) for way in ways):
            parallel_write(loop.index.name, name, loop.origin)


def scattered_apart(
    parallel: NatVar, inner: list[NatVar], stores: list[Access], at: NatVar, position: Position
) -> bool:
    """Whether stores are apart because each iteration has indices of its own: their positions differ, so they do."""
    moving = {parallel, *inner}
    if any(parallel in one.index.free for one in stores) or not moving.isdisjoint(position.base.free):
        return False
    rest = [one for one in inner if one is not at]
    if not disjoint(position.index, 1, position.index, 1, parallel, rest):
        return False
    return len(stores) <= MOST_STORES and written_apart(at, rest, stores)


def in_digits(inner: list[NatVar], stores: list[Access]) -> tuple[list[NatVar], list[Access]]:
    """The same with quotient and remainder of each inner index that stands in a quotient of an index or a guard."""
    while True:
        places = [place for one in stores for place in (one.index, *(part for part, _ in one.guards))]
        parts = ((index, divisor_of(place, index)) for index in inner for place in places)
        index, divisor = next(((i, d) for i, d in parts if d is not None), (None, None))
        if index is None or divisor is None:
            return inner, stores
        high, low, value = digits_of(index, divisor)
        inner = [digit for one in inner for digit in ((high, low) if one is index else (one,))]
        stores = [_with_index(one, index, value) for one in stores]


def by_digits(
    parallel: NatVar, inner: list[NatVar], stores: list[Access]
) -> Iterator[tuple[NatVar, list[NatVar], list[Access]]]:
    """The ways in which two iterations can differ: where `i / n` stands in an index, in that quotient, whatever the
    remainder is, or in the remainder alone.
    """
    divisor = next((d for one in stores if (d := divisor_of(one.index, parallel)) is not None), None)
    if divisor is None:
        yield parallel, inner, stores
        return
    high, low, value = digits_of(parallel, divisor)
    parts = [_with_index(one, parallel, value) for one in stores]
    yield from by_digits(high, [low, *inner], parts)
    yield from by_digits(low, inner, parts)


def _with_index(access: Access, index: NatVar, value: Nat) -> Access:
    values: dict[Atom, NatLike] = {index: value}
    guards = tuple((substitute_naturals(a, values), substitute_naturals(b, values)) for a, b in access.guards)
    return replace(access, index=substitute_naturals(access.index, values), guards=guards)


def written_apart(parallel: NatVar, inner: list[NatVar], stores: list[Access]) -> bool:
    """Whether stores at different values of a parallel index meet nowhere, whatever the inner ones are."""
    for position, one in enumerate(stores):
        index, _ = behind_guards(one, parallel, inner)
        for other in stores[position:]:
            is_same = (other.index, other.lanes, other.guards) == (one.index, one.lanes, one.guards)
            if is_same and kept_apart(one, parallel, inner):
                continue
            other_index, digits = behind_guards(other, parallel, inner)
            if not disjoint(index, one.lanes, other_index, other.lanes, parallel, [*inner, *digits]):
                return False
    return True


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


def updates_in_place(
    block: Block, buffers: frozenset[str], merged: Mapping[str, Buffer] = MappingProxyType({})
) -> bool:
    """Whether a block that computes the next value of buffers from the present one reads nothing it
    overwrote.

    Where an inner reduction accumulates in the buffer (`merged` has the outer buffer for each inner name), nothing else
    may touch it.

    That is so where each buffer has one store, every load of it is of the very element that is stored,
    earlier in the same iteration, and different iterations store different elements.
    """
    for name in buffers:
        found = [access for access in accesses(block) if access.buffer.name == name]
        is_inner = any(
            access.buffer.name in merged and merged[access.buffer.name].name == name
            for access in accesses(block)
        )
        if is_inner and found:
            return False
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
