"""Translates sorting of arrays of many numbers by an LSD radix sort of their keys. Independent of targets.

Keys that are in order already are only copied. Others are moved instead of the numbers, and become numbers again at the
end. Long digits need few passes. A pass is only
a copy if all keys have the same digit, as for integers in a small range. Of 64-bit keys, only the leading bits that
differ are sorted by digits: keys with equal leading bits are then neighbours, and passes that exchange neighbours bring
them in order. If too many are needed, the array is left to another method, as are arrays with NaN and -0, which have no
keys. If the result consists of indices, these are moved, too: in the low bits of 32-bit keys, else in an array.
"""

from __future__ import annotations

from typing import Final

from rise.naturals import Nat, const
from rise.quotients import maximum
from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.imperative.nodes import I64, Buffer, Condition, Constant, Index, Operation, Value
from shine.translate.sorting_networks import INDEX, LONGEST_IN_NETWORK, has_no_key, key_of, key_type
from shine.translate.sorts import Sorting, add_up, bit_length, load
from shine.translate.trampoline import Task

#: the bits of a digit, for keys of 32 and 64 bits
DIGITS: Final = {32: 11, 64: 13}
PASSES: Final = 3
#: numbers that are tested for their order first: few numbers of which none is greater than the next one are rare
FIRST: Final = 64
#: passes that exchange neighbours
MOST_EXCHANGES: Final = 8
_BOOL: Final = ScalarType("bool")


def has_radix_sort(s: Sorting) -> bool:
    """Whether long arrays of this type may be sorted by radix: on CPUs, if keys have 32 or 64 bits."""
    return not s.tr.is_gpu and s.bits in DIGITS


def by_radix(s: Sorting, left: Buffer) -> Task[None]:
    """Sort a long array whose numbers have keys; `left` becomes 0 if it was sorted."""
    longest = const(1 << INDEX) if s.gives_indices else None
    above = (const(LONGEST_IN_NETWORK), s.size)
    fits = Condition((above,) if longest is None else (above, (s.size, longest)))

    def sort() -> Task[None]:
        one = _Sort(s, left)
        yield one.fill()
        is_usual = Condition(((s.tr.define_index(load(left, const(0), I64), None, s.path), const(1)),))
        yield s.tr.when(is_usual, s.path, one.sort)

    yield s.tr.when(fits, s.path, sort)


class _Sort:
    """The temporaries of one sort: keys of type `t`, and perhaps their indices, before and after a pass."""

    def __init__(self, s: Sorting, left: Buffer) -> None:
        self.s, self.left = s, left
        self.is_packed = s.gives_indices and s.bits <= INDEX + 1
        self.t = ScalarType("u64") if self.is_packed else s.unsigned
        self.keys = [s.buffer(self.t, s.size, "keys") for _ in range(2)]
        has_orders = s.gives_indices and not self.is_packed
        self.orders = [s.buffer(I64, s.size, "order") for _ in range(2 if has_orders else 0)]
        self.differences = s.buffer(self.t, const(1), "differences")
        self.digit = DIGITS[s.bits]
        self.counts = s.buffer(I64, const(1 << self.digit), "counts")

    def fill(self) -> Task[None]:
        """Store the keys, and collect the bits in which they differ. `left` becomes 1 if a number has no key."""
        s = self.s
        s.assign(self.left, const(0), Constant(0, I64))
        s.assign(self.differences, const(0), Constant(0, self.t))
        start: Value = yield s.number_at(const(0))
        first = self._key(start, const(0))

        def keep(i: Nat) -> Task[None]:
            x: Value = yield s.number_at(i)
            key = self._key(x, i)
            s.assign(self.keys[0], i, key)
            if self.orders:
                s.assign(self.orders[0], i, Index(i, I64))
            other = Operation("bitXor", (key, first), self.t)
            known = load(self.differences, const(0), self.t)
            s.assign(self.differences, const(0), Operation("bitOr", (known, other), self.t))

        yield s.tr.loop("seq", s.size, "k", s.path, keep)

    def _key(self, x: Value, i: Nat) -> Value:
        """The key of an element. `left` becomes 1 if there is none."""
        s = self.s
        if s.gives_indices:
            key = s.key(x)
            if not self.is_packed:
                return key
            high = Operation(
                "shiftLeft", (Operation("cast", (key,), self.t), Constant(INDEX, self.t)), self.t
            )
            return s.tr.define(Operation("bitOr", (high, Index(i, self.t)), self.t), "key", s.path)
        if SCALARS[s.number.name].dtype.kind != "f":
            return s.key(x)
        signed = key_type(s)
        key = s.tr.define(key_of(s, Operation("bitCast", (x,), signed)), "key", s.path)
        has_none = Operation("select", (has_no_key(s, key), Constant(1, I64), Constant(0, I64)), I64)
        s.assign(self.left, const(0), Operation("bitOr", (load(self.left, const(0), I64), has_none), I64))
        return s.tr.define(self._turned(Operation("bitCast", (key,), self.t)), "key", s.path)

    def _turned(self, key: Value) -> Value:
        """An unsigned key for the bits of a signed one, or the other way round."""
        return Operation("bitXor", (key, Constant(1 << (self.s.bits - 1), self.t)), self.t)

    def sort(self) -> Task[None]:
        """Store the result: at once if the keys are in order, else after sorting them."""
        s = self.s
        yield s.tr.loop("seq", const(FIRST), "k", s.path, self._descend)

        def compare_all() -> Task[None]:
            yield s.tr.loop("seq", s.size - 1, "k", s.path, self._descend)

        yield s.tr.when(Condition(((self._left(), const(1)),)), s.path, compare_all)
        descents = self._left()
        yield s.tr.when(Condition(((descents, const(1)),)), s.path, lambda: self._put(0))
        yield s.tr.when(Condition(((const(0), descents),)), s.path, self._sort)

    def _left(self) -> Nat:
        """The value of `left`."""
        return self.s.tr.define_index(load(self.left, const(0), I64), None, self.s.path)

    def _descend(self, i: Nat) -> Task[None]:
        """Let `left` become 1 if a key is greater than the next one."""
        s = self.s
        both = load(self.keys[0], i, self.t), load(self.keys[0], i + 1, self.t)
        descends = Operation("gt", both, _BOOL)
        flag = Operation("select", (descends, Constant(1, I64), Constant(0, I64)), I64)
        s.assign(self.left, const(0), Operation("bitOr", (load(self.left, const(0), I64), flag), I64))
        yield from ()

    def _sort(self) -> Task[None]:
        """Sort by digits, exchange neighbours, and store the result."""
        s = self.s
        s.assign(self.left, const(0), Constant(0, I64))
        low = self._first_bit()
        for number in range(PASSES):
            yield self._by_digit(low + number * self.digit, number % 2)
        last = PASSES % 2
        if low.constant is not None:
            yield self._put(last)
            return
        s.assign(self.left, const(0), Index(low, I64))
        yield s.tr.loop("seq", const(MOST_EXCHANGES), "turn", s.path, lambda _: self._exchanged(last))
        is_sorted = Condition(((self._left(), const(1)),))
        yield s.tr.when(is_sorted, s.path, lambda: self._put(last))

    def _first_bit(self) -> Nat:
        """The lowest bit of the digits."""
        s = self.s
        if s.bits < 64:
            return const(INDEX if self.is_packed else 0)
        half = Operation(
            "shiftRight", (load(self.differences, const(0), self.t), Constant(1, self.t)), self.t
        )
        high = s.tr.define_index(Operation("cast", (half,), I64), None, s.path)
        length = bit_length(s.tr, high, s.path) + 1
        return s.tr.define_index(Index(maximum(length - PASSES * self.digit, const(0)), I64), None, s.path)

    def _digit_of(self, key: Value, low: Nat) -> Nat:
        """The digit of a key that begins at a bit."""
        s = self.s
        shifted = key if low.constant == 0 else Operation("shiftRight", (key, Index(low, self.t)), self.t)
        last = Operation("bitAnd", (shifted, Constant((1 << self.digit) - 1, self.t)), self.t)
        return s.tr.define_index(Operation("cast", (last,), I64), const(1 << self.digit), s.path)

    def _by_digit(self, low: Nat, source: int) -> Task[None]:
        """Move all keys to the places that a digit gives; copy them if it is the same in all."""
        s = self.s
        differs = self._digit_of(load(self.differences, const(0), self.t), low)
        moved = [(each[source], each[1 - source]) for each in (self.keys, self.orders) if each]

        def clear(k: Nat) -> Task[None]:
            s.assign(self.counts, k, Constant(0, I64))
            yield from ()

        def count(i: Nat) -> Task[None]:
            s.add(self.counts, self._digit_of(load(self.keys[source], i, self.t), low), Constant(1, I64), I64)
            yield from ()

        def move(i: Nat) -> Task[None]:
            key = s.tr.define(load(self.keys[source], i, self.t), "key", s.path)
            digit = self._digit_of(key, low)
            at = s.tr.define_index(load(self.counts, digit, I64), s.size, s.path)
            s.add(self.counts, digit, Constant(1, I64), I64)
            s.assign(self.keys[1 - source], at, key)
            if self.orders:
                s.assign(self.orders[1 - source], at, load(self.orders[source], i, I64))
            yield from ()

        def copy(i: Nat) -> Task[None]:
            for of, to in moved:
                s.assign(to, i, load(of, i, self.t if of in self.keys else I64))
            yield from ()

        def by_counts() -> Task[None]:
            yield s.tr.loop("seq", const(1 << self.digit), "k", s.path, clear)
            yield s.tr.loop("seq", s.size, "k", s.path, count)
            yield add_up(s, self.counts, 0, 1 << self.digit)
            yield s.tr.loop("seq", s.size, "k", s.path, move)

        def by_copy() -> Task[None]:
            yield s.tr.loop("seq", s.size, "k", s.path, copy)

        yield s.tr.when(Condition(((const(0), differs),)), s.path, by_counts)
        yield s.tr.when(Condition(((differs, const(1)),)), s.path, by_copy)

    def _exchanged(self, of: int) -> Task[None]:
        """One pass that exchanges neighbours in descending order, unless the last one found none; `left` becomes 0 if
        there are none.
        """
        s, keys = self.s, self.keys[of]
        carried = [(keys, s.buffer(self.t, const(1), "greatest"), self.t)]
        if self.orders:
            carried.append((self.orders[of], s.buffer(I64, const(1), "greatest_order"), I64))

        def exchange(i: Nat) -> Task[None]:
            before = s.tr.define(load(carried[0][1], const(0), self.t), "before", s.path)
            key = s.tr.define(load(keys, i + 1, self.t), "key", s.path)
            descends = s.tr.define(Operation("gt", (before, key), _BOOL), "descends", s.path)
            flag = Operation("select", (descends, Constant(1, I64), Constant(0, I64)), I64)
            s.assign(self.left, const(0), Operation("bitOr", (load(self.left, const(0), I64), flag), I64))
            for buffer, greatest, t in carried:
                one, other = load(greatest, const(0), t), load(buffer, i + 1, t)
                first = s.tr.define(Operation("select", (descends, other, one), t), "first", s.path)
                second = s.tr.define(Operation("select", (descends, one, other), t), "second", s.path)
                s.assign(buffer, i, first)
                s.assign(greatest, const(0), second)
            yield from ()

        def run() -> Task[None]:
            s.assign(self.left, const(0), Constant(0, I64))
            for buffer, greatest, t in carried:
                s.assign(greatest, const(0), load(buffer, const(0), t))
            yield s.tr.loop("seq", s.size - 1, "k", s.path, exchange)
            for buffer, greatest, t in carried:
                s.assign(buffer, s.size - 1, load(greatest, const(0), t))

        yield s.tr.when(Condition(((const(0), self._left()),)), s.path, run)

    def _put(self, of: int) -> Task[None]:
        """Store the result."""
        s, keys = self.s, self.keys[of]

        def put(i: Nat) -> Task[None]:
            if self.orders:
                yield s.put(i, s.tr.define_index(load(self.orders[of], i, I64), s.size, s.path))
                return
            key = s.tr.define(load(keys, i, self.t), "key", s.path)
            if self.is_packed:
                index = Operation("bitAnd", (key, Constant((1 << INDEX) - 1, self.t)), self.t)
                yield s.put(i, s.tr.define_index(Operation("cast", (index,), I64), s.size, s.path))
                return
            yield s.put(i, self._number(key))

        yield s.tr.loop("seq", s.size, "k", s.path, put)

    def _number(self, key: Value) -> Value:
        """The number of a key."""
        s = self.s
        kind = SCALARS[s.number.name].dtype.kind
        if kind == "u":
            return key
        signed = Operation("bitCast", (self._turned(key),), key_type(s))
        return signed if kind == "i" else Operation("bitCast", (key_of(s, signed),), s.number)
