"""Matrix products compared with cuBLAS or another kernel, interleaved, timed by device events.

Independent of any particular kernel.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks._measure import Samples, ratios
from benchmarks.gpu.blas import Blas
from benchmarks.gpu.check import worst
from benchmarks.gpu.model import Kernel, Product
from rise.scalars import SCALARS
from shine.targets.cuda.device_arrays import DeviceArray, new_array, upload
from shine.targets.cuda.driver import DEFAULT_STREAM, Driver

ROUNDS = 15
SAMPLE = 5e-3  # seconds of work in one sample
WARM = 0.1  # seconds of work before the first
SEED = 21

Run = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A comparison: the seconds of one run of each, and the difference of the results."""

    product: str
    shape: tuple[int, int, int]
    blas: str
    ours: Samples
    theirs: Samples
    error: float

    def facts(self) -> dict[str, object]:
        """The outcome, for a file of results."""
        ratio, spread = ratios(self.ours, self.theirs)
        flop = 2 * np.prod([float(size) for size in self.shape])
        return {
            "product": self.product,
            "shape": list(self.shape),
            "against": self.blas,
            "ours_seconds": self.ours.median,
            "ours_quartiles": list(self.ours.quartiles),
            "theirs_seconds": self.theirs.median,
            "theirs_quartiles": list(self.theirs.quartiles),
            "ours_tflops": flop / self.ours.median / 1e12,
            "speed_over_blas": ratio,
            "speed_over_blas_quartiles": list(spread),
            "relative_difference": self.error,
        }


def opponent(kernel: Kernel) -> Blas:
    """Another kernel in place of cuBLAS."""
    return Blas("the kernel by hand", lambda a, b, c: lambda: kernel(a, b, out=c))


def race(product: Product, blas: Blas, driver: Driver, arch: str) -> Outcome:
    """Build and time a product. Raises ValueError if its result differs from the other's by more than its tolerance."""
    rng = np.random.default_rng(SEED)
    m, k, n = product.shape
    element, result = SCALARS[product.element].dtype, SCALARS[product.result].dtype
    # Random numbers, not zeros: power consumption, and so the clock rate, depends on them.
    a = upload(driver, (rng.random((m, k), np.float32) - 0.5).astype(element))
    b = upload(driver, (rng.random((k, n), np.float32) - 0.5).astype(element))
    mine, other = (new_array(driver, (m, n), result, DEFAULT_STREAM) for _ in range(2))
    kernel = product.build(arch)
    kernel(a, b, out=mine)
    with driver.current(f"{product.name} was timed"):
        theirs = blas.multiply(a, b, other)
        theirs()
    error = worst(mine.numpy().astype(np.float64), other.numpy().astype(np.float64))
    if not error <= product.tolerance:
        raise ValueError(f"expected a difference of at most {product.tolerance:.1e}, found {error:.1e}")
    ours, against = in_turns(driver, lambda: kernel(a, b, out=mine), theirs, mine)
    return Outcome(product.name, product.shape, blas.name, ours, against, error)


def in_turns(driver: Driver, ours: Run, theirs: Run, _alive: DeviceArray) -> tuple[Samples, Samples]:
    """Sample both in every round, in alternating order."""
    runs = (ours, theirs)
    often = [max(1, round(SAMPLE / max(clocked(driver, run, 3), 1e-7))) for run in runs]
    for run, times in zip(runs, often, strict=True):
        clocked(driver, run, max(1, round(times * WARM / SAMPLE)))
    samples: tuple[list[float], list[float]] = ([], [])
    for turn in range(ROUNDS):
        for which in (0, 1) if turn % 2 else (1, 0):
            samples[which].append(clocked(driver, runs[which], often[which]))
    return Samples(tuple(samples[0])), Samples(tuple(samples[1]))


def clocked(driver: Driver, run: Run, times: int) -> float:
    """Seconds of one run, averaged over several consecutive ones on the default stream."""
    with driver.current("a product was timed"):
        start = driver.record(DEFAULT_STREAM)
        for _ in range(times):
            run()
        return driver.seconds(start, driver.record(DEFAULT_STREAM)) / times


def line(outcome: Outcome) -> str:
    """One row for the terminal."""
    ratio, (low, high) = ratios(outcome.ours, outcome.theirs)
    m, k, n = outcome.shape
    tflops = 2 * m * k * n / statistics.median(outcome.ours.seconds) / 1e12
    speed = f"{tflops:.1f} Tflop/s, {ratio:.3f} ({low:.3f}-{high:.3f}) of {outcome.blas}"
    return f"{outcome.product} {m} x {k} x {n}: {speed}"
