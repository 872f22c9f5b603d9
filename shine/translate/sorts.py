"""One sort, and the parts that all sorting methods share: temporaries, keys, the place of the result.

Independent of targets.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rise.naturals import Nat, const
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import F64, ArrayType, IndexType, ScalarType, Type
from shine.imperative.nodes import I64, Assign, Buffer, Constant, Index, Load, Operation, Value
from shine.translate.core import Translator
from shine.translate.memory import element_of, store
from shine.translate.paths import Path
from shine.translate.scalars import as_scalar
from shine.translate.trampoline import Task
from shine.translate.values import IndexReader, Place, Reader, ScalarReader, element

_BOOL: Final = ScalarType("bool")
#: of f64: the bits after the point, and the exponent of 1
_MANTISSA: Final = 52
_BIAS: Final = 1023


@dataclass(frozen=True, slots=True)
class Sorting:
    """One sort: the array, the place of the result, and whether the result consists of the elements' indices."""

    tr: Translator
    xs: Reader
    size: Nat
    number: ScalarType
    place: Place
    element: Type
    path: Path

    @property
    def gives_indices(self) -> bool:
        """Whether the result consists of the elements' indices."""
        return isinstance(self.element, IndexType)

    @property
    def bits(self) -> int:
        """The bits of a number."""
        return SCALARS[self.number.name].bits

    @property
    def unsigned(self) -> ScalarType:
        """The type of keys."""
        return ScalarType(f"u{self.bits}")

    def buffer(self, t: ScalarType, size: Nat, name: str) -> Buffer:
        """Allocate a temporary whose elements change."""
        ((buffer, _),) = self.tr.allocate_state(ArrayType(size, t), name, self.path)
        self.tr.mutable.add(buffer.name)
        return buffer

    def assign(self, buffer: Buffer, index: Nat, value: Value) -> None:
        """Store a number in a temporary."""
        self.tr.emit(Assign(buffer, index, value, True, self.path.origin))

    def add(self, buffer: Buffer, index: Nat, value: Value, t: ScalarType) -> None:
        """Add to a number in a temporary."""
        self.assign(buffer, index, Operation("add", (load(buffer, index, t), value), t))

    def number_at(self, i: Nat) -> Task[Value]:
        """An element, in a variable."""
        x: Reader = yield element(self.xs, i)
        return self.tr.define(as_scalar(x).value, "x", self.path)

    def put(self, at: Nat, value: Value | Nat) -> Task[None]:
        """Store an element of the result."""
        target: Place = yield element_of(self.place, at)
        reader = IndexReader(value) if isinstance(value, Nat) else ScalarReader(value)
        yield store(self.tr, target, reader, self.element, self.path)

    def key(self, x: Value) -> Value:
        """The key of a number, computed without branches. Both zeros have the same key, and NaN has the
        greatest one.
        """
        facts, u = SCALARS[self.number.name], self.unsigned
        if facts.dtype.kind == "u":
            return x
        bits = self.tr.define(Operation("bitCast", (x,), u), "bits", self.path)
        sign = Constant(1 << (facts.bits - 1), u)
        if facts.dtype.kind == "i":
            return self.tr.define(Operation("bitXor", (bits, sign), u), "key", self.path)
        full, infinity = Constant((1 << facts.bits) - 1, u), np.array(np.inf).astype(facts.dtype)
        signed, shift = ScalarType(f"i{facts.bits}"), Constant(facts.bits - 1, ScalarType(f"i{facts.bits}"))
        signs = Operation("shiftRight", (Operation("bitCast", (bits,), signed), shift), signed)
        mask = self.tr.define(Operation("bitCast", (signs,), u), "mask", self.path)
        magnitude = Operation("sub", (Operation("bitXor", (bits, mask), u), mask), u)
        above = Operation("bitAnd", (Operation("bitNot", (mask,), u), sign), u)
        ordered = Operation("bitXor", (magnitude, above), u)
        unsigned = Operation("bitAnd", (bits, Operation("bitNot", (sign,), u)), u)
        is_nan = Operation("gt", (unsigned, Constant(int(infinity.view(SCALARS[u.name].dtype)), u)), _BOOL)
        last = Operation("select", (is_nan, full, Constant(0, u)), u)
        return self.tr.define(Operation("bitOr", (ordered, last), u), "key", self.path)


def load(buffer: Buffer, index: Nat, t: ScalarType) -> Load:
    """Load a number from a temporary."""
    return Load(buffer, index, 1, True, t)


def add_up(s: Sorting, counts: Buffer, first: int, radix: int) -> Task[None]:
    """Replace the count of each digit by the sum of the counts before it."""
    sums = s.buffer(I64, const(1), "before")
    s.assign(sums, const(0), Constant(0, I64))

    def step(k: Nat) -> Task[None]:
        count = s.tr.define(load(counts, first + k, I64), "count", s.path)
        s.assign(counts, first + k, load(sums, const(0), I64))
        s.add(sums, const(0), count, I64)
        yield from ()

    yield s.tr.loop("seq", const(radix), "k", s.path, step)


def bit_length(tr: Translator, size: Nat, path: Path) -> Nat:
    """The number of bits of a size; for an unknown size, from the exponent of its conversion to f64."""
    known = size.constant
    if known is not None:
        return const(int(known).bit_length())
    number = Operation("cast", (Index(size, I64),), F64)
    bits = Operation("bitCast", (number,), I64)
    exponent = Operation("shiftRight", (bits, Constant(_MANTISSA, I64)), I64)
    length = Operation("sub", (exponent, Constant(_BIAS - 1, I64)), I64)
    return tr.define_index(Operation("max", (length, Constant(0, I64)), I64), const(64), path)
