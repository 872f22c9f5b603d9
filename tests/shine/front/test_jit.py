"""`shine.jit`: which kernel a call creates, which calls share one, and what is rejected."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise import RiseError
from shine.front.argument_types import kind_of
from shine.front.jit import Jitted, jit
from tests import required_tools
from tests.examples import in_whole, some

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())

RANDOM = np.random.default_rng(7)
A = RANDOM.standard_normal((5, 3)).astype(np.float32)


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests in this file, which no other test has filled."""
    path = tmp_path_factory.getbasetemp() / "jit"
    path.mkdir(exist_ok=True, mode=0o700)
    monkeypatch.setenv("XDG_CACHE_HOME", str(path))
    return path


def kernels(function: Jitted) -> int:
    return len({id(one.lowered.kernel) for specials in function._specials.values() for one in specials})


def type_of(function: Jitted, *arguments: Any) -> str:
    return str(rise.argument_checks.term_of(function.lower(*arguments).program).type)


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def affine(a: Any, x: Any, b: Any = 1.0) -> Any:
    return a @ x + b


def scaled(x: Any, axis: Any = None, *, keep: bool = False) -> Any:
    return x / x.sum(axis=axis, keepdims=keep)


def powers(a: Any, n: int) -> Any:
    x = a
    for _ in range(n):
        x = x * a
    return x


def test_calls_of_other_lengths_share_a_kernel() -> None:
    function = jit(softmax)
    for shape in ((5, 6), (7, 5), (4, 9)):
        x = RANDOM.standard_normal(shape).astype(np.float32)
        np.testing.assert_allclose(function(x), softmax(x), rtol=1e-5)
    assert kernels(function) == 1


def test_equal_lengths_are_the_same_size() -> None:
    function = jit(affine)
    wide = np.ones((3, 7), np.float32)
    assert type_of(function, wide, wide[0]) == "{N: nat} -> {M: nat} -> N.M.f32 -> M.f32 -> f32 -> N.f32"
    square = np.float32(np.eye(6))
    np.testing.assert_allclose(function(square, square[0]), affine(square, square[0]))
    assert kernels(function) == 1  # the kernel for two sizes serves a call in which they are equal


@in_whole("test_calls_of_other_lengths_share_a_kernel")
def test_a_call_that_does_not_fit_the_names_has_its_own_kernel() -> None:
    function = jit(lambda x, y: (x.sum(), y.sum()))
    for lengths in ((3, 3), (3, 4), (4, 4)):
        x, y = (np.ones(length) for length in lengths)
        assert function(x, y) == lengths
    assert kernels(function) == 2


def test_axes_of_length_one_are_repeated() -> None:
    function = jit(lambda x, y: x + y)
    column, row = np.arange(3.0).reshape(3, 1), np.arange(4.0)
    np.testing.assert_array_equal(function(column, row), column + row)
    np.testing.assert_array_equal(function(column, column), column + column)


@in_whole("test_axes_whose_length_happens_to_be_one_are_dropped_as_in_numpy")
def test_a_kernel_for_named_axes_does_not_serve_axes_of_length_one() -> None:
    function = jit(lambda x: x.squeeze())
    for shape in ((5, 8), (1, 8), (5, 1), (4, 6)):
        x = RANDOM.standard_normal(shape)
        np.testing.assert_array_equal(function(x), x.squeeze(), strict=True)
    assert kernels(function) == 3


def test_axes_whose_length_happens_to_be_one_are_dropped_as_in_numpy() -> None:
    function = jit(lambda x: x[1:].squeeze())
    for shape in ((5, 8), (2, 8), (4, 8), (1, 8), (3, 7), (2, 1)):
        x = RANDOM.standard_normal(shape)
        np.testing.assert_array_equal(function(x), x[1:].squeeze(), strict=True)
    assert kernels(function) == 4
    named = jit(lambda x: x[1:].squeeze(0), where="3 divides M")
    np.testing.assert_array_equal(named(x := RANDOM.standard_normal((2, 3))), x[1])
    with pytest.raises(RiseError, match="expected an axis of length 1, found axis 0 of length 3"):
        named(RANDOM.standard_normal((4, 3)))


def test_a_missing_name_in_a_lambda_is_shown_at_the_lambda() -> None:
    with pytest.raises(RiseError, match="the size `M` is not defined") as caught:
        jit(lambda x: x + 1, where="3 divides M")(np.ones((3, 3)))
    [label] = caught.value.diagnostic.labels
    assert caught.value.diagnostic.source[label.start : label.end] == "lambda"


def test_values_that_are_equal_but_of_other_types_have_their_own_kernels() -> None:
    function = jit(lambda x, p: x * (1.0 if isinstance(p[0], int) else 2.0) * p[0])
    for value in (3, 3.0):
        assert function(A, (value,))[0, 0] == function.function(A, (value,))[0, 0]
    assert kind_of(0.0, True) != kind_of(-0.0, True) and kind_of((0.0,), False) != kind_of((-0.0,), False)


@pytest.mark.parametrize("dtype", some([np.float16, np.float32, np.float64, np.int32, np.uint8, np.bool_], 2))
def test_types_are_those_of_the_arrays(dtype: Any) -> None:
    x = np.array([1, 0, 1], dtype)
    function = jit(lambda x: np.where(x == x[0], x, x))
    assert function(x).dtype == dtype and function(x).tolist() == x.tolist()


@pytest.mark.parametrize(
    ("x", "scalar"), [(np.float16([1]), "f16"), (np.float32([1]), "f32"), (np.int32([1]), "f64")]
)
def test_a_python_float_has_the_type_of_the_arrays(x: Any, scalar: str) -> None:
    function = jit(lambda x, y: y)
    assert type_of(function, x, 2.0).endswith(f"-> {scalar} -> {scalar}")
    assert function(x, 2.0) == 2


@in_whole("test_a_python_float_has_the_type_of_the_arrays")
def test_python_complex_numbers_have_the_type_of_the_arrays() -> None:
    function = jit(lambda x, z: x * z)
    for x, z in ((A, 2j), (A.astype("f8"), 1 + 1j), (A * np.complex64(1j), 0.5)):
        expected = x * z
        assert function(x, z).dtype == expected.dtype
        np.testing.assert_allclose(function(x, z), expected, rtol=1e-6)


def test_a_number_that_is_not_negative_is_a_size() -> None:
    function = jit(powers)
    for n in (0, 1, 3):
        np.testing.assert_allclose(function(A, n), powers(A, n), rtol=1e-5)
    assert kernels(function) == 1
    np.testing.assert_allclose(function(A, n=2), powers(A, 2), rtol=1e-5)


def test_a_size_that_is_returned_is_an_integer() -> None:
    """Also where the arrays have floats, which do not hold all integers."""
    large = 2**24 + 1
    found = jit(lambda x, n: (n + 36, n, x[0] * n))(A[0], large)
    assert [np.asarray(one).dtype for one in found] == [np.int64, np.int64, A.dtype]
    assert found[:2] == (large + 36, large)


def test_other_values_are_part_of_the_program() -> None:
    function = jit(scaled)
    for axis, keep in ((None, False), (-2, True), (-2, False), ((0, 1), False)):
        np.testing.assert_allclose(function(A, axis, keep=keep), scaled(A, axis, keep=keep), rtol=1e-5)
    assert kernels(function) == 4


def test_arrays_may_be_given_by_name_alone() -> None:
    function = jit(lambda x, *, y: x + y)
    np.testing.assert_array_equal(function(A, y=A), A + A)


def test_static_numbers_are_part_of_the_program() -> None:
    function = jit(static=("axis", "keep"))(scaled)
    for _ in range(2):
        np.testing.assert_allclose(function(A, 1, keep=True), scaled(A, 1, keep=True), rtol=1e-5)
    assert kernels(function) == 1 and function.__name__ == "scaled"


@pytest.mark.parametrize(
    ("function", "values"),
    some(
        [
            (lambda x, axis: x.sum(axis=axis), (0, 1)),
            (lambda x, axis, k: np.roll(x, k, axis=axis), ((0, 2), (1, 3))),
            (lambda x, k: np.rot90(x, k), (1, 2)),
        ],
        3,
    ),
)
def test_numbers_that_must_be_known_are_part_of_the_program(function: Any, values: Any) -> None:
    """Though nothing declares them: each value has its own kernel, and other parameters stay sizes."""
    jitted, x = jit(function), np.arange(24.0).reshape(4, 6)
    for _ in range(2):
        for value in values:
            given = value if isinstance(value, tuple) else (value,)
            np.testing.assert_array_equal(jitted(x, *given), function(x, *given), strict=True)
    assert kernels(jitted) == 2


def test_many_values_of_a_number_that_must_be_known_cause_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shine.front.jit.MANY_VALUES", 2)
    jitted = jit(lambda x, axis: x.sum(axis=axis))
    jitted(A, 0)
    with pytest.warns(
        UserWarning, match="`<lambda>` has 2 kernels, one for each value of `axis`; if that is intended"
    ):
        jitted(A, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jitted(A, 1)
        declared = jit(static="axis")(jitted.function)
        declared(A, 0), declared(A, 1)


def sieve(n: int) -> Any:
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = False
    return is_prime


def test_a_program_may_have_static_parameters_only() -> None:
    function = jit(static="n")(sieve)
    assert function(30).tolist() == sieve(30).tolist()
    assert function(3).tolist() == sieve(3).tolist()


def test_sizes_can_be_fixed() -> None:
    function = jit(sizes="fixed")(softmax)
    assert type_of(function, A) == "5.3.f32 -> 5.3.f32"
    np.testing.assert_allclose(function(A[:2]), softmax(A[:2]), rtol=1e-5)
    assert kernels(function) == 2


DOT = (
    "val dot = fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0))"
)


@pytest.mark.parametrize("wrap", some([rise.parse, lambda text: rise.parse(text).main], 2))
@pytest.mark.parametrize("sizes", ["symbolic", "fixed"])
def test_programs_are_compiled_too(wrap: Any, sizes: str) -> None:
    function = jit(sizes=sizes)(wrap(DOT))
    for length in (3, 4, 3):
        x = np.arange(length, dtype=np.float32)
        assert function(x, x) == x @ x
    assert kernels(function) == (2 if sizes == "fixed" else 1)


def test_annotated_programs_are_compiled_too() -> None:
    @rise.program
    def doubled(x: N.f32):  # type: ignore[no-untyped-def, name-defined]  # a type of RISE  # noqa: F821
        return x * 2

    assert jit(doubled)(A[0]).tolist() == (A[0] * 2).tolist()


def test_results_are_written_to_out() -> None:
    function, out = jit(softmax), np.empty_like(A)
    for _ in range(3):
        out[:] = 0
        assert function(A, out=out) is out
        np.testing.assert_allclose(out, softmax(A), rtol=1e-5)


def test_results_are_returned_as_the_function_returns_them() -> None:
    function = jit(lambda x: (x, x + 1, (x * 2, x * 3), x * 4))
    for _ in range(3):
        a, b, (c, d), e = function(A)
        for found, factor in ((a, 1), (c, 2), (d, 3), (e, 4)):
            np.testing.assert_allclose(found, A * factor, rtol=1e-6)
        np.testing.assert_allclose(b, A + 1)
    first, second = jit(lambda x: (x, x + 1))(A)
    assert first.shape == second.shape


def test_a_repeated_call_does_not_use_another_kernel() -> None:
    """The last kernel is tried first, and does not accept arguments of other types or shapes."""
    function = jit(lambda x, y: x + y)
    one, two = np.ones(4, np.float32), np.ones(4)
    for x, y in ((one, one), (two, two), (one, one), (two, two), (one[:1], one), (one[:1], one[:1])):
        result = function(x, y)
        assert result.dtype == x.dtype and result.shape == (x + y).shape


def test_all_intermediate_results_are_available() -> None:
    lowered = jit(softmax).lower(np.tile(A, 2))
    assert lowered.kernel.source == lowered.source and "softmax" in lowered.source
    assert lowered.derivation.result == lowered.kernel.term
    assert "val softmax" in lowered.program.text  # type: ignore[union-attr]  # of a function
    said = jit(softmax).explain(np.tile(A, 2))
    assert said.splitlines()[0] == "softmax : {N: nat} -> {M: nat} -> N.M.f32 -> N.M.f32"
    for fact in ("rules of parallel", "sums may be added up in a different order", "`e`: ", "target openmp"):
        assert fact in said


@in_whole("tests/shine/machines/test_machines.py::test_the_option_names_the_processor_of_the_strategy_too")
def test_the_derivation_is_for_the_processor_that_was_named() -> None:
    """Not for the machine that runs the test."""
    lowered = jit(lambda a, b: a @ b, machine="nehalem").lower(A, A.T)
    assert lowered.kernel.term != jit(lambda a, b: a @ b).lower(A, A.T).kernel.term
    assert lowered.derivation.result == lowered.kernel.term


def test_a_program_with_loops_is_explained_too() -> None:
    function = jit(rise.parse("val main = fun(xs: N.f32 => xs |> mapSeq(fun(x => x + 1.0)))").main)
    assert "derivation: 0 steps by 0 rules" in function.explain(A[0])


class Model:
    @jit
    def method(self, x: Any) -> Any:
        return x


WRONG = {
    "a list": (lambda: jit(softmax)([1.0, 2.0]), "found list"),
    "too few": (lambda: jit(affine)(A), "missing a required argument: 'x'"),
    "another name": (lambda: jit(scaled)(A, axes=1), "unexpected keyword argument 'axes'"),
    "texts": (lambda: jit(softmax)(np.array(["a"])), "found <U1"),
    "a method": (lambda: Model().method(A), "found the method `method` of an object"),
    "a number": (lambda: jit(3), "expected a function or a program, found 3"),  # type: ignore[call-overload]  # the mistake
    "any number": (lambda: jit(lambda *xs: xs), "found `*xs`"),
    "sizes": (lambda: jit(sizes="some"), "expected 'symbolic' or 'fixed', found 'some'"),
    "static": (lambda: jit(static="axes")(scaled), "found `axes`, which `scaled` does not have"),
    "an option": (lambda: jit(softmax, chekc=True)(A), "has no option `chekc`"),
    "a target": (lambda: jit(target="opnmp")(softmax)(A), "no target is called `opnmp`"),
    "lengths": (lambda: jit(lambda x: [*x])(A[0]), 'it compiles: `@shine.jit(sizes="fixed")`'),
    "another length": (lambda: jit(lambda x: x + np.ones(4))(A[0]), "found (N,) and (4,)"),
    "types": (lambda: jit(lambda x: np.roll(x.nonzero()[0], 1))(A[0]), "it was called with x: N.f32"),
}


@pytest.mark.parametrize("what", WRONG)
def test_functions_that_cannot_be_compiled_are_reported(what: str) -> None:
    call, expected = WRONG[what]
    with pytest.raises(RiseError) as caught:
        call()
    assert expected in str(caught.value) and caught.value.diagnostic.hint
    assert caught.value.__context__ is None or not isinstance(caught.value.__context__, KeyError)


def test_the_package_exports_it() -> None:
    assert shine.jit is jit


@jit
def running(x: Any, start: float = 0.0) -> Any:
    total = start
    for v in x:
        total = 0.5 * total + v
    return total


scaled_jit = jit(scaled)


@jit
def of_running(x: Any) -> Any:
    return running(x) + running(x * x, start=2.0)


def test_a_function_that_is_compiled_becomes_part_of_another() -> None:
    x = np.arange(4.0)
    expected = running.function(x) + running.function(x * x, start=2.0)
    assert of_running(x) == expected
    assert jit(lambda x: scaled_jit(x) * 2)(x).tolist() == (scaled(x) * 2).tolist()
    assert kernels(running) == 0


def test_a_function_that_calls_itself_without_end_is_refused() -> None:
    function = jit(lambda x: function(x) + 1)
    with pytest.raises((RiseError, RecursionError)):
        function(A)


def test_arguments_are_passed_as_the_function_accepts_them() -> None:
    @shine.jit(static="scale")
    def scaled(x: Any, /, y: Any = 1.0, *, scale: Any = 2.0) -> Any:
        return x * scale + y

    x = np.ones(3)
    assert scaled(x).tolist() == scaled(x, y=1.0).tolist() == scaled(x, 1.0, scale=2.0).tolist() == [3, 3, 3]
    for given, named in (((x, 1.0, 2.0), {}), ((), {"x": x}), ((x, 1.0), {"y": 1.0})):
        with pytest.raises(RiseError, match="argument-count"):
            scaled(*given, **named)
