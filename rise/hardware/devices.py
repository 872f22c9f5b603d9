"""GPUs as devices: multiprocessors, clock, caches, bandwidths. The limits for their code are in `architectures`.

Every number has a source, as for processors. Numbers that neither a public document of the vendor nor a published
measurement states are None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Final

from rise.diagnostics import Diagnostic, RiseError, did_you_mean, quoted
from rise.hardware.architectures import ARCHITECTURES, Architecture
from rise.records import dataclass

MIB: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Device:
    """A GPU, with the numbers that formulas for tiles and bounds on times need. Records with the same numbers are
    equal.

    - `arch`: the architecture to build for.
    - `multiprocessors`: the number of enabled ones. `clock`: the maximum (boost) clock, in cycles per second.
    - `l2`: bytes. `memory_bandwidth`: bytes per second. `l2_load`: bytes that all multiprocessors together can load
      from L2 in a cycle; `l1_load`: bytes that one can load from L1 or shared memory.
    - `multiply_adds`: multiply-adds of f32 that one multiprocessor executes in a cycle, without tensor cores.
    - `matrix_multiply_adds`: dense multiply-adds of f16 that the tensor cores of one multiprocessor execute in a cycle.
    - `memory_latency`, `l2_latency`, `shared_latency`: cycles until a load returns, if there are no other loads.
    - `sources`: field names, separated by spaces, and where the numbers come from.
    """

    name: str
    arch: str
    multiprocessors: int
    clock: float | None
    l2: int | None
    memory_bandwidth: float | None
    l2_load: int | None = None
    l1_load: int | None = None
    multiply_adds: int | None = None
    matrix_multiply_adds: int | None = None
    memory_latency: int | None = None
    l2_latency: int | None = None
    shared_latency: int | None = None
    sources: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)

    @property
    def architecture(self) -> Architecture:
        """The limits for its code."""
        return ARCHITECTURES[self.arch]

    def source_of(self, name: str) -> str:
        """The source of the number in a field; empty for None."""
        return next((source for names, source in self.sources if name in names.split()), "")


#: the fields that are numbers about the hardware, each of which has a source
DEVICE_NUMBERS: Final = tuple(
    one.name for one in fields(Device) if one.name not in ("name", "arch", "sources")
)
_AMPERE: Final = "NVIDIA A100 Tensor Core GPU Architecture (whitepaper), table of data center GPUs"
_HOPPER: Final = "NVIDIA H100 Tensor Core GPU Architecture (whitepaper), table of H100 and A100"
_SHARED: Final = "CUDA Programming Guide: 32 banks of 4 bytes"

DEVICES: Final[Mapping[str, Device]] = {
    one.name: one
    for one in (
        Device(
            name="A100-SXM4-40GB",
            arch="sm_80",
            multiprocessors=108,
            clock=1.41e9,
            l2=40 * MIB,
            memory_bandwidth=1555e9,
            l2_load=5120,
            l1_load=128,
            multiply_adds=64,
            matrix_multiply_adds=1024,
            memory_latency=290,
            l2_latency=200,
            shared_latency=23,
            sources=(
                ("multiprocessors clock l2 memory_bandwidth multiply_adds", _AMPERE),
                ("l2_load", "NVIDIA A100 Tensor Core GPU Architecture (whitepaper): 5120 bytes per clock"),
                (
                    "matrix_multiply_adds",
                    "NVIDIA A100 Tensor Core GPU Architecture (whitepaper): 4 tensor cores, 256 each per clock",
                ),
                (
                    "memory_latency l2_latency shared_latency",
                    "Abdelkhalik et al., Demystifying the Nvidia Ampere Architecture (HPEC 2022)",
                ),
                ("l1_load", _SHARED),
            ),
        ),
        Device(
            name="H100-SXM5-80GB",
            arch="sm_90a",
            multiprocessors=132,
            clock=None,
            l2=50 * MIB,
            memory_bandwidth=3350e9,
            l1_load=128,
            multiply_adds=128,
            sources=(
                ("multiprocessors l2 multiply_adds", _HOPPER),
                ("memory_bandwidth", "NVIDIA H100 data sheet"),
                ("l1_load", _SHARED),
            ),
        ),
        Device(
            name="H100-PCIe-80GB",
            arch="sm_90a",
            multiprocessors=114,
            clock=1.755e9,
            l2=50 * MIB,
            memory_bandwidth=2000e9,
            l1_load=128,
            multiply_adds=128,
            sources=(
                ("multiprocessors l2 multiply_adds", _HOPPER),
                ("clock", "the driver's highest clock, as reported in Chips and Cheese, Nvidia's H100"),
                ("memory_bandwidth", "NVIDIA H100 data sheet"),
                ("l1_load", _SHARED),
            ),
        ),
    )
}


def device(name: str) -> Device:
    """The GPU of this name. Raises RiseError for other names.

    >>> device("A100-SXM4-40GB").multiprocessors
    108
    """
    found = DEVICES.get(name)
    if found is not None:
        return found
    hint = did_you_mean(name, DEVICES) or f"there are {', '.join(DEVICES)}"
    raise RiseError(Diagnostic("unknown-device", f"expected a GPU, found {quoted(name)}", hint=hint))
