"""Arrays of matrices that are generated from indices: computed matrix by matrix, not number by number."""

# ruff: noqa: F821, UP037
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from strategies.sharing import share
from tests import required_tools


def joined(b: "N.M.K.f64", w: "K.K.f64"):
    return np.concatenate([each @ w for each in b])


def scaled(b: "N.M.K.f64", w: "K.K.f64"):
    return np.concatenate([each @ w * (i + 1) for i, each in enumerate(b)])


def stacked(b: "N.M.K.f64", w: "K.K.f64"):
    return np.stack([b[i] @ w + i for i in range(b.shape[0])])


def rows(b: "N.M.K.f64", w: "K.K.f64"):
    return np.stack([row @ w for row in b[:, 0]])


def sums(b: "N.M.K.f64", w: "K.K.f64"):
    return np.stack([each.sum(axis=0) * i for i, each in enumerate(b)])


@required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())
@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (joined, "generateFromElements"),
        (scaled, "mapOverIndices"),
        (stacked, "mapOverIndices"),
        (rows, "generateFromElements"),
        (sums, ""),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_products_are_computed_in_loops_over_indices(function: Callable[..., Any], expected: str) -> None:
    program = rise.program(function)
    result = share(program.main)
    assert isinstance(result, Success)
    fired = {step.rule.name for step in result.steps} & {"generateFromElements", "mapOverIndices"}
    assert fired == ({expected} if expected else set())
    b, w = (
        np.random.default_rng(0).standard_normal((3, 4, 5)),
        np.random.default_rng(1).standard_normal((5, 5)),
    )
    kernel = shine.compile(program)
    np.testing.assert_allclose(kernel(b, w), function(b, w), rtol=1e-12)
    assert not any(" / 32" in line and "W_tile" in line for line in kernel.source.splitlines())
