"""Shine: from RISE programs to kernels that run.

Its names are imported when they are asked for, and nothing else is: the command `shine` begins in a module of this
package, and takes care of Ctrl-C before anything is loaded that takes time. `compile` stands in `shine.front`, which
loads the strategies.
"""

from importlib import import_module

TYPE_CHECKING = False  # what type checkers take to be true, without importing `typing`
if TYPE_CHECKING:
    from typing import Any

    from shine.front import compile
    from shine.kernel import Kernel, Timing
    from shine.targets import TARGETS

__all__ = ["TARGETS", "Kernel", "Timing", "compile"]

_PLACES = {
    "TARGETS": "shine.targets",
    "Kernel": "shine.kernel",
    "Timing": "shine.kernel",
    "compile": "shine.front",
}


def __getattr__(name: str) -> "Any":
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_PLACES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
