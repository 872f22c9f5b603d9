"""Kernels printed by this project, as subjects of mutation: derived kernels, and cases under the default strategy."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cases.case_files import Case
from cases.comparison import signature
from cases.inputs import some_input
from shine.kernel import make_kernel
from shine.translate import GPU_LEVELS, translate
from tests.cases import stages as of_cases
from tests.cuda.entries import COPYING, ENTRIES, Entry
from tests.cuda.entries import program as program_of
from tests.cuda.kernels import compiled_at, inputs, poisoned, simulated
from tests.simulator.mutation import Subject, recorded

#: one entry of each kind of kernel: (program, beginning of its description)
KINDS = (
    ("gemm", "gemm wmma(rows=32,columns=32"),
    ("gemm_bias", "gemm_bias wmma(rows=16"),
    ("gemm", "gemm mmaSync"),
    ("right transposed", "right transposed mmaSync"),
    ("halves", "halves mmaSync"),
    ("mm", "mm productTiles(rows=16,columns=32,depth=8)"),
    ("mm_left_transposed", "mm_left_transposed productTiles(rows=32"),
    ("jacobi", "jacobi tileStencil"),
    ("softmax", "softmax onePerElement"),
)


def entries() -> tuple[Entry, ...]:
    """Derived kernels: one of each kind, and those that copy asynchronously."""
    found = [next(one for one in ENTRIES if str(one).startswith(start)) for _, start in KINDS]
    return (*found, *COPYING)


def of_entry(entry: Entry, folder: Path) -> Subject:
    """The launches of a derived kernel at its first sizes."""
    sizes = entry.sizes[0]
    kernel = simulated(entry, compiled_at(entry)[0] if not entry.is_symbolic else (), "ascending", folder)
    _, result = signature(program_of(entry.program), sizes)
    arguments = inputs(entry, sizes, "digits")
    return recorded(f"printed: {entry}", partial(kernel, *arguments, out=poisoned(result)))


def of_case(case: Case, folder: Path) -> Subject | None:
    """The launches of a case under the default strategy at its last sizes; None if it launches nothing."""
    sizes = case.sizes[-1]
    parameters, _ = signature(of_cases.program(case), sizes)
    rng = np.random.default_rng(zlib.crc32(f"{case}".encode()))
    arguments: Sequence[Any] = [some_input(case.inputs[0], rng, at) for at in parameters]
    low = of_cases.lowered(case, "cuda-sim")
    if not case.is_symbolic:
        low = of_cases.rise.specialise(low, **dict(sizes))
    kernel = make_kernel(translate(low, case.name, GPU_LEVELS), "cuda-sim", check=True, cache=str(folder))
    subject = recorded(f"printed: {case}", partial(kernel, *arguments))
    return subject if subject.launches else None
