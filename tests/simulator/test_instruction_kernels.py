"""The kernels of PTX instructions for `make gpu`: which exist, and that a compiler accepts them."""

from __future__ import annotations

from benchmarks.gpu.instructions import family_of, left_out, probes, rows, source
from shine.simulator.ptx import instructions
from shine.targets.cuda.compiler import compile_text
from tests import required_tools

BY_KEY = {one.key: one for one in probes()}


def test_every_instruction_has_a_kernel_or_a_reason() -> None:
    for one in rows():
        assert (left_out(one) != "") == (" ".join((one.mnemonic, *one.operands)) not in BY_KEY), one
    tried = {one.family for one in probes()}
    assert {family_of(one.mnemonic) for one in rows()} == {family_of(name) for name in instructions()}
    assert len(BY_KEY) == len(probes()) > 1000 and len(tried) > 60


def test_a_compiler_accepts_the_kernels() -> None:
    if not required_tools.has_cuda_compiler():
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    batch = probes()[::10]
    assert compile_text(source(batch), "sm_90", [f"probe_{number}" for number in range(len(batch))]).image
