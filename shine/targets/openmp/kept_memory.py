"""The memory of temporary arrays, which is kept for the next calls (`runtime/memory.c`). Independent of kernels.

The system clears all memory that is new to a process, page by page, which can take longer than computing what is stored
there. The C library returns large arrays to the system when they are freed. So a kernel that a process loads takes the
memory of its temporaries from a pool that all kernels of the process share, and gives it back to this pool. The C text
of a kernel does not need it: without a pool, it calls the C library.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any, Final

from rise.diagnostics import RiseError
from rise.forks import fork_barrier
from shine.cache import digest, use
from shine.programs import call, check_written
from shine.targets.openmp.compiler import Compiler

SOURCE: Final = Path(__file__).parent / "runtime" / "memory.c"
FLAGS: Final = ("-std=gnu11", "-O2", "-shared", "-fPIC")
#: how many bytes are kept at most, and which part of a machine's memory
MOST_BYTES: Final = 256 << 20
MOST_SHARE: Final = 8
#: the function that tells a kernel's library where to take memory, and its C
KEEP: Final = "shine_keep"
_TEXT: Final = f"""
void {KEEP}(void *(*take)(size_t), void (*give)(void *)) {{
  take_memory = take;
  give_memory = give;
}}
"""
_LOADING: Final = fork_barrier()
_POOLS: Final[dict[Path, ctypes.CDLL]] = {}


def keeping_text(text: str) -> str:
    """The C text of `KEEP` for a kernel; empty if it has no temporaries whose memory can be kept."""
    return _TEXT if "take_memory" in text else ""


def keep_memory(library: Any, compiler: Compiler, cache: Path) -> None:
    """Let a kernel's library take memory from the pool, if it can be built."""
    try:
        pool = _pool(compiler, cache)
    except (RiseError, OSError):
        return
    passed = [ctypes.cast(pool[name], ctypes.c_void_p) for name in ("shine_take", "shine_give")]
    library[KEEP](*passed)


def release_memory() -> None:
    """Free all memory that kernels for CPUs keep for their next calls: at most 256 MiB, and an eighth of the machine's
    memory.
    """
    for pool in list(_POOLS.values()):
        pool.shine_release()


def kept_bytes() -> int:
    """How many bytes are kept for the next calls."""
    return sum(pool.shine_kept() for pool in list(_POOLS.values()))


def _pool(compiler: Compiler, cache: Path) -> ctypes.CDLL:
    text = SOURCE.read_text(encoding="utf-8")
    limit = f"-DKEPT={min(MOST_BYTES, _memory() // MOST_SHARE)}ull"
    entry = cache / f"{digest(text, limit, *FLAGS, compiler.identity)}.so"
    if entry in _POOLS:
        return _POOLS[entry]

    def make(folder: Path) -> Path:
        source, library = folder / "memory.c", folder / "memory.so"
        source.write_text(text, encoding="utf-8")
        call([compiler.path, *FLAGS, limit, source, "-o", library], folder)
        return check_written(library, compiler.path)

    return _POOLS.setdefault(entry, use(entry, make, _loaded))


def _loaded(file: Path) -> ctypes.CDLL:
    with _LOADING:
        pool = ctypes.CDLL(str(file))
    pool.shine_release.argtypes, pool.shine_release.restype = [], None
    pool.shine_kept.argtypes, pool.shine_kept.restype = [], ctypes.c_size_t
    return pool


def _memory() -> int:
    """The bytes of memory that this machine has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return MOST_SHARE * MOST_BYTES
