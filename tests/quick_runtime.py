"""Builds the simulator's runtime with few optimisations, in two fifths of the time; what it finds is the same.

Programs are linked with it by gold if there is one, in two thirds of the time. Independent of tests.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from shine.simulator.compiler import Compiler

_flags, _libraries = Compiler.runtime_flags, Compiler.libraries


@contextmanager
def quick_runtime() -> Iterator[None]:
    """A context in which the runtime is built with `-O1`, and linked by gold."""
    with (
        patch.object(Compiler, "runtime_flags", _quick_flags),
        patch.object(Compiler, "libraries", _with_linker if shutil.which("ld.gold") else _libraries),
    ):
        yield


def _quick_flags(compiler: Compiler, profile: bool = False) -> tuple[str, ...]:
    return tuple("-O1" if flag == "-O3" else flag for flag in _flags(compiler, profile))


def _with_linker(compiler: Compiler) -> tuple[str, ...]:
    return (*_libraries(compiler), "-fuse-ld=gold")
