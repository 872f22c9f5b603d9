"""Meanings of primitives: the same as in numpy, in every batch, and on pairs the same as on their parts."""

import itertools
import re
import zlib
from typing import Any, Final

import numpy as np
import pytest

from rise.arguments.sizes import dtype_of, instantiate_all
from rise.diagnostics import RiseError
from rise.inference.schemes import scheme_of
from rise.naturals import const
from rise.primitives import PRIMITIVES, lookup
from rise.programs.evaluation import evaluate
from rise.programs.program import parse_expr
from rise.terms import DepLam, Expr
from rise.text.reader import read_equation
from rise.types import ArrayType, FragmentType, FunType, IndexType, PairType, Type, VectorType
from rise.values import Data, leaves, map_leaves
from tests.examples import some
from tests.rise.primitives.cases import CASES, EXPANDED, SIZES, Case, Sizes
from tests.rise.primitives.scalar_cases import SCALAR_CASES

each_case: Final = pytest.mark.parametrize(
    "case", [*EXPANDED, *SCALAR_CASES], ids=lambda c: f"{c.name}: {', '.join(c.types)}"
)


def test_every_primitive_has_a_case() -> None:
    assert {c.name for c in (*CASES, *SCALAR_CASES)} == set(PRIMITIVES)


def typed(e: Expr, sizes: Sizes) -> list[Type]:
    """The parameters' types at these sizes."""
    values: list[Any] = []
    while isinstance(e, DepLam):
        values.append(const(sizes[e.name]))
        e = e.body
    rest, types = instantiate_all(e, values).type, []
    while isinstance(rest, FunType):
        types.append(rest.parameter)
        rest = rest.result
    return types


def sample(rng: np.random.Generator, t: Type, shape: tuple[int, ...] = ()) -> Any:
    """A random value of a type; if there is none, since no index is below 0, the index 0."""
    match t:
        case ArrayType(size, element):
            assert size.constant is not None
            return sample(rng, element, (*shape, size.constant))
        case PairType(first, second):
            return sample(rng, first, shape), sample(rng, second, shape)
        case IndexType(size):
            return rng.integers(0, max(size.constant or 0, 1), shape)
        case VectorType(size, element):
            return sample(rng, element, (*shape, size.constant or 0))
        case FragmentType(rows, columns, _, element):
            return sample(rng, element, (*shape, rows.constant or 0, columns.constant or 0))
    dtype = dtype_of(t)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    low, high = (1, 200) if dtype.kind == "u" else (-100, 100)
    integers = rng.integers(low, high, shape)
    values = integers + (integers == 0)
    return np.asarray(values if dtype.kind in "iu" else values / 8 + 12.5).astype(dtype)


def has_values(t: Type) -> bool:
    """Whether a type has values: there is no index below 0."""
    match t:
        case ArrayType(size, element):
            return size.constant == 0 or has_values(element)
        case PairType(first, second):
            return has_values(first) and has_values(second)
    return not (isinstance(t, IndexType) and t.size.constant == 0)


def random(case: Case) -> np.random.Generator:
    return np.random.default_rng(zlib.crc32(repr((case.name, case.types)).encode()))


def same(found: Any, expected: Any) -> None:
    for f, e in zip(leaves(found), leaves(expected), strict=True):
        assert isinstance(f, np.ndarray)
        assert f.dtype == e.dtype
        np.testing.assert_array_equal(f, e)


def close(found: Any, expected: Any) -> None:
    for f, e in zip(leaves(found), leaves(expected), strict=True):
        assert f.dtype == np.asarray(e).dtype
        np.testing.assert_allclose(f, e, rtol=1e-15)


@each_case
@pytest.mark.parametrize("sizes", some(SIZES, 2), ids=str)
def test_the_meaning_is_that_of_numpy(case: Case, sizes: Sizes) -> None:
    program, rng = case.program(), random(case)
    types = typed(program, sizes)
    given, fixed = [sample(rng, t) for t in types], {name: sizes[name] for name in case.sizes}
    if not all(map(has_values, types)):
        with pytest.raises(RiseError, match="index"):
            evaluate(program, *given, sizes=fixed)
        return
    with np.errstate(all="ignore"):
        expected = map_leaves(np.asarray, case.oracle(sizes, *given))
    found = evaluate(program, *given, sizes=fixed)
    (close if case.name == "sqrt" or PRIMITIVES[case.name].units else same)(found, expected)


def stacked(stack: list[Any]) -> Data:
    return map_leaves(lambda *xs: np.stack(xs), *stack)


@each_case
@pytest.mark.parametrize("sizes", some(SIZES[:2], 2), ids=str)
def test_a_batch_is_the_stack_of_single_results(case: Case, sizes: Sizes) -> None:
    """Under maps over any of its arguments, with the others captured, a primitive computes the same as alone.

    A sample takes every third choice of arguments of primitives that have several.
    """
    single, rng, names = case.program(), random(case), "abc"[: len(case.types)]
    types, fixed = typed(single, sizes), {name: sizes[name] for name in case.sizes}
    choices = [one for one in itertools.product(*[(0, 2 + i) for i in range(len(names))]) if any(one)]
    for mapped in some(choices, 3, first=len(case.body)) if len(choices) > 1 else choices:
        stacks = [[sample(rng, t) for _ in range(m or 1)] for m, t in zip(mapped, types, strict=True)]
        body, head = case.body, []
        for x, m, t in reversed(list(zip(names, mapped, case.types, strict=True))):
            body = f"{x} |> map(fun({x} => {body}))" if m else body
            head.insert(0, f"{x}: {m}.{t}" if m else f"{x}: {t}")
        arguments = [stacked(stack) if m else stack[0] for stack, m in zip(stacks, mapped, strict=True)]
        found = evaluate(parse_expr(f"fun({', '.join(head)} => {body})"), *arguments, sizes=fixed)
        expected: list[Any] = [
            evaluate(single, *choice, sizes=fixed) for choice in itertools.product(*stacks)
        ]
        for m in reversed([m for m in mapped if m]):
            expected = [stacked(expected[i : i + m]) for i in range(0, len(expected), m)]
        same(found, expected[0])


@each_case
def test_a_batch_along_one_axis_of_two_arguments(case: Case) -> None:
    """Both arguments vary together: `zip` under one map."""
    if len(case.types) < 2:
        return
    single, rng, sizes = case.program(), random(case), SIZES[0]
    types, fixed = typed(single, sizes), {name: sizes[name] for name in case.sizes}
    stacks = [[sample(rng, t) for _ in range(3)] for t in types[:2]]
    rest = [sample(rng, t) for t in types[2:]]
    body = f"(fun(a, b => {case.body}))(fst(p), snd(p))"
    head = ", ".join(f"{x}: {'3.' * (x != 'c')}{t}" for x, t in zip("abc", case.types, strict=False))
    program = parse_expr(f"fun({head} => zip(a, b) |> map(fun(p => {body})))")
    arguments = [stacked(stack) for stack in stacks]
    found = evaluate(program, *arguments, *rest, sizes=fixed)
    results = [evaluate(single, x, y, *rest, sizes=fixed) for x, y in zip(*stacks, strict=True)]
    same(found, stacked(results))


@pytest.mark.parametrize(
    "case",
    [c for c in CASES if any(re.search(r"\bT\b", t) for t in c.types)],
    ids=lambda c: f"{c.name} {c.body}",
)
@pytest.mark.parametrize("sizes", some(SIZES, 2), ids=str)
def test_a_view_of_pairs_is_the_pair_of_views(case: Case, sizes: Sizes) -> None:
    def at(t: str) -> Expr:
        return Case(
            case.name, tuple(re.sub(r"\bT\b", t, x) for x in case.types), case.body, case.oracle
        ).program()

    rng, fixed = random(case), {name: sizes[name] for name in case.sizes}
    of_pairs = at("(f32, (2.i16, f64))")
    types = typed(of_pairs, sizes)
    given = [sample(rng, t) for t in types]
    if not all(map(has_values, types)):
        with pytest.raises(RiseError, match="index"):
            evaluate(of_pairs, *given, sizes=fixed)
        return
    chosen = [[g if isinstance(g, np.ndarray) else leaves(g)[i] for g in given] for i in range(3)]
    first, second, third = (
        evaluate(at(t), *xs, sizes=fixed) for t, xs in zip(("f32", "2.i16", "f64"), chosen, strict=True)
    )
    same(evaluate(of_pairs, *given, sizes=fixed), (first, (second, third)))


def test_every_record_is_documented() -> None:
    for record in PRIMITIVES.values():
        assert scheme_of(record.scheme).body is not None
        assert record.doc.endswith(".") and record.level in ("high", "low", "view")
        assert (record.level == "high") == bool(record.lowers_to)
        assert all(PRIMITIVES[name].level == "low" for name in record.lowers_to)
        if record.law:
            law = read_equation(record.law)
            assert record.name in record.law and law.left != law.right


def test_array_literals_are_a_family() -> None:
    three = lookup("makeArray3")
    assert three is not None and three is lookup("makeArray3")
    assert three.scheme == "{t: data} -> t -> t -> t -> 3.t"
    assert [lookup(n) for n in ("makeArray0", "makeArray03", "makeArrays", "makeArray1000000", "mapp")] == [
        None
    ] * 5


@pytest.mark.parametrize("text", ["pow(x, 0.5)", "pow(x, -0.5)"])
def test_a_power_with_a_constant_exponent_is_that_of_c(text: str) -> None:
    """numpy replaces the exponent 0.5 by a square root, which is NaN for -inf, and -0.0 for -0.0."""
    main = parse_expr(f"fun(xs: N.f32 => xs |> map(fun(x => {text})))")
    xs = np.array([-np.inf, -0.0, 4.0], np.float32)
    with np.errstate(all="ignore"):
        found = evaluate(main, xs)
    wanted = [float("inf"), 0.0, 2.0] if text == "pow(x, 0.5)" else [0.0, float("inf"), 0.5]
    assert found.tolist() == wanted and not np.signbit(found).any()
