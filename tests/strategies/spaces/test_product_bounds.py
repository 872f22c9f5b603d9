"""Bounds of products: their loops are those of the generated programs, and more threads or looking ahead help."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest

import rise
from rise.hardware import PROCESSORS, processor
from shine.front.tuner.arithmetic import counted
from shine.targets import find_target
from shine.translate import translate
from strategies.spaces import Leaf, Open, Space, replay
from strategies.spaces.holes import Decisions
from strategies.spaces.models import Setting, register_tiles_bound
from strategies.spaces.product_bounds import MULTIPLY_ADDS, OneCore, TiledProduct, tiled_product
from strategies.spaces.products import PRODUCT_LOOPS, product, shared_loops, tiles_bound
from tests.examples import some

TEXT = (
    "val main = fun(a: {a}, b: {b} => {rows} |> map(fun(row => {columns}"
    " |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, 0.0){epilogue})))))"
)


def program(
    a: str = "M.K.f32", b: str = "K.N.f32", rows: str = "a", columns: str = "transpose(b)", epilogue: str = ""
) -> rise.Expr:
    """The text of a matrix product, with changes."""
    return rise.parse(TEXT.format(a=a, b=b, rows=rows, columns=columns, epilogue=epilogue)).main


def candidates(machine: str) -> list[Decisions]:
    """Three candidates of each kind of loops, always the same."""
    one, random = product.on(processor(machine)), Random(machine)
    return [_any(one, {"loops": kind}, random) for kind in PRODUCT_LOOPS for _ in range(3)]


def _any(one: Space, given: Decisions, random: Random) -> Decisions:
    """Any candidate with some values."""
    while True:
        made: Decisions = {}
        while isinstance(found := replay(one, made), Open):
            made = {**found.partial, found.choice: given.get(found.choice, random.choice(found.domain))}
        if isinstance(found, Leaf):
            return found.decisions


@pytest.mark.parametrize(
    ("machine", "sizes", "at"),
    some(
        [
            (machine, sizes, at)
            for machine in ("sapphirerapids", "haswell", "neoverse-n1")
            for sizes in ({"M": 77, "N": 150, "K": 130}, {"M": 64, "N": 128, "K": 256})
            for at in range(3 * len(PRODUCT_LOOPS))
        ],
        8,
    ),
)
def test_a_bound_counts_the_multiply_adds_of_the_generated_program(
    machine: str, sizes: dict[str, int], at: int
) -> None:
    """The excess of tiles that overrun, and remaining rows and columns, included."""
    decisions = candidates(machine)[at]
    main = program()
    setting = Setting(main, sizes, processor(machine))
    leaf = replay(product.on(setting.machine), decisions, main, sizes)
    assert isinstance(leaf, Leaf) and leaf.term is not None, leaf
    procedure = translate(leaf.term, "kernel", find_target("openmp").levels, ())
    for threads in (1, 2, 3):
        fused = [count for name, _, count in counted(procedure, threads) if name == "fma"]
        modelled = sum(
            math.ceil(loop.iterations / threads) * phase.use.of.get(MULTIPLY_ADDS, 0)
            for loop in shared_loops(setting, decisions) or ()
            for phase in loop.phases
        )
        assert modelled * OneCore.of(setting).lanes == sum(fused), decisions


def test_the_shape_of_a_product_is_recognised() -> None:
    sizes, shape = {"M": 20, "N": 30, "K": 40}, TiledProduct(20, 30, 40)

    def found(main: rise.Expr, **others: int) -> TiledProduct | None:
        return tiled_product(Setting(main, {**sizes, **others}, processor("haswell")))

    assert found(program()) == shape
    assert found(program(epilogue=" |> max(0.0)")) == shape
    assert found(program(b="N.K.f32", columns="b")) == shape
    assert found(program(a="K.M.f32", rows="transpose(a)")) is None  # in steps of rows, or transposed first
    square = rise.parse(TEXT.format(a="M.K.f32", b="N.f32", rows="a", columns="a", epilogue=""))
    assert found(square.main) is None  # half of a symmetric product is computed
    batch = rise.parse(
        "val main = fun(a: M.M.K.f32, b: K.N.f32 => a |> map(map(fun(row => transpose(b) |> map(fun(column =>"
        " zip(row, column) |> map(mul) |> reduce(add, 0.0)))))))"
    )
    assert found(batch.main) is None


@pytest.mark.parametrize("machine", PROCESSORS)
def test_bounds_are_monotone_in_threads_and_window(machine: str) -> None:
    """Twice the threads take half the time at best, and looking further ahead never takes longer."""
    main, sizes, record = program(), {"M": 100, "N": 200, "K": 64}, processor(machine)
    ahead = replace(record, window=4096)
    for decisions in candidates(machine):
        one, two = (float(tiles_bound(Setting(main, sizes, record, n), decisions).time) for n in (1, 2))
        assert 0.45 * one <= two <= one  # each thread may begin early, which counts twice
        assert tiles_bound(Setting(main, sizes, ahead), decisions).time <= one
        assert (one > 0) == (record.clock is not None)


@pytest.mark.parametrize("machine", PROCESSORS)
def test_edges_and_copies_only_add_to_perfect_tiles(machine: str) -> None:
    """Without steps, whose shorter tiles overlap more, a bound is at least that of tiles without edges and copies."""
    at = Setting(program(), {"M": 96, "N": 192, "K": 512}, processor(machine))
    for decisions in candidates(machine):
        rows, vectors = decisions["rows"], decisions["vectors"]
        assert isinstance(rows, int) and isinstance(vectors, int)
        least = float(register_tiles_bound(at, rows, vectors).time)
        assert decisions.get("depth") or tiles_bound(at, decisions).time >= 0.95 * least, decisions
