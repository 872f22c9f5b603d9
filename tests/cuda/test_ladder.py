"""The ten steps from a naive matrix product to a fast one: each is correct, and adds its idea to the previous one."""

from __future__ import annotations

import json
from functools import cache
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from benchmarks.ladder import COLUMNS, STEPS
from strategies import registry
from strategies.tensor_core import ladder
from tests.cuda.entries import TEXTS
from tests.cuda.kernels import SCHEDULES
from tests.examples import in_whole, some

CASES: Final = Path(__file__).resolve().parents[2] / "cases"
RESULTS: Final = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
LADDER: Final = "strategies.tensor_core.ladder"
SMALL: Final = {"rows": 32, "columns": 32, "depth": 16, "warp_rows": 16, "warp_columns": 16, "stages": 3}
#: what the text of a step contains, and that of the previous step does not
NEW: Final = {
    "fragmentPerWarp": "mma_sync",
    "warpsPerBlock": "__launch_bounds__(128)",
    "fragmentsPerWarp": "b_fragment[2]",
    "sharedTiles": "__shared__",
    "vectorCopies": "vec<__half, 8>",
    "paddedRows": "a_tile[768]",
    "knownLanes": "ldmatrix",
    "asynchronousTiles": "__pipeline_memcpy_async",
    "pipelinedTiles": "__pipeline_wait_prior(1)",
}


@cache
def lowered(step: str, program: str = "gemm_plain") -> rise.Expr:
    """The program lowered by a step with small tiles; the fourth step has two fragments per warp."""
    made = getattr(ladder, step)
    names = signature(made).parameters if callable(made) and step != STEPS[0] else ()
    sizes = SMALL | ({"warp_columns": 32} if step == "fragmentsPerWarp" else {})
    strategy = strategies.load(f"{LADDER}:{step}", **{name: sizes[name] for name in names})
    text = TEXTS[program][0] if program in TEXTS else (CASES / f"{program}.rise").read_text(encoding="utf-8")
    result = strategy(rise.parse(text).main)
    assert isinstance(result, elevate.Success), result.explain()
    low: rise.Expr = result.program
    return low


@cache
def compiled(step: str, schedule: str, cache: Path) -> shine.Kernel:
    """The check build of a step's kernel."""
    return shine.compile(lowered(step), target="cuda-sim", check=True, schedule=schedule, cache=str(cache))


def schedules(step: str) -> list[str]:
    """The schedules under which a step is run: one, and in `make whole` all of them."""
    return some(SCHEDULES, len(SCHEDULES), first=STEPS.index(step))


@pytest.mark.parametrize("step", some(STEPS, 5))
def test_each_step_is_correct(step: str, cache: Path) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((64, 48), (48, 32)))
    for schedule in schedules(step):
        kernel = compiled(step, schedule, cache)
        np.testing.assert_array_equal(kernel(a, b), a.astype(np.float32) @ b.astype(np.float32))


def test_each_step_adds_its_optimisation(cache: Path) -> None:
    texts = {step: compiled(step, schedules(step)[0], cache).source for step in STEPS}
    for before, step in pairwise(STEPS):
        assert NEW[step] in texts[step] and NEW[step] not in texts[before], step


@in_whole("test_each_step_is_correct")
@pytest.mark.parametrize("step", some(STEPS[2:], 3))
def test_steps_have_epilogues_and_transposed_factors(step: str) -> None:
    assert "output" in shine.compile(lowered(step, "both transposed"), target="cuda-sim").source


def test_the_last_step_is_the_strategy_with_a_pipeline() -> None:
    text = (CASES / "gemm_plain.rise").read_text(encoding="utf-8")
    made = strategies.load("strategies.tensor_core:mmaSync", **SMALL)
    assert made(rise.parse(text).main).program == lowered("pipelinedTiles")


def test_the_ladder_has_ten_steps() -> None:
    listed = [name for name in registry.strategies() if name.startswith(f"{LADDER}:")]
    assert listed == [f"{LADDER}:{step}" for step in STEPS] and len(listed) == 10


def test_the_page_shows_the_counts_of_the_results() -> None:
    rows = json.loads((RESULTS / "ladder.json").read_text(encoding="utf-8"))["tables"][0]["rows"]
    page = (RESULTS.parents[1] / "docs" / "tensor_cores.md").read_text(encoding="utf-8")
    for row in rows:
        found = dict(zip(COLUMNS, row, strict=True))
        number, step = found["step"].split()
        instructions = found["all per product"]
        line = next(one for one in page.split("\n") if one.startswith(f"| {number} `{step}`"))
        shown, loaded, registers = (part.strip() for part in line.split("|")[2:5])
        assert (float(shown), loaded, registers) == (
            float(instructions),
            found["bytes from L2 per product"],
            found["registers"],
        )
