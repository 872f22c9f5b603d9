"""Machine code of the default strategy for ordinary kernels, compared with Triton's: a table for `benchmarks.sass`.

Counts are of the path of ordinary numbers. Divisions, square roots and the like have a slow path for numbers that are
very large, very small or no numbers: code that calls a function, which a branch skips. Independent of matrix products
on tensor cores.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import prod
from typing import Any, Final

import rise
import strategies
from benchmarks._report import Table
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.sass import Instruction, Listing, listing, main_loop, spilled_bytes, widths

from .loops import SCHEDULERS, STEP, WARP, Kernel
from .resources import module_of

STRATEGY: Final = "strategies.gpu:blocksAndThreads"
SIZE: Final = 4096
_TARGET: Final = re.compile(r"`\((\.L\w+)\)")
GOAL: Final = 1.0  # of Triton's issue cycles, and of its bytes
COLUMNS: Final = (
    "kernel",
    "for",
    "arch",
    "warps",
    "registers",
    "spills",
    "shared KiB",
    "LDG",
    "LDS",
    "SHFL",
    "MUFU",
    "STS",
    "STG",
    "BAR",
    "all",
    "issue",
    "bytes",
    "misses",
)
NOTE: Final = (
    f"By `{STRATEGY}`, for f32 and sizes of {SIZE:,}, which are arguments of Triton's kernels: a row of softmax, layer "
    "norm or a scan; as many numbers of a transpose; and a step of 128 x 128 x 32 of a product. From `LDG` to `all`: "
    "instructions of a warp on the path of ordinary numbers, from the start of a kernel to its exit, or in one pass "
    "through the loop that has a row in each pass, or the main loop of a product; LDG includes LDGSTS. `issue`: cycles "
    f"in which {SCHEDULERS} schedulers issue all of them. `bytes`: what a block's warps move from and to global memory "
    "for as much. Bank conflicts and uncoalesced accesses are not in it. Triton's product has "
    '`input_precision="ieee"`, and its row is the schedule with the fewest cycles. Nothing was timed. Goals: no '
    f"spills, and at most {GOAL} of Triton's cycles and bytes."
)


@dataclass(frozen=True, slots=True)
class Work:
    """A program, and the part of it to which counts refer: what a block computes, in numbers of that part."""

    name: str
    text: str
    unit: str
    is_product: bool = False


_LAYER_NORM: Final = """
val mean = fun(xs: N.f32 => reduce(add, 0.0, xs) / cast{f32}(generate(fun(i: idx[N] => 1)) |> reduce(add, 0)))
val main = fun(scale: N.f32, shift: N.f32, rows: M.N.f32 => rows |> map(fun(row =>
  let middle = mean(row)
  let centred = row |> map(fun(x => x - middle))
  let deviation = sqrt(mean(centred |> map(fun(d => d * d))) + 0.00001)
  in zip(zip(scale, shift), centred) |> map(fun(learnt, d => fst(learnt) * (d / deviation) + snd(learnt))))))
"""
_SOFTMAX: Final = """
val main = fun(rows: M.N.f32 => rows |> map(fun(row =>
  let top = row |> reduce(max, -inf)
  let weights = row |> map(fun(x => exp(x - top)))
  let total = weights |> reduce(add, 0.0)
  in weights |> map(fun(w => w / total)))))
"""
_PRODUCT: Final = """
val main = fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b) |> map(fun(column =>
  zip(row, column) |> map(mul) |> reduce(add, 0.0))))))
"""
WORKS: Final = (
    Work("softmax", _SOFTMAX, "a row"),
    Work("layer_norm", _LAYER_NORM, "a row"),
    Work("transpose", "val main = fun(xs: M.N.f32 => transpose(xs))", f"{SIZE:,} numbers"),
    Work("scan", "val main = fun(xs: M.N.f32 => xs |> map(scan(add, 0.0)))", "a row"),
    Work("product", _PRODUCT, "a step of 128 x 128 x 32", is_product=True),
)


@dataclass(frozen=True, slots=True)
class Count:
    """What a warp executes for a unit of work; `share` is how many units all warps of a block compute."""

    kernel: Kernel
    path: Counter[str]
    share: float

    @property
    def issue(self) -> float:
        """Cycles in which a multiprocessor issues the instructions of a unit."""
        return self.path.total() * self.kernel.warps / SCHEDULERS / self.share

    @property
    def moved(self) -> float:
        """Bytes of global memory that a unit moves."""
        sizes = (widths(self.path, name) for name in ("LDG", "LDGSTS", "STG"))
        own = sum(size * count for each in sizes for size, count in each.items())
        return own * WARP * self.kernel.warps / self.share


def table(architectures: Sequence[str], compiler: str, peer: str) -> Table:
    """The table, with the rows of a peer, Triton, unless its name is empty. Raises RiseError if a compiler or a
    disassembler is absent.
    """
    triton: Any = import_module("benchmarks.gpu.triton_kernels") if peer else None
    rows = [row for arch in architectures for work in WORKS for row in _rows(work, arch, triton)]
    skipped = "" if peer else " Skipped: Triton."
    title = f"Ordinary kernels, by {compiler}" + (f" and {peer}" if peer else "")
    return Table(title, COLUMNS, tuple(rows), NOTE + skipped)


def _rows(work: Work, arch: str, triton: Any) -> list[tuple[str, ...]]:
    ours = count(compiled(work, arch), work)
    if triton is None:
        return [_row(work.name, work, ours, ", ".join(_misses(ours, None)) or "none")]
    if work.is_product:
        counts = [count(triton.compiled_product(*one, arch), work) for one in triton.SCHEDULES]
        theirs = min(counts, key=lambda one: one.issue)
    else:
        theirs = count(triton.compiled(work.name, arch), work)
    missed = ", ".join(_misses(ours, theirs)) or "none"
    return [_row(work.name, work, ours, missed), _row(f"Triton, {work.name}", work, theirs, "-")]


def compiled(work: Work, arch: str) -> Kernel:
    """The machine code of a program's only kernel. Raises RiseError if a tool is absent."""
    program = rise.parse(work.text).main
    fixed = rise.specialise(program, **dict.fromkeys("MNK" if work.is_product else "MN", SIZE))
    low: rise.Expr = strategies.load(STRATEGY)(fixed).program
    module = module_of(low, arch)
    (kernel,) = module.kernels
    cubin = compile_text(module.source, arch, [kernel.name], origins=module.origins)
    taken = cubin.resources[kernel.name]
    return Kernel(
        listing(cubin.image, kernel.name),
        arch,
        (SIZE, 1, 1),
        prod(kernel.block) // WARP,
        taken.registers,
        taken.shared + kernel.shared_bytes,
    )


def executed(listing: Listing) -> tuple[Instruction, ...]:
    """The instructions from the first one to the exit. Branches that skip a call are taken; other guarded branches are
    not, since some lane needs what they skip. The body of a loop is executed once.
    """
    path: list[Instruction] = []
    place = 0
    while place < len(listing.code):
        one = listing.code[place]
        place += 1
        path.append(one)
        if one.name == "EXIT" and not one.guard:
            break
        target = _TARGET.search(one.operands) if one.name == "BRA" else None
        end = listing.labels.get(target[1], 0) if target else 0
        skipped = listing.code[place:end]
        if end > place and (not one.guard or any(each.name.startswith("CALL") for each in skipped)):
            place = end
    return tuple(path)


def multiplies(instruction: Instruction) -> int:
    """1 for a multiply-add of f32."""
    return int(instruction.name.startswith("FFMA"))


def count(kernel: Kernel, work: Work) -> Count:
    """The instructions for a unit of work."""
    loops = kernel.listing.loops()
    if work.is_product:
        body = main_loop(kernel.listing, multiplies)
        multiplied = sum(map(multiplies, body)) * WARP * kernel.warps
        return Count(kernel, Counter(one.name for one in body), multiplied / STEP)
    body = executed(kernel.listing)
    per_row = [loop for loop in loops if any(one.name.startswith("STG") for one in loop)]
    if per_row and work.name == "softmax":  # a loop over rows
        body = max(per_row, key=len)
    path = Counter(one.name for one in body)
    written = sum(size * each for size, each in widths(path, "STG").items()) * WARP * kernel.warps
    return Count(kernel, path, written / (4 * SIZE))


def _misses(ours: Count, theirs: Count | None) -> list[str]:
    spills = spilled_bytes(ours.kernel.listing.counts())
    wrong = [f"spills {spills} bytes"] if spills else []
    pairs: tuple[tuple[str, Callable[[Count], float]], ...] = (
        ("cycles", lambda one: one.issue),
        ("bytes", lambda one: one.moved),
    )
    for what, value in pairs:
        if theirs is not None and value(ours) > GOAL * value(theirs):
            wrong.append(f"{value(ours) / value(theirs):.2f} of Triton's {what}")
    return wrong


def _row(name: str, work: Work, counted: Count, missed: str) -> tuple[str, ...]:
    def total(*starts: str) -> str:
        return str(sum(each for one, each in counted.path.items() if one.split(".")[0] in starts))

    kernel = counted.kernel
    return (
        name,
        work.unit,
        kernel.arch,
        *map(str, (kernel.warps, kernel.registers, spilled_bytes(kernel.listing.counts()))),
        f"{kernel.shared / 1024:.1f}",
        total("LDG", "LDGSTS"),
        *(total(one) for one in ("LDS", "SHFL", "MUFU", "STS", "STG", "BAR")),
        str(counted.path.total()),
        f"{counted.issue:.0f}",
        f"{counted.moved:.0f}",
        missed,
    )
