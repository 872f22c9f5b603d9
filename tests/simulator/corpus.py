"""Correct kernels: their texts, launches, and expected results by numpy. Independent of findings."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from shine.simulator import Program, Report, SharedArray
from shine.simulator.tensor_maps import arrays_of, copied_arguments

KERNELS = Path(__file__).parent / "kernels"
SCHEDULES = ("ascending", "descending", "random:7")


@dataclass(frozen=True)
class Case:
    """A launch of a kernel of a file. `output` is the argument that it writes; `expected` is what this must contain, in
    any order if `in_any_order`.
    """

    file: str
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: Sequence[Any]
    output: int
    expected: Any
    dynamic_shared: int = 0
    shared_arrays: tuple[SharedArray, ...] = field(default=())
    in_any_order: bool = False

    def text(self) -> str:
        return (KERNELS / self.file).read_text(encoding="utf-8")

    def is_expected(self, result: Any) -> bool:
        if self.in_any_order:
            return np.array_equal(np.sort(result), np.sort(self.expected))
        return np.array_equal(result, self.expected)

    def launch(self, program: Program, schedule: str, seconds: float = 60) -> tuple[Report, Any]:
        arguments = copied_arguments(self.arguments)
        (result,) = arrays_of(arguments[self.output : self.output + 1])
        report = program.launch(
            self.kernel,
            self.grid,
            self.block,
            arguments,
            dynamic_shared=self.dynamic_shared,
            shared_arrays=self.shared_arrays,
            schedule=schedule,
            seconds=seconds,
        )
        return report, result


def cases() -> list[Case]:
    """All correct kernels, on integers, so that results are exact."""
    random = np.random.default_rng(5)
    size = np.int32
    n = 64
    a, b, c = random.integers(-4, 5, (3, n, n)).astype(np.float32)
    half_a, half_b = a.astype(np.float16), b.astype(np.float16)
    x, y = random.integers(-9, 10, (2, 1000)).astype(np.float32)
    whole = random.integers(-9, 10, 3000).astype(np.int32)
    letters = random.integers(0, 256, 3000).astype(np.uint8)
    sizes = [size(n), size(n), size(n)]
    staged = [half_a, half_b, c, np.zeros_like(c), np.float32(2), np.float32(3), *sizes]
    arrays = (
        SharedArray("a_tile", 0, 3072),
        SharedArray("b_tile", 3072, 2304),
        SharedArray("staging", 5376, 4096),
    )
    wide = random.integers(-9, 10, (128, 128)).astype(np.float16)
    counts = np.bincount(letters, minlength=256).astype(np.uint32)
    zeros = np.zeros_like(c)
    return [
        Case("vadd.cu", "vadd", (8,), (128,), [x, y, np.zeros_like(x), size(1000)], 2, x + y),
        Case(
            "copies.cu",
            "turned",
            (1,),
            (16,),
            [x[:256], np.zeros(256, np.float32), size(250), size(4)],
            1,
            np.where(np.arange(256) < 250, x[:256], 0).reshape(4, 64)[:, ::-1].reshape(-1),
        ),
        Case("matmul.cu", "matmul", (4, 4), (16, 16), [a, b, zeros, *sizes], 2, a @ b),
        Case(
            "reduction.cu",
            "reduction",
            (4,),
            (256,),
            [whole, np.zeros(1, np.int32), size(3000)],
            1,
            np.array([whole.sum()]),
        ),
        Case(
            "histogram.cu",
            "histogram",
            (4,),
            (96,),
            [letters, np.zeros(256, np.uint32), size(3000)],
            1,
            counts,
        ),
        Case("transpose.cu", "transpose", (1, 4), (128,), [wide, np.zeros_like(wide), size(128)], 1, wide.T),
        Case("wmma.cu", "gemm", (4, 4), (32,), [half_a, half_b, zeros, *sizes], 2, a @ b),
        Case("wmma_shared.cu", "gemm", (1, 1), (128,), staged, 3, 2 * (a @ b) + 3 * c, 5376 + 4096, arrays),
    ]
