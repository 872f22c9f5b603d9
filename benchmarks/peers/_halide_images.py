"""Halide's stencil pipelines: Harris with the schedule of its application `apps/harris`, and a binomial filter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import halide as hl
import numpy as np

from peers import Array, Run

Compile = Callable[..., Run]
x, y, outer, inner = (hl.Var(name) for name in ("x", "y", "outer", "inner"))
STRIP = 32
"""Lines per task of a thread, as in Halide's application."""


def function(name: str, value: Callable[..., Any], *arguments: Any) -> Any:
    """A function of Halide with its definition."""
    made = hl.Func(name)
    made[x, y] = value(*arguments)
    return made


def around(image: Any) -> Iterator[tuple[int, int, Any]]:
    """The nine positions of a neighbourhood, with their offsets."""
    for down, right in product((-1, 0, 1), repeat=2):
        yield down, right, image[x + right, y + down]


def total(parts: list[Any]) -> Any:
    """The sum of the terms, from left to right."""
    found = parts[0]
    for one in parts[1:]:
        found = found + one
    return found


def harris(compiled: Compile, inputs: Callable[..., list[Any]], image: Array) -> Run:
    """Strips of 32 lines in parallel; in each, ring buffers of lines of grey and of both gradients, all vectorised."""
    (planes,) = inputs(image)
    red, green, blue = (planes[x, y, plane] for plane in range(3))
    gray = function("gray", lambda: hl.f32(0.299) * red + hl.f32(0.587) * green + hl.f32(0.114) * blue)
    weight = (2, 1, 1)  # by the distance from the middle
    across, along = (
        function(
            name,
            lambda turned: total(
                [
                    one * hl.f32((down if turned else right) * weight[abs(right if turned else down)] / 12)
                    for down, right, one in around(gray)
                    if (down if turned else right)
                ]
            ),
            turned,
        )
        for name, turned in (("across", False), ("along", True))
    )
    sums = [
        function(
            "sum",
            lambda f: total([one for _, _, one in around(f)]),
            function("square", lambda a, b: a * b, *ab),
        )
        for ab in (
            (across[x, y], across[x, y]),
            (along[x, y], along[x, y]),
            (across[x, y], along[x, y]),
        )
    ]
    xx, yy, xy = (one[x, y] for one in sums)
    corner = function("corner", lambda: xx * yy - xy * xy - hl.f32(0.04) * (xx + yy) * (xx + yy))
    out = function("out", lambda: corner[x + 2, y + 2])
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    out.split(y, outer, inner, STRIP).parallel(outer).vectorize(x, lanes)
    for one in (gray, across, along):
        one.store_at(out, outer).compute_at(out, inner).vectorize(x, lanes)
    across.compute_with(along, x)
    _, height, width = image.shape
    return compiled(out, [planes], [image], np.empty((height - 4, width - 4), image.dtype))


def binomial(compiled: Compile, inputs: Callable[..., list[Any]], image: Array) -> Run:
    """Strips of lines in parallel; sums of columns for each line, all vectorised."""
    (plane,) = inputs(image)
    columns = function("columns", lambda: plane[x, y] + hl.f32(2) * plane[x, y + 1] + plane[x, y + 2])
    out = function(
        "out",
        lambda: (columns[x, y] + hl.f32(2) * columns[x + 1, y] + columns[x + 2, y]) * hl.f32(1 / 16),
    )
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    out.split(y, outer, inner, STRIP).parallel(outer).vectorize(x, lanes)
    columns.compute_at(out, inner).vectorize(x, lanes)
    height, width = image.shape
    return compiled(out, [plane], [image], np.empty((height - 2, width - 2), image.dtype))
