"""Types and values of parameters that are passed together with a function."""

from __future__ import annotations

import numpy as np
import pytest

import rise
from tests.examples import some


def weighted(x, axis, scale=2.0, *, weights=None):  # type: ignore[no-untyped-def]  # as a user writes it
    total = (x * scale).sum(axis=axis)
    return total if weights is None else total * weights


def test_given_types_replace_annotations() -> None:
    program = rise.program(weighted, types={"x": "N.M.f32", "scale": "f32"}, fixed={"axis": 0})
    assert str(program.type) == "{N: nat} -> {M: nat} -> N.M.f32 -> f32 -> M.f32"
    x = np.float32([[1, 2], [3, 4]])
    np.testing.assert_array_equal(program(x, np.float32(3)), weighted(x, 0, 3))
    assert (
        str(rise.program(weighted, types={"x": "3.f64"}, fixed={"axis": 0, "weights": 2}).type)
        == "3.f64 -> f64"
    )


@pytest.mark.parametrize("names", [{"types": {"y": "N.f32"}}, {"types": {"x": "N.f32"}, "fixed": {"y": 1}}])
def test_types_of_unknown_parameters_are_rejected(names: dict[str, dict[str, object]]) -> None:
    with pytest.raises(rise.RiseError, match="expected the name of a parameter, found `y`") as caught:
        rise.program(weighted, **names)  # type: ignore[call-overload]  # the mistake that is tested
    assert "`x`, `axis`, `scale`, `weights`" in str(caught.value.diagnostic.hint)


def same(x):  # type: ignore[no-untyped-def]  # its annotation is that of each case
    return x


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "text",
    some(
        [
            "N." * 3_000 + "f32",
            "(f32, " * 3_000 + "f32" + ")" * 3_000,
            "(" * 2_000 + "N" + ")" * 2_000 + ".f32",
        ],
        3,
    ),
    ids=some(["array", "pair", "brackets"], 3),
)
def test_annotations_may_nest_more_deeply_than_python_parses(text: str) -> None:
    same.__annotations__["x"] = text
    assert rise.program(same).type == rise.parse(f"fun(x: {text} => x)").main.type


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("text", ["-" * 50_000 + "N", "lambda: " * 5_000 + "1", "\ud800", "4if N else M"])
def test_annotations_that_python_cannot_parse_are_refused_as_types(text: str) -> None:
    same.__annotations__["x"] = text
    with pytest.raises(rise.RiseError) as caught:
        rise.program(same)
    assert caught.value.diagnostic.code in ("syntax", "character", "number")


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float16", "<f4", "single", "complex64"])
def test_types_are_known_by_their_names(name: str) -> None:
    program = rise.program(lambda x: x.astype(name), types={"x": "N.f32"})
    assert program(np.zeros(2, np.float32)).dtype.name == {"<f4": "float32", "single": "float32"}.get(
        name, name
    )


@pytest.mark.parametrize("name", ["float33", ">f4", "object", "datetime64[s]", "longdouble"])
def test_types_that_the_language_lacks_are_refused(name: str) -> None:
    with pytest.raises(rise.RiseError, match="expected a scalar type, found"):
        rise.program(lambda x: x.astype(name), types={"x": "N.f32"})
