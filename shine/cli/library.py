"""The shared library of a kernel, to be written somewhere. Knows the target that builds one."""

from __future__ import annotations

from pathlib import Path

import shine
from rise.diagnostics import Diagnostic, RiseError
from shine.cache import default_directory, writable_directory
from shine.cli.request import Request
from shine.targets.openmp.build import build
from shine.targets.openmp.compiler import find_compiler
from shine.targets.openmp.target import OPENMP


def library_of(request: Request, kernel: shine.Kernel) -> bytes:
    """The library that a kernel was built to. Raises RiseError where its target builds none."""
    if kernel.target != OPENMP.name:
        title = f"the target {kernel.target} builds no library"
        raise RiseError(
            Diagnostic("no-library", title, hint=f"write its source, or use --target {OPENMP.name}")
        )
    options = OPENMP.complete(kernel.options)
    cache = default_directory() if options["cache"] is None else writable_directory(Path(options["cache"]))
    return build(kernel.source, find_compiler(options["cc"], request.arch, cache), cache).read_bytes()
