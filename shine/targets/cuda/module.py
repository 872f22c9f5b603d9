"""A printed CUDA text with the launch parameters of its kernels. Independent of compilers and devices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import TypeAlias

from rise.naturals import Nat, NatVar
from rise.records import dataclass
from rise.types import ScalarType
from shine.imperative.limits import Limits
from shine.imperative.nodes import Buffer, Origin
from shine.targets.c.source import Site, refuse_index


@dataclass(frozen=True, slots=True)
class PointerArgument:
    """The address of a buffer of an input, an output or a temporary."""

    buffer: Buffer
    is_written: bool


@dataclass(frozen=True, slots=True)
class ScalarArgument:
    """An input that is one number, passed by value: `buffer` is its buffer, of one element."""

    buffer: Buffer
    type: ScalarType


@dataclass(frozen=True, slots=True)
class SizeArgument:
    """A size, as an integer of `bits` (32 or 64)."""

    size: NatVar
    bits: int


Argument: TypeAlias = PointerArgument | ScalarArgument | SizeArgument


@dataclass(frozen=True, slots=True)
class SharedArray:
    """An array to which the text has a pointer: its offset and length, both in bytes, in dynamic shared memory or in
    the static array `within`.
    """

    name: str
    offset: int
    bytes: int
    origin: Origin
    within: str = ""


@dataclass(frozen=True, slots=True)
class CudaKernel:
    """One `__global__` function of a text. `grid` is evaluated at a call's sizes; if it is 0, the kernel is not
    launched.

    `shared_bytes` is the dynamic shared memory of a block, `static_shared` what the text declares, both in bytes.
    `shared` are the arrays that lie within other shared memory.
    """

    name: str
    grid: tuple[Nat, Nat, Nat]
    block: tuple[int, int, int]
    arguments: tuple[Argument, ...]
    shared_bytes: int = 0
    static_shared: int = 0
    shared: tuple[SharedArray, ...] = ()


@dataclass(frozen=True, slots=True)
class CudaModule:
    """A text with kernels that are launched in order.

    `origins` has for each line of the source the path in the low-level program. `temporaries` are buffers in global
    memory that the launcher allocates for a call; one kernel writes them, later ones read them. `limits` are bounds on
    what the kernels compute from sizes. `sites` are the places that report failures in `FAILURE`, which is a temporary
    if there are any.
    """

    source: str
    origins: tuple[Origin | None, ...]
    kernels: tuple[CudaKernel, ...]
    temporaries: tuple[Buffer, ...] = ()
    limits: Limits = field(default_factory=Limits)
    sites: tuple[Site, ...] = ()

    def refuse_failure(self, failure: Iterable[int]) -> None:
        """Raise TranslationError if the numbers in `FAILURE` say that a kernel failed."""
        site, number, size = (int(one) for one in failure)
        if site:
            refuse_index(self.sites[site - 1], number, size)
