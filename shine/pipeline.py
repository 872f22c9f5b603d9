"""From a low-level program to a kernel: the passes, one line each. Knows no strategy and no text."""

from __future__ import annotations

from typing import Any

from rise.diagnostics import Diagnostic, RiseError
from rise.terms import Expr
from shine.kernel import Kernel, make_kernel
from shine.targets import TARGETS
from shine.translate import CPU_LEVELS, translate


def compile(
    e: Expr, target: str = "openmp", arch: str | None = None, name: str = "kernel", **options: Any
) -> Kernel:
    """Translate a low-level program and build it for a target.

    `e` is closed and monomorphic; its sizes may stay symbolic. `arch` is for targets that have several. Options are
    the target's. Raises RiseError with one diagnostic: high-level primitives left, no way to say where a result is
    written, a target that is not built yet, no compiler.
    """
    if not isinstance(e, Expr):
        hint = "pass result.program of a strategy's result, and program.main or program[name] of a text's"
        raise RiseError(Diagnostic("no-term", f"expected a term, found a {type(e).__name__}", hint=hint))
    if target in TARGETS and arch is not None:
        if all(option.name != "arch" for option in TARGETS[target].options):
            title = f"the target {target} has one architecture, found arch={arch!r}"
            raise RiseError(Diagnostic("unknown-option", title, hint="leave `arch` away"))
        options["arch"] = arch
    return make_kernel(translate(e, name, CPU_LEVELS), target, **options)
