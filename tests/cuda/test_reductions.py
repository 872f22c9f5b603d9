"""Derived reductions and scans are correct under every schedule, need all their barriers, and compile without spills.

They use atomic updates, shuffles and trees in shared memory, in one block, on the grid, and with a block for each row.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
import shine
from cases.answers import ANSWERS
from cases.comparison import differences, signature
from cases.inputs import some_input
from rise.diagnostics import RiseError
from tests import required_tools
from tests.cuda.compilation import compiled_together
from tests.cuda.entries import Entry, at, program
from tests.cuda.kernels import (
    SCHEDULES,
    gpu_program,
    launched,
    lowered,
    mistakes,
    printed,
    without_each_barrier,
)
from tests.examples import in_whole, some

ON_BLOCKS: Final = "strategies.gpu_reductions:reduceOnBlocks"
#: 0, 1, a prime, more than one block, more blocks than threads per block
LENGTHS: Final = tuple(at(N=size) for size in (0, 1, 97, 128, 1031, 8500))
ROWS: Final = tuple(at(M=rows, N=size) for rows, size in ((0, 3), (1, 1), (3, 0), (5, 19), (2, 64), (3, 211)))
TWO_WARPS: Final = {"threads": 64, "items": 2}
ONE_WARP: Final = {"threads": 32, "items": 3}
UPDATES: Final = {"threads": 64, "items": 2, "atomic": 1}
FLOATS: Final = ("random", "zeros", "negative", "large")


def entry(name: str, params: dict[str, int], sizes: object, kinds: tuple[str, ...] = FLOATS) -> Entry:
    assert isinstance(sizes, tuple)
    return Entry(name, ON_BLOCKS, params, sizes, kinds=kinds, is_exact=False)


ENTRIES: Final = (
    entry("dot", TWO_WARPS, LENGTHS),
    entry("dot", ONE_WARP, LENGTHS),
    entry("asum", UPDATES, LENGTHS),
    entry("min_max", TWO_WARPS, LENGTHS, (*FLOATS, "nans")),
    entry("min_max", UPDATES, LENGTHS, (*FLOATS, "nans")),
    entry("mean_variance", TWO_WARPS, LENGTHS[:5]),
    entry("argmax", TWO_WARPS, LENGTHS, ("random", "zeros", "whole")),
    entry("prefix_sum", TWO_WARPS, LENGTHS, ("random", "edges")),
    entry("prefix_sum", ONE_WARP, LENGTHS, ("random", "large")),
    entry("rolling_hash", TWO_WARPS, LENGTHS, ("random", "edges")),
    entry("running_totals", TWO_WARPS, ROWS),
    entry("softmax", TWO_WARPS, ROWS, ("random", "zeros", "negative")),
    entry("gemv", ONE_WARP, ROWS),
    entry(
        "histogram",
        TWO_WARPS,
        tuple(at(B=bins, N=size) for bins, size in ((1, 1), (3, 0), (4, 300))),
        ("random",),
    ),
)


@pytest.mark.parametrize(("number", "one"), some(enumerate(ENTRIES), 9, 1), ids=str)
def test_the_result_is_that_of_numpy_under_every_schedule(number: int, one: Entry, cache: Path) -> None:
    """A finding of the check build is raised as an error. The schedules alternate."""
    for schedule in some(SCHEDULES, len(SCHEDULES), number // 5):
        assert mistakes(one, schedule, cache) == [], schedule


@pytest.mark.parametrize("one", some(ENTRIES, 13, 3), ids=str)
def test_a_missing_barrier_is_found(one: Entry, cache: Path) -> None:
    """At sizes with several blocks, some of which run several iterations if a barrier is needed for that."""
    sizes = at(N=1031) if list(dict(one.sizes[-1])) == ["N"] else one.sizes[-1]
    for barrier, changed in without_each_barrier(gpu_program(one, ())):
        ways = ((schedule, few) for few in (False, True) for schedule in SCHEDULES)
        found = (launched(changed, one, sizes, schedule, cache, few)[1] for schedule, few in ways)
        missed = next(filter(None, found), [])
        assert missed, f"without {barrier}"
        assert {each.kind for each in missed} <= {"race", "uninitialised"}


@pytest.mark.parametrize("one", some(ENTRIES, 5), ids=str)
def test_the_interpreter_agrees(one: Entry) -> None:
    """Loops over levels run in shuffled order."""
    kernel = shine.compile(lowered(one), target="interpret")
    for sizes in one.sizes[:4]:
        parameters, result = signature(program(one.program), sizes)
        rng = np.random.default_rng(len(sizes))
        arguments = [some_input("random", rng, place) for place in parameters]
        assert differences(kernel(*arguments), ANSWERS[one.program](*arguments), result) == []


def test_the_method_depends_on_the_operation() -> None:
    """Shuffles for commutative operations, a tree in shared memory for others, atomic updates on request."""
    dot, updated, argmax, hashes = (printed(ENTRIES[i]).source for i in (0, 2, 6, 9))
    assert dot.count("__shfl_sync") > 8 and "atomic" not in dot and dot.count("__global__") == 2
    assert "atomicAdd" in updated and "__shfl_sync" in updated
    assert "__shfl_sync" not in argmax and argmax.count("__syncthreads();") >= 4
    assert hashes.count("__global__") == 3


def test_threads_of_a_warp_read_neighbours() -> None:
    """Each thread of a block reads every 64th element."""
    text = printed(ENTRIES[0]).source
    assert "const int at_n = n_block * 128 + n_warp * 32 + lane + n_strip * 64;" in text
    assert "xs[at_n] * ys[at_n]" in text


ARCHITECTURES: Final = ("sm_75", "sm_80", "sm_90", "sm_120")


@in_whole("tests/cuda/test_machine_code.py::test_they_compile_without_spills")
@pytest.mark.parametrize(("number", "arch"), some(enumerate(ARCHITECTURES), 4, 2))
def test_they_compile_without_spills(number: int, arch: str, cache: Path) -> None:
    """Each entry is compiled for one architecture, which differs between entries; in soak, for all."""
    if not required_tools.has_cuda_compiler():
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    chosen = some(ENTRIES, len(ARCHITECTURES), number)
    modules = [printed(one, arch) for one in chosen]
    cubin, owners = compiled_together(modules, arch, cache)
    for name, taken in cubin.resources.items():
        assert (taken.local, taken.spill_stores, taken.spill_loads) == (0, 0, 0), chosen[owners[name]]


ATOMIC: Final = """val f = fun(xs: N.M.{t} =>
  xs |> map(fun(row => row |> reduceThreadsAtomic(0, {inner}, {start}))) |> reduceBlockAtomic(0, {outer}, {start}))"""
NUMPY: Final = {"add": np.add, "min": np.minimum, "max": np.maximum}


@pytest.mark.parametrize(
    ("t", "outer", "inner"),
    some(
        (
            (t, *pair)
            for t in ("i32", "i64", "u32", "u64", "f32", "f64")
            for pair in (("add", "max"), ("max", "add"), ("min", "min"))
        ),
        6,
    ),
)
def test_atomic_updates_of_every_type(t: str, outer: str, inner: str, cache: Path) -> None:
    start = "3.0" if t.startswith("f") else f"3{t}" if t != "i32" else "3"
    start += "f64" if t == "f64" else ""
    e = rise.parse(ATOMIC.format(t=t, outer=outer, inner=inner, start=start)).main
    dtype = np.dtype({"i": "int", "u": "uint", "f": "float"}[t[0]] + t[1:])
    xs = np.random.default_rng(1).integers(0, 9, (5, 37)).astype(dtype)
    rows = NUMPY[inner].reduce(xs, axis=1, initial=dtype.type(3))
    expected = NUMPY[outer].reduce(rows, initial=dtype.type(3))
    kernel = shine.compile(e, target="cuda-sim", check=True, cache=str(cache))
    for schedule in SCHEDULES:
        assert kernel.with_options(schedule=schedule)(xs) == expected == rise.evaluate(e, xs)
    assert shine.compile(e, target="interpret")(xs) == expected


@pytest.mark.parametrize(
    ("program_text", "code"),
    [
        ("fun(xs: N.f32 => reduceBlockAtomic(0, mul, 1.0, xs))", "atomic-operation"),
        ("fun(xs: N.f32 => reduceBlockAtomic(0, fun(x, y => x + y * y), 1.0, xs))", "atomic-operation"),
        ("fun(xs: N.f32 => reduceBlockAtomic(3, add, 1.0, xs))", "dimension"),
        ("fun(xs: N.vec[2, f32] => reduceBlockAtomic(0, add, vectorFromScalar(1.0), xs))", "atomic-type"),
    ],
)
def test_reductions_without_an_atomic_update_are_rejected(program_text: str, code: str) -> None:
    with pytest.raises(RiseError) as error:
        shine.compile(rise.parse(f"val f = {program_text}").main, target="cuda-sim")
    assert error.value.diagnostic.code == code
    assert error.value.diagnostic.hint


def test_atomic_reductions_need_levels_of_a_gpu() -> None:
    with pytest.raises(RiseError) as error:
        shine.compile(
            rise.parse("val f = fun(xs: N.f32 => reduceBlockAtomic(0, add, 0.0, xs))").main, target="openmp"
        )
    assert error.value.diagnostic.code == "no-such-level"
