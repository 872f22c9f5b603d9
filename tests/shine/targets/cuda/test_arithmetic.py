"""Arithmetic in CUDA text: operations, casts, exchanges and atomic updates on every scalar type.

The simulator's results are compared with the interpreter's, and CUDA compilers must accept the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache as remembered
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import pytest

from rise.naturals import Nat, const
from rise.quotients import remainder
from rise.scalars import SCALARS
from rise.types import ArrayType, ScalarType, VectorType
from shine.imperative.errors import TranslationError
from shine.imperative.kernels import GpuKernel, GpuProgram, Launch
from shine.imperative.nodes import (
    Allocate,
    AtomicUpdate,
    Block,
    Buffer,
    Define,
    Exchange,
    For,
    Load,
    Local,
    Procedure,
    Statement,
    Value,
)
from shine.kernel import make_kernel
from shine.targets.cuda.printer import print_program
from tests import required_tools
from tests.cuda.compilation import compiled_together
from tests.examples import THOROUGH, some
from tests.shine.procedures import (
    BOOL,
    array,
    assign,
    elementwise,
    elementwise_loops,
    flatten,
    load,
    loop,
    op,
    pairs,
    parameter,
)
from tests.shine.targets.cuda.program_parts import GLOBAL, LANE, kernel, program, registers
from tests.shine.targets.cuda.simulation import simulate
from tests.shine.targets.test_arithmetic import (
    BINARY,
    COMPARISONS,
    FLOATS,
    UNARY,
    combinations,
    interesting,
    same,
)

#: the types with the operations of all numbers; complex types have their own tests
REAL: Final = [name for name, facts in SCALARS.items() if not facts.part]
MOST: Final = 4096 if THOROUGH else 1024  # tuples of numbers
COMPILED_FOR: Final = ("sm_75", "sm_90")


@pytest.fixture(scope="module")
def made_programs() -> list[GpuProgram]:
    """The programs of the tests in this file, which a later test compiles: together, in a third of the time."""
    return []


def on_threads(procedure: Procedure) -> GpuProgram:
    """A procedure of parallel loops; a kernel for each, on three blocks of 64 threads."""
    launch = Launch((const(3), const(1), const(1)), (64, 1, 1))
    loops = [one for one in procedure.body.statements if isinstance(one, For)]
    assert len(loops) == len(procedure.body.statements)
    names = [procedure.name, *(f"{procedure.name}_{number}" for number in range(1, len(loops)))]
    kernels = [
        GpuKernel(name, launch, Block((replace(body, kind=GLOBAL[0]),)))
        for name, body in zip(names, loops, strict=True)
    ]
    return GpuProgram(procedure, tuple(kernels))


def simulated(procedure: Procedure, arrays: Sequence[Any], cache: Path) -> tuple[GpuProgram, list[Any]]:
    """A procedure on threads, and its results in the simulator."""
    made = on_threads(procedure)
    module = print_program(made, "sm_80", False)
    sizes: dict[str, int] = {}
    for x, given in zip(procedure.inputs, arrays, strict=True):
        assert isinstance(x.type, ArrayType)
        sizes[str(x.type.size)] = len(given)
    found, findings = simulate(module, made, sizes, arrays, cache)
    assert not findings
    return made, found


def both(procedure: Procedure, arrays: Sequence[Any], cache: Path) -> tuple[GpuProgram, list[Any], list[Any]]:
    """A procedure on threads, its results in the simulator, and those of the interpreter."""
    made, found = simulated(procedure, arrays, cache)
    expected: list[Any] = flatten(make_kernel(procedure, "interpret")(*arrays))
    return made, found, [one.reshape(-1) for one in expected]


def operations(name: str, lanes: int) -> tuple[list[str], Callable[..., Sequence[Value]]]:
    """Operations on numbers or vectors of a type: every second one, beginning with the first or the second in turn."""
    ternary = () if name == "bool" else ("fma",)
    binary: tuple[str, ...] = ("and", "or") if name == "bool" else BINARY
    unary: tuple[str, ...] = ("not",) if name == "bool" else UNARY
    roots = ("sqrt",) if name in FLOATS else ()
    compared = () if name == "bool" else COMPARISONS

    def wide(t: ScalarType) -> Any:
        return t if lanes == 1 else VectorType(const(lanes), t)

    def values(a: Load, b: Load, c: Load) -> Sequence[Value]:
        return [
            *(op(f, a, b, c) for f in ternary),
            *(op(f, a, b) for f in binary),
            *(op(f, a) for f in (*unary, *roots)),
            *(op(f, a, b, type=wide(BOOL)) for f in compared),
            op(
                "select",
                a if name == "bool" else op("lt", a, c, type=wide(BOOL)),
                b,
                c,
                type=wide(ScalarType(name)),
            ),
        ]

    names = [*ternary, *binary, *unary, *roots, *compared, "select"]
    places = some(range(len(names)), 2, first=REAL.index(name) // 2)

    def chosen(a: Load, b: Load, c: Load) -> Sequence[Value]:
        found = values(a, b, c)
        return [found[place] for place in places]

    return [names[place] for place in places], chosen


def triples(name: str) -> list[Any]:
    """Interesting numbers, as many as fill vectors; the second of integers is not zero."""
    arrays = combinations(name, 3)
    keep = np.random.default_rng(3).permutation(len(arrays[0]))[:MOST]
    arrays = [one[keep] for one in arrays]
    if "integral" in SCALARS[name].classes:
        arrays[1][arrays[1] == 0] = 3
    return [one[: len(one) // 4 * 4] for one in arrays]


@remembered
def expected(name: str) -> list[Any]:
    """The results of the interpreter on numbers of a type."""
    procedure = elementwise(f"all_{name}", [ScalarType(name)] * 3, operations(name, 1)[1])
    found: list[Any] = flatten(make_kernel(procedure, "interpret")(*triples(name)))
    return found


@pytest.mark.parametrize(("lanes", "part"), some([(1, 0), (1, 1), (4, 0), (4, 1)], 3))
def test_operations_agree(lanes: int, part: int, cache: Path, made_programs: list[GpuProgram]) -> None:
    """On numbers, and on the same numbers in vectors; a text has every second type."""
    names = REAL[part::2]
    loops = [([ScalarType(name)] * 3, operations(name, lanes)[1], lanes) for name in names]
    shape = (-1, lanes) if lanes > 1 else -1
    arrays = [one.reshape(shape) for name in names for one in triples(name)]
    made, found = simulated(elementwise_loops(f"all_of_{lanes}_{part}", loops), arrays, cache)
    results = iter(found)
    for name in names:
        for f, other in zip(operations(name, lanes)[0], expected(name), strict=True):
            assert same(next(results), other, f not in ("min", "max")), (name, f)
    assert next(results, None) is None
    made_programs.append(made)


def test_casts_agree(cache: Path, made_programs: list[GpuProgram]) -> None:
    """From each type to all."""
    results = [ScalarType(name) for name in REAL]
    given = {name: interesting(name) for name in REAL}
    given["f64"] = np.concatenate(
        [given["f64"], [1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-11 + 2.0**-30, 65519.99, 2.0**63]]
    )
    given["i64"] = np.concatenate([given["i64"], np.array([2**62 + 2**54 + 1, 2**53 + 1, 65519, 65520])])
    loops = [([ScalarType(name)], lambda a: [op("cast", a, type=r) for r in results], 1) for name in given]
    made, found, expected = both(elementwise_loops("casts", loops), list(given.values()), cache)
    cases = [(source, r.name) for source in given for r in results]
    for case, one, other in zip(cases, found, expected, strict=True):
        assert same(one, other), case
    made_programs.append(made)


def test_lanes_exchange_values_of_every_type(cache: Path, made_programs: list[GpuProgram]) -> None:
    types = [ScalarType(name) for name in SCALARS]
    inputs = [parameter(f"x{i}", array(32, of=t)) for i, t in enumerate(types)]
    output = parameter("output", pairs([array(32, of=t) for t in types]))
    kept = [registers(f"r{i}", 1, t) for i, t in enumerate(types)]
    kept.append(registers("v", 1, VectorType(const(2), types[0])))
    body: list[Statement] = [Allocate(one, (1,)) for one in kept]

    def fill(x: Buffer, r: Buffer) -> Callable[[Nat], Sequence[Statement]]:
        return lambda lane: [assign(r, 0, load(x, lane))]

    def pass_on(r: Buffer, t: ScalarType, to: Buffer) -> Callable[[Nat], Sequence[Statement]]:
        other = Local(f"other_{r.name}", t)
        return lambda lane: [
            Define(other, Exchange(r, const(0), remainder(lane + 5, 32), t), (2,)),
            assign(to, lane, other),
        ]

    for i, (t, x, r, to) in enumerate(zip(types, inputs, kept, output.buffers, strict=False)):
        body.append(loop(f"l{i}", 32, fill(x.buffers[0], r), LANE))
        body.append(loop(f"m{i}", 32, pass_on(r, t, to), LANE))
    both_lanes = Local("both", VectorType(const(2), types[0]))
    body.append(Define(both_lanes, Exchange(kept[-1], const(0), const(3), both_lanes.type), (3,)))
    made = program(
        "exchange", [], inputs, output, kernel("exchange", [1], (32, 1, 1), *body, warps=(1, 1, 1))
    )
    module = print_program(made, "sm_80", False)
    arrays = [np.arange(32).astype(SCALARS[t.name].dtype) for t in types]
    found, findings = simulate(module, made, {}, arrays, cache, check=True)
    assert not [one for one in findings if one.kind != "uninitialised"]
    for one, given in zip(found, arrays, strict=True):
        assert (one == np.roll(given, -5)).all(), given.dtype
    made_programs.append(made)


ATOMIC: Final = [name for name in REAL if name != "bool" and SCALARS[name].bits > 8]


def atomic_program(*names: str) -> GpuProgram:
    """For each type, the sum, the minimum and the maximum of numbers."""
    types = [ScalarType(name) for name in names]
    inputs = [parameter(f"x{i}", array(64, of=t)) for i, t in enumerate(types)]
    output = parameter("output", pairs([array(3, of=t) for t in types]))
    ways: Final[tuple[Literal["add", "min", "max"], ...]] = ("add", "min", "max")

    def update(x: Buffer, to: Buffer) -> Callable[[Nat], Sequence[Statement]]:
        return lambda i: [AtomicUpdate(how, to, const(at), load(x, i), (3,)) for at, how in enumerate(ways)]

    kernels = [
        kernel(f"collect_{name}", [2], (32, 1, 1), loop("i", 64, update(x.buffers[0], to), GLOBAL[0]))
        for name, x, to in zip(names, inputs, output.buffers, strict=True)
    ]
    return program("collect", [], inputs, output, *kernels)


def test_atomic_updates_agree(cache: Path, made_programs: list[GpuProgram]) -> None:
    """On numbers of every type, and with NaN among those of floating-point types."""
    made = atomic_program(*ATOMIC)
    module = print_program(made, "sm_80", False)
    arrays = [
        np.random.default_rng(4)
        .integers(0 if name.startswith("u") else -2, 3, 64)
        .astype(SCALARS[name].dtype)
        for name in ATOMIC
    ]
    found, findings = simulate(module, made, {}, arrays, cache, check=True)
    assert not findings
    for name, x, one in zip(ATOMIC, arrays, found, strict=True):
        wide = x.astype(np.float64)
        assert one.astype(np.float64).tolist() == [wide.sum(), min(0, wide.min()), max(0, wide.max())], name
        if name in FLOATS:
            x[5] = np.nan
    found, _ = simulate(module, made, {}, arrays, cache)
    for name, one in zip(ATOMIC, found, strict=True):
        assert np.isnan(one.astype(np.float64)).all() == (name in FLOATS), name
    made_programs.append(made)


def test_bytes_are_not_updated_atomically() -> None:
    with pytest.raises(
        TranslationError, match="expected numbers of 16, 32 or 64 bits to update atomically, found u8"
    ):
        print_program(atomic_program("u8"), "sm_80", False)


@required_tools.needs_cuda_compiler()
@pytest.mark.parametrize(("number", "arch"), some(list(enumerate(COMPILED_FOR)), 2))
def test_cuda_compilers_accept_the_texts(
    number: int, arch: str, made_programs: list[GpuProgram], cache: Path
) -> None:
    """Each text for one of the architectures; in `whole`, for all."""
    chosen = some(made_programs, len(COMPILED_FOR), number)
    if chosen:  # empty if this test is run alone
        texts = [print_program(one, arch, False) for one in chosen]
        assert compiled_together(texts, arch, cache)[0].image


def test_greatest_and_least_numbers_are_one_instruction_where_there_is_one() -> None:
    """From sm_80 on; older architectures compare twice. Both return NaN if an operand is NaN."""
    x, y, output = (parameter(name, array(64)) for name in ("x", "y", "output"))
    a, b = (load(one.buffers[0], 0) for one in (x, y))
    body = assign(output.buffers[0], 0, op("max", a, op("min", a, b)))
    made = program("selections", [], [x, y], output, kernel("selections", [1], (1, 1, 1), body))
    new, old = (print_program(made, arch, False).source for arch in ("sm_80", "sm_75"))
    assert '"max.NaN.f32 %0, %1, %2;"' in new and '"min.NaN.f32 %0, %1, %2;"' in new
    assert "NaN" not in old and "b != b ? b : r" in old
