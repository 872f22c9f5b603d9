"""Numpy's second notation of contractions: after each operand, a list of numbers for its axes. Independent of programs.

`einsum(a, [0, 1], b, [1, 2], [0, 2])` means `einsum("AB,BC->AC", a, b)`.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from rise.diagnostics import Diagnostic, Label, RiseError
from rise.einsum.specs import GRAMMAR

#: numpy's letters for the numbers of axes
NUMBERED: Final = string.ascii_uppercase + string.ascii_lowercase


def from_numbers(arguments: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
    """A specification and its operands, from operands that are each followed by a list of numbers for their axes."""
    *pairs, result = arguments if len(arguments) % 2 else (*arguments, None)
    lists = [*pairs[1::2], *([] if result is None else [result])]
    texts = [_letters_of(numbers) for numbers in lists]
    operands = tuple(pairs[::2])
    arrow = f"->{texts.pop()}" if result is not None else ""
    return ",".join(texts) + arrow, operands


def _letters_of(numbers: Any) -> str:
    letters = ""
    if not isinstance(numbers, list | tuple) and getattr(numbers, "dtype", np.dtype(float)).kind not in "iu":
        title = f"expected a specification as text, or a list of numbers after each operand, found {text_of(numbers)}"
        raise RiseError(Diagnostic("einsum-syntax", title, hint=GRAMMAR))
    numbers = numbers.tolist() if isinstance(numbers, np.ndarray) else numbers
    for place, number in enumerate(numbers):
        if number is Ellipsis:
            letters += "..."
        elif (
            isinstance(number, int | np.integer)
            and not isinstance(number, bool)
            and 0 <= number < len(NUMBERED)
        ):
            letters += NUMBERED[number]
        else:
            title = f"expected numbers of axes from 0 to {len(NUMBERED) - 1}, found {number!r:.60}"
            shown = ["..." if one is Ellipsis else f"{one!r:.60}" for one in numbers]
            start = len("[") + sum(len(one) + len(", ") for one in shown[:place])
            labels = (Label(start, start + len(shown[place])),)
            hint, text = "each number stands for one letter", f"[{', '.join(shown)}]"
            raise RiseError(Diagnostic("einsum-syntax", title, labels, hint, source=text))
    return letters


def text_of(value: Any) -> str:
    """A description of an unexpected value for messages: the type of an array, the text of anything else."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    return f"{value!r:.60}"
