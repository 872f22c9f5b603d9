"""Calls NVRTC through ctypes to compile CUDA C++ without nvcc, also on machines without a GPU. Independent of caches.

The library and CUDA's headers come from packages (`pip install 'rise-shine[nvrtc]'`), in one folder for CUDA 13, and in
one folder per package for earlier versions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from rise.forks import fork_barrier
from rise.records import dataclass
from shine.targets.cuda.messages import FILE
from shine.targets.cuda.toolchain import ASSEMBLER, OPTIONS, Outcome, Toolchain, facts

_PACKAGE: Final = "nvidia"
_LIBRARY: Final = "lib/libnvrtc.so.*"
_BUILTINS: Final = "libnvrtc-builtins.so.*"
#: headers that texts include, directly or indirectly, and the package of each
HEADERS: Final = {
    "cuda_fp16.h": "nvidia-cuda-runtime",
    "mma.h": "nvidia-cuda-runtime",
    "crt/mma.h": "nvidia-cuda-crt",
}
#: folders of the library and of the headers in the packages of CUDA 12
_SPLIT_LIBRARY: Final = "cuda_nvrtc"
_SPLIT: Final = ("cuda_runtime", "cuda_nvcc")
#: held while the library is called: in a child forked meanwhile, the next call would never return
_CALLED: Final = fork_barrier()


@dataclass(frozen=True, slots=True)
class Installed:
    """A library, the folders of its headers, and the packages of missing headers."""

    library: Path
    includes: tuple[Path, ...]
    missing: tuple[str, ...]


def find_nvrtc() -> Installed | None:
    """The newest NVRTC that is installed as a package, preferably with all headers."""
    installed = sorted(_installed(), key=lambda candidate: (not candidate.missing, candidate.library.name))
    return installed[-1] if installed else None


def _installed() -> Iterator[Installed]:
    spec = find_spec(_PACKAGE)
    for root in map(Path, spec.submodule_search_locations or () if spec else ()):
        for library in root.glob(f"*/{_LIBRARY}"):
            if ".alt." in library.name:
                continue
            own = library.parents[1]
            folders = tuple(root / name for name in _SPLIT) if own.name == _SPLIT_LIBRARY else (own,)
            holders = [
                (name, [folder / "include" for folder in folders if (folder / "include" / name).is_file()])
                for name in HEADERS
            ]
            includes = dict.fromkeys(places[0] for _, places in holders if places)
            missing = dict.fromkeys(HEADERS[name] for name, places in holders if not places)
            yield Installed(library, tuple(includes), tuple(missing))


def open_nvrtc(installed: Installed) -> Toolchain:
    """NVRTC as a toolchain. Raises OSError if the library cannot be loaded."""
    library = _load(installed.library)
    major, minor = ctypes.c_int(), ctypes.c_int()
    library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    headers = [include / name for include in installed.includes for name in HEADERS]
    identity = " ".join(facts(path) for path in (installed.library, *headers) if path.is_file())
    name = f"NVRTC {major.value}.{minor.value}"
    return Toolchain(name, identity, partial(_compile, library, installed.includes))


@lru_cache(maxsize=4)
def _load(path: Path) -> Any:
    """Load the library. It opens its library of built-in functions by name, so that library is loaded first,
    by path.
    """
    with _CALLED:
        for part in sorted(path.parent.glob(_BUILTINS)):
            if ".alt." not in part.name:
                ctypes.CDLL(str(part), mode=ctypes.RTLD_GLOBAL)
        library = ctypes.CDLL(str(path))
    for name in ("Log", "PTX", "CUBIN"):
        owner = "nvrtcGetProgramLog" if name == "Log" else f"nvrtcGet{name}"
        library[f"{owner}Size"].argtypes = (ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t))
        library[owner].argtypes = (ctypes.c_void_p, ctypes.c_char_p)
    library.nvrtcCompileProgram.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p))
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    return library


def _compile(library: Any, includes: tuple[Path, ...], source: str, arch: str, kind: str) -> Outcome:
    with _CALLED:
        return _compile_alone(library, includes, source, arch, kind)


def _compile_alone(library: Any, includes: tuple[Path, ...], source: str, arch: str, kind: str) -> Outcome:
    target = arch.replace("sm_", "compute_") if kind == "ptx" else arch
    options = [f"--gpu-architecture={target}", *OPTIONS, *(f"--include-path={path}" for path in includes)]
    options += [f"--ptxas-options={option}" for option in ASSEMBLER.get(kind, ())]
    program = ctypes.c_void_p()
    status = library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), FILE.encode(), 0, None, None)
    if status:
        return Outcome(None, f"nvrtc: error: {_error(library, status)}")
    try:
        passed = (ctypes.c_char_p * len(options))(*map(str.encode, options))
        status = library.nvrtcCompileProgram(program, len(options), passed)
        log = _fetch(library, program, "ProgramLog").replace(b"\0", b"").decode("utf-8", "replace")
        if status:
            return Outcome(None, log if log.strip() else f"nvrtc: error: {_error(library, status)}")
        return Outcome(_fetch(library, program, "PTX" if kind == "ptx" else "CUBIN"), log)
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _fetch(library: Any, program: ctypes.c_void_p, kind: str) -> bytes:
    size = ctypes.c_size_t()
    library[f"nvrtcGet{kind}Size"](program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    library[f"nvrtcGet{kind}"](program, buffer)
    return buffer.raw


def _error(library: Any, status: int) -> str:
    return str(library.nvrtcGetErrorString(status).decode())
