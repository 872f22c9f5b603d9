"""The arrays that a kernel writes: fresh ones, or those a caller gives as `out`. Knows no target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rise.types import Type
from shine.leaves import Leaf, found_text, mismatch, refuse, tree_of, values_of

OVERLAP_WORK: Final = 10_000  # steps spent on finding out whether strided arrays overlap


@dataclass(frozen=True, slots=True)
class Output:
    """What is passed, what the caller gets, and what has to be copied back when the kernel is done."""

    passed: list[Any]
    result: Any
    back: list[tuple[Any, Any]]

    def finish(self) -> Any:
        """The result, once the kernel has run."""
        for target, source in self.back:
            np.copyto(target, source)
        return self.result


def take_output(
    t: Type,
    leaves: Sequence[Leaf],
    shapes: Sequence[tuple[int, ...]],
    out: Any,
    inputs: Sequence[Leaf],
    values: Sequence[Any],
) -> Output:
    """Make the arrays of a result, or check those given: exactly typed, writable, apart from inputs and each
    other.
    """
    if out is None:
        fresh = [_allocate(leaf, shape) for leaf, shape in zip(leaves, shapes, strict=True)]
        return Output(fresh, fresh[0] if len(fresh) == 1 else tree_of(t, fresh), [])
    given = values_of("out", t, out)
    passed: list[Any] = []
    back: list[tuple[Any, Any]] = []
    for leaf, shape, value in zip(leaves, shapes, given, strict=True):
        _check_given(leaf, shape, value)
        for other, array in zip(inputs, values, strict=True):
            if isinstance(array, np.ndarray) and _overlap(value, array):
                title = (
                    f"`out` overlaps the input `{other.parameter}`, which the kernel reads while it writes"
                )
                refuse("overlap", title, "give another array, or leave `out` away")
        if any(_overlap(value, array) for array in given[: len(passed)]):
            refuse("overlap", "two arrays of `out` overlap", "give arrays of their own")
        if value.flags.c_contiguous and value.flags.aligned:
            passed.append(value)
        else:
            # Elements that the kernel leaves alone keep what they are.
            copy = np.array(value, order="C")
            back.append((value, copy))
            passed.append(copy)
    return Output(passed, out, back)


def _allocate(leaf: Leaf, shape: tuple[int, ...]) -> Any:
    try:
        return np.empty(shape, leaf.dtype)
    except (MemoryError, ValueError):
        hint = "use smaller sizes"
        refuse(
            "out-of-memory", f"there is no memory for a result of shape {shape} of {leaf.dtype.name}", hint
        )


def _check_given(leaf: Leaf, shape: tuple[int, ...], value: Any) -> None:
    if not isinstance(value, np.ndarray) or isinstance(value, np.ma.MaskedArray):
        mismatch("out", leaf.type, found_text(value), f"give a numpy array of shape {shape}")
    if value.dtype != leaf.dtype or value.shape != shape:
        hint = f"give numpy.empty({shape}, {leaf.dtype.name!r}), or leave `out` away"
        mismatch("out", leaf.type, found_text(value), hint, (f"here the shape is {shape}",))
    if not value.flags.writeable:
        mismatch("out", leaf.type, "an array that is read-only", "give an array that can be written")
    if any(size > 1 and stride == 0 for size, stride in zip(value.shape, value.strides, strict=True)):
        found = "an array that has several elements in one place"
        mismatch("out", leaf.type, found, f"give numpy.empty({shape}, {leaf.dtype.name!r})")


def _overlap(a: Any, b: Any) -> bool:
    if not np.may_share_memory(a, b):
        return False
    if a.flags.c_contiguous and b.flags.c_contiguous:
        return True
    work: Any = OVERLAP_WORK  # numpy's stubs know of -1 and 0 only
    try:
        return np.shares_memory(a, b, max_work=work)
    except np.exceptions.TooHardError:
        return True
