"""The kernels of PTX instructions for `make gpu`: which exist, and that a compiler accepts them."""

from __future__ import annotations

import numpy as np

from benchmarks.gpu.comparison import in_simulator, results
from benchmarks.gpu.instruction_operands import BLOCKS
from benchmarks.gpu.instructions import family_of, left_out, probes, rows, source
from benchmarks.gpu.tensor_copies import tensor_probes
from shine.simulator.ptx import instructions
from shine.targets.cuda.compiler import compile_text
from tests import required_tools
from tests.examples import in_whole

BY_KEY = {one.key: one for one in (*probes(), *tensor_probes())}


def test_every_instruction_has_a_kernel_or_a_reason() -> None:
    for one in rows():
        assert (left_out(one) != "") == (" ".join((one.mnemonic, *one.operands)) not in BY_KEY), one
    tried = {one.family for one in BY_KEY.values()}
    assert {family_of(one.mnemonic) for one in rows()} == {family_of(name) for name in instructions()}
    assert len(BY_KEY) == len(probes()) + len(tensor_probes()) > 2000 and len(tried) > 60


def test_blocks_have_descriptors_of_all_swizzles() -> None:
    """Each gives other results, and those of the second product differ from those of the first."""
    one = next(one for one in probes() if "m64n16k8" in one.key and "b64 b64" in one.key)
    assert one.lanes == 128 and one.body.count(f"{one.key.split()[0]} ") == 2
    found = results((one,), in_simulator(one.arch, check=True))[one.key]
    assert len({block.tobytes() for block in found}) == BLOCKS == 4
    numbers = found.astype(np.uint32).view(np.float32)
    assert (
        (numbers == numbers.round()).all()
        and (numbers != 0).mean() > 0.9
        and abs(numbers).max() <= 2 * 8 * 16
    )


@in_whole("tests/simulator/test_tensor_probes.py::test_a_compiler_accepts_the_kernels")
def test_a_compiler_accepts_the_kernels() -> None:
    if not required_tools.has_cuda_compiler():
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    everywhere, only_here = (
        [one for one in probes() if bool(one.arch) == has_arch] for has_arch in (False, True)
    )
    for batch, arch in ((everywhere[::10], "sm_90"), (only_here[::80], only_here[0].arch)):
        assert compile_text(source(batch), arch, [f"probe_{number}" for number in range(len(batch))]).image
