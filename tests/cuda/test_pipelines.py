"""Pipelined kernels are correct for every remainder under every schedule, and need each wait, group, barrier and
slot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import strategies
from elevate import Strategy, Success
from rise.naturals import const
from shine.imperative.kernels import GpuProgram
from shine.imperative.nodes import AwaitCopies, Barrier, If
from shine.imperative.walk import statements
from shine.passes.gpu import make_kernels
from shine.targets.cuda.module import CudaModule
from shine.targets.cuda.printer import print_program
from shine.translate import GPU_LEVELS, translate
from strategies.parts.pipelines import pipelined, pipelinedCopies
from strategies.parts.staging import asynchronousCopies
from tests.cuda.entries import ENTRIES, WMMA, Entry, program
from tests.cuda.kernels import mistakes
from tests.examples import THOROUGH, in_whole, some
from tests.shine.targets.cuda.simulation import simulate

MMA_SYNC: Final = "strategies.tensor_core:mmaSync"
GOLDEN: Final = Path(__file__).resolve().parents[1] / "golden" / "gemm_pipelined.cu"
SCHEDULES: Final = ("ascending", "descending", *(f"random:{seed}" for seed in range(1, 9 if THOROUGH else 3)))
STAGES: Final = (2, 3, 4) if THOROUGH else (2, 3)
#: rows that threads read in another order than they copied them; each element of the result is computed by one block
MIXED: Final = """val main = fun(xs: P.N.64.f32 => xs |> mapBlock(1, fun(rows => rows
  |> reducePipe(S, fun(row => toMem(Shared, row |> mapThreads(0, fun(x => globalToShared(x))))),
     fun(acc, row => zip(acc, row |> split(8) |> transpose |> join)
       |> mapThreads(0, fun(p => 2.0 * fst(p) + snd(p)))),
     generate(fun(i: idx[64] => 0.0)) |> mapThreads(0, fun(x => x)))
  |> mapThreads(0, fun(x => x)))))"""
TILE: Final = {"rows": 32, "columns": 32, "depth": 16, "warp_rows": 16, "warp_columns": 16}


def kernels(low: rise.Expr, arch: str = "sm_80") -> GpuProgram:
    return make_kernels(translate(low, "kernel", GPU_LEVELS), arch)


@cache
def mixed(stages: int) -> GpuProgram:
    """The kernel of `MIXED`."""
    return kernels(rise.parse(MIXED.replace("(S,", f"({stages},")).main)


@cache
def product(stages: int, fragments: int = 1, strategy: str = WMMA, **more: int) -> GpuProgram:
    """A matrix product on tensor cores; with a pipeline of `fragments` stages in each step, which loads from shared
    memory.
    """
    return kernels(lowered_product(stages, fragments, strategy, **more))


def lowered_product(stages: int, fragments: int = 1, strategy: str = WMMA, **more: int) -> rise.Expr:
    """The lowered program of such a product."""
    tiles = strategies.load(strategy, **{**TILE, "stages": stages, **more})
    result = (tiles >> pipelined(fragments) if fragments > 1 else tiles)(program("gemm"))
    assert isinstance(result, Success), result.explain()
    low: rise.Expr = result.program
    return low


def printed(made: GpuProgram, one_block: bool = False) -> CudaModule:
    """The text. With `one_block`, one block does the work of all blocks along y, one tile after the other."""
    module = print_program(made, "sm_80", wide=False)
    if not one_block:
        return module
    few = (
        replace(one, grid=tuple(const(1) if d != 0 else one.grid[d] for d in range(3)))
        for one in module.kernels
    )
    if len(made.kernels[0].launch.grid) and made.kernels[0].launch.grid[1].constant == 1:
        few = (replace(one, grid=(one.grid[0], const(1), one.grid[2])) for one in module.kernels)
    return replace(module, kernels=tuple(few))


def rows_of(count: int) -> tuple[Any, Any]:
    """Rows for `MIXED`, and its result."""
    xs = np.random.default_rng(count).integers(-3, 4, (3, count, 64)).astype(np.float32)
    order = np.arange(64).reshape(8, 8).T.reshape(-1)
    expected = np.zeros((3, 64), np.float32)
    for k in range(count):
        expected = 2 * expected + xs[:, k, order]
    return xs, expected


def factors(rows: int, depth: int, columns: int = 32) -> tuple[list[Any], Any]:
    """The arguments of a product, and its result."""
    rng = np.random.default_rng(depth)
    a, b, c = (rng.integers(-3, 4, shape) for shape in ((rows, depth), (depth, columns), (rows, columns)))
    given = [np.float32(2), np.float32(3), a.astype(np.float16), b.astype(np.float16), c.astype(np.float32)]
    return given, (2 * (a @ b) + 3 * c).astype(np.float32)


def sizes(**given: int) -> dict[str, int]:
    return given


@pytest.mark.parametrize("stages", some(STAGES, 2))
def test_every_remainder_under_every_schedule(stages: int, cache: Path) -> None:
    """No row, fewer rows than are loaded before the loop, each remainder, and several tiles for one block."""
    made = mixed(stages)
    for one_block in (False, True):
        module = printed(made, one_block)
        for count in range(2 * stages + 2):
            xs, expected = rows_of(count)
            for schedule in some(SCHEDULES, len(SCHEDULES), first=count + one_block):
                (found,), findings = simulate(
                    module, made, sizes(P=3, N=count), [xs], cache, check=True, schedule=schedule
                )
                assert findings == [], (one_block, count, schedule)
                np.testing.assert_array_equal(found.reshape(3, 64), expected)


@pytest.mark.parametrize(
    "params",
    some(
        some(
            [
                *some([{"stages": 3}, {"stages": 3, "strategy": MMA_SYNC}], 2, first=1),
                {"stages": 2, "depth": 48, "fragments": 2},
                {"stages": 4, "edges": 1},
                {"stages": 2, "vector": 1},
                {"stages": 2, "strategy": MMA_SYNC, "edges": 1},
            ],
            2,
        ),
        2,
    ),
    ids=str,
)
def test_products_under_every_schedule(params: dict[str, Any], cache: Path) -> None:
    """With asynchronous copies, and with stores, of partial tiles and of single numbers; with fragments that are loaded
    ahead of their products; and with both families of matrix instructions, which take turns if tiles are whole.
    """
    made = product(**params)
    stages, depth = params["stages"], params.get("depth", 16)
    modules = {one_block: printed(made, one_block) for one_block in (False, True)}
    for steps in some(range(2 * stages + 2), 5, first=stages):
        for one_block, module in some(modules.items(), 2, first=steps + stages):
            given, expected = factors(64, depth * steps)
            for schedule in some(SCHEDULES, len(SCHEDULES), first=steps // 2):
                (found,), findings = simulate(
                    module,
                    made,
                    sizes(M=64, N=32, K=depth * steps),
                    given,
                    cache,
                    check=True,
                    schedule=schedule,
                )
                assert findings == [], (one_block, steps, schedule)
                np.testing.assert_array_equal(found.reshape(64, 32), expected)


@in_whole("test_products_under_every_schedule")
@pytest.mark.parametrize(
    "entry", some([one for one in ENTRIES if one.strategy == WMMA], 13, first=3), ids=str
)
def test_products_with_epilogues_and_layouts(entry: Entry, cache: Path) -> None:
    """Epilogues, transposed factors, batches, bf16 and other shapes, with three stages."""
    piped = replace(entry, params={**entry.params, "stages": 3})
    for schedule in some(SCHEDULES, 3):
        assert mistakes(piped, schedule, cache) == [], schedule


@in_whole("test_products_under_every_schedule")
def test_partial_tiles_are_copied_asynchronously_if_rows_allow_it(cache: Path) -> None:
    """If rows are multiples of 8 numbers, 16 bytes are copied, or zeros are written; otherwise numbers are stored one
    by one.
    """
    for turn, (columns, steps, expected_copies) in enumerate(((40, 24, "AB"), (41, 24, "A"), (40, 23, "B"))):
        fixed = rise.specialise(lowered_product(stages=2, edges=1), M=33, N=columns, K=steps)
        made = kernels(fixed)
        module = printed(made)
        copied = re.findall(r"memcpy_async\(&([AB])_tile.*, 16, .* \? 0 : 16\)", module.source)
        stored = re.findall(r"&([AB])_tile\[.*\]\) = .*vec<__half, 8>\{\{", module.source)
        assert set(copied) == set(expected_copies)
        assert set(stored) == {"A", "B"} - set(copied)
        given, expected = factors(33, steps, columns)
        for schedule in some(SCHEDULES, len(SCHEDULES), first=turn):
            (found,), findings = simulate(module, made, {}, given, cache, check=True, schedule=schedule)
            assert findings == [], (columns, steps, schedule)
            np.testing.assert_array_equal(found.reshape(33, columns), expected)


def test_only_asynchronous_copies_form_groups() -> None:
    """If nothing is copied asynchronously, there are no groups to wait for."""
    assert "__pipeline" not in printed(product(stages=2, edges=1)).source


WAIT: Final = re.compile(r"__pipeline_wait_prior\((\d+)\)")
TILE_AT: Final = re.compile(r"(xs_tile)\[([^\]]*)\]")


def mutants(text: str, stages: int) -> Iterator[tuple[str, str]]:
    """The text of `MIXED` with one wait, group, barrier, guard or slot broken, for each of them."""
    lines = text.split("\n")

    def changed(at: int, *new: str) -> str:
        return "\n".join([*lines[:at], *new, *lines[at + 1 :]])

    for at, line in enumerate(lines):
        wait = WAIT.search(line)
        if wait:
            yield f"{at}: no wait", changed(at)
            yield (
                f"{at}: one group more in flight",
                changed(at, f"__pipeline_wait_prior({int(wait[1]) + 1});"),
            )
            barrier = next(k for k in range(at, len(lines)) if "__syncthreads" in lines[k])
            yield (
                f"{at}: wait behind the barrier",
                "\n".join([*lines[:at], *lines[at + 1 : barrier + 1], line, *lines[barrier + 1 :]]),
            )
        if "__pipeline_commit" in line:
            yield f"{at}: no group", changed(at)
        if "__syncthreads" in line:
            yield f"{at}: no barrier", changed(at)
        if re.search(r"if \(.*< N\)", line):
            yield f"{at}: no guard", changed(at, "{")
        if TILE_AT.search(line) and "__shared__" not in line:
            moved = TILE_AT.sub(rf"\1[(\2 + 64) % {64 * stages}]", line)
            yield f"{at}: next slot", changed(at, moved)


@pytest.mark.parametrize("stages", some(STAGES, 2))
def test_a_broken_part_is_found(stages: int, cache: Path) -> None:
    """A broken part causes a finding or a wrong result at some size, with all blocks or with one."""
    made = mixed(stages)
    whole = printed(made)
    broken = list(mutants(whole.source, stages))
    assert len(broken) >= 8 * stages
    survivors = [
        what
        for what, text in some(broken, 5, first=stages)
        if not any(is_found(made, text, count, few, cache) for count, few in trials(stages))
    ]
    assert survivors == []


def trials(stages: int) -> Iterator[tuple[int, bool]]:
    for count in (2 * stages + 1, 3 * stages - 1, stages, 1, 0):
        yield from ((count, few) for few in (True, False))


def is_found(made: GpuProgram, text: str, count: int, one_block: bool, cache: Path) -> bool:
    """Whether a broken text has findings, or a wrong result."""
    xs, expected = rows_of(count)
    module = replace(printed(made, one_block), source=text)
    (found,), findings = simulate(
        module, made, sizes(P=3, N=count), [xs], cache, check=True, schedule="descending"
    )
    return bool(findings) or not np.array_equal(found.reshape(3, 64), expected)


@pytest.mark.parametrize("stages", some([2, 4, 3, 6], 5))
def test_the_numbers_of_waits_and_barriers_are_minimal(stages: int) -> None:
    """Waiting for one more group would only be slower, so the exact numbers are stated: in each step, and before the
    remaining steps, all groups but `stages - 2`; a barrier before the first loads, in each step, and before the
    remaining steps.
    """
    products = [product(stages), product(stages, fragments=2, depth=64)] if THOROUGH or stages == 3 else []
    for made in (mixed(stages), *products):
        text = printed(made).source
        assert [int(prior) for prior in WAIT.findall(text)] == [stages - 2] * stages + [0]
        assert text.count("__pipeline_commit") == 2 * stages - 1
        assert text.count("__syncthreads") == 1 + stages + 1
        guarded = [one for one, _ in statements(made.kernels[0].body) if isinstance(one, If)]
        assert len(guarded) >= 2 * (stages - 1)
        for condition in guarded:
            inside = [one for one, _ in statements(condition.body)]
            assert not any(isinstance(one, Barrier | AwaitCopies) for one in inside)


def test_one_stage_is_the_loop_without_a_pipeline() -> None:
    """The lines are the same, except for the order of the two copies of a step, and numbers in names."""

    def lines(strategy: Strategy) -> list[str]:
        result = strategy(program("gemm"))
        assert isinstance(result, Success)
        return sorted(
            re.sub(r"i_x_\d+_turn", "turn", line)
            for line in printed(kernels(result.program)).source.split("\n")
        )

    plain = strategies.load(WMMA, depth=32, rows=64)
    assert lines(plain >> pipelinedCopies(1)) == lines(plain >> asynchronousCopies)
    assert "pipeline" not in printed(product(1)).source


def test_the_text_of_a_pipelined_product() -> None:
    """The product of the documentation, with three stages. `python -m tests.cuda.test_pipelines` writes it."""
    assert text_of_product() == GOLDEN.read_text(encoding="utf-8")


def text_of_product() -> str:
    result = strategies.load(WMMA, stages=3)(program("gemm"))
    assert isinstance(result, Success)
    return printed(kernels(result.program)).source


if __name__ == "__main__":
    GOLDEN.write_text(text_of_product(), encoding="utf-8")
