"""Prefetches: around which loops, of which addresses, and that results do not change."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from rise.hardware import DEFAULT
from strategies.parts.schedules import onlyPrefetch
from tests.examples import some

MM = Path("examples/mm.rise").read_text(encoding="utf-8")
MICRO = "strategies.cpu_gemm:microKernel"
SIZES = {"M": 20, "K": 80, "N": 320}


def kernel(
    strategy: str, text: str = MM, sizes: dict[str, int] | None = None, **options: bool
) -> shine.Kernel:
    """A program lowered by a strategy, for these sizes or for any, on one thread."""
    return compiled(strategy, text, *(tuple(sorted(one.items())) for one in (sizes or {}, options)))


@cache
def compiled(
    strategy: str, text: str, sizes: tuple[tuple[str, int], ...], options: tuple[tuple[str, bool], ...]
) -> shine.Kernel:
    low = lowered(strategy, text)
    low = rise.specialise(low, **dict(sizes)) if sizes else low
    return shine.compile(low, target="openmp", threads=1, **dict(options))


@cache
def lowered(strategy: str, text: str) -> rise.Expr:
    found = strategies.load(strategy)(rise.parse(text).main)
    assert isinstance(found, elevate.Success)
    return found.program


def asked(text: str) -> list[str]:
    """The prefetched addresses, without the names of loops."""
    found = re.findall(r"__builtin_prefetch\(&(.*)\);", text)
    return [re.sub(r"\b[a-z]\w*(?=[ \]])", "i", one) for one in found]


def test_a_register_tile_prefetches_its_result_the_next_rows_and_the_panel() -> None:
    assert asked(kernel(MICRO, sizes=SIZES).source) == [
        "b[i * 320 + i * 64 + i * 16 + 2560]",  # eight rows ahead
        "output[i * 1920 + i * 320 + i * 64 + i * 16], 1",  # a line at a time
        "a[i * 480 + i * 80 + i + 480]",  # six rows further down
        "output[i * 320 + i * 64 + i * 16 + 5760], 1",  # the rows that are left
    ]


def test_a_line_has_eight_numbers_of_64_bits() -> None:
    found = asked(kernel(MICRO, MM.replace("f32", "f64"), SIZES).source)
    assert (
        "output[i * 1920 + i * 320 + i * 64 + i * 32 + i * 8], 1" in found
    )  # two panels are packed together


def test_sizes_may_be_symbolic() -> None:
    found = kernel(MICRO).source
    assert any(one.startswith("a[") for one in asked(found))
    # the last panel has fewer columns than a line, so nothing is prefetched where it is stored
    assert sum(one.startswith("output[") for one in asked(found)) == 2


@pytest.mark.parametrize("known", some([False, True], 2), ids=some(["any sizes", "these sizes"], 2))
def test_results_do_not_change(known: bool) -> None:
    with_it, without = (
        kernel(MICRO, sizes=SIZES if known else None, prefetch=asks) for asks in (True, False)
    )
    rng = np.random.default_rng(0)
    others = ((6, 64, 64), (1, 100, 130), (7, 65, 17), (0, 9, 64))
    for m, k, n in ((20, 80, 320), *(() if known else others)):
        a, b = rng.random((m, k), np.float32), rng.random((k, n), np.float32)
        found = with_it(a, b)
        np.testing.assert_array_equal(found, without(a, b))
        np.testing.assert_allclose(found, a @ b, rtol=1e-4)


def test_nothing_is_prefetched_if_the_pass_is_off() -> None:
    assert not asked(kernel(MICRO, sizes=SIZES, prefetch=False).source)


def test_a_check_build_has_the_same_prefetches() -> None:
    """A prefetch is not an access, so it has no bounds check."""
    assert asked(kernel(MICRO, sizes=SIZES, check=True).source) == asked(kernel(MICRO, sizes=SIZES).source)


@pytest.mark.parametrize(
    "text",
    some(
        [
            "fun(xs: 1000.f32 => xs |> map(fun(x => x + 1.0)))",
            "fun(xs: 1000.f32 => xs |> reduce(add, 0.0))",
            "fun(xs: 500.500.f32 => xs |> map(reduce(add, 0.0)))",
            "fun(xs: 1000.f32 => xs |> slide(3, 1) |> map(reduce(add, 0.0)))",
        ],
        2,
    ),
    ids=some(["map", "sum", "sums of rows", "windows"], 2),
)
def test_accesses_that_processors_predict_are_not_prefetched(text: str) -> None:
    assert not asked(kernel("strategies.openmp:parallel", text).source)


SOFTMAX = Path("examples/softmax.rise").read_text(encoding="utf-8")
NORM = Path("cases/layer_norm.rise").read_text(encoding="utf-8")
PARALLEL = "strategies.openmp:parallel"


def test_the_most_expensive_loop_prefetches_the_next_row_and_its_result() -> None:
    text = kernel(PARALLEL, SOFTMAX, {"M": 9, "N": 640}).source
    assert asked(text) == [
        "rows[i * 640 + i * 32 + 640]",
        "rows[i * 640 + i * 32 + 656]",
        "output[i * 640 + i * 32], 1",
        "output[i * 640 + i * 32 + 16], 1",
    ]
    assert "exp_f32(rows[" in text.split("__builtin_prefetch")[-1].split("}")[0]


def test_if_the_last_loop_is_the_most_expensive_it_prefetches_only_what_is_read() -> None:
    text = kernel(PARALLEL, NORM, {"B": 9, "N": 640}).source
    assert asked(text) == ["batch[i * 640 + i * 32 + 640]", "batch[i * 640 + i * 32 + 656]"]
    assert "/ deviation" in text.split("__builtin_prefetch")[-1]


@pytest.mark.parametrize("number", some(["f32", "f64"], 2))
def test_loops_under_a_condition_prefetch_the_next_row(number: str) -> None:
    """The index of the greatest number is searched only in long rows, and apart from NaN."""
    search = kernel(PARALLEL, f"fun(rows: M.(1 + N).{number} => rows |> map(argmax))")
    assert len(asked(search.source)) == (2 if number == "f32" else 4)
    assert "best" in search.source.split("__builtin_prefetch")[-1].split("}")[0]
    rows = np.random.default_rng(0).standard_normal((5, 700)).astype({"f32": "f4", "f64": "f8"}[number])
    rows[3, 600] = np.nan
    for n in (1, 33, 640, 700):
        np.testing.assert_array_equal(search(rows[:, :n].copy()), rows[:, :n].argmax(axis=1))


@pytest.mark.parametrize(
    ("text", "sizes"),
    some(
        [
            (SOFTMAX, {"M": 9, "N": 100}),
            ("fun(rows: M.N.f32 => rows |> map(map(exp)))", {"M": 9, "N": 640}),
            (
                "fun(xs: N.f32 => let top = xs |> reduce(max, -inf) in xs |> map(fun(x => exp(x - top))))",
                {"N": 6400},
            ),
        ],
        3,
    ),
    ids=some(["short rows", "one pass", "one row"], 3),
)
def test_cases_without_prefetched_rows(text: str, sizes: dict[str, int]) -> None:
    assert not asked(kernel(PARALLEL, text, sizes).source)


def test_the_remainder_of_a_row_is_not_a_loop_over_the_row() -> None:
    sums = kernel(PARALLEL, Path("cases/gemv.rise").read_text(encoding="utf-8")).source
    assert "at_n < N ?" in sums and not asked(sums)
    assert len(asked(kernel(PARALLEL, SOFTMAX).source)) == 4


@pytest.mark.parametrize(
    "text", some([SOFTMAX, SOFTMAX.replace("f32", "f64").replace("0.0", "0.0f64"), NORM], 5)
)
def test_results_of_rows_do_not_change(text: str) -> None:
    number = np.float64 if "f64" in text else np.float32
    with_it, without = (kernel(PARALLEL, text, prefetch=asks) for asks in (True, False))
    assert asked(with_it.source) and not asked(without.source)
    rng = np.random.default_rng(0)
    for m, n in ((5, 640), (3, 1000), (1, 33), (4, 31), (2, 1), (0, 700)):
        rows = rng.standard_normal((m, n)).astype(number)
        given = (rows,) if text is not NORM else (rows[:1].sum(0), rows[:1].sum(0), rows)
        np.testing.assert_array_equal(with_it(*given), without(*given))


@pytest.mark.parametrize("kinds", [(), ("copies",), ("results",), ("rows",), ("copies", "results", "rows")])
def test_a_program_omits_prefetches(kinds: tuple[str, ...]) -> None:
    """Those of other kinds stay, and an unset record prefetches nothing."""
    first = {"copies": "b[", "results": "output[", "rows": "a["}
    wanted = onlyPrefetch(**dict.fromkeys(kinds, True))(lowered(MICRO, MM))
    assert isinstance(wanted, elevate.Success)
    low = rise.specialise(wanted.program, **SIZES)
    found = asked(shine.compile(low, target="openmp", threads=1).source)
    assert {one[: one.index("[") + 1] for one in found} == {first[kind] for kind in kinds}
    bare = replace(DEFAULT, prefetches=frozenset())
    assert not asked(shine.compile(low, target="openmp", threads=1, machine=bare).source)
