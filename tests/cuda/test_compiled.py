"""Derived kernels compile for every architecture that they are printed for, without spills.

Skipped without a CUDA compiler; tests of machine code are skipped without nvdisasm.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from rise.diagnostics import RiseError
from rise.hardware import ARCHITECTURES
from shine.targets.cuda import sass
from shine.targets.cuda.compiler import Cubin, compile_text
from shine.targets.cuda.printer import print_program
from tests import lacking
from tests.cuda.derived import ENTRIES, WMMA, Entry, at
from tests.cuda.running import compiled_at, gpu_program
from tests.examples import THOROUGH

CLAIMED: Final = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
#: the strategy's default tiles; only the product, so that only the factors are read
PLAIN: Final = Entry("gemm_plain", WMMA, {}, (at(M=256, N=256, K=64),), is_symbolic=False)


@pytest.fixture(scope="session")
def machine_code(cache: Path) -> Path:
    """The directory of machine code. Skips without a CUDA compiler."""
    if not lacking.has_cuda_compiler():
        lacking.without(lacking.CUDA_COMPILER)
    return cache


def compiled(entry: Entry, arch: str, cache: Path, wide: bool = False) -> Cubin:
    """The machine code of an entry. Spills and local memory are errors."""
    module = print_program(gpu_program(entry, compiled_at(entry)[0], arch), arch, wide)
    names = [kernel.name for kernel in module.kernels]
    return compile_text(module.source, arch, names, strict=True, origins=module.origins, cache=cache)


def tried(number: int, entry: Entry) -> tuple[str, ...]:
    """The architectures that an entry is compiled for: all, or one that changes by entry; and those that lack it."""
    if THOROUGH:
        return CLAIMED
    least = ARCHITECTURES[entry.since].capability
    older = [arch for arch in CLAIMED if ARCHITECTURES[arch].capability < least]
    known = CLAIMED[len(older) :]
    return *older, known[number % len(known)]


@pytest.mark.parametrize(
    ("entry", "arch"),
    [(entry, arch) for number, entry in enumerate([*ENTRIES, PLAIN]) for arch in tried(number, entry)],
    ids=str,
)
def test_it_compiles_without_spills(entry: Entry, arch: str, machine_code: Path) -> None:
    if ARCHITECTURES[arch].capability < ARCHITECTURES[entry.since].capability:
        with pytest.raises(RiseError) as error:
            compiled(entry, arch, machine_code)
        assert error.value.diagnostic.code == "no-instruction"
        return
    for taken in compiled(entry, arch, machine_code).resources.values():
        assert (taken.local, taken.spill_stores, taken.spill_loads) == (0, 0, 0)
        assert taken.registers <= ARCHITECTURES[arch].thread_registers


@pytest.mark.parametrize("entry", [one for one in ENTRIES if one.is_symbolic], ids=str)
def test_so_does_the_text_for_large_sizes(entry: Entry, machine_code: Path) -> None:
    """With 64-bit indices."""
    arch = max("sm_80", entry.since, key=lambda name: ARCHITECTURES[name].capability)
    assert compiled(entry, arch, machine_code, wide=True).image


def test_factors_move_sixteen_bytes_at_once(machine_code: Path) -> None:
    """From global memory and into shared memory, with the strategy's default tiles."""
    counts = counted(compiled(PLAIN, "sm_80", machine_code))
    assert set(sass.widths(counts, "LDG")) == {16}
    assert set(sass.widths(counts, "STS")) == {16}
    assert any(name.startswith("HMMA") for name in counts)


def counted(cubin: Cubin) -> Counter[str]:
    """The instructions of the only kernel. Skips without nvdisasm."""
    (name,) = cubin.resources
    try:
        return sass.instructions(cubin.image, name)
    except RiseError as reason:
        if reason.diagnostic.code != "no-disassembler":
            raise
        lacking.without(lacking.DISASSEMBLER)
