"""`python -m benchmarks.gpu`: its output without a device, and its checks and races on a stub of one."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.gpu import __main__ as program
from benchmarks.gpu.blas import Blas
from benchmarks.gpu.cases import Case, Product, cases, products
from benchmarks.gpu.check import check, differences
from benchmarks.gpu.probe import NUMBERS, probe_module
from benchmarks.gpu.race import line, race
from benchmarks.gpu.tensor_copies import tensor_batches
from rise.diagnostics import Diagnostic, RiseError
from shine.kernel import Kernel
from shine.targets import TARGETS
from shine.targets.cuda.packed_arguments import format_of
from tests.forks import environment, run
from tests.shine.procedures import axpy
from tests.shine.targets.cuda.pycuda_stub import StubDriver, at, axpy_kernel, axpy_module, launcher


def test_without_a_device_it_reports_what_it_skips() -> None:
    command = [sys.executable, "-m", "benchmarks.gpu", "--device", "99"]
    ran = run(command, env=environment())
    assert ran.returncode == 0, ran.stderr
    first, *rest = ran.stdout.decode().splitlines()
    assert first.startswith("no device: ")
    names = ["probe", *map(program.title_of_batch, program.batches(program.NEWEST))]
    names += map(program.title_of_batch, tensor_batches())
    names += [f"check {one.name}" for one in cases()]
    names += [f"race {program.title(one)}" for one in products()]
    assert rest == [f"skip   {name}: there is no device" for name in names]


def kernel_on(driver: StubDriver) -> Kernel:
    p = axpy()
    executable = launcher(axpy_module(p), p, driver)
    return Kernel(p, replace(TARGETS["interpret"], name="device", build=lambda _p, _o: executable), {})


def case(driver: StubDriver, tolerance: float = 1e-6) -> Case:
    def inputs(rng: np.random.Generator) -> tuple[Any, ...]:
        return np.float32(2), rng.random(200, np.float32), rng.random(200, np.float32)

    def reference(alpha: Any, x: Any, y: Any) -> Any:
        return float(alpha) * x.astype(np.float64) + y

    return Case("axpy", lambda _arch: kernel_on(driver), inputs, reference, tolerance)


def forgets_one(packed: bytes, grid: Any, block: Any) -> None:
    output = at(int(np.frombuffer(packed, np.uint64, 1, 24)[0]), 200)
    last = output[-1].copy()
    axpy_kernel(packed, grid, block)
    output[-1] = last


def is_off(packed: bytes, grid: Any, block: Any) -> None:
    axpy_kernel(packed, grid, block)
    at(int(np.frombuffer(packed, np.uint64, 1, 24)[0]), 200)[7] += 0.01


def test_a_correct_kernel_is_correct_for_every_poison_value() -> None:
    driver = StubDriver({"axpy": axpy_kernel})
    assert check(case(driver), driver, "sm_90") == []
    assert len(driver.launches()) == 3


@pytest.mark.parametrize("body", [forgets_one, is_off])
def test_a_wrong_kernel_is_found(body: Any) -> None:
    driver = StubDriver({"axpy": body})
    wrong = check(case(driver), driver, "sm_90")
    assert {line.split(":")[0] for line in wrong} >= {"over 0xff", "over 0x00"}


def test_differences_handle_nan_and_infinity() -> None:
    a = np.array([1, np.inf, np.nan, -2], np.float32)
    assert differences(a, a.astype(np.float64), 1e-6) == [] == differences(np.zeros(0), np.zeros(0), 1e-6)
    assert differences(np.where(np.isnan(a), 0, a), a, 1e-6) and differences(a, np.nan_to_num(a), 1e-6)
    assert differences(np.array([1, 2]), np.array([1, 3]), 0) == ["1 of 2 numbers differ"]
    assert differences(np.zeros(2), np.zeros(3), 0) == ["expected shape (3,), found (2,)"]


def product(driver: StubDriver, tolerance: float) -> Product:
    def build(_arch: str) -> Any:
        def run(a: Any, b: Any, out: Any) -> None:
            with driver.current("test"):
                driver.launch("ours", (1, 1, 1), (1, 1, 1), 0, b"", a.stream)
            multiply(a, b, out)

        return run

    return Product("mm", build, (8, 4, 6), "f16", "f32", tolerance)


def multiply(a: Any, b: Any, c: Any) -> None:
    left, right, out = (at(one.address, one.size, one.dtype).reshape(one.shape) for one in (a, b, c))
    out[...] = left.astype(np.float32) @ right.astype(np.float32)


def blas(driver: StubDriver, factor: float = 1) -> Blas:
    def start(a: Any, b: Any, c: Any) -> Any:
        def run() -> None:
            for _ in range(2):
                driver.launch("theirs", (1, 1, 1), (1, 1, 1), 0, b"", a.stream)
            multiply(a, b, c)
            at(c.address, c.size)[:] *= factor

        return run

    return Blas("cuBLAS 13", start)


def test_a_race_alternates_and_is_reported() -> None:
    driver = StubDriver()
    outcome = race(product(driver, 1e-6), blas(driver), driver, "sm_90")
    facts = outcome.facts()
    assert facts["speed_over_blas"] == pytest.approx(2) and facts["ours_seconds"] == pytest.approx(1e-3)
    assert line(outcome).startswith("mm 8 x 4 x 6: 0.0 Tflop/s, 2.000 (2.000-2.000) of cuBLAS 13")
    order = [name for name, *_ in driver.launches()][-80:]
    assert "".join(name[0] for name in order).count("ot") >= 2


def test_a_product_that_differs_is_not_timed() -> None:
    driver = StubDriver()
    with pytest.raises(ValueError, match="expected a difference of at most"):
        race(product(driver, 1e-6), blas(driver, 1.01), driver, "sm_90")


def test_a_session_records_successes_failures_and_timeouts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails() -> list[str]:
        raise RiseError(Diagnostic("launch-failed", "a kernel failed"))

    session = program.Session(0.0, "")
    later = time.monotonic() + 1e6
    session.attempt("one", later, list)
    session.attempt("two", later, fails)
    session.attempt("three", later, lambda: ["it is off"])
    session.attempt("four", 0.0, fails)
    assert session.right == ["one"] and session.skipped == {"four": "no time is left"}
    assert session.wrong == {"two": ["a kernel failed"], "three": ["it is off"]}
    monkeypatch.setattr(program, "RESULTS", tmp_path)
    program.write(session, {"device": "NVIDIA H200", "compute capability": "9.0"})
    (written,) = tmp_path.iterdir()
    assert written.name == "nvidia-h200.json"
    assert json.loads(written.read_text(encoding="utf-8"))["wrong"] == session.wrong


def test_the_probe_has_every_size_of_parameter() -> None:
    module, procedure = probe_module()
    parameters = format_of(module.kernels[0].arguments)
    assert len(procedure.inputs) == len(NUMBERS) and parameters.size == 56
    assert module.source.count('extern "C"') == len(module.kernels)
