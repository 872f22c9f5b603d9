"""Machine code of the ten steps of `strategies.tensor_core.ladder`: what their main loops consist of.

Needs neither a device nor a clock, but a compiler and nvdisasm; if one is absent, nothing is counted.
"""

from __future__ import annotations

import sys
from collections import Counter
from math import prod

import rise
import strategies
from benchmarks._measure import load, machine
from benchmarks._report import Table, is_quick, report
from benchmarks.gpu.loops import UNIT, WARP, integers, multiplications, starting
from benchmarks.gpu.resources import CASES, SIZE, compiler_release, module_of, resident_blocks
from rise.diagnostics import RiseError
from rise.hardware import architecture
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.sass import Instruction, listing, widths

ARCH = "sm_80"
STEPS = (
    "elementPerThread",
    "fragmentPerWarp",
    "warpsPerBlock",
    "fragmentsPerWarp",
    "sharedTiles",
    "vectorCopies",
    "paddedRows",
    "knownLanes",
    "asynchronousTiles",
    "pipelinedTiles",
)
COLUMNS = (
    "step",
    "warps",
    "registers",
    "spills",
    "shared KiB",
    "blocks",
    "products",
    "HMMA",
    "LDG",
    "LDGSTS",
    "STS",
    "LDS, LDSM",
    "BAR",
    "integer, move",
    "all",
    "all per product",
    "bytes from L2 per product",
)
ABSENT = {"no-compiler", "no-disassembler"}
NOTE = (
    f"f16 to f32, {SIZE} in each direction, for {ARCH}. For a thread: registers, and bytes of spills; `blocks` "
    "reside on a multiprocessor. Then instructions of a warp in one pass through the innermost loop that "
    "multiplies most, and `products` of 16 x 8 x 16 in it (64 multiplications by a warp are one). `bytes from "
    "L2 per product`: what the warp loads from global memory there, by LDG and LDGSTS, for each product. "
    "Nothing was timed; bank conflicts, which the seventh step removes, and waiting, which the last two "
    "remove, are no instructions."
)


def main() -> int:
    """Count and report. The exit status is 0 even if tools are absent."""
    quick = is_quick("instructions in the main loops of the ladder's steps")
    before = load()
    rows: list[tuple[str, ...]] = []
    absent, compiler = "", "no compiler"
    try:
        compiler = compiler_release()
        rows = [row(number, step) for number, step in enumerate(STEPS[:2] if quick else STEPS, start=1)]
    except RiseError as error:
        if error.diagnostic.code not in ABSENT:
            raise
        absent = error.diagnostic.title
        rows = [("nothing", *["-"] * (len(COLUMNS) - 2), "not counted")]
    note = " ".join([NOTE, *([f"Not counted: {absent}."] if absent else [])])
    title = f"Steps to a fast matrix product, by {compiler}"
    loads = f"load: {before:.1f} before, {load():.1f} after"
    report("ladder", [Table(title, COLUMNS, tuple(rows), note)], machine(), loads, quick or bool(absent))
    return 0


def row(number: int, step: str) -> tuple[str, ...]:
    """The counts of a step. Raises RiseError if it cannot be lowered or compiled, or if a tool is absent."""
    text = (CASES / "gemm_plain.rise").read_text(encoding="utf-8")
    fixed = rise.specialise(rise.parse(text).main, M=SIZE, N=SIZE, K=SIZE)
    low: rise.Expr = strategies.load(f"strategies.tensor_core.ladder:{step}")(fixed).program
    module = module_of(low, ARCH)
    (kernel,) = module.kernels
    cubin = compile_text(module.source, ARCH, [kernel.name], origins=module.origins)
    taken = cubin.resources[kernel.name]
    shared, warps = taken.shared + kernel.shared_bytes, max(prod(kernel.block) // WARP, 1)
    code = listing(cubin.image, kernel.name)
    body = max(code.loops(), key=lambda loop: sum(map(_multiplications, loop)))
    counts = Counter(one.name for one in body)
    products = sum(map(_multiplications, body)) / UNIT
    spills = sum(
        size * count for name in ("STL", "LDL") for size, count in widths(code.counts(), name).items()
    )
    loaded = sum(size * count for name in ("LDG", "LDGSTS") for size, count in widths(counts, name).items())

    def count(*operations: str) -> str:
        return str(sum(starting(operation, counts) for operation in operations))

    return (
        f"{number} {step}",
        str(warps),
        str(taken.registers),
        str(spills),
        f"{shared / 1024:.1f}",
        str(resident_blocks(architecture(ARCH), warps * WARP, taken.registers, shared)),
        f"{products:.4g}",
        count("HMMA"),
        count("LDG"),
        count("LDGSTS"),
        count("STS"),
        count("LDS", "LDSM"),
        count("BAR"),
        str(integers(counts)),
        str(counts.total()),
        f"{counts.total() / products:.3g}",
        f"{loaded * WARP / products:.0f}",
    )


def _multiplications(instruction: Instruction) -> int:
    """The multiplications that a warp does by an instruction."""
    return WARP if instruction.name.startswith(("FFMA", "FMUL")) else multiplications(instruction)


if __name__ == "__main__":
    sys.exit(main())
