"""Evaluation as a whole: programs, sizes, batches, long chains, and arguments that do not fit.

`tests/rise/programs/snapshots/evaluation_errors.txt` contains the messages; run this file to rewrite them.
"""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.arguments.sizes import instantiate_all
from rise.diagnostics import RiseError
from rise.inference.schemes import instantiate_primitive
from rise.naturals import const
from rise.primitives import lookup
from rise.programs.evaluation import evaluate
from rise.programs.machine import Environment, bind
from rise.programs.program import parse, parse_expr
from rise.terms import App, Bound, DepLam, Expr, Lam, Primitive, Var, abstract, apply, make_literal
from rise.types import F32, I32, Argument, ArrayType, FunType, instantiate_dependent
from tests.examples import some
from tests.snapshot_files import read_snapshots, write_snapshots

LONG: Final = 5_000  # terms on which Python would not recurse
f32: Final = np.float32
MATRIX_PRODUCT: Final = """
fun(A: M.K.f32, B: K.N.f32 => A |> map(fun(row => transpose(B) |> map(fun(column =>
  zip(row, column) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0))))))
"""


def run(text: str, *arguments: Any, **sizes: int) -> Any:
    return evaluate(parse_expr(text), *arguments, sizes=sizes)


def said(text: str, *arguments: Any, **sizes: int) -> str:
    with pytest.raises(RiseError) as caught:
        run(text, *arguments, **sizes)
    return str(caught.value)


def primitive(name: str, *implicits: Argument) -> Primitive:
    record = lookup(name)
    assert record is not None
    return instantiate_primitive(record, implicits)


ADD: Final = primitive("add", F32)
ONE: Final = make_literal(1.0, F32)


@pytest.mark.parametrize("shape", [(3, 4, 5), (1, 1, 1), (0, 3, 2), (2, 0, 3), (2, 3, 0)])
def test_the_matrix_product(shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (m, k)).astype(f32), rng.integers(-9, 9, (k, n)).astype(f32)
    found = evaluate(parse(MATRIX_PRODUCT).main, a, b)
    np.testing.assert_array_equal(found, a @ b)
    assert found.dtype == f32 and found.flags.c_contiguous


def test_results_share_no_memory_with_inputs() -> None:
    xs = np.arange(4, dtype=f32)
    same = run("fun(a: N.f32 => a)", xs)
    assert not np.shares_memory(same, xs)
    scalar = run("fun(a: f32 => a + 1.0)", 1)
    assert isinstance(scalar, np.ndarray) and scalar.shape == () and scalar.dtype == f32
    repeated = run("fun(a: f32 => generate{3}(fun(i => a)))", 2.0)
    repeated[0] = 0
    assert repeated.tolist() == [0, 2, 2]
    first, second = run("fun(a: N.f32 => zip(a, a))", xs)
    assert not np.shares_memory(first, second)


def test_inputs_need_not_be_contiguous() -> None:
    xs = np.arange(12, dtype=f32).reshape(3, 4)
    np.testing.assert_array_equal(run("fun(a: N.M.f32 => join(a))", xs.T[::-1]), xs.T[::-1].reshape(-1))


def test_sizes_follow_from_shapes_however_they_are_written() -> None:
    xs = np.arange(12, dtype=f32)
    assert run("fun(a: (2*N+2).f32 => take(2, a))", xs).tolist() == [0, 1]
    assert run("fun(a: (M*N).f32, b: N.f32 => split(N, a))", xs, xs[:4]).shape == (3, 4)
    assert run("fun({n: nat}, {m: nat}, a: n.f32, b: (n+m).f32 => a)", xs[:2], xs).tolist() == [0, 1]
    assert run("fun(a: (N*N).f32 => split(N, a))", xs[:9], N=3).shape == (3, 3)


def test_explicit_sizes_are_arguments_in_order() -> None:
    text = "fun(n: nat, a: (M*n).f32, k: nat, b: k.f32 => pair(split(n, a), b))"
    rows, rest = run(text, 2, np.arange(6, dtype=f32), 1, np.ones(1, f32))
    assert rows.shape == (3, 2) and rest.shape == (1,)


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.float16, ml_dtypes.bfloat16, np.float64])
def test_type_parameters_follow_from_dtypes(dtype: Any) -> None:
    xs = np.arange(3).astype(dtype)
    found = run("fun({t: num}, x: t, a: N.t => map(add(x), a))", 2, xs)
    assert found.dtype == dtype and found.tolist() == [2, 3, 4]


def test_a_type_parameter_may_be_an_array_or_a_pair() -> None:
    xs = np.arange(6, dtype=f32).reshape(2, 3)
    np.testing.assert_array_equal(run("fun({t: data}, a: (1+N).t => take(1, a))", xs), xs[:1])
    first, second = run("fun({t: data}, a: (1+N).t => take(1, a))", (xs, xs[:, 0].astype(np.int64)))
    assert first.shape == (1, 3) and second.tolist() == [0]


def test_free_sizes_are_given_by_name() -> None:
    e = parse_expr("fun(a: n.f32 => split(2, a))", context={"n": "nat"})
    assert evaluate(e, np.zeros(4, f32), sizes={"n": 4}).shape == (2, 2)


def test_branches_that_are_not_chosen_are_not_evaluated() -> None:
    xs, ys = np.array([6, 1, 8, 3], np.int32), np.array([3, 0, 2, 0], np.int32)
    text = "fun(a: N.i32, b: N.i32 => zip(a, b) |> map(fun(p => {})))"
    guarded = "if snd(p) == 0 then -1 else fst(p) / snd(p)"
    assert run(text.format(guarded), xs, ys).tolist() == [2, -1, 4, -1]
    nested = "if snd(p) == 0 then -1 else if fst(p) > 7 then 7 / (fst(p) - 6) else fst(p) / snd(p)"
    assert run(text.format(nested), xs, ys).tolist() == [2, -1, 3, -1]
    inner = "if snd(p) == 0 then [0, 0] else [1, 2] |> map(fun(k => k / snd(p)))"
    assert run(text.format(inner), xs, ys).tolist() == [[0, 0], [0, 0], [0, 1], [0, 0]]
    assert "division-by-zero" in said(text.format("if fst(p) == 1 then 0 else fst(p) / snd(p)"), xs, ys)


def test_functions_of_no_elements_cause_no_error() -> None:
    none = np.zeros(0, np.int32)
    assert run("fun(a: N.i32, b: i32 => map(fun(x => 1 / b), a))", none, 0).shape == (0,)
    assert run("fun(a: N.2.i32, b: i32 => map(map(fun(x => x / b)), a))", none.reshape(0, 2), 0).shape == (
        0,
        2,
    )


@pytest.mark.parametrize("t", ["f16", "bf16", "f32", "i8"])
@pytest.mark.parametrize("size", [0, 1, 700])
def test_folds_round_at_each_step_however_they_are_computed(t: str, size: int) -> None:
    """numpy's accumulation, which plain folds use, is the same loop that other folds are."""
    rng = np.random.default_rng(size)
    dtype = (
        np.dtype(ml_dtypes.bfloat16) if t == "bf16" else np.dtype({"f16": "f2", "f32": "f4", "i8": "i1"}[t])
    )
    xs, start = rng.integers(-50, 50, size).astype(dtype), np.array(3, dtype)
    xs = xs if t == "i8" else (xs / dtype.type(7)).astype(dtype)
    direct = (
        "reduce(add, s, a)",
        "reduceSeq(fun(x, y => y + x), s, a)",
        "reduceSeq(fun(x, y => x + id(y)), s, a)",
    )
    loop = "reduceSeq(fun(x, y => id(x) + y), s, a)"
    head = f"fun(s: {t}, a: N.{t} => "
    expected = start
    for x in xs:
        with np.errstate(all="ignore"):
            expected = np.add(expected, x)
    for body in (*direct, loop):
        found = run(f"{head}{body})", start, xs)
        assert found.dtype == dtype and found == expected
    np.testing.assert_array_equal(
        run(f"{head}scan(add, s, a))", start, xs),
        run(f"{head}scan(fun(x, y => id(x) + y), s, a))", start, xs),
    )


@pytest.mark.parametrize(
    ("function", "step"),
    [
        ("fun(x, y => y - x)", lambda x, y: y - x),
        ("fun(x, y => x - y)", lambda x, y: x - y),
        ("fun(x, y => x + x * y)", lambda x, y: x + x * y),
        ("fun(x, y => (y + 1) * x)", lambda x, y: (y + 1) * x),
        ("fun(x => max(x))", max),
    ],
)
def test_folds_of_other_forms(function: str, step: Callable[[Any, Any], Any]) -> None:
    xs = np.arange(-3, 4, dtype=np.int32)
    assert run(f"fun(a: N.i32 => reduceSeq({function}, 1, a))", xs) == functools.reduce(step, xs, np.int32(1))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_integers_divide_as_in_c(dtype: Any) -> None:
    limits = np.iinfo(dtype)
    values = np.arange(int(limits.min), int(limits.max) + 1)
    a, b = (x.astype(dtype).reshape(-1) for x in np.meshgrid(values, values[values != 0]))
    t = "i8" if limits.min else "u8"
    quotients = run(f"fun(a: N.{t}, b: N.{t} => zip(a, b) |> map(fun(p => fst(p) / snd(p))))", a, b)
    rests = run(f"fun(a: N.{t}, b: N.{t} => zip(a, b) |> map(fun(p => fst(p) % snd(p))))", a, b)
    exact = np.trunc(a.astype(np.float64) / b).astype(np.int64)
    np.testing.assert_array_equal(quotients, exact.astype(dtype))  # the smallest integer by -1 wraps
    np.testing.assert_array_equal(rests, a - exact * b)


def test_a_fold_that_is_computed_in_parts_is_one_fold() -> None:
    xs = np.random.default_rng(1).random(300_001, f32)
    total = f32(0)
    for x in xs:
        total = total + x * x
    assert run("fun(a: N.f32 => reduceSeq(fun(acc, x => acc + x * x), 0.0, a))", xs) == total


def test_a_function_may_capture_variables_of_any_depth() -> None:
    a, b, c = (np.random.default_rng(i).integers(0, 99, n).astype(np.int32) for i, n in enumerate((2, 3, 4)))
    text = "fun(a: N.i32, b: M.i32, c: K.i32 => map(fun(x => map(fun(y => map(fun(z => {}), c)), b)), a))"
    grid = np.broadcast_arrays(a[:, None, None], b[None, :, None], c[None, None, :])
    np.testing.assert_array_equal(run(text.format("x"), a, b, c), grid[0])
    np.testing.assert_array_equal(run(text.format("y - z"), a, b, c), grid[1] - grid[2])
    sums = run(text.format("reduce(add, x, map(fun(w => w * z), b))"), a, b, c)
    np.testing.assert_array_equal(sums, grid[0] + b.sum() * grid[2])
    kept = run("fun(a: N.i32, b: M.i32 => map(fun(x => (fun(f => map(f, b)))(fun(y => y - x))), a))", a, b)
    np.testing.assert_array_equal(kept, b[None] - a[:, None])


def nested_applications() -> Expr:
    x = Var("x", F32)
    e: Expr = x
    for _ in range(LONG):
        e = apply(ADD, e, ONE)
    return abstract(e, x)


def chained_lets() -> Expr:
    let, y = primitive("let", F32, F32), Bound(0, F32)
    e: Expr = y
    for _ in range(LONG):
        e = apply(let, apply(ADD, y, ONE), Lam("y", F32, e))
    return Lam("x", F32, e)


def chained_calls() -> Expr:
    y = Bound(0, F32)
    e: Expr = y
    for _ in range(LONG):
        e = App(Lam("y", F32, e), apply(ADD, y, ONE))
    return Lam("x", F32, e)


def chained_maps() -> Expr:
    x = Var("x", F32)
    step = App(primitive("map", const(1), F32, F32), App(ADD, ONE))
    xs: Expr = App(primitive("makeArray1", F32), x)
    for _ in range(LONG):
        xs = App(step, xs)
    return abstract(apply(primitive("reduce", const(1), F32), ADD, make_literal(0.0, F32), xs), x)


@pytest.mark.parametrize("chain", some([nested_applications, chained_lets, chained_calls, chained_maps], 2))
def test_long_chains_need_no_recursion(chain: Callable[[], Expr]) -> None:
    """Each adds 1 to a number, LONG times."""
    assert evaluate(chain(), 1.0) == LONG + 1


def test_a_long_chain_of_choices_under_a_map() -> None:
    x = Var("x", I32)
    chosen: Expr = make_literal(-1, I32)
    for i in reversed(range(1000)):
        condition = apply(primitive("eq", I32), x, make_literal(i, I32))
        chosen = apply(primitive("select", I32), condition, make_literal(2 * i, I32), chosen)
    e = App(primitive("map", const(3), I32, I32), abstract(chosen, x))
    assert evaluate(e, np.array([0, 999, 1000], np.int32)).tolist() == [0, 1998, -1]


def nest(depth: int) -> Expr:
    """A function mapped over nested arrays of one element each."""
    mapped, t = App(ADD, ONE), F32
    for _ in range(depth):
        mapped = App(primitive("map", const(1), t, t), mapped)
        t = ArrayType(const(1), t)
    return mapped


def test_maps_nest_up_to_the_number_of_axes_of_numpy() -> None:
    assert evaluate(nest(64), np.ones((1,) * 64, f32)).item() == 2
    with pytest.raises(RiseError, match="rank-limit"):
        evaluate(nest(65), np.ones((1,) * 64, f32))
    with pytest.raises(RiseError, match="rank-limit"):
        run(f"fun(a: f32 => {'generate{1}(fun(i => ' * 65}a{'))' * 65})", 1.0)
    e = parse_expr("fun(a: N.f32 => map(fun(x => map(fun(y => x), a)), a))")
    assert evaluate(e, np.ones(2, f32)).shape == (2, 2)
    ones = ".".join(["1"] * 63)
    with pytest.raises(RiseError, match="rank-limit"):
        run(
            f"fun(a: {ones}.f32, b: 2.f32 => map(fun(x => map(fun(y => a), b)), b))",
            np.ones((1,) * 63, f32),
            np.ones(2, f32),
        )


@given(st.lists(st.integers(), min_size=1, max_size=200))
def test_an_environment_is_a_list(values: list[int]) -> None:
    found: Environment | None = None
    for value in values:
        found = bind(value, 0, found)
    assert found is not None
    assert [found.lookup(i).value for i in range(len(values))] == values[::-1]


@pytest.mark.parametrize(
    "text",
    [
        "fun({t: num}, a: (N*M+2).t, b: M.t => map(fun(x => map(fun(y => x * y), b)), a))",
        "fun(k: nat, a: (M*2^k).f32 => iterate(k, fun(l: nat, r => map(reduce(add, 0.0), split(2, r))), a))",
    ],
)
def test_one_pass_instantiates_like_many(text: str) -> None:
    e = body = parse_expr(text)
    arguments: list[Any] = []
    while isinstance(body, DepLam):
        arguments.append(const(len(arguments) + 2) if body.kind == "nat" else F32)
        e = instantiate_dependent(e.body, arguments[-1]) if isinstance(e, DepLam) else e
        body = body.body
    assert instantiate_all(body, arguments) is e
    assert e.free == frozenset() and isinstance(e.type, FunType)


XS: Final = np.zeros(6, f32)
REFUSED: Final = [
    ("too few arguments", "fun(a: N.f32, b: N.f32 => a)", (XS,)),
    ("another size", "fun(a: N.f32, b: N.f32 => zip(a, b))", (XS, XS[:4])),
    ("no size at all", "fun(a: (4*N+1).f32 => drop(1, a))", (XS,)),
    ("a known size", "fun(a: 4.f32 => a)", (XS,)),
    ("another dtype", "fun(a: N.f32 => a)", (XS.astype(np.float64),)),
    ("another byte order", "fun(a: N.f32 => a)", (XS.astype(">f4"),)),
    ("another rank", "fun(a: N.M.f32 => a)", (XS,)),
    ("a list", "fun(a: N.f32 => a)", ([1.0, 2.0],)),
    ("an array for pairs", "fun(a: N.(f32, f32) => a)", (XS,)),
    ("a float for an integer", "fun(a: i32 => a)", (1.5,)),
    ("a large number", "fun(a: u8 => a)", (256,)),
    ("a number beyond the largest", "fun(a: f16 => a)", (1e6,)),
    ("a truth value for a number", "fun(a: i32 => a)", (True,)),
    ("a function", "fun(f: f32 -> f32, a: f32 => f(a))", (abs, 1.0)),
    ("an index too far", "fun(i: M.idx[N], a: N.f32 => gather(i, a))", (np.array([[0, 6]])[0], XS)),
    ("a size that nothing determines", "fun(a: f32 => generate{N}(fun(i => a)))", (1.0,)),
    ("a type that nothing determines", "fun({t: num}, a: t => a)", (1,)),
    ("a type of another class", "fun({t: floating}, a: N.t => map(sqrt, a))", (XS.astype(np.int32),)),
    ("a quotient that is not exact", "fun(a: N.f32 => a |> split(4) |> join)", (XS,)),
    ("a negative size", "fun(n: nat, a: N.f32 => generate{n-3}(fun(i => 0.0)))", (2, XS)),
    ("a negative argument", "fun(n: nat, a: N.f32 => a)", (-1, XS)),
    ("a division by zero", "fun(a: i32, b: i32 => a % b)", (1, 0)),
    ("a floor division by zero", "fun(a: i32, b: i32 => floorDiv(a, b))", (1, 0)),
    ("an unspecified index", "fun(i: M.idx[N], a: N.f32 => gather(padEmpty(1, i), a))", (np.array([0]), XS)),
]
SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "evaluation_errors.txt"


@pytest.mark.parametrize(("name", "text", "arguments"), REFUSED, ids=[case[0] for case in REFUSED])
def test_messages(name: str, text: str, arguments: tuple[Any, ...]) -> None:
    assert said(text, *arguments) == read_snapshots(SNAPSHOTS)[name]


def test_every_message_has_a_case() -> None:
    assert list(read_snapshots(SNAPSHOTS)) == [name for name, _, _ in REFUSED]


def test_names_in_sizes_must_be_of_the_program() -> None:
    assert said("fun(a: Rows.f32 => a)", XS, rows=6) == (
        "error[unknown-name]: the program has no implicit size `rows`\nhint: did you mean `Rows`?"
    )
    assert "from `sizes`" in said("fun(a: N.f32 => a)", XS, N=5)


def test_an_open_program_is_rejected() -> None:
    e = parse_expr("map(sqrt, xs)", context={"xs": "4.f32"})
    with pytest.raises(RiseError, match="free variable `xs`"):
        evaluate(e)
    with pytest.raises(RiseError, match="free size `n`"):
        evaluate(parse_expr("fun(a: n.f32 => a)", context={"n": "nat"}), XS)


def test_promises_are_checked() -> None:
    program = parse("val f where 4 divides N = fun(a: N.f32 => a)").main
    assert evaluate(program, XS[:4]).shape == (4,)
    with pytest.raises(RiseError, match="promises `4 divides 6`"):
        evaluate(program, XS)


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: said(text, *arguments) for name, text, arguments in REFUSED})
