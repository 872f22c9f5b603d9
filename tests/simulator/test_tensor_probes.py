"""Copies of tensors for `make gpu`: kernels, the maps that NVIDIA's driver would encode, comparisons. A driver in host
memory, which runs kernels in the simulator, is in the place of a device.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.gpu import __main__ as program
from benchmarks.gpu import tensor_copies
from benchmarks.gpu.comparison import Golden
from benchmarks.gpu.tensor_copies import (
    AT_ONCE,
    TensorProbe,
    compare_tensors,
    digest_of,
    encoded,
    in_simulator,
    on_device,
    source,
    tensor_batches,
    tensor_probes,
)
from shine.simulator import im2col_map, tensor_map
from shine.targets.cuda.compiler import compile_text
from tests import required_tools
from tests.shine.targets.cuda.pycuda_stub import StubDriver

#: one of each kind: a load, a store, a reduction, pixels
KINDS = (
    "3d.shared::cluster.global.mbarrier",
    "2d.global.shared.bulk_group",
    "2d.global.shared.add.bulk",
    "4d.shared::cluster.global.im2col.m",
    "3d.global.shared.max.im2col_no_offs",
)
SAMPLE = tuple(next(one for one in tensor_probes() if kind in one.key) for kind in KINDS)


class Library:
    """NVIDIA's driver: it keeps what it was given, and the bytes of a map begin with the address."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.status = 0

    def _call(self, *given: Any) -> int:
        self.calls.append(tuple(list(one) if isinstance(one, ctypes.Array) else one.value for one in given))
        assert given[0].value % 64 == 0
        ctypes.memmove(given[0].value, ctypes.byref(given[3]), 8)
        return self.status

    def cuTensorMapEncodeTiled(self, *given: Any) -> int:
        return self._call(*given)

    def cuTensorMapEncodeIm2col(self, *given: Any) -> int:
        return self._call(*given)


def device(some: tuple[TensorProbe, ...], flips: int | None = None) -> tuple[StubDriver, Library]:
    """A driver whose kernels run in the simulator; with `flips`, one bit of this word of the results is wrong."""
    driver = StubDriver()

    def kernel(number: int) -> Any:
        def run(packed: bytes, grid: Any, block: Any) -> None:
            assert grid == (1, 1, 1) and block == (tensor_copies.LANES, 1, 1) and len(packed) == 136
            tensor_at, out_at = (int.from_bytes(packed[at : at + 8], "little") for at in (0, 128))
            (words,) = in_simulator()(some[number : number + 1])
            if flips is not None:
                words[flips] ^= 1
            count = 4 * some[number].words
            out, tensor = np.ascontiguousarray(words[:count]), np.ascontiguousarray(words[count:])
            ctypes.memmove(out_at, out.ctypes.data, out.nbytes)
            ctypes.memmove(tensor_at, tensor.ctypes.data, tensor.nbytes)

        return run

    driver.kernels = {f"copies_{number}": kernel(number) for number in range(len(some))}
    return driver, Library()


def test_kernels_have_no_findings_and_copy_something(cache: Path) -> None:
    results = in_simulator(check=True, cache=cache)(SAMPLE)
    for one, words in zip(SAMPLE, results, strict=True):
        before = np.concatenate([tensor_copies._out(one), one.tensor().reshape(-1)])
        changed = words != before
        is_load = "shared::cluster.global" in one.key
        assert changed[: 4 * one.words].any() == is_load and changed[4 * one.words :].any() != is_load
        if is_load and not one.has_pixels:
            assert (words[: 4 * one.words] == 0).any()  # boxes that are partly outside


def test_a_compiler_accepts_the_kernels() -> None:
    if not required_tools.has_cuda_compiler():
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    some = tensor_probes()[::3]
    assert compile_text(source(some), "sm_90", [f"copies_{number}" for number in range(len(some))]).image
    assert max(map(len, tensor_batches())) <= AT_ONCE and sum(map(len, tensor_batches())) == len(
        tensor_probes()
    )


def test_maps_are_encoded_by_the_driver() -> None:
    library = Library()
    x = np.zeros((3, 5, 32), np.uint32)
    assert encoded(library, tensor_map(x, (8, 2, 1), swizzle=32, element_strides=(1, 2, 1)), 4096)[:8] == (
        4096
    ).to_bytes(8, "little")
    address, kind, rank, start, *rest = library.calls.pop()
    assert address and (kind, rank, start) == (2, 3, 4096)
    assert rest == [[32, 5, 3], [128, 640], [8, 2, 1], [1, 2, 1], 0, 1, 0, 0]
    y = np.zeros((2, 6, 7, 16), np.uint32)
    encoded(library, im2col_map(y, 8, 16, (-1, -2), (1, 0)), 8192)
    _, kind, rank, start, *rest = library.calls.pop()
    assert (kind, rank, start) == (2, 4, 8192)
    assert rest == [[16, 7, 6, 2], [64, 448, 2688], [-1, -2], [1, 0], 8, 16, [1, 1, 1, 1], 0, 0, 0, 0]
    library.status = 1
    with pytest.raises(RuntimeError, match="cuTensorMapEncodeTiled failed with the status 1"):
        encoded(library, tensor_map(x, (8, 2, 1)), 0)


def test_a_device_that_agrees_is_kept_and_a_wrong_bit_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor_copies, "compile_text", lambda *_: type("Image", (), {"image": b""}))
    some = (SAMPLE[0], SAMPLE[2])
    golden = Golden("a device")
    driver, library = device(some)
    assert compare_tensors(some, on_device(driver, "sm_90", library), in_simulator(), golden) == []
    assert golden.rows == {
        one.key: digest_of(words) for one, words in zip(some, in_simulator()(some), strict=True)
    }
    assert driver.memory == {} and len(library.calls) == 2
    driver, library = device(some, flips=5)
    said = compare_tensors(some, on_device(driver, "sm_90", library), in_simulator(), golden)
    assert [line.split(":")[0] for line in said] == [
        one.key.split(":")[0] for one in some
    ] and golden.rows == {}
    assert "1 words differ, the first is word 5: the device has 0x" in said[0]


def test_make_gpu_copies_tensors(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    some = SAMPLE[:2]
    driver, library = device(some)
    monkeypatch.setattr(tensor_copies, "compile_text", lambda *_: type("Image", (), {"image": b""}))
    monkeypatch.setattr(tensor_copies, "tensor_batches", lambda: [some])
    monkeypatch.setattr(program.libcuda, "load", lambda: library)
    session = program.Session(0.0, "")
    program.copy_tensors(session, driver, "sm_90", float("inf"))
    assert session.golden.rows.keys() == {one.key for one in some} and session.wrong == {}

    def absent() -> Any:
        raise OSError("libcuda.so.1: cannot open")

    monkeypatch.setattr(program.libcuda, "load", absent)
    late = program.Session(0.0, "")
    program.copy_tensors(late, driver, "sm_90", float("inf"))
    assert late.skipped == {"copies of tensors": "libcuda.so.1: cannot open"}
    assert "skip   copies of tensors" in capsys.readouterr().out
