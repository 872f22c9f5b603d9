"""Restricts sequential loops to the iterations that a mask allows.

Slices whose bounds change in a loop are whole axes of which only some elements matter. `for j < n: s += j < i ? x[j] :
0` needs only the first i iterations, and so does `for j < n: a[j] = j < i ? 0 : a[j]`. Depends on statements only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from rise.indices import left_open
from rise.natural_values import substitute_naturals
from rise.naturals import Nat, NatVar, const
from rise.quotients import NatCall, ceiling_quotient, floor_quotient, linear_in, maximum, minimum
from rise.records import dataclass
from rise.types import BOOL, ScalarType
from shine.imperative.copies import copies_in, is_copied_back
from shine.imperative.known_conditions import (
    assuming,
    naturals_of,
    single_definitions,
    with_definitions,
    without_decided,
)
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
    If,
    Load,
    Local,
    Operation,
    Statement,
    Value,
)
from shine.imperative.rewrite import Parts, rewrite_block, substitution
from shine.imperative.walk import all_values, everything, map_statements, with_body

#: loops of at most so many iterations, which compilers may unroll, keep their number of iterations
MAX_SHORT: Final = 16


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The iterations in which a comparison may hold, from `start` up to, but not including, `end`; if `is_exact`, it
    holds in all of these.
    """

    start: Nat | None
    end: Nat | None
    is_exact: bool


@dataclass(frozen=True, slots=True)
class _Comparisons:
    """The comparisons that hold if and only if a difference is positive (`same`), and those that hold only if it is
    (`weaker`).
    """

    same: set[Value]
    weaker: set[Value]


def without_masked(block: Block, known: Mapping[Local, Value]) -> Block:
    """The block with sequential loops that skip iterations which change nothing because a comparison of indices does
    not hold. `known` are the values of integer variables.
    """
    sums = _sums(block)
    known = with_definitions(known, block)

    def limited(statement: Statement) -> tuple[Statement, ...]:
        if isinstance(statement, For) and statement.kind == "seq" and _is_long(statement.count):
            return (_limited(statement, known, sums),)
        return (statement,)

    return map_statements(block, limited)


def _is_long(count: Nat) -> bool:
    """Whether a loop may be limited: its size is not known, or not small."""
    return count.constant is None or count.constant > MAX_SHORT


def _limited(loop: For, known: Mapping[Local, Value], sums: Collection[str]) -> For:
    loops = [one.index for one, _ in everything(loop.body) if isinstance(one, For)]
    read = {one.name for one, _ in everything(loop.body) if isinstance(one, DefineIndex)}
    start, end, body = const(0), loop.count, loop.body
    comparisons = _comparisons(loop, known)
    for difference, group in comparisons.items():
        bounds = _bounds(difference, loop.index, loops) if read.isdisjoint(difference.free) else None
        if bounds is None:
            continue
        failing = _fail(difference, comparisons)
        masked = assuming(body, failing.__contains__, False, known)
        if not changes_nothing(masked, sums):
            continue
        if bounds.is_exact:
            body = assuming(body, group.same.__contains__, True)
        start = start if bounds.start is None else maximum(start, bounds.start)
        end = end if bounds.end is None else minimum(end, bounds.end)
    count = end if start == const(0) else maximum(end - start, 0)
    if count == loop.count:
        return loop
    index = NatVar(loop.index.name, count)
    moved = rewrite_block(body, substitution({loop.index: start + index}))
    return replace(
        loop, index=index, count=count, body=with_variables(without_decided(_without_guards(moved)))
    )


def _without_guards(block: Block) -> Block:
    """The block without branches whose conditions the ranges of indices decide."""

    def decided(statement: Statement) -> tuple[Statement, ...]:
        if not isinstance(statement, If):
            return (statement,)
        below = left_open(statement.condition.below)
        if below is None:
            return ()
        return (replace(statement, condition=Condition(below)),) if below else statement.body.statements

    return map_statements(block, decided)


_SIMPLE: Final = (Allocate, Assign, Define, DefineIndex, For, If)


def with_variables(body: Block) -> Block:
    """A loop's body with variables in place of buffers of one element, if the body or a loop in it that allocates them
    always assigns them, once: those for choices that a mask decides.
    """

    def inside(statement: Statement) -> tuple[Statement]:
        if isinstance(statement, For):
            statement = with_body(statement, _with_variables(statement.body))
        return (statement,)

    return _with_variables(map_statements(body, inside))


def _with_variables(body: Block) -> Block:
    if not all(isinstance(one, _SIMPLE) for one, _ in everything(body)):
        return body
    assigned = Counter(one.buffer.name for one, _ in everything(body) if isinstance(one, Assign))
    always = {one.buffer.name for one in body.statements if isinstance(one, Assign)}
    variables: dict[str, Local] = {}
    for one in body.statements:
        if isinstance(one, Allocate) and one.buffer.size.constant == 1:
            name, element = one.buffer.name, one.buffer.element
            if isinstance(element, ScalarType) and assigned[name] == 1 and name in always:
                variables[name] = Local(name, element)
    if not variables:
        return body

    def with_definition(statement: Statement) -> tuple[Statement, ...]:
        match statement:
            case Allocate(buffer) if buffer.name in variables:
                return ()
            case Assign(buffer, _, value) if buffer.name in variables:
                return (Define(variables[buffer.name], value, statement.origin),)
        return (statement,)

    def loaded(load: Load) -> Value:
        return variables.get(load.buffer.name, load)

    return rewrite_block(map_statements(body, with_definition), Parts(load=loaded))


def _comparisons(loop: For, known: Mapping[Local, Value]) -> dict[Nat, _Comparisons]:
    """The comparisons of indices in a loop, by the difference that is positive if they hold."""
    found: dict[Nat, _Comparisons] = {}
    for value in all_values(loop.body):
        match value:
            case Operation("lt" | "le" | "gt" | "ge" | "eq" as name, (left, right)) if (
                pair := naturals_of(known, left, right)
            ) is not None:
                less, more = pair if name in ("lt", "le") else pair[::-1]
                if name == "eq":
                    found.setdefault(less - more + 1, _Comparisons(set(), set())).weaker.add(value)
                group = found.setdefault(
                    more - less + (0 if name in ("lt", "gt") else 1), _Comparisons(set(), set())
                )
                (group.weaker if name == "eq" else group.same).add(value)
                for quotient, number in (pair, pair[::-1]) if name == "eq" else ():
                    for positive in _of_quotient(quotient, number):
                        found.setdefault(positive, _Comparisons(set(), set())).weaker.add(value)
    return found


def _of_quotient(quotient: Nat, number: Nat) -> tuple[Nat, ...]:
    """The differences that are positive if a quotient, rounded down, is a number: that of the block of an index."""
    match quotient.terms:
        case ((((NatCall("floor", (a, b)), 1),), 1),):
            return a - b * number + 1, b * number + b - a
    return ()


def _fail(difference: Nat, comparisons: Mapping[Nat, _Comparisons]) -> set[Value]:
    """The comparisons that do not hold if a difference is not positive."""
    failing: set[Value] = set()
    for other, group in comparisons.items():
        distance = (difference - other).constant
        if distance is not None and distance >= 0:
            failing |= group.same | group.weaker
    return failing


def _bounds(difference: Nat, index: NatVar, inside: Collection[NatVar]) -> _Bounds | None:
    """The bounds within which a difference may be positive, for any indices of inner loops; None if not known."""
    is_exact = True
    for inner in inside:
        if inner not in difference.free:
            continue
        linear = linear_in(difference, inner)
        slope = None if linear is None else linear[0].constant
        if slope is None or inner.upper is None or not inner.upper.free.isdisjoint({index, *inside}):
            return None
        greatest = inner.upper - 1 if slope > 0 else const(0)
        difference = substitute_naturals(difference, {inner: greatest})
        is_exact = False
    linear = linear_in(difference, index)
    slope = None if linear is None else linear[0].constant
    if linear is None or not isinstance(slope, int) or slope == 0 or not linear[1].free.isdisjoint({index}):
        return None
    rest = linear[1]
    if slope < 0:
        return _Bounds(None, ceiling_quotient(maximum(rest, 0), -slope), is_exact)
    if slope == 1:
        return _Bounds(maximum(1 - rest, 0), None, is_exact)
    return _Bounds(floor_quotient(maximum(const(0) - rest, 0), slope), None, False)


def changes_nothing(block: Block, sums: Collection[str] = ()) -> bool:
    """Whether a block stores only values that are already there, except to its own buffers; `sums` are never -0."""
    own = {one.buffer.name for one, _ in everything(block) if isinstance(one, Allocate)}
    defined = single_definitions(block)
    defined |= _held(block, own, defined)
    copies = copies_in(block, own, lambda value: _resolved(value, defined))

    def stays(statement: Assign, loops: tuple[For, ...]) -> bool:
        value = _resolved(statement.value, defined)
        if isinstance(value, Load) and value.buffer.name in copies:
            return is_copied_back(statement, value, loops, copies[value.buffer.name])
        return _stays(statement, value, sums)

    return all(
        isinstance(one, Allocate | Define | DefineIndex | For | If)
        or (isinstance(one, Assign) and (one.buffer.name in own or stays(one, loops)))
        for one, loops in everything(block)
    )


def _resolved(value: Value, defined: Mapping[Value, Value]) -> Value:
    """The definition of a value that is a variable or loaded from one, following chains of variables."""
    for _ in defined:  # the maximum length of a chain
        value = defined.get(value, value)
    return value


def _held(block: Block, own: Collection[str], defined: Mapping[Value, Value]) -> dict[Value, Value]:
    """The values of loads from a block's own buffers of one element: what all assignments to the buffer store, in the
    same iteration in which it is allocated. `defined` are the values of variables.
    """
    allocated = {one.buffer.name: loops for one, loops in everything(block) if isinstance(one, Allocate)}
    assigned: dict[Load, set[Value]] = {}
    unknown: set[Load] = set()
    for one, loops in everything(block):
        if isinstance(one, Assign) and one.buffer.name in own and one.buffer.size.constant == 1:
            element = one.buffer.element
            if isinstance(element, ScalarType):
                load = Load(one.buffer, one.index, 1, True, element)
                assigned.setdefault(load, set()).add(one.value)
                if loops != allocated[one.buffer.name]:
                    unknown.add(load)
    held: dict[Value, Value] = {}
    for _ in assigned:  # the maximum length of a chain
        known = {**defined, **held}
        for load, values in assigned.items():
            resolved = {_resolved(value, known) for value in values}
            if load not in unknown and len(resolved) == 1:
                [held[load]] = resolved
    return held


def _stays(statement: Assign, value: Value, sums: Collection[str]) -> bool:
    """Whether an assignment stores the value that is already there: the element itself, or the element plus zero."""
    match value:
        case Load() as same:
            return _is_there(statement, same)
        case Operation("add", (Load() as same, Constant(zero)) | (Constant(zero), Load() as same), t):
            is_neutral = zero == 0 and (isinstance(zero, int) or statement.buffer.name in sums)
            return is_neutral and t != BOOL and _is_there(statement, same)
    return False


def _is_there(statement: Assign, load: Load) -> bool:
    return load.buffer.name == statement.buffer.name and load.index is statement.index


def _sums(block: Block) -> frozenset[str]:
    """The buffers allocated in a block to which only 0, sums with an element, and copies of such buffers are stored, so
    that no element is ever -0.
    """
    own: dict[str, Buffer] = {
        one.buffer.name: one.buffer for one, _ in everything(block) if isinstance(one, Allocate)
    }
    refused: set[str] = set()
    copied: dict[str, set[str]] = {}
    defined = single_definitions(block)
    for statement, _ in everything(block):
        match (
            replace(statement, value=defined.get(statement.value, statement.value))
            if isinstance(statement, Assign)
            else statement
        ):
            case Assign(buffer, _, Constant(0 | 0.0 as zero)) if str(zero) in ("0", "0.0"):
                pass
            case Assign(buffer, index, Operation("add", (Load(same, there), _) | (_, Load(same, there)))) if (
                same.name == buffer.name and there is index
            ):
                pass
            case Assign(buffer, _, Load(other)):
                copied.setdefault(other.name, set()).add(buffer.name)
            case Assign(buffer):
                refused.add(buffer.name)
            case Allocate() | Define() | DefineIndex() | For() | If():
                pass
            case _:  # other ways to store
                return frozenset()
    waiting = [*refused, *(name for name in copied if name not in own)]
    refused |= set(waiting)
    while waiting:
        for name in copied.get(waiting.pop(), ()):
            if name not in refused:
                refused.add(name)
                waiting.append(name)
    return frozenset(own) - refused
