"""Resource usage of kernels on each architecture: plans, and what a compiler made of each.

A plan is a program, a strategy with its parameters, and how many blocks should reside on a multiprocessor. Needs no
device: everything is read from machine code and from the assembler's report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import elevate
import rise
import strategies
from rise.hardware import Architecture, architecture
from shine.passes.gpu import make_kernels
from shine.simulator.profile import occupancy
from shine.targets import TARGETS
from shine.targets.cuda.compiler import compile_text, find_compiler
from shine.targets.cuda.module import CudaModule
from shine.targets.cuda.printer import print_program
from shine.targets.cuda.sass import instructions, widths
from shine.translate import GPU_LEVELS, translate

CASES = Path(__file__).resolve().parents[2] / "cases"
ARCHITECTURES = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
WMMA = "strategies.tensor_core:wmma"
TILES = "strategies.gpu:productTiles"
SIZE = 4096


@dataclass(frozen=True, slots=True)
class Plan:
    """The planned resources of a kernel: `blocks` of it reside on a multiprocessor of each architecture.

    `copies` are the 16-byte loads that each thread does for one step of the reduction; 0 if that is not stated.
    """

    name: str
    program: str
    strategy: str
    blocks: int
    copies: int = 0
    parameters: Mapping[str, int] = field(default_factory=dict)
    needs: str = "f16"


PLANS = (
    Plan("128 x 128 x 32, warps 64 x 32", "gemm_plain", WMMA, 2, 4),
    Plan("128 x 128 x 32, warps 64 x 32, with alpha and beta", "gemm", WMMA, 2, 4),
    Plan("128 x 128 x 32, warps 64 x 32, bf16", "gemm_bf16", WMMA, 2, 4, needs="bf16"),
    Plan(
        "64 x 64 x 32, warps 32 x 32",
        "gemm_plain",
        WMMA,
        5,
        4,
        {"rows": 64, "columns": 64, "warp_rows": 32, "warp_columns": 32},
    ),
    Plan("128 x 128 x 64, warps 64 x 32", "gemm_plain", WMMA, 1, 8, {"depth": 64}),
    Plan("256 x 128 x 32, warps 64 x 64", "gemm_plain", WMMA, 1, 6, {"rows": 256, "warp_columns": 64}),
    Plan("64 x 64 x 16, threads 4 x 4, f32", "mm", TILES, 4, 2, {"vector": 4, "edges": 0}),
    Plan(
        "128 x 128 x 8, threads 8 x 8, f32",
        "mm",
        TILES,
        2,
        2,
        {
            "rows": 128,
            "columns": 128,
            "depth": 8,
            "thread_rows": 8,
            "thread_columns": 8,
            "vector": 4,
            "edges": 0,
        },
    ),
    Plan("blocksAndThreads, f32", "mm", TARGETS["cuda"].strategy, 1),
)


@dataclass(frozen=True, slots=True)
class Taken:
    """The resources of a kernel: registers, local memory and spills (bytes) per thread; the rest per block.

    `blocks` reside on a multiprocessor. `loads` and `stores` to global memory are counted by the bytes that each
    moves for a thread, such as 16; `generic` loads are those whose memory space the compiler does not know.
    """

    plan: str
    arch: str
    threads: int
    registers: int
    shared: int
    local: int
    spills: int
    blocks: int
    loads: dict[int, int]
    stores: dict[int, int]
    generic: int
    matrix_loads: int
    matrix_products: int


def can_run(plan: Plan, arch: str) -> bool:
    """Whether the tensor cores of an architecture multiply the plan's numbers."""
    return plan.needs in architecture(arch).tensor_inputs


@cache
def _lowered(program: str, strategy: str, parameters: tuple[tuple[str, int], ...]) -> rise.Expr:
    text = (CASES / f"{program}.rise").read_text(encoding="utf-8")
    result = strategies.load(strategy, **dict(parameters))(rise.parse(text).main)
    assert isinstance(result, elevate.Success), result.explain()
    low: rise.Expr = result.program
    return rise.specialise(low, M=SIZE, N=SIZE, K=SIZE)


def compiler_release() -> str:
    """The compiler and its full version. Raises RiseError if there is none."""
    name = find_compiler().name
    try:
        return f"NVRTC {version('nvidia-cuda-nvrtc')}" if name.startswith("NVRTC") else name
    except PackageNotFoundError:
        return name


def module_of(low: rise.Expr, arch: str) -> CudaModule:
    """The source of a program for an architecture, and its launch parameters."""
    return print_program(
        make_kernels(translate(low, "kernel", GPU_LEVELS), arch), arch, wide=False, check=False
    )


def measure(plan: Plan, arch: str) -> Taken:
    """Compile a plan and read its resources. Raises RiseError if there is no compiler or disassembler."""
    low = _lowered(plan.program, plan.strategy, tuple(plan.parameters.items()))
    module = module_of(low, arch)
    (kernel,) = module.kernels
    cubin = compile_text(module.source, arch, [kernel.name], origins=module.origins)
    taken = cubin.resources[kernel.name]
    code = instructions(cubin.image, kernel.name)
    threads = kernel.block[0] * kernel.block[1] * kernel.block[2]
    shared = taken.shared + kernel.shared_bytes
    return Taken(
        plan=plan.name,
        arch=arch,
        threads=threads,
        registers=taken.registers,
        shared=shared,
        local=taken.local,
        spills=taken.spill_stores + taken.spill_loads,
        blocks=resident_blocks(architecture(arch), threads, taken.registers, shared),
        loads=dict(sorted(widths(code, "LDG").items())),
        stores=dict(sorted(widths(code, "STG").items())),
        generic=_starting("LD", code),
        matrix_loads=_starting("LDSM", code),
        matrix_products=_starting("HMMA", code),
    )


def resident_blocks(arch: Architecture, threads: int, registers: int, shared: int) -> int:
    """How many blocks a multiprocessor holds at once (CUDA C++ Best Practices Guide, "Calculating Occupancy").

    >>> resident_blocks(architecture("sm_80"), 256, 128, 18944)
    2
    >>> resident_blocks(architecture("sm_75"), 256, 32, 0)
    4
    """
    return occupancy(arch, threads, shared, registers).blocks


def faults(plan: Plan, taken: Taken) -> list[str]:
    """The promises of a plan that its kernel does not keep."""
    wrong = []
    if taken.spills or taken.local:
        wrong.append(
            f"expected all in registers, found {taken.spills} bytes spilled, {taken.local} of local memory"
        )
    if taken.blocks < plan.blocks:
        wrong.append(f"expected {plan.blocks} blocks on a multiprocessor, found {taken.blocks}")
    if taken.loads.get(16, 0) < plan.copies:
        wrong.append(f"expected {plan.copies} loads of 16 bytes in a step, found {taken.loads.get(16, 0)}")
    return wrong


def _starting(name: str, code: Counter[str]) -> int:
    return sum(count for one, count in code.items() if one.split(".")[0] == name)
