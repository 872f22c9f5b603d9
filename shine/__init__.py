"""Shine: from RISE programs to kernels that run. Loads no strategy before one is needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from shine.kernel import Kernel, Timing
from shine.targets import TARGETS

if TYPE_CHECKING:
    from shine.front import compile

__all__ = ["TARGETS", "Kernel", "Timing", "compile"]

#: what stands in shine.front, which needs strategies: it is loaded when one of these is asked for
_IN_FRONT = ("compile",)


def __getattr__(name: str) -> Any:
    """The names of shine.front."""
    if name not in _IN_FRONT:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("shine.front"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_IN_FRONT})
