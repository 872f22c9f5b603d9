"""Translates sorting (by rank, by a network, or by radix sort) and searching. Independent of targets.

Numbers are compared by their keys: unsigned integers of the same width whose order is that of the numbers. The rank
of an element is the number of elements that come before it; computing ranks takes quadratic time, but vectorises. LSD
radix sort moves elements by one digit at a time, from the least significant one, to the index given by the counts of
smaller digits; elements with equal digits stay in order, so the sort is stable.
"""

from __future__ import annotations

from typing import Final

from rise.naturals import Nat, const
from rise.scalars import SCALARS
from rise.types import IndexType, ScalarType
from shine.imperative.nodes import I64, Assign, Buffer, Condition, Constant, Index, Operation, Value
from shine.translate.core import Call, Known, Translation, Translator, read
from shine.translate.radix_sorts import by_radix, has_radix_sort
from shine.translate.scalars import as_scalar
from shine.translate.sorting_networks import by_network, has_network
from shine.translate.sorts import Sorting, add_up, bit_length, load
from shine.translate.trampoline import Task
from shine.translate.values import IndexReader, Place, Reader, element
from shine.translate.views import array_of

#: the longest arrays that are sorted by ranks
LONGEST_RANKED: Final = 128
#: the bits of a digit; on a GPU, where each thread has its own counts, a digit is shorter
DIGIT: Final = 8
DIGIT_ON_GPU: Final = 4
_BOOL: Final = ScalarType("bool")


def write_sort(tr: Translator, call: Call, place: Place) -> Task[None]:
    """The elements, or their indices, in ascending order of their keys."""
    given, result = array_of(call.parameters[0]), array_of(call.type)
    assert isinstance(given.element, ScalarType), given
    xs: Reader = yield read(tr, call.last)
    one = Sorting(tr, xs, given.size, given.element, place, result.element, call.path)
    most = const(LONGEST_RANKED)

    def otherwise() -> Task[None]:
        yield tr.when(Condition(((given.size, most + 1),)), call.path, lambda: by_ranks(one))
        yield tr.when(Condition(((most, given.size),)), call.path, lambda: by_digits(one))

    if not has_network(one) and not has_radix_sort(one):
        yield otherwise()
        return
    left = one.buffer(I64, const(1), "left")
    one.assign(left, const(0), Constant(1, I64))
    if has_network(one):
        yield by_network(one, left)
    if has_radix_sort(one):
        yield by_radix(one, left)
    is_left = tr.define_index(load(left, const(0), I64), None, call.path)
    yield tr.when(Condition(((const(0), is_left),)), call.path, otherwise)


def by_ranks(s: Sorting) -> Task[None]:
    """Store each element at its rank: the number of elements that are less, or equal and before it. All ranks are
    counted together, so that these loops vectorise.
    """
    u = s.unsigned
    longest = s.size if s.size.constant is not None else const(LONGEST_RANKED)
    keys, ranks = s.buffer(u, longest, "keys"), s.buffer(u, longest, "ranks")
    values = None if s.gives_indices else s.buffer(s.number, longest, "values")
    one, none = Constant(1, u), Constant(0, u)

    def keep(i: Nat) -> Task[None]:
        x: Value = yield s.number_at(i)
        if values is not None:
            s.assign(values, i, x)
        s.assign(keys, i, s.key(x))
        s.assign(ranks, i, none)

    def count(j: Nat) -> Task[None]:
        other = s.tr.define(load(keys, j, u), "other", s.path)

        def compare(i: Nat) -> Task[None]:
            own = s.tr.define(load(keys, i, u), "key", s.path)
            is_before = Operation("lt", (Index(j, u), Index(i, u)), _BOOL)
            is_first = Operation("and", (Operation("eq", (other, own), _BOOL), is_before), _BOOL)
            precedes = Operation("or", (Operation("lt", (other, own), _BOOL), is_first), _BOOL)
            s.add(ranks, i, Operation("select", (precedes, one, none), u), u)
            yield from ()

        yield s.tr.loop("seq", s.size, "k", s.path, compare)

    def move(i: Nat) -> Task[None]:
        rank = Operation("cast", (load(ranks, i, u),), I64)
        at = s.tr.define_index(rank, s.size, s.path)
        yield s.put(at, i if values is None else load(values, i, s.number))

    yield s.tr.loop("seq", s.size, "k", s.path, keep)
    yield s.tr.loop("seq", s.size, "j", s.path, count)
    yield s.tr.loop("seq", s.size, "k", s.path, move)


def by_digits(s: Sorting) -> Task[None]:
    """One pass for each digit of the keys, alternating between two temporaries; the last pass writes the result."""
    u = s.unsigned
    digit = DIGIT_ON_GPU if s.tr.is_gpu else DIGIT
    radix, passes = 1 << digit, SCALARS[u.name].bits // digit
    counts = s.buffer(I64, const(passes * radix), "counts")
    moved = u if s.gives_indices else s.number
    between = [s.buffer(moved, s.size, "moved") for _ in range(min(passes, 2))]
    orders = [s.buffer(I64, s.size, "order") for _ in range(min(passes - 1, 2) if s.gives_indices else 0)]

    def digit_of(key: Value, number: int) -> Nat:
        shifted = Operation("shiftRight", (key, Constant(number * digit, u)), u) if number else key
        last = Operation("bitAnd", (shifted, Constant(radix - 1, u)), u)
        found = s.tr.define_index(Operation("cast", (last,), I64), const(radix), s.path)
        return number * radix + found

    def clear(k: Nat) -> Task[None]:
        s.assign(counts, k, Constant(0, I64))
        yield from ()

    def keep(i: Nat) -> Task[None]:
        x: Value = yield s.number_at(i)
        key = s.key(x)
        s.assign(between[0], i, key if s.gives_indices else x)
        for number in range(passes):
            s.add(counts, digit_of(key, number), Constant(1, I64), I64)

    yield s.tr.loop("seq", const(passes * radix), "k", s.path, clear)
    yield s.tr.loop("seq", s.size, "k", s.path, keep)
    for number in range(passes):
        yield add_up(s, counts, number * radix, radix)
        source, target = (between[(number + turn) % len(between)] for turn in range(2))

        def move(
            i: Nat, number: int = number, source: Buffer = source, target: Buffer = target
        ) -> Task[None]:
            x = s.tr.define(load(source, i, moved), "x", s.path)
            digit = digit_of(x if s.gives_indices else s.key(x), number)
            at = s.tr.define_index(load(counts, digit, I64), s.size, s.path)
            value: Value | Nat = x
            if s.gives_indices:
                before = orders[(number - 1) % 2] if number else None
                value = i if before is None else s.tr.define_index(load(before, i, I64), s.size, s.path)
            s.add(counts, digit, Constant(1, I64), I64)
            if number == passes - 1:
                yield s.put(at, value)
                return
            s.assign(target, at, x)
            if isinstance(value, Nat):
                s.assign(orders[number % 2], at, Index(value, I64))

        yield s.tr.loop("seq", s.size, "k", s.path, move)


def read_partition_point(tr: Translator, call: Call) -> Task[Reader]:
    """Binary search with steps that are powers of two, from the greatest one that is at most the length."""
    function, operand = call.operands
    array, result = array_of(call.parameters[1]), call.type
    assert isinstance(result, IndexType), result
    xs: Reader = yield read(tr, operand)
    ((point, _),) = tr.allocate(I64, "Local", "point", call.path)
    tr.mutable.add(point.name)
    before = load(point, const(0), I64)
    tr.emit(Assign(point, const(0), Constant(0, I64), True, call.path.origin))
    steps = bit_length(tr, array.size, call.path)

    def step(number: Nat) -> Task[None]:
        power = Operation("shiftLeft", (Constant(1, I64), Index(steps - 1 - number, I64)), I64)
        stride = tr.define(power, "stride", call.path)
        last = Operation("sub", (Operation("add", (before, stride), I64), Constant(1, I64)), I64)
        at = tr.define_index(last, None, call.path)
        yield tr.when(Condition(((at, array.size),)), call.path, lambda: compare(at, stride))

    def compare(at: Nat, stride: Value) -> Task[None]:
        """Take a step if the element satisfies the condition, without a branch on the element."""
        x: Reader = yield element(xs, at)
        holds: Reader = yield read(tr, function, Known(x, array.element))
        one = Operation("select", (as_scalar(holds).value, Constant(1, I64), Constant(0, I64)), I64)
        moved = Operation("add", (before, Operation("mul", (one, stride), I64)), I64)
        tr.emit(Assign(point, const(0), moved, True, call.path.origin))

    yield tr.loop("seq", steps, "step", call.path, step)
    return IndexReader(tr.define_index(before, result.size, call.path))


ORDERS: Final = (
    Translation("sortSeq", "read -> write", write=write_sort),
    Translation("argsortSeq", "read -> write", write=write_sort),
    Translation("partitionPoint", "(read -> read) -> read -> read", read=read_partition_point),
)
