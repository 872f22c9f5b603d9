"""The values of primitives for all sizes: one record for each primitive that is not opaque. Independent of terms.

One subject: the table of these values, all of which is needed to evaluate a term.

A primitive without a record, and without a trait that determines its value, is an opaque operation: equal operands give
equal results, and nothing else is known. Loops have the value of the pattern that they implement. Reductions in any
order have the value of the reduction in order, as their promises allow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final

from rise.checker.state import State
from rise.checker.values import (
    Array,
    Choice,
    Equal,
    Function,
    Holds,
    Index,
    Less,
    Number,
    Operation,
    Pair,
    Unspecified,
    Value,
    elements_of,
)
from rise.naturals import Nat, const, nat
from rise.primitives import PRIMITIVES, has_trait
from rise.quotients import NatCall, ceiling_quotient, floor_quotient, minimum, remainder
from rise.records import dataclass
from rise.size_functions import SizeFunction, size_at, size_sum
from rise.terms import Literal, make_literal
from rise.types import BOOL, IndexType, PairType, Type


@dataclass(frozen=True, slots=True)
class Meaning:
    """The value of a primitive: `value(state, at, *operands)`, where `at` has its sizes and types by name."""

    name: str
    value: Callable[..., Value]


MAX_STEPS: Final = 4  # to which `iterate` is unrolled


def _map(state: State, at: Any, f: Function, xs: Array) -> Value:
    return Array(at.n, lambda i: state.call(f, state.element(xs, i)))


def _reduce(state: State, at: Any, f: Function, start: Value, xs: Array) -> Value:
    return state.fold(at.n, lambda acc, k: state.call(f, acc, state.element(xs, k)), start, at.t)


def _pipelined(state: State, at: Any, load: Function, step: Function, start: Value, xs: Array) -> Value:
    loaded = Array(at.n, lambda i: state.call(load, state.element(xs, i)))
    return _reduce(state, at, step, start, loaded)


def _scan(state: State, at: Any, f: Function, start: Value, xs: Array) -> Value:
    def step(acc: Value, k: Nat) -> Value:
        return state.call(f, acc, state.element(xs, k))

    return Array(at.n, lambda i: state.fold(i + 1, step, start, at.t))


def _same(state: State, at: Any, x: Value) -> Value:
    return x


def _cut(state: State, at: Any, xs: Array) -> Value:
    return Array(at.m, lambda i: Array(at.n, lambda j: state.element(xs, i * at.n + j)))


def _concatenated(state: State, rows: Array, width: Nat, size: Nat) -> Array:
    """The `size` elements of all rows. All rows except the last one have `width` elements."""
    return Array(
        size, lambda k: state.element(state.element(rows, floor_quotient(k, width)), remainder(k, width))
    )


def _joined(width: str) -> Callable[..., Value]:
    def value(state: State, at: Any, xs: Array) -> Value:
        return _concatenated(state, xs, getattr(at, width), at.n * at.m)

    return value


def _transpose(state: State, at: Any, xs: Array) -> Value:
    return Array(at.m, lambda i: Array(at.n, lambda j: state.element(state.element(xs, j), i)))


def _slide(state: State, at: Any, xs: Array) -> Value:
    return Array(1 + at.n, lambda i: Array(at.sz, lambda j: state.element(xs, i * at.sp + j)))


def _windows_of_map(state: State, at: Any, f: Function, xs: Array) -> Value:
    mapped = Array(at.n + at.sz, lambda i: state.call(f, state.element(xs, i)))
    return _slide(state, SimpleNamespace(n=at.n, sz=at.sz, sp=const(1)), mapped)


def _lines(state: State, at: Any, f: Function, xs: Array) -> Value:
    def column(i: Nat) -> Array:
        return Array(at.n + at.sz, lambda j: state.element(state.element(xs, j), i))

    rows = Array(at.m, lambda i: _windows_of_map(state, at, f, column(i)))
    return Array(1 + at.n, lambda i: Array(at.m, lambda j: state.element(state.element(rows, j), i)))


def _concat(state: State, at: Any, xs: Array, ys: Array) -> Value:
    def element(i: Nat) -> Value:
        return state.choose(
            Less(i, at.n), lambda: state.element(xs, i), lambda: state.element(ys, i - at.n), at.t
        )

    return Array(at.n + at.m, element)


def _padded(
    state: State, at: Any, left: Callable[[], Value], xs: Array, right: Callable[[], Value]
) -> Callable[[Nat], Value]:
    def inner(i: Nat) -> Value:
        return state.choose(Less(i, at.l + at.n), lambda: state.element(xs, i - at.l), right, at.t)

    return lambda i: state.choose(Less(i, at.l), left, lambda: inner(i), at.t)


def _pad_constant(state: State, at: Any, c: Value, xs: Array) -> Value:
    return Array(at.l + at.n + at.r, _padded(state, at, lambda: c, xs, lambda: c))


def _pad_clamp(state: State, at: Any, xs: Array) -> Value:
    def unspecified() -> Value:
        return state.reflect(Unspecified(), at.t)

    padded = _padded(state, at, lambda: state.element(xs, const(0)), xs, lambda: state.element(xs, at.n - 1))
    return Array(
        at.l + at.n + at.r,
        lambda i: state.choose(Less(at.n, const(1)), unspecified, lambda: padded(i), at.t),
    )


def _pad_empty(state: State, at: Any, xs: Array) -> Value:
    def element(i: Nat) -> Value:
        return state.choose(
            Less(i, at.n),
            lambda: state.element(xs, i),
            lambda: state.reflect(Unspecified(), at.t),
            at.t,
        )

    return Array(at.n + at.r, element)


def _gather(state: State, at: Any, indices: Array, xs: Array) -> Value:
    return Array(at.m, lambda k: state.element(xs, state.element(indices, k).nat))


def _iterate(state: State, at: Any, f: Function, xs: Value) -> Value:
    count = at.k.constant
    if count is None or count > MAX_STEPS:
        return None
    for done in range(count):
        size = at.m
        for _ in range(count - 1 - done):
            size = size * at.n
        xs = state.call(f, size, xs)
    return xs


def _filled(state: State, at: Any, x: Value) -> Value:
    return Array(at.m, lambda i: Array(at.n, lambda j: x))


def _elementwise(state: State, at: Any, f: Function, *fragments: Array) -> Value:
    def element(i: Nat, j: Nat) -> Value:
        return state.call(f, *(state.element(state.element(xs, i), j) for xs in fragments))

    return Array(at.m, lambda i: Array(at.n, lambda j: element(i, j)))


def _product_added(state: State, at: Any, a: Array, b: Array, start: Array) -> Value:
    state.used.add("sums in any order")

    def wide(x: Value) -> Value:
        return x if at.s == at.t else operation(state, "cast", (at.t, at.s), (x, at.s), result=at.t)

    def element(i: Nat, j: Nat) -> Value:
        def step(acc: Value, k: Nat) -> Value:
            left = wide(state.element(state.element(a, i), k))
            right = wide(state.element(state.element(b, k), j))
            product = operation(state, "mul", (at.t,), (left, at.t), (right, at.t), result=at.t)
            return operation(state, "add", (at.t,), (acc, at.t), (product, at.t), result=at.t)

        return state.fold(at.k, step, state.element(state.element(start, i), j), at.t)

    return Array(at.m, lambda i: Array(at.n, lambda j: element(i, j)))


def _scatter_add(state: State, at: Any, indices: Array, xs: Array, start: Array) -> Value:
    state.used.add("sums in any order")

    def element(j: Nat) -> Value:
        def step(acc: Value, k: Nat) -> Value:
            def added() -> Value:
                x = state.element(xs, k)
                return operation(state, "add", (at.t,), (acc, at.t), (x, at.t), result=at.t)

            return state.choose(Equal(state.element(indices, k).nat, j), added, lambda: acc, at.t)

        return state.fold(at.n, step, state.element(start, j), at.t)

    return Array(at.m, element)


def _select(state: State, at: Any, condition: Value, yes: Value, no: Value) -> Value:
    match condition:
        case Choice(under):  # a truth value that is itself a choice: one case after the other
            return state.choose(
                under,
                lambda: _select(state, at, condition.yes(), yes, no),
                lambda: _select(state, at, condition.no(), yes, no),
                at.t,
            )
    return state.choose(Holds(condition), lambda: yes, lambda: no, at.t)


def _equal(state: State, at: Any, x: Value, y: Value) -> Value:
    match x, y:
        case Operation("indexAsInt", _, ((Index(i), _),)), Operation("indexAsInt", _, ((Index(j), _),)):
            return state.choose(Equal(i, j), lambda: Number(True, BOOL), lambda: Number(False, BOOL), BOOL)
    return None


def _better(name: str) -> Callable[..., Value]:
    def value(state: State, at: Any, p: Pair, q: Pair) -> Value:
        takes = Holds(Operation(name, (at.t,), ((p.second, at.t), (q.second, at.t))))
        return Pair(
            state.choose(takes, lambda: q.first, lambda: p.first, at.s),
            state.choose(takes, lambda: q.second, lambda: p.second, at.t),
        )

    return value


def _best(step: str) -> Callable[..., Value]:
    """The index that results from a reduction of pairs of an index and a number, starting with the first element."""

    def value(state: State, at: Any, xs: Array) -> Value:
        index: Type = IndexType(1 + at.n)

        def take(acc: Value, k: Nat) -> Value:
            pair = Pair(Index(k), state.element(xs, k))
            return _better(step)(state, SimpleNamespace(s=index, t=at.t), acc, pair)

        start = Pair(Index(const(0)), state.element(xs, const(0)))
        return state.fold(1 + at.n, take, start, PairType(index, at.t)).first

    return value


def _match(state: State, at: Any, pair: Value, f: Function) -> Value:
    return state.call(f, pair.first.nat, pair.second) if isinstance(pair, Pair) else None


def _dependent_map(state: State, at: Any, f: Function, xs: Array) -> Value:
    return Array(at.n, lambda i: state.call(f, i, state.element(xs, i)))


def _tiles(state: State, at: Any, xs: Array) -> Value:
    def tile(i: Nat) -> Value:
        length = minimum(at.tile, at.n - at.tile * i) + at.halo
        return Array(length, lambda j: state.element(xs, i * at.tile + j))

    return Array(ceiling_quotient(at.n, at.tile), tile)


def _joined_rows(state: State, at: Any, xs: Array) -> Value:
    """The elements of all rows, if all except the last one have the same length; otherwise None."""
    width = _width(at.n, at.len, state.fresh_index(at.n)) if isinstance(at.len, SizeFunction) else None
    return None if width is None else _concatenated(state, xs, width, size_sum(at.n, at.len))


def _literal(state: State, at: Any, *elements: Value) -> Value:
    def element(i: Nat, k: int = 0) -> Value:
        if i.constant is not None:
            return elements[min(i.constant, len(elements) - 1)]
        if k == len(elements) - 1:
            return elements[k]
        return state.choose(Less(i, const(k + 1)), lambda: elements[k], lambda: element(i, k + 1), at.t)

    return Array(const(len(elements)), element)


def operation(
    state: State,
    name: str,
    parameters: tuple[Any, ...],
    *operands: tuple[Value, Type],
    result: Type,
) -> Value:
    """An opaque operation; on vectors and arrays of numbers, one operation for each number."""
    lanes = elements_of(result)
    if lanes is not None and has_trait(name, "lanewise"):
        length, element = lanes
        inner = tuple(getattr(p, "element", p) for p in parameters)

        def lane(i: Nat) -> Value:
            parts = ((state.element(x, i), getattr(t, "element", t)) for x, t in operands)
            return operation(state, name, inner, *parts, result=element(i))

        return Array(length, lane)
    match operands:
        case ((Number(bits, t), _),) if name == "cast" and Literal(bits, t) == make_literal(0, t):
            return Number(make_literal(0, result).bits, result)
        case ((Choice(condition, yes, no), t),) if name == "cast":

            def converted(x: Callable[[], Value]) -> Callable[[], Value]:
                return lambda: operation(state, name, parameters, (x(), t), result=result)

            return state.choose(condition, converted(yes), converted(no), result)
    return state.reflect(Operation(name, parameters, operands), result)


def _width(count: Nat, lengths: SizeFunction, i: Nat) -> Nat | None:
    """The length of all rows if it is the same, or of all rows except the last one if the i-th of `ceil(n, w)` rows has
    the length `min(w, n - w * i)`; otherwise None.
    """
    length, ((((row, _),), _),) = size_at(lengths, i), i.terms
    if row not in length.free:
        return length
    match length.terms:
        case ((((NatCall("min", sizes), 1),), 1),):
            for width in sizes:
                for rest in sizes:
                    total = rest + width * i
                    if row not in width.free | total.free and ceiling_quotient(total, width) == count:
                        return width
    return None


_TAKEN_APART: Final = (
    *(Meaning(name, _map) for name in sorted(PRIMITIVES) if has_trait(name, "maps")),
    *(Meaning(name, _reduce) for name in sorted(PRIMITIVES) if has_trait(name, "reduces")),
    Meaning("reducePipe", _pipelined),
    *(Meaning(name, _scan) for name in sorted(PRIMITIVES) if has_trait(name, "scans")),
    *(Meaning(one.name, _same) for one in PRIMITIVES.values() if one.law == f"{one.name} x = x"),
    *(Meaning(name, _same) for name in sorted(PRIMITIVES) if has_trait(name, "loads")),
    *(
        Meaning(name, _better(name))
        for name in sorted(PRIMITIVES)
        if has_trait(name, "chooses") and not has_trait(name, "lanewise")
    ),
    Meaning("asFragmentAcc", _same),
    Meaning("asMatrix", _same),
    Meaning("toMem", _same),
    Meaning("let", lambda state, at, x, f: state.call(f, x)),
    Meaning("iterate", _iterate),
    Meaning("pair", lambda state, at, a, b: Pair(a, b)),
    Meaning("fst", lambda state, at, p: p.first),
    Meaning("snd", lambda state, at, p: p.second),
    Meaning("mapFst", lambda state, at, f, p: Pair(state.call(f, p.first), p.second)),
    Meaning("mapSnd", lambda state, at, f, p: Pair(p.first, state.call(f, p.second))),
    Meaning(
        "zip",
        lambda state, at, xs, ys: Array(at.n, lambda i: Pair(state.element(xs, i), state.element(ys, i))),
    ),
    Meaning(
        "unzip",
        lambda state, at, xs: Pair(
            Array(at.n, lambda i: state.element(xs, i).first),
            Array(at.n, lambda i: state.element(xs, i).second),
        ),
    ),
    Meaning("split", _cut),
    Meaning("asVector", _cut),
    Meaning("asVectorAligned", _cut),
    Meaning("join", _joined("m")),
    Meaning("asScalar", _joined("n")),
    Meaning("transpose", _transpose),
    Meaning("slide", _slide),
    Meaning("circularBuffer", _windows_of_map),
    Meaning("rotateValues", _windows_of_map),
    Meaning("lineBuffer", _lines),
    Meaning("take", lambda state, at, xs: Array(at.n, lambda i: state.element(xs, i))),
    Meaning("drop", lambda state, at, xs: Array(at.m, lambda i: state.element(xs, i + at.n))),
    Meaning("concat", _concat),
    Meaning("padCst", _pad_constant),
    Meaning("padClamp", _pad_clamp),
    Meaning("padEmpty", _pad_empty),
    Meaning("generate", lambda state, at, f: Array(at.n, lambda i: state.call(f, Index(i)))),
    Meaning("idx", lambda state, at, i, xs: state.element(xs, i.nat)),
    Meaning("fromEnd", lambda state, at, i: Index(at.n - 1 - i.nat)),
    Meaning("natAsIndex", lambda state, at: Index(nat(at.i))),
    Meaning("indexAsNat", lambda state, at, i, f: state.call(f, i.nat)),
    Meaning("gather", _gather),
    Meaning(
        "reorder",
        lambda state, at, f, g, xs: Array(at.n, lambda i: state.element(xs, state.call(f, Index(i)).nat)),
    ),
    *(Meaning(name, _scatter_add) for name in ("scatterAdd", *PRIMITIVES["scatterAdd"].lowers_to)),
    Meaning("vectorFromScalar", lambda state, at, x: Array(at.n, lambda i: x)),
    Meaning("generateFragment", _filled),
    Meaning("mapFragment", _elementwise),
    Meaning("zipFragment", _elementwise),
    Meaning("tensorMatMulAdd", _product_added),
    Meaning("eq", _equal),
    Meaning("select", _select),
    Meaning("makeArray", _literal),
    Meaning("argmin", _best("lesserPair")),
    Meaning("argmax", _best("greaterPair")),
    *(Meaning(name, _dependent_map) for name in sorted(PRIMITIVES) if has_trait(name, "rows")),
    Meaning("depTile", _tiles),
    Meaning("depJoin", _joined_rows),
    Meaning("makeDepPair", lambda state, at, x: Pair(Index(nat(at.n)), x)),
    Meaning("dmatch", _match),
)


def _collect(*meanings: Meaning) -> Mapping[str, Meaning]:
    records: dict[str, Meaning] = {}
    for meaning in meanings:
        assert meaning.name not in records or records[meaning.name].value is meaning.value, meaning.name
        records[meaning.name] = meaning
    return MappingProxyType(records)


MEANINGS: Final = _collect(*_TAKEN_APART)
