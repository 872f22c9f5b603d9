"""Builds the simulator's runtime with few optimisations, in two fifths of the time; what it finds is the same.

Independent of tests.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from shine.simulator.compiler import Compiler

_flags = Compiler.runtime_flags


def quick_runtime() -> AbstractContextManager[object]:
    """A context in which the runtime is built with `-O1`."""
    return patch.object(Compiler, "runtime_flags", _quick_flags)


def _quick_flags(compiler: Compiler, profile: bool = False) -> tuple[str, ...]:
    return tuple("-O1" if flag == "-O3" else flag for flag in _flags(compiler, profile))
