"""Attention on tensor cores, compared with its definition in numpy: every remainder of tiles, masks, heads, long
rows.
"""

import re

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from shine.imperative.nodes import AwaitCopies, Barrier
from shine.passes.gpu import make_kernels
from shine.targets.cuda.printer import print_program
from shine.translate import GPU_LEVELS, translate
from tests import required_tools
from tests.cuda.half_attention import PROGRAMS, agree, given
from tests.cuda.kernels import without_each
from tests.cuda.test_attention import PROGRAMS as SINGLE
from tests.cuda.test_attention_tiles import SCHEDULES
from tests.examples import THOROUGH, in_whole, some
from tests.shine.targets.cuda.simulation import simulate

WARPS = "strategies.tensor_core.attention:queryWarps"
SMALL = {"rows": 32, "keys": 16}
#: queries and keys: fewer than a tile, whole tiles, and one more; more tiles than one
SIZES = ((1, 1), (32, 48), (33, 17))
RUNS = [
    (name, schedule)
    for number, name in enumerate(PROGRAMS)
    for place, schedule in enumerate(SCHEDULES)
    if THOROUGH or place == number % len(SCHEDULES)
]


def on_warps(name, d=32, e=16, **parameters):
    result = strategies.load(WARPS, **parameters)(rise.specialise(PROGRAMS[name], D=d, E=e))
    assert isinstance(result, elevate.Success), result.explain()
    assert result.float_class == elevate.FloatClass.APPROXIMATE
    return result.program


@pytest.mark.parametrize(("name", "schedule"), some(RUNS, 3, 1))
def test_one_kernel_computes_attention_on_tensor_cores(name, schedule) -> None:
    kernel = shine.compile(on_warps(name, **SMALL), target="cuda-sim", check=True, schedule=schedule)
    assert kernel.source.count("__global__") == 1
    agree(kernel, name, SIZES)


@in_whole("test_one_kernel_computes_attention_on_tensor_cores")
def test_scores_and_weights_belong_to_a_warp() -> None:
    """Warps of a block only wait for each other when keys and values change."""
    source = shine.compile(on_warps("causal_words", **SMALL), target="cuda-sim").source
    assert source.count("__syncthreads();") == 2 and source.count("mma.sync") == 2
    assert source.count("__pipeline_memcpy_async(") == 3  # queries, keys and values
    assert re.search(r"float \w+_1st\[2\]\[4\];", source)  # sums: two fragments in registers


def test_weights_are_powers_of_two() -> None:
    """Which are one instruction and few more; the factors of rows, one for each, are exponentials."""
    source = shine.compile(on_warps("attention", **SMALL), target="cuda-sim").source
    assert (source.count("exp2f("), source.count("expf(")) == (1, 1)


#: the barriers and waits of the kernel, by their numbers
NEEDED = [*((Barrier, number) for number in range(4)), (AwaitCopies, 0)]


@in_whole("tests/cuda/test_pipelines.py::test_a_broken_part_is_found")
@pytest.mark.parametrize(("kind", "number"), NEEDED if THOROUGH else NEEDED[3:4])
def test_each_barrier_and_wait_is_needed(kind, number, tmp_path) -> None:
    """Except for the wait after the loop, which only matters without keys: nothing reads what it waits for."""
    made = make_kernels(translate(on_warps("attention", **SMALL), "kernel", GPU_LEVELS), "sm_80")
    without = [changed for _, changed in without_each(made, kind)]
    assert len(without) == {Barrier: 4, AwaitCopies: 2}[kind]
    module = print_program(without[number], "sm_80", wide=False)
    sizes = {"M": 40, "N": 50}
    _, found = simulate(module, without[number], sizes, given("attention", 40, 50), tmp_path, check=True)
    assert {one.kind for one in found} <= {"race", "in-flight"} and found


@in_whole("test_one_kernel_computes_attention_on_tensor_cores")
def test_products_with_long_rows_take_several_steps() -> None:
    kernel = shine.compile(on_warps("attention", 64, 128, rows=16, keys=32), target="cuda-sim", check=True)
    agree(kernel, "attention", ((20, 70),), 64, 128)


@in_whole("test_one_kernel_computes_attention_on_tensor_cores")
@pytest.mark.parametrize("size", [64, 128, 256] if THOROUGH else [64])
def test_sums_are_in_registers(size, tmp_path) -> None:
    if not required_tools.has_cuda_compiler():
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    program = on_warps("attention_heads", size, size)
    kernel = shine.compile(
        program, target="cuda", arch="sm_80", strict=True, cache=str(tmp_path)
    )  # spills are errors
    assert kernel.machine_code()


def test_without_keys_the_result_agrees_with_the_definition() -> None:
    arguments = given("attention", 2, 0)
    kernel = shine.compile(on_warps("attention", **SMALL), target="interpret")
    expected = rise.evaluate(rise.specialise(PROGRAMS["attention"], D=32, E=16), *arguments)
    assert np.isnan(expected).all()
    np.testing.assert_array_equal(kernel(*arguments), expected)


@pytest.mark.parametrize(
    ("parameters", "title"),
    [
        ({"rows": 24}, "expected `rows` to be a multiple of"),
        ({"keys": 8}, "expected `keys` to be a multiple of"),
        ({"room": 1}, "expected `room` to be a multiple of"),
        ({"rows": 1024}, "expected at most 32 warps in a block, found 64"),
    ],
)
def test_tiles_that_do_not_fit_the_instruction_are_rejected(parameters, title) -> None:
    with pytest.raises(elevate.StrategyError, match=title):
        strategies.load(WARPS, **parameters)


@pytest.mark.parametrize(
    ("program", "parameters", "said"),
    some(
        [
            (rise.specialise(SINGLE["attention"], D=32, E=16), {}, "expected keys of f16, found f32"),
            (rise.specialise(PROGRAMS["attention"], E=16), {}, "expected rows of keys of a known length"),
            (rise.specialise(PROGRAMS["attention"], D=24, E=16), {}, "length is a multiple of 16, found 24"),
            (rise.specialise(PROGRAMS["attention"], D=16, E=20), {}, "length is a multiple of 8, found 20"),
            (rise.specialise(PROGRAMS["attention"], D=512, E=64), {"keys": 256}, "in shared memory, found"),
        ],
        5,
    ),
)
def test_programs_that_do_not_fit_the_instruction_are_rejected(program, parameters, said) -> None:
    assert said in str(strategies.load(WARPS, **parameters)(program).explain())
