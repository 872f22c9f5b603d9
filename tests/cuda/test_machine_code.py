"""Derived kernels compile without spills for every architecture for which they are printed.

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
from tests import required_tools
from tests.cuda.compilation import compiled_together
from tests.cuda.entries import TRIED, WMMA, Entry, at
from tests.cuda.kernels import architecture_for, printed
from tests.examples import THOROUGH, in_whole, some

CLAIMED: Final = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
#: the strategy's default tiles; only the product, so that only the factors are read
PLAIN: Final = Entry("gemm_plain", WMMA, {}, (at(M=256, N=256, K=64),), is_symbolic=False)


@pytest.fixture(scope="session")
def machine_code(cache: Path) -> Path:
    """The directory of machine code. Skips without a CUDA compiler."""
    if not required_tools.has_cuda_compiler():
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    return cache


def tried(number: int, entry: Entry) -> tuple[str, ...]:
    """The architectures for which an entry is compiled: all that support it, or one of these, which differs between
    entries.
    """
    known = tuple(arch for arch in some(CLAIMED, 3) if is_known(entry, arch))
    return known if THOROUGH else (known[number % len(known)],)


def is_known(entry: Entry, arch: str) -> bool:
    """Whether an architecture has the instructions that an entry needs."""
    return ARCHITECTURES[arch].capability >= ARCHITECTURES[entry.since].capability


@pytest.mark.parametrize("arch", some(CLAIMED, 9))
def test_they_compile_without_spills(arch: str, machine_code: Path) -> None:
    entries = [one for number, one in enumerate([*TRIED, PLAIN]) if arch in tried(number, one)]
    cubin, owners = compiled_together([printed(entry, arch) for entry in entries], arch, machine_code)
    for name, taken in cubin.resources.items():
        entry = entries[owners[name]]
        assert (taken.local, taken.spill_stores, taken.spill_loads) == (0, 0, 0), entry
        assert taken.registers <= ARCHITECTURES[arch].thread_registers, entry


@pytest.mark.parametrize(
    ("entry", "arch"),
    [(entry, arch) for entry in TRIED for arch in CLAIMED if not is_known(entry, arch)],
    ids=str,
)
def test_instructions_that_an_architecture_lacks_are_not_printed(entry: Entry, arch: str) -> None:
    with pytest.raises(RiseError) as error:
        printed(entry, arch)
    assert error.value.diagnostic.code == "no-instruction"


@in_whole("test_they_compile_without_spills")
def test_texts_for_large_sizes_compile_without_spills(machine_code: Path) -> None:
    """With 64-bit indices."""
    symbolic = some([entry for entry in TRIED if entry.is_symbolic], 4)
    for arch in sorted({architecture_for(entry) for entry in symbolic}):
        modules = [printed(entry, arch, wide=True) for entry in symbolic if architecture_for(entry) == arch]
        assert compiled_together(modules, arch, machine_code)[0].image


def test_factors_are_copied_sixteen_bytes_at_a_time(machine_code: Path) -> None:
    """From global memory and into shared memory, with the strategy's default tiles."""
    module = printed(PLAIN, "sm_80")
    names = [kernel.name for kernel in module.kernels]
    cubin = compile_text(
        module.source, "sm_80", names, strict=True, origins=module.origins, cache=machine_code
    )
    counts = counted(cubin)
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
        required_tools.skip_without(required_tools.DISASSEMBLER)
