"""Arrays of other libraries on a device: used without a copy, checked, in the order of streams; results are returned.

`snapshots/device_arrays.txt` contains the messages; run this file as a program to rewrite them.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import pytest

from rise.diagnostics import RiseError
from rise.embedding.results import Counted
from rise.scalars import SCALARS
from shine.kernel import Kernel
from shine.targets import TARGETS
from shine.targets.cuda.device_arrays import DeviceArray, adopt, is_on_device, new_array, upload
from shine.targets.cuda.driver import DEFAULT_STREAM, Stream, handle_of
from tests.shine.procedures import axpy, gather
from tests.shine.targets.cuda.pycuda_libraries import DlpackArray, InterfaceArray, aligned, install
from tests.shine.targets.cuda.pycuda_stub import StubDriver, axpy_kernel, axpy_module, launcher

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "device_arrays.txt"


def axpy_on(driver: StubDriver) -> Kernel:
    p = axpy()
    executable = launcher(axpy_module(p), p, driver)
    return Kernel(p, replace(TARGETS["interpret"], name="device", build=lambda _p, _o: executable), {})


def f32(count: int) -> Any:
    return aligned(np.arange(count, dtype=np.float32))


def torch_like(patch: pytest.MonkeyPatch, current: int = 0) -> Any:
    cuda = SimpleNamespace(current_stream=lambda _device: SimpleNamespace(cuda_stream=current))
    return install(patch, "torch", DlpackArray, cuda=cuda)


def test_arrays_are_used_without_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, tensor = StubDriver({"axpy": axpy_kernel}), torch_like(monkeypatch)
    x, y = tensor(f32(300)), tensor(f32(300))
    found = axpy_on(driver)(np.float32(2), x, y)
    assert type(found) is tensor and (found.values == 3 * f32(300)).all()
    assert driver.calls() == ["load", "function", "allocate", "launch", "wait"]
    packed = driver.launches()[0][4]
    addresses = np.frombuffer(packed, np.uint64, 2, 8).tolist()
    assert addresses == [x.values.ctypes.data, y.values.ctypes.data]
    assert x.streams == [1] and driver.log[-1] == ("wait", tensor.reads_on, 0)


def test_the_memory_of_a_result_is_freed_with_the_array_of_the_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    driver, tensor = StubDriver({"axpy": axpy_kernel}), torch_like(monkeypatch)
    k = axpy_on(driver)
    found = k(1, tensor(f32(3)), tensor(f32(3)))
    del k
    gc.collect(0)
    assert len(driver.memory) == 1 and found.values.tolist() == [0, 2, 4]
    del found
    gc.collect(0)
    assert driver.memory == {}


@pytest.mark.parametrize(("current", "expected"), [(0, 0), (1, 0), (5, 5), (500, 1500)])
def test_work_is_on_the_stream_of_the_library(
    monkeypatch: pytest.MonkeyPatch, current: int, expected: int
) -> None:
    driver, tensor = StubDriver({"axpy": axpy_kernel}), torch_like(monkeypatch, current)
    x = tensor(f32(3))
    axpy_on(driver)(1, x, tensor(f32(3)))
    assert driver.launches()[0][-1] == expected and "synchronize" not in driver.calls()
    assert x.streams == [current or 1]
    joins = [call[1:] for call in driver.log if call[0] == "wait"]
    assert joins == ([(1500, 500), (500, 1500)] if expected == 1500 else []) + [
        (21, current if current != 1 else 0)
    ]


def test_a_given_stream_has_precedence(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, tensor = StubDriver({"axpy": axpy_kernel}), torch_like(monkeypatch, 5)
    x = tensor(f32(3))
    axpy_on(driver)(1, x, tensor(f32(3)), stream=SimpleNamespace(cuda_stream=9))
    assert driver.launches()[0][-1] == 9 and x.streams == [9]


def test_a_library_that_names_no_stream_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, kind = StubDriver({"axpy": axpy_kernel}), install(monkeypatch, "other", DlpackArray)
    k = axpy_on(driver)
    found = k(1, kind(f32(3)), kind(f32(3)))
    assert driver.calls()[-3:] == ["launch", "synchronize", "wait"] and type(found) is kind


def test_dlpack_before_its_first_version_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, tensor = StubDriver({"axpy": axpy_kernel}), torch_like(monkeypatch)
    monkeypatch.setattr(tensor, "earlier", True)
    assert axpy_on(driver)(1, tensor(f32(3)), tensor(f32(3))).values.tolist() == [0, 2, 4]


def test_the_array_interface_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, kind = StubDriver({"axpy": axpy_kernel}), install(monkeypatch, "numba", InterfaceArray)
    x, y = kind(f32(3)), kind(f32(3))
    x.stream, y.stream = 6, 7
    found = axpy_on(driver)(1, x, y)
    assert isinstance(found, DeviceArray) and found.numpy().tolist() == [0, 2, 4]
    assert ("wait", 6, 7) in driver.log and driver.launches()[0][-1] == 6
    assert found.__cuda_array_interface__ | {"data": None} == {
        "shape": (3,),
        "typestr": "<f4",
        "data": None,
        "strides": None,
        "version": 3,
        "stream": 6,
    }


def test_our_own_arrays_are_accepted() -> None:
    driver = StubDriver({"axpy": axpy_kernel})
    k = axpy_on(driver)
    x = new_array(driver, (3,), np.dtype(np.float32), Stream(8, "theirs"))
    with driver.current("test"):
        driver.upload(x.address, f32(3), x.stream)
    found = k(1, k(1, x, x), x)
    assert found.numpy().tolist() == [0, 3, 6]
    assert {call[-1] for call in driver.launches()} == {8}


def test_the_first_elements_are_in_the_same_memory() -> None:
    driver = StubDriver({"axpy": axpy_kernel})
    found = axpy_on(driver)(2, upload(driver, f32(5)), upload(driver, f32(5)))
    first = found[:2]
    assert type(first) is DeviceArray and first.address == found.address and first.keep is found.keep
    assert first.shape == (2,) and first.numpy().tolist() == [0, 3]
    assert found[:9].shape == (5,) and int(found[:0].shape[0]) == 0
    assert int(upload(driver, np.int64(7))) == 7
    result = Counted(found, upload(driver, np.int64(3))).cut()
    assert result.numpy().tolist() == [0, 3, 6]
    with pytest.raises(RiseError, match="expected the first elements of an array on a device"):
        found[1:]


def test_out_is_written_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, tensor = StubDriver({"axpy": axpy_kernel}), torch_like(monkeypatch)
    out = tensor(f32(3))
    assert axpy_on(driver)(1, tensor(f32(3)), tensor(f32(3)), out=out) is out
    assert out.values.tolist() == [0, 2, 4] and "allocate" not in driver.calls()


def test_an_array_that_is_not_aligned_is_copied_on_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, tensor = StubDriver({"axpy": axpy_kernel}), torch_like(monkeypatch)
    odd = aligned(np.arange(4, dtype=np.float32), 4)
    out = tensor(aligned(np.zeros(4, np.float32), 16))
    k = axpy_on(driver)
    assert k(1, tensor(odd), tensor(f32(4)), out=out) is out
    assert out.values.tolist() == [0, 2, 4, 6]
    assert [call for call in driver.calls() if call != "allocate"][2:] == ["copy", "copy", "launch", "copy"]


def test_a_number_on_the_device_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, tensor = StubDriver({"axpy": axpy_kernel}), torch_like(monkeypatch)
    alpha = tensor(np.array(2, np.float32))
    assert axpy_on(driver)(alpha, tensor(f32(3)), tensor(f32(3))).values.tolist() == [0, 3, 6]


def test_indices_on_the_device_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    p, driver, tensor = gather(), StubDriver(), torch_like(monkeypatch)
    executable = launcher(axpy_module(axpy()), axpy(), driver)
    k = Kernel(p, replace(TARGETS["interpret"], name="device", build=lambda _p, _o: executable), {})
    with pytest.raises(RiseError, match="from 0 to 2"):
        k(tensor(np.array([0, 2])), tensor(f32(2)))


def test_bf16_is_exchanged_only_by_dlpack() -> None:
    driver = StubDriver()
    made = new_array(driver, (2,), SCALARS["bf16"].dtype, DEFAULT_STREAM)
    assert not hasattr(made, "__cuda_array_interface__") and is_on_device(made)
    again = adopt("a", made, driver, DEFAULT_STREAM)
    assert again is made
    with pytest.raises(BufferError):
        made.__dlpack__(copy=True)


@pytest.mark.parametrize(
    ("given", "handle"),
    [
        (None, 0),
        (0, 0),
        (1, 0),
        (2, 2),
        (1 << 40, 1 << 40),
        (SimpleNamespace(handle=7), 7),
        (SimpleNamespace(ptr=8), 8),
        (SimpleNamespace(cuda_stream=9), 9),
        (SimpleNamespace(__cuda_stream__=lambda: (0, 10)), 10),
    ],
)
def test_streams_are_identified_by_their_numbers(given: Any, handle: int) -> None:
    assert handle_of(given) == handle


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


def refusing(tensor: Any, given: Any) -> Any:
    def refuse(_self: Any, **_given: Any) -> Any:
        raise BufferError("cannot export an array that needs a gradient")

    tensor.__dlpack__ = refuse
    return tensor(given)


WRONG: Final[dict[str, Callable[[Kernel, Any, Any], Any]]] = {
    "an array of the host among them": lambda k, t, _: k(1, t(f32(3)), f32(3)),
    "out in the host's memory": lambda k, t, _: k(1, t(f32(3)), t(f32(3)), out=f32(3)),
    "only out on the device": lambda k, t, _: k(1, f32(3), f32(3), out=t(f32(3))),
    "another device": lambda k, t, _: k(1, t(f32(3)), t(f32(3), device=1)),
    "another element type": lambda k, t, _: k(1, t(f32(3)), t(np.arange(3.0))),
    "an element type that numpy lacks": lambda k, t, _: k(
        1, t(f32(3)), t(np.zeros((2, 2), np.complex64).T[0])
    ),
    "another rank": lambda k, t, _: k(1, t(f32(3)), t(f32(4).reshape(2, 2))),
    "sizes that differ": lambda k, t, _: k(1, t(f32(3)), t(f32(4))),
    "strides": lambda k, t, _: k(1, t(f32(3)), t(f32(6)[::2])),
    "strides by the interface": lambda k, _, i: k(1, i(f32(3)), i(f32(6)[::2])),
    "out that overlaps": lambda k, t, _: (lambda x: k(1, t(x[:4]), t(x[:4]), out=t(x[2:6])))(f32(8)),
    "out that is read-only": lambda k, t, _: k(1, t(f32(3)), t(f32(3)), out=t(read_only(f32(3)))),
    "out of another shape": lambda k, t, _: k(1, t(f32(3)), t(f32(3)), out=t(f32(4))),
    "no stream": lambda k, t, _: k(1, t(f32(3)), t(f32(3)), stream="default"),
    "a library that lends nothing": lambda k, t, _: k(1, t(f32(3)), refusing(t, f32(3))),
}


def message(name: str, patch: pytest.MonkeyPatch) -> str:
    """The message for a wrong call."""
    driver = StubDriver({"axpy": axpy_kernel})
    tensor, interface = torch_like(patch), install(patch, "numba", InterfaceArray)
    try:
        WRONG[name](axpy_on(driver), tensor, interface)
    except RiseError as error:
        assert driver.launches() == [] and driver.depth == 0
        return str(error)
    raise AssertionError(f"nothing is said of {name}")


def messages() -> str:
    """All messages, in the form of the snapshot."""
    found = []
    for name in WRONG:
        with pytest.MonkeyPatch.context() as patch:
            found.append(f"== {name}\n{message(name, patch)}\n")
    return "\n".join(found)


def test_messages_are_as_in_the_snapshot() -> None:
    assert messages() == SNAPSHOTS.read_text(encoding="utf-8")


if __name__ == "__main__":
    SNAPSHOTS.write_text(messages(), encoding="utf-8")
