"""C sources to shared libraries, kept in the cache. Knows no procedures and no arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rise.diagnostics import Diagnostic, RiseError
from shine.cache import digest, keep_text, use
from shine.programs import call, check_written, first_error
from shine.targets.openmp.compiler import Compiler

T = TypeVar("T")


def build(text: str, compiler: Compiler, cache: Path, load: Callable[[Path], T]) -> T:
    """What `load` makes of the shared library of a C source; built unless the cache has it.

    Raises RiseError where the compiler fails: that is a defect of ours, so the source is kept for the report.
    """
    if "_Float16" in text and not compiler.has_f16:
        title = f"the program computes with f16, and `{compiler.path}` has no 16-bit floating-point numbers"
        hint = "use gcc 12 or newer, clang 15 or newer, or f32"
        raise RiseError(Diagnostic("no-f16", title, hint=hint))
    name = digest(text, *compiler.flags, compiler.identity)

    def make(folder: Path) -> Path:
        source, made = folder / "kernel.c", folder / "kernel.so"
        source.write_text(text, encoding="utf-8")
        ran = call([compiler.path, *compiler.flags, source, "-o", made, "-lm"], folder)
        if ran.status != 0:
            kept = cache / f"{name}.c"
            keep_text(text, kept)
            title = f"expected `{compiler.path}` to build the generated C, found {first_error(ran.stderr)}"
            hint = f"this is a bug in rise-shine: please report it with {kept}"
            raise RiseError(Diagnostic("compiler-failed", title, hint=hint))
        return check_written(made, compiler.path)

    return use(cache / f"{name}.so", make, load)
