"""The targets cuda and cuda-sim as records. Independent of source text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from rise.diagnostics import RiseError
from rise.hardware import architecture
from rise.records import dataclass
from shine.imperative.kernel_text import write_program
from shine.imperative.kernels import GpuProgram
from shine.imperative.limits import Limits
from shine.imperative.nodes import Origin
from shine.passes.gpu import GPU_PASSES
from shine.passes.record import Settings
from shine.targets.cuda.compiler import compile_text, find_compiler
from shine.targets.cuda.launcher import Launcher
from shine.targets.cuda.loader import device_arch
from shine.targets.cuda.module import CudaModule
from shine.targets.cuda.printer import print_program
from shine.targets.cuda.simulation import simulate
from shine.targets.cuda.text import OnDevice, Printed, Simulations
from shine.targets.target import Executable, Option, Outline, Target
from shine.translate import GPU_LEVELS

#: the default architecture without a device: the oldest one that supports everything that is printed
COMMON: Final = "sm_80"
STRATEGY: Final = "strategies.gpu:blocksAndThreads"


@dataclass(frozen=True, slots=True)
class Uncompiled:
    """A text built without a CUDA compiler: it can be read, and running it reports what to install."""

    module: CudaModule
    reason: RiseError

    @property
    def source(self) -> str:
        """The CUDA text."""
        return self.module.source

    @property
    def origins(self) -> tuple[Origin | None, ...]:
        """For each of its lines, the path in the low-level program."""
        return self.module.origins

    @property
    def limits(self) -> Limits:
        """Bounds on what it computes from sizes."""
        return self.module.limits

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        """Raises RiseError."""
        raise self.reason

    @property
    def image(self) -> bytes:
        """Raises RiseError."""
        raise self.reason


def _arch(given: str | None, device: int | None) -> str:
    """The architecture to build for: the given one, that of the device if there is one, or a common one."""
    if given is not None or device is None:
        return given or COMMON
    try:
        return device_arch(device)
    except RiseError:
        return COMMON


def with_arch(options: Settings) -> Settings:
    """The options with an architecture, see `_arch`."""
    return {**options, "arch": _arch(options["arch"], options.get("device"))}


def build_cuda(program: GpuProgram, options: Settings) -> Executable:
    """Print the kernels and compile them; the device is opened at the first call."""
    arch = options["arch"]
    cache = None if options["cache"] is None else Path(options["cache"])
    try:
        find_compiler(options["compiler"])
    except RiseError as reason:
        if options["compiler"] is not None:
            raise
        missing = reason
        return Printed(program, arch, options["check"], lambda module: Uncompiled(module, missing))

    def launcher(module: CudaModule) -> Launcher:
        names = [kernel.name for kernel in module.kernels]
        cubin = compile_text(
            module.source,
            arch,
            names,
            options["strict"],
            options["compiler"],
            origins=module.origins,
            cache=cache,
        )
        return Launcher(module, program.procedure, cubin.image, options["device"])

    return OnDevice(program, arch, options["check"], launcher)


def build_simulated(program: GpuProgram, options: Settings) -> Simulations:
    """Print the kernels, and build the text for the simulator."""
    arch = architecture(options["arch"])
    procedure = program.procedure
    return Simulations(program, arch.name, False, lambda module: simulate(module, procedure, arch, options))


def outline_kernels(program: GpuProgram, options: Settings) -> Outline:
    """The kernels after all passes, as text: launches, shared memory, barriers."""
    print_program(program, options["arch"], wide=False)  # raises for what the architecture lacks
    return write_program(program)


_CACHE: Final = Option("cache", str, None, "the directory of built kernels; by default the user's")
CUDA: Final = Target(
    "cuda",
    "CUDA C++ for NVIDIA GPUs, compiled by NVRTC or nvcc, launched through PyCUDA",
    STRATEGY,
    (
        Option(
            "arch", str, None, f"the architecture, such as sm_90; by default the device's, or else {COMMON}"
        ),
        Option(
            "compiler", str, None, "nvrtc, nvcc, or the path of an nvcc; by default the first that is found"
        ),
        Option("strict", bool, False, "whether registers that spill to memory are an error"),
        Option("check", bool, False, "whether an out-of-bounds index stops the kernel"),
        Option("device", int, 0, "the number of the device"),
        _CACHE,
    ),
    GPU_PASSES,
    build_cuda,
    GPU_LEVELS,
    outline_kernels,
    source_suffix=".cu",
    code_suffix=".cubin",
    settle=with_arch,
)
CUDA_SIM: Final = Target(
    "cuda-sim",
    "the same CUDA C++ on any machine with a C++ compiler, with checks for races and invalid accesses",
    STRATEGY,
    (
        Option("arch", str, None, f"the architecture whose limits apply, such as sm_90; by default {COMMON}"),
        Option("cxx", str, None, "the C++ compiler, by name or path; by default g++ or clang++"),
        Option("check", bool, False, "whether to detect races, invalid accesses and uninitialised reads"),
        Option(
            "schedule",
            str,
            "ascending",
            "the order of threads: ascending, descending, or random:NUMBER",
            only_runs=True,
        ),
        Option("seconds", float, 60.0, "the processor time after which a kernel is stopped", only_runs=True),
        _CACHE,
    ),
    GPU_PASSES,
    build_simulated,
    GPU_LEVELS,
    outline_kernels,
    source_suffix=".cu",
    settle=with_arch,
)
