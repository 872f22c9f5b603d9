"""A model of a multiprocessor in the main loop of a matrix product: the cycles that its machine code takes.

Everything is counted in the loop and normalised to one step of 128 x 128 x 32 for a block: 256 products of 16 x 8 x 16.
Nothing is timed, and bank conflicts are not modelled. Independent of compilers and strategies.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from rise.hardware import architecture
from shine.targets.cuda import sass
from shine.targets.cuda.sass import Instruction, Listing, widths

from .resources import resident_blocks

WARP: Final = 32
SCHEDULERS: Final = 4  # of a multiprocessor; each issues one instruction in a cycle
BANDWIDTH: Final = 128  # bytes of shared memory in a cycle
BARRIER: Final = 30  # cycles in which a block waits at one
STEP: Final = 128 * 128 * 32
UNIT: Final = 16 * 8 * 16  # multiplications of the instruction HMMA.16816
SHAPES: Final = {"16816": UNIT, "1688": UNIT // 2}
_GROUPED: Final = re.compile(r"(\d+)x(\d+)x(\d+)")
GROUP: Final = 4  # warps that execute one HGMMA together, and warps of a multiprocessor that multiply at once
_MATRICES: Final = re.compile(r"\.([124])$")
#: operations on integers and predicates, and moves of registers
_INTEGERS: Final = re.compile(
    "U?(IABS|IADD(3|64)?|IMAD|IMNMX|ISETP|LEA|LOP3|MOV|PLOP3|PRMT|SEL|SHF|FLO|POPC)|VIADD|VIMNMX3?|VOTEU|"
    "CS2R|S2U?R|R2UR|R2P|P2R|I2F|F2I"
)


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of an architecture in cycles: until data arrives from the level-2 cache under load, and for a product of 16
    x 8 x 16.

    `product` is that of HMMA; `peak` is that of the fastest instruction, from which the published peak follows.
    """

    latency: int
    product: float
    peak: float


COSTS: Final = {"sm_80": Costs(600, 8, 8), "sm_90": Costs(700, 6.4, 4)}


@dataclass(frozen=True, slots=True)
class Kernel:
    """A compiled product: the block's tile of the result, and the resources of a block. `shared` is in bytes."""

    listing: Listing
    arch: str
    tile: tuple[int, int, int]
    warps: int
    registers: int
    shared: int


@dataclass(frozen=True, slots=True)
class Loop:
    """The main loop of a kernel. Counts are of one warp in one pass; cycles are of a step of 128 x 128 x 32.

    `spills` are bytes per thread, in the whole kernel. `ahead` is the number of steps whose factors are being copied
    while the kernel multiplies. `bound` is the fraction of the peak that the model allows.
    """

    spills: int
    blocks: int
    counts: Counter[str]
    products: float
    issue: float
    shared: float
    tensor: float
    ahead: float
    bound: float

    @property
    def per_product(self) -> float:
        """Instructions for each product of 16 x 8 x 16."""
        return self.counts.total() / self.products


def main_loop(kernel: Kernel) -> Loop:
    """The main loop: the innermost loop with the most multiplications. There must be a loop that multiplies."""
    body = sass.main_loop(kernel.listing, multiplications)
    names = Counter(instruction.name for instruction in body)
    products = sum(map(multiplications, body)) / UNIT
    assert products, "expected a loop that multiplies matrices, found none"
    costs = COSTS[kernel.arch]
    per_step = STEP / UNIT / products  # passes of all warps together in one step
    whole = kernel.listing.counts()
    spills = sass.spilled_bytes(whole)
    blocks = resident_blocks(architecture(kernel.arch), kernel.warps * WARP, kernel.registers, kernel.shared)
    issue = len(body) / SCHEDULERS * per_step
    shared = sum(_shared_bytes(one.name) for one in body if not one.is_void) / BANDWIDTH * per_step
    is_grouped = any(name.startswith("HGMMA") for name in names)
    tensor = (costs.peak if is_grouped else costs.product) * STEP / UNIT / SCHEDULERS
    # a step of the block, which has its own tiles
    scale = prod(kernel.tile) / STEP
    steps = products * UNIT * kernel.warps / prod(kernel.tile)
    ahead = _ahead(body, steps)
    computing = max(issue, shared, tensor)
    waiting = starting("BAR", names) / steps * BARRIER
    if ahead:
        taken = max(computing * scale + waiting, costs.latency / ahead)
    else:
        stores = sum(size * count for size, count in widths(names, "STS").items()) * WARP / BANDWIDTH
        taken = costs.latency + stores * kernel.warps / steps + waiting + computing * scale
    peak = costs.peak * STEP / UNIT / SCHEDULERS
    bound = min(blocks * peak * scale / taken, peak / computing)
    return Loop(spills, blocks, names, products, issue, shared, tensor, ahead, bound)


def multiplications(instruction: Instruction) -> int:
    """The multiplications that a warp does by an instruction of the tensor cores on f16; 0 for other instructions.

    >>> multiplications(Instruction("HMMA.16816.F32")), multiplications(Instruction("HGMMA.64x128x16.F32"))
    (2048, 32768)
    """
    operation, *modifiers = instruction.name.split(".")
    if operation == "HMMA":
        return next(SHAPES[modifier] for modifier in modifiers if modifier in SHAPES)
    if operation == "HGMMA" and (shape := _GROUPED.search(instruction.name)):
        return prod(map(int, shape.groups())) // GROUP
    return 0


def starting(operation: str, counts: Counter[str]) -> int:
    """The number of instructions with this operation, whatever their modifiers."""
    return sum(count for name, count in counts.items() if name.split(".")[0] == operation)


def integers(counts: Counter[str]) -> int:
    """The number of instructions that compute with integers or predicates, or move registers."""
    return sum(count for name, count in counts.items() if _INTEGERS.fullmatch(name.split(".")[0]))


def _shared_bytes(name: str) -> float:
    """The bytes of shared memory that an instruction of a warp reads or writes."""
    operation = name.split(".")[0]
    if operation == "LDSM":
        matrices = _MATRICES.search(name)
        return 8 * 16 * (int(matrices[1]) if matrices else 1)
    if operation in ("LDS", "STS", "LDGSTS"):
        return WARP * next(iter(widths({name: 1}, operation)))
    if operation == "HGMMA" and (shape := _GROUPED.search(name)):
        m, n, k = map(int, shape.groups())
        return 2 * k * (m + n) / GROUP
    return 0


def _ahead(body: Sequence[Instruction], steps: float) -> float:
    """The maximum number of steps whose asynchronous copies are in flight at a product: groups that were committed and
    not waited for.
    """
    groups = sum(instruction.name == "LDGDEPBAR" for instruction in body)
    if not groups:
        return 0
    pending = most = 0
    waits = [int(one.operands.split(",")[1], 0) for one in body if _is_wait(one)]
    for instruction in [*body] * (max(waits, default=0) // groups + 2):
        if instruction.name == "LDGDEPBAR":
            pending += 1
        elif _is_wait(instruction):
            pending = min(pending, int(instruction.operands.split(",")[1], 0))
        elif multiplications(instruction):
            most = max(most, pending)
    return most / (groups / steps)


def _is_wait(instruction: Instruction) -> bool:
    return instruction.name.startswith("DEPBAR") and instruction.operands.startswith("SB0,")
