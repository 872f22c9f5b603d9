"""Builds a kernel from a low-level program by translation and a target. Independent of strategies and texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rise.argument_checks import Termlike, expected, term_of
from rise.programs.dependent_pairs import take_apart
from rise.programs.foreign import Foreign
from shine.imperative.nodes import Update
from shine.imperative.updates import updating
from shine.kernel import Kernel, make_kernel
from shine.targets import find_target
from shine.translate import translate


def build(
    e: Termlike,
    target: str = "openmp",
    arch: str | None = None,
    name: str = "kernel",
    foreign: Iterable[Foreign] = (),
    updates: Iterable[tuple[int, int]] = (),
    **options: Any,
) -> Kernel:
    """Translate a low-level program and build it for a target.

    `e` is closed and monomorphic; its sizes may stay symbolic. `arch` is for targets that support several
    architectures. `foreign` contains the code of the foreign functions that it calls. `updates` are the positions of
    results that calls write to arrays of the caller, and of these inputs. Options are those of the target.
    Raises RiseError with one diagnostic: a high-level primitive remains, no memory is stated for an intermediate
    result, the target does not support something, or there is no compiler.
    """
    e = term_of(e)
    expected(name, str, "a name for the kernel", 'as name="dot"')
    if arch is not None:
        options["arch"] = arch
    record = find_target(target)
    procedure = translate(e, name, record.levels, foreign)
    changed = [Update(result, parameter) for result, parameter in updates]
    if changed:
        procedure = updating(procedure, changed, record.before_updates)
    return make_kernel(procedure, target, take_apart(e).term, **options)
