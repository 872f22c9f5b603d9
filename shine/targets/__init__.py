"""The targets, by name. Knows no programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.expected import expected
from shine.targets.cuda.target import CUDA, CUDA_SIM
from shine.targets.interpreter.target import INTERPRET
from shine.targets.openmp.target import OPENMP
from shine.targets.target import Target


def collect(targets: Iterable[Target]) -> Mapping[str, Target]:
    """Targets by name; two of one name are an error."""
    found: dict[str, Target] = {}
    for target in targets:
        assert target.name not in found, f"two targets are called {target.name}"
        found[target.name] = target
    return found


def find_target(name: str) -> Target:
    """The target of a name. Raises RiseError where there is none."""
    found = TARGETS.get(expected(name, str, "the name of a target", f"there are {', '.join(TARGETS)}"))
    if found is None:
        hint = did_you_mean(name, TARGETS) or f"there are {', '.join(TARGETS)}"
        raise RiseError(Diagnostic("unknown-target", f"no target is called `{name}`", hint=hint))
    return found


TARGETS: Mapping[str, Target] = collect((OPENMP, CUDA, CUDA_SIM, INTERPRET))
