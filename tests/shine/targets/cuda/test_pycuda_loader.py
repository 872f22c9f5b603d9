"""The loader: its calls of PyCUDA, and its messages if they fail or PyCUDA is absent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rise.diagnostics import RiseError
from rise.scalars import SCALARS
from shine.targets.cuda import libcuda, loader
from shine.targets.cuda.device_arrays import Allocation
from shine.targets.cuda.driver import DEFAULT_STREAM, Stream
from tests.shine.targets.cuda.pycuda_package import FakeLibrary, FakePycuda, install


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[FakePycuda, FakeLibrary]]:
    yield install(monkeypatch)
    loader._open.cache_clear()


Fake = tuple[FakePycuda, FakeLibrary]


def test_a_device_is_opened_once(fake: Fake) -> None:
    driver = loader.open_driver()
    assert driver is loader.open_driver(0)
    assert (driver.index, driver.name, driver.capability) == (0, "Fake 9000", (9, 0))
    assert fake[0].log == [("init",), ("Device", 0), ("retain_primary_context",)]
    assert loader.device_arch() == "sm_90"


def test_the_context_is_pushed_and_popped(fake: Fake) -> None:
    driver = loader.open_driver()
    fake[0].log.clear()
    with driver.current("test"), driver.current("test"):
        pass
    with pytest.raises(KeyError), driver.current("test"):
        raise KeyError
    assert [call[0] for call in fake[0].log] == ["push", "push", "pop", "pop", "push", "pop"]


def test_a_launch_passes_the_bytes_unchanged(fake: Fake) -> None:
    driver = loader.open_driver()
    function = driver.function(driver.load(b"cubin"), "mm")
    driver.allow_shared(function, 60_000)
    stream = fake[0].Stream()
    driver.launch(function, (3, 2, 1), (32, 4, 1), 60_000, b"12345678", driver.stream(stream.handle, stream))
    assert fake[0].log[3:] == [
        ("module_from_buffer", b"cubin"),
        ("get_function", "mm"),
        ("set_attribute", "dynamic", 60_000),
        ("Stream", stream.handle),
        ("prepare", ("8s",)),
        ("call", (3, 2, 1), (32, 4, 1), stream, (b"12345678",), {"shared_size": 60_000}),
    ]


@pytest.mark.parametrize("name", sorted(SCALARS))
def test_arrays_of_every_type_are_copied_as_bytes(fake: Fake, name: str) -> None:
    driver = loader.open_driver()
    fake[0].log.clear()
    source = np.ones((2, 3), np.int32).astype(SCALARS[name].dtype)
    driver.upload(256, source, DEFAULT_STREAM)
    assert fake[0].log == [("memcpy_htod_async", 256, source.tobytes(), None)]
    target = np.zeros(2, SCALARS[name].dtype)
    driver.download(target, 512, DEFAULT_STREAM)
    assert target.tobytes() == bytes(range(target.nbytes))
    scalar = np.zeros((), SCALARS[name].dtype)
    driver.upload(256, scalar, DEFAULT_STREAM)
    assert fake[0].log[-1][2] == scalar.tobytes()


def test_empty_arrays_are_not_copied(fake: Fake) -> None:
    driver = loader.open_driver()
    fake[0].log.clear()
    nothing = np.zeros((0, 3))
    driver.upload(256, nothing, DEFAULT_STREAM)
    driver.download(nothing, 256, DEFAULT_STREAM)
    driver.copy(256, 512, 0, DEFAULT_STREAM)
    driver.fill(256, 0, 0, DEFAULT_STREAM)
    assert fake[0].log == []
    driver.copy(256, 512, 8, DEFAULT_STREAM)
    driver.fill(256, 255, 8, DEFAULT_STREAM)
    driver.allocate(0)
    assert fake[0].log == [
        ("memcpy_dtod_async", 256, 512, 8, None),
        ("memset_d8_async", 256, 255, 8, None),
        ("mem_alloc", 1),
    ]


def test_times_are_seconds(fake: Fake) -> None:
    driver = loader.open_driver()
    start = driver.record(DEFAULT_STREAM)
    assert driver.seconds(start, driver.record(DEFAULT_STREAM)) == 2.5e-3
    assert fake[0].log[-1] == ("Event.synchronize",)


def test_the_default_stream_is_waited_for_by_an_event(fake: Fake) -> None:
    driver = loader.open_driver()
    driver.synchronize(DEFAULT_STREAM)
    assert fake[0].log[-2:] == [("Event.record", None), ("Event.synchronize",)]
    stream = fake[0].Stream()
    driver.synchronize(Stream(stream.handle, stream))
    assert fake[0].log[-1] == ("Stream.synchronize", stream.handle)


def test_a_foreign_stream_is_associated_with_one_of_ours(fake: Fake) -> None:
    driver = loader.open_driver()
    assert driver.stream(0, None) == DEFAULT_STREAM
    followed = driver.stream(0x7F00, 0x7F00)
    assert followed.follows == 0x7F00 == followed.visible and followed.native.handle == followed.handle
    assert driver.stream(0x7F00, 0x7F00) == followed != driver.stream(0x7F01, 0x7F01)


def test_streams_wait_for_each_other_by_an_event_without_a_time(fake: Fake) -> None:
    driver = loader.open_driver()
    with driver.current("test"):
        driver.wait(5, 5)
        driver.wait(0, 9)
    assert fake[1].log == [("create", 2), ("record", 77, 9), ("wait", None, 77, 0), ("destroy", 77)]


def test_the_memory_of_an_address_is_queried(fake: Fake) -> None:
    driver = loader.open_driver()
    assert driver.device_of(1 << 40) == 3 and fake[1].log == [("attribute", 9, 1 << 40)]
    fake[1].status = 1
    assert driver.device_of(1 << 40) == -1


@pytest.mark.parametrize(
    ("kind", "said", "code"),
    [
        ("MemoryError", "cuMemAlloc failed: out of memory", "out-of-memory"),
        (
            "LogicError",
            "cuStreamSynchronize failed: an illegal memory access was encountered",
            "illegal-address",
        ),
        ("LaunchError", "cuEventSynchronize failed: misaligned address", "illegal-address"),
        ("LaunchError", "cuLaunchKernel failed: too many resources requested for launch", "launch-resources"),
        ("LogicError", "cuLaunchKernel failed: invalid argument", "launch-resources"),
        ("LaunchError", "cuEventSynchronize failed: unspecified launch failure", "launch-failed"),
        ("LogicError", "cuModuleLoadDataEx failed: device kernel image is invalid - ", "wrong-arch"),
        (
            "RuntimeError",
            "cuModuleLoadDataEx failed: no kernel image is available for execution",
            "wrong-arch",
        ),
        ("LogicError", "cuMemcpyHtoDAsync failed: invalid argument", "device-failed"),
    ],
)
def test_a_failure_is_one_diagnostic(fake: Fake, kind: str, said: str, code: str) -> None:
    driver = loader.open_driver()
    with pytest.raises(RiseError) as caught, driver.current("`mm` ran"):
        raise getattr(fake[0], kind)(said)
    found = caught.value.diagnostic
    assert found.code == code and said.strip(" -") in found.title
    assert found.notes[0] == "on device 0, Fake 9000, while `mm` ran"
    assert fake[0].log[-1] == ("pop",)


def test_a_broken_context_does_not_hide_the_original_error(fake: Fake) -> None:
    driver = loader.open_driver()
    fake[0].fails["pop"] = fake[0].Error("cuCtxPopCurrent failed: it is broken")
    with pytest.raises(RiseError, match="illegal memory access"), driver.current("`mm` ran"):
        raise fake[0].LogicError("cuStreamSynchronize failed: an illegal memory access was encountered")


def test_a_call_through_ctypes_that_fails_is_a_diagnostic(fake: Fake) -> None:
    driver = loader.open_driver()
    fake[1].status = 1
    with pytest.raises(RiseError, match="cuEventCreate failed: it broke"), driver.current("test"):
        driver.wait(1, 2)


def test_a_missing_device_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, devices=2)
    with pytest.raises(RiseError, match="expected the CUDA device 2, found 2, numbered from 0"):
        loader.open_driver(2)
    fake, _ = install(monkeypatch, devices=0)
    with pytest.raises(RiseError, match="found none"):
        loader.open_driver()
    fake.fails["init"] = fake.Error("cuInit failed: no CUDA-capable device is detected")
    with pytest.raises(RiseError, match="no CUDA-capable device"):
        loader.open_driver()
    loader._open.cache_clear()


def no_pycuda(message: str) -> Any:
    def import_module(_name: str) -> ModuleType:
        raise ImportError(message)

    return import_module


def test_a_missing_pycuda_is_reported_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.import_module", no_pycuda("No module named 'pycuda'"))
    with pytest.raises(RiseError) as caught:
        loader.import_pycuda()
    assert caught.value.diagnostic.code == "no-pycuda"
    assert "pip install 'rise-shine[cuda]'" in caught.value.diagnostic.hint


def test_a_missing_driver_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "importlib.import_module", no_pycuda(f"{libcuda.NAME}: cannot open shared object file")
    )
    with pytest.raises(RiseError) as caught:
        loader.import_pycuda()
    assert caught.value.diagnostic.code == "no-device" and "NVIDIA's driver" in caught.value.diagnostic.title


def test_a_device_is_not_used_in_a_child_of_the_process_that_opened_it(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = loader.open_driver()
    allocation = Allocation(driver, 64)
    fake[0].log.clear()
    here = os.getpid()
    monkeypatch.setattr("os.getpid", lambda: here + 1)
    with pytest.raises(RiseError) as caught, driver.current("test"):
        pass
    assert caught.value.diagnostic.code == "forked" and "'spawn'" in caught.value.diagnostic.hint
    del allocation  # the memory belongs to the parent
    assert fake[0].log == []
    fake[0].fails["init"] = fake[0].Error("cuInit failed: initialization error")
    with pytest.raises(RiseError) as caught:
        loader.open_driver()
    assert caught.value.diagnostic.code == "forked"
