"""Slices whose number of elements depends on data, or changes in a loop, as the other files of this package see them.

Independent of how they are represented.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from rise.embedding.alternatives import instead
from rise.embedding.places import Place, refuse
from rise.embedding.trace import Part
from rise.records import dataclass


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpannedSymbol:
    """An object for users that returns a slice whose bounds change in a loop, and the place where it was computed."""

    taken: Callable[[], Any]
    at: Place

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        raise AssertionError("rise.embedding.spanned_values defines it")

    @property
    def spanned(self) -> Any:
        """The current slice: a slice of an array shows later assignments to the array, as in numpy."""
        return self.taken()

    @property
    def shape(self) -> tuple[Any, ...]:
        """The number of its elements along each axis."""
        raise AssertionError("rise.embedding.spanned_values defines it")

    @property
    def turns(self) -> Any:
        """The range of a loop over its elements, for a slice whose bounds depend on data; None for all others."""
        return None

    @property
    def looped(self) -> Any:
        """The range of a loop over its elements."""
        return self.turns

    @property
    def maker(self) -> Callable[..., Any] | None:
        """The numpy function whose result it is; None for what brackets select, and for what is computed from it."""
        return None

    def refuse_as_array(self) -> NoReturn:
        """Raise RiseError where an array is needed, whose length is part of its type."""
        title = (
            "expected an array, found an unknown number of elements: a slice in a loop, or elements of a mask"
        )
        hint = "keep the length, `np.where(mask, x, 0)`; state it, `compress(mask, x, n)`; or take their sum"
        if self.maker is not None:
            hint = instead(self.maker)
        if self.turns is not None:
            title = (
                "expected an array, found an unknown number of elements: a slice whose bounds depend on data"
            )
            hint = "take their sum or the like; or, if their number is known, index by `start + np.arange(n)`"
        refuse("data-dependent-size", title, hint, at=self.at)

    def made_by(self, maker: Callable[..., Any]) -> SpannedSymbol:
        """The same as the result of a numpy function, for error messages."""
        return self

    @property
    def padded(self) -> tuple[Any, Any] | None:
        """An array that begins with its elements, long enough for any data, and their number; None if there is no bound
        on their number.
        """
        return None

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type of the elements."""
        raise AssertionError("rise.embedding.spanned_values defines it")

    def astype(self, dtype: Any) -> Any:
        """The elements converted."""
        raise AssertionError("rise.embedding.spanned_values defines it")

    @property
    def entries(self) -> Any:
        """The elements, or rows, one after the other."""
        raise AssertionError("rise.embedding.spanned_values defines it")

    @property
    def chosen(self) -> tuple[Part, int] | None:
        """For `np.nonzero(mask)[axis]`, the mask and the axis; None for all other slices."""
        return None
