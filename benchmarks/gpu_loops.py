"""Instructions of the main loops of pipelined matrix products, read from machine code. No device is needed."""

from __future__ import annotations

import sys
from collections import Counter

import elevate
import rise
import strategies
from benchmarks._measure import load, machine
from benchmarks._report import Table, is_quick, report
from benchmarks.gpu.resources import CASES, SIZE, WMMA, compiler_release, module_of, resident_blocks
from rise.diagnostics import RiseError
from rise.hardware import architecture
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.sass import innermost_loop
from strategies.parts.pipelines import pipelinedCopies

ARCH = "sm_80"
GOAL = 2.2  # instructions for each product
TILES = {
    "128 x 128 x 32, warps 64 x 32": {},
    "128 x 128 x 32, warps 64 x 64": {"warp_columns": 64},
    "128 x 128 x 64, warps 64 x 64": {"warp_columns": 64, "depth": 64},
    "128 x 256 x 64, warps 64 x 64": {"warp_columns": 64, "depth": 64, "columns": 256},
}
STAGES = (1, 2, 3, 4)
COLUMNS = (
    "tile",
    "stages",
    "registers",
    "spills",
    "shared",
    "blocks",
    "products",
    "matrix loads",
    "copies",
    "barriers",
    "all",
    "per product",
    "holds",
)
NOTE = (
    f"For {ARCH} and sizes of {SIZE}; copies are asynchronous with one stage, too. `all` are the instructions of the "
    "loop over steps, which is unrolled by the number of stages; `products` those that multiply 16 x 8 x 16 numbers. "
    "`registers` of a thread; bytes of `spills` of a thread and of `shared` memory of a block; `blocks` reside on a "
    f"multiprocessor. `holds`: at most {GOAL} instructions for each product, itself included, and no spills."
)


def main() -> int:
    """Count and report. Lost rows are reported, and are no failure."""
    quick = is_quick("instructions of the main loops of pipelined products")
    before = load()
    try:
        compiler = compiler_release()
        asked = [(tile, stages) for tile in TILES for stages in STAGES]
        rows = [row(tile, stages) for tile, stages in (asked[:2] if quick else asked)]
    except RiseError as absent:
        print(f"not counted: {absent.diagnostic.title}")
        return 0
    table = Table(f"Main loops of gemm on tensor cores, by {compiler}", COLUMNS, tuple(rows), NOTE)
    report("gpu_loops", [table], machine(), f"load: {before:.1f} before, {load():.1f} after", quick)
    return 0


def row(tile: str, stages: int) -> tuple[str, ...]:
    """The cells for a tile with so many stages."""
    strategy = strategies.load(WMMA, **TILES[tile]) >> pipelinedCopies(stages)
    result = strategy(rise.parse((CASES / "gemm.rise").read_text(encoding="utf-8")).main)
    assert isinstance(result, elevate.Success), result.explain()
    low = rise.specialise(result.program, M=SIZE, N=SIZE, K=SIZE)
    try:
        module = module_of(low, ARCH)
    except RiseError as refused:
        return (tile, str(stages), *[""] * 10, f"refused: {refused.diagnostic.code}")
    (kernel,) = module.kernels
    cubin = compile_text(module.source, ARCH, [kernel.name], origins=module.origins)
    taken, loop = cubin.resources[kernel.name], innermost_loop(cubin.image, kernel.name, "HMMA")
    products, everything = _starting("HMMA", loop), sum(loop.values())
    spills, shared = taken.spill_stores + taken.spill_loads, taken.shared + kernel.shared_bytes
    threads = kernel.block[0] * kernel.block[1] * kernel.block[2]
    cells = (
        stages,
        taken.registers,
        spills,
        shared,
        resident_blocks(architecture(ARCH), threads, taken.registers, shared),
        products,
        _starting("LDSM", loop),
        _starting("LDGSTS", loop),
        _starting("BAR", loop),
        everything,
    )
    each = round(everything / products, 2)
    return (tile, *map(str, cells), f"{each:.2f}", "yes" if each <= GOAL and not spills else "no")


def _starting(name: str, code: Counter[str]) -> int:
    return sum(count for one, count in code.items() if one.split(".")[0] == name)


if __name__ == "__main__":
    sys.exit(main())
