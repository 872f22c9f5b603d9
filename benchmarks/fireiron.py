"""Fireiron's listings compared with hand-written kernels of the same plans, by counts of what they do, and the cost of
their derivations.

A plan is the tiles of each unit, where matrices are stored, and which moves take vectors. The kernels are in
`benchmarks/fireiron/`. The simulator counts for each launch, and machine code is counted where there is a compiler and
nvdisasm. Needs no device; only derivations are timed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np

import elevate
import rise
import shine
from benchmarks._measure import load, machine
from benchmarks._report import ROOT, Table, is_quick, report
from benchmarks.gpu.resources import compiler_release, module_of
from examples.fireiron.listings import LISTINGS
from rise.diagnostics import RiseError
from shine.simulator.model import Report
from shine.simulator.profile import WARP_REGISTERS, Counts
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.sass import instructions
from strategies.fireiron import read_schedule
from strategies.parts.parameters import LANES

ARCH = "sm_80"
ROUNDS = 5
SINGLE = "zip(row, column) |> map(mul)"
WIDENED = "zip(row, column) |> map(fun(ab => cast{f32}(fst(ab)) * cast{f32}(snd(ab))))"
PROGRAM = """
val main = fun(A: {a}, B: K.N.{type} => {rows} |> map(fun(row => transpose(B) |> map(fun(column =>
  {products} |> reduce(add, 0.0))))))
"""
#: the classes of instructions that are compared
COUNTED = (
    "global loads",
    "global stores",
    "shared loads",
    "shared stores",
    "matrix loads",
    "matrix products",
)
COLUMNS = (
    "kernel",
    *COUNTED,
    "global bytes",
    "shared bytes",
    "sectors",
    "conflicts",
    "barriers",
    "registers",
    "instructions",
    "more than by hand",
)
#: a thread is given a multiple of this number of registers
REGISTERS = WARP_REGISTERS // LANES
NOTE = (
    "Counts of the profiling simulator for the whole product: instructions of warps by class, bytes that lanes "
    "request, sectors of 32 bytes in global memory, bank conflicts in shared memory, and barriers of blocks. "
    "`registers` and `instructions` are those of a thread's machine code, each instruction once, however often its "
    "loop runs, without those that do nothing and only fill lines. `more than by hand` names the counts that exceed "
    "those of the hand-written kernel of the same plan, which has vectors where the plan states them; registers exceed "
    f"others if a thread is given more of them, in units of {REGISTERS}."
)
#: the instruction that does nothing
NOTHING = "NOP"
#: seconds of a derivation, the first one of its process
LIMIT = 1.0
DERIVATIONS = ("listing", "lines", "firings", "attempts", "first ms", "again ms", "holds")
DERIVED = (
    f"`first` reads the schedule from its text, compiles the strategy and derives the kernel, in a process that has "
    f"only imported the modules; the target is {LIMIT:.0f} s. `again` repeats this, the median of {{rounds}}. Both are "
    "processor time. Lines are those of `specs()`: the specification, and one for each step."
)


@dataclass(frozen=True, slots=True)
class HandWritten:
    """A kernel written by hand for the plan of a listing: C of size `tile` x `tile` for each block of `threads`.

    `shared` are the bytes of its dynamic shared memory.
    """

    number: str
    tile: int = 128
    threads: int = 256
    shared: int = 0
    dtype: str = "float32"
    result: str = "float32"
    by_columns: bool = False
    sizes: tuple[int, int, int] = (256, 128, 64)

    @property
    def name(self) -> str:
        """The name of the kernel, and of its file."""
        return f"listing_{self.number}"

    def text(self, sizes: tuple[int, int, int]) -> str:
        """The CUDA text for a product of M x K and K x N; the file has its sizes as constants."""
        text = (ROOT / "benchmarks" / "fireiron" / f"{self.name}.cu").read_text(encoding="utf-8")
        constants = "constexpr int M = {}, N = {}, K = {};".format
        assert constants(*self.sizes) in text, self.name
        return text.replace(constants(*self.sizes), constants(*sizes))

    def factors(self, sizes: tuple[int, int, int]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """A and B as they are stored, of small integers, so that products are exact."""
        m, n, k = sizes
        random = np.random.default_rng(0)
        a, b = (random.integers(-2, 3, shape).astype(self.dtype) for shape in ((m, k), (k, n)))
        return (a.T.copy() if self.by_columns else a), b

    def run(self, sizes: tuple[int, int, int], **options: Any) -> tuple[np.ndarray[Any, Any], Report]:
        """C as computed in the simulator, and the simulator's report."""
        m, n, _ = sizes
        c = np.zeros((m, n), self.result)
        grid, block = (n // self.tile, m // self.tile), self.threads
        arguments = [*self.factors(sizes), c]
        found = shine.simulate(
            self.text(sizes),
            None,
            grid,
            block,
            arguments,
            arch=ARCH,
            dynamic_shared=self.shared,
            **options,
        )
        return c, found


BY_HAND = (
    HandWritten("1", sizes=(256, 128, 8)),
    HandWritten("2"),
    HandWritten("3", tile=64, threads=512, dtype="float16"),
    HandWritten("4", dtype="float16", result="float16", by_columns=True),
    HandWritten("5", shared=128 * 128 * 4, dtype="float16"),
)


def product(kernel: HandWritten) -> rise.Expr:
    """The program that the schedule of a kernel's listing lowers, with the sizes that the schedule states."""
    scalar = "f32" if kernel.dtype == "float32" else "f16"
    text = PROGRAM.format(
        a="K.M.f16" if kernel.by_columns else f"M.K.{scalar}",
        type=scalar,
        rows="transpose(A)" if kernel.by_columns else "A",
        products=SINGLE if scalar == "f32" or kernel.result == "float16" else WIDENED,
    )
    return rise.specialise(rise.parse(text).main, **fixed_sizes(kernel))


def fixed_sizes(kernel: HandWritten) -> dict[str, int]:
    """The sizes that the schedule of a kernel's listing states."""
    return {name: size for name, size in LISTINGS[kernel.number].sizes if isinstance(size, int)}


def derived(kernel: HandWritten, sizes: tuple[int, int, int]) -> rise.Expr:
    """The low-level program of the listing at these sizes."""
    result = LISTINGS[kernel.number].strategy()(product(kernel))
    assert isinstance(result, elevate.Success), result.explain()
    fixed = fixed_sizes(kernel)
    given = dict(zip("MNK", sizes, strict=True))
    assert all(given[name] == size for name, size in fixed.items()), fixed
    program: rise.Expr = result.program
    return rise.specialise(program, **{name: size for name, size in given.items() if name not in fixed})


def counts(total: Counts) -> dict[str, int]:
    """The counts of a profile that are compared, by the names of columns."""
    moved = dict.fromkeys(("global", "shared"), 0)
    for (space, _), size in total.bytes.items():
        moved[space] += size
    return {
        **{name: total.instructions.get(name, 0) for name in COUNTED},
        "global bytes": moved["global"],
        "shared bytes": moved["shared"],
        "sectors": total.sectors,
        "conflicts": total.bank_conflicts,
        "barriers": total.barriers,
    }


def profiles(kernel: HandWritten) -> tuple[dict[str, int], dict[str, int]]:
    """The counts of the derived kernel and of the one by hand; both results are compared with numpy's."""
    a, b = kernel.factors(kernel.sizes)
    exact = (a.T if kernel.by_columns else a).astype(np.float32) @ b.astype(np.float32)
    ours: Any = shine.compile(derived(kernel, kernel.sizes), target="cuda-sim", arch=ARCH)
    np.testing.assert_array_equal(ours(a, b), exact)
    c, found = kernel.run(kernel.sizes, profile=True)
    np.testing.assert_array_equal(c, exact)
    assert found.profile is not None
    return counts(ours.profile(a, b).total), counts(found.profile.total)


def more(ours: Mapping[str, int], theirs: Mapping[str, int]) -> list[str]:
    """The counts of a derived kernel that are higher than those of the one by hand."""
    units = {"registers": REGISTERS}
    return [
        name
        for name, count in ours.items()
        if _in(units.get(name, 1), count) > _in(units.get(name, 1), theirs[name])
    ]


def _in(unit: int, count: int) -> int:
    """How many units a count takes."""
    return -(-count // unit)


def machine_code(text: str, name: str) -> dict[str, int]:
    """Registers and instructions of a kernel's machine code. Raises RiseError if a tool is absent."""
    cubin = compile_text(text, ARCH, [name])
    found = instructions(cubin.image, name)
    return {"registers": cubin.resources[name].registers, "instructions": found.total() - found[NOTHING]}


def machine_codes(kernel: HandWritten) -> tuple[dict[str, int], dict[str, int]]:
    """The counts of machine code of the derived kernel and of the one by hand. Raises RiseError if a tool is absent."""
    text = module_of(derived(kernel, kernel.sizes), ARCH).source
    return machine_code(text, "kernel"), machine_code(kernel.text(kernel.sizes), kernel.name)


def derivation(number: str) -> tuple[float, list[float]]:
    """Seconds of processor time of the first derivation in this process, and of further ones."""
    kernel = next(kernel for kernel in BY_HAND if kernel.number == number)
    program, text = product(kernel), str(LISTINGS[number])
    seconds = []
    for _ in range(ROUNDS + 1):
        begun = time.process_time()
        result = elevate.run(read_schedule(text).strategy(), program).result
        seconds.append(time.process_time() - begun)
        assert isinstance(result, elevate.Success), result.explain()
    return seconds[0], seconds[1:]


def derivations(kernels: Sequence[HandWritten]) -> Table:
    """The cost of each derivation, in a process of its own."""
    rows = []
    for kernel in kernels:
        with get_context("spawn").Pool(1) as pool:
            first, again = pool.apply(derivation, (kernel.number,))
        schedule = LISTINGS[kernel.number]
        counted = elevate.run(schedule.strategy(), product(kernel)).counters
        rows.append(
            (
                kernel.number,
                str(len(schedule.specs().splitlines())),
                *(f"{count:,}" for count in (counted.firings, counted.attempts)),
                *(f"{1e3 * seconds:.0f}" for seconds in (first, statistics.median(again))),
                "yes" if first < LIMIT else "no",
            )
        )
    return Table("Derivations of the listings", DERIVATIONS, tuple(rows), DERIVED.format(rounds=ROUNDS))


def main() -> None:
    """Count and report."""
    quick = is_quick("Fireiron's listings and kernels by hand")
    before = load()
    rows: list[tuple[str, ...]] = []
    try:
        compiler, absent = compiler_release(), ""
        machine_code(BY_HAND[0].text(BY_HAND[0].sizes), BY_HAND[0].name)
    except RiseError as error:
        compiler, absent = "no compiler", error.diagnostic.title
    for kernel in BY_HAND[:1] if quick else BY_HAND:
        ours, theirs = profiles(kernel)
        if not absent:
            ours, theirs = (
                {**one, **code} for one, code in zip((ours, theirs), machine_codes(kernel), strict=True)
            )
        above = ", ".join(more(ours, theirs)) or "none"
        sizes = " x ".join(map(str, kernel.sizes))
        for kind, found, last in (("derived", ours, above), ("by hand", theirs, "-")):
            cells = [f"{count:,}" for count in found.values()] + ["-"] * (2 if absent else 0)
            rows.append((f"listing {kernel.number}, {sizes}, {kind}", *cells, last))
    note = NOTE + (f" Not counted: {absent}." if absent else "")
    table = Table(f"Listings and kernels by hand, by {compiler}", COLUMNS, tuple(rows), note)
    tables = [table, derivations(BY_HAND[:1] if quick else BY_HAND)]
    report("fireiron", tables, machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


if __name__ == "__main__":
    main()
