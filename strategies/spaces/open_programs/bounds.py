"""Lower bounds on the time of all schedules that an open program may still become, as in Telamon (Beaugnon et al.).

Each decision that is open counts with its best values, for each resource separately; work that blocks or cores share is
divided by the least common multiple of their possible numbers (`bounds.in_waves`). Independent of imperative programs;
nothing is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, prod

from rise.hardware import Device
from strategies.fireiron.specs import Spec
from strategies.gpu_rows import ACCESS_BYTES
from strategies.parts.parameters import LANES
from strategies.spaces.bounds import Bound, in_waves
from strategies.spaces.holes import Decisions
from strategies.spaces.models import UNKNOWN, Setting, register_tiles_bound
from strategies.spaces.open_programs.hierarchies import BOTH, OF_GPU, OF_PROCESSOR, SHARED, memory_of
from strategies.spaces.open_programs.nests import (
    WITHIN_THREAD,
    LoopKind,
    OpenNest,
    extent_of,
    fewest_of,
    most_of,
)
from strategies.spaces.open_programs.programs import bytes_of, decided, spec_of
from strategies.spaces.product_bounds import FLOAT_TYPES, MULTIPLY_ADDS


def gpu_bound(at: Setting, decisions: Decisions) -> Bound:
    """The bound of all schedules with these decisions on the GPU of a setting; without one, nothing is known.

    A multiprocessor executes the multiply-adds of its blocks, and the accesses of their threads to shared memory; L2
    delivers what each block reads; and a thread executes its own loads, one after the other.
    """
    device = at.device
    if device is None:
        return Bound(0.0, "no GPU is known")
    spec, nest = spec_of(at.term), decided(at.term, OF_GPU, decisions)
    sizes = bytes_of(at.term)
    found = Bound(0, "nothing")
    if spec.kind.multiplies and device.multiply_adds:
        work = Fraction(prod(nest.extents.values()), device.multiply_adds)
        found = found.at_least(Bound(_by_blocks(work, nest, device), MULTIPLY_ADDS))
    if device.l2_load:
        read = sum(
            _read_by_blocks(nest, axes) * size for axes, size in zip(spec.kind.operands, sizes, strict=False)
        )
        written = prod(nest.extents[axis] for axis in spec.kind.result) * sizes[-1]
        found = found.at_least(Bound(Fraction(read + written, device.l2_load), "L2"))
    loads = _loads_from_shared(nest, spec, sizes)
    found = found.at_least(Bound(_by_blocks(loads, nest, device), "shared memory"))
    found = found.at_least(Bound(_loads_of_a_thread(nest, spec, sizes), "latency"))
    return Bound(float(found.time) / (device.clock or 1.0), found.why)


def processor_bound(at: Setting, decisions: Decisions) -> Bound:
    """The bound of all schedules with these decisions on the processor of a setting: the multiply-adds of the core with
    the most tiles and, of products on vectors, the loads and the latency of its register tiles.
    """
    spec = spec_of(at.term)
    if not at.clock or not spec.kind.multiplies or at.scalar not in FLOAT_TYPES:
        return UNKNOWN
    nest = decided(at.term, OF_PROCESSOR, decisions)
    work = Fraction(prod(nest.extents.values())) / Fraction(at.lanes * at.machine.fma_units)
    cores = extent_of(nest, frozenset({LoopKind.CORE}))
    cycles = in_waves(work / cores.least, cores, at.threads)
    found = Bound(float(cycles) / at.clock, MULTIPLY_ADDS)
    if any(nest.kinds(one) == {LoopKind.VECTOR} for one in nest.dimensions):
        rows, columns = (most_of(nest, WITHIN_THREAD, axis) for axis in spec.kind.result)
        found = found.at_least(register_tiles_bound(at, rows, max(1, ceil(columns / at.lanes))))
    return found


def _by_blocks(work: Fraction, nest: OpenNest, device: Device) -> Fraction:
    """The cycles of the multiprocessor with the most blocks, if one alone takes `work` for all of them."""
    blocks = extent_of(nest, frozenset({LoopKind.BLOCK}))
    return in_waves(work / blocks.least, blocks, device.multiprocessors)


def _read_by_blocks(nest: OpenNest, axes: Sequence[str]) -> int:
    """The numbers of an operand that all blocks together read: each reads those of its tile at least once."""
    others = [axis for axis in nest.extents if axis not in axes]
    blocks = prod(fewest_of(nest, frozenset({LoopKind.BLOCK}), axis) for axis in others)
    return prod(nest.extents[axis] for axis in axes) * blocks


def _loads_from_shared(nest: OpenNest, spec: Spec, sizes: Sequence[int]) -> Fraction:
    """The loads of all warps from shared memory, at most an access for each lane at once, and each takes a cycle: a
    thread loads the numbers of a shared operand once for all numbers that it computes from them.
    """
    found = Fraction(0)
    for operand, axes, size in zip(spec.kind.read, spec.kind.operands, sizes, strict=False):
        if {SHARED, BOTH}.issuperset(nest.domains[memory_of(operand)]):
            others = [axis for axis in nest.extents if axis not in axes]
            reused = prod(most_of(nest, WITHIN_THREAD, axis) for axis in others)
            found += Fraction(prod(nest.extents.values()) * size, reused * ACCESS_BYTES * LANES)
    return found


def _loads_of_a_thread(nest: OpenNest, spec: Spec, sizes: Sequence[int]) -> Fraction:
    """The loads of one thread."""
    found = Fraction(0)
    for axes, size in zip(spec.kind.operands, sizes, strict=False):
        found += Fraction(prod(fewest_of(nest, WITHIN_THREAD, axis) for axis in axes) * size, ACCESS_BYTES)
    return found
