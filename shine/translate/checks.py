"""Checks of finished statements: what parallel iterations write, and what a loop reads back. Knows no terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import assert_never

from rise.naturals import Atom, Nat, NatLike, NatVar, nat
from rise.quotients import is_nonnegative, substitute_naturals
from rise.types import FragmentType, VectorType
from shine.imperative import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
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
    Prefetch,
    Statement,
    StoreFragment,
    Value,
)
from shine.translate.context import Position
from shine.translate.errors import nested_parallel, parallel_write
from shine.translate.indices import as_digit, digits_of, disjoint, divisor_of, greatest
from shine.translate.runs import Run, in_rows
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
            case Allocate() | Barrier() | Prefetch() | AwaitCopies():
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
    rows: Mapping[NatVar, Sequence[Run]] = MappingProxyType({}),
) -> None:
    """Raise a diagnostic unless the iterations of a parallel loop write different elements. `merged` has the outer
    accumulator for each inner one, `permuted` the positions of indices that differ, `rows` the runs of elements that
    iterations of loops over rows have for themselves.
    """
    _check_nesting(loop)
    inner, own = bound_inside(loop.body)
    stores: dict[str, list[Access]] = {}
    for access in accesses(loop.body):
        if access.is_store and outermost(access.buffer.name, merged) not in own:
            stores.setdefault(access.buffer.name, []).append(access)
    for name, every in stores.items():
        found = turned([loop.index, *inner], every)
        if any(scattered_apart(loop.index, inner, found, at, permuted[at]) for at in inner if at in permuted):
            continue
        places = [(store.index, store.lanes, store.guards) for store in found]
        if any(run.holds_all(places, (loop.index, *inner)) for run in rows.get(loop.index, ())):
            continue
        apart = [in_rows(index, lanes, inner, rows) for index, lanes, _ in places]
        found = [replace(store, index=index) for store, (index, _) in zip(found, apart, strict=True)]
        ways = by_digits(loop.index, *in_digits([*inner, *(d for _, ds in apart for d in ds)], found))
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


def turned(indices: Sequence[NatVar], stores: list[Access]) -> list[Access]:
    """The same, with what counts down in all stores counting up: iteration `n - 1 - i` in place of i."""
    ends = [index.upper for index in indices if index.upper is not None]
    if any(not end.free.isdisjoint(indices) for end in ends):
        return stores
    for index in indices:
        if index.upper is not None and all(_counts_down(one.index, index) for one in stores):
            stores = [_with_index(one, index, index.upper - 1 - nat(index)) for one in stores]
    return stores


def _counts_down(place: Nat, index: NatVar) -> bool:
    """Whether an index is subtracted in a place, and stands in it nowhere else."""
    with_it = [
        (atoms, factor) for atoms, factor in place.terms if any(index in atom.free for atom, _ in atoms)
    ]
    return bool(with_it) and all(
        isinstance(factor, int) and factor < 0 and (index, 1) in atoms for atoms, factor in with_it
    )


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
            if kept_apart(one, other, parallel, inner):
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
    for part, end in ends.items():
        shifted[part] = _lesser(shifted.get(part), end)
    return list(shifted.items())


def _lesser(known: Nat | None, end: Nat) -> Nat:
    """The smaller of two ends, where that follows; else the one known first."""
    return end if known is None or is_nonnegative(known - end) else known


def kept_apart(one: Access, other: Access, parallel: NatVar, inner: list[NatVar]) -> bool:
    """Whether guards that mention the parallel index prove that iterations store different elements.

    The guarded part is a digit of the index, since it is below its end; and different iterations give it
    different values. That is a tile that may run over: `48 * block + i < n` in `row * n + 48 * block + i`.
    """
    moving = [parallel, *inner]
    first, digits = behind_guards(one, parallel, inner)
    second, other_digits = behind_guards(other, parallel, inner)
    other_parts = kept_in_range(other, moving)
    for part, end in kept_in_range(one, moving):
        digit = NatVar("kept", end)
        index = as_digit(first, part, digit)
        if parallel not in part.free or index is None or parallel in index.free:
            continue
        for other_part, other_end in other_parts:
            other_index = as_digit(second, other_part, digit) if other_end is end else None
            if parallel not in other_part.free or other_index is None or parallel in other_index.free:
                continue
            inside = [*inner, *digits, *other_digits]
            different = disjoint(index, one.lanes, other_index, other.lanes, digit, inside)
            if different and disjoint(part, one.lanes, other_part, other.lanes, parallel, inner):
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
