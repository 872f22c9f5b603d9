"""A Python function computes the same as a program as it does on numpy arrays; its term is what a person would
write.
"""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F722, F821

from __future__ import annotations

import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rise
from rise import dsl
from rise.embedding import call, fold, generate, map, program, reduce, sizes, split, zip
from rise.embedding.scalars import UFUNCS
from rise.nodes import postorder
from rise.scalars import SCALARS
from tests.examples import examples, some
from tests.rise.embedding.arrangements import ARRANGEMENTS
from tests.rise.embedding.programs import PROGRAMS, TEXTS

FUNCTIONS = {one.__name__: one for one in (*PROGRAMS, *ARRANGEMENTS)}
NAMES = list(FUNCTIONS)


@cache
def traced(name: str) -> Any:
    return program(FUNCTIONS[name])


def arguments(function: Callable[..., Any], given: Mapping[str, int], seed: int) -> list[Any]:
    """Arrays of the annotated types of a function's parameters."""
    rng = np.random.default_rng(seed)
    found = []
    for one in inspect.signature(function).parameters.values():
        *axes, element = re.split(r"\.(?![^(]*\))", one.annotation.strip("'\""))
        shape = tuple(eval(axis, dict(given)) for axis in axes)
        if element.startswith("idx"):
            found.append(rng.integers(0, given[element[4:-1]], shape))
        elif element.startswith("f"):
            numbers = np.abs(rng.standard_normal(shape)) + rng.integers(1, 3)
            found.append(np.asarray(numbers, SCALARS[element].dtype)[()])
        else:
            sign = 1 if element.startswith("u") else rng.choice([1, -1])
            found.append(np.asarray(rng.integers(1, 9, shape) * sign, SCALARS[element].dtype)[()])
    return found


def same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple):
        first, *rest = wanted
        return same(found[0], first) and same(found[1], rest[0] if len(rest) == 1 else tuple(rest))
    return found.shape == np.shape(wanted) and np.allclose(
        found, wanted, rtol=1e-3, atol=1e-4, equal_nan=True
    )


@pytest.mark.parametrize("name", some(NAMES, 2))
@settings(max_examples=examples(4), deadline=None)
@given(st.integers(2, 5), st.integers(2, 5), st.integers(0, 1 << 20))
def test_a_program_agrees_with_its_function_on_numpy(name: str, n: int, m: int, seed: int) -> None:
    built = traced(name)
    spread = dict.fromkeys("ABCN", n + 2) | dict.fromkeys("DEIKMO", m + 2)
    given = arguments(built.python, spread, seed)
    with np.errstate(all="ignore"):
        wanted = built.python(*given)
    assert same(built(*given), wanted), built.text


@pytest.mark.parametrize("name", some(NAMES, 2))
def test_the_printed_term_can_be_parsed(name: str) -> None:
    built = traced(name)
    assert rise.parse(built.text)[built.name] == built.main
    assert pickle.loads(pickle.dumps(built.main)) == built.main


@pytest.mark.parametrize("name", TEXTS)
def test_the_term_is_as_written_by_hand(name: str) -> None:
    assert traced(name).main == rise.parse(TEXTS[name]).main


def test_values_that_are_used_twice_are_computed_once() -> None:
    @program
    def doubled(x: "8.f32"):
        for _ in range(60):
            x = x + x
        return x

    assert len(list(postorder(doubled.main))) < 2_000
    assert doubled(np.ones(8, np.float32))[0] == 2.0**60


def test_python_names_become_names_of_shared_values() -> None:
    @program
    def centred(x: N.f32):
        mean = x.mean()
        return x - mean

    assert "let mean =" in centred.text


def test_long_functions_become_terms() -> None:
    @program
    def long(x: f32):
        for _ in range(1_500):
            x = x + 1
        return x

    assert len(list(postorder(long.main))) > 1_500


def test_sizes_are_written_as_values() -> None:
    n, m = sizes("N M")

    @rise.program
    def scaled(x: rise.f32[n, m], k: rise.i64, y: rise.f64[m]):
        return x / x.size, k + x.shape[0], y * x.shape[1], 1 / x.shape[0] + 0.0 * x[0, 0]

    assert str(scaled.type).startswith("{N: nat} -> {M: nat} -> N.M.f32 -> i64 -> M.f64 -> ")
    first, (second, (third, fourth)) = scaled(np.ones((2, 3), np.float32), 5, np.ones(3))
    assert np.allclose(first, 1 / 6) and second == 7 and np.allclose(third, 3) and fourth == 0.5


def test_a_size_may_be_a_parameter() -> None:
    @program
    def blocks(n: nat, x: (n * M).f32):
        return split(x, n).sum(axis=1)

    assert (
        blocks.main == rise.parse("fun(n: nat, x: (n*M).f32 => x |> split(n) |> map(reduce(add, 0.0)))").main
    )


def test_generated_arrays_have_the_length_that_the_program_states() -> None:
    @program
    def ones(x: N.f32):
        return generate(lambda i: 1.0, x.shape[0]), generate(lambda i, j: i, x.shape[0], 2)

    assert str(ones.type) == "{N: nat} -> N.f32 -> (N.f32, N.2.idx[N])"


def test_repeated_expressions_are_computed_once() -> None:
    @program
    def totals(x: N.f32):
        return np.broadcast_to(x.sum(), x.shape)

    assert (
        totals.main
        == rise.parse(
            "fun(x: N.f32 => let total = x |> reduce(add, 0.0) in generate(fun(i: idx[N] => total)))"
        ).main
    )


def test_promises_are_kept_with_the_program() -> None:
    @program(where="4 divides N")
    def blocks(x: N.f32):
        return x.reshape(-1, 4)

    assert rise.obligations(blocks.main) == []
    assert rise.obligations(program(blocks.python).main) != []


def test_programs_call_programs() -> None:
    @program
    def dot(x: N.f32, y: N.f32):
        return x @ y

    @program
    def mv(a: M.K.f32, x: K.f32):
        return map(lambda row: dot(row, x), a)

    a, x = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(3, np.float32)
    assert np.array_equal(mv(a, x), a @ x)
    assert rise.evaluate(mv.main, a, x).tolist() == mv.python(a, x).tolist()


def test_any_primitive_can_be_called() -> None:
    @program
    def turned(x: N.M.f32, f: "f32 -> f32"):
        return (x | dsl.transpose | dsl.map(dsl.map(dsl.neg))), map(f, x[0]), call(dsl.zip, x[0], x[0])

    text = """fun(x: N.M.f32, f: f32 -> f32 => pair(map(map(neg))(transpose(x)),
      pair(map(f)(idx(0, x)), zip(idx(0, x), idx(0, x)))))"""
    assert turned.main == rise.parse(text).main


def test_pairs_are_unpacked() -> None:
    @program
    def best(x: N.f32, y: N.f32):
        def larger(p: Any, q: Any) -> Any:
            take = p.first >= q.first
            return np.where(take, p.first, q.first), np.where(take, p.second, q.second)

        return reduce(larger, (-np.inf, 0.0), zip(x, y))

    x, y = np.array([1, 3, 2], np.float32), np.array([7, 8, 9], np.float32)
    assert best(x, y) == (3, 8)

    @program
    def sums(p: "N.(f32, f32)", q: (f32, f32)):
        a, b = q
        return p.first.sum() * a + p.second.sum() * b

    assert sums((x, y), (np.float32(1), np.float32(2))) == 54


def test_a_computation_without_the_parameter_leaves_the_loop() -> None:
    @program
    def nested(a: N.f32, b: M.f32):
        return map(lambda x: map(lambda y: y * (x * x) * b.sum(), b), a)

    assert (
        nested.main
        == rise.parse("""fun(a: N.f32, b: M.f32 => let(reduce(add, 0.0, b), fun(s =>
      a |> map(fun(x => let(x * x, fun(v => b |> map(fun(y => y * v * s)))))))))""").main
    )


def test_the_functions_of_the_package_run_on_numpy() -> None:
    x = np.arange(4.0)
    assert map(lambda a: a * 2, x).tolist() == [0, 2, 4, 6]
    assert fold(lambda a, b: a - b, 10, x) == 4
    assert generate(lambda i, j: i + 2 * j, 2, 2).tolist() == [[0, 2], [1, 3]]
    assert split(x, 2).tolist() == [[0, 1], [2, 3]]


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_slices_agree_with_numpy(data: st.DataObject) -> None:
    bound = st.none() | st.integers(-3, 3)
    cuts = [
        slice(data.draw(bound), data.draw(bound), data.draw(st.sampled_from([None, 1, 2, 3])))
        for _ in range(2)
    ]
    items = tuple(data.draw(st.sampled_from([cut, data.draw(st.integers(-4, 3)), None])) for cut in cuts)
    x = np.arange(24, dtype=np.int32).reshape(4, 6)

    def sliced(x: (4.6).i32):
        return x[items]

    wanted = sliced(x)
    found = program(sliced)(x)
    assert found.shape == wanted.shape and np.array_equal(found, wanted)


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(st.sampled_from([1, 2, 3]), max_size=3), st.data())
def test_broadcasting_agrees_with_numpy(shape: list[int], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(shape)))
    other = [data.draw(st.sampled_from([1, size])) for size in shape[cut:]]
    if data.draw(st.booleans()):
        shape, other = other, shape
    rng = np.random.default_rng(0)
    x, y = (rng.integers(1, 50, one).astype(np.int32) for one in (shape, other))

    def operated(x: Any, y: Any) -> Any:
        return (x - y) * y + np.where(x > y, x, y)

    operated.__annotations__ = {
        name: ".".join([*map_text(one), "i32"]) for name, one in (("x", shape), ("y", other))
    }
    found = program(operated)(x, y)
    assert np.array_equal(found, operated(x, y)) and found.shape == operated(x, y).shape


def map_text(shape: list[int]) -> list[str]:
    return [str(size) for size in shape]


@settings(max_examples=examples(30), deadline=None)
@given(st.data())
def test_lists_of_indices_agree_with_numpy(data: st.DataObject) -> None:
    size: st.SearchStrategy[Any] = st.sampled_from(["4", "N"])
    place = st.integers(-4, 3)
    rows = st.integers(1, 3).flatmap(lambda n: st.lists(st.lists(place, min_size=n, max_size=n), min_size=1))
    chosen = data.draw(st.lists(place, min_size=1, max_size=5) | rows)
    chosen = data.draw(st.sampled_from([chosen, np.array(chosen), tuple(chosen)]))
    other = data.draw(st.sampled_from([slice(None), slice(1, None), 2, -1, None]))
    items = data.draw(st.sampled_from([(chosen,), (chosen, other), (other, chosen)]))
    x = np.arange(16, dtype=np.int32).reshape(4, 4)

    def taken(x: Any) -> Any:
        return x[items]

    taken.__annotations__ = {"x": f"{data.draw(size)}.{data.draw(size)}.i32"}
    found = program(taken)(x)
    assert found.shape == taken(x).shape and np.array_equal(found, taken(x))


@pytest.mark.parametrize("written", ["1.0, 0.0", "1, 0", "1, 0.5", "True, False", "x.shape[0], 0", "0, x"])
def test_choices_between_numbers_agree_with_numpy(written: str) -> None:
    scope: dict[str, Any] = {"np": np}
    exec(f"def f(x: 'N.i32'): return np.where(x > 1, {written})", scope)
    x = np.arange(4, dtype=np.int32)
    found, wanted = program(scope["f"])(x), scope["f"](x)
    assert found.dtype.kind == wanted.dtype.kind and np.array_equal(found, wanted)


OPERATORS = [
    "a + b",
    "a - b",
    "a * b",
    "a // b",
    "a % b",
    "a < b",
    "a <= b",
    "a > b",
    "a >= b",
    "a == b",
    "a != b",
    "-a",
    "abs(a)",
]


@pytest.mark.parametrize("written", OPERATORS)
@pytest.mark.parametrize("dtype", some(["i8", "i32", "u8", "i64", "f32", "f64"], 2))
def test_operators_agree_with_numpy(written: str, dtype: str) -> None:
    if written == "a // b" and dtype.startswith("f"):
        return
    scope: dict[str, Any] = {}
    exec(f"def f(a: 'N.{dtype}', b: 'N.{dtype}'): return {written}", scope)
    values = [-128, -7, -6, -1, 0, 1, 2, 5, 7, 127] if dtype[0] != "u" else [0, 1, 2, 5, 7, 200, 255]
    divisors = [one for one in values if one] if written in ("a // b", "a % b") else values
    pairs = [(a, b) for a in values for b in divisors if not (dtype == "i8" and (a, b) == (-128, -1))]
    a, b = (np.array(column, SCALARS[dtype].dtype) for column in np.array(pairs).T)
    with np.errstate(all="ignore"):
        wanted = scope["f"](a, b)
    found = program(scope["f"])(a, b)
    assert found.dtype == wanted.dtype
    assert np.array_equal(found, wanted)


def test_the_package_loads_its_names_on_demand() -> None:
    code = "import rise, sys; print('rise.embedding' in sys.modules, callable(rise.program), rise.f32)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True Scalar(name='f32')\n"
    assert set(rise.__all__) >= {"program", "sizes", "embedding", *(set(SCALARS) - {"bool"})}
    assert all(hasattr(rise, name) for name in rise.__all__)


@pytest.mark.parametrize("name", some(sorted(UFUNCS.keys() - {"erf"}), 2))
def test_functions_of_scalars_agree_with_numpy(name: str) -> None:
    function = getattr(np, name)
    dtype = "bool" if name.startswith(("logical", "bitwise", "invert")) else "f64"
    if name == "floor_divide" or name.endswith("_shift"):
        dtype = "i32"
    x = np.array([0.25, 0.5, 0.75, 0.875], np.float64) if dtype == "f64" else np.array([1, 0, 1, 1])
    x = x + 1 if name == "arccosh" else x  # which is undefined below 1
    given = [np.asarray(x, SCALARS[dtype].dtype), np.asarray(1 + x[::-1], SCALARS[dtype].dtype)][
        : function.nin
    ]
    call_it: Any = (lambda a: function(a)) if function.nin == 1 else (lambda a, b: function(a, b))
    call_it.__annotations__ = dict.fromkeys("ab"[: function.nin], f"N.{dtype}")
    assert np.allclose(program(call_it)(*given), function(*given))


@pytest.mark.parametrize("left", ["K.f32", "M.K.f32", "B.M.K.f32", "C.B.M.K.f32"])
@pytest.mark.parametrize("right", ["K.f32", "K.N.f32", "B.K.N.f32", "C.B.K.N.f32"])
def test_products_of_every_rank_are_those_of_numpy(left: str, right: str) -> None:
    def product(a, b):
        return a @ b

    product.__annotations__ = {"a": left, "b": right}
    given = arguments(product, {"C": 2, "B": 3, "M": 4, "K": 5, "N": 1}, 7)
    assert same(program(product)(*given), product(*given))


def test_a_program_stands_for_its_term() -> None:
    @program
    def doubled(x: N.f32):
        return x | dsl.mapSeq(lambda v: v + v)

    x = np.arange(4, dtype=np.float32)
    assert rise.evaluate(doubled, x).tolist() == [0, 2, 4, 6]
    assert rise.show(doubled) == rise.show(doubled.main)
    assert str(rise.specialise(doubled, N=4).type) == "4.f32 -> 4.f32"
    assert rise.evaluate(rise.parse("val f = fun(x: f32 => x)"), np.float32(2)) == 2
