"""Machine code of attention on tensor cores, compared with Triton's: the instructions of a step, for each product.

Needs neither a device nor a clock, but a compiler, nvdisasm, and Triton for its rows. Absent tools are named, and what
needs them is skipped.
"""

from __future__ import annotations

import sys
from collections import Counter
from importlib import import_module
from math import prod
from typing import Any, Final

import rise
import strategies
from benchmarks._measure import load, machine
from benchmarks._report import Table, is_quick, report
from benchmarks.gpu.loops import UNIT, WARP, Kernel, integers, multiplications, starting
from benchmarks.gpu.resources import compiler_release, module_of
from rise.diagnostics import RiseError
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.sass import listing, main_loop, spilled_bytes

ARCH: Final = "sm_80"
STRATEGY: Final = "strategies.tensor_core.attention:queryWarps"
#: lengths of rows of queries, keys and values
WIDTHS: Final = (64, 128)
COLUMNS: Final = (
    "kernel",
    "width",
    "queries",
    "keys",
    "warps",
    "registers",
    "spills",
    "shared KiB",
    "HMMA",
    "LDSM",
    "LDS",
    "STS",
    "SHFL",
    "MUFU",
    "BAR",
    "integer, move",
    "all",
    "per product",
)
ABSENT: Final = {"no-compiler", "no-disassembler"}
NOTE: Final = (
    f"f16 to f32, any numbers of queries and keys, rows of queries, keys and values of `width` numbers, for {ARCH}. "
    "A block has a tile of `queries`, and a step as many `keys`. For a thread: registers, and bytes of spills. From "
    "`HMMA` to `all`: instructions of a warp in a step; `per product` is all of them for each 16 x 8 x 16 multiplied. "
    "Nothing was timed."
)
PROGRAM: Final = """
val main = fun(scale: f32, q: M.D.f16, k: N.D.f16, v: N.D.f16 =>
  q |> map(fun(query =>
    let s = k |> map(fun(key => scale *
      (zip(query, key) |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0))))
    let top = s |> reduce(max, -inf)
    let e = s |> map(fun(x => exp(x - top)))
    let total = e |> reduce(add, 0.0)
    in transpose(v) |> map(fun(column =>
      (zip(e, column) |> map(fun(w, x => w * cast{f32}(x))) |> reduce(add, 0.0)) / total)))))
"""


def main() -> int:
    """Count and report. The exit status is 0 even if tools are absent."""
    quick = is_quick("instructions in the steps of attention on tensor cores")
    before = load()
    triton = None if quick else _triton()
    rows: list[tuple[str, ...]] = []
    absent, compiler = "", "no compiler"
    try:
        compiler = compiler_release()
        for width in WIDTHS[:1] if quick else WIDTHS:
            rows.append(row("queryWarps", _ours(width)))
            for queries, keys, stages, warps in triton.SCHEDULES if triton else ():
                rows.append(
                    row(
                        f"Triton, num_stages={stages}",
                        triton.compiled(width, queries, keys, stages, warps, ARCH),
                    )
                )
    except RiseError as error:
        if error.diagnostic.code not in ABSENT:
            raise
        absent = error.diagnostic.title
        rows = [("nothing", *["-"] * (len(COLUMNS) - 2), "not counted")]
    peer = triton.RELEASE if triton else "Triton, " + ("not in a quick run" if quick else "not installed")
    skipped = [f"Not counted: {absent}."] if absent else [] if triton else [f"Skipped: {peer}."]
    title = f"Attention on tensor cores, by {compiler}" + (f" and {peer}" if triton else "")
    loads = f"load: {before:.1f} before, {load():.1f} after"
    table = Table(title, COLUMNS, tuple(rows), " ".join([NOTE, *skipped]))
    report("attention", [table], machine(), loads, quick or bool(absent))
    return 0


def _ours(width: int) -> Kernel:
    """The kernel of the strategy. Raises RiseError if a tool is absent."""
    low: rise.Expr = strategies.load(STRATEGY)(rise.specialise(rise.parse(PROGRAM).main, D=width)).program
    module = module_of(low, ARCH)
    (kernel,) = module.kernels
    cubin = compile_text(module.source, ARCH, [kernel.name], origins=module.origins)
    taken = cubin.resources[kernel.name]
    warps = prod(kernel.block) // WARP
    shared = taken.shared + kernel.shared_bytes
    code = listing(cubin.image, kernel.name)
    return Kernel(code, ARCH, (64, 64, width), warps, taken.registers, shared)


def row(name: str, kernel: Kernel) -> tuple[str, ...]:
    """The counts of a step: of the innermost loop that multiplies most, which must contain no other loop."""
    body = main_loop(kernel.listing, multiplications)
    counts = Counter(one.name for one in body)
    products = sum(map(multiplications, body)) / UNIT
    queries, keys, width = kernel.tile
    counted = ("HMMA", "LDSM", "LDS", "STS", "SHFL", "MUFU", "BAR")
    assert products * kernel.warps * UNIT == 2 * prod(kernel.tile), f"{name}: expected a step without loops"
    return (
        name,
        *map(str, (width, queries, keys, kernel.warps, kernel.registers)),
        str(spilled_bytes(kernel.listing.counts())),
        f"{kernel.shared / 1024:.1f}",
        *(str(starting(operation, counts)) for operation in counted),
        str(integers(counts)),
        str(counts.total()),
        f"{counts.total() / products:.3g}",
    )


def _triton() -> Any:
    """The module of Triton's attention; None if Triton is not installed."""
    try:
        return import_module("benchmarks.gpu.triton_attention")
    except ImportError:
        return None


if __name__ == "__main__":
    sys.exit(main())
