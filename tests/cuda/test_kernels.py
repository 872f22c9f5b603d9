"""Derived kernels are correct under every schedule, need all their barriers, and agree with the interpreter.

Entries are in tests/cuda/entries.py; tests/cuda/test_machine_code.py compiles them for CUDA.
"""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rise
import shine
from cases.case_files import Numbers
from cases.comparison import differences, signature
from shine.imperative.kernels import GpuKernel, GpuProgram
from shine.imperative.nodes import Level
from shine.imperative.walk import body_of, statements
from shine.passes.gpu.effects import Around, effects_of
from shine.passes.gpu.lay_out_shared import overlapping
from tests.cases.shared_bytes import lines_of_entry, listed_of, named
from tests.cuda.entries import ENTRIES, TRIED, WHOLE, WMMA, Entry, at, program
from tests.cuda.kernels import (
    SCHEDULES,
    compiled_at,
    gpu_program,
    inputs,
    launched,
    lowered,
    mistakes,
    poisoned,
    simulated,
    without_each_barrier,
)
from tests.examples import in_whole, some

#: a product with sizes for which the interpreter takes a second or two
INTERPRETED: Final = 60_000
#: a fraction of the profile's examples, since each is slow
MAX_EXAMPLES: Final = max(3, settings.default.max_examples // 16)


@pytest.mark.parametrize(("number", "entry"), some(enumerate(TRIED), 5), ids=str)
def test_the_result_is_that_of_numpy_under_every_schedule(number: int, entry: Entry, cache: Path) -> None:
    """A finding of the check build is raised as an error. Every third entry is run, and the schedules alternate; the
    tests below run others, and `whole` runs all of them under all schedules.
    """
    for schedule in some(SCHEDULES, len(SCHEDULES), first=number // 3):
        assert mistakes(entry, schedule, cache) == [], schedule


@pytest.mark.parametrize("entry", some(TRIED, 25, first=1), ids=str)
def test_a_missing_barrier_is_found(entry: Entry, cache: Path) -> None:
    """Under every schedule; some barriers only if a block runs several iterations of a loop over blocks. Where arrays
    share bytes, the barrier of the block that this needs may leave a barrier of a warp without a purpose.
    """
    for sizes in compiled_at(entry):
        derived, needless = gpu_program(entry, sizes), []
        for barrier, changed in without_each_barrier(derived):
            ways = (
                (at, one_block) for one_block in (False, True) for at in ([sizes] if sizes else entry.sizes)
            )
            if not any(is_missed(changed, entry, *way, cache) for way in ways):
                needless.append(barrier)
        shares = any(len(group) > 1 for one in derived.kernels for group in overlapping(one.shared))
        assert len(needless) <= shares and all(one.scope == "warp" for one in needless), needless


def is_missed(changed: GpuProgram, entry: Entry, sizes: Numbers, one_block: bool, cache: Path) -> bool:
    """Whether there are races or uninitialised reads; the same under all schedules."""
    kinds = [
        {one.kind for one in launched(changed, entry, sizes, schedule, cache, one_block)[1]}
        for schedule in some(SCHEDULES, 2)
    ]
    assert all(bool(found) == bool(kinds[0]) and found <= {"race", "uninitialised"} for found in kinds), kinds
    return bool(kinds[0])


@pytest.mark.parametrize("entry", some(TRIED, 7, 1), ids=str)
def test_blocks_may_run_several_iterations(entry: Entry, cache: Path) -> None:
    sizes = entry.sizes[0]
    made = gpu_program(entry, () if entry.is_symbolic else sizes)
    usual, one_block = (launched(made, entry, sizes, "descending", cache, few) for few in (False, True))
    assert usual[1] == one_block[1] == []
    np.testing.assert_equal(one_block[0], usual[0])


def test_kernels_with_shared_memory_have_barriers() -> None:
    """Each kernel with shared memory has at least one barrier before it reads, and one before it writes again, if it
    does.
    """
    needed = []
    for entry in TRIED:
        for sizes in compiled_at(entry):
            made = gpu_program(entry, sizes)
            needed.append(max(bool(kernel.shared) + writes_again(kernel) for kernel in made.kernels))
            assert len(list(without_each_barrier(made))) >= needed[-1], entry
    assert needed.count(2) > len(needed) / 2


def writes_again(kernel: GpuKernel) -> bool:
    """Whether a kernel writes to shared memory in a loop that a block runs several times."""
    return any(
        effect.kind == "write" and effect.buffer.space == "Shared"
        for statement, loops in statements(kernel.body)
        if any(not isinstance(loop.kind, Level) for loop in loops)
        for effect in ([] if body_of(statement) else effects_of(statement, Around(None)))
    )


def test_kernels_take_the_shared_memory_that_is_listed() -> None:
    for entry in TRIED:
        for sizes in compiled_at(entry):
            assert lines_of_entry(entry, sizes) == listed_of(named(entry, sizes)), (
                "`python -m tests.cases.shared_bytes`"
            )


def work(sizes: Numbers) -> int:
    """Roughly the number of elements that a program processes."""
    return prod(size for _, size in sizes)


SMALL: Final = [(entry, least) for entry in TRIED if work(least := min(entry.sizes, key=work)) <= INTERPRETED]


@in_whole("test_the_result_is_that_of_numpy_under_every_schedule")
@pytest.mark.parametrize(("entry", "sizes"), some(SMALL, 17, first=3), ids=str)
def test_the_interpreter_agrees(entry: Entry, sizes: Numbers, cache: Path) -> None:
    """The same term, with levels as loops in shuffled order, and fragments as arrays."""
    open_sizes = () if entry.is_symbolic else sizes
    low = rise.specialise(lowered(entry), **dict(open_sizes))
    _, result = signature(program(entry.program), sizes)
    arguments = inputs(entry, sizes, "digits")
    outputs = [poisoned(result), poisoned(result)]
    shine.compile(low, target="interpret")(*arguments, out=outputs[0])
    simulated(entry, open_sizes, "ascending", cache)(*arguments, out=outputs[1])
    if entry.is_exact:
        np.testing.assert_equal(*outputs)
    else:
        assert all(differences(one, entry.answer(*arguments), result) == [] for one in outputs)


SIDES: Final = st.sampled_from((1, 2))


@st.composite
def products(draw: st.DrawFn) -> Entry:
    """A matrix product in tiles of any sizes that fit, at sizes of a few tiles."""
    name = draw(
        st.sampled_from(
            sorted(
                {
                    one.program
                    for one in ENTRIES
                    if one.strategy == WMMA
                    and one not in WHOLE
                    and "tf32" not in one.params
                    and "random" in one.kinds  # other results are rounded
                }
            )
        )
    )
    transposed = name in ("right transposed", "both transposed")
    shapes = [(16, 16), (8, 32), *([(32, 8)] if transposed else [])]
    m, n = draw(st.sampled_from(shapes))
    warp_rows, warp_columns, depth = m * draw(SIDES), n * draw(SIDES), 16 * draw(SIDES)
    rows, columns = warp_rows * draw(SIDES), warp_columns * draw(SIDES)
    if name in ("gemm_left_transposed", "both transposed"):
        rows, warp_rows = 16 * rows // m, 16 * warp_rows // m
        m, n = 16, 16
    tile = {
        "rows": rows,
        "columns": columns,
        "depth": depth,
        "warp_rows": warp_rows,
        "warp_columns": warp_columns,
    }
    copies = {"vector": draw(st.sampled_from((1, 2, 4, 8))), "room": draw(st.sampled_from((0, 8, 16)))}
    blocks = [draw(st.integers(1, 3)) for _ in range(3)]
    sizes = at(M=rows * blocks[0], N=columns * blocks[1], K=depth * blocks[2])
    more = at(P=2) if name == "batched" else ()
    return Entry(name, WMMA, tile | {"m": m, "n": n} | copies, (sizes + more,), draw(st.booleans()), "sm_80")


@in_whole("test_the_result_is_that_of_numpy_under_every_schedule")
@settings(max_examples=MAX_EXAMPLES)
@given(entry=products(), schedule=st.sampled_from(("descending", "random:3", "random:4")))
def test_any_tile_that_fits_is_correct(entry: Entry, schedule: str, cache: Path) -> None:
    assert mistakes(entry, schedule, cache) == []
