"""The targets, by name. Independent of programs.

A target is loaded on first use, since importing its passes and printers takes longer than many kernels run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from rise.argument_checks import expected
from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.forks import importing
from shine.targets.target import Target

#: for each target, the module that defines it, and its name there
_ADDRESSES: Final[Mapping[str, tuple[str, str]]] = {
    "openmp": ("shine.targets.openmp.target", "OPENMP"),
    "cuda": ("shine.targets.cuda.target", "CUDA"),
    "cuda-sim": ("shine.targets.cuda.target", "CUDA_SIM"),
    "interpret": ("shine.targets.interpreter.target", "INTERPRET"),
}


class _Targets(Mapping[str, Target]):
    """Targets by name, each loaded on first use."""

    def __getitem__(self, name: str) -> Target:
        module, variable = _ADDRESSES[name]
        with importing():
            found: Target = getattr(import_module(module), variable)
        assert found.name == name, f"{module}.{variable} is called {found.name}"
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_ADDRESSES)

    def __len__(self) -> int:
        return len(_ADDRESSES)


def find_target(name: str) -> Target:
    """The target of a name. Raises RiseError where there is none."""
    found = TARGETS.get(expected(name, str, "the name of a target", f"there are {', '.join(TARGETS)}"))
    if found is None:
        hint = did_you_mean(name, TARGETS) or f"there are {', '.join(TARGETS)}"
        raise RiseError(Diagnostic("unknown-target", f"no target is called `{name}`", hint=hint))
    return found


TARGETS: Mapping[str, Target] = _Targets()
