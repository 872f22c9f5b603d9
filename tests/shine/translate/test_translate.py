"""Translated programs agree with the evaluator, and have the expected statements. Independent of strategies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rise
from rise.primitives import with_trait
from rise.programs.dependent_pairs import MAKE, MATCH
from rise.terms import App, DepApp, Primitive
from shine.imperative.nodes import Allocate, Assign, For
from shine.translate import TRANSLATIONS, translate
from tests.examples import examples
from tests.shine.translate.interpretation import agree, agree_on_numbers, numbers, program, shown, statements

MATRIX_PRODUCT = """fun(a: M.K.f32, b: K.N.f32 =>
  a |> mapPar(fun(row => transpose(b) |> mapSeq(fun(column =>
    zip(row, column) |> map(fun(p => fst(p) * snd(p))) |> reduceSeq(add)(0.0))))))"""

Shape = tuple[int, ...]


@some.composite
def views(draw: some.DrawFn, shape: Shape, writes: bool) -> tuple[str, Shape]:
    """A view of arrays of a shape, and the shape of its result; `writes`: one that may follow a computation."""
    n, *inner = shape
    options: list[tuple[str, Shape]] = [("id", shape)]
    options += [(f"split({d})", (n // d, d, *inner)) for d in range(1, n + 1) if n % d == 0]
    if inner:
        options += [("join", (n * inner[0], *inner[1:])), ("transpose", (inner[0], n, *inner[1:]))]
        text, made = draw(views(tuple(inner), writes))
        options.append((f"map({text})", (n, *made)))
    k = draw(some.integers(0, n))
    options += [(f"take({k})", (k, *inner)), (f"drop({k})", (n - k, *inner))]
    options += [("padEmpty(0)", shape)]
    if not writes and not inner:
        left, right = draw(some.integers(0, 2)), draw(some.integers(0, 2))
        options.append((f"padCst({left}, {right}, 7.0)", (left + n + right,)))
    if not writes and n:
        width, step = draw(some.integers(1, n)), draw(some.integers(1, 3))
        if (n - width) % step == 0:
            options.append((f"slide({width}, {step})", ((n - width) // step + 1, width, *inner)))
        options.append(("padClamp(1, 2)", (n + 3, *inner)))
        options.append(("fun(xs => concat(take(1, xs), xs))", (n + 1, *inner)))
    if not inner and n % 2 == 0:
        options.append(("fun(xs => xs |> asVector(2) |> asScalar)", shape))
    return draw(some.sampled_from([one for one in options if 0 not in one[1]] or options[:1]))


@some.composite
def chains(draw: some.DrawFn, writes: bool) -> tuple[Shape, list[str], Shape]:
    """A shape, consecutive views, and the shape of the result."""
    start = tuple(draw(some.lists(some.integers(1, 6), min_size=1, max_size=3)))
    shape, steps = start, []
    for _ in range(draw(some.integers(0, 5))):
        step, after = draw(views(shape, writes))
        if len(after) <= 5 and np.prod(after) <= 2000:
            steps.append(step)
            shape = after
    return start, steps, shape


def array_type(shape: Shape) -> str:
    return ".".join([*map(str, shape), "f32"])


def copied(shape: Shape) -> str:
    text = "id"
    for _ in shape:
        text = f"mapSeq({text})"
    return text


@given(chains(writes=False))
@settings(max_examples=examples(120), deadline=None)
def test_views_of_inputs_become_functions_of_indices(chain: tuple[Shape, list[str], Shape]) -> None:
    start, steps, shape = chain
    agree_on_numbers(f"fun(xs: {array_type(start)} => xs |> {' |> '.join([*steps, copied(shape)])})")


@given(chains(writes=True))
@settings(max_examples=examples(120), deadline=None)
def test_views_of_outputs_become_functions_of_places(chain: tuple[Shape, list[str], Shape]) -> None:
    start, steps, _ = chain
    agree_on_numbers(f"fun(xs: {array_type(start)} => xs |> {' |> '.join([copied(start), *steps])})")


@given(chains(writes=False), some.integers(0, 5))
@settings(max_examples=examples(60), deadline=None)
def test_storing_intermediate_results_changes_nothing(chain: tuple[Shape, list[str], Shape], at: int) -> None:
    start, steps, shape = chain
    text = f"fun(xs: {array_type(start)} => xs |> {{}})"
    plain = program(text.format(" |> ".join([*steps, copied(shape)])))
    store = f"fun(ys => toMem(Local, {copied(start)}(ys)))"
    stored = program(text.format(" |> ".join([store, *steps, copied(shape)])))
    xs = numbers(plain.type.parameter, at)  # type: ignore[attr-defined]  # a function's type
    np.testing.assert_array_equal(rise.evaluate(plain, xs), rise.evaluate(stored, xs))
    agree(stored, xs)


CASES = {
    "fused maps": "fun(xs: 5.f32 => xs |> map(fun(x => x * 2.0)) |> mapSeq(fun(x => x + 1.0)))",
    "dot": """fun(xs: 5.f32, ys: 5.f32 =>
        zip(xs, ys) |> map(fun(p => fst(p) * snd(p))) |> reduceSeq(add)(0.0))""",
    "a pair is accumulated": """fun(xs: 5.f32 =>
        xs |> reduceSeq(fun(a, x => pair(snd(a) + x, fst(a) * x)))(pair(1.0, 2.0)))""",
    "an array is accumulated": """fun(xs: 3.4.f32 => xs
        |> reduceSeq(fun(acc, x => zip(acc, x) |> mapSeq(fun(p => fst(p) + snd(p)))))
                    (generate(fun(i: idx[4] => 0.0)) |> mapSeq(id))
        |> mapSeq(id))""",
    "an array is accumulated, transposed": """fun(xs: 4.3.3.f32 => xs
        |> reduceSeq(fun(acc, x => zip(transpose(acc), x) |> mapSeq(fun(p =>
             zip(fst(p), snd(p)) |> mapSeq(fun(q => fst(q) + snd(q)))))))
           (generate(fun(i: idx[3] => generate(fun(j: idx[3] => 1.0)))) |> mapSeq(mapSeq(id)))
        |> mapSeq(mapSeq(id)))""",
    "an array is accumulated, shifted": """fun(xs: 4.3.f32 => xs
        |> reduceSeq(fun(acc, x => zip(concat(drop(1, acc), take(1, acc)), x)
             |> mapSeq(fun(p => fst(p) + snd(p)))))
           (generate(fun(i: idx[3] => cast(indexAsInt(i)))) |> mapSeq(id))
        |> mapSeq(id))""",
    "a part of the accumulator is kept": """fun(xs: 4.3.f32 => xs
        |> reduceSeq(fun(acc, x => pair(snd(acc) |> mapSeq(id),
             zip(fst(acc), x) |> mapSeq(fun(p => fst(p) + snd(p))))))
           (pair(generate(fun(i: idx[3] => 1.0)) |> mapSeq(id),
                 generate(fun(i: idx[3] => 2.0)) |> mapSeq(id)))
        |> fst |> mapSeq(id))""",
    "stencil": "fun(xs: 12.f32 => xs |> padClamp(1, 1) |> slide(3, 1) |> mapPar(reduceSeq(add)(0.0)))",
    "rows are stored": """fun(xs: 3.4.f32 => xs |> mapPar(fun(row =>
        row |> mapSeq(fun(x => x + 1.0)) |> toMem(Local) |> reduceSeq(add)(0.0))))""",
    "scan": "fun(xs: 12.f32 => xs |> scanSeq(fun(a, x => a * 2.0 + x))(1.0))",
    "scan of rows": """fun(xs: 5.3.f32 => xs
        |> scanSeq(fun(acc, x => zip(acc, x) |> mapSeq(fun(p => fst(p) + snd(p)))))
           (generate(fun(i: idx[3] => 0.0)) |> mapSeq(id)))""",
    "two outputs": "fun(xs: 12.f32 => unzip(xs |> mapSeq(fun(x => pair(x + 1.0, x * x)))))",
    "concatenated outputs": """fun(xs: 4.f32, ys: 3.f32 =>
        concat(mapSeq(id)(xs), mapPar(fun(y => y * y))(ys)))""",
    "interleaved outputs": """fun(xs: 4.f32, ys: 4.f32 =>
        transpose([mapPar(id)(xs), mapPar(fun(y => y * y))(ys)]) |> join)""",
    "array literal": "fun(x: f32, y: f32 => [x, y, x + y] |> mapSeq(fun(z => z * z)))",
    "array literal, written": "fun(x: f32, y: f32 => [x, y, x + y])",
    "vectors": """fun(xs: 12.f32 =>
        xs |> asVector(4) |> mapPar(fun(v => v * vectorFromScalar(2.0))) |> asScalar)""",
    "aligned vectors": """fun(xs: 12.f32 =>
        xs |> mapSeq(id) |> toMem(Local) |> asVectorAligned(4) |> mapSeq(fun(v => v * v)) |> asScalar)""",
    "vectors, gathered": "fun(xs: 4.3.f32 => transpose(xs) |> join |> asVector(4) |> mapSeq(id) |> asScalar)",
    "vectors, scattered": """fun(xs: 12.f32 =>
        xs |> asVector(4) |> mapSeq(fun(v => v + v)) |> asScalar |> split(3) |> transpose)""",
    "vectors of sums": """fun(xs: 4.3.f32 =>
        xs |> map(reduceSeq(add)(0.0)) |> asVector(4) |> mapSeq(id) |> asScalar)""",
    "vectors of a padded array": """fun(xs: 7.f32 =>
        xs |> padCst(0, 1, 5.0) |> asVector(4) |> mapSeq(id) |> asScalar)""",
    "a vector is accumulated": """fun(xs: 12.f32 =>
        xs |> asVector(4) |> reduceSeq(add)(vectorFromScalar(0.0))
           |> fun(v => [v] |> asScalar |> mapSeq(id)))""",
    "scalars are stored as vectors": """fun(xs: 12.f32 => xs
        |> mapSeq(fun(x => x + 1.0)) |> asVector(4) |> toMem(Local)
        |> mapSeq(fun(v => v * v)) |> asScalar)""",
    "guards of both dimensions": """fun(xs: 3.5.f32 => xs
        |> map(padEmpty(3)) |> padEmpty(1) |> map(split(4))
        |> mapPar(mapSeq(mapSeq(fun(x => x * 2.0)))) |> map(join) |> map(take(5)) |> take(3))""",
    "a sum behind a guard": """fun(xs: 3.4.f32 =>
        xs |> map(reduceSeq(add)(0.0)) |> padCst(1, 1, 9.0) |> mapSeq(id))""",
    "padded rows": """fun(xs: 3.4.f32, row: 4.f32 => xs |> padCst(1, 1, row) |> mapSeq(mapSeq(id)))""",
    "clamped nothing": "fun(xs: 0.f32 => xs |> padClamp(1, 1) |> padCst(1, 0, 3.0) |> take(1) |> mapSeq(id))",
    "nothing": "fun(xs: 0.f32 => xs |> mapPar(fun(x => x + 1.0)))",
    "unrolled": "fun(xs: 3.4.f32 => xs |> mapSeqUnroll(reduceSeqUnroll(add)(0.0)))",
    "shrinking iteration": """fun(xs: 12.f32 =>
        xs |> iterate(2)(fun(l: nat, ys: (l*2).f32 => ys |> split(2) |> mapSeq(reduceSeq(add)(0.0)))))""",
    "iteration": """fun(xs: 5.f32 =>
        xs |> iterate(3)(fun(l: nat, ys: (l*1).f32 => ys |> mapSeq(fun(y => y * 2.0)))))""",
    "iteration of a permutation": """fun(xs: 5.f32 => xs |> iterate(3)(fun(l: nat, ys: (l*1).f32 =>
        generate(fun(i: idx[l] => idx(i, ys))) |> mapSeq(fun(y => y + 1.0)))))""",
    "no iteration": """fun(xs: 5.f32 =>
        xs |> iterate(0)(fun(l: nat, ys: (l*2).f32 => ys |> split(2) |> mapSeq(reduceSeq(add)(0.0)))))""",
    "a number is named": """fun(xs: 12.f32 =>
        let(xs |> reduceSeq(add)(0.0), fun(s => xs |> mapSeq(fun(x => x * s)))))""",
    "a function is a parameter": """fun(xs: 4.f32 =>
        (fun(f: f32 -> f32 => xs |> mapSeq(fun(x => f(f(x))))))(fun(x => x * 3.0)))""",
    "a partial application": "fun(xs: 4.f32, y: f32 => (fun(z => xs |> mapSeq(add(z))))(y * y))",
    "fragments": """fun(a: 4.3.f32, b: 3.5.f32, c: 4.5.f32 =>
        tensorMatMulAdd(asFragmentA(a) |> toMem(Local), asFragmentB(b) |> toMem(Local),
                        asFragmentAcc(c) |> toMem(Local))
        |> toMem(Local) |> asMatrix)""",
    "fragments are accumulated": """fun(a: 2.4.3.f32, b: 2.3.5.f32 => zip(a, b)
        |> reduceSeq(fun(acc, p => tensorMatMulAdd(
             toMem(Local, asFragmentA(fst(p))), toMem(Local, asFragmentB(snd(p))), acc)))
           (generateFragment(0.0))
        |> mapFragment(fun(x => x * 2.0)) |> toMem(Local)
        |> fun(d => zipFragment(fun(x, y => x - y), d, toMem(Local, generateFragment(1.0)))) |> toMem(Local)
        |> asMatrix)""",
}


@pytest.mark.parametrize("name", CASES)
def test_a_program_agrees_with_its_meaning(name: str) -> None:
    agree_on_numbers(CASES[name])


INTEGERS = np.array([3, 0, -7, 5, 0], np.int32)
POSITIONS = np.array([2, 0, 4, 4], np.int64)
FLOATS = np.arange(5, dtype=np.float32)
OTHER_CASES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "what is not chosen is not computed": (
        "fun(xs: 5.i32 => xs |> mapSeq(fun(x => if x == 0 then 0 else let(100 / x, fun(q => q * q)))))",
        (INTEGERS,),
    ),
    "arrays are chosen": (
        "fun(c: bool, xs: 5.f32, ys: 5.f32 => (if c then xs else ys |> map(neg)) |> mapSeq(id))",
        (np.bool_(False), FLOATS, FLOATS),
    ),
    "gather": ("fun(is: 4.idx[5], xs: 5.f32 => gather(is, xs) |> mapSeq(id))", (POSITIONS, FLOATS)),
    "indices are written": ("fun(is: 4.idx[5] => is |> mapSeq(id))", (POSITIONS,)),
    "indices are chosen": (
        "fun(c: bool, i: idx[5], j: idx[5], xs: 5.f32 => idx(if c then i else j, xs))",
        (np.bool_(True), np.int64(3), np.int64(1), FLOATS),
    ),
    "indices are accumulated": (
        "fun(k: idx[5], is: 4.idx[5], xs: 5.f32 => xs |> idx(is |> reduceSeq(fun(a, i => i))(k)))",
        (np.int64(1), POSITIONS, FLOATS),
    ),
    "pairs of arrays": (
        "fun(xs: 5.(f32, i32) => xs |> mapPar(fun(x => pair(snd(x), fst(x)))))",
        ((FLOATS, INTEGERS),),
    ),
    "halves": (
        "fun(a: 2.2.f16 => a |> mapSeq(mapSeq(fun(x => cast{f32}(x) * 0.5))))",
        (np.ones((2, 2), np.float16),),
    ),
}


@pytest.mark.parametrize("name", OTHER_CASES)
def test_a_program_of_other_types_agrees_with_its_meaning(name: str) -> None:
    text, arguments = OTHER_CASES[name]
    agree(program(text), *arguments)


@pytest.mark.parametrize("sizes", [(3, 4, 5), (1, 0, 2), (0, 3, 2), (33, 2, 31)])
def test_sizes_may_be_symbolic(sizes: tuple[int, int, int]) -> None:
    m, k, n = sizes
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-8, 8, s).astype(np.float32) for s in ((m, k), (k, n)))
    agree(program(MATRIX_PRODUCT), a, b, sizes=sizes)


def test_a_matrix_product_is_as_written_by_hand() -> None:
    assert shown(MATRIX_PRODUCT) == [
        "for i_row < M (parallel)",
        "for i_column < N (seq)",
        "new acc : f32 [1] in Local",
        "acc[0] := 0.0f32",
        "for i < K (seq)",
        "acc[0] := add(acc[0], mul(a[K * i_row + i], b[N * i + i_column]))",
        "output[N * i_row + i_column] := acc[0]",
    ]


def test_tiles_leave_no_division_in_indices() -> None:
    lines = shown("""fun(xs: 64.64.f32 =>
        xs |> map(split(8)) |> split(16) |> map(transpose)
           |> mapPar(mapSeq(mapSeq(mapSeq(fun(x => x + 1.0)))))
           |> map(transpose) |> join |> map(join))""")
    assert len(lines) == 5
    assert not any(mark in lines[-1] for mark in "/%")


def test_a_guard_of_a_loop_ends_it() -> None:
    lines = shown("""fun(xs: N.f32 =>
        xs |> padEmpty(32 * ceil(N, 32) - N) |> split(32)
           |> mapPar(mapSeq(fun(x => x + 1.0))) |> join |> take(N))""")
    assert lines == [
        "for i < ceil(N, 32) (parallel)",
        "for i_x < min(N - 32 * i, 32) (seq)",
        "output[32 * i + i_x] := add(xs[32 * i + i_x], 1.0f32)",
    ]


def test_only_toMem_and_accumulators_allocate() -> None:
    procedure = translate(program(MATRIX_PRODUCT))
    assert sum(isinstance(one, Allocate) for one in statements(procedure.body)) == 1
    fused = translate(
        program("fun(xs: N.f32 => xs |> map(neg) |> split(4) |> map(map(exp)) |> join |> mapSeq(id))")
    )
    assert [type(one) for one in statements(fused.body)] == [For, Assign]


def test_an_accumulator_is_updated_in_place_if_nothing_overwritten_is_read() -> None:
    assert not any("next" in line for line in shown(CASES["an array is accumulated"]))
    for name in ("an array is accumulated, transposed", "an array is accumulated, shifted"):
        assert any("next" in line for line in shown(CASES[name]))


def test_a_value_that_is_used_twice_is_computed_once() -> None:
    term = "x"
    for _ in range(200):
        term = f"(fun(y => y * y))({term})"
    lines = shown(f"fun(x: f32 => {term})")
    assert 200 <= len(lines) <= 210


def test_every_statement_has_an_origin() -> None:
    e = program(CASES["rows are stored"])
    procedure = translate(e)
    found = {}
    for statement in statements(procedure.body):
        inner = e
        for step in statement.origin:
            inner = inner.children[step]
        while isinstance(inner, App | DepApp):
            inner = inner.fun
        found.setdefault(type(statement), set()).add(
            inner.name if isinstance(inner, Primitive) else type(inner)
        )
    assert found[For] == {"mapPar", "mapSeq", "reduceSeq"}
    assert found[Allocate] == {"toMem", "reduceSeq"}


def test_parameters_are_named_safely_and_once() -> None:
    e = program(
        "fun(n: nat, for': n.f32, exp: (n+1).f32 => fun(n: nat, x: n.f32 =>"
        " pair(for' |> mapSeq(id), x |> mapSeq(id))))"
    )
    procedure = translate(e, "int")
    assert procedure.name == "int"
    assert [size.name for size in procedure.sizes] == ["n", "n_1"]
    assert [one.name for one in procedure.inputs] == ["for_", "exp_", "x"]
    assert [one.name for one in procedure.output.buffers] == ["output_1st", "output_2nd"]


def test_obligations_are_about_the_sizes_of_the_procedure() -> None:
    e = program(
        "fun(n: nat, xs: n.f32 => fun(n: nat, ys: n.f32 => ys |> split(8) |> mapSeq(reduceSeq(add)(0.0))))"
    )
    procedure = translate(e)
    assert [one.condition for one in procedure.checks] == ["8 divides n_1"]
    assert procedure.checks[0].subject.free <= set(procedure.sizes)


def test_parallel_loops_may_be_nested_perfectly() -> None:
    lines = shown("fun(xs: 3.4.f32 => xs |> mapPar(mapPar(fun(x => x + 1.0))))")
    assert lines[:2] == ["for i < 3 (parallel)", "for i_x < 4 (parallel)"]


def test_records_match_their_accesses() -> None:
    taken_apart = {MAKE[0], MATCH[0], *with_trait("sizes")}
    assert taken_apart < TRANSLATIONS.keys()
    for name, record in TRANSLATIONS.items():
        if name in taken_apart:  # they are replaced before translation, or only call a function
            assert (record.read, record.write, record.place) == (None, None, None)
            continue
        result = record.access.rpartition("->")[2].strip()
        assert (record.read is not None) == (result != "write"), name
        if result != "read":
            assert (record.write is None) != (record.place is None), name
