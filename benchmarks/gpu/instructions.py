"""A kernel for each PTX instruction of the simulator's table, on random bits. Independent of what runs them.

Each of 32 lanes of each block reads its operands from `in`, executes the instruction, and stores the registers and the
memory that it writes. Rows of the table that differ only in words without a meaning for one warp (memory orders,
scopes, cache hints) are tried once. `LEFT_OUT` gives the reasons for instructions without a kernel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from benchmarks.gpu.instruction_operands import BLOCKS, DIGITS, LANES, SLOTS
from benchmarks.gpu.instruction_products import ARCH, THREADS, product_of_warpgroup
from benchmarks.gpu.instruction_scenes import BY_BARRIER, barrier_kernel, special
from benchmarks.gpu.instruction_statements import MEMORY, Writer
from shine.simulator.ptx import instructions
from shine.simulator.ptx_rows import Instruction

#: words of mnemonics that have no effect on what one warp computes
_NO_MATTER: Final = re.compile(
    r"\.(?:relaxed|acquire|release|acq_rel|sc|weak|volatile|cta|cluster|gpu|sys|nc|ca|cg|cs|lu|cv|wb|wt|aligned"
    r"|L1::\w+|L2::\w+)(?=\.|$)"
)
_HINTS: Final = re.compile(r"\.L2::\w+")  # `.ca` and `.cg` copy different numbers of bytes
#: parts of mnemonics that name a family beside the first
_PARTS: Final = ("async", "bulk", "tensor", "im2col", "mma_async")
NO_RESULT: Final = "it has no result"
#: families without a kernel, and why
LEFT_OUT: Final = {
    "trap": "it ends the launch",
    "nanosleep": NO_RESULT,
    "prefetch": NO_RESULT,
    "fence": NO_RESULT,
    "fence.async": NO_RESULT,
    "membar": NO_RESULT,
    "griddepcontrol": NO_RESULT,
    "setmaxnreg": NO_RESULT,
    "wgmma": NO_RESULT,
}
#: twice the relative errors that the PTX ISA allows, since both sides may be inexact. Errors of sines are absolute and
#: hold up to a multiple of pi, and those of logarithms are absolute near 1: their arguments are kept within bounds
_APPROXIMATE: Final = {
    "div.approx": 2**-21,
    "div.full": 2**-21,
    "ex2.approx": 2**-20,
    "lg2.approx": 2**-19,
    "sin.approx": 2**-18,
    "cos.approx": 2**-18,
    "rcp.approx": 2**-22,
    "rsqrt.approx": 2**-21,
    "sqrt.approx": 2**-21,
    "tanh.approx": 2**-10,
}


@dataclass(frozen=True, slots=True)
class Probe:
    """The body of a kernel for a row of the table, and what it writes: `kinds` has for each word of a lane `bits`, or
    `f32`, `f64`, `f16` or `bf16` if the word is filled with such numbers. `tolerance` is relative to the larger of 1
    and the result; 0 if all bits are equal, but for those of NaNs. `lanes` are the threads of a block, `arch` the only
    architecture that has the instruction, if there is one.
    """

    key: str
    family: str
    body: str
    kinds: tuple[str, ...]
    since: int
    tolerance: float = 0.0
    lanes: int = LANES
    arch: str = ""


def family_of(mnemonic: str) -> str:
    """The family that docs/simulator.md lists.

    >>> family_of("cp.async.bulk.tensor.1d.shared.global"), family_of("add.rn.f32")
    ('cp.async.bulk.tensor', 'add')
    """
    first, *rest = mnemonic.split(".")
    return ".".join([first, *(part for part in rest if part in _PARTS)])


def key_of(row: Instruction) -> str:
    """The name of a row: mnemonic and operands."""
    return " ".join((row.mnemonic, *row.operands))


@cache
def rows() -> tuple[Instruction, ...]:
    """The rows of the table that are tried: the first of all rows that differ only in words without effect."""
    found: dict[tuple[str, ...], Instruction] = {}
    for same in instructions().values():
        for one in same:
            words = _HINTS if one.mnemonic.startswith("cp.async") else _NO_MATTER
            policy = int("cache_hint" in one.mnemonic)
            operands = one.operands[: len(one.operands) - policy]
            found.setdefault((words.sub("", one.mnemonic), *operands), one)
    return tuple(found.values())


@cache
def probes() -> tuple[Probe, ...]:
    """A kernel for each row that has one."""
    return tuple(made for one in rows() if (made := probe(one)) is not None)


def probe(row: Instruction) -> Probe | None:
    """The kernel of a row, or None if it has none."""
    family = family_of(row.mnemonic)
    if left_out(row) or "tensor" in family:  # by maps: `tensor_copies`
        return None
    product = product_of_warpgroup(row)
    if product is not None:
        return Probe(key_of(row), family, *product, row.since, lanes=THREADS, arch=ARCH)
    text = special(row) or Writer(row).written()
    return Probe(key_of(row), family, text[0], text[1], row.since, _tolerance(row.mnemonic))


def left_out(row: Instruction) -> str:
    """Why a row has no kernel; empty if it has one."""
    family = family_of(row.mnemonic)
    if family in LEFT_OUT:
        return LEFT_OUT[family]
    if row.mnemonic.startswith(("barrier.cluster", "bar.warp")) or (
        row.mnemonic.startswith(("bar", "barrier")) and not any(one[0] == "=" for one in row.operands)
    ):
        return NO_RESULT
    if row.mnemonic.startswith(("cp.async.commit", "cp.async.wait")) or re.match(
        r"cp\.async\.bulk\.(?:prefetch|commit|wait)", row.mnemonic
    ):
        return NO_RESULT
    if "multicast" in row.mnemonic:
        return "it needs a cluster of several blocks"
    if BY_BARRIER.match(row.mnemonic) and barrier_kernel(row) is None:
        return NO_RESULT
    return ""


def _tolerance(mnemonic: str) -> float:
    start = ".".join(mnemonic.split(".")[:2])
    return _APPROXIMATE.get(start, 0.0)


def source(batch: Sequence[Probe]) -> str:
    """The source of a kernel for each probe of a batch."""
    return "\n".join(_kernels(batch))


def _kernels(batch: Sequence[Probe]) -> Iterator[str]:
    offset = 0
    for number, one in enumerate(batch):
        words = words_of(one)
        yield f"// {one.key}"
        yield f'extern "C" __global__ void probe_{number}(const unsigned long long* in, unsigned long long* out) {{'
        yield "  const int lane = threadIdx.x;"
        yield f"  out += {offset} + (blockIdx.x * {one.lanes} + lane) * {words};"
        for place, name in enumerate(("bits", *DIGITS)):
            at = f"in + {place * BLOCKS * SLOTS * LANES} + blockIdx.x * {SLOTS * LANES}"
            if re.search(rf"\b{name}\[", one.body):
                yield f"  const unsigned long long* {name} = {at} + lane;"
            if re.search(rf"\b{name}_of_block\[", one.body):
                yield f"  const unsigned long long* {name}_of_block = {at};"
        yield f"  {one.body}"
        yield "}"
        offset += BLOCKS * one.lanes * words


def words_of(one: Probe) -> int:
    """The number of words of a lane in the results, rounded up so that its memory is aligned."""
    return -(-len(one.kinds) // MEMORY) * MEMORY
