"""Programs that concatenate, stack and transpose arrays, as users of numpy write them. Independent of tests."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F722, F821

from __future__ import annotations

from typing import Any, Final

import numpy as np


def listed(x: N.f32):
    return np.concatenate([x, x[::-1], [1.0, 2.0]]).copy()


def listed_rows(x: "N.3.f32"):
    return np.vstack([x, [[1, 2, 3]], x[0]])


def side_by_side(x: N.M.f32, y: N.K.f32):
    return np.hstack([x, y, x])


def turned(x: N.M.f32):
    return np.flip(x), np.fliplr(x), np.flipud(x)


def turned_axis(x: N.M.f32):
    return np.flip(x, axis=-1)


def slopes(x: N.M.f32):
    return np.diff(x), np.diff(x, axis=0), np.diff(x, 2)


def tiled(x: N.M.f32):
    return np.tile(x, 3), np.repeat(x, 2, axis=0), x.repeat(3)


def mirrored(x: N.M.f32):
    return (
        np.pad(x, (1, 2), mode="reflect"),
        np.pad(x, 2, mode="symmetric"),
        np.pad(x, ((1, 0), (0, 2)), mode="wrap"),
    )


def hypotenuse(x: N.f32):
    return np.hypot(x, 2.0)


ARRANGEMENTS: Final[list[Any]] = [
    one for one in list(globals().values()) if getattr(one, "__module__", "") == __name__ and callable(one)
]
