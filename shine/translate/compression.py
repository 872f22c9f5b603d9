"""Translates compression: elements for which a condition holds move to the front, one thread for each array.

Each element is stored at an index that is the number of elements chosen so far, and is overwritten by the next one
unless it is chosen itself, so no branch depends on an element. Independent of targets.
"""

from __future__ import annotations

from typing import Final

from rise.naturals import Nat, const
from rise.quotients import is_nonnegative
from shine.imperative.nodes import I64, Assign, Condition, Constant, Load, Operation
from shine.translate.core import Call, Translation, Translator, read
from shine.translate.memory import copy, element_of
from shine.translate.scalars import as_scalar
from shine.translate.trampoline import Task
from shine.translate.values import Place, Reader, element
from shine.translate.views import array_of


def write_compress(tr: Translator, call: Call, place: Place) -> Task[None]:
    """As many chosen elements as fit, followed by the fill value."""
    mask: Reader = yield read(tr, call.operands[0])
    fill: Reader = yield read(tr, call.operands[1])
    xs: Reader = yield read(tr, call.last)
    given, result = array_of(call.parameters[2]), array_of(call.type)
    ((count, _),) = tr.allocate(I64, "Local", "count", call.path)
    tr.mutable.add(count.name)
    before = Load(count, const(0), 1, True, I64)
    tr.emit(Assign(count, const(0), Constant(0, I64), True, call.path.origin))
    has_room = is_nonnegative(result.size - given.size)

    def step(i: Nat) -> Task[None]:
        at = tr.define_index(before, result.size if has_room else None, call.path)
        yield tr.when(Condition(((at, result.size),)), call.path, lambda: keep(i, at))

    def keep(i: Nat, at: Nat) -> Task[None]:
        x: Reader = yield element(xs, i)
        target: Place = yield element_of(place, at)
        yield copy(tr, x, target, result.element, call.path)
        is_chosen: Reader = yield element(mask, i)
        one = Operation("select", (as_scalar(is_chosen).value, Constant(1, I64), Constant(0, I64)), I64)
        tr.emit(Assign(count, const(0), Operation("add", (before, one), I64), True, call.path.origin))

    def put(k: Nat) -> Task[None]:
        target: Place = yield element_of(place, chosen + k)
        yield copy(tr, fill, target, result.element, call.path)

    yield tr.loop("seq", given.size, "k", call.path, step)
    chosen = tr.define_index(before, result.size + 1, call.path)
    yield tr.loop("seq", result.size - chosen, "rest", call.path, put)


COMPRESSION: Final = (Translation("compressSeq", "read -> read -> read -> write", write=write_compress),)
