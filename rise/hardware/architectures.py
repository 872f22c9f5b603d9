"""NVIDIA's architectures: limits of blocks, threads and multiprocessors. Independent of shapes of instructions.

The limits are from the CUDA Programming Guide, 5.1 "Compute Capabilities", tables 29 to 31 and 33 (13.x), where K and
KB are 1024. Where a row of table 30 merges columns, `max_blocks_per_multiprocessor` of `cuda::arch_traits` (libcu++)
determines which columns are meant. Features that the guide does not list by name are taken from what the assembler of
CUDA 13.0 accepts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rise.diagnostics import Diagnostic, RiseError, did_you_mean, quoted
from rise.records import dataclass

KIB: Final = 1024
#: the first capability with each feature; later ones have it, too, except features in SPECIFIC
SINCE: Final[Mapping[str, tuple[int, int]]] = {
    "ldmatrix": (7, 5),
    "async-copy": (8, 0),
    "bf16": (8, 0),
    "max-nan": (8, 0),
    "warp-reduce": (8, 0),
    "cluster": (9, 0),
    "stmatrix": (9, 0),
    "tma": (9, 0),
}
#: features of architecture-specific targets, which later architectures may not have
SPECIFIC: Final[Mapping[str, frozenset[str]]] = {
    "sm_90a": frozenset(("setmaxnreg", "wgmma")),
    "sm_100a": frozenset(("setmaxnreg", "tcgen05")),
    "sm_103a": frozenset(("setmaxnreg", "tcgen05")),
    "sm_110a": frozenset(("setmaxnreg", "tcgen05")),
    "sm_120a": frozenset(("setmaxnreg",)),
    "sm_121a": frozenset(("setmaxnreg",)),
}
FEATURES: Final = tuple(sorted({*SINCE, *(name for names in SPECIFIC.values() for name in names)}))


@dataclass(frozen=True, slots=True)
class Architecture:
    """The limits for code built for `name`; memory is in bytes, registers have 32 bits.

    The limits of a multiprocessor apply to its resident blocks together. `tensor_inputs` are the types of numbers that
    its tensor cores multiply.
    """

    name: str
    capability: tuple[int, int]
    multiprocessor_threads: int
    multiprocessor_blocks: int
    multiprocessor_shared: int
    shared: int  # of a block; above `static_shared`, the memory is dynamic, and the launch must request it
    tensor_inputs: frozenset[str]
    features: frozenset[str]
    static_shared: int = 48 * KIB
    multiprocessor_registers: int = 64 * KIB
    block_registers: int = 64 * KIB
    thread_registers: int = 255
    thread_memory: int = 512 * KIB  # local memory
    block_threads: int = 1024
    block: tuple[int, int, int] = (1024, 1024, 64)
    grid: tuple[int, int, int] = (2**31 - 1, 65535, 65535)
    warp: int = 32

    @property
    def is_specific(self) -> bool:
        """Whether the code runs only on devices of exactly this capability."""
        return self.name.endswith("a")


def _variants(
    major: int, minor: int, threads: int, blocks: int, shared: int, tensor_inputs: str
) -> tuple[Architecture, ...]:
    """The architecture of a capability, and the architecture-specific one if there is one.

    From 8.0 on, the system reserves 1 KB of shared memory per block.
    """
    plain = f"sm_{major}{minor}"
    features = frozenset(name for name, since in SINCE.items() if since <= (major, minor))
    reserved = 1 if major >= 8 else 0
    return tuple(
        Architecture(
            name=name,
            capability=(major, minor),
            multiprocessor_threads=threads,
            multiprocessor_blocks=blocks,
            multiprocessor_shared=shared * KIB,
            shared=(shared - reserved) * KIB,
            tensor_inputs=frozenset(tensor_inputs.split()),
            features=features | SPECIFIC.get(name, frozenset()),
        )
        for name in (plain, f"{plain}a")
        if name == plain or name in SPECIFIC
    )


ARCHITECTURES: Final[Mapping[str, Architecture]] = {
    arch.name: arch
    for arch in (
        *_variants(7, 5, 1024, 16, 64, "f16 i8 u8"),
        *_variants(8, 0, 2048, 32, 164, "f64 tf32 bf16 f16 i8 u8"),
        *_variants(8, 6, 1536, 16, 100, "tf32 bf16 f16 i8 u8"),
        *_variants(8, 7, 1536, 16, 164, "tf32 bf16 f16 i8 u8"),
        *_variants(8, 9, 1536, 24, 100, "tf32 bf16 f16 i8 u8 f8"),
        *_variants(9, 0, 2048, 32, 228, "f64 tf32 bf16 f16 i8 u8 f8"),
        *_variants(10, 0, 2048, 32, 228, "f64 tf32 bf16 f16 i8 u8 f8 f6 f4"),
        *_variants(10, 3, 2048, 32, 228, "tf32 bf16 f16 i8 u8 f8 f6 f4"),
        *_variants(11, 0, 1536, 24, 228, "tf32 bf16 f16 i8 u8 f8 f6 f4"),
        *_variants(12, 0, 1536, 24, 100, "tf32 bf16 f16 i8 u8 f8 f6 f4"),
        *_variants(12, 1, 1536, 24, 100, "tf32 bf16 f16 i8 u8 f8 f6 f4"),
    )
}


def architecture(name: str) -> Architecture:
    """The architecture of this name, such as `sm_90a`. Raises RiseError for other names.

    >>> architecture("sm_80").shared
    166912
    """
    arch = ARCHITECTURES.get(name)
    if arch is not None:
        return arch
    written = str(name)  # a user may pass a number
    number = re.search(r"\d+\.?\d*a?", written)
    spelt = f"sm_{number[0].replace('.', '')}" if number else written
    hint = did_you_mean(spelt, ARCHITECTURES) or f"there are {', '.join(ARCHITECTURES)}"
    oldest = next(iter(ARCHITECTURES))
    if re.fullmatch(r"sm_[1-9][0-9]", spelt) and spelt < oldest:
        hint = f"{oldest} is the oldest architecture that rise-shine supports"
    title = f"expected an architecture, found {quoted(written)}"
    raise RiseError(Diagnostic("unknown-architecture", title, hint=hint))


def architecture_of(major: int, minor: int) -> Architecture:
    """The architecture to build for, given a device's compute capability: the architecture-specific one if there is
    one.

    >>> architecture_of(9, 0).name
    'sm_90a'
    """
    matching = [arch for arch in ARCHITECTURES.values() if arch.capability == (major, minor)]
    if matching:
        return matching[-1]
    capabilities = ", ".join(
        dict.fromkeys(f"{arch.capability[0]}.{arch.capability[1]}" for arch in ARCHITECTURES.values())
    )
    title = f"expected a device of a known compute capability, found {major}.{minor}"
    hint = f"known: {capabilities}; if the device runs code for one of them, name it: arch='sm_80'"
    raise RiseError(Diagnostic("unknown-architecture", title, hint=hint))
