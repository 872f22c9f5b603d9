"""Arrays put together and turned, under numpy's names: joined, repeated, padded, flipped. Knows no reductions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from rise.embedding import reductions as r
from rise.embedding import shapes as sh
from rise.embedding.elementwise import Operand, check_operand, converted, elementwise, over, size_of
from rise.embedding.places import refuse
from rise.embedding.scalars import SUB
from rise.embedding.trace import Part, Scope, shown
from rise.naturals import Nat, const
from rise.types import Type


def moveaxis(xs: Part, source: int, destination: int) -> Part:
    """`np.moveaxis` of one axis."""
    order = list(range(len(xs.shape)))
    order.insert(r.axis_of(xs, destination), order.pop(r.axis_of(xs, source)))
    return sh.permuted(xs, order)


def concatenate(parts: Sequence[Any], axis: int = 0) -> Part:
    """`np.concatenate`."""
    arrays = _arrays(parts)
    at = r.axis_of(arrays[0], axis)
    moved = [moveaxis(one, at, 0) for one in arrays]
    found = moved[0]
    for one in moved[1:]:
        found = sh.concatenated(found, one)
    return moveaxis(found, 0, at)


def stack(parts: Sequence[Any], axis: int = 0) -> Part:
    """`np.stack`."""
    return moveaxis(sh.stacked(_arrays(parts)), 0, axis)


def vstack(parts: Sequence[Any]) -> Part:
    """`np.vstack`: arrays of one axis are rows."""
    arrays = _arrays(parts)
    return concatenate([sh.repeated(one, [const(1)]) if len(one.shape) < 2 else one for one in arrays])


def hstack(parts: Sequence[Any]) -> Part:
    """`np.hstack`."""
    arrays = [one if one.shape else sh.stacked([one]) for one in _arrays(parts)]
    return concatenate(arrays, min(1, len(arrays[0].shape) - 1))


def _arrays(given: Sequence[Any]) -> list[Part]:
    """Arrays that a user lists: numbers, and lists of them, are of the type of the others."""
    if isinstance(given, Part):
        title = f"expected a list of arrays, found a value of type {shown(given.type)}"
        refuse("type-mismatch", title, "rows are put together by `x.reshape(-1)`")
    known = next((one for one in _leaves(given) if isinstance(one, Part)), None)
    assert known is not None, "numpy calls what is here for symbolic values alone"
    return [_array(one, known.element, known.scope) for one in given]


def _leaves(given: Any) -> Iterator[Any]:
    if isinstance(given, list | tuple):
        for one in given:
            yield from _leaves(one)
    else:
        yield given


def _array(given: Any, element: Type, scope: Scope) -> Part:
    if isinstance(given, list | tuple) and given:
        return sh.stacked([_array(one, element, scope) for one in given])
    check_operand(given)
    return converted(given, element, scope)


def flip(xs: Part, axis: int | tuple[int, ...] | None = None) -> Part:
    """`np.flip`."""
    for one in r.axes_of(xs, axis):
        xs = sh.under(one, sh.backwards, xs)
    return xs


def diff(xs: Part, n: int = 1, axis: int = -1) -> Part:
    """`np.diff`."""
    at = r.axis_of(xs, axis)
    for _ in range(n):
        after = sh.under(at, lambda row: sh.drop(row, const(1)), xs)
        before = sh.under(at, lambda row: sh.take(row, row.shape[0] - 1), xs)
        xs = elementwise(SUB, after, before)
    return xs


def tile(xs: Part, reps: Any) -> Part:
    """`np.tile` along the last axis."""
    times = size_of(reps)
    return sh.under(max(0, len(xs.shape) - 1), lambda row: sh.join(sh.repeated(row, [times])), _axes(xs))


def repeat(xs: Part, repeats: Any, axis: int | None = None) -> Part:
    """`np.repeat`, each element as often as the others."""
    times = size_of(repeats)
    xs = sh.flat(_axes(xs)) if axis is None else xs
    at = r.axis_of(xs, axis or 0)
    return sh.under(at, lambda row: sh.join(over(lambda x: sh.repeated(x, [times]), [row])), xs)


def _axes(xs: Part) -> Part:
    return xs if xs.shape else sh.stacked([xs])


def roll(xs: Part, shift: int, axis: int | None = None) -> Part:
    """`np.roll` of one axis."""
    if axis is None and len(xs.shape) != 1:
        return sh.reshaped(roll(sh.flat(xs), shift), xs.shape)

    def rolled(row: Part) -> Part:
        size = row.shape[0]
        known = size.constant
        by = shift if known is None else shift % known if known else 0
        cut = size - by if by >= 0 else const(-by)
        return sh.concatenated(sh.drop(row, cut), sh.take(row, cut)) if by else row

    return sh.under(r.axis_of(xs, axis or 0), rolled, xs)


#: what numpy's modes put before and behind a row, so many elements each
_ENDS: Final[Mapping[str, Callable[[Part, Nat, Nat], tuple[Part, Part]]]] = MappingProxyType(
    {
        "reflect": lambda row, left, right: (
            sh.backwards(sh.take(sh.drop(row, const(1)), left)),
            sh.backwards(sh.take(sh.drop(row, row.shape[0] - 1 - right), right)),
        ),
        "symmetric": lambda row, left, right: (
            sh.backwards(sh.take(row, left)),
            sh.backwards(sh.drop(row, row.shape[0] - right)),
        ),
        "wrap": lambda row, left, right: (sh.drop(row, row.shape[0] - left), sh.take(row, right)),
    }
)


def pad(xs: Part, pad_width: Any, mode: str = "constant", constant_values: Operand = 0) -> Part:
    """`np.pad`, by a constant or by what is near the edges, or at the other end."""
    widths = _widths(pad_width, len(xs.shape))
    if mode not in ("constant", "edge", *_ENDS):
        known = ", ".join(f'"{one}"' for one in ("constant", "edge", *_ENDS))
        refuse(
            "unsupported", f"expected one of the modes {known}, found {mode!r}", "pad before the program runs"
        )
    value = None
    if mode == "constant":
        check_operand(constant_values)
        value = converted(constant_values, xs.element, xs.scope)
    for axis, (left, right) in enumerate(widths):
        below = xs.shape[axis + 1 :]

        def at_ends(row: Part, left: Nat = left, right: Nat = right, below: Sequence[Nat] = below) -> Part:
            if mode not in _ENDS:
                return sh.padded(row, left, right, None if value is None else sh.repeated(value, below))
            before, behind = _ENDS[mode](row, left, right)
            found = row if left == const(0) else sh.concatenated(before, row)
            return found if right == const(0) else sh.concatenated(found, behind)

        if (left, right) != (const(0), const(0)):
            xs = sh.under(axis, at_ends, xs)
    return xs


def _widths(given: Any, rank: int) -> list[tuple[Nat, Nat]]:
    if not isinstance(given, tuple | list):
        return [(size_of(given), size_of(given))] * rank
    if not isinstance(given[0], tuple | list):
        left, right = given if len(given) == 2 else (given[0], given[0])
        return [(size_of(left), size_of(right))] * rank
    found = [(size_of(one[0]), size_of(one[-1])) for one in given]
    if len(found) not in (1, rank):
        refuse(
            "shape-mismatch",
            f"expected widths of {rank} axes, found {len(found)}",
            "give a pair for each axis",
        )
    return found * rank if len(found) == 1 else found
