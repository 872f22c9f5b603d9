"""The counts of a profiled launch, by line of the text and for the whole kernel.

Independent of RISE and of the terminal.

The rules of counting are in docs/simulator.md; the runtime applies them (`runtime/counts.h`).
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields
from types import MappingProxyType
from typing import Final

from rise.hardware import Architecture
from rise.records import dataclass

#: what registers and shared memory are given out in: registers of a warp, warps of a block, bytes
WARP_REGISTERS: Final = 256
_WARPS_AT_ONCE: Final = 4
_SHARED_PIECE: Final = 128
#: the names of what the runtime counts, as in `runtime/profiled.h`
KINDS: Final = (
    "global loads",
    "global stores",
    "global atomics",
    "shared loads",
    "shared stores",
    "shared atomics",
    "constant loads",
    "copies from global",
    "copies to shared",
    "matrix loads",
    "matrix stores",
    "matrix products",
    "shuffles",
    "votes",
    "warp barriers",
    "barriers",
    "basic blocks",
    "divergent branches",
    "bulk copies from global",
    "bulk copies to global",
    "copies within shared",
    "bulk copies from shared",
    "bulk copies to shared",
    "warpgroup products",
)
#: an asynchronous copy is counted once, where it touches global memory, or else where it writes
_NOT_INSTRUCTIONS: Final = (
    "copies to shared",
    "barriers",
    "basic blocks",
    "divergent branches",
    "bulk copies from shared",
    "bulk copies to shared",
)
_IN_BULK: Final = ("bulk copies from global", "bulk copies to global")
_READS: Final = (
    "global loads",
    "global atomics",
    "copies from global",
    "shared loads",
    "shared atomics",
    "matrix loads",
    "bulk copies from global",
    "bulk copies from shared",
)
_SPACES: Final[Mapping[str, str]] = {
    "global loads": "global",
    "global stores": "global",
    "global atomics": "global",
    "copies from global": "global",
    "shared loads": "shared",
    "shared stores": "shared",
    "shared atomics": "shared",
    "copies to shared": "shared",
    "matrix loads": "shared",
    "matrix stores": "shared",
    "constant loads": "constant",
    "bulk copies from global": "global",
    "bulk copies to global": "global",
    "copies within shared": "shared",
    "bulk copies from shared": "shared",
    "bulk copies to shared": "shared",
}


class CountRecord(ctypes.Structure):
    """The counts of the runtime at one place; mirrors `runtime/profiled.h`."""

    _fields_ = (
        ("place", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
        ("times", ctypes.c_uint64),
        ("lanes", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("sectors", ctypes.c_uint64),
        ("ideal_sectors", ctypes.c_uint64),
        ("passes", ctypes.c_uint64),
        ("ideal_passes", ctypes.c_uint64),
        ("collisions", ctypes.c_uint64),
    )


@dataclass(frozen=True, slots=True)
class Counts:
    """What the warps of a launch did at a line, or in all.

    `instructions` has, for each class, how often a warp executed one; `bytes` the bytes that lanes requested, by memory
    space and direction, such as `("shared", "read")`. Requests to global memory take `sectors` of 32 bytes, where
    `ideal_sectors` would hold the requested bytes. Requests to shared memory take `passes`, and without conflicts
    `ideal_passes`. `collisions` counts lanes of atomic operations after the first one at the same address. `barriers`
    counts blocks that passed a barrier, `divergent_branches` warps whose lanes diverged, and `lanes` the lanes that
    executed `instructions`.
    """

    instructions: Mapping[str, int] = field(default_factory=dict)
    bytes: Mapping[tuple[str, str], int] = field(default_factory=dict)
    lanes: int = 0
    requests: int = 0
    sectors: int = 0
    ideal_sectors: int = 0
    passes: int = 0
    ideal_passes: int = 0
    collisions: int = 0
    barriers: int = 0
    divergent_branches: int = 0

    @property
    def bank_conflicts(self) -> int:
        """Passes through shared memory beyond those that are needed without conflicts."""
        return self.passes - self.ideal_passes

    @property
    def sectors_per_request(self) -> float:
        """Sectors that a request to global memory takes on average; 0 without requests."""
        return self.sectors / self.requests if self.requests else 0.0

    @property
    def warp_instructions(self) -> int:
        """All counted instructions, per warp."""
        return sum(self.instructions.values())

    @property
    def lanes_per_instruction(self) -> float:
        """Lanes that take part in an instruction on average, of 32; 0 without instructions."""
        return self.lanes / self.warp_instructions if self.warp_instructions else 0.0

    def bytes_in(self, space: str) -> int:
        """Bytes that lanes read and wrote in `global`, `shared` or `constant` memory."""
        return sum(count for (its_space, _), count in self.bytes.items() if its_space == space)

    def __add__(self, other: Counts) -> Counts:
        """The sum of both counts."""
        summed: dict[str, object] = {}
        for one in fields(self):
            mine, its = getattr(self, one.name), getattr(other, one.name)
            if isinstance(mine, Mapping):
                summed[one.name] = {key: mine.get(key, 0) + its.get(key, 0) for key in {**mine, **its}}
            else:
                summed[one.name] = mine + its
        return Counts(**summed)  # type: ignore[arg-type]  # values of the same fields


NOTHING: Final = Counts()


class Lines(Mapping[int, Counts]):
    """Counts by line of the text, from 1; zeros for a line without counts. Iterates over the lines with counts."""

    def __init__(self, counts: Mapping[int, Counts]) -> None:
        self._counts = MappingProxyType(dict(sorted(counts.items())))

    def __getitem__(self, line: int) -> Counts:
        return self._counts.get(line, NOTHING)

    def __iter__(self) -> Iterator[int]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)


@dataclass(frozen=True, slots=True)
class Occupancy:
    """How many blocks, with given threads and bytes of shared memory, reside on a multiprocessor, how many warps these
    have, and how many it can hold; `limit` names the limiting resource.
    """

    threads: int
    shared: int
    blocks: int
    warps: int
    most_warps: int
    limit: str

    @property
    def fraction(self) -> float:
        """Resident warps as a fraction of those that the multiprocessor can hold."""
        return self.warps / self.most_warps


@dataclass(frozen=True, slots=True)
class Profile:
    """The counts of a launch of `blocks` blocks. `lines[12]` has those of line 12, `total` the sum; line 0 stands for
    code without a line.
    """

    lines: Lines
    total: Counts
    basic_blocks: int
    basic_block_lanes: int
    occupancy: Occupancy
    blocks: int = 1

    @property
    def active_lanes(self) -> float:
        """Lanes that are active in a basic block on average, of 32."""
        return self.basic_block_lanes / self.basic_blocks if self.basic_blocks else 0.0

    def by(self, groups: Sequence[object]) -> dict[object, Counts]:
        """Counts by group: `groups` has the group of line 1, line 2 and so on, or None."""
        found: dict[object, Counts] = {}
        for line, counts in self.lines.items():
            group = groups[line - 1] if 1 <= line <= len(groups) else None
            found[group] = found.get(group, NOTHING) + counts
        return found


def profile_of(
    records: Iterable[CountRecord], lines: Mapping[int, int], occupancy: Occupancy, grid: int
) -> Profile:
    """The profile from records of the runtime; `lines` has the line of each place."""
    by_line: dict[int, list[CountRecord]] = defaultdict(list)
    pieces = lanes = 0
    for record in records:
        if KINDS[record.kind] == "basic blocks":
            pieces, lanes = pieces + record.times, lanes + record.lanes
        else:
            by_line[lines[record.place]].append(record)
    counts = {line: _counts(its) for line, its in by_line.items()}
    total = sum(counts.values(), NOTHING)
    return Profile(Lines(counts), total, pieces, lanes, occupancy, grid)


def _counts(records: Iterable[CountRecord]) -> Counts:
    instructions: dict[str, int] = defaultdict(int)
    moved: dict[tuple[str, str], int] = defaultdict(int)
    sums: dict[str, int] = defaultdict(int)
    for record in records:
        kind = KINDS[record.kind]
        if kind not in _NOT_INSTRUCTIONS:
            instructions[kind] += record.times
            sums["lanes"] += record.lanes
        space = _SPACES.get(kind)
        if space is not None:
            moved[space, "written" if kind not in _READS and space != "constant" else "read"] += record.bytes
        if space == "global" and kind not in _IN_BULK:
            sums["requests"] += record.times
        for name in ("sectors", "ideal_sectors", "passes", "ideal_passes", "collisions"):
            sums[name] += getattr(record, name)
        if kind in ("barriers", "divergent branches"):
            sums[kind.replace(" ", "_")] += record.times
    return Counts(dict(instructions), dict(moved), **sums)


def occupancy(architecture: Architecture, threads: int, shared: int, registers: int = 0) -> Occupancy:
    """How many blocks with these numbers of threads, bytes of shared memory and registers per thread reside on a
    multiprocessor (CUDA C++ Best Practices Guide, "Calculating Occupancy"). If `registers` is 0, it is ignored.

    >>> from rise.hardware import architecture
    >>> its = occupancy(architecture("sm_80"), 256, 18944, 128)
    >>> its.blocks, its.limit, its.fraction
    (2, 'registers', 0.25)
    """
    warps = -(-threads // architecture.warp)
    reserved = architecture.multiprocessor_shared - architecture.shared  # for each block, by the system
    bounds = {
        "blocks": architecture.multiprocessor_blocks,
        "threads": architecture.multiprocessor_threads // (warps * architecture.warp),
    }
    taken = -(-(shared + reserved) // _SHARED_PIECE) * _SHARED_PIECE
    if taken:
        bounds["shared memory"] = architecture.multiprocessor_shared // taken
    if registers:
        of_warp = -(-registers * architecture.warp // WARP_REGISTERS) * WARP_REGISTERS
        together = -(-warps // _WARPS_AT_ONCE) * _WARPS_AT_ONCE
        bounds["registers"] = architecture.multiprocessor_registers // (of_warp * together)
    limit = min(bounds, key=lambda name: bounds[name])
    most = architecture.multiprocessor_threads // architecture.warp
    return Occupancy(threads, shared, bounds[limit], bounds[limit] * warps, most, limit)
