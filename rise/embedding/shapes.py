"""Views of arrays: permuted axes, slices, windows, padding."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rise.dsl.printer import ArrayLiteral, Function, TextPiece, TypeNode, Variable
from rise.embedding import trace as t
from rise.embedding.elementwise import element, map_over, matched, with_length
from rise.embedding.lengths import may_be_equal, refuse_shapes, shape_text
from rise.embedding.loop_numbers import integer
from rise.embedding.places import refuse
from rise.embedding.python_numbers import number
from rise.embedding.trace import Part, apply, array_of, computed, function, name_of, piped, viewed
from rise.indices import is_below
from rise.naturals import Nat, const, exact_quotient
from rise.primitives import PROJECTIONS
from rise.quotients import ceiling_quotient, floor_quotient
from rise.text.nat_printer import show_nat
from rise.types import BOOL, I64, ArrayType, IndexType, PairType, Type


def under(depth: int, view: Callable[[Part], Part], xs: Part, name: str = "") -> Part:
    """Apply a view below `depth` axes of an array; `name` is the name of its rows."""
    if depth == 0:
        return view(xs)
    called = name or name_of(xs)
    f = function(xs.trace, [called or "row"], [element(xs)], lambda row: under(depth - 1, view, row, called))
    return map_over(f, xs, is_view=True)


def is_split(shape: Sequence[Nat], parts: Sequence[Nat]) -> bool:
    """Whether each axis of an array is one or more consecutive axes of another one with the same elements.

    >>> is_split([const(6), const(2)], [const(2), const(3), const(2)])
    True
    >>> is_split([const(6), const(2)], [const(4), const(3)])
    False
    """
    rest = list(parts)
    for size in shape:
        product = const(1)
        while product != size and rest:
            product *= rest.pop(0)
        if product != size:
            return False
    return all(size == const(1) for size in rest)


def transpose(xs: Part) -> Part:
    """Swap the first two axes."""
    known = xs.trace.transposed.get(id(xs.syntax))
    if known is not None:
        return known
    rows, columns = xs.shape[:2]
    type = ArrayType(columns, ArrayType(rows, element_below(xs)))
    result = viewed(type, apply("transpose", xs.syntax), xs)
    xs.trace.transposed[id(result.syntax)] = xs
    return result


def element_below(xs: Part) -> Type:
    """The element type below the first two axes."""
    rows = element(xs)
    assert isinstance(rows, ArrayType)
    return rows.element


def permuted(xs: Part, axes: Sequence[int]) -> Part:
    """Permute the axes, by swaps of neighbours."""
    order = list(axes)
    current = list(range(len(order)))
    for place, wanted in enumerate(order):
        at = current.index(wanted)
        while at > place:
            xs = under(at - 1, transpose, xs)
            current[at - 1], current[at] = current[at], current[at - 1]
            at -= 1
    return xs


def take(xs: Part, count: Nat) -> Part:
    """The first `count` elements."""
    if count == xs.shape[0]:
        return xs
    return viewed(ArrayType(count, element(xs)), piped("take", TypeNode(count), xs.syntax), xs)


def drop(xs: Part, count: Nat) -> Part:
    """All elements except the first `count`."""
    if count == const(0):
        return xs
    return viewed(ArrayType(xs.shape[0] - count, element(xs)), piped("drop", TypeNode(count), xs.syntax), xs)


def split(xs: Part, size: Nat) -> Part:
    """Split the first axis into rows of `size` elements."""
    rows = exact_quotient(xs.shape[0], size)
    return viewed(
        ArrayType(rows, ArrayType(size, element(xs))), piped("split", TypeNode(size), xs.syntax), xs
    )


def backwards(xs: Part) -> Part:
    """Reverse the elements."""
    return viewed(xs.type, piped("reorder", TextPiece("fromEnd"), TextPiece("fromEnd"), xs.syntax), xs)


def every(xs: Part, step: int) -> Part:
    """The first of every `step` elements; the last group may be shorter."""
    count = ceiling_quotient(xs.shape[0], step)
    return under(
        1,
        lambda row: viewed(element(row), piped("idx", TextPiece("0"), row.syntax), row),
        split(longer(xs, count * step), const(step)),
    )


def longer(xs: Part, size: Nat) -> Part:
    """The array with additional elements at its end, which are never read."""
    missing = size - xs.shape[0]
    if missing == const(0):
        return xs
    return viewed(ArrayType(size, element(xs)), piped("padEmpty", TypeNode(missing), xs.syntax), xs)


def join(xs: Part) -> Part:
    """Join the first two axes."""
    rows, columns = xs.shape[:2]
    return viewed(ArrayType(rows * columns, element_below(xs)), apply("join", xs.syntax), xs)


def flat(xs: Part) -> Part:
    """Join all axes."""
    while len(xs.shape) > 1:
        xs = join(xs)
    return xs


def reshaped(xs: Part, shape: Sequence[Nat]) -> Part:
    """The elements in another shape. If their number depends on sizes, a call checks that the shape has as many."""
    total, wanted = const(1), const(1)
    for size in xs.shape:
        total = total * size
    for size in shape:
        wanted = wanted * size
    if total != wanted and not may_be_equal(total, wanted):
        title = f"expected a shape of {show_nat(total)} elements, found {shape_text(shape)}"
        refuse(
            "shape-mismatch", title, "the number of elements must stay the same; one of the sizes may be -1"
        )
    if tuple(shape) == xs.shape:
        return xs
    if not shape:
        return first_of_all(xs)
    if not xs.shape:
        xs = stacked([xs])
    if total != wanted:
        xs.trace.promise_equal(total, wanted)
        return _reshaped(take(flat(xs), wanted), shape)
    kept = _equal_at_start(xs.shape[:-1], shape[:-1])
    if min(len(xs.shape), len(shape)) - kept > 1:
        kept = 0  # only if rows are just split or just joined: otherwise their array is named
    return under(kept, lambda rows: _reshaped(rows, shape[kept:]), xs)


def _equal_at_start(sizes: Sequence[Nat], others: Sequence[Nat]) -> int:
    """The length of the longest common prefix of two lists of sizes."""
    pairs = enumerate(zip(sizes, others, strict=False))
    return next((at for at, (size, other) in pairs if size != other), min(len(sizes), len(others)))


def _reshaped(xs: Part, shape: Sequence[Nat]) -> Part:
    """The elements in another shape: the axes that differ are joined and split, and those after them are kept."""
    kept = _equal_at_start(xs.shape[:0:-1], shape[:0:-1])
    while len(xs.shape) > 1 + kept:
        xs = join(xs)
    for size in reversed(shape[1 : len(shape) - kept]):
        xs = split(xs, size)
    return xs


def of_length(xs: Part, size: Nat) -> Part:
    """The array with another length of its last axis, if only a call can check that this is its length, which it does;
    otherwise the array itself.
    """
    return with_length(xs, len(xs.shape) - 1, size)


def is_dropped(xs: Part, axis: int, *, is_named: bool) -> bool:
    """Whether `np.squeeze` drops an axis, since its length is 1. If the length depends on sizes, a call checks that it
    is 1 if the axis is named, and that it is not 1 otherwise.
    """
    size = xs.shape[axis]
    if is_named and size != const(1):
        if not may_be_equal(size, const(1)):
            title = f"expected an axis of length 1, found axis {axis} of length {show_nat(size)}"
            refuse("shape-mismatch", title, "omit the axis to drop those of length 1")
        xs.trace.promise_equal(size, const(1))
        return True
    if size.constant is None and not is_below(const(1), size):
        xs.trace.promise_at_most(const(2), size)
    return size == const(1)


def first_of_all(xs: Part) -> Part:
    """The only element of an array whose axes all have length 1."""
    while xs.shape:
        xs = viewed(element(xs), piped("idx", TextPiece("0"), xs.syntax), xs)
    return xs


def windows(xs: Part, size: Nat, step: int = 1) -> Part:
    """Windows of `size` elements, as those of `slide`."""
    further = floor_quotient(xs.shape[0] - size, step)
    xs = take(xs, further * step + size)
    syntax = piped("slide", TypeNode(size), TextPiece(str(step)), xs.syntax)
    return viewed(ArrayType(const(1) + further, ArrayType(size, element(xs))), syntax, xs)


def windows_of(xs: Part, sizes: Sequence[Nat], axes: Sequence[int]) -> Part:
    """Windows along several axes; the axes of the windows come last."""
    rank = len(xs.shape)
    for done, (size, axis) in enumerate(zip(sizes, axes, strict=True)):
        xs = under(axis, lambda rows, size=size: windows(rows, size), xs)  # type: ignore[misc]  # bound now
        order = list(range(rank + done + 1))
        order.append(order.pop(axis + 1))
        xs = permuted(xs, order)
    return xs


def padded(xs: Part, left: Nat, right: Nat, value: Part | None) -> Part:
    """Pad with copies of a value; if it is None, with copies of the first and the last element."""
    if left == const(0) and right == const(0):
        return xs
    type = ArrayType(left + xs.shape[0] + right, element(xs))
    ends = (TypeNode(left), TypeNode(right))
    if value is None:
        return viewed(type, piped("padClamp", *ends, xs.syntax), xs)
    return viewed(type, piped("padCst", *ends, value.syntax, xs.syntax), value, xs)


def repeated(x: Part, sizes: Sequence[Nat]) -> Part:
    """Repeat a value along new axes of these sizes: `np.broadcast_to` of a scalar, or of rows."""
    for size in reversed(sizes):
        parameter = (Variable("i"), TypeNode(IndexType(size)))
        generator = Function((parameter,), x.syntax, runs_once=size == const(1))
        row = x
        x = viewed(ArrayType(size, x.type), apply("generate", generator), x)
        x.trace.repeated[id(x.syntax)] = row
    return x


def concatenated(first: Part, second: Part, *, is_view: bool = True) -> Part:
    """Concatenate two arrays. Unless `is_view`, the result counts as computed: it has a name if it is used twice."""
    if element(first) != element(second):
        title = f"expected an array of {t.shown(element(first))}, found one of {t.shown(element(second))}"
        hint = "arrays are joined along one axis: their other axes must be equal"
        refuse_shapes(first.shape[1:], second.shape[1:], title, hint)
    type = ArrayType(first.shape[0] + second.shape[0], element(first))
    bound = viewed if is_view else t.computed
    return bound(type, apply("concat", first.syntax, second.syntax), first, second)


def stacked(parts: Sequence[Part]) -> Part:
    """The array of the given values."""
    parts = matched(parts)
    for other in parts:
        if other.type != parts[0].type:
            types = " and ".join(dict.fromkeys(t.shown(part.type) for part in parts))
            title = f"expected elements of the same type, found {types}"
            refuse_shapes(parts[0].shape, other.shape, title, "convert or reshape them first")
    return viewed(
        array_of([const(len(parts))], parts[0].type),
        ArrayLiteral(tuple(part.syntax for part in parts)),
        *parts,
    )


def paired(first: Part, second: Part) -> Part:
    """A pair of two values."""
    return viewed(
        PairType(first.type, second.type), apply("pair", first.syntax, second.syntax), first, second
    )


def zipped(first: Part, second: Part) -> Part:
    """The array of pairs of two arrays."""
    if first.shape[:1] != second.shape[:1] or not first.shape:
        title = f"expected arrays of the same length, found {shape_text(first.shape)} and {shape_text(second.shape)}"
        hint = "use the same name for equal sizes in the annotations"
        refuse_shapes(first.shape[:1], second.shape[:1], title, hint)
    both = PairType(element(first), element(second))
    return viewed(ArrayType(first.shape[0], both), apply("zip", first.syntax, second.syntax), first, second)


def component(xs: Part, which: int) -> Part:
    """The first or second element of a pair, or of each pair of an array."""
    pair = xs.element
    if not isinstance(pair, PairType):
        title = f"expected a pair or an array of pairs, found {t.shown(xs.type)}"
        refuse(
            "type-mismatch",
            title,
            'pairs come from `zip`, from tuples, and from parameters like "N.(f32, f32)"',
        )
    wanted = pair.second if which else pair.first
    name = PROJECTIONS[which]
    return under(len(xs.shape), lambda p: viewed(wanted, apply(name, p.syntax), p), xs)


def zeros(xs: Part) -> Part:
    """An element of an array's element type in which all numbers are zero."""
    row = element(xs)
    zero = number(False if xs.element == BOOL else 0, xs.element, xs.scope)
    return repeated(zero, t.shape_of(row))


def wrapped(at: Part, size: Nat) -> Part:
    """An i64 as numpy interprets it as an index: negative numbers count from the end. The result is at least `size` for
    numbers that are out of range.
    """
    trace = at.trace
    end, zero = integer(size, trace), integer(const(0), trace)
    below = computed(BOOL, apply("lt", at.syntax, zero.syntax), at)
    counted = computed(I64, apply("add", at.syntax, end.syntax), at, end)
    index = computed(I64, apply("select", below.syntax, counted.syntax, at.syntax), below, counted, at)
    outside = computed(BOOL, apply("lt", index.syntax, zero.syntax), index)
    return computed(I64, apply("select", outside.syntax, end.syntax, index.syntax), outside, end, index)
