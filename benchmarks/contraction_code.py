"""Machine code of contractions on GPUs: instructions in the main loop, registers, and the warps that reside.

Needs no device and no clock, but a compiler and nvdisasm. Absent tools are named, and nothing is counted then.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path

import rise
import shine
import strategies
from benchmarks._measure import load, machine
from benchmarks._report import Table, is_quick, report
from benchmarks.gpu.loops import integers, starting
from benchmarks.gpu.resources import compiler_release, module_of, resident_blocks
from benchmarks.sass import ABSENT, ARCHITECTURES
from rise.diagnostics import RiseError
from rise.hardware import architecture
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.sass import listing

STRATEGY = "strategies.gpu_contractions:contractionTiles"
DATA = Path(__file__).parents[1] / "tests" / "data" / "contractions"
#: the data sets of the thesis: the extent of each subscript, and that of the summed one
DATA_SETS = {"ds1": (32, 32), "ds2": (32, 31), "ds3": (31, 31), "ds4": (16, 2048)}
#: the contractions of the thesis, of which the others of their families differ in the order of subscripts
TRIPLES = {"sd1": "icaq,qbjk->abcijk", "sd2": "kiaq,bcjq->abcijk"}
SUMMED = "q"
#: multiply-adds, of the instructions of the main loop
GOAL = 0.8
COLUMNS = (
    "contraction",
    "extents",
    "type",
    "arch",
    "threads",
    "registers",
    "spills",
    "shared KiB",
    "occupancy",
    "multiply-adds",
    "LDS",
    "LDG",
    "STS",
    "16 bytes",
    "integer, move",
    "all",
    "share",
    "misses",
)
NOTE = (
    f"By {STRATEGY} with the tiles that it chooses. `occupancy` is the fraction of a multiprocessor's warps that "
    "reside. From `multiply-adds` to `all`: instructions of a warp in one pass through the main loop; `16 bytes` are "
    "those loads and stores among them that move 16 bytes for a thread, and `share` are the multiply-adds of all. "
    f"Nothing was timed. Goals: `share` at least {GOAL} where extents are multiples of vectors, and no spills. "
    "`no loop`: the compiler unrolled all steps, and the whole kernel was counted."
)


@dataclass(frozen=True, slots=True)
class Contraction:
    """A contraction with sizes of its subscripts, and the type of its numbers."""

    name: str
    spec: str
    sizes: tuple[tuple[str, int], ...]
    scalar: str = "f32"

    @property
    def extents(self) -> str:
        """The sizes as text."""
        found = {size for _, size in self.sizes}
        if len(found) == 1:
            return f"all {found.pop()}"
        return " ".join(f"{letter}={size}" for letter, size in self.sizes)


def contractions() -> Iterator[Contraction]:
    """The contractions of the thesis, at all of its data sets, and the rows of the benchmarks of CCSD(T) and TCCG."""
    for family, spec in TRIPLES.items():
        for name, (size, summed) in DATA_SETS.items():
            letters = sorted(set(spec) - set(",->"))
            sizes = tuple((letter, summed if letter == SUMMED else size) for letter in letters)
            yield Contraction(f"{family}, {name}: {spec}", spec, sizes)
    for table in ("ccsdt", "tccg"):
        with (DATA / f"{table}.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                pairs = (one.split("=") for one in row["sizes"].split())
                sizes = tuple((letter, int(size)) for letter, size in pairs)
                yield Contraction(f"{row['id']}: {row['spec']}", row["spec"], sizes)


@cache
def lowered(one: Contraction) -> rise.Expr:
    """The program of a contraction after its strategy."""
    sizes = dict(one.sizes)
    operands = one.spec.partition("->")[0].split(",")
    types = [".".join([*(str(sizes[c]) for c in operand), one.scalar]) for operand in operands]
    low: rise.Expr = strategies.load(STRATEGY)(shine.contraction(one.spec, *types).main).program
    return low


def row_of(one: Contraction, arch: str) -> tuple[str, ...]:
    """The counts of a contraction. Raises RiseError if a tool is absent."""
    module = module_of(lowered(one), arch)
    (kernel,) = module.kernels
    cubin = compile_text(module.source, arch, [kernel.name], origins=module.origins)
    taken = cubin.resources[kernel.name]
    code = listing(cubin.image, kernel.name)
    loop = max(code.loops(), key=lambda one: sum("FMA" in each.name for each in one), default=code.code)
    counts = Counter(instruction.name for instruction in loop)
    threads = prod(kernel.block)
    shared = taken.shared + kernel.shared_bytes
    limits = architecture(arch)
    blocks = resident_blocks(limits, threads, taken.registers, shared)
    products = starting("FFMA", counts) + starting("DFMA", counts)
    share = products / counts.total()
    spills = taken.spill_stores + taken.spill_loads
    are_vectors = all(size % 4 == 0 for _, size in one.sizes)
    is_loop = loop is not code.code
    missed = [f"share {share:.2f}"] if is_loop and are_vectors and share < GOAL else []
    missed += [] if is_loop else ["no loop"]
    missed += [f"spills {spills} bytes"] if spills else []
    return (
        one.name,
        one.extents,
        one.scalar,
        arch,
        *map(str, (threads, taken.registers, spills)),
        f"{shared / 1024:.1f}",
        f"{blocks * threads / limits.multiprocessor_threads:.2f}",
        str(products),
        *(str(starting(name, counts)) for name in ("LDS", "LDG", "STS")),
        str(sum(count for name, count in counts.items() if name.startswith(("LD", "ST")) and ".128" in name)),
        str(integers(counts)),
        str(counts.total()),
        f"{share:.2f}",
        ", ".join(missed) or "none",
    )


def main() -> int:
    """Count and report. The exit status is 0 even if tools are absent."""
    quick = is_quick("instructions in the main loops of contractions on GPUs")
    before = load()
    rows: list[tuple[str, ...]] = []
    compiler, absent = "no compiler", ""
    try:
        compiler = compiler_release()
        for arch in ARCHITECTURES[:1] if quick else ARCHITECTURES:
            rows += [row_of(one, arch) for one in list(contractions())[: 1 if quick else None]]
    except RiseError as error:
        if error.diagnostic.code not in ABSENT:
            raise
        absent = error.diagnostic.title
        rows = [("nothing", *["-"] * (len(COLUMNS) - 2), "not counted")]
    note = f"{NOTE} Not counted: {absent}." if absent else NOTE
    loads = f"load: {before:.1f} before, {load():.1f} after"
    table = Table(f"Main loops of contractions, by {compiler}", COLUMNS, tuple(rows), note)
    report("contraction_code", [table], machine(), loads, quick or bool(absent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
