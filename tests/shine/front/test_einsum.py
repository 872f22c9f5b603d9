"""`shine.einsum` and `shine.contraction` compared with `numpy.einsum`: the calls of its own tests, the rows of TCCG and
CCSD(T).
"""

from __future__ import annotations

import csv
import itertools
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.einsum.axis_numbers import from_numbers
from rise.einsum.elaboration import Operators, einsum_text
from rise.einsum.specs import read_spec
from shine.calling.memory import HostMemory
from shine.front import paths
from strategies.parts.contraction_nests import isContraction, matricise
from tests.examples import in_whole, some
from tests.shine.executors import in_turn
from tests.shine.front.numpy_calls import recorded

ROWS: Final = [
    row
    for name in ("tccg", "ccsdt")
    for row in csv.DictReader(
        (Path(__file__).parents[2] / "data" / "contractions" / f"{name}.csv")
        .read_text(encoding="utf-8")
        .splitlines()
    )
]

TYPES: Final = {
    **{f"{kind}{bits}": f"{kind[0]}{bits}" for kind in ("int", "uint", "float") for bits in (8, 16, 32, 64)},
    "complex64": "c64",
    "complex128": "c128",
    "bool": "bool",
}


def numbers(shape: tuple[int, ...], dtype: str = "float32", seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def operands_of(spec: str, size: Any, dtype: str = "float32") -> list[np.ndarray]:
    terms = spec.split("->")[0].split(",")
    return [numbers(tuple(size(c) for c in term), dtype, seed) for seed, term in enumerate(terms)]


def kernel_types(arrays: list[np.ndarray]) -> list[str]:
    return [".".join([*map(str, one.shape), TYPES[str(one.dtype)]]) for one in arrays]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_rows_of_the_benchmarks_have_a_normal_form(row: dict[str, str]) -> None:
    spec = row["spec"]
    letters = sorted(set(spec) - set(",->"))
    arrays = operands_of(spec, lambda c: 1 + (letters.index(c) * 2 + len(letters)) % 4)
    program = shine.contraction(spec, *kernel_types(arrays)).main
    result = matricise(program)
    assert isContraction(result.program)
    expected = np.einsum(spec, *arrays)
    np.testing.assert_array_equal(rise.evaluate(program, *arrays), expected)
    np.testing.assert_array_equal(rise.evaluate(result.program, *arrays), expected)


@pytest.mark.parametrize(("row", "dtype"), some(in_turn(some(ROWS, 8), ("float32", "float64")), 3))
def test_rows_of_the_benchmarks_are_computed_in_tiles(row: dict[str, str], dtype: str) -> None:
    """Extents of 1, primes, and products of them that exceed a tile."""
    spec = row["spec"]
    letters = sorted(set(spec) - set(",->"))
    arrays = operands_of(spec, lambda c: (7, 3, 1, 5, 2)[letters.index(c) % 5], dtype)
    expected = np.einsum(spec, *arrays)
    out = np.full(expected.shape, np.nan, dtype)
    assert shine.einsum(spec, *arrays, out=out) is out
    np.testing.assert_array_equal(out, expected)


def numpys_calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[np.ndarray], dict[str, Any], Any]]:
    """One call of numpy's own tests for each specification, number types, ranks and options, with its result; without
    those whose types kernels do not have, or that have to be converted first.
    """
    chosen: dict[Any, Any] = {}
    for arguments, named, result in recorded(monkeypatch):
        if not isinstance(arguments[0], str):
            arguments = (lambda found: (found[0], *found[1]))(from_numbers(arguments))
        arrays = [np.asarray(one) for one in arguments[1:]]
        options = {name: value for name, value in named.items() if name != "optimize"}
        dtype = options.get("dtype")
        kinds = {one.dtype for one in arrays}
        wanted = np.dtype(dtype) if dtype is not None else next(iter(kinds))
        if set(options) - {"dtype", "out"} or str(wanted) not in TYPES or (dtype is None and len(kinds) > 1):
            continue
        out = options.get("out")
        if not all(np.can_cast(one, wanted, "safe") for one in kinds) or (
            out is not None and out.dtype != wanted
        ):
            continue
        key = arguments[0], str(kinds), str(dtype), out is None, tuple(one.ndim for one in arrays)
        if sum(one.size for one in arrays) < 3000 and key not in chosen:
            chosen[key] = arguments[0], arrays, options, result
    return list(chosen.values())


@in_whole("test_results_are_those_of_numpy")
def test_calls_of_numpys_own_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of any type of numbers, complex ones and truth values too, with `dtype` and `out`; and the printed program of a
    call is read back, and means the same.
    """
    calls = numpys_calls(monkeypatch)
    assert len({spec for spec, *_ in calls}) > 100
    assert {str(arrays[0].dtype) for _, arrays, _, _ in calls} >= {"complex64", "complex128", "bool", "uint8"}
    for spec, arrays, options, result in some(calls, 40):
        given = dict(options)
        if given.get("out") is not None:
            given["out"] = np.full_like(given["out"], 77)
        found = shine.einsum(spec, *arrays, target="interpret", **given)
        wanted = np.dtype(options.get("dtype", arrays[0].dtype))
        assert np.shape(found) == result.shape and found.dtype == wanted, spec
        rounding = 1e-2 if wanted.itemsize < 4 else 1e-4
        np.testing.assert_allclose(found, result.astype(wanted), rtol=rounding, err_msg=spec)
        if "dtype" in options:
            continue
        program = shine.contraction(spec, *kernel_types(arrays)).main
        assert rise.parse(rise.show(program)).main == program
        found = rise.evaluate(program, *arrays)
        np.testing.assert_allclose(found, result.astype(wanted), rtol=rounding, err_msg=spec)


SPECS: Final = {
    "ij,jk": ((3, 4), (4, 5)),
    "ii": ((4, 4),),
    "ii->i": ((4, 4),),
    "iij->j": ((3, 3, 2),),
    "ij->": ((3, 4),),
    "...ij,...jk->...ik": ((2, 3, 4), (4, 5)),
    "...,...": ((2, 1), (3,)),
    "i...->...": ((2, 3),),
    " i j , j -> i ": ((3, 4), (4,)),
    ",": ((), ()),
    "i,j->ji": ((3,), (4,)),
    "ij,j": ((3, 1), (4,)),
    "ij,jk,kl->il": ((3, 4), (4, 5), (5, 2)),
    "ij,jk,kl,lm,i->m": ((3, 4), (4, 5), (5, 2), (2, 3), (3,)),
    "abc,abd->abcd": ((2, 3, 4), (2, 3, 5)),
    "ij,kj->ki": ((0, 3), (4, 3)),
    "ij,jk->ik": ((3, 0), (0, 2)),
    "zZ,Za->za": ((3, 4), (4, 5)),
}


@pytest.mark.parametrize(("spec", "dtype"), some(in_turn(SPECS, ("float32", "int64", "bool")), 2))
def test_results_are_those_of_numpy(spec: str, dtype: str) -> None:
    arrays = [numbers(shape, dtype, seed) for seed, shape in enumerate(SPECS[spec])]
    expected = np.einsum(spec, *arrays)
    found = shine.einsum(spec, *arrays, target="interpret")
    assert found.dtype == expected.dtype and np.shape(found) == np.shape(expected)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("spec", some(["ij,jk", "...ij,...jk->...ik", "ij,jk,kl->il", "ii"], 2))
def test_kernels_for_processors_compute_the_same(spec: str) -> None:
    arrays = [numbers(shape, "float64", seed) for seed, shape in enumerate(SPECS[spec])]
    out = np.full(np.shape(np.einsum(spec, *arrays)), np.nan)
    assert shine.einsum(spec, *arrays, out=out) is out
    np.testing.assert_array_equal(out, np.einsum(spec, *arrays))


def test_axes_may_be_numbered() -> None:
    a, b = numbers((3, 4)), numbers((4, 5))
    for lists in ((a, [0, 1], b, [1, 2], [2, 0]), (a, [0, 1], b, [1, 2]), (a, [..., 0], [0, ...])):
        np.testing.assert_array_equal(shine.einsum(*lists, target="interpret"), np.einsum(*lists))


def test_operands_of_several_types_are_converted_on_request() -> None:
    a, b = numbers((3, 4), "int32"), numbers((4, 5), "float64")
    found = shine.einsum("ij,jk", a, b, dtype=np.float64, target="interpret")
    np.testing.assert_array_equal(found, np.einsum("ij,jk", a, b))
    assert shine.einsum("i,i", [1, 2], [3, 4], target="interpret") == 11


LAYOUTS: Final = {
    "ij,jk->ik": ((3, 4), (4, 5)),
    "abk,cdk->acbd": ((2, 3, 4), (5, 6, 4)),
    "iij->j": ((3, 3, 2),),
    "ij->": ((3, 4),),
    "...ij,...jk->...ik": ((2, 3, 4), (4, 5)),
    "ij,j": ((3, 1), (4,)),
}


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_a_new_result_is_in_the_order_of_numpys(order: Any) -> None:
    for spec, shapes in LAYOUTS.items():
        for layouts in itertools.product("CF", repeat=len(shapes)):
            arrays = [
                np.asarray(numbers(shape), order=layout)  # type: ignore[call-overload]  # a layout is C or F
                for shape, layout in zip(shapes, layouts, strict=True)
            ]
            expected = np.einsum(spec, *arrays, order=order)
            found = shine.einsum(spec, *arrays, order=order, target="interpret")
            np.testing.assert_array_equal(found, expected)
            assert found.strides == expected.strides, (spec, layouts)


def test_an_order_does_not_change_out() -> None:
    a, b, out = numbers((3, 4)), numbers((4, 5), seed=1), np.empty((3, 5), "f4")
    assert shine.einsum("ij,jk->ik", a, b, out=out, order="F", target="interpret") is out
    np.testing.assert_array_equal(out, a @ b)
    found = shine.einsum("ij,jk->ik", a, b, alpha=2, order="F", target="interpret")
    assert found.flags.f_contiguous
    np.testing.assert_array_equal(found, 2 * (a @ b))


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
def test_conversions_are_those_that_numpy_allows(casting: Any) -> None:
    for given, wanted in itertools.product(("int32", "float32", "float64"), repeat=2):
        a = numbers((3, 4), given)
        try:
            expected = np.einsum("ij->i", a, dtype=wanted, casting=casting)
        except TypeError:
            with pytest.raises(rise.RiseError, match="expected operands that"):
                shine.einsum("ij->i", a, dtype=wanted, casting=casting, target="interpret")
            continue
        found = shine.einsum("ij->i", a, dtype=wanted, casting=casting, target="interpret")
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", some(["float32", "int32", "uint8"], 5))
def test_other_operators(dtype: str) -> None:
    a, b = np.abs(numbers((3, 4), dtype)), np.abs(numbers((4, 5), dtype))
    sums = a[:, :, None] + b[None]
    for operators, expected in (
        (("max", "add"), sums.max(1)),
        (("min", "add"), sums.min(1)),
        (["fun(x, y => max(x, y))", "fun(x, y => x + y)", 0], sums.max(1)),
        (("add", "max"), np.maximum(a[:, :, None], b[None]).sum(1, dtype=dtype)),
    ):
        found = shine.einsum("ij,jk->ik", a, b, operators=operators, target="interpret")
        np.testing.assert_array_equal(found, expected)
    empty = shine.einsum("i->", np.zeros(0, "float32"), operators=("max", "add"), target="interpret")
    assert empty == -np.inf


def test_sizes_of_a_program_may_be_symbolic() -> None:
    program = shine.contraction("abk,cdk->acbd", "A.B.K.f32", "C.D.K.f32").main
    a, b = numbers((2, 3, 4)), numbers((5, 6, 4))
    expected = np.einsum("abk,cdk->acbd", a, b)
    np.testing.assert_array_equal(rise.evaluate(program, a, b), expected)
    np.testing.assert_array_equal(shine.compile(program, target="interpret")(a, b), expected)


def test_intermediate_results_have_names() -> None:
    text = einsum_text(
        read_spec("ab,bc,cd->ad", [2, 2, 2]),
        [["2", "3"], ["3", "4"], ["4", "5"]],
        "f32",
        Operators("add", "mul", "0.0f32"),
        [(0, 1), (1, 0)],
    )
    assert "let y0 = a |> map" in text
    a, b, c = numbers((2, 3)), numbers((3, 4)), numbers((4, 5))
    np.testing.assert_array_equal(rise.evaluate(rise.parse(text).main, a, b, c), a @ b @ c)


def test_loops_may_have_another_order_than_the_result() -> None:
    spec, shapes = read_spec("adb,cd->cba", [3, 2]), [["2", "3", "4"], ["5", "3"]]
    a, b = numbers((2, 3, 4)), numbers((5, 3))
    for loops in ("cba", "cab", "abc", "bca"):
        text = einsum_text(spec, shapes, "f32", Operators("add", "mul", "0.0f32"), [(0, 1)], loops)
        program = rise.parse(text).main
        np.testing.assert_array_equal(rise.evaluate(program, a, b), np.einsum("adb,cd->cba", a, b))
        assert isContraction(matricise(program).program)


def test_the_order_is_that_of_opt_einsum_if_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    class OptEinsum:
        @staticmethod
        def contract_path(
            spec: str, *shapes: tuple[int, ...], shapes_given: bool = True, **named: Any
        ) -> Any:
            assert spec == "ab,bc,cd->ad" and named == {"shapes": True, "memory_limit": 50}
            return [(1, 2), (0, 1)], ""

    given = ["ab", "bc", "cd"], "ad", [(2, 3), (3, 4), (4, 5)]
    monkeypatch.setattr(paths, "opt_einsum", None)
    assert paths.path_of(*given) == [(0, 1), (1, 0)]
    monkeypatch.setattr(paths, "opt_einsum", OptEinsum)
    assert paths.path_of(*given, memory_limit=50) == [(1, 2), (0, 1)]


def test_intermediate_results_have_at_most_as_many_numbers_as_allowed() -> None:
    a, b, c = numbers((3, 4)), numbers((4, 5), seed=1), numbers((5, 2), seed=2)
    found = shine.einsum("ab,bc,cd->ad", a, b, c, memory_limit=15, target="interpret")
    np.testing.assert_array_equal(found, a @ b @ c)
    with pytest.raises(rise.RiseError, match="at most 7 numbers"):
        shine.einsum("ab,bc,cd->ad", a, b, c, memory_limit=7, target="interpret")


def test_kernels_are_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = numbers((3, 7)), numbers((7, 2))
    first = shine.einsum("ab,bc->ac", a, b, target="interpret")
    monkeypatch.setattr("shine.front.contractions.compile", None)  # it is not called again
    np.testing.assert_array_equal(shine.einsum("ab,bc->ac", a, b, target="interpret"), first)


def test_arrays_of_either_byte_order_have_one_type() -> None:
    a, b = numbers((3, 4)), numbers((4, 5), seed=1)
    for one, other in ((">f4", ">f4"), (">f4", "<f4")):
        found = shine.einsum("ij,jk->ik", a.astype(one), b.astype(other), target="interpret")
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, a @ b)


#: a specification, the shapes of its operands, and the orders of axes of operands and `out` in memory
PERMUTED: Final = (
    ("ij,jk->ik", ((3, 4), (4, 5)), ((1, 0), (1, 0), (1, 0))),
    ("abk,cdk->acbd", ((2, 3, 4), (5, 6, 4)), ((2, 0, 1), (1, 2, 0), (3, 1, 0, 2))),
    ("iij->j", ((3, 3, 2),), ((2, 1, 0), (0,))),
    ("...ij,...jk->...ik", ((2, 3, 4), (4, 5)), ((1, 0, 2), (1, 0), (2, 0, 1))),
    ("ij,jk,kl->il", ((3, 4), (4, 5), (5, 2)), ((1, 0), (0, 1), (1, 0), (1, 0))),
)


def permuted(shape: tuple[int, ...], order: tuple[int, ...], seed: int) -> np.ndarray:
    """An array of a shape whose axes are in an order in memory."""
    return numbers(tuple(shape[axis] for axis in order), seed=seed).transpose(np.argsort(order))


@pytest.mark.parametrize(("spec", "shapes", "orders"), some(PERMUTED, 2))
@pytest.mark.parametrize("factors", [{}, {"alpha": 2, "beta": 3}])
def test_arrays_in_another_order_in_memory_are_not_copied(
    spec: str, shapes: Any, orders: Any, factors: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernels take them, and write `out`, in the order of their axes in memory."""
    arrays = [permuted(shape, order, 3) for shape, order in zip(shapes, orders, strict=False)]
    product = np.einsum(spec, *arrays)
    out = permuted(product.shape, orders[-1], 5)
    expected = 2 * product + 3 * out if factors else product
    monkeypatch.setattr(HostMemory, "_copied", None)  # it is not called
    assert shine.einsum(spec, *arrays, out=out, target="interpret", **factors) is out
    np.testing.assert_array_equal(out, expected)


def test_an_out_of_another_shape_is_refused_in_any_order() -> None:
    a, b = numbers((3, 4)), numbers((4, 5))
    for out in (np.zeros((3, 5), "f4").T, np.zeros((3, 5), "f8", order="F"), np.zeros((5, 3, 1), "f4").T):
        with pytest.raises(rise.RiseError, match=r"expected 3\.5\.f32, found shape"):
            shine.einsum("ij,jk->ik", a, b, out=out, target="interpret")


def test_strided_and_broadcast_arrays() -> None:
    a, b = numbers((6, 8))[::-2, ::2], np.broadcast_to(numbers((5,)), (4, 5))
    np.testing.assert_array_equal(
        shine.einsum("ij,jk->ki", a, b, target="interpret"), np.einsum("ij,jk->ki", a, b)
    )
