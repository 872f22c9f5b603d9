"""Kernels by hand for the plans of the listings: they are right, and derived kernels do not do more than they."""

import numpy as np
import pytest

from benchmarks.fireiron import BY_HAND, HandWritten, machine_codes, more, profiles
from tests import required_tools
from tests.examples import some


@pytest.mark.parametrize("kernel", some(BY_HAND, 2), ids=lambda kernel: kernel.name)
def test_a_kernel_by_hand_computes_products_without_findings(kernel: HandWritten) -> None:
    sizes = (kernel.tile, 2 * kernel.tile, min(kernel.sizes[-1], 32))
    result, report = kernel.run(sizes, check=True)
    a, b = (factor.astype(np.float32) for factor in kernel.factors(sizes))
    np.testing.assert_array_equal(result, (a.T if kernel.by_columns else a) @ b)
    assert not report.findings


@pytest.mark.parametrize("kernel", some(BY_HAND, 5), ids=lambda kernel: kernel.name)
def test_a_derived_kernel_does_not_do_more_than_the_one_by_hand(kernel: HandWritten) -> None:
    """Both compute the product of the comparison, and `profiles` compares their results with numpy's."""
    assert more(*profiles(kernel)) == []


@required_tools.needs(required_tools.CUDA_COMPILER, required_tools.has_cuda_compiler())
@required_tools.needs(required_tools.DISASSEMBLER, required_tools.has_disassembler())
@pytest.mark.parametrize("kernel", some(BY_HAND, 5), ids=lambda kernel: kernel.name)
def test_a_derived_kernel_has_no_more_machine_code_than_the_one_by_hand(kernel: HandWritten) -> None:
    """Instructions, and the registers that a thread is given."""
    assert more(*machine_codes(kernel)) == []
