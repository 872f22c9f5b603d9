"""Shine: compiles RISE programs to kernels that run.

Its names are imported lazily: the command `shine` starts in a module of this package, and installs its handler for
Ctrl-C before it loads anything that takes time. `compile` is defined in `shine.front`, which loads the strategies.
"""

from importlib import import_module

TYPE_CHECKING = False  # type checkers assume that it is true; avoids importing `typing`
if TYPE_CHECKING:
    from typing import Any

    from shine.front.compilation import compile
    from shine.front.contraction_plans import contraction
    from shine.front.contractions import einsum
    from shine.front.jit import jit
    from shine.front.tensordots import tensordot, transpose
    from shine.front.tuner import Budget, Limits, tune, tuned
    from shine.kernel import Kernel, Timing
    from shine.simulator.simulation import simulate
    from shine.targets import TARGETS
    from shine.targets.openmp.kept_memory import release_memory

__all__ = [
    "TARGETS",
    "Budget",
    "Kernel",
    "Limits",
    "Timing",
    "compile",
    "contraction",
    "einsum",
    "jit",
    "release_memory",
    "simulate",
    "tensordot",
    "transpose",
    "tune",
    "tuned",
]

_MODULES = {
    "TARGETS": "shine.targets",
    "Budget": "shine.front.tuner",
    "Limits": "shine.front.tuner",
    "Kernel": "shine.kernel",
    "Timing": "shine.kernel",
    "compile": "shine.front.compilation",
    "contraction": "shine.front.contraction_plans",
    "einsum": "shine.front.contractions",
    "jit": "shine.front.jit",
    "release_memory": "shine.targets.openmp.kept_memory",
    "simulate": "shine.simulator.simulation",
    "tensordot": "shine.front.tensordots",
    "transpose": "shine.front.tensordots",
    "tune": "shine.front.tuner",
    "tuned": "shine.front.tuner",
}


#: modules for other libraries, which have the libraries' names
_LIBRARIES = ("jax", "torch")


def __getattr__(name: str) -> "Any":
    if name not in _MODULES and name not in _LIBRARIES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module("rise.packages").imported(_MODULES.get(name, f"shine.{name}"))
    value = globals()[name] = module if name in _LIBRARIES else getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_LIBRARIES})
