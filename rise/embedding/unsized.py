"""What to write instead of numpy's functions whose results have as many elements as data decides. Knows only names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

#: functions of `rise.embedding` with a stated length, as they are called in place of numpy's
OF_STATED_LENGTH: Final[Mapping[Callable[..., Any], str]] = MappingProxyType(
    {
        np.flatnonzero: "flatnonzero(x, size)",
        np.nonzero: "nonzero(x, size)",
        np.argwhere: "nonzero(x, size)",
        np.compress: "compress(condition, x, size)",
        np.extract: "compress(condition, x, size)",
        np.unique: "unique(x, size)",
        np.union1d: "union1d(x, y, size)",
        np.intersect1d: "intersect1d(x, y, size)",
        np.setdiff1d: "setdiff1d(x, y, size)",
    }
)


def instead(function: Callable[..., Any]) -> str:
    """The hint for such a function; empty for others."""
    call = OF_STATED_LENGTH.get(function, "")
    name = call.partition("(")[0]
    return f"state the length: `from rise.embedding import {name}`, and `{call}`" if call else ""
