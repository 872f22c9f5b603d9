"""Simulates machines with or without some tool, for programs with a comment such as `// without: PyCUDA`.

Depends on how compilers and devices are found; independent of messages.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

from shine.cache import scratch
from shine.simulator.compiler import Compiler
from shine.targets.cuda import loader
from shine.targets.cuda.compiler import Cubin
from shine.targets.cuda.toolchain import Outcome, Toolchain
from tests.shine.targets.cuda.pycuda_stub import StubDriver

_SAID: Final = re.compile(r"^// (without|with): (.*)$", re.MULTILINE)
_KERNEL: Final = re.compile(r"__global__[^(]*(?:\(\d+\))? (\w+)\(")


@contextmanager
def machine_of(source: str) -> Iterator[None]:
    """The machine that the comments of a program describe."""
    with ExitStack() as stack:
        for word, what in _SAID.findall(source):
            stack.enter_context(MACHINES[f"{word} {what}"]())
        yield


@contextmanager
def without_compiler() -> Iterator[None]:
    """Neither NVRTC nor nvcc."""
    where = "shine.targets.cuda.compiler"
    with patch(f"{where}.find_nvrtc", lambda: None), patch(f"{where}.find_program", lambda name: None):
        yield


@contextmanager
def with_compiler() -> Iterator[None]:
    """A CUDA compiler that accepts everything."""

    def compiled(source: str, arch: str, kernels: Sequence[str], *_: Any, **__: Any) -> Cubin:
        return Cubin(b"machine code", arch, "a compiler", {}, "")

    where = "shine.targets.cuda.target"
    with patch(f"{where}.find_compiler", lambda name: None), patch(f"{where}.compile_text", compiled):
        yield


@contextmanager
def with_toolchain(log: Callable[[str], str], image: bytes | None) -> Iterator[None]:
    """A CUDA compiler with this log and this output for every text."""

    def run(source: str, arch: str, kind: str) -> Outcome:
        return Outcome(image, log(source))

    toolchain = Toolchain("NVRTC", "for tests", run)
    where = "shine.targets.cuda"
    with (
        patch(f"{where}.compiler.find_compiler", lambda name=None: toolchain),
        patch(f"{where}.target.find_compiler", lambda name=None: toolchain),
        patch(f"{where}.compiler._cached", lambda entry, source, arch, chosen: run(source, arch, "cubin")),
    ):
        yield


def spilling(source: str) -> str:
    """The assembler's log for spilled registers."""
    return "".join(
        f"ptxas info    : Compiling entry function '{name}' for 'sm_80'\n"
        f"    1024 bytes stack frame, 2048 bytes spill stores, 4096 bytes spill loads\n"
        f"ptxas info    : Used 255 registers, used 1 barriers\n"
        for name in _KERNEL.findall(source)
    )


def refusing(source: str) -> str:
    """NVRTC's log for a line that it rejects."""
    lines = source.splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "output[" in line)
    text = lines[number - 1].strip()
    return f'kernel.cu({number}): error: identifier "y" is undefined\n    {text}\n    ^\n'


@contextmanager
def with_refusing_cxx() -> Iterator[None]:
    """A C++ compiler that rejects one line of a text."""

    def run(self: Compiler, *arguments: str) -> tuple[int, str]:
        unit = next((path for path in map(Path, arguments) if path.name == "program.cpp"), None)
        if unit is None:  # headers, which are built once
            return accepting(self, *arguments)
        lines = unit.read_text(encoding="utf-8").splitlines()
        first = next(n for n, line in enumerate(lines, 1) if line.startswith('#line 1 "kernel.cu"'))
        number = next(n for n, line in enumerate(lines[first:], 1) if "output[" in line)
        return 1, f"kernel.cu:{number}:3: error: 'y' was not declared in this scope\n"

    accepting = Compiler.run

    def build_anew(_entry: Path, make: Callable[[Path], Path], with_built: Callable[[Path], Any]) -> Any:
        with scratch() as folder:
            return with_built(make(folder))

    with (
        patch("shine.simulator.compiler.Compiler.run", run),
        patch("shine.simulator.builder.use", build_anew),
    ):
        yield


class Blocker(MetaPathFinder):
    """Makes imports of a package fail, as if it were not installed."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name.partition(".")[0] == self.package:
            raise ModuleNotFoundError(f"No module named {self.package!r}", name=name)
        return None


@contextmanager
def without_pycuda() -> Iterator[None]:
    """A CUDA compiler, and no PyCUDA."""
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] != "pycuda"}
    with (
        with_compiler(),
        no_open_device(),
        patch.dict(sys.modules, kept, clear=True),
        patch.object(sys, "meta_path", [Blocker("pycuda"), *sys.meta_path]),
    ):
        yield


@contextmanager
def without_device(count: int = 0) -> Iterator[None]:
    """A CUDA compiler, PyCUDA, and this many devices."""
    failure = type("Error", (Exception,), {})
    drv = SimpleNamespace(init=lambda: None, Error=failure, Device=SimpleNamespace(count=lambda: count))
    with with_compiler(), no_open_device(), patch.object(loader, "import_pycuda", lambda: drv):
        yield


@contextmanager
def no_open_device() -> Iterator[None]:
    """Close all devices before and after."""
    loader._open.cache_clear()
    try:
        yield
    finally:
        loader._open.cache_clear()


@contextmanager
def with_device() -> Iterator[None]:
    """A CUDA compiler, and a device whose kernels do nothing."""
    driver = StubDriver()
    with (
        with_compiler(),
        patch("shine.targets.cuda.launcher.Launcher.__init__.__defaults__", (0, lambda index: driver)),
    ):
        yield


MACHINES: Final[Mapping[str, Callable[[], Any]]] = {
    "without a compiler for CUDA": without_compiler,
    "without PyCUDA": without_pycuda,
    "without a device": without_device,
    "with one device": lambda: without_device(1),
    "with a device": with_device,
    "with a compiler that spills registers": lambda: with_toolchain(spilling, b"machine code"),
    "with a compiler for CUDA that refuses a line": lambda: with_toolchain(refusing, None),
    "with a C++ compiler that refuses a line": with_refusing_cxx,
}
