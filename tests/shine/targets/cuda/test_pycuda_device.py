"""On a device: the launch path, and arrays of the libraries that are installed. Run by `pytest -m gpu`."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from benchmarks.gpu.probe import kernel_of, probe
from rise.diagnostics import RiseError
from shine.kernel import Kernel
from shine.targets.cuda.device_arrays import upload
from shine.targets.cuda.loader import device_arch, open_driver
from tests import required_tools
from tests.shine.procedures import axpy
from tests.shine.targets.cuda.pycuda_stub import axpy_module

pytestmark = pytest.mark.gpu
TEXT = """extern "C" __global__ void axpy(float alpha, const float* x, const float* y, float* output, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = alpha * x[i] + y[i];
}
"""
X = np.arange(1000, dtype=np.float32)


@pytest.fixture(scope="module", autouse=True)
def _device() -> None:
    try:
        open_driver()
    except RiseError:
        required_tools.skip_without(required_tools.DEVICE)


@pytest.fixture(scope="module")
def k() -> Kernel:
    """`axpy`, compiled for the device."""
    p = axpy()
    return kernel_of(replace(axpy_module(p), source=TEXT, origins=(None,) * 4), p, device_arch())


def library(name: str) -> Any:
    if importlib.util.find_spec(name) is None:
        required_tools.skip_without(name)
    return importlib.import_module(name)


def test_the_probe_finds_no_errors() -> None:
    assert probe(device_arch()) == []


def test_arrays_in_host_memory(k: Kernel) -> None:
    assert (k(2, X, X) == 3 * X).all() and k(2, X[:0], X[:0]).shape == (0,)
    assert k.time(2, X, X).median > 0


def test_our_arrays(k: Kernel) -> None:
    x = upload(open_driver(), X)
    assert (k(1, k(2, x, x), x).numpy() == 4 * X).all()


def test_tensors_on_streams(k: Kernel) -> None:
    torch = library("torch")
    x = torch.arange(1000, dtype=torch.float32, device="cuda")
    for stream in (torch.cuda.default_stream(), torch.cuda.Stream()):
        stream.wait_stream(torch.cuda.default_stream())
        with torch.cuda.stream(stream):
            out = torch.full((1000,), float("nan"), device="cuda")
            for _ in range(20):
                y = k(2, x * 1, x * 1)
                assert k(1, y * 1, x, out=out) is out
            total = (out - 4 * x).abs().sum()
        assert isinstance(y, torch.Tensor) and y.is_cuda and float(total) == 0
    assert (k(2, x[1:], x[1:]) == 3 * x[1:]).all()  # not aligned
    with pytest.raises(RiseError, match="rows do not lie"):
        k(2, x[::2], x[::2])
    with pytest.raises(RiseError, match="in host memory"):
        k(2, x, X)


def test_arrays_of_cupy(k: Kernel) -> None:
    cupy = library("cupy")
    x = cupy.arange(1000, dtype=cupy.float32)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        y = k(2, x, x)
        stream.synchronize()
    assert isinstance(y, cupy.ndarray) and bool((y == 3 * x).all())
