"""Conversions between indices and numbers.

Independent of arrays. Some forms of `toIndex` fail, as `index_error` says; all fail for an array without elements.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from rise.diagnostics import Diagnostic, RiseError
from rise.meanings import At, Call, Function, Steps
from rise.naturals import const
from rise.primitives.record import Meaning, PrimitiveRecord
from rise.primitives.traits import Trait
from rise.values import Data, Leaf, map_leaves

#: the code of the diagnostic of a number that is not an index
INDEX_ERROR: Final = "index-out-of-range"
#: the primitive that fails only for an array without elements
NEAREST: Final = "toIndex"
#: the primitives that accept only indices, and that wrap other numbers around
CHECKED: Final = "toIndexChecked"
WRAPPED: Final = "toIndexWrapped"
#: the primitive that also accepts n
COUNT: Final = "toCount"
#: the primitive for which negative numbers count from the end
FROM_EITHER_END: Final = "toIndexFromEitherEnd"


def index_error(name: str, number: int, size: int) -> Diagnostic:
    """The diagnostic of a number that a form of `toIndex` does not accept as an index of an array of `size` elements.

    >>> index_error("toIndexChecked", 7, 5).title
    'expected an index from 0 to 4, found 7'
    """
    title = f"expected an index from {-size if name == FROM_EITHER_END else 0} to {size - 1}, found {number}"
    if size <= 0:
        title = f"expected a nonempty array for the index {number}, found an empty one"
    hint = (
        "fix the number, or use another conversion: `toIndex` takes the nearest index, `toIndexWrapped` wraps"
    )
    if name == COUNT:
        title = f"expected at most {size} elements, found {number}"
        hint = "allow more elements, or choose fewer"
    if name == FROM_EITHER_END:
        hint = 'fix the index, or choose a mode: `np.take(x, i, mode="clip")` or `mode="wrap"`'
    return Diagnostic(INDEX_ERROR, title, hint=hint)


def _refused(at: At, name: str, number: Leaf, wrong: Leaf) -> None:
    """Raise RiseError for the first wrong number whose index is used."""
    used = at.used(wrong)
    if used is not None:
        first = np.broadcast_to(number, used.shape).T[used.T].flat[0]
        raise RiseError(index_error(name, int(first), at.n))


def _nearest(at: At, number: Leaf) -> Leaf:
    _refused(at, NEAREST, number, np.full(np.shape(number), at.n == 0))
    return np.asarray(np.clip(number, 0, max(0, at.n - 1)))


def _wrapped(at: At, number: Leaf) -> Leaf:
    _refused(at, WRAPPED, number, np.full(np.shape(number), at.n == 0))
    return np.asarray(np.remainder(number, max(1, at.n)))


def _checked(at: At, number: Leaf) -> Leaf:
    wrong = (number < 0) | (number >= at.n)
    _refused(at, CHECKED, number, wrong)
    return np.asarray(np.where(wrong, 0, number))


def _count(at: At, number: Leaf) -> Leaf:
    wrong = (number < 0) | (number > at.n)
    _refused(at, COUNT, number, wrong)
    return np.asarray(np.where(wrong, 0, number))


def _from_either_end(at: At, number: Leaf) -> Leaf:
    wrong = (number < -at.n) | (number >= at.n)
    _refused(at, FROM_EITHER_END, number, wrong)
    return np.asarray(np.where(wrong, 0, np.where(number < 0, number + at.n, number)))


def _as_size(at: At, i: Leaf, f: Function) -> Steps:
    """The function of each index that is used, at the elements of the batch that have it."""
    shape = (*at.context.batch[: at.depth],)
    everywhere = np.broadcast_to(i, shape)
    used = at.used(np.ones(shape, bool))
    numbers = np.unique(everywhere if used is None else everywhere[np.broadcast_to(used, shape)])
    first, *others = numbers.tolist() or [0]
    found: Data = yield Call(f, (const(first),), at.context.where(i == first) if others else at.context)
    for number in others:
        chosen = i == number
        one = yield Call(f, (const(number),), at.context.where(chosen))
        found = map_leaves(partial(_where, chosen), one, found)
    return found


def _where(chosen: Leaf, one: Leaf, other: Leaf) -> Leaf:
    return np.asarray(np.where(chosen, one, other))


def _record(
    name: str,
    doc: str,
    meaning: Meaning,
    law: str,
    example: str,
    scheme: str = "{n: nat} -> i64 -> idx[n]",
    words: str = "",
    traits: tuple[Trait, ...] = ("indexes",),
    cost: int = 1,
) -> PrimitiveRecord:
    return PrimitiveRecord(
        name, scheme, "low", doc, meaning, law, words=words, example=example, traits=traits, cost=cost
    )


INDEX_NUMBERS: Final = (
    _record(
        "indexAsInt",
        "An index as a number.",
        lambda at, i: i,
        "",
        "generate(fun(i: idx[4] => 10 * indexAsInt(i)))",
        "{n: nat} -> idx[n] -> i64",
        "`generate(indexAsInt)` counts from 0.",
        (),
        cost=0,
    ),
    PrimitiveRecord(
        "indexAsNat",
        "{n: nat} -> {t: data} -> idx[n] -> ((i: nat) -> t) -> t",
        "view",
        "Call a function with an index as a size, such as a length that data determine.",
        _as_size,
        "indexAsNat (natAsIndex m) f = f m",
        words="The type of the result does not depend on the size.",
        example="indexAsNat((2 : idx[4]), fun(i: nat => [1, 2, 3] |> take(i) |> reduce(add, 0)))",
        traits=("sizes",),
        ranges={"i": "n"},
    ),
    _record(
        NEAREST,
        "A number as an index: the nearest one for numbers below 0, or n and above. It is an error if n is 0.",
        _nearest,
        "toIndex (indexAsInt i) = i",
        "idx(toIndex(7i64 - 5i64), [1, 2, 3])",
    ),
    _record(
        WRAPPED,
        "A number as an index: its remainder by n, which is not negative. It is an error if n is 0.",
        _wrapped,
        "toIndexWrapped (indexAsInt i) = i",
        "idx(toIndexWrapped(-1i64), [1, 2, 3])",
    ),
    _record(
        CHECKED,
        "A number as an index. Numbers below 0, or n and above, are an error.",
        _checked,
        "toIndexChecked (indexAsInt i) = i",
        "idx(toIndexChecked(2i64), [1, 2, 3])",
    ),
    _record(
        FROM_EITHER_END,
        "A number as an index, as in Python: numbers from -n to -1 count from the end. Numbers below -n, or n and "
        "above, are an error.",
        _from_either_end,
        f"{FROM_EITHER_END} (indexAsInt i) = i",
        f"idx({FROM_EITHER_END}(-1i64), [1, 2, 3])",
    ),
    _record(
        COUNT,
        "A number as a count of at most n elements. Numbers below 0 or above n are an error.",
        _count,
        f"indexAsInt ({COUNT} (indexAsInt i)) = indexAsInt i",
        f"{COUNT}{{5}}(3i64)",
        "{n: nat} -> i64 -> idx[n + 1]",
    ),
)
