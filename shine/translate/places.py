"""Writes through views: the record of a primitive defines where its operands are written. Independent of primitives."""

from __future__ import annotations

from types import SimpleNamespace

from rise.inference.schemes import sizes_of
from rise.naturals import Nat
from rise.primitives import lookup
from rise.primitives.record import Half, Way
from rise.primitives.record import Place as Rule
from rise.types import ArrayType, DepArrayType, PairType, Type, VectorType, type_at
from shine.translate.core import Call, Translator, write
from shine.translate.guards import condition
from shine.translate.memory import element_of, half_of, lane_place
from shine.translate.trampoline import Task
from shine.translate.values import ArrayPlace, GuardedPlace, PairPlace, Place, VectorPlace


def place_view(tr: Translator, call: Call, place: Place) -> Task[Place]:
    """The place to which the operand of a view must be written so that the view of it fills the given place."""
    source: Place = yield _operand_place(call, 0, place)
    return source


def write_views(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Fill a place with several operands, in order."""
    for position, operand in enumerate(call.operands):
        target: Place = yield _operand_place(call, position, place)
        yield write(tr, target, operand)


def _operand_place(call: Call, position: int, place: Place) -> Task[Place]:
    record = lookup(call.name)
    assert record is not None and len(record.places) == len(call.operands), call.name
    at = sizes_of(record, call.implicits, call.dependent)
    return _inside(record.places[position], at, call.parameters[-len(call.operands) :][position], place, ())


def _inside(rule: Rule, at: SimpleNamespace, t: Type, place: Place, steps: Way) -> Task[Place]:
    """The place of the component of an operand that is the given steps inside."""
    if len(steps) == rule.depth:
        target: Place = yield _follow(rule, at, place, steps)
        return target
    match t:
        case ArrayType(_, element):
            return ArrayPlace(lambda i: _inside(rule, at, element, place, (*steps, i)))
        case DepArrayType(_, family):
            return ArrayPlace(lambda i: _inside(rule, at, type_at(family, i), place, (*steps, i)))
        case VectorType(_, element):
            return VectorPlace(lambda lane: _inside(rule, at, element, place, (*steps, lane)))
        case PairType(first, second):
            return PairPlace(
                lambda: _inside(rule, at, first, place, (*steps, Half(0))),
                lambda: _inside(rule, at, second, place, (*steps, Half(1))),
            )
    raise AssertionError(f"{t!r} has no components")


def _follow(rule: Rule, at: SimpleNamespace, place: Place, steps: Way) -> Task[Place]:
    for step in rule.way(at, *steps):
        inner: Place = yield _step(place, step)
        place = inner
    return place if rule.below is None else GuardedPlace(condition(rule.below(at, *steps)), place)


def _step(place: Place, step: Nat | Half) -> Task[Place]:
    inner = place
    while isinstance(inner, GuardedPlace):
        inner = inner.place
    match step:
        case Half(which):
            return half_of(place, which)
        case Nat() if isinstance(inner, VectorPlace):
            return lane_place(place, step)
        case Nat():
            return element_of(place, step)
