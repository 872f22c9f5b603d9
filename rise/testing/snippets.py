"""Prints values as Python text, so that counterexamples can be run. Depends on numpy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray


def python_text(value: Any) -> str:
    """A value as Python text.

    >>> python_text((np.float32(-0.0), np.array([[1, 2]], np.int8)))
    '(np.float32(-0.0), np.array([[1, 2]], np.int8))'
    """
    if isinstance(value, tuple):
        return f"({', '.join(map(python_text, value))})"
    if isinstance(value, list):
        return f"[{', '.join(map(python_text, value))}]"
    if not isinstance(value, np.ndarray | np.generic):
        return repr(value)
    array: NDArray[Any] = np.asarray(value)
    module = "ml_dtypes" if hasattr(ml_dtypes, array.dtype.name) else "np"
    dtype = "bool_" if array.dtype.name == "bool" else array.dtype.name
    kind = f"{module}.{dtype}"
    if array.ndim == 0:
        return f"{kind}({_listed(array.tolist())})"
    if 0 in array.shape:
        return f"np.zeros({array.shape}, {kind})"
    return f"np.array({_listed(array.tolist())}, {kind})"


def _listed(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_listed, value))}]"
    text = repr(value)
    return text.replace("inf", "np.inf").replace("nan", "np.nan") if isinstance(value, float) else text


def numbers(value: Any) -> str:
    """The numbers of an array, in brackets."""
    return str(np.asarray(value).tolist())
