"""Formulas for tiles on different processors: a table of their results, bounds that they keep, and C that compiles."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import StrategyError, Success
from rise.hardware import DEFAULT, PROCESSORS, Processor
from shine.cache import default_directory
from shine.targets.openmp.compiler import find_compiler
from strategies.openmp import parallel
from strategies.parts.machine_tiles import (
    LEAST_COLUMNS,
    LEAST_TILE_COLUMNS,
    block_height,
    edge_columns,
    long_row_results,
    machine_of,
    packed_columns,
    partial_results,
    power_of_two,
    register_tile,
    row_results,
    scan_chunk,
    selection_chunk,
    step_depth,
    stored_tile,
    transposed_lines,
    vector_lanes,
)
from tests import required_tools
from tests.examples import in_whole, some

TABLE: Final = Path(__file__).resolve().parents[2] / "data/machines/tiles.csv"
EVERY_PROCESSOR = pytest.mark.parametrize("machine", PROCESSORS.values(), ids=PROCESSORS)
#: without vectors, with vectors of 128, 256 and 512 bits, and with small caches
UNLIKE: Final = ("sifive-u74", "neoverse-n1", "haswell", "sapphirerapids", "cortex-a53")
PROGRAMS: Final = {
    "strategies.openmp:parallel": """val main = fun(a: M.K.f32, b: K.N.f32 =>
  a |> map(fun(row => transpose(b) |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, 0.0))))))""",
    "strategies.cpu_gemm:packed": """val main = fun(a: M.K.f64, b: K.N.f64 =>
  a |> map(fun(row => transpose(b) |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, 0.0))))))""",
}
ROWS: Final = (
    "val main = fun(a: M.N.f32 => a |> map(fun(r => r |> map(fun(x => x * x)) |> reduce(add, 0.0))))"
)


def tiles(machine: Processor) -> dict[str, str]:
    """The results of the formulas, as a row of the table."""
    product, contraction = register_tile(machine), stored_tile(machine)
    long, longest = register_tile(machine, "f64"), register_tile(machine, "c128")
    return {
        "processor": machine.name,
        "product": f"{product.rows} x {product.columns}",
        "product f64": f"{long.rows} x {long.columns}",
        "product c128": f"{longest.rows} x {longest.columns}",
        "packed": str(packed_columns(machine, product)),
        "packed f64": str(packed_columns(machine, long)),
        "height": str(block_height(machine, product.rows)),
        "edge": str(edge_columns(machine, product.columns)),
        "step": str(step_depth(machine)),
        "contraction": f"{contraction.rows} x {contraction.columns}",
        "contraction f64": f"{stored_tile(machine, 'f64').rows} x {stored_tile(machine, 'f64').columns}",
        "contraction height": str(block_height(machine, contraction.rows)),
        "neighbours": str(machine.neighbours),
        "partial results": str(partial_results(machine)),
        "of rows": str(row_results(machine)),
        "of long rows": ", ".join(f"{count} from {length}" for length, count in long_row_results(machine)),
        "selection": str(selection_chunk(machine)),
        "scan": str(scan_chunk(machine)),
        "transposed": f"{machine.line_words} x {transposed_lines(machine)}",
        "stencil": str(vector_lanes(machine)),
    }


def test_the_table_has_the_results_of_the_formulas() -> None:
    with TABLE.open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == [tiles(machine) for machine in PROCESSORS.values()]


@EVERY_PROCESSOR
def test_tiles_fit_the_processor(machine: Processor) -> None:
    product, contraction = register_tile(machine), stored_tile(machine)
    for scalar in ("f32", "f64", "c128"):
        lanes = machine.lanes_of(scalar)
        for tile, least in (
            (register_tile(machine, scalar), LEAST_TILE_COLUMNS),
            (stored_tile(machine, scalar), LEAST_COLUMNS),
        ):
            vectors = tile.columns // lanes
            assert vectors * lanes == tile.columns
            assert tile.rows == 1 or tile.rows * vectors + vectors + 1 <= machine.registers
            assert tile.columns >= least or machine.lanes == 1, "gcc makes no vectors of it"
            assert packed_columns(machine, tile) % tile.columns == 0
    assert product.rows * product.columns // machine.lanes >= machine.chains, "too few sums"
    for rows in (product.rows, contraction.rows):
        height = block_height(machine, rows)
        assert height % rows == 0 and (height == rows or 4 * 2048 * height <= (machine.l2 or 0) // 2)
    assert partial_results(machine) % machine.lanes == 0
    assert partial_results(machine) // machine.lanes <= machine.registers // 4
    assert machine.neighbours % machine.line_words == 0
    assert 4 * scan_chunk(machine) < (machine.l2 or 0)
    assert machine.line * transposed_lines(machine) <= machine.l1 // 8


def test_missing_numbers_are_assumed() -> None:
    unknown = replace(DEFAULT, l2=None)
    assert block_height(unknown, 6) == 6 * (8 * (48 << 10) * 3 // 8 // 8192 // 6)
    assert selection_chunk(unknown) == power_of_two(48 << 8)


def test_few_registers_lead_to_small_tiles() -> None:
    """With fewer registers than any processor has, there is still a tile, of at least one row."""
    small = replace(PROCESSORS["sifive-u74"], registers=4)
    assert register_tile(small).rows >= 1 and stored_tile(small).rows == 1
    assert partial_results(small) == 1


@pytest.mark.parametrize("size", range(1, 70))
def test_power_of_two(size: int) -> None:
    power = power_of_two(size)
    assert power <= size < 2 * power and power & (power - 1) == 0


@in_whole("test_gcc_makes_vectors_of_the_tiles")
@pytest.mark.parametrize("name", some(UNLIKE, 5))
def test_programs_for_different_processors_compile_and_run(name: str, tmp_path: Path) -> None:
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        required_tools.skip_without(required_tools.OPENMP)
    for address, text in some(PROGRAMS.items(), len(PROGRAMS), first=UNLIKE.index(name)):
        result = strategies.load(address, machine=name)(rise.parse(text).main)
        assert isinstance(result, Success)
        kernel = shine.compile(result.program)
        rng = np.random.default_rng(1)
        dtype = np.float32 if "f32" in text else np.float64
        a, b = rng.random((67, 9), dtype), rng.random((9, 71), dtype)
        np.testing.assert_allclose(kernel(a, b), a @ b, rtol=1e-5)
        _build(compiler, kernel.source, PROCESSORS[name], tmp_path)


@pytest.mark.parametrize(
    ("scalar", "left"), some([(t, left) for left in ("a", "transpose(c)") for t in ("f32", "f64")], 4, 3)
)
def test_gcc_makes_vectors_of_the_tiles(scalar: str, left: str, tmp_path: Path) -> None:
    """Of 256 bits: each multiply-add is a packed one, although the loops over columns have 8 or 16 iterations."""
    compiler = find_compiler(None, None, default_directory())
    about = subprocess.run([compiler.path, "-v"], capture_output=True, text=True, check=False)
    if "gcc version" not in about.stderr or "x86_64" not in about.stderr:
        required_tools.skip_without(required_tools.GCC)
    text = PROGRAMS["strategies.openmp:parallel"].replace("a: M.K.f32", "a: M.K.f32, c: K.M.f32")
    program = rise.parse(
        text.replace("a |> map", f"{left} |> map").replace("0.0", "0.0f32").replace("f32", scalar)
    )
    lowered = strategies.load("strategies.openmp:parallel", machine="haswell")(program.main)
    assert isinstance(lowered, Success)
    source = tmp_path / "kernel.c"
    source.write_text(shine.compile(lowered.program).source, encoding="utf-8")
    flags = [flag for flag in compiler.flags if not flag.startswith(("-march", "-mprefer"))]
    command = [compiler.path, *flags, "-march=haswell", "-S", source, "-o", tmp_path / "kernel.s"]
    subprocess.run(command, check=True)
    kinds = re.findall(r"\tvfmadd\d+([ps])[sd]\t", (tmp_path / "kernel.s").read_text(encoding="utf-8"))
    assert len(kinds) > 12 and set(kinds) == {"p"}


def _build(compiler: str, text: str, machine: Processor, folder: Path) -> None:
    """Compile for a processor, or generically with a compiler for another instruction set."""
    source = folder / "kernel.c"
    source.write_text(text, encoding="utf-8")
    base = [compiler, "-std=c11", "-O1", "-fopenmp", "-w", "-c", source, "-o", folder / "kernel.o"]
    has_target = not subprocess.run(
        [compiler, *machine.flags, "-fsyntax-only", "-x", "c", "/dev/null"], capture_output=True, check=False
    ).returncode
    ran = subprocess.run(
        [*base, *(machine.flags if has_target else ())], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


@in_whole("test_gcc_makes_vectors_of_the_tiles")
def test_each_processor_has_its_own_program() -> None:
    """The tiles of a record reach the program, and explicit sizes take precedence."""
    e = rise.parse(PROGRAMS["strategies.openmp:parallel"]).main
    lowered = {name: _lowered(e, machine=name) for name in UNLIKE}
    unlike = {
        (tile, packed_columns(m, tile))
        for m in map(PROCESSORS.get, UNLIKE)
        if m
        for tile in [register_tile(m)]
    }
    assert len(set(lowered.values())) == len(unlike)
    assert _lowered(e, machine="haswell", rows=6, columns=64) == lowered["sapphirerapids"]
    assert _lowered(e, machine="sapphirerapids") == _lowered(e)
    rows = rise.parse(ROWS).main
    assert _lowered(rows, machine="haswell") == _lowered(rows)
    assert _lowered(rows, machine="sifive-u74") != _lowered(rows)


def _lowered(e: rise.Expr, **parameters: object) -> str:
    result = strategies.load("strategies.openmp:parallel", **parameters)(e)
    assert isinstance(result, Success)
    return rise.show(result.program)


def test_a_strategy_names_its_processor() -> None:
    load = strategies.load
    assert str(load("strategies.openmp:parallel")) == "parallel"
    assert str(load("strategies.openmp:parallel", machine=DEFAULT)) == "parallel"
    haswell = replace(PROCESSORS["haswell"], l2=3 << 17, cores=2)
    assert str(load("strategies.openmp:parallel", machine=haswell)) == "parallel(machine=haswell(l2=384 KiB))"


def test_values_that_are_not_processors_are_rejected() -> None:
    with pytest.raises(StrategyError) as wrong:
        machine_of(512)
    assert wrong.value.diagnostic.title == "expected a processor or its name for `machine`, found 512"
    with pytest.raises(StrategyError) as unknown:
        strategies.load("strategies.openmp:parallel", machine="haswel")
    assert unknown.value.diagnostic.title == "expected a processor, found `haswel` for `machine`"
    assert unknown.value.diagnostic.hint == "did you mean `haswell`?"


def test_the_documentation_has_the_table() -> None:
    page = (TABLE.parents[3] / "docs/performance.md").read_text(encoding="utf-8")
    for machine in PROCESSORS.values():
        row = tiles(machine)
        del row["neighbours"], row["contraction height"]
        assert f"| {' | '.join(row.values())} |" in page


@EVERY_PROCESSOR
def test_long_rows_have_at_least_as_many_partial_results(machine: Processor) -> None:
    """Powers of two, which are combined in halves, in at most an eighth of the registers or a cache line."""
    (length, results), (longest, fewer) = long_row_results(machine)
    assert machine.lanes < length < longest and machine.l1 < longest * 4
    for count in (results, fewer):
        assert count >= row_results(machine) and count & (count - 1) == 0
    assert results <= max(row_results(machine), machine.lanes * machine.registers // 8)


@pytest.mark.parametrize(
    ("sizes", "accumulators", "count"),
    [
        ({"N": 500}, None, 16),
        ({"N": 512}, None, 64),
        ({"N": 20000}, None, 32),
        ({"N": 512}, 32, 32),
    ],
)
def test_the_number_of_partial_results_depends_on_the_known_length_of_rows(
    sizes: dict[str, int], accumulators: int | None, count: int
) -> None:
    program = rise.parse(
        "val main = fun(xs: M.N.f32 => xs |> map(fun(x => x |> map(exp) |> reduce(add, 0.0))))"
    )
    result = parallel(accumulators=accumulators)(rise.specialise(program.main, **sizes))
    assert isinstance(result, Success), result
    kernel = shine.compile(result.program)
    assert max(int(one) for one in re.findall(r"\bfloat \w+\[(\d+)\];", kernel.source)) == count
    xs = np.random.default_rng(0).random((3, sizes.get("N", 77)), np.float32)
    np.testing.assert_allclose(kernel(xs), np.exp(xs).sum(axis=1), rtol=1e-4)
