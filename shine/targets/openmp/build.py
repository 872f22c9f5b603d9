"""C sources to shared libraries, kept in the cache. Knows no procedures and no arrays."""

from __future__ import annotations

import subprocess
from pathlib import Path

from rise.diagnostics import Diagnostic, RiseError
from shine.cache import digest, is_whole, scratch, store, store_text
from shine.targets.openmp.compiler import Compiler, first_error


def build(text: str, compiler: Compiler, cache: Path) -> Path:
    """The shared library of a C source; built unless the cache has it. The source lies beside it.

    Raises RiseError where the compiler fails: that is a defect of ours, so the source is kept for the report.
    """
    if "_Float16" in text and not compiler.has_f16:
        title = f"the program computes with f16, and `{compiler.path}` has no 16-bit floating-point numbers"
        hint = "use gcc 12 or newer, clang 15 or newer, or f32"
        raise RiseError(Diagnostic("no-f16", title, hint=hint))
    name = digest(text, *compiler.flags, compiler.identity)
    entry = cache / f"{name}.so"
    if not is_whole(entry):
        source = cache / f"{name}.c"
        store_text(text, source)
        _compile(source, entry, compiler, cache)
    return entry


def _compile(source: Path, entry: Path, compiler: Compiler, cache: Path) -> None:
    with scratch(cache) as folder:
        made = folder / "kernel.so"
        command = [compiler.path, *compiler.flags, str(source), "-o", str(made), "-lm"]
        ran = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if ran.returncode != 0:
            raise RiseError(
                Diagnostic(
                    "compiler-failed",
                    f"expected `{compiler.path}` to build the generated C, found {first_error(ran.stderr)}",
                    hint=f"this is a defect of rise-shine: please report it with {source}",
                )
            )
        store(made, entry)
