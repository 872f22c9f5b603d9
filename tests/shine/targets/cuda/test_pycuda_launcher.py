"""Launching on a stub of a device: what is packed, copied and launched, in which order, and the messages."""

from __future__ import annotations

import gc
import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rise
import shine
from rise.diagnostics import RiseError
from rise.naturals import const, nat
from rise.quotients import ceiling_quotient
from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.imperative.kernels import GpuProgram
from shine.imperative.nodes import Buffer, Procedure
from shine.kernel import Kernel
from shine.targets import TARGETS
from shine.targets.c.source import FAILURE
from shine.targets.cuda.launcher import Launcher
from shine.targets.cuda.module import (
    Argument,
    CudaKernel,
    CudaModule,
    PointerArgument,
    ScalarArgument,
    SizeArgument,
)
from shine.targets.cuda.packed_arguments import format_of, number_of
from shine.targets.cuda.printer import print_program
from shine.translate import GPU_LEVELS, translate
from tests.shine.procedures import F32, array, axpy, parameter, procedure, size
from tests.shine.targets.cuda.pycuda_stub import StubDriver, at, axpy_kernel, axpy_module, launcher


def kernel_on(driver: StubDriver, p: Procedure, module: CudaModule) -> Kernel:
    """A kernel whose target is the stub's device."""
    target = replace(TARGETS["interpret"], name="device", build=lambda _p, _o: launcher(module, p, driver))
    return Kernel(p, target, {})


def axpy_on(driver: StubDriver, **given: Any) -> Kernel:
    p = axpy()
    return kernel_on(driver, p, axpy_module(p, **given))


def f32(count: int) -> Any:
    return np.arange(count, dtype=np.float32)


@given(st.integers(1, 700))
def test_host_arrays_are_copied_to_the_device_and_back(n: int) -> None:
    driver = StubDriver({"axpy": axpy_kernel})
    k = axpy_on(driver)
    assert (k(3, f32(n), f32(n)) == 4 * f32(n)).all()
    assert [call[0] for call in driver.log if call[0] != "allocate"] == [
        "load",
        "function",
        "upload",
        "upload",
        "upload",
        "launch",
        "download",
        "synchronize",
    ]
    ((name, grid, block, shared, packed, stream),) = driver.launches()
    assert (name, grid, block, shared, stream) == ("axpy", (-(-n // 128), 1, 1), (128, 1, 1), 0, 0)
    assert len(packed) == 36 and packed[4:8] == bytes(4)
    assert packed[:4] == struct.pack("f", 3) and packed[32:] == struct.pack("i", n)
    assert k.source == "// axpy\n" and k.origin_of_line(1) is None


def test_an_empty_grid_is_not_launched() -> None:
    driver = StubDriver({"axpy": axpy_kernel})
    assert axpy_on(driver)(1, f32(0), f32(0)).shape == (0,)
    assert driver.launches() == []


def test_the_device_is_opened_once_at_the_first_run() -> None:
    driver = StubDriver({"axpy": axpy_kernel})
    k = axpy_on(driver)
    assert driver.log == []
    for n in (3, 4, 3):
        k(1, f32(n), f32(n))
    assert driver.calls().count("load") == 1 and driver.calls().count("function") == 1


def test_memory_is_reused_and_freed_at_the_end() -> None:
    gc.freeze()  # objects of other tests are not scanned
    driver = StubDriver({"axpy": axpy_kernel})
    k = axpy_on(driver)
    for _ in range(5):
        k(1, f32(100), f32(100))
    assert driver.calls().count("allocate") == 3
    del k
    gc.collect(1)
    assert driver.memory == {}


def test_a_given_stream_is_used() -> None:
    driver = StubDriver({"axpy": axpy_kernel})
    k = axpy_on(driver)
    k(1, f32(3), f32(3), stream=7)
    assert {
        call[-1] for call in driver.log if call[0] in ("upload", "launch", "download", "synchronize")
    } == {7}


def test_a_foreign_stream_is_joined_before_and_after() -> None:
    driver = StubDriver({"axpy": axpy_kernel})
    k = axpy_on(driver)
    k(1, f32(3), f32(3), stream=500)
    calls = driver.log[2:]
    assert calls[0] == ("wait", 1500, 500) and calls[-1] == ("wait", 500, 1500)
    assert driver.launches()[0][-1] == 1500


def test_elements_that_the_kernel_does_not_write_keep_their_values() -> None:
    driver = StubDriver({"axpy": lambda *_: None})
    out = f32(4)
    assert axpy_on(driver)(1, f32(4), f32(4), out=out) is out
    assert out.tolist() == [0, 1, 2, 3]


def test_more_than_48_kib_of_shared_memory_is_requested() -> None:
    p = axpy()
    for dynamic, static, asked in ((48 << 10, 0, []), (50_000, 0, [50_000]), (40_000, 10_000, [40_000])):
        module = axpy_module(p)
        (one,) = module.kernels
        module = replace(module, kernels=(replace(one, shared_bytes=dynamic, static_shared=static),))
        driver = StubDriver({"axpy": axpy_kernel})
        kernel_on(driver, p, module)(1, f32(4), f32(4))
        assert [call[2] for call in driver.log if call[0] == "allow_shared"] == asked
        assert driver.launches()[0][3] == dynamic


def test_kernels_run_in_order_with_temporaries_between() -> None:
    n = size("n")
    x, output = parameter("x", array(n)), parameter("output", array(n))
    p = procedure("twice", [n], [x], output)
    between = Buffer("between", ScalarType("f64"), nat(n) * 2, "Global", ())

    def kernel(name: str, source: Buffer, target: Buffer) -> CudaKernel:
        arguments = (PointerArgument(target, True), PointerArgument(source, False), SizeArgument(n, 64))
        return CudaKernel(name, (const(2), ceiling_quotient(n, 4), const(3)), (4, 2, 1), arguments)

    def widen(packed: bytes, *_: Any) -> None:
        target, source, count = struct.unpack("QQq", packed)
        at(target, count, np.float64)[:] = 2 * at(source, count)

    def narrow(packed: bytes, *_: Any) -> None:
        target, source, count = struct.unpack("QQq", packed)
        at(target, count)[:] = at(source, count, np.float64) + 1

    kernels = (kernel("first", x.buffers[0], between), kernel("second", between, output.buffers[0]))
    module = CudaModule("", (), kernels, (between,))
    driver = StubDriver({"first": widen, "second": narrow})
    assert (kernel_on(driver, p, module)(f32(100)) == 2 * f32(100) + 1).all()
    assert [(name, grid, block) for name, grid, block, *_ in driver.launches()] == [
        ("first", (2, 25, 3), (4, 2, 1)),
        ("second", (2, 25, 3), (4, 2, 1)),
    ]
    assert sorted(call[1] for call in driver.log if call[0] == "allocate") == [512, 512, 2048]


@given(st.lists(st.sampled_from([*sorted(SCALARS), "pointer", "32", "64"]), max_size=12))
def test_arguments_are_aligned_to_their_sizes(kinds: list[str]) -> None:
    n = size("n")
    arguments: list[Argument] = []
    expected, values = b"", []
    for kind in kinds:
        if kind in SCALARS:
            buffer = Buffer("a", ScalarType(kind), const(1), "Global", ())
            argument = ScalarArgument(buffer, ScalarType(kind))
            number = np.array(3 if kind != "bool" else 1).astype(SCALARS[kind].dtype)
            arguments.append(argument)
            values.append(number_of(argument, number))
            raw = number.tobytes()
        elif kind == "pointer":
            arguments.append(PointerArgument(Buffer("a", F32, nat(n), "Global", ()), False))
            values.append(1 << 45)
            raw = (1 << 45).to_bytes(8, "little")
        else:
            arguments.append(SizeArgument(n, int(kind)))
            values.append(7)
            raw = (7).to_bytes(int(kind) // 8, "little")
        expected += bytes(-len(expected) % len(raw)) + raw
    assert format_of(arguments).pack(*values) == expected


def test_a_size_that_does_not_fit_is_refused() -> None:
    p = axpy()
    executable = launcher(axpy_module(p), p, StubDriver())
    with pytest.raises(RiseError, match=r"below 2\^31, found 2147483648"):
        executable.plan((1 << 31,))
    assert executable.plan((5,)) is executable.plan((5,))
    assert launcher(axpy_module(p, bits=64), p, StubDriver()).plan((1 << 31,)).steps


def test_times_are_measured_on_the_device() -> None:
    driver = StubDriver({"axpy": axpy_kernel})
    found = axpy_on(driver).time(1, f32(3), f32(3), repeat=4, warmup=3)
    assert found.samples == pytest.approx((1e-3,) * 4) and found.spread == pytest.approx(0)
    assert len(driver.launches()) == 3 + 1 + 4
    assert driver.calls().count("upload") == 3 and "download" not in driver.calls()


def test_a_failure_leaves_the_kernel_usable() -> None:
    driver = StubDriver({"axpy": axpy_kernel})
    k = axpy_on(driver)
    driver.fails["launch"] = RuntimeError("no")
    with pytest.raises(RuntimeError):
        k(1, f32(3), f32(3))
    driver.fails.clear()
    assert driver.depth == 0 and (k(1, f32(3), f32(3)) == 2 * f32(3)).all()
    assert driver.calls().count("allocate") == 3


def test_a_number_may_be_a_pointer_too() -> None:
    p = axpy()
    module = axpy_module(p)
    (one,) = module.kernels
    arguments = (PointerArgument(p.inputs[0].buffers[0], False), *one.arguments[1:])
    module = replace(module, kernels=(replace(one, arguments=arguments),))

    def body(packed: bytes, *_: Any) -> None:
        alpha, x, y, output, n = struct.unpack("QQQQi", packed)
        at(output, n)[:] = at(alpha, 1) * at(x, n) + at(y, n)

    assert (kernel_on(StubDriver({"axpy": body}), p, module)(2, f32(5), f32(5)) == 3 * f32(5)).all()


def test_a_message_names_the_kernels() -> None:
    p = axpy()
    (one,) = axpy_module(p).kernels
    two = CudaModule("", (), (one, replace(one, name="more")))
    assert Launcher(axpy_module(p), p, b"").doing == "`axpy` ran"
    assert Launcher(two, p, b"").doing == "one of `axpy`, `more` ran"


def test_a_failure_is_read_after_the_kernels() -> None:
    """The failure's numbers are set to zero before, and the call waits for them; the next call succeeds."""
    text = "fun(is: M.i64, xs: N.f32 => is |> map(fun(i => xs |> idx(toIndexChecked(i)))))"
    e = shine.compile(rise.parse(text), target="cuda").term
    assert e is not None
    program, _ = TARGETS["cuda"].passed(translate(e, levels=GPU_LEVELS), {})
    assert isinstance(program, GpuProgram)
    module = print_program(program, "sm_80", False)
    (made,) = module.kernels
    place = [getattr(one, "buffer", None) for one in made.arguments].index(FAILURE)

    def body(packed: bytes, grid: Any, block: Any) -> None:
        addresses = format_of(made.arguments).unpack(packed)
        failure, numbers = at(addresses[place], 3, np.int64), at(addresses[0], 1, np.int64)
        assert not failure.any()
        if numbers[0] > 2:
            failure[:] = 1, numbers[0], 3

    driver = StubDriver({made.name: body})
    kernel = kernel_on(driver, program.procedure, module)
    kernel(np.array([2]), f32(3))
    with pytest.raises(RiseError, match="expected an index from 0 to 2, found 9"):
        kernel(np.array([9]), f32(3))
    kernel(np.array([0]), f32(3))
    calls = driver.calls()
    assert calls.index("fill") < calls.index("launch") < calls.index("synchronize")
