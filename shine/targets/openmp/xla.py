"""Builds the library by which XLA calls a kernel (`runtime/xla.c`), against the headers that come with XLA."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from shine.cache import digest, use
from shine.programs import call, check_written, first_error
from shine.targets.openmp.calls import PACKED
from shine.targets.openmp.compiler import Compiler

SOURCE: Final = Path(__file__).parent / "runtime" / "xla.c"
HEADER: Final = Path("xla", "ffi", "api", "c_api.h")
FLAGS: Final = ("-std=gnu11", "-O2", "-shared", "-fPIC")


def handler(library: Any, name: str, headers: Path, compiler: Compiler, cache: Path) -> Any:
    """XLA's handler for a kernel, as a ctypes function that keeps its own library alive. `name` distinguishes these
    libraries, since each runs one kernel.

    Raises RiseError if it does not compile.
    """
    text = f"{SOURCE.read_text(encoding='utf-8')}/* {name} */\n"
    header = (headers / HEADER).read_text(encoding="utf-8")
    entry = cache / f"{digest(text, header, *FLAGS, compiler.identity)}.xla"

    def make(folder: Path) -> Path:
        source, built = folder / "xla.c", folder / "xla.so"
        source.write_text(text, encoding="utf-8")
        ran = call([compiler.path, *FLAGS, f"-I{headers}", source, "-o", built], folder)
        if ran.status:
            title = f"expected `{compiler.path}` to build a handler for XLA, found {first_error(ran.stderr)}"
            raise RiseError(
                Diagnostic("compiler-failed", title, hint="install the release of jax that the extra names")
            )
        return check_written(built, compiler.path)

    loaded = use(entry, make, lambda file: ctypes.CDLL(str(file)))
    loaded.shine_xla_set(ctypes.cast(library[PACKED], ctypes.c_void_p))
    return loaded.shine_xla
