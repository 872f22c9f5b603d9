"""Computes the sums of adjacent iterations together, with the loop over lanes innermost. Independent of targets.

Only loops inside `unrollAndJam` are changed.

If each iteration of a loop over i runs a loop over k, as for the windows of a convolution, compilers vectorise neither
if the window size is not known. Here `LANES` iterations are processed together: their sums are in an array, and the
loop over k runs once for all of them. If k runs down the columns of a wide matrix, `COLUMNS_AT_ONCE` iterations are
processed together, or `PAGE` bytes if no other threads could share them, so that many cache lines are read in order
before the next row, and so are the remaining columns. In that case, `STEPS` rows are read at a time, so that a sum is
loaded and stored once for all of them. Each sum is computed as before, in the same order; iterations are independent. A
loop with fewer iterations, such as over the channels of an image, is processed as one block. An iteration may have
several such loops: values that later ones use, such as a mean, are kept in an array, too. The rows that k runs over
may be at indices that are read from memory, which are read once for all iterations of a block.

One subject: one transformation of one kind of loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from rise.hardware import DEFAULT
from rise.naturals import Atom, Nat, NatVar, const, nat
from rise.primitives import with_trait
from rise.quotients import floor_quotient, linear_in, positive_part
from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Condition,
    Constant,
    Define,
    DefineIndex,
    For,
    Guarded,
    If,
    Index,
    Load,
    Local,
    Operation,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.rewrite import Cell, rewrite, substitution
from shine.imperative.walk import loads, map_outermost, map_value, value_of, values
from shine.passes.cpu.mark_loops import MAX_UNROLLED_ITERATIONS

#: iterations processed together: adjacent ones, which read two cache lines
LANES: Final = DEFAULT.neighbours
#: fewer iterations are not worth an array
FEWEST: Final = 4
#: iterations processed together if the steps are far apart in memory: eight times as many cache lines
COLUMNS_AT_ONCE: Final = 8 * LANES
#: bytes of sums that are computed together if no other thread could take a part of them, and the steps are far apart in
#: memory: processors read ahead to the end of a page, and start again in the next row
PAGE: Final = 4096
#: steps whose terms are added to a sum while it is in a register, if they are far apart in memory: the number of rows
#: that processors prefetch well at the same time
STEPS: Final = 4
#: the number of blocks into which wide blocks are divided if different threads run them
WIDE_BLOCKS: Final = 4

#: minima and maxima
_CHOOSING: Final = with_trait("chooses", "lanewise")
#: consecutive statements, or an inner loop
_Part: TypeAlias = tuple[Statement, ...] | For


def unroll_and_jam(procedure: Procedure, threads: int | None = None) -> Procedure:
    """The procedure with sums of adjacent iterations computed together, for a number of threads or for any."""
    return replace(procedure, body=map_outermost(procedure.body, partial(_jammed, threads != 1)))


def _jammed(has_threads: bool, statement: Statement) -> list[Statement] | None:
    """The blocks of iterations of a loop that may be changed; None for other statements."""
    match statement:
        case For(kind="seq" | "parallel", allowed=allowed) as loop if "unroll_and_jam" in allowed:
            parts = _parts(loop)
            return None if parts is None else _together(loop, parts, has_threads)
        case _:
            return None


def _parts(loop: For) -> list[_Part] | None:
    """The parts of a loop if its iterations can be processed together; otherwise None."""
    fewest = LANES if loop.kind == "parallel" else FEWEST  # a few iterations may run on one thread each
    if loop.count.constant is not None and loop.count.constant < fewest:
        return None
    parts = _cut(loop.body.statements)
    inner = [part for part in parts if isinstance(part, For)]
    plain = [statement for part in parts if not isinstance(part, For) for statement in part]
    if not inner or not all(_is_long(part, loop.index) for part in inner):
        return None
    own = {statement.buffer for statement in plain if isinstance(statement, Allocate)}
    if not own or not all(buffer.size.constant == 1 for buffer in own):
        return None
    inner_statements = [
        statement for part in inner for statement in part.body.statements if not _is_index(statement, loop)
    ]
    if any(isinstance(statement, Allocate) for statement in inner_statements):
        return None
    statements = [*plain, *inner_statements]
    if not all(isinstance(statement, Assign | Define | Allocate) for statement in statements):
        return None
    if not all(isinstance(one.local.type, ScalarType) for one in statements if isinstance(one, Define)):
        return None
    if loop.kind == "seq" and not all(store.buffer in own for store in _assigned(inner_statements)):
        return None  # iterations may store to the same place
    stored = {store.buffer for store in _assigned(statements)}
    read = [one.value for part in inner for one in _indices(part)]
    if any(load.buffer in stored for value in read for load in loads(value)):
        return None
    loaded = [load for one in statements if (value := value_of(one)) is not None for load in loads(value)]
    if any(load.buffer in stored - own or not _is_near(load.index, loop.index, 0) for load in loaded):
        return None
    if not all(_is_near(one.index, loop.index, 1) for one in _assigned(statements) if one.buffer not in own):
        return None
    return _remembered(parts, own)


def _is_index(statement: Statement, loop: For) -> bool:
    """Whether a statement of an inner loop reads an index that is the same for all iterations of the enclosing loop."""
    if not isinstance(statement, DefineIndex):
        return False
    return all(
        loop.index not in one.index.free
        if isinstance(one, Load)
        else loop.index not in one.value.free
        if isinstance(one, Index)
        else isinstance(one, Constant | Operation)
        for one in values(statement.value)
    )


def _indices(part: For) -> list[DefineIndex]:
    """The indices that an inner loop reads."""
    return [one for one in part.body.statements if isinstance(one, DefineIndex)]


def _cut(statements: Iterable[Statement]) -> list[_Part]:
    """Runs of consecutive statements, and the loops between them."""
    parts: list[_Part] = []
    for statement in statements:
        if isinstance(statement, For):
            parts.append(statement)
        elif parts and not isinstance(parts[-1], For):
            parts[-1] = (*parts[-1], statement)
        else:
            parts.append((statement,))
    return parts


def _is_long(loop: For, turn: NatVar) -> bool:
    """Whether a loop is not unrolled, and its count is the same in all iterations of the enclosing loop."""
    is_short = loop.count.constant is not None and loop.count.constant <= MAX_UNROLLED_ITERATIONS
    return loop.kind == "seq" and not is_short and turn not in loop.count.free


def _remembered(parts: list[_Part], own: set[Buffer]) -> list[_Part]:
    """The parts, with variables in memory that later parts use and cannot recompute."""
    stored: dict[str, Buffer] = {}
    changing: set[str] = set()
    result: list[_Part] = []
    for position, part in enumerate(parts):
        if isinstance(part, For):
            body = tuple(_recalled(one, stored) for one in part.body.statements)
            result.append(replace(part, body=Block(body)))
            continue
        later = {
            name for rest in parts[position + 1 :] for one in _all(rest) for name in _used(value_of(one))
        }
        statements: list[Statement] = []
        for statement in (_recalled(each, stored) for each in part):
            statements.append(statement)
            if not isinstance(statement, Define):
                continue
            name, origin = statement.local.name, statement.origin
            if any(load.buffer in own for load in loads(statement.value)) or not changing.isdisjoint(
                _used(statement.value)
            ):
                changing.add(name)
                if name in later:
                    buffer = Buffer(f"{name}_kept", statement.local.type, const(1), "Local", origin)
                    stored[name] = buffer
                    statements += (
                        Allocate(buffer, origin),
                        Assign(buffer, const(0), statement.local, True, origin),
                    )
        result.append(tuple(statements))
    return result


def _all(part: _Part) -> tuple[Statement, ...]:
    return part.body.statements if isinstance(part, For) else part


def _recalled(statement: Statement, stored: Mapping[str, Buffer]) -> Statement:
    """A statement that loads variables from memory."""
    match statement:
        case Assign(value=value) | Define(value=value):
            return replace(statement, value=map_value(value, lambda part: _recalled_value(part, stored)))
        case _:
            return statement


def _recalled_value(value: Value, stored: Mapping[str, Buffer]) -> Value:
    match value:
        case Local(name, t) if name in stored:
            return Load(stored[name], const(0), 1, True, t)
        case _:
            return value


def _assigned(statements: Iterable[Statement]) -> Iterator[Assign]:
    return (statement for statement in statements if isinstance(statement, Assign))


def _is_near(index: Nat, turn: NatVar, least: int) -> bool:
    """Whether the next iteration uses the next element, or, if `least` is 0, the same one."""
    slope = linear_in(index, turn)
    return slope is not None and slope[0].constant in range(least, 2)


def _used(value: Value | None) -> set[str]:
    return set() if value is None else {part.name for part in values(value) if isinstance(part, Local)}


def _together(loop: For, parts: list[_Part], has_threads: bool) -> list[Statement]:
    """Loops over blocks of iterations, and a loop over the remaining ones."""
    is_shared = has_threads and loop.kind == "parallel"
    if loop.count.constant is not None and loop.count.constant < LANES:
        return [*_in_lanes(loop, parts, const(0), loop.count.constant).statements]
    walks = _walks(loop, parts)
    widths: tuple[tuple[int, int], ...] = ((LANES, 1),)
    if walks:
        wide = (COLUMNS_AT_ONCE, WIDE_BLOCKS) if is_shared else (_columns_of_page(parts), 1)
        widths = (wide, (COLUMNS_AT_ONCE // 2, 1))
    result: list[Statement] = []
    begin, count = const(0), positive_part(loop.count)
    for width, least in widths:
        blocks = floor_quotient(count - begin, width * least) * least
        if blocks.constant != 0:
            result.append(_blocks(loop, parts, begin, blocks, width))
            begin = begin + blocks * width
    left = count - begin
    if left.constant == 0:
        return result
    if walks:
        return [*result, _partial_block(loop, parts, begin, left, widths[-1][0])]
    rest = NatVar(loop.index.name, left)
    moved = substitution({loop.index: nat(rest) + begin})
    body = Block(tuple(rewrite(one, moved) for one in loop.body.statements))
    return [*result, replace(loop, kind="seq", worth=None, index=rest, count=left, body=body)]


def _columns_of_page(parts: list[_Part]) -> int:
    """The number of sums that fill a page, but no fewer than those of other blocks."""
    plain = (one for part in parts if not isinstance(part, For) for one in part)
    types = (one.buffer.element for one in plain if isinstance(one, Allocate))
    bits = max(SCALARS[t.name].bits for t in types if isinstance(t, ScalarType))
    return max(COLUMNS_AT_ONCE, 8 * PAGE // bits)


def _walks(loop: For, parts: list[_Part]) -> bool:
    """Whether adjacent iterations read adjacent numbers, while the steps of each iteration are far apart."""
    is_far = False
    for part in parts:
        if not isinstance(part, For):
            continue
        read = {one.name for one in _indices(part)}
        for statement in part.body.statements:
            value = None if isinstance(statement, DefineIndex) else value_of(statement)
            for load in () if value is None else loads(value):
                across, along = linear_in(load.index, loop.index), linear_in(load.index, part.index)
                if across is None or along is None:
                    return False
                if across[0].constant == 1 and not read.isdisjoint(load.index.free):
                    is_far = True
                elif across[0].constant == 1 and along[0].constant != 0:
                    if along[0].constant is not None and abs(along[0].constant) < COLUMNS_AT_ONCE:
                        return False
                    is_far = True
    return is_far


def _blocks(loop: For, parts: list[_Part], begin: Nat, blocks: Nat, lanes: int) -> For:
    """A loop over blocks of `lanes` iterations, starting at the iteration `begin`."""
    block = NatVar(f"{loop.index.name}_block", blocks)
    body = _in_lanes(loop, parts, nat(block) * lanes + begin, lanes)
    return replace(loop, index=block, count=blocks, body=body)


def _partial_block(loop: For, parts: list[_Part], begin: Nat, left: Nat, lanes: int) -> If:
    """The remaining iterations, fewer than `lanes`, processed together, if there are any."""
    return If(Condition(((const(0), left),)), _in_lanes(loop, parts, begin, lanes, left), loop.origin)


def _in_lanes(loop: For, parts: list[_Part], first: Nat, lanes: int, count: Nat | None = None) -> Block:
    """Iterations processed together, starting at the iteration `first`: `lanes` of them, or only `count`."""
    count = const(lanes) if count is None else count
    origin, lane = loop.origin, NatVar(loop.index.name, count)
    plain = [statement for part in parts if not isinstance(part, For) for statement in part]
    own = {one.buffer: replace(one.buffer, size=const(lanes)) for one in plain if isinstance(one, Allocate)}
    moved = substitution({loop.index: first + lane})

    def cell(one: Cell) -> Cell:
        return replace(one, buffer=own[one.buffer], index=nat(lane)) if one.buffer in own else one

    def in_lanes(statements: Sequence[Statement]) -> For:
        """A loop over the lanes."""
        body = Block(tuple(rewrite(statement, replace(moved, cell=cell)) for statement in statements))
        return replace(loop, index=lane, count=count, kind="seq", worth=None, body=body)

    definitions: list[Statement] = []
    body: list[Statement] = [Allocate(buffer, origin) for buffer in own.values()]
    for part in parts:
        if isinstance(part, For):
            read = _indices(part)
            summands = [one for one in part.body.statements if not isinstance(one, DefineIndex)]
            turn = in_lanes(_needed([*definitions, *summands]))
            adds = all(isinstance(one, Assign) and one.buffer in own for one in summands)
            is_far = adds and _walks(loop, [part])
            body += _in_steps(part, read, turn) if is_far else [replace(part, body=Block((*read, turn)))]
        else:
            steps = _needed([*definitions, *(one for one in part if not isinstance(one, Allocate))])
            body += [in_lanes(steps)] if steps else []
            definitions += [one for one in part if isinstance(one, Define)]
    return Block(tuple(body))


def _in_steps(part: For, read: Sequence[DefineIndex], turn: For) -> list[For]:
    """The loop over k around a loop over lanes that adds to sums: `STEPS` iterations at a time, the remaining ones one
    by one. `read` are the indices that an iteration reads.

    Each sum is loaded and stored once for several iterations; they are added in the same order. If a condition decides
    about a whole row, all are processed one by one: compilers write a loop for each combination of such conditions. So
    are they if a minimum or maximum is chosen from numbers that are chosen themselves, as in
    `np.where(k, x, -np.inf).max(axis=0)`: gcc takes four times as long for each step.
    """
    count, statements = part.count, turn.body.statements
    is_short = count.constant is not None and count.constant < 2 * STEPS
    if is_short or _chooses_rows(statements, turn.index) or _chooses_among_chosen(statements):
        return [replace(part, body=Block((*read, turn)))]
    blocks = floor_quotient(count, STEPS)
    block, rest = NatVar(f"{part.index.name}_block", blocks), NatVar(part.index.name, count - blocks * STEPS)

    def at(k: Nat, step: int | None = None) -> tuple[list[Statement], list[Statement]]:
        """The indices that the iteration k reads, with names for one of several steps, and its summands."""
        moved: dict[Atom, Nat | Atom | int] = {part.index: k}
        if step is not None:
            moved |= {one.name: nat(NatVar(f"{one.name.name}_{step}", one.name.upper)) for one in read}
        parts = substitution(moved)
        indices = [rewrite(one, parts) for one in read]
        return indices, [rewrite(statement, parts) for statement in statements]

    steps = [at(nat(block) * STEPS + step, step) for step in range(STEPS)]
    several = replace(turn, body=Block(tuple(one for _, summands in steps for one in summands)))
    indices, summands = at(nat(rest) + blocks * STEPS)
    last = replace(turn, body=Block(tuple(summands)))
    return [
        replace(
            part,
            index=block,
            count=blocks,
            body=Block((*(one for step, _ in steps for one in step), several)),
        ),
        replace(part, index=rest, count=count - blocks * STEPS, body=Block((*indices, last))),
    ]


def _chooses_rows(statements: Sequence[Statement], lane: NatVar) -> bool:
    """Whether a condition of a choice is the same in all lanes."""
    varying: set[Local] = set()

    def varies(value: Value) -> bool:
        return any(
            lane in one.index.free
            if isinstance(one, Load)
            else lane in one.value.free
            if isinstance(one, Index)
            else one in varying or isinstance(one, Guarded)
            for one in values(value)
        )

    for statement in statements:
        value = value_of(statement)
        chosen = () if value is None else values(value)
        if any(
            one.name == "select" and not varies(one.arguments[0])
            for one in chosen
            if isinstance(one, Operation)
        ):
            return True
        if isinstance(statement, Define) and varies(statement.value):
            varying.add(statement.local)
    return False


def _chooses_among_chosen(statements: Sequence[Statement]) -> bool:
    """Whether numbers that a minimum or maximum chooses among are chosen themselves."""
    computed = [value for statement in statements if (value := value_of(statement)) is not None]
    names = [one.name for value in computed for one in values(value) if isinstance(one, Operation)]
    return sum(name == "select" or name in _CHOOSING for name in names) > 1 and any(
        name in _CHOOSING for name in names
    )


def _needed(statements: Sequence[Statement]) -> list[Statement]:
    """The statements without unused variables."""
    needed: list[Statement] = []
    used: set[str] = set()
    for statement in reversed(statements):
        if not isinstance(statement, Define) or statement.local.name in used:
            needed.append(statement)
            used |= _used(value_of(statement))
    return needed[::-1]
