"""The operators of a contraction: functions by name or as text, and neutral elements."""

from __future__ import annotations

import math
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.einsum.elaboration import Operators
from rise.primitives import PRIMITIVES, with_trait
from rise.primitives.record import neutral_at
from rise.programs.evaluation import evaluate
from rise.programs.program import parse
from rise.scalars import SCALARS, is_complex

#: sums of products; for truth values, the operators that numpy uses
USUAL: Final = ("add", "mul")
OF_TRUTH_VALUES: Final = ("or", "and")
CHOOSING: Final = with_trait("chooses", "lanewise")
SHAPE: Final = (
    'pass the names of two functions, and a neutral element if that of the first is not known: ("max", "add")'
)

NEUTRAL: Final = 'pass the neutral element, a number, as the third operator: ("f", "g", 0)'


def operators_of(given: Any, scalar: str) -> Operators:
    """The operators for a scalar type, given two functions of two numbers, each as the name of a primitive or as RISE
    text such as `fun(x, y => x + y)`, and optionally the neutral element of the first. None stands for sums of
    products. The second function must distribute over the first. Raises RiseError for operators that cannot be used.
    """
    if given is None:
        given = OF_TRUTH_VALUES if scalar == "bool" else USUAL
    if (
        not isinstance(given, tuple | list)
        or len(given) not in (2, 3)
        or not all(isinstance(f, str) for f in given[:2])
    ):
        refuse(f"expected two functions as `operators`, found {given!r:.60}", SHAPE)
    combine, multiply = (function_text(name) for name in given[:2])
    neutral = _neutral(given[0], scalar) if len(given) == 2 else literal(given[2], scalar)
    return Operators(combine, multiply, neutral)


def refuse(title: str, hint: str) -> NoReturn:
    """Raise RiseError for operators that cannot be used."""
    raise RiseError(Diagnostic("einsum-operators", title, hint=hint))


def function_text(name: str) -> str:
    """A function as text: the name of a primitive unchanged, any other text in parentheses."""
    if name.isidentifier() and name not in PRIMITIVES:
        refuse(
            f"expected the name of a primitive as operator, found `{name}`",
            did_you_mean(name, PRIMITIVES) or SHAPE,
        )
    return name if name.isidentifier() else f"({name})"


def literal(value: Any, scalar: str) -> str:
    """A number of a scalar type as text."""
    kind = SCALARS[scalar].dtype.kind
    if isinstance(value, bool | np.bool_) or scalar == "bool":
        return "true" if value else "false"
    try:
        number = float(value) if kind not in "iu" else int(value)
    except (TypeError, ValueError, OverflowError):
        refuse(f"expected a number of type {scalar} as neutral element, found {value!r:.60}", NEUTRAL)
    if isinstance(number, float) and not math.isfinite(number):
        return {math.inf: "inf", -math.inf: "-inf"}.get(number, "nan")
    return f"({number!r} : {scalar})" if is_complex(scalar) else f"{number!r}{scalar}"


def _neutral(name: str, scalar: str) -> str:
    """The neutral element of a primitive for a scalar type, as text."""
    record = PRIMITIVES.get(name)
    if record is not None and record.neutral is not None:
        number = neutral_at(record, scalar)
        assert number is not None
        return literal(number, scalar)
    if name in CHOOSING:
        dtype = SCALARS[scalar].dtype
        ends: tuple[Any, Any] = (-math.inf, math.inf)
        if dtype.kind in "iu":
            ends = (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
        chosen = evaluate(
            parse(f"fun(a: {scalar}, b: {scalar} => {name}(a, b))").main, *(dtype.type(end) for end in ends)
        )
        return literal(ends[0] if chosen == dtype.type(ends[1]) else ends[1], scalar)
    title = f"expected an operator with a known neutral element, found `{name}`"
    refuse(title, NEUTRAL)
