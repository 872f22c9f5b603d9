"""Translates padding: reads outside an array are guarded or clamped. Independent of loops."""

from __future__ import annotations

from typing import Final

from rise.naturals import Nat, const
from rise.quotients import maximum, minimum
from rise.types import IndexType, PairType, Type, VectorType
from shine.imperative.nodes import Constant, Operation, scalar_of
from shine.translate.access import holds_array
from shine.translate.core import Call, Translation, Translator, read
from shine.translate.guards import choose, condition, refuse_fragment
from shine.translate.memory import share
from shine.translate.paths import Path
from shine.translate.places import place_view
from shine.translate.trampoline import Task, done
from shine.translate.values import ArrayReader, IndexReader, PairReader, Reader, ScalarReader, element, rows
from shine.translate.views import array_of, natural


def read_pad_constant(tr: Translator, call: Call) -> Task[Reader]:
    """The array's elements inside, the given value outside."""
    t = array_of(call.type).element
    outside: Reader = yield read(tr, call.operands[0])
    if not holds_array(t):
        outside = yield share(tr, outside, t, "pad", call.path)
    xs: Reader = yield read(tr, call.operands[1])
    left, size = natural(call, 0), array_of(call.parameters[1]).size

    def at(i: Nat) -> Task[Reader]:
        inside = condition((left, i + 1), (i, left + size))
        return choose(tr, t, inside, lambda: element(xs, i - left), lambda: done(outside), call.path)

    return ArrayReader(at)


def read_pad_clamp(tr: Translator, call: Call) -> Task[Reader]:
    """The element at the nearest valid index; zero for an empty array."""
    xs: Reader = yield read(tr, call.last)
    left, size = natural(call, 0), array_of(call.parameters[0]).size

    t = array_of(call.type).element
    default = zero(t, call.path)

    def at(i: Nat) -> Task[Reader]:
        inside = i - left if tr.knows(left, i + 1) else maximum(i, left) - left
        last = size - 1
        nearest = inside if tr.knows(inside, size) else minimum(inside, last)
        return choose(
            tr, t, condition((const(0), size)), lambda: element(xs, nearest), lambda: done(default), call.path
        )

    return ArrayReader(at)


def read_pad_empty(tr: Translator, call: Call) -> Task[Reader]:
    """The array's elements inside; outside, the value is unspecified, and zero is read."""
    xs: Reader = yield read(tr, call.last)
    size, t = array_of(call.parameters[0]).size, array_of(call.type).element
    default = zero(t, call.path)
    return ArrayReader(
        lambda i: choose(
            tr, t, condition((i, size)), lambda: element(xs, i), lambda: done(default), call.path
        )
    )


def zero(t: Type, path: Path) -> Reader:
    """Zeros of a type."""
    shape = rows(t)
    if shape is not None:
        return ArrayReader(lambda i: done(zero(shape[1], path)))
    refuse_fragment(t, path)
    match t:
        case PairType(first, second):
            return PairReader(lambda: done(zero(first, path)), lambda: done(zero(second, path)))
        case IndexType():
            return IndexReader(const(0))
        case VectorType():
            return ScalarReader(Operation("broadcast", (Constant(0, scalar_of(t)),), t))
        case _:
            return ScalarReader(Constant(0, scalar_of(t)))


PADS: Final = (
    Translation("padCst", "read -> read -> read", read=read_pad_constant),
    Translation("padClamp", "read -> read", read=read_pad_clamp),
    Translation("padEmpty", "a -> a", read=read_pad_empty, place=place_view),
)
