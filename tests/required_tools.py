"""Tools that tests need and a machine may lack: their names, whether they are installed, and the only way to skip a
test.

At the end of a run, the skipped tests are counted by the missing tool (`tests/conftest.py`). Independent of tests.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, NoReturn

import pytest

from rise.diagnostics import RiseError
from shine.cache import default_directory
from shine.simulator.compiler import COMPILER_NAMES
from shine.targets.cuda import compiler as cuda_compiler
from shine.targets.cuda import sass
from shine.targets.openmp import compiler as c_compiler

CUDA_COMPILER: Final = "NVRTC or nvcc"
CXX: Final = "a C++ compiler"
OPENMP: Final = "a C compiler with OpenMP"
DEVICE: Final = "a CUDA device"
DISASSEMBLER: Final = "nvdisasm"
HEADERS: Final = "Python's headers"
PILLOW: Final = "Pillow"
DASK: Final = "dask"
MATPLOTLIB: Final = "Matplotlib"
PYCUDA: Final = "PyCUDA"
TORCH: Final = "PyTorch"
JAX: Final = "JAX"
ABSL: Final = "absl, which the first versions of `jax.export` need"
OPT_EINSUM: Final = "opt_einsum"
Z3: Final = "Z3"
GCC: Final = "gcc for x86-64"
X86_64: Final = "a processor of x86-64"
LONG_DOUBLE: Final = "a long double of 64 bits of fraction"
FORK: Final = "a system with fork"
SANITIZERS: Final = "the sanitizers of a C compiler"
THREADS_OF_TASKS: Final = "a system with /proc/self/task"
#: the beginning of the reason of each skip
WANT: Final = "for want of "
_REASON: Final = re.compile(rf"{WANT}(.*)", re.DOTALL)


def skip_without(tool: str) -> NoReturn:
    """Skip the running test, because the machine lacks a tool."""
    pytest.skip(WANT + tool)


def needs(tool: str, is_there: bool) -> pytest.MarkDecorator:
    """Mark tests to be skipped if the machine lacks a tool."""
    return pytest.mark.skipif(not is_there, reason=WANT + tool)


def has_cuda_compiler(name: str | None = None) -> bool:
    """Whether a CUDA compiler is installed: the given one, or any."""
    try:
        cuda_compiler.find_compiler(name)
    except RiseError:
        return False
    return True


@cache
def has_disassembler() -> bool:
    """Whether `nvdisasm` is installed."""
    try:
        sass.find_disassembler()
    except RiseError:
        return False
    return True


def has_cxx() -> bool:
    """Whether the simulator finds a C++ compiler."""
    return any(shutil.which(name) for name in COMPILER_NAMES)


@cache
def has_openmp() -> bool:
    """Whether the C compiler supports OpenMP."""
    return c_compiler.find_compiler(None, None, default_directory()).has_threads


def has_fork() -> bool:
    """Whether the system can fork a process."""
    return hasattr(os, "fork")


def has_module(name: str) -> bool:
    """Whether a package is installed."""
    return importlib.util.find_spec(name) is not None


def torch() -> Any:
    """PyTorch; skips the running test if it is not installed."""
    return _imported("torch", TORCH)


def jax() -> Any:
    """JAX; skips the running test if it is not installed."""
    return _imported("jax", JAX)


def of_opt_einsum(name: str) -> Any:
    """A module of opt_einsum; skips the running test if it is not installed."""
    return _imported(name, OPT_EINSUM)


def _imported(name: str, tool: str) -> Any:
    if not has_module(name.partition(".")[0]):
        skip_without(tool)
    return importlib.import_module(name)


def needs_cuda_compiler() -> pytest.MarkDecorator:
    """Mark tests that compile CUDA."""
    return needs(CUDA_COMPILER, has_cuda_compiler())


def by_tool(reasons: Iterable[str]) -> Counter[str]:
    """The number of tests that lack each tool, from the reasons for skipping; other reasons are kept as they are."""
    found: Counter[str] = Counter()
    for reason in reasons:
        match = _REASON.search(reason)
        found[match[1] if match else f"what it does not name: {reason}"] += 1
    return found


def reason_of(report: Any) -> str:
    """Why a test was skipped, as pytest reports it."""
    found = report.longrepr
    return str(found[2]) if isinstance(found, tuple) else str(found)


def summary(skipped: Counter[str]) -> list[str]:
    """A line for each tool, beginning with the one that most tests lack.

    >>> summary(Counter({"nvdisasm": 1, "NVRTC or nvcc": 84}))
    ['skipped for want of NVRTC or nvcc: 84 tests', 'skipped for want of nvdisasm: 1 test']
    """
    return [
        f"skipped {WANT}{tool}: {count} test{'s' * (count != 1)}"
        for tool, count in sorted(skipped.items(), key=lambda one: (-one[1], one[0]))
    ]
