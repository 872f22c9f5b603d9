"""The laws that are stated in the records of functions of numbers hold for numbers. Independent of meanings."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rise.primitives.functions import FUNCTIONS
from rise.primitives.integers import INTEGERS
from rise.primitives.record import PrimitiveRecord
from rise.programs.evaluation import evaluate
from rise.programs.program import parse_expr
from rise.scalars import SCALARS

WITH_LAWS = [record for record in (*INTEGERS, *FUNCTIONS) if record.law]


def types_of(record: PrimitiveRecord) -> list[str]:
    """The types that a function takes."""
    classes = {"integral", "floating"} if "num" in record.scheme else set()
    classes |= {name for name in ("integral", "floating") if name in record.scheme}
    return [name for name, facts in SCALARS.items() if classes & facts.classes]


def numbers(name: str, seed: int, nonzero: bool) -> Any:
    """Numbers of a type, including extreme and special ones."""
    rng, dtype = np.random.default_rng(seed), SCALARS[name].dtype
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        found = rng.integers(ends.min, ends.max, 300, dtype, endpoint=True)
        found[:150] = rng.integers(0, 9, 150).astype(dtype)
        found[150:153] = [ends.min, ends.max, 0]
        rng.shuffle(found)
        return np.where(found == 0, np.array(1, dtype), found) if nonzero else found
    found = rng.normal(0, 3, 300)
    found[:9] = [0.0, -0.0, np.inf, -np.inf, np.nan, 0.5, -2.5, 1.0, -1.0]
    rng.shuffle(found)
    return found.astype(dtype)


@pytest.mark.parametrize("record", WITH_LAWS, ids=lambda r: r.name)
def test_a_law_holds(record: PrimitiveRecord) -> None:
    sides = record.law.split(" = ")
    divides = record.name in ("floorDiv", "floorMod", "euclidMod")
    for t in types_of(record):
        given = [numbers(t, seed, divides and seed == 1) for seed in range(3)]
        left, right = (
            evaluate(
                parse_expr(
                    f"fun(xs: N.{t}, ys: N.{t}, zs: N.{t} => zip(xs, zip(ys, zs)) |> map(fun(p =>"
                    f" (fun(a: {t}, b: {t}, c: {t} => {side}))(fst(p), fst(snd(p)), snd(snd(p))))))"
                ),
                *given,
            )
            for side in sides
        )
        assert left.dtype == right.dtype
        if SCALARS[t].dtype.kind not in "iu":
            unit = float(ml_dtypes.finfo(SCALARS[t].dtype).eps)
            tolerance = 2 * record.units * unit
            np.testing.assert_allclose(left.astype(float), right.astype(float), tolerance, err_msg=t)
        else:
            np.testing.assert_array_equal(left, right, err_msg=t)


def test_every_function_of_several_values_has_a_law() -> None:
    """The records of functions without symmetries describe them in words."""
    assert {record.name for record in (*INTEGERS, *FUNCTIONS)} - {r.name for r in WITH_LAWS} == {
        "sqrt",
        "rsqrt",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "acos",
        "acosh",
        "pow",
    }
