"""`np.take` and `np.choose` with numpy's modes: what numpy computes and rejects, along every axis."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import rise
from tests.examples import some

RANDOM = np.random.default_rng(1)
NUMBERS = ("i64", "K.i64", "K.L.i32", "K.u8", "K.bool")


def outcome(run: Any, *given: Any) -> Any:
    try:
        found = np.asarray(run(*given))
    except (IndexError, ValueError):
        return "out of range"
    except rise.RiseError as error:
        return "out of range" if error.diagnostic.code == "index-out-of-range" else error
    return found.shape, found.tolist()


def drawn(t: str, reach: int) -> Any:
    """Random numbers of a type: from -reach, if it has negative numbers, to below reach."""
    shape = {0: (), 1: (3,), 2: (2, 2)}[t.count(".")]
    dtype = {"i64": np.int64, "i32": np.int32, "u8": np.uint8, "bool": np.bool_}[t.rpartition(".")[2]]
    least = -reach if dtype in (np.int64, np.int32) else 0
    found = RANDOM.integers(least, reach, shape).astype(dtype)
    return found if shape else int(found)


@pytest.mark.parametrize("mode", some(["raise", "wrap", "clip"], 3))
def test_take_agrees_with_numpy(mode: str) -> None:
    outcomes: list[Any] = []
    for axis in (None, 0, 1, -1):
        for t in NUMBERS:
            program = rise.program(
                lambda x, k, axis, mode: np.take(x, k, axis=axis, mode=mode),
                types={"x": "A.B.C.f64", "k": t},
                fixed={"axis": axis, "mode": mode},
            )
            shapes = [((2, 3, 4), 2), ((1, 2, 2), 30), *([((0, 2, 2), 2)] if not axis else [])]
            for shape, reach in shapes:
                x, k = RANDOM.random(shape), drawn(t, reach)
                found, expected = (
                    outcome(program, x, k),
                    outcome(partial(np.take, axis=axis, mode=mode), x, k),
                )
                assert found == expected, (axis, t, shape, k)
                outcomes.append(found)
    assert "out of range" in outcomes


@pytest.mark.parametrize("mode", some(["raise", "wrap", "clip"], 3))
def test_choose_agrees_with_numpy(mode: str) -> None:
    outcomes: list[Any] = []
    for count in (1, 2, 3):
        for t in ("N.M.i64", "M.i32", "i64"):
            program = rise.program(
                lambda k, x, y, z, count, mode: np.choose(k, [x, y, z][:count], mode=mode),
                types={"k": t, "x": "N.M.f64", "y": "M.f64", "z": "f64"},
                fixed={"count": count, "mode": mode},
            )
            for least, end in ((0, count), (-1, count + 2)):
                shape = {"N.M.i64": (4, 3), "M.i32": (3,), "i64": ()}[t]
                k = RANDOM.integers(least, end, shape, np.int32 if "i32" in t else np.int64)
                k = k if shape else int(k)
                x, y, z = RANDOM.random((4, 3)), RANDOM.random(3), 1.5
                found = outcome(program, k, x, y, z)
                assert found == outcome(partial(np.choose, mode=mode), k, [x, y, z][:count]), (count, k)
                outcomes.append(found)
    assert ("out of range" in outcomes) == (mode == "raise")


@pytest.mark.parametrize(
    ("function", "title"),
    [
        (
            lambda x, k: np.take(x, k, mode="round"),
            "expected the mode 'raise', 'wrap' or 'clip', found 'round'",
        ),
        (lambda x, k: np.take(x, x, mode="clip"), "expected integers as indices, found f64"),
    ],
)
def test_rejected_arguments(function: Any, title: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        rise.program(function, types={"x": "N.f64", "k": "M.i64"})
    assert caught.value.diagnostic.title == title
