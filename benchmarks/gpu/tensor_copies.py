"""Copies of tensors by maps (`cp.async.bulk.tensor`), compared between a device and the simulator.

A kernel for each row of the table: a load copies four boxes, some of them partly outside of the tensor, to shared
memory; a store or a reduction changes the tensor. The map is a parameter, which the driver encodes for a device.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from benchmarks.gpu.comparison import Golden
from benchmarks.gpu.instructions import family_of, key_of, left_out, rows
from shine.simulator import build, im2col_map, tensor_map
from shine.simulator.ptx_rows import Instruction
from shine.simulator.tensor_maps import MAP_BYTES, TensorMap
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.driver import DEFAULT_STREAM, Driver

LANES: Final = 32
BOXES: Final = 4
#: the words of a tensor and of a box, from the innermost dimension; of pixels: channels, space, images
_SIZES: Final = (16, 5, 4, 3, 2)
_BOX: Final = (8, 3, 2, 2, 1)
_PLACES: Final = ((0, 0, 0, 0, 0), (4, 1, 1, 1, 0), (-4, 3, -1, 1, 1), (12, -2, 3, 2, 1))
_CHANNELS, _PIXELS = 8, 16
_OFFSETS: Final = ((0, 0, 0), (1, 0, 2), (2, 1, 1), (0, 2, 0))
_SWIZZLE: Final = 32  # bytes, of boxes with several rows
#: the driver's numbers
_UNSIGNED_32, _SWIZZLES = 2, (0, 32, 64, 128)
#: runs probes; what each leaves, as words of 32 bits
Run: TypeAlias = Callable[[Sequence["TensorProbe"]], list[Any]]
AT_ONCE: Final = 40  # kernels of a text


@dataclass(frozen=True, slots=True)
class TensorProbe:
    """The body of a kernel for a row of the table, with `rank` dimensions; `has_pixels` if it copies those."""

    key: str
    family: str
    body: str
    rank: int
    has_pixels: bool

    @property
    def words(self) -> int:
        """The words of a box."""
        return _CHANNELS * _PIXELS if self.has_pixels else prod(_BOX[: self.rank])

    def tensor(self) -> Any:
        """The tensor before the copies."""
        shape = tuple(reversed(_SIZES[: self.rank]))
        return np.random.default_rng(29).integers(0, 2**32, shape).astype(np.uint32)

    def map(self, tensor: Any) -> TensorMap:
        """The map of the tensor."""
        if self.has_pixels:
            corner = (-1,) * (self.rank - 2)
            return im2col_map(tensor, _CHANNELS, _PIXELS, corner, corner)
        return tensor_map(tensor, _BOX[: self.rank], swizzle=_SWIZZLE if self.rank > 1 else 0)


@cache
def tensor_probes() -> tuple[TensorProbe, ...]:
    """A kernel for each row that copies boxes or pixels in one block."""
    found = [one for one in rows() if "tensor" in family_of(one.mnemonic) and not left_out(one)]
    return tuple(map(_probe, found))


def _probe(row: Instruction) -> TensorProbe:
    rank = int(re.findall(r"\.(\d)d\.", row.mnemonic)[0])
    has_pixels = ".im2col" in row.mnemonic
    empty = TensorProbe(key_of(row), family_of(row.mnemonic), "", rank, has_pixels)
    is_load = row.operands[0] == "[shared]"
    loads = [_load(row, empty, number) for number in range(BOXES)] if is_load else [_store(row, empty)]
    body = "\n  ".join(
        (
            f"const int lane = threadIdx.x; __shared__ __align__(1024) unsigned box[{empty.words}];",
            "__shared__ unsigned long long barrier;",
            "const unsigned at = (unsigned)__cvta_generic_to_shared(box);",
            "const unsigned waited = (unsigned)__cvta_generic_to_shared(&barrier);",
            'if (lane == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.proxy.async;"'
            ' :: "r"(waited) : "memory");',
            "__syncwarp();",
            *loads,
        )
    )
    return replace(empty, body=body)


def tensor_batches() -> list[tuple[TensorProbe, ...]]:
    """The probes, in batches of this size."""
    has = tensor_probes()
    return [has[start : start + AT_ONCE] for start in range(0, len(has), AT_ONCE)]


def source(batch: Sequence[TensorProbe]) -> str:
    """The source of a kernel for each probe of a batch."""
    kernels = (
        f'// {one.key}\nextern "C" __global__ void copies_{number}(const __grid_constant__ CUtensorMap map, '
        f"unsigned* out) {{\n  {one.body}\n}}\n"
        for number, one in enumerate(batch)
    )
    return "#include <cuda.h>\n" + "".join(kernels)


def _statement(row: Instruction, number: int) -> str:
    """The copy to or from the box of a number, by one thread."""
    inputs: list[str] = []

    def given(letter: str, value: str) -> str:
        inputs.append(f'"{letter}"({value})')
        return f"%{len(inputs) - 1}"

    texts, has_box = [], False
    for one in row.operands:
        name, _, times = one.partition("*")
        if name == "[tensor]":
            places = ", ".join(given("r", str(_PLACES[number][axis])) for axis in range(int(times)))
            texts.append(f"[{given('l', '&map')}, {{{places}}}]")
        elif name == "[shared]":
            texts.append(f"[{given('r', 'waited' if has_box else 'at')}]")
            has_box = True
        else:
            offsets = _OFFSETS[number][: int(times)]
            texts.append(f"{{{', '.join(given('h', f'(unsigned short){offset}') for offset in offsets)}}}")
    # Without a state space, the shared window of the block is meant.
    mnemonic = re.sub(r"\.shared(?!::)", ".shared::cta", row.mnemonic)
    return f'asm volatile("{mnemonic} {", ".join(texts)};" :: {", ".join(inputs)} : "memory");'


def _load(row: Instruction, its: TensorProbe, number: int) -> str:
    lines = (
        'if (lane == 0) asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], '
        f'{4 * its.words}; }}" :: "r"(waited) : "memory");',
        f"if (lane == 0) {_statement(row, number)}",
        'asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], '
        f'{number % 2}; @!p bra L; }}" :: "r"(waited) : "memory");',
        f"for (int i = lane; i < {its.words}; i += {LANES}) out[{number * its.words} + i] = box[i];",
        'asm volatile("fence.proxy.async;" ::: "memory");',
        "__syncwarp();",
    )
    return "\n  ".join(lines)


def _store(row: Instruction, its: TensorProbe) -> str:
    lines = (
        f"for (int i = lane; i < {its.words}; i += {LANES}) box[i] = out[i];",
        'asm volatile("fence.proxy.async;" ::: "memory");',
        "__syncwarp();",
        f"if (lane == 0) {_statement(row, 2)}",
        'asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");',
    )
    return "\n  ".join(lines)


def _out(its: TensorProbe) -> Any:
    return np.random.default_rng(31).integers(0, 2**32, BOXES * its.words).astype(np.uint32)


def in_simulator(check: bool = False, cache: Path | None = None) -> Run:
    """Runs probes in the simulator. Raises AssertionError for a finding."""

    def run(batch: Sequence[TensorProbe]) -> list[Any]:
        program = build(source(batch), check, cache=cache)
        found = []
        for number, its in enumerate(batch):
            tensor, out = its.tensor(), _out(its)
            report = program.launch(f"copies_{number}", 1, LANES, [its.map(tensor), out])
            assert report.findings == (), f"{its.key}: {report}"
            found.append(np.concatenate([out, tensor.reshape(-1)]))
        return found

    return run


def on_device(driver: Driver, arch: str, library: Any) -> Run:
    """Runs probes on a device; `library` is NVIDIA's driver, which encodes maps."""

    def run(batch: Sequence[TensorProbe]) -> list[Any]:
        names = [f"copies_{number}" for number in range(len(batch))]
        image = compile_text(source(batch), arch, names).image
        with driver.current("tensors were copied"):
            module = driver.load(image)
            return [
                _launched(driver, driver.function(module, name), library, its)
                for name, its in zip(names, batch, strict=True)
            ]

    return run


def _launched(driver: Driver, function: Any, library: Any, its: TensorProbe) -> Any:
    """The words that a probe leaves on a device."""
    tensor, out = its.tensor(), _out(its)
    places = [driver.allocate(one.nbytes) for one in (tensor, out)]
    try:
        for place, one in zip(places, (tensor, out), strict=True):
            driver.upload(int(place), one, DEFAULT_STREAM)
        packed = encoded(library, its.map(tensor), int(places[0])) + int(places[1]).to_bytes(8, "little")
        driver.launch(function, (1, 1, 1), (LANES, 1, 1), 0, packed, DEFAULT_STREAM)
        for place, one in zip(places, (tensor, out), strict=True):
            driver.download(one, int(place), DEFAULT_STREAM)
        driver.synchronize(DEFAULT_STREAM)
    finally:
        for place in places:
            driver.free(place)
    return np.concatenate([out, tensor.reshape(-1)])


def encoded(library: Any, its: TensorMap, address: int) -> bytes:
    """A map of a tensor of unsigned words at an address of a device, by NVIDIA's driver. Raises RuntimeError if the
    driver refuses it.
    """
    rank = len(its.sizes)

    def numbers(kind: Any, values: Sequence[int]) -> Any:
        return (kind * max(1, len(values)))(*values)

    u32, u64, i32 = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int
    aligned = ctypes.create_string_buffer(MAP_BYTES + 64)
    start = -ctypes.addressof(aligned) % 64  # maps are aligned to 64 bytes
    made = ctypes.addressof(aligned) + start
    first = (
        i32(_UNSIGNED_32),
        u32(rank),
        ctypes.c_void_p(address),
        numbers(u64, its.sizes),
        numbers(u64, its.strides),
    )
    # No interleaving; neither promotion in the second cache, nor NaNs outside.
    last = (numbers(u32, its.element_strides), i32(0), i32(_SWIZZLES.index(its.swizzle)), i32(0), i32(0))
    if its.corners is None:
        name, middle = "cuTensorMapEncodeTiled", (numbers(u32, its.box),)
    else:
        lower, upper = zip(*its.corners, strict=True)
        name = "cuTensorMapEncodeIm2col"
        middle = (numbers(i32, lower), numbers(i32, upper), u32(its.box[0]), u32(its.box[1]))
    status = getattr(library, name)(ctypes.c_void_p(made), *first, *middle, *last)
    if status:
        raise RuntimeError(f"{name} failed with the status {status}")
    return aligned.raw[start : start + MAP_BYTES]


def compare_tensors(batch: Sequence[TensorProbe], device: Run, simulator: Run, golden: Golden) -> list[str]:
    """One line for each row whose words differ. Results that agree are added to `golden`; others are removed."""
    said = []
    for one, found, expected in zip(batch, device(batch), simulator(batch), strict=True):
        golden.rows.pop(one.key, None)
        wrong = np.flatnonzero(found != expected)
        if wrong.size:
            at = int(wrong[0])
            said.append(
                f"{one.key}: {wrong.size} words differ, the first is word {at}: the device has {int(found[at]):#010x}, "
                f"the simulator {int(expected[at]):#010x}"
            )
        else:
            golden.rows[one.key] = digest_of(found)
    return said


def digest_of(words: Any) -> str:
    """The stored form of results."""
    return hashlib.sha256(words.tobytes()).hexdigest()[:16]
