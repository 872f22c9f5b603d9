"""Translates sorting of arrays of a few hundred numbers with a sorting network. Independent of targets.

A sorting network compares pairs of places that do not depend on the numbers, so that many pairs can be compared at
once. This one is Batcher's bitonic network ("Sorting networks and their applications", 1968): it merges an ascending
and a descending sequence to a sequence of twice the length. The array is stored in a matrix whose columns, the lanes of
a vector, are parts of the array, so comparisons within a part are comparisons of two rows. Descending parts are
complemented, so that one kind of comparison suffices.

Keys are signed integers in the order of the numbers, or the numbers themselves. They distinguish -0 from 0 and order
NaNs by their bits, so arrays with -0 or NaN are sorted by other methods. If the result consists of indices, each key is
followed by the index, so the sort is stable.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from rise.naturals import Nat, const
from rise.quotients import floor_quotient, remainder
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.imperative.nodes import I64, Buffer, Condition, Constant, Index, Operation, Value
from shine.translate.sorts import Sorting, bit_length, load
from shine.translate.trampoline import Task

#: from how many elements on a network is used, and up to how many
FEWEST_IN_NETWORK: Final = 48
LONGEST_IN_NETWORK: Final = 8192
#: the bits of the index that follows a key of at most 32 bits, and leaves the sign
INDEX: Final = 31
#: the bytes of a row of the matrix
ROW: Final = 64
_BOOL: Final = ScalarType("bool")
_PAIR: Final = ((0, 1),)
#: of four places: those at distance two, then adjacent ones
_TWO_STEPS: Final = ((0, 2), (1, 3), (0, 1), (2, 3))


def has_network(s: Sorting) -> bool:
    """Whether arrays of this type may be sorted by a network: on CPUs, if keys have 32 or 64 bits."""
    return not s.tr.is_gpu and (s.bits <= 32 if s.gives_indices else s.bits in (32, 64))


def by_network(s: Sorting, left: Buffer) -> Task[None]:
    """Sort an array of suitable length without NaN and -0 by a network; `left` becomes 0 if it was sorted."""
    fits = Condition(((const(FEWEST_IN_NETWORK - 1), s.size), (s.size, const(LONGEST_IN_NETWORK + 1))))

    def sort() -> Task[None]:
        t = key_type(s)
        lanes = 8 * ROW // SCALARS[t.name].bits
        levels = bit_length(s.tr, floor_quotient(s.size - 1, lanes), s.path)
        rows, size = _power(s, levels), _power(s, levels, lanes)
        network = Network(s, s.buffer(t, size, "keys"), t, lanes, levels, rows, size)
        yield network.fill(left)
        is_usual = Condition(((s.tr.define_index(load(left, const(0), I64), None, s.path), const(1)),))
        yield s.tr.when(is_usual, s.path, network.sort)

    yield s.tr.when(fits, s.path, sort)


def key_type(s: Sorting) -> ScalarType:
    """The type of keys."""
    if s.gives_indices:
        return I64
    return s.number if SCALARS[s.number.name].dtype.kind in "iu" else ScalarType(f"i{s.bits}")


def key_of(s: Sorting, bits: Value) -> Value:
    """The key for a float's bits, or the bits for a key: if the sign bit is set, all other bits are inverted."""
    t = key_type(s)
    bits = s.tr.define(bits, "bits", s.path)
    signs = Operation("shiftRight", (bits, Constant(s.bits - 1, t)), t)
    turned = Operation("bitAnd", (signs, Constant(int(np.iinfo(SCALARS[t.name].dtype).max), t)), t)
    return Operation("bitXor", (bits, turned), t)


def has_no_key(s: Sorting, key: Value) -> Value:
    """Whether a key is the key of NaN or -0."""
    facts, t = SCALARS[s.number.name], key_type(s)
    infinity = int(np.array(np.inf).astype(facts.dtype).view(SCALARS[t.name].dtype))
    above = Operation("gt", (key, Constant(infinity, t)), _BOOL)
    below = Operation("lt", (key, Constant(-1 - infinity, t)), _BOOL)
    negative_zero = Operation("eq", (key, Constant(-1, t)), _BOOL)
    return Operation("or", (Operation("or", (above, below), _BOOL), negative_zero), _BOOL)


def _power(s: Sorting, exponent: Nat, times: int = 1) -> Nat:
    """A number times 2^exponent."""
    known = exponent.constant
    if known is not None:
        return const(times << int(known))
    power = Operation("shiftLeft", (Constant(times, I64), Index(exponent, I64)), I64)
    return s.tr.define_index(power, None, s.path)


@dataclass(frozen=True, slots=True)
class Network:
    """The matrix of keys, of type `t`: `lanes` columns, 2^levels rows, and `size` elements."""

    s: Sorting
    keys: Buffer
    t: ScalarType
    lanes: int
    levels: Nat
    rows: Nat
    size: Nat

    def fill(self, left: Buffer) -> Task[None]:
        """Store the keys, padded with the greatest key. `left` becomes 1 if a number has no key."""
        s, none, one = self.s, Constant(0, I64), Constant(1, I64)
        s.assign(left, const(0), none)

        def keep(i: Nat) -> Task[None]:
            x: Value = yield s.number_at(i)
            if s.gives_indices:
                high = Operation(
                    "shiftLeft", (Operation("cast", (s.key(x),), I64), Constant(INDEX, I64)), I64
                )
                s.assign(self.keys, i, Operation("bitOr", (high, Index(i, I64)), I64))
                return
            if self.t == s.number:
                s.assign(self.keys, i, x)
                return
            key = s.tr.define(key_of(s, Operation("bitCast", (x,), self.t)), "key", s.path)
            s.assign(self.keys, i, key)
            has_none = Operation("select", (has_no_key(s, key), one, none), I64)
            s.assign(left, const(0), Operation("bitOr", (load(left, const(0), I64), has_none), I64))

        def pad(i: Nat) -> Task[None]:
            s.assign(self.keys, s.size + i, Constant(self.greatest, self.t))
            yield from ()

        yield s.tr.loop("seq", s.size, "k", s.path, keep)
        yield s.tr.loop("seq", self.size - s.size, "k", s.path, pad)

    @property
    def greatest(self) -> int:
        """The greatest key."""
        return int(np.iinfo(SCALARS[self.t.name].dtype).max)

    def sort(self) -> Task[None]:
        """Sort each column, then pairs of columns, of pairs, and so on, and store the result."""
        s = self.s
        yield self.complement(const(0), Constant(1, self.t))
        yield s.tr.loop("seq", self.levels, "level", s.path, self.pairs)
        yield s.tr.loop("seq", const(self.lanes.bit_length() - 1), "level", s.path, self.columns)
        yield s.tr.loop("seq", const(self.lanes), "lane", s.path, self.put)

    def columns(self, level: Nat) -> Task[None]:
        """Merge pairs of sequences of 2^level columns."""
        s, width = self.s, _power(self.s, level)
        bit = Operation("cast", (Index(2 * width, I64),), self.t)
        yield self.complement(width, s.tr.define(bit, "bit", s.path))
        wide, step = self.lanes // 2, self.lanes.bit_length() - 2
        while wide > 2:
            yield s.tr.when(Condition(((const(step - 1), level),)), s.path, partial(self.halves, wide))
            wide, step = wide // 2, step - 1
        four, two = partial(self.neighbours, 4, _TWO_STEPS), partial(self.neighbours, 2, _PAIR)
        yield s.tr.when(Condition(((const(0), level),)), s.path, four)
        yield s.tr.when(Condition(((level, const(1)),)), s.path, two)
        yield self.within(self.levels)

    def complement(self, width: Nat, bit: Value) -> Task[None]:
        """Complement the columns, in groups of `width`, that start or stop descending: those for which `bit` of the
        column's number plus `width` is set.
        """
        s, none = self.s, Constant(0, self.t)

        def turn(place: Nat, lane: Nat) -> Task[None]:
            key = s.tr.define(load(self.keys, place, self.t), "key", s.path)
            found = Operation("bitAnd", (Index(lane + width, self.t), bit), self.t)
            is_turned = Operation("ne", (found, none), _BOOL)
            turned = Operation("bitNot", (key,), self.t)
            s.assign(self.keys, place, Operation("select", (is_turned, turned, key), self.t))
            yield from ()

        def row(i: Nat) -> Task[None]:
            yield s.tr.loop(
                "simd", const(self.lanes), "lane", s.path, lambda lane: turn(i * self.lanes + lane, lane)
            )

        yield s.tr.loop("seq", self.rows, "row", s.path, row)

    def exchange(self, places: Sequence[Nat], pairs: Sequence[tuple[int, int]]) -> Task[None]:
        """Move the lesser key of each pair of places to the first place, one pair after the other."""
        s = self.s
        names = ("first", "second", "third", "fourth")[: len(places)]
        keys = [
            s.tr.define(load(self.keys, place, self.t), name, s.path)
            for name, place in zip(names, places, strict=True)
        ]
        for i, j in pairs:
            pair, of_pair = (keys[i], keys[j]), f"{names[i]}_{names[j]}"
            least = s.tr.define(Operation("min", pair, self.t), f"least_of_{of_pair}", s.path)
            most = s.tr.define(Operation("max", pair, self.t), f"most_of_{of_pair}", s.path)
            keys[i], keys[j] = least, most
        for place, key in zip(places, keys, strict=True):
            s.assign(self.keys, place, key)
        yield from ()

    def exchange_rows(self, rows: Sequence[Value], pairs: Sequence[tuple[int, int]]) -> Task[None]:
        """The same as `exchange` for pairs of rows, in all columns."""
        s, lanes = self.s, Constant(self.lanes, I64)
        firsts = [s.tr.define_index(Operation("mul", (row, lanes), I64), None, s.path) for row in rows]
        yield s.tr.loop(
            "simd",
            const(self.lanes),
            "lane",
            s.path,
            lambda lane: self.exchange([first + lane for first in firsts], pairs),
        )

    def pairs(self, level: Nat) -> Task[None]:
        """Join two sequences of 2^level rows in each column: reverse one of them, and merge."""
        s, length = self.s, Index(_power(self.s, level), I64)
        last = Operation("sub", (length, Constant(1, I64)), I64)

        def step(c: Nat) -> Task[None]:
            inside, first = self.split(Index(c, I64), last, 2)
            row = Operation("add", (first, inside), I64)
            end = Operation("add", (first, Operation("add", (length, last), I64)), I64)
            yield self.exchange_rows([row, Operation("sub", (end, inside), I64)], _PAIR)

        yield s.tr.loop("seq", floor_quotient(self.rows, 2), "pair", s.path, step)
        yield self.within(level)

    def split(self, c: Value, last: Value, count: int) -> tuple[Value, Value]:
        """For the number of a comparison of `count` rows whose distance is `last` + 1, a power of two: its number
        within its sequence, and the first row of the sequence.
        """
        s = self.s
        inside = s.tr.define(Operation("bitAnd", (c, last), I64), "inside", s.path)
        before = Operation("mul", (Operation("sub", (c, inside), I64), Constant(count, I64)), I64)
        return inside, before

    def within(self, levels: Nat) -> Task[None]:
        """Merge bitonic sequences of 2^levels rows, two levels at a time, after a single one if their number is odd."""
        yield self.merge(levels - 1, remainder(levels, 2) * (floor_quotient(self.rows, 2)), _PAIR)
        yield self.s.tr.loop(
            "seq",
            floor_quotient(levels, 2),
            "level",
            self.s.path,
            lambda k: self.merge(
                2 * (floor_quotient(levels, 2) - 1 - k), floor_quotient(self.rows, 4), _TWO_STEPS
            ),
        )

    def merge(self, level: Nat, count: Nat, pairs: Sequence[tuple[int, int]]) -> Task[None]:
        """Compare rows that are 2^level apart: `count` comparisons of two or four rows each."""
        if count.constant == 0:
            return
        s, taken = self.s, 2 if pairs is _PAIR else 4
        apart = Index(_power(s, level), I64)
        last = Operation("sub", (apart, Constant(1, I64)), I64)

        def step(c: Nat) -> Task[None]:
            inside, first = self.split(Index(c, I64), last, taken)
            row = s.tr.define(Operation("add", (first, inside), I64), "row", s.path)
            rows = [row]
            while len(rows) < taken:
                rows.append(Operation("add", (rows[-1], apart), I64))
            yield self.exchange_rows(rows, pairs)

        yield s.tr.loop("seq", count, "pair", s.path, step)

    def neighbours(self, count: int, pairs: Sequence[tuple[int, int]]) -> Task[None]:
        """Compare within each group of `count` adjacent elements of a row."""
        yield self.s.tr.loop(
            "simd",
            floor_quotient(self.size, count),
            "part",
            self.s.path,
            lambda c: self.exchange([count * c + k for k in range(count)], pairs),
        )

    def halves(self, width: int) -> Task[None]:
        """Compare the first half of each group of 2 `width` adjacent elements of a row with the second half."""
        s = self.s

        def step(c: Nat) -> Task[None]:
            first = 2 * width * c
            yield s.tr.loop(
                "simd",
                const(width),
                "lane",
                s.path,
                lambda lane: self.exchange([first + lane, first + width + lane], _PAIR),
            )

        yield s.tr.loop("seq", floor_quotient(self.size, 2 * width), "part", s.path, step)

    def put(self, lane: Nat) -> Task[None]:
        """Store a column, which is a part of the result."""
        s = self.s

        def step(row: Nat) -> Task[None]:
            at = lane * self.rows + row
            yield s.tr.when(Condition(((at, s.size),)), s.path, lambda: store(row, at))

        def store(row: Nat, at: Nat) -> Task[None]:
            key = load(self.keys, row * self.lanes + lane, self.t)
            if s.gives_indices:
                last = Operation("bitAnd", (key, Constant((1 << INDEX) - 1, I64)), I64)
                yield s.put(at, s.tr.define_index(last, s.size, s.path))
            elif self.t == s.number:
                yield s.put(at, key)
            else:
                yield s.put(at, Operation("bitCast", (key_of(self.s, key),), s.number))

        yield s.tr.loop("seq", self.rows, "row", s.path, step)
