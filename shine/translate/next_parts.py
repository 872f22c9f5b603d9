"""Finds the components of a loop's next state that its step names. Emits no statements.

A step `let b = .. in let a = .. in pair(a, b)` names both parts of the next state. A named part may overwrite the
previous value of this part if the rest of the step does not read the previous value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from rise.naturals import NatVar, nat
from rise.primitives import PROJECTIONS
from rise.records import dataclass
from rise.terms import App, Bound, Expr, Lam, Primitive
from rise.types import PairType, Type
from shine.translate.access import holds_array
from shine.translate.accumulators import is_reduction, is_variable, without_copies
from shine.translate.core import Known, Spine, Term, Variables, unwind
from shine.translate.memory import element_of, half_of, lane_place
from shine.translate.trampoline import Task
from shine.translate.values import (
    CellPlace,
    FragmentPlace,
    GuardedPlace,
    PairPlace,
    Place,
    Reader,
    VectorPlace,
    half,
    rows,
)

#: the projections that lead from a state to a part of it, 0 or 1 each, from the outside
Selectors: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StatePart:
    """A component of a state that is a pair, or a whole state that is not: its place, its value, and its buffers."""

    selectors: Selectors
    type: Type
    place: Place
    current: Reader
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rule:
    """Facts about the variables of a step: variables beyond `outer` do not belong to the step; those in `allowed` are
    not views of the state; `views` are parts of it; parts of `loops`, the last states of loops, are parts of it, too.
    """

    outer: Variables
    allowed: frozenset[object]
    views: dict[Known, Selectors]
    loops: dict[Known, dict[Selectors, Selectors]]


def parts_of_state(t: Type, place: Place, current: Reader) -> Task[list[StatePart]]:
    """The parts of a state that hold arrays."""
    parts: list[StatePart] = []
    yield _collect(t, place, current, (), parts)
    return parts


def _collect(
    t: Type, place: Place, current: Reader, selectors: Selectors, parts: list[StatePart]
) -> Task[None]:
    if isinstance(t, PairType) and isinstance(place, PairPlace):
        for which, inner in enumerate((t.first, t.second)):
            target: Place = yield half_of(place, which)
            value: Reader = yield half(current, which)
            yield _collect(inner, target, value, (*selectors, which), parts)
    elif holds_array(t):
        names: frozenset[str] = yield buffers_of(place, t)
        if names:
            parts.append(StatePart(selectors, t, place, current, names))


def buffers_of(place: Place, t: Type) -> Task[frozenset[str]]:
    """The names of a place's buffers."""
    names: set[str] = set()
    yield _buffers(place, t, names)
    return frozenset(names)


def _buffers(place: Place, t: Type, names: set[str]) -> Task[None]:
    """Add the names of a place's buffers."""
    shape = rows(t)
    match place:
        case CellPlace(buffer):
            names.add(buffer.name)
        case FragmentPlace(piece):
            names.add(piece.buffer.name)
        case GuardedPlace(_, guarded):
            yield _buffers(guarded, t, names)
        case VectorPlace():
            lane: Place = yield lane_place(place, nat(NatVar("lane", None)))
            yield _buffers(lane, t, names)
        case PairPlace() if isinstance(t, PairType):
            for which, inner in enumerate((t.first, t.second)):
                target: Place = yield half_of(place, which)
                yield _buffers(target, inner, names)
        case _ if shape is not None:
            target = yield element_of(place, nat(NatVar("any", shape[0])))
            yield _buffers(target, shape[1], names)


def named_part(
    spine: Spine, variables: Variables, parts: list[StatePart], rule: Rule
) -> tuple[StatePart, Term, Expr] | None:
    """The part whose next value a function names first, this value, and the body after it. None if there is no such
    part, or if the body may read the previous value of the part.
    """
    match spine.head, spine.arguments:
        case Lam(_, parameter, body), [Term(App() as argument) as operand] if argument.root == ("toMem", 1):
            read = read_parts(argument, 0, operand.variables, rule)
            later = read_parts(body, 1, variables, rule)
            if read is None or later is None:
                return None
            for part in parts:
                is_read = any(overlap(part.selectors, each) for each in read)
                is_read_later = any(overlap(part.selectors, each) for each in later)
                if part.type == parameter and is_read and not is_read_later:
                    return part, Term(argument.arg, operand.variables, operand.path.child(1)), body
    return None


def loop_from_start(operand: Term, rule: Rule) -> tuple[Term, Callable[[Known], tuple[Any, ...]]] | None:
    """For a step that consists of a loop: the start value of the loop, and the loop with another start value, as an
    operand and its arguments. None if the step is not a loop, if the start value is in memory, or if the loop also
    reads the state elsewhere.
    """
    source = without_copies(operand)
    if not isinstance(source, Term) or not is_reduction(source):
        return None
    spine = unwind(source, ())
    *before, start, array = spine.arguments
    function = before[-1]
    if not (isinstance(start, Term) and isinstance(array, Term) and isinstance(function, Term)):
        return None
    if is_variable(without_copies(start)) or not isinstance(start.expr, App):
        return None
    for one in (function, array):
        if read_parts(one.expr, 0, one.variables, rule) != set():
            return None
    head = Term(spine.head, source.variables, spine.path)
    return start, lambda known: (head, *before, known, array)


def overlap(one: Selectors, other: Selectors) -> bool:
    """Whether one of two parts of a state contains the other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def read_parts(e: Expr, own: int, variables: Variables, rule: Rule) -> set[Selectors] | None:
    """The parts of the state that an expression reads, directly or through its variables. None if it reads an array
    that may be a view of the state. The first `own` variables of the expression are not in `variables`.
    """
    found: set[Selectors] = set()
    waiting: list[tuple[Expr, int, Variables, Selectors]] = [(e, own, variables, ())]
    seen: set[tuple[int, int, int, Selectors]] = set()
    while waiting:
        part, inside, scope, selectors = waiting.pop()
        key = (id(part), inside, id(scope), selectors)
        if part.loose <= inside or key in seen:
            continue
        seen.add(key)
        match part:
            case Bound(index):
                entry = scope
                for _ in range(index - inside):
                    if entry is rule.outer or entry is None:
                        break
                    entry = entry[1]
                if entry is rule.outer or entry is None:
                    continue
                match entry[0]:
                    case Term(inner, its_variables):
                        waiting.append((inner, 0, its_variables, selectors))
                    case Known() as known if known in rule.views:
                        found.add((*rule.views[known], *selectors))
                    case Known() as known if known in rule.loops:
                        found.update(
                            (*whole, *selectors[len(part) :])
                            for part, whole in rule.loops[known].items()
                            if overlap(part, selectors)
                        )
                    case Known(_, t, is_own) as known if (
                        is_own or known in rule.allowed or not holds_array(t)
                    ):
                        pass
                    case _:
                        return None
            case App(Primitive(name), argument) if name in PROJECTIONS:
                waiting.append((argument, inside, scope, (PROJECTIONS.index(name), *selectors)))
            case _:
                waiting += [(child, inside + isinstance(part, Lam), scope, ()) for child in part.children]
    return found
