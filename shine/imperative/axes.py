"""Readable names of loops, arrays and variables, derived from the axes of arrays.

A loop is named after the axis along which it moves in the inputs and the output (`m` in an array of `M.K.f32`), and
after its cut of that axis: `m_block`, `m_thread`, `m_tile`. A loop that only moves in temporaries gets the axis of a
loop that moves there in the same way. Names are suggestions, which printers make unique. Independent of syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from heapq import heapify, heappop, heappush
from typing import Final

from rise.naturals import ZERO, Nat, NatVar, const, exact_quotient, power
from rise.quotients import NatCall
from rise.records import dataclass
from rise.types import ArrayType, DepArrayType, PairType, Type, TypeFamily, VectorType
from shine.imperative.contents import UNITS, Named, Names, contents_names
from shine.imperative.names import plain
from shine.imperative.nodes import (
    Assign,
    AtomicUpdate,
    Block,
    Buffer,
    Exchange,
    FillFragment,
    For,
    Level,
    Load,
    LoadFragment,
    MapFragment,
    MultiplyAdd,
    Parameter,
    Prefetch,
    StoreFragment,
)
from shine.imperative.walk import everything, value_of, values

#: names of axes whose sizes have no names, by the rank of the array
POSITIONS: Final = {1: ("i",), 2: ("row", "column"), 3: ("plane", "row", "column")}
#: names of the cuts of an axis by sequential loops, from the outermost inwards; a cut of a summed axis is a step
CUTS: Final = ("block", "tile", "strip")
STEPS: Final = ("step", "strip")
LEVELS: Final = {"global": "", "block": "block", "threads": "thread", "warp": "warp", "lane": "lane"}
DIMENSIONS: Final = ("", "_y", "_z")
#: binders whose names have no meaning
PLAIN: Final = frozenset(("i", "i_x", "i_p", "i_it", "i_y", "i_q", "i_block", "i_part"))
LETTERS: Final = "ijklmnopq"
#: where a word of a name in mixed case begins
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Axis:
    """A dimension of an input or the output, with the stride between its elements in the array."""

    name: str
    stride: Nat


@dataclass(frozen=True, slots=True)
class Move:
    """The movement of a loop: the axis, and the number of its elements per iteration."""

    axis: str
    step: Nat


@dataclass(slots=True)
class _Moves:
    """The moves of loops, by the loops' variables, and by their strides in temporaries."""

    of: dict[NatVar, Move] = field(default_factory=dict)
    inside: dict[tuple[Buffer, Nat], Move] = field(default_factory=dict)


def names_for(
    body: Block, inputs: Sequence[Parameter], output: Parameter, temporaries: Sequence[Buffer] = ()
) -> Names:
    """The names of the loops, temporaries and variables of a body."""
    arrays = axes_of(inputs, output)
    moves = _moves(body, arrays)
    summed = {axis.name for one in arrays.values() for axis in one} - {
        axis.name for buffer in output.buffers for axis in arrays.get(buffer, ())
    }
    found: dict[Named, str] = {
        loop.index: _loop_name(loop, around, moves.of, summed)
        for loop, around in everything(body)
        if isinstance(loop, For)
    }
    found |= _with_dimensions(body, found)
    given = [buffer for one in (*inputs, output) for buffer in one.buffers]
    return {**found, **contents_names(body, given, temporaries, found)}


def _with_dimensions(body: Block, names: Mapping[Named, str]) -> dict[Named, str]:
    """The names of loops over one kind of unit along one axis, in two dimensions: `m_thread_x`, `m_thread_y`."""
    found: dict[str, dict[Named, int]] = {}
    for loop, _ in everything(body):
        match loop:
            case For(index, kind=Level(_, dimension)) if index in names:
                found.setdefault(names[index], {})[index] = dimension
            case _:
                pass
    return {
        index: f"{name}_{'xyz'[dimension]}"
        for name, dimensions in found.items()
        if len(set(dimensions.values())) > 1
        for index, dimension in dimensions.items()
    }


def axes_of(inputs: Sequence[Parameter], output: Parameter) -> dict[Buffer, tuple[Axis, ...]]:
    """The axes of each array that a caller passes or gets, outermost first; arrays with unequal rows have none."""
    found: dict[Buffer, tuple[Axis, ...]] = {}
    for parameter in (output, *inputs):
        shapes = list(_shapes(parameter.type))
        if len(shapes) != len(parameter.buffers):
            continue
        for buffer, shape in zip(parameter.buffers, shapes, strict=True):
            if shape is not None:
                found[buffer] = _axes(shape, "" if parameter is output else buffer.name)
    return found


def _shapes(t: Type) -> Iterator[tuple[Nat, ...] | None]:
    """The sizes of each array of scalars in a type, or None if its rows have different lengths."""
    waiting: list[tuple[Type, tuple[Nat, ...] | None]] = [(t, ())]
    while waiting:
        t, shape = waiting.pop()
        match t:
            case PairType(first, second):
                waiting += [(second, shape), (first, shape)]
            case ArrayType(size, element) | VectorType(size, element):
                waiting.append((element, None if shape is None else (*shape, size)))
            case DepArrayType(_, TypeFamily(_, element)):
                waiting.append((element, None))
            case _:
                yield shape


def _axes(shape: tuple[Nat, ...], array: str) -> tuple[Axis, ...]:
    """The axes of an array of numbers, which is stored row by row."""
    sized = [_size_name(size) for size in shape]
    named: list[str] = []
    for position, name in enumerate(sized):
        known = POSITIONS.get(len(shape), tuple(LETTERS[: len(shape)]))
        at = known[position] if position < len(known) else f"axis{position}"
        if name is None:
            named.append(f"{array}_{at}" if array else at)
        elif sized.count(name) > 1:
            named.append(f"{name}_{at}")
        else:
            named.append(name)
    strides = [const(1)]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return tuple(map(Axis, named, strides[: len(shape)]))


def _size_name(size: Nat) -> str | None:
    """The name of an axis of this size: its only variable in lower case, `num_rows` for `numRows`, or None."""
    variables = [one for one in size.free if isinstance(one, NatVar)]
    if len(variables) != 1:
        return None
    name = variables[0].name
    lower = _HUMP.sub("_", name).lower()
    return f"i_{name}" if name == lower else lower


def _moves(body: Block, arrays: Mapping[Buffer, tuple[Axis, ...]]) -> _Moves:
    """The movement of each loop in the arrays of the caller; loops that only move in temporaries get that of others."""
    indices = {one.index for one, _ in everything(body) if isinstance(one, For)}
    places = dict.fromkeys(
        (buffer, factor, variable)
        for buffer, index in dict.fromkeys(accesses(body))
        for variable, factor in _factors(index, indices)
    )
    held = [(variable, (buffer, factor)) for buffer, factor, variable in places if buffer not in arrays]
    found = _Moves()
    for array, axes in arrays.items():  # the output comes first, since it says most about a loop
        for buffer, factor, variable in places:
            if buffer == array and variable not in found.of:
                move = _along(axes, factor)
                if move is not None:
                    found.of[variable] = move
        _spread(held, found)
    return found


def _spread(held: Sequence[tuple[NatVar, tuple[Buffer, Nat]]], found: _Moves) -> None:
    """Propagate moves between loops that move in the same way through temporaries, until nothing changes."""
    of_variable: dict[NatVar, list[int]] = {}
    of_place: dict[tuple[Buffer, Nat], list[int]] = {}
    for number, (variable, place) in enumerate(held):
        of_variable.setdefault(variable, []).append(number)
        of_place.setdefault(place, []).append(number)
    # ordered by the pass over `held` in which they say something, and their position in it, so that the first ones
    # decide
    waiting = [(0, number) for number, (variable, _) in enumerate(held) if variable in found.of]
    waiting += [
        (0, number) for place, numbers in of_place.items() if place in found.inside for number in numbers
    ]
    heapify(waiting)
    while waiting:
        turn, number = heappop(waiting)
        variable, place = held[number]
        if variable in found.of and place not in found.inside:
            found.inside[place], reached = found.of[variable], of_place[place]
        elif place in found.inside and variable not in found.of:
            found.of[variable], reached = found.inside[place], of_variable[variable]
        else:
            continue
        for other in reached:
            heappush(waiting, (turn + (other <= number), other))


def accesses(body: Block) -> Iterator[tuple[Buffer, Nat]]:
    """Every access to an array, as the array and the index."""
    for statement, _ in everything(body):
        match statement:
            case Assign(buffer=buffer, index=index) | AtomicUpdate(buffer=buffer, index=index):
                yield buffer, index
            case Prefetch(buffer=buffer, index=index):
                yield buffer, index
            case LoadFragment(target=piece, source=matrix) | StoreFragment(target=matrix, source=piece):
                yield matrix.buffer, matrix.index
                yield piece.buffer, piece.index
            case FillFragment(target=piece):
                yield piece.buffer, piece.index
            case MultiplyAdd(target, left, right, addend):
                yield from ((piece.buffer, piece.index) for piece in (target, left, right, addend))
            case MapFragment(target=piece, sources=sources):
                yield from ((each.buffer, each.index) for each in (piece, *sources))
            case _:
                pass
        value = value_of(statement)
        for one in () if value is None else values(value):
            if isinstance(one, Load | Exchange):
                yield one.buffer, one.index


def _factors(index: Nat, variables: set[NatVar]) -> Iterator[tuple[NatVar, Nat]]:
    """The distance by which an index moves with each of these variables, if it is constant; bounds are ignored."""
    found: dict[NatVar, Nat] = {}
    bent: set[NatVar] = set()
    waiting = [(index, const(1))]
    while waiting:
        sum_, times = waiting.pop()
        for monomial, coefficient in sum_.terms:
            moving = [one for one in monomial if one[0].free & variables]
            if not moving:
                continue
            rest = times * const(coefficient)
            for base, exponent in monomial:
                if not base.free & variables:
                    rest = rest * power(base, exponent)
            match moving:
                case [(NatVar() as variable, 1)]:
                    found[variable] = found.get(variable, ZERO) + rest
                case [(NatCall("min" | "max", args), 1)]:
                    waiting += [(one, rest) for one in args if one.free & variables]
                case _:
                    bent |= {one for base, _ in moving for one in base.free & variables}
    return ((one, factor) for one, factor in found.items() if one not in bent and factor != ZERO)


def _along(axes: Sequence[Axis], factor: Nat) -> Move | None:
    """The outermost axis whose stride in memory divides this distance, with the quotient."""
    axes = [axis for axis in axes if axis.stride != ZERO]  # stride 0: an array of empty rows
    for axis in axes:
        step = exact_quotient(factor, axis.stride)
        if step.constant is not None and step.constant >= 1 and step.constant == int(step.constant):
            return Move(axis.name, step)
    for axis in axes:
        step = exact_quotient(factor, axis.stride)
        if not any(
            power < 0 for monomial, _ in step.terms for _, power in monomial if isinstance(power, int)
        ):
            return Move(axis.name, step)
    return None


def _loop_name(loop: For, around: Sequence[For], moves: Mapping[NatVar, Move], summed: set[str]) -> str:
    """The name of a loop inside the enclosing loops."""
    move = moves.get(loop.index)
    if move is None:
        made = plain(loop.index.name)
        if isinstance(loop.kind, Level):
            unit, word = UNITS[loop.kind.name], made.removeprefix("i_")
            is_said = made not in PLAIN and word != unit
            return f"{word}_{unit}" if is_said else unit + DIMENSIONS[loop.kind.dimension]
        is_taken = any(plain(one.index.name) == made and not isinstance(one.kind, Level) for one in around)
        if made not in PLAIN and not is_taken:
            return made
        depth = sum(one.index not in moves and plain(one.index.name) in PLAIN for one in around)
        return LETTERS[min(depth, len(LETTERS) - 1)]
    if isinstance(loop.kind, Level):
        cut = LEVELS[loop.kind.name]
        return f"{move.axis}_{cut}" if cut else move.axis
    if move.step.constant == 1:
        return move.axis
    cuts = [
        one
        for one in around
        if one.index in moves and moves[one.index].axis == move.axis and moves[one.index].step.constant != 1
    ]
    if move.axis in summed:
        return f"{move.axis}_{STEPS[min(len(cuts), len(STEPS) - 1)]}"
    is_on_gpu = any(isinstance(one.kind, Level) for one in around)
    return f"{move.axis}_{CUTS[min(len(cuts) + is_on_gpu, len(CUTS) - 1)]}"
