"""A whole strategy returns a program that its target compiles, or fails with the reason. Independent of rules.

Only cases are tried for which this was once not true; `make deep` tries all.
"""

from __future__ import annotations

from typing import Final

import pytest

import rise
import strategies
from elevate import Failure, Strategy, Success
from rise.diagnostics import RiseError
from shine.passes.gpu import make_kernels
from shine.translate import translate
from shine.translate.context import CPU_LEVELS, GPU_LEVELS
from tests.cases.stages import CASES, program
from tests.examples import THOROUGH, some

ON_PROCESSORS: Final = (
    "sequential:sequential",
    "openmp:parallel",
    "openmp:depTiled",
    *(f"cpu_gemm:{name}" for name in ("baseline", "blocking", "parallel", "microKernel", "packed")),
    *(f"images:{name}" for name in ("naive", "separated", "scanline", "cbuf", "cbufRot")),
    *(f"images:{name}" for name in ("vectorised", "parallel")),
    *(f"streaming:{name}" for name in ("circularBuffers", "rotatedValues")),
)
ON_GPUS: Final = (
    *(f"gpu:{name}" for name in ("blocksAndThreads", "productTiles", "onePerElement", "rowsOnThreads")),
    *(f"gpu_reductions:{name}" for name in ("reduceOnBlocks", "scanOnBlocks")),
    *(f"tensor_core:{name}" for name in ("tensorCore", "wmma", "mmaSync")),
    "stencils:tileStencil",
)
#: windows that are read with other arrays, rows with their own lengths, tiles after an offset
ONCE_REFUSED: Final = (
    ("streaming:circularBuffers", "unsharp"),
    ("streaming:rotatedValues", "grad2d"),
    ("openmp:depTiled", "haar"),
    ("gpu_reductions:reduceOnBlocks", "ragged_sums"),
    ("gpu_reductions:scanOnBlocks", "csr_mv"),
    ("cpu_gemm:baseline", "ragged_shares"),
    ("images:cbufRot", "binomial"),
    ("images:cbufRot", "unsharp"),
    ("images:parallel", "grad2d"),
    ("images:cbuf", "harris"),
    ("images:cbufRot", "harris"),
)
PAIRS: Final = (
    [(strategy, case.name) for strategy in (*ON_PROCESSORS, *ON_GPUS) for case in CASES]
    if THOROUGH
    else list(ONCE_REFUSED)
)
#: programs without explicit parameters, and the operations around a pattern
POINT_FREE: Final = (
    "val main = map(fun(x: f32 => x + 1.0))",
    "val main = map(map(fun(x: f32 => x + 1.0)))",
    "val main = fun(a: f32 => map(add(a)))",
    "val main = fun(a: N.f32 => zip(a) >> map(fun(x: f32, y: f32 => x * y)))",
    "val main = reduce(fun(a: f32, b: f32 => a + b), 0.0)",
    "val main = transpose",
    "val main = depMap(fun(i: nat, row: (i + 1).f32 => reduce(add, 0.0, row)))",
)


def load(name: str) -> Strategy:
    return strategies.load(f"strategies.{name}")


def translated(low: rise.Expr, name: str) -> None:
    """Translate a program. Raises RiseError if the target of a strategy rejects it."""
    levels = GPU_LEVELS if name in ON_GPUS else CPU_LEVELS
    procedure = translate(low, "kernel", levels)
    if name in ON_GPUS:
        make_kernels(procedure, "sm_90")


@pytest.mark.parametrize(("name", "case"), some(PAIRS, 2))
def test_results_of_strategies_can_be_compiled(name: str, case: str) -> None:
    found = load(name)(program(next(one for one in CASES if one.name == case)))
    if isinstance(found, Failure):
        assert str(found.explain())
        return
    try:
        translated(found.program, name)
    except RiseError as error:
        if error.diagnostic.code != "shared-size":  # a tile whose size is symbolic in the program
            raise


@pytest.mark.parametrize(("name", "case"), ONCE_REFUSED[:2] + ONCE_REFUSED[3:5])
def test_programs_that_cannot_be_compiled_fail_with_the_reason(name: str, case: str) -> None:
    found = load(name)(program(next(one for one in CASES if one.name == case)))
    assert isinstance(found, Failure)
    tree = found.explain()
    hints = [leaf.hint for leaf in tree.leaves() if leaf.hint]
    assert "expected " in str(tree) and "found " in str(tree)
    assert any(hint.startswith("choose ") for hint in hints) or ": choose " in str(tree)


@pytest.mark.parametrize(("name", "case"), ONCE_REFUSED[6:])
def test_windows_that_no_loop_takes_in_order_are_read_at_their_places(name: str, case: str) -> None:
    assert isinstance(load(name)(program(next(one for one in CASES if one.name == case))), Success)


def test_tiles_after_an_offset_run_on_threads() -> None:
    found = load("openmp:depTiled")(program(next(one for one in CASES if one.name == "haar")))
    assert isinstance(found, Success) and rise.show(found.program).count("depMapPar") == 2


@pytest.mark.parametrize("text", POINT_FREE)
@pytest.mark.parametrize("name", ["sequential:sequential", "openmp:parallel", "gpu:blocksAndThreads"])
def test_programs_need_no_explicit_parameters(name: str, text: str) -> None:
    e = rise.parse(text).main
    if "{t" in str(e.type):
        e = rise.specialise(e, t="f32")
    found = load(name)(e)
    assert isinstance(found, Success)
    translated(found.program, name)
