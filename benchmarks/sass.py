"""Machine code compared with Triton's: matrix products on tensor cores, whose main loops are counted and modelled, and
ordinary kernels of the default strategy.

Needs neither a device nor a clock, but a compiler, nvdisasm, and Triton for its rows. Absent tools are named, and what
needs them is skipped.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from math import prod
from typing import Any

import rise
import strategies
from benchmarks._measure import load, machine
from benchmarks._report import Table, is_quick, report
from benchmarks.gpu.loops import (
    BANDWIDTH,
    BARRIER,
    COSTS,
    SCHEDULERS,
    Kernel,
    Loop,
    integers,
    main_loop,
    starting,
)
from benchmarks.gpu.ordinary import table
from benchmarks.gpu.resources import CASES, SIZE, compiler_release, module_of
from rise.diagnostics import RiseError
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.sass import listing

ARCHITECTURES = tuple(COSTS)
COLUMNS = (
    "kernel",
    "arch",
    "warps",
    "registers",
    "spills",
    "shared KiB",
    "blocks",
    "HMMA",
    "LDSM",
    "LDGSTS",
    "LDG + STS",
    "BAR",
    "integer, move",
    "all",
    "per product",
    "issue",
    "shared",
    "tensor",
    "ahead",
    "bound",
    "misses",
)
#: what a kernel for a device of the Ampere class should reach; `per product` also at most that of Triton's best
SHARED_GOAL = 0.75  # cycles of shared memory, of those of the tensor cores
#: instructions of a convolution, and cycles of shared memory, of those of the product with the same tiles
CONVOLUTION_GOAL = 1.1
AHEAD_GOAL = 3
BOUND_GOAL = 0.9
ABSENT = {"no-compiler", "no-disassembler"}
NOTE = (
    f"f16 to f32, {SIZE} in each direction. For a thread: registers, and bytes of spills; `blocks` reside on a "
    "multiprocessor. From `HMMA` to `all`: instructions of a warp in one pass through the main loop (`HMMA` counts "
    "HGMMA as well); `per product` is all of them for each 16 x 8 x 16 multiplied. `issue`, `shared` and `tensor` are "
    "cycles for a step of 128 x 128 x 32 of a block, that is of 256 products: instructions by "
    f"{SCHEDULERS} schedulers, bytes of shared memory at {BANDWIDTH} a cycle without bank conflicts (HGMMA reads there "
    "itself), and products. `ahead` is how many steps' copies are under way while the kernel multiplies. `bound` is "
    "the fraction of the tensor cores' peak that a model allows: a step takes the longest of the three and "
    f"{BARRIER} cycles for each barrier, and as long as its copies where they are ahead; otherwise copies, stores to "
    "shared memory, barriers and products follow each other, and blocks that reside alternate perfectly. What is "
    "outside of the loop, and a last turn of few blocks, are not in it. Nothing was timed. Goals, for sm_80: no "
    f"spills, `shared` at most {SHARED_GOAL} of `tensor`, {AHEAD_GOAL} steps ahead, a bound of {BOUND_GOAL}, and "
    "no more instructions for a product than Triton's best, and for a convolution at most "
    f"{CONVOLUTION_GOAL} of the cycles to issue and of shared memory of `mmaSync` with the same tiles and stages; "
    "`misses` names those that a row of ours does not reach. `implicitGemm` is a convolution of 3 x 3 with channels "
    "innermost, 128 of them to 128, for 32 images of 56 x 56."
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A strategy in `strategies.tensor_core` with its parameters."""

    strategy: str
    parameters: Mapping[str, int] = field(default_factory=dict)
    is_convolution: bool = False

    @property
    def module(self) -> str:
        """The module of the strategy."""
        return "strategies.tensor_core" + (".implicit_gemm" if self.is_convolution else "")

    @property
    def name(self) -> str:
        """The name in the row."""
        return ", ".join([self.strategy, *(f"{name}={value}" for name, value in self.parameters.items())])

    @property
    def tile(self) -> tuple[int, int, int]:
        """The tile that a block multiplies in a step: rows, columns and depth."""
        made = getattr(import_module(self.module), self.strategy)
        chosen = {
            name: one.default for name, one in inspect.signature(made).parameters.items()
        } | self.parameters
        return chosen["rows"], chosen["columns"], chosen["depth"]


PLANS = (
    Plan("wmma"),
    *(Plan("wmma", {"warp_columns": 64, "stages": stages}) for stages in (1, 3, 4)),
    *(Plan("mmaSync", {"stages": stages}) for stages in (1, 2, 3, 4)),
    *(Plan("mmaSync", {"depth": 64, "stages": stages}) for stages in (3, 4)),
    Plan("mmaSync", {"columns": 256, "depth": 64, "stages": 3}),
    Plan("implicitGemm", {"edges": 0, "stages": 4}, is_convolution=True),
    Plan("implicitGemm", {"edges": 0, "depth": 64, "stages": 4}, is_convolution=True),
)
CONVOLUTION = """
val main = fun(x: B.(H+2).(W+2).C.f16, w: O.3.3.C.f16 => x
  |> map(fun(image => image |> map(slide(3, 1)) |> slide(3, 1) |> map(transpose)))
  |> map(fun(rows => rows |> map(fun(row => row |> map(fun(window => w |> map(fun(kernel =>
    zip(window |> join |> join, kernel |> join |> join)
    |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0))))))))))
"""
CONVOLUTION_SIZES = {"B": 32, "H": 56, "W": 56, "C": 128, "O": 128}


def main() -> int:
    """Count and report. The exit status is 0 even if tools are absent."""
    quick = is_quick("instructions in the main loops of matrix products")
    before = load()
    triton = None if quick else _triton()
    peer = (
        triton.RELEASE
        if triton
        else "Triton, " + ("not in a quick run" if quick else "which is not installed")
    )
    rows: list[tuple[str, ...]] = []
    ordinary: list[Table] = []
    absent = ""
    compiler = "no compiler"
    try:
        compiler = compiler_release()
        for arch in ARCHITECTURES[:1] if quick else ARCHITECTURES:
            rows += rows_of(arch, PLANS[:1] if quick else PLANS, triton)
        ordinary.append(
            table(ARCHITECTURES[:1] if quick else ARCHITECTURES, compiler, peer if triton else "")
        )
    except RiseError as error:
        if error.diagnostic.code not in ABSENT:
            raise
        absent = error.diagnostic.title
        rows = [("nothing", *["-"] * (len(COLUMNS) - 2), "not counted")]
    skipped = [f"Not counted: {absent}."] if absent else [] if triton else [f"Skipped: {peer}."]
    title = f"Main loops of matrix products, by {compiler}" + (f" and {peer}" if triton else "")
    note = " ".join([NOTE, _constants(), *skipped])
    # rows that were counted before are kept if they cannot be counted now
    loads = f"load: {before:.1f} before, {load():.1f} after"
    products = Table(title, COLUMNS, tuple(rows), note)
    report("sass", [products, *ordinary], machine(), loads, quick or bool(absent))
    return 0


def rows_of(arch: str, plans: Sequence[Plan], triton: Any) -> list[tuple[str, ...]]:
    """Our rows for an architecture, and then Triton's, if it is installed. If a plan fails, its row says why."""
    theirs = []
    for tile, stages, warps in triton.SCHEDULES if triton else ():
        kernel = triton.compiled(tile, stages, warps, arch)
        name = f"Triton, {' x '.join(map(str, tile))}, num_stages={stages}"
        theirs.append((name, kernel, main_loop(kernel)))
    best = min((loop.per_product for _, _, loop in theirs), default=None)
    ours: list[tuple[str, ...]] = []
    products: dict[Any, Loop] = {}
    for plan in plans:
        try:
            kernel = compiled(plan, arch)
        except RiseError as error:
            if error.diagnostic.code in ABSENT:
                raise
            ours.append((plan.name, arch, *["-"] * (len(COLUMNS) - 3), error.diagnostic.title))
            continue
        loop = main_loop(kernel)
        key = (kernel.tile, plan.parameters.get("stages", 1))
        if plan.strategy == "mmaSync":
            products[key] = loop
        wrong = beside(loop, products.get(key)) if plan.is_convolution else misses(loop, best)
        ours.append(_row(plan.name, kernel, loop, ", ".join(wrong) or "none"))
    return [*ours, *(_row(name, kernel, loop, "-") for name, kernel, loop in theirs)]


def compiled(plan: Plan, arch: str) -> Kernel:
    """The machine code of a plan. Raises RiseError if it cannot be lowered or compiled, or if a tool is absent."""
    module = module_of(lowered(plan), arch)
    (kernel,) = module.kernels
    cubin = compile_text(module.source, arch, [kernel.name], origins=module.origins)
    taken = cubin.resources[kernel.name]
    code = listing(cubin.image, kernel.name)
    shared = taken.shared + kernel.shared_bytes
    return Kernel(code, arch, plan.tile, prod(kernel.block) // 32, taken.registers, shared)


def lowered(plan: Plan) -> rise.Expr:
    """The program of a plan after its strategy."""
    return _lowered_by(f"{plan.module}:{plan.strategy}", tuple(plan.parameters.items()), plan.is_convolution)


@cache
def _lowered_by(strategy: str, parameters: tuple[tuple[str, int], ...], is_convolution: bool) -> rise.Expr:
    text = CONVOLUTION if is_convolution else (CASES / "gemm_plain.rise").read_text(encoding="utf-8")
    sizes = CONVOLUTION_SIZES if is_convolution else dict.fromkeys("MNK", SIZE)
    fixed = rise.specialise(rise.parse(text).main, **sizes)
    low: rise.Expr = strategies.load(strategy, **dict(parameters))(fixed).program
    return low


def beside(loop: Loop, product: Loop | None) -> list[str]:
    """The goals that the main loop of a convolution does not reach, given that of the product with the same tiles."""
    if product is None:
        return ["the product with these tiles was not counted"]
    wrong = [f"spills {loop.spills} bytes"] if loop.spills else []
    for what, found, other in (
        ("issue", loop.issue, product.issue),
        ("shared", loop.shared, product.shared),
    ):
        if found > CONVOLUTION_GOAL * other:
            wrong.append(f"{found / other:.2f} of the product's {what}")
    return wrong


def misses(loop: Loop, best: float | None) -> list[str]:
    """The goals that a main loop does not reach. `best` is the fewest instructions for a product by Triton."""
    wrong = []
    if loop.spills:
        wrong.append(f"spills {loop.spills} bytes")
    if loop.shared > SHARED_GOAL * loop.tensor:
        wrong.append(f"shared {loop.shared / loop.tensor:.2f} of tensor")
    if loop.ahead < AHEAD_GOAL:
        wrong.append(f"ahead {loop.ahead:.3g}")
    if loop.bound < BOUND_GOAL:
        wrong.append(f"bound {loop.bound:.2f}")
    if best is not None and loop.per_product > best:
        wrong.append(f"{loop.per_product / best:.2f} of Triton's instructions")
    return wrong


def _row(name: str, kernel: Kernel, loop: Loop, missed: str) -> tuple[str, ...]:
    def count(*operations: str) -> str:
        return str(sum(starting(operation, loop.counts) for operation in operations))

    return (
        name,
        kernel.arch,
        *map(str, (kernel.warps, kernel.registers, loop.spills)),
        f"{kernel.shared / 1024:.1f}",
        str(loop.blocks),
        count("HMMA", "HGMMA"),
        count("LDSM"),
        count("LDGSTS"),
        f"{count('LDG')} + {count('STS')}",
        count("BAR"),
        str(integers(loop.counts)),
        str(loop.counts.total()),
        f"{loop.per_product:.2f}",
        *(f"{cycles:.0f}" for cycles in (loop.issue, loop.shared, loop.tensor)),
        f"{loop.ahead:.3g}",
        f"{loop.bound:.2f}",
        missed,
    )


def _constants() -> str:
    """The constants of the model for each architecture, as a sentence."""
    each = (
        f"{arch}: {costs.latency} until a copy from the level-2 cache has arrived under load, {costs.product:g} for an "
        f"HMMA of 16 x 8 x 16, {costs.peak:g} at the peak"
        for arch, costs in COSTS.items()
    )
    return f"Constants, in cycles: {'; '.join(each)}."


def _triton() -> Any:
    """The module of Triton's product; None if Triton is not installed."""
    try:
        return import_module("benchmarks.gpu.triton_product")
    except ImportError:
        return None


if __name__ == "__main__":
    sys.exit(main())
