"""Processors: vectors, units that multiply and add, caches, clocks. Independent of the machine that it runs on.

One subject: the table of records, and what its columns mean.

Every number has a source, by which the record can be checked. Numbers that no public document states are None. Sources
are abbreviated: *SOG* is the vendor's software optimization guide for the microarchitecture, *Intel ORM* the Intel 64
and IA-32 Architectures Optimization Reference Manual (248966), *TRM* Arm's technical reference manual, *LLVM* the
scheduling model in `llvm/lib/Target`.

A processor without a record here can be described by `dataclasses.replace` of the closest record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from math import ceil
from typing import Final

from rise.diagnostics import Diagnostic, RiseError, did_you_mean, quoted
from rise.records import dataclass
from rise.scalars import SCALARS

KIB: Final = 1024
MIB: Final = 1024 * KIB
WORD_BITS: Final = 32
#: the memory that programs can prefetch: rows of a panel that is copied, the place of a result, rows that the next tile
#: reads
PREFETCHES: Final = frozenset(("copies", "results", "rows"))


@dataclass(frozen=True, slots=True, repr=False)
class Processor:
    """A processor, with the numbers that formulas for tiles and bounds on times need. Records with the same numbers are
    equal.

    - `name`: its name in compilers (`-march`, `-mcpu`); `aliases` are other names, such as those of the library
      archspec.
    - `isa`: the instruction set, as returned by `platform.machine()`. `vendor`: the vendor, as the system reports it.
    - `flags`: the flags with which C compilers build for it.
    - `vector_bits`: the bits of the widest vector register; 0 if there are none. `registers`: the number of registers
      that hold vectors or, if there are none, floating-point numbers.
    - `fma_units`: the number of multiply-adds of whole vectors that start in a cycle; 0.5 is one in two cycles. Without
      `has_fma`, each is a multiplication and an addition.
    - `fma_latency`: cycles from one multiply-add to another that adds to its result.
    - `l1`, `l2`, `l3`: the sizes of the caches in bytes: the L1 data cache and the L2 cache of one core, and the L3
      cache that `l3_cores` cores share. An L2 that cores share is divided equally. `line`: bytes of a cache line.
    - `cores`: the number of cores of one chip. `matrix`: the units that multiply matrices, by instruction family and
      type.
    - `clock`: the maximum clock, in cycles per second. `l1_load` and `l2_load`: bytes that a core can load in a cycle
      from L1 and L2, `l1_store`: that it can store. `vector_loads`: the number of loads to vector registers that it
      starts in a cycle, if these are short. `memory_bandwidth`: bytes per second of all cores together.
    - `window`: the number of instructions that a core has begun and not ended at most, of which later ones may run
      before earlier ones; 0 if it runs them in order.
    - `prefetches`: those of `PREFETCHES` that programs for it use: all, except those that were measured to cost time.
    - `sources`: the sources of the numbers: field names, separated by spaces, and the source of each.
    """

    name: str
    isa: str
    vendor: str
    flags: tuple[str, ...]
    vector_bits: int
    registers: int
    fma_units: float
    fma_latency: int
    l1: int
    l2: int | None
    l3: int | None
    line: int
    cores: int | None
    has_fma: bool = True
    matrix: frozenset[str] = frozenset()
    clock: float | None = None
    l1_load: int | None = None
    l2_load: int | None = None
    l1_store: int | None = None
    vector_loads: int | None = None
    memory_bandwidth: float | None = None
    window: int | None = None
    prefetches: frozenset[str] = PREFETCHES
    aliases: tuple[str, ...] = field(default=(), compare=False)
    sources: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    @property
    def lanes(self) -> int:
        """The number of 32-bit numbers in a vector; 1 without vectors."""
        return self.lanes_of("f32")

    def lanes_of(self, scalar: str) -> int:
        """The number of numbers of a scalar type in a vector; 1 without vectors.

        >>> processor("haswell").lanes_of("f64")
        4
        """
        return max(1, self.vector_bits // SCALARS[scalar].bits)

    @property
    def chains(self) -> int:
        """The number of independent sums of vectors that keep all multiply-add units busy.

        >>> processor("haswell").chains
        10
        """
        return max(1, ceil(self.fma_units * self.fma_latency))

    @property
    def neighbours(self) -> int:
        """The number of adjacent 32-bit numbers that an iteration of a loop processes: two vectors, or two cache lines
        if these are longer.

        Two vectors hide part of an operation's latency from each other. With pairs of whole lines, each line is read
        once, no two threads write to one, and processors fetch lines in pairs.
        """
        return 2 * max(self.lanes, self.line_words)

    @property
    def line_words(self) -> int:
        """The number of 32-bit numbers in a cache line."""
        return self.line * 8 // WORD_BITS

    def source_of(self, name: str) -> str:
        """The source of the number in a field; empty for None and for fields without numbers about the hardware."""
        return next((source for names, source in self.sources if name in names.split()), "")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        """The name, and the fields that tiles depend on if they differ from the record of that name: `haswell(l2=512
        KiB)`.
        """
        record = PROCESSORS.get(self.name)
        changed = [
            f"{name}={shown(getattr(self, name))}"
            for name in SHAPING
            if record is None or getattr(self, name) != getattr(record, name)
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name


def shown(value: object) -> str:
    """The text of a field's value, as in `l2=2 MiB`, `matrix=none`."""
    match value:
        case frozenset():
            return " ".join(sorted(value)) or "none"
        case int() if value >= MIB and value % MIB == 0:
            return f"{value // MIB} MiB"
        case int() if value >= KIB and value % KIB == 0:
            return f"{value // KIB} KiB"
        case float() if value >= 1e9:
            return f"{value / 1e9:.1f}e9"
        case _:
            return str(value)


#: the fields that are numbers about the hardware, each of which has a source
NUMBERS: Final = tuple(
    one.name
    for one in fields(Processor)
    if one.name not in ("name", "isa", "vendor", "flags", "prefetches", "aliases", "sources")
)

#: the fields that formulas for tiles may use; only bounds on times depend on the others
SHAPING: Final = (
    "vector_bits",
    "registers",
    "has_fma",
    "fma_units",
    "fma_latency",
    "l1",
    "l2",
    "line",
    "prefetches",
)

_RECORDS: Final = (
    Processor(
        name="sapphirerapids",
        isa="x86_64",
        vendor="GenuineIntel",
        flags=("-march=sapphirerapids", "-mprefer-vector-width=512"),
        vector_bits=512,
        registers=32,
        fma_units=2,
        fma_latency=4,
        window=512,
        l1=48 * KIB,
        l2=2 * MIB,
        l3=105 * MIB,
        line=64,
        cores=56,
        matrix=frozenset(("amx-bf16", "amx-int8")),
        clock=3.8e9,
        l1_load=128,
        l2_load=64,
        l1_store=64,
        vector_loads=3,
        memory_bandwidth=307.2e9,
        sources=(
            ("window", "Intel ORM, Golden Cove: entries of the reorder buffer"),
            ("vector_bits registers has_fma matrix", "Intel ISA extensions reference (319433)"),
            ("fma_units fma_latency", "Intel ORM, Golden Cove; 2 x 512 bits in servers: ports 0 and 5"),
            (
                "l1 l2 line l1_load l2_load l1_store vector_loads",
                "Intel ORM, Golden Cove, cache parameters; 2 MiB of L2 in servers",
            ),
            ("l3 cores clock", "Intel product specification, Xeon Platinum 8480+"),
            ("memory_bandwidth", "Intel product specification, Xeon Platinum 8480+: 8 channels of DDR5-4800"),
        ),
    ),
    Processor(
        name="icelake-server",
        isa="x86_64",
        vendor="GenuineIntel",
        flags=("-march=icelake-server", "-mprefer-vector-width=512"),
        vector_bits=512,
        registers=32,
        fma_units=2,
        fma_latency=4,
        window=352,
        l1=48 * KIB,
        l2=1280 * KIB,
        l3=60 * MIB,
        line=64,
        cores=40,
        clock=3.4e9,
        l1_load=128,
        l2_load=64,
        l1_store=64,
        vector_loads=2,
        memory_bandwidth=204.8e9,
        aliases=("icelake", "icelake-client", "rocketlake"),
        sources=(
            ("window", "Intel ORM, Sunny Cove: entries of the reorder buffer"),
            ("vector_bits registers has_fma matrix", "Intel ISA extensions reference (319433)"),
            (
                "fma_units fma_latency l1 l2 line l1_load l2_load l1_store vector_loads",
                "Intel ORM, Ice Lake server",
            ),
            ("l3 cores clock", "Intel product specification, Xeon Platinum 8380"),
            ("memory_bandwidth", "Intel product specification, Xeon Platinum 8380: 8 channels of DDR4-3200"),
        ),
    ),
    Processor(
        name="skylake-avx512",
        isa="x86_64",
        vendor="GenuineIntel",
        flags=("-march=skylake-avx512", "-mprefer-vector-width=512"),
        vector_bits=512,
        registers=32,
        fma_units=2,
        fma_latency=4,
        window=224,
        l1=32 * KIB,
        l2=1 * MIB,
        l3=38 * MIB + 512 * KIB,
        line=64,
        cores=28,
        clock=3.8e9,
        l1_load=128,
        l2_load=64,
        l1_store=64,
        vector_loads=2,
        memory_bandwidth=128e9,
        aliases=("skylake_avx512", "cascadelake", "cannonlake"),
        sources=(
            ("window", "Intel ORM, Skylake: entries of the reorder buffer"),
            ("vector_bits registers has_fma matrix", "Intel ISA extensions reference (319433)"),
            (
                "fma_units fma_latency l1 l2 line l1_load l2_load l1_store vector_loads",
                "Intel ORM, Skylake server",
            ),
            ("l3 cores clock", "Intel product specification, Xeon Platinum 8180"),
            ("memory_bandwidth", "Intel product specification, Xeon Platinum 8180: 6 channels of DDR4-2666"),
        ),
    ),
    Processor(
        name="haswell",
        isa="x86_64",
        vendor="GenuineIntel",
        flags=("-march=haswell",),
        vector_bits=256,
        registers=16,
        fma_units=2,
        fma_latency=5,
        window=192,
        l1=32 * KIB,
        l2=256 * KIB,
        l3=8 * MIB,
        line=64,
        cores=4,
        clock=3.9e9,
        l1_load=64,
        l2_load=64,
        l1_store=32,
        vector_loads=2,
        memory_bandwidth=25.6e9,
        aliases=("broadwell", "skylake", "x86-64-v3", "x86_64_v3"),
        sources=(
            ("window", "LLVM, X86SchedHaswell.td: MicroOpBufferSize"),
            (
                "vector_bits registers has_fma matrix",
                "Intel 64 and IA-32 Architectures SDM (325462), volume 1",
            ),
            (
                "fma_units fma_latency l1 l2 line l1_load l2_load l1_store vector_loads",
                "Intel ORM, Haswell; LLVM, X86SchedHaswell.td",
            ),
            ("l3 cores clock memory_bandwidth", "Intel product specification, Core i7-4770"),
        ),
    ),
    Processor(
        name="nehalem",
        isa="x86_64",
        vendor="GenuineIntel",
        flags=("-march=nehalem",),
        vector_bits=128,
        registers=16,
        fma_units=1,
        fma_latency=3,
        window=128,
        has_fma=False,
        l1=32 * KIB,
        l2=256 * KIB,
        l3=8 * MIB,
        line=64,
        cores=4,
        l1_load=16,
        l1_store=16,
        vector_loads=1,
        aliases=("x86-64", "x86-64-v2", "x86_64", "x86_64_v2"),
        sources=(
            ("window", "Intel ORM, Nehalem: entries of the reorder buffer"),
            (
                "vector_bits registers has_fma matrix",
                "Intel 64 and IA-32 Architectures SDM (325462), volume 1",
            ),
            ("fma_units fma_latency", "Intel ORM, Nehalem: one multiplication, one addition of 3 cycles"),
            ("l1 l2 line l1_load l1_store vector_loads", "Intel ORM, Nehalem"),
            ("l3 cores", "Intel product specification, Core i7-920"),
        ),
    ),
    Processor(
        name="znver2",
        isa="x86_64",
        vendor="AuthenticAMD",
        flags=("-march=znver2",),
        vector_bits=256,
        registers=16,
        fma_units=2,
        fma_latency=5,
        window=224,
        l1=32 * KIB,
        l2=512 * KIB,
        l3=16 * MIB,
        line=64,
        cores=64,
        clock=3.4e9,
        l1_load=64,
        l2_load=32,
        l1_store=32,
        vector_loads=2,
        memory_bandwidth=204.8e9,
        aliases=("zen2",),
        sources=(
            ("window", "LLVM, X86ScheduleZnver2.td: MicroOpBufferSize"),
            ("vector_bits registers has_fma matrix", "AMD64 Architecture Programmer's Manual (24592)"),
            (
                "fma_units fma_latency l1 l2 l3 line l1_load l2_load l1_store vector_loads",
                "AMD SOG for family 17h models 30h (56305)",
            ),
            ("cores clock memory_bandwidth", "AMD product specification, EPYC 7742: 8 channels of DDR4-3200"),
        ),
    ),
    Processor(
        name="znver4",
        isa="x86_64",
        vendor="AuthenticAMD",
        flags=("-march=znver4", "-mprefer-vector-width=512"),
        vector_bits=512,
        registers=32,
        fma_units=1,
        fma_latency=4,
        window=320,
        l1=32 * KIB,
        l2=1 * MIB,
        l3=32 * MIB,
        line=64,
        cores=96,
        clock=3.7e9,
        l1_load=64,
        l1_store=32,
        vector_loads=2,
        memory_bandwidth=460.8e9,
        aliases=("zen4",),
        sources=(
            ("window", "LLVM, X86ScheduleZnver4.td: MicroOpBufferSize"),
            ("vector_bits registers has_fma matrix", "AMD64 Architecture Programmer's Manual (24592)"),
            ("fma_units fma_latency", "AMD SOG for family 19h, Zen 4 (57647): two units of 256 bits"),
            ("l1 l2 l3 line l1_load l1_store vector_loads", "AMD SOG for family 19h, Zen 4 (57647)"),
            (
                "cores clock memory_bandwidth",
                "AMD product specification, EPYC 9654: 12 channels of DDR5-4800",
            ),
        ),
    ),
    Processor(
        name="znver5",
        isa="x86_64",
        vendor="AuthenticAMD",
        flags=("-march=znver5", "-mprefer-vector-width=512"),
        vector_bits=512,
        registers=32,
        fma_units=2,
        fma_latency=4,
        window=448,
        l1=48 * KIB,
        l2=1 * MIB,
        l3=32 * MIB,
        line=64,
        cores=128,
        clock=4.1e9,
        l1_load=128,
        l2_load=64,
        l1_store=64,
        vector_loads=2,
        memory_bandwidth=576e9,
        aliases=("zen5",),
        sources=(
            ("window", "AMD SOG for Zen 5 (58455): entries of the retire queue"),
            ("vector_bits registers has_fma matrix", "AMD64 Architecture Programmer's Manual (24592)"),
            ("fma_units fma_latency", "AMD SOG for Zen 5 (58455): two units of 512 bits in servers"),
            ("l1 l2 l3 line l1_load l2_load l1_store vector_loads", "AMD SOG for Zen 5 (58455)"),
            (
                "cores clock memory_bandwidth",
                "AMD product specification, EPYC 9755: 12 channels of DDR5-6000",
            ),
        ),
    ),
    Processor(
        name="neoverse-n1",
        isa="aarch64",
        vendor="0x41",
        flags=("-mcpu=neoverse-n1",),
        vector_bits=128,
        registers=32,
        fma_units=2,
        fma_latency=2,
        window=128,
        l1=64 * KIB,
        l2=1 * MIB,
        l3=32 * MIB,
        line=64,
        cores=80,
        clock=3.0e9,
        l1_load=32,
        vector_loads=2,
        memory_bandwidth=204.8e9,
        aliases=("neoverse_n1", "graviton2", "armv8-a", "aarch64"),
        sources=(
            ("window", "LLVM, AArch64SchedNeoverseN1.td: MicroOpBufferSize"),
            ("vector_bits registers has_fma matrix", "Arm Architecture Reference Manual (DDI 0487)"),
            (
                "fma_units fma_latency l1_load vector_loads",
                "Arm SOG for Neoverse N1 (PJDOC-466751330-9707): 4 cycles, 2 to the accumulator of another",
            ),
            ("l1 l2 line", "Arm TRM for Neoverse N1 (100616); L2 of 1 MiB: Ampere Altra data sheet"),
            ("l3 cores clock memory_bandwidth", "Ampere Altra data sheet: 8 channels of DDR4-3200"),
        ),
    ),
    Processor(
        name="cortex-a53",
        isa="aarch64",
        vendor="0x41",
        flags=("-mcpu=cortex-a53",),
        vector_bits=128,
        registers=32,
        fma_units=0.5,
        fma_latency=4,
        window=0,
        l1=32 * KIB,
        l2=128 * KIB,
        l3=None,
        line=64,
        cores=4,
        l1_load=8,
        vector_loads=1,
        aliases=("cortex_a53",),
        sources=(
            ("window", "LLVM, AArch64SchedA53.td: MicroOpBufferSize, in order"),
            ("vector_bits registers has_fma matrix", "Arm Architecture Reference Manual (DDI 0487)"),
            (
                "fma_units fma_latency",
                "LLVM, AArch64SchedA53.td: two cycles per vector, 4 to the accumulator of another",
            ),
            ("l1 line cores", "Arm TRM for Cortex-A53 (DDI 0500): 8 to 64 KiB, up to four cores"),
            ("l2", "512 KiB, which four cores share: BCM2837"),
            ("l1_load vector_loads", "Arm TRM for Cortex-A53 (DDI 0500): 64 bits"),
        ),
    ),
    Processor(
        name="sifive-u74",
        isa="riscv64",
        vendor="sifive",
        flags=("-mcpu=sifive-u74",),
        vector_bits=0,
        registers=32,
        fma_units=1,
        fma_latency=5,
        window=0,
        l1=32 * KIB,
        l2=512 * KIB,
        l3=None,
        line=64,
        cores=4,
        clock=1.2e9,
        l1_load=8,
        vector_loads=1,
        aliases=("u74mc", "riscv64"),
        sources=(
            ("window", "LLVM, RISCVSchedSiFive7.td: MicroOpBufferSize, in order"),
            ("vector_bits registers has_fma matrix", "SiFive U74 core complex manual: RV64GC has no vectors"),
            (
                "fma_units fma_latency l1_load vector_loads",
                "LLVM, RISCVSchedSiFive7.td: pipe B, 5 cycles in f32",
            ),
            ("l1 line", "SiFive U74 core complex manual"),
            ("l2 cores clock", "SiFive FU740-C000 manual: 2 MiB, which four cores share"),
        ),
    ),
)
PROCESSORS: Final[Mapping[str, Processor]] = {one.name: one for one in _RECORDS}
_BY_ALIAS: Final = {alias: one for one in _RECORDS for alias in one.aliases}
#: the record that strategies use unless another one is given; golden texts are for this processor
DEFAULT: Final = PROCESSORS["sapphirerapids"]


def processor(name: str) -> Processor:
    """The processor with this name or alias. Raises RiseError for other names.

    >>> processor("zen4").vector_bits
    512
    """
    found = PROCESSORS.get(name) or _BY_ALIAS.get(name)
    if found is not None:
        return found
    hint = did_you_mean(name, [*PROCESSORS, *_BY_ALIAS]) or f"there are {', '.join(PROCESSORS)}"
    raise RiseError(Diagnostic("unknown-processor", f"expected a processor, found {quoted(name)}", hint=hint))
