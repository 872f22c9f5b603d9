"""Translates array literals. Independent of loops and of other views.

An element at an unknown index is found by comparisons, or loaded from constant memory if all elements are known
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rise.naturals import Nat, const
from rise.scalars import SCALARS
from rise.types import IndexType, ScalarType, Type
from shine.imperative.nodes import I64, Buffer, Constant
from shine.translate.access import holds_array
from shine.translate.core import Call, Translator, read
from shine.translate.guards import choose, condition
from shine.translate.layout import Cells
from shine.translate.memory import reader_at, share
from shine.translate.trampoline import Task, done
from shine.translate.values import ArrayReader, IndexReader, Reader, ScalarReader, rows

#: known numbers that comparisons choose from: a load takes as long as two of them, and memory
MAX_CHOSEN: Final = 4
#: known indices that comparisons choose from: a C compiler unrolls a loop over so many, and then reads at a known index
MAX_CHOSEN_INDICES: Final = 16


def read_array(tr: Translator, call: Call) -> Task[Reader]:
    """One of the arguments: loaded from constant memory if all are known numbers, otherwise found by binary search."""
    shape = rows(call.type)
    assert shape is not None, call.type
    inner = shape[1]
    elements: list[Reader] = []
    for operand in call.operands:
        element: Reader = yield read(tr, operand)
        if not holds_array(inner):
            element = yield share(tr, element, inner, "x", call.path)
        elements.append(element)
    numbers = known_numbers(elements, inner)

    def among(i: Nat, low: int, high: int) -> Task[Reader]:
        if high - low == 1:
            return done(elements[low])
        middle = (low + high) // 2
        below = condition((i, const(middle)))
        return choose(
            tr, inner, below, lambda: among(i, low, middle), lambda: among(i, middle, high), call.path
        )

    def loaded(i: Nat) -> Task[Reader]:
        if i.constant is not None:
            return done(elements[i.constant])
        stored = reader_at(tr, call.type, constant_cells(tr, numbers, call), call.path)
        assert isinstance(stored, ArrayReader), stored
        return stored.element(i)

    if len(numbers) > (MAX_CHOSEN_INDICES if isinstance(inner, IndexType) else MAX_CHOSEN):
        return ArrayReader(loaded, numbers=numbers)
    return ArrayReader(lambda i: among(i, 0, len(elements)), numbers=numbers)


def constant_cells(tr: Translator, numbers: tuple[Constant, ...], call: Call) -> Cells:
    """The cells of known numbers. Arrays of the same numbers share a buffer."""
    key = tuple((str(number.value), number.type) for number in numbers)  # as text: 0.0 equals -0.0
    if key not in tr.constants:
        name, size = tr.names.fresh(call.called or "constants"), const(len(numbers))
        tr.constants[key] = Buffer(
            name, numbers[0].type, size, "Constant", call.path.origin, contents=numbers
        )
    return ((tr.constants[key], const(0)),)


def known_numbers(elements: Sequence[Reader], t: Type) -> tuple[Constant, ...]:
    """The numbers of all elements of a type, in row-major order. Empty if one is not known, or if targets cannot
    declare constants of the type.
    """
    numbers: list[Constant] = []
    for element in elements:
        match element:
            case ScalarReader(Constant() as number) if _is_declared(t):
                numbers.append(number)
            case IndexReader(value) if isinstance(t, IndexType) and value.constant is not None:
                numbers.append(Constant(value.constant, I64))
            case ArrayReader(numbers=row) if row:
                numbers += row
            case _:
                return ()
    return tuple(numbers)


def _is_declared(t: Type) -> bool:
    """Whether C and CUDA have constant expressions of a type. They do not for f16 and bf16, which CUDA converts from
    f32.
    """
    return isinstance(t, ScalarType) and not SCALARS[t.name].wide and not SCALARS[t.name].part
