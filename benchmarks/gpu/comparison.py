"""Compares PTX instructions on a device with the simulator, and stores the results of the device. Independent of the
set of instructions.

`tests/data/instructions.json` has for each instruction what a device computed: a digest of the bits, or the bits where
results may differ within a tolerance. Tests compare it with the simulator, without a device.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from benchmarks.gpu.instruction_operands import BLOCKS, operand_words
from benchmarks.gpu.instructions import (
    NO_RESULT,
    Probe,
    family_of,
    key_of,
    left_out,
    probes,
    rows,
    source,
    words_of,
)
from benchmarks.gpu.probe import kernel_of, parameter
from rise.hardware import architecture
from rise.naturals import const
from rise.types import ArrayType, ScalarType
from shine.imperative.nodes import Block, Procedure
from shine.kernel import Kernel
from shine.targets import TARGETS
from shine.targets.cuda.module import CudaKernel, CudaModule, PointerArgument
from shine.targets.cuda.simulation import simulate

GOLDEN: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "instructions.json"
AT_ONCE: Final = 120  # kernels of a text
LARGE_AT_ONCE: Final = 24  # of those that need an architecture of their own, which have up to 128 results
MOST_SAID: Final = 3  # differences of one instruction that are listed
#: runs a module: its result from its input
Run: TypeAlias = Callable[[CudaModule, Procedure], Kernel]
Results: TypeAlias = Mapping[str, str]

#: for each kind of word: the type of its numbers, and the type of the bits of one
_NUMBERS: Final = {
    "f32": (np.float32, np.uint32),
    "f64": (np.float64, np.uint64),
    "f16": (np.float16, np.uint16),
}


@dataclass(slots=True)
class Golden:
    """What a device computed: `rows` by the keys of probes. `operands` is a digest of what the lanes read."""

    device: str = ""
    operands: str = ""
    rows: dict[str, str] = field(default_factory=dict)

    @property
    def is_current(self) -> bool:
        """Whether lanes still read the same operands."""
        return self.operands == operands_digest()


def batches(capability: int) -> list[tuple[Probe, ...]]:
    """The probes of an architecture, in the order of the table, in batches of this size."""
    has = [one for one in probes() if one.since <= capability]
    everywhere = [one for one in has if not one.arch]
    only_here = [
        one for one in has if one.arch and architecture(one.arch).capability == divmod(capability, 10)
    ]
    return [
        tuple(those[start : start + count])
        for those, count in ((everywhere, AT_ONCE), (only_here, LARGE_AT_ONCE))
        for start in range(0, len(those), count)
    ]


def arch_of(batch: Sequence[Probe], arch: str) -> str:
    """The architecture for which a batch is compiled: the device's, or the only one that has its instructions."""
    return next((one.arch for one in batch if one.arch), arch)


def module_of(batch: Sequence[Probe]) -> tuple[CudaModule, Procedure]:
    """A module with the kernels of a batch, from the words that lanes read to the results of all."""
    given = parameter("in", ArrayType(const(operand_words().size), ScalarType("u64")), operand_words().size)
    count = BLOCKS * sum(one.lanes * words_of(one) for one in batch)
    output = parameter("output", ArrayType(const(count), ScalarType("u64")), count)
    arguments = (PointerArgument(given.buffers[0], False), PointerArgument(output.buffers[0], True))
    grid = (const(BLOCKS), const(1), const(1))
    kernels = tuple(
        CudaKernel(f"probe_{number}", grid, (one.lanes, 1, 1), arguments) for number, one in enumerate(batch)
    )
    text = source(batch)
    module = CudaModule(text, (None,) * len(text.splitlines()), kernels)
    return module, Procedure("instructions", (), (given,), output, Block(()))


def on_device(arch: str, device: int = 0) -> Run:
    """Runs modules on a device."""
    return lambda module, procedure: kernel_of(module, procedure, arch, device)


def in_simulator(arch: str, check: bool = False, cache: str | None = None) -> Run:
    """Runs modules in the simulator. Raises a RiseError for a finding."""
    options = {"schedule": "ascending", "seconds": 60.0, "cache": cache, "cxx": None, "check": check}

    def run(module: CudaModule, procedure: Procedure) -> Kernel:
        executable = simulate(module, procedure, architecture(arch), options)
        return Kernel(procedure, replace(TARGETS["cuda"], passes=(), build=lambda _p, _o: executable), {})

    return run


def results(batch: Sequence[Probe], run: Run) -> dict[str, Any]:
    """The words of each lane of each block, for each probe: an array of shape BLOCKS, lanes, words."""
    module, procedure = module_of(batch)
    found = np.asarray(run(module, procedure)(operand_words().reshape(-1)))
    parts: dict[str, Any] = {}
    start = 0
    for one in batch:
        count = BLOCKS * one.lanes * words_of(one)
        words = found[start : start + count].reshape(BLOCKS, one.lanes, -1)
        parts[one.key] = words[..., : len(one.kinds)]
        start += count
    return parts


def compare(batch: Sequence[Probe], device: Run, simulator: Run, golden: Golden) -> list[str]:
    """One line for each difference. Results that agree are added to `golden`; others are removed from it."""
    found, expected = results(batch, device), results(batch, simulator)
    said: list[str] = []
    for one in batch:
        wrong = list(differences(one, found[one.key], expected[one.key]))
        said += wrong[:MOST_SAID]
        said += [f"{one.key}: and {len(wrong) - MOST_SAID} more"] if len(wrong) > MOST_SAID else []
        golden.rows.pop(one.key, None)
        if not wrong:
            golden.rows[one.key] = kept(one, found[one.key])
    return said


def differences(one: Probe, found: Any, expected: Any) -> Iterator[str]:
    """Where a device differs from the simulator: the instruction, block, lane, word, and both's bits."""
    for block, lane, word in zip(*np.nonzero(~agree(one, found, expected)), strict=True):
        at = (block, lane, word)
        yield (
            f"{one.key}: block {block}, lane {lane}, word {word}: the device has "
            f"{int(found[at]):#018x}, the simulator {int(expected[at]):#018x}"
        )


def agree(one: Probe, found: Any, expected: Any) -> Any:
    """Whether each word agrees: NaNs agree with each other, numbers within the tolerance, other words if all bits are
    equal.
    """
    same = canonical(one, found) == canonical(one, expected)
    for word, kind in enumerate(one.kinds):
        if one.tolerance and kind in _NUMBERS:
            ours, theirs = (
                _numbers(kind, words[..., word]).astype(np.float64) for words in (found, expected)
            )
            with np.errstate(invalid="ignore", over="ignore"):
                near = np.abs(ours - theirs) <= one.tolerance * np.maximum(1, np.abs(theirs))
            same[..., word] |= near.all(axis=-1)
    return same


def canonical(one: Probe, words: Any) -> Any:
    """The words, with one bit pattern for all NaNs: the PTX ISA does not specify the bits of a computed NaN."""
    changed = np.array(words, np.uint64)
    for word, kind in enumerate(one.kinds):
        if kind == "bits":
            continue
        bits = np.ascontiguousarray(changed[..., word, None]).view(
            np.uint16 if kind == "bf16" else _NUMBERS[kind][1]
        )
        is_nan = bits & 0x7FFF > 0x7F80 if kind == "bf16" else np.isnan(_numbers(kind, changed[..., word]))
        bits[is_nan] = ~bits.dtype.type(0)
        changed[..., word] = bits.view(np.uint64)[..., 0]
    return changed


def _numbers(kind: str, words: Any) -> Any:
    """The numbers in words, along a new last axis."""
    return np.ascontiguousarray(words[..., None]).view(_NUMBERS[kind][0])


def kept(one: Probe, words: Any) -> str:
    """The stored form of results: a digest of the bits, or all bits if there is a tolerance."""
    data = canonical(one, words)
    return data.tobytes().hex() if one.tolerance else hashlib.sha256(data.tobytes()).hexdigest()[:16]


def is_kept(one: Probe, words: Any, text: str) -> bool:
    """Whether results agree with the stored results of a device."""
    if not one.tolerance:
        return kept(one, words) == text
    return bool(agree(one, np.frombuffer(bytes.fromhex(text), np.uint64).reshape(words.shape), words).all())


def operands_digest() -> str:
    """A digest of what lanes read."""
    return hashlib.sha256(operand_words().tobytes()).hexdigest()[:16]


def read_golden(path: Path = GOLDEN) -> Golden:
    """The stored results; empty if there is no file."""
    if not path.is_file():
        return Golden(operands=operands_digest())
    content = json.loads(path.read_text(encoding="utf-8"))
    return Golden(content["device"], content["operands"], content["rows"])


def write_golden(golden: Golden, path: Path = GOLDEN) -> None:
    """Keep results. Those of other operands than today's must not be among them."""
    assert golden.is_current, "results of other operands are no results of these"
    content = {
        "device": golden.device,
        "operands": golden.operands,
        "rows": dict(sorted(golden.rows.items())),
    }
    path.write_text(json.dumps(content, indent=0) + "\n", encoding="utf-8")


def unvalidated(golden: Golden) -> dict[str, str]:
    """The families with an instruction that was never compared, each with the reason why it has no kernel, or "". If
    other instructions of a family have results, those without a kernel do not count.
    """
    known = golden.rows if golden.is_current else {}
    with_results = {one.family for one in probes()} | {"cp.async.bulk.tensor", "cp.async.bulk.tensor.im2col"}
    missing: dict[str, str] = {}
    for one in rows():
        family, why = family_of(one.mnemonic), left_out(one)
        if key_of(one) not in known and not (why == NO_RESULT and family in with_results):
            missing.setdefault(family, why)
    return {family: missing[family] for family in sorted(missing)}
