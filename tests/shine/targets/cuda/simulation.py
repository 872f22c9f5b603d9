"""Printed programs run on the simulator. Independent of programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rise.natural_values import evaluate_natural
from rise.naturals import Atom
from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.imperative.kernels import GpuProgram
from shine.imperative.nodes import Buffer
from shine.simulator import Finding, Program, SharedArray, build
from shine.targets.cuda.module import Argument, CudaModule, PointerArgument, ScalarArgument, SizeArgument


@lru_cache(maxsize=16)
def _built(source: str, check: bool, cache: Path) -> Program:
    """The program of a text, which tests run several times: looking up a text that is built takes 20 ms."""
    return build(source, check=check, cache=cache)


def simulate(
    module: CudaModule,
    program: GpuProgram,
    sizes: Mapping[str, int],
    inputs: Sequence[Any],
    cache: Path,
    check: bool = False,
    schedule: str = "ascending",
) -> tuple[list[Any], list[Finding]]:
    """The contents of a program's output arrays, which are initialised with zeros, and the findings."""
    built = _built(module.source, check, cache)
    procedure = program.procedure
    at: dict[Atom, int] = {size: sizes[size.name] for size in procedure.sizes}
    arrays: dict[Buffer, Any] = {}
    given = [buffer for parameter in procedure.inputs for buffer in parameter.buffers]
    for buffer, value in zip(given, inputs, strict=True):
        arrays[buffer] = np.array(value).reshape(-1)
    for buffer in (*module.temporaries, *procedure.output.buffers):
        assert isinstance(buffer.element, ScalarType)
        arrays[buffer] = np.zeros(evaluate_natural(buffer.size, at), SCALARS[buffer.element.name].dtype)

    def passed(argument: Argument) -> Any:
        match argument:
            case PointerArgument(buffer):
                return arrays[buffer]
            case ScalarArgument(buffer):
                return arrays[buffer][0]
            case SizeArgument(size, bits):
                return np.int64(at[size]) if bits == 64 else np.int32(at[size])

    findings: list[Finding] = []
    for kernel in module.kernels:
        grid = [int(evaluate_natural(extent, at)) for extent in kernel.grid]
        if 0 in grid:
            continue  # without blocks: CUDA rejects such a launch, and launchers omit it
        report = built.launch(
            kernel.name,
            grid,
            kernel.block,
            [passed(argument) for argument in kernel.arguments],
            dynamic_shared=kernel.shared_bytes,
            shared_arrays=[SharedArray(one.name, one.offset, one.bytes, one.within) for one in kernel.shared],
            schedule=schedule,
        )
        findings += report.findings
    return [arrays[buffer] for buffer in procedure.output.buffers], findings
