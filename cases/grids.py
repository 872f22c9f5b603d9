"""Expected results of the cases about stencils and images, by numpy. Independent of RISE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from cases.bounds import Array, Expected, Tree, exactly, polynomial, wide
from cases.rounding import Rounded, constant, exp, rounded, sqrt, stack

ACROSS: Final = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])


def around(grid: Any, mode: str = "edge") -> list[Rounded]:
    """The nine grids of neighbours of a grid. The arguments of `numpy.pad` say what is outside."""
    padded = rounded(grid).apply(lambda part: pad(part, mode))
    return nine(padded)


def pad(part: Array, mode: str) -> Array:
    """The grid with one more element on each side; zeros if the grid is empty, and there is nothing to repeat."""
    return np.pad(part, 1, mode=mode) if part.size else np.zeros(tuple(n + 2 for n in part.shape))  # type: ignore[call-overload]  # numpy's modes are literals


def nine(grid: Rounded) -> list[Rounded]:
    """The nine grids of neighbours of the interior, row by row."""
    rows, columns = (n - 2 for n in grid.value.shape)
    return [grid[y : y + rows, x : x + columns] for y in range(3) for x in range(3)]


def weighted(weights: Array, grids: list[Rounded]) -> Rounded:
    pairs = zip(wide(weights).reshape(-1), grids, strict=True)
    total, *rest = [grid * weight for weight, grid in pairs]
    for one in rest:
        total = total + one
    return total


def stencil9(weights: Array, grid: Array) -> Expected:
    return weighted(weights, around(grid)).expected


def heat3d(speed: Any, grid: Array) -> Expected:
    padded, middle = rounded(np.pad(grid, 1, mode="edge")), rounded(grid)
    planes = padded[:-2, 1:-1, 1:-1] + padded[2:, 1:-1, 1:-1]
    rows = padded[1:-1, :-2, 1:-1] + padded[1:-1, 2:, 1:-1]
    columns = padded[1:-1, 1:-1, :-2] + padded[1:-1, 1:-1, 2:]
    return (middle + (planes + rows + columns - middle * 6) * wide(speed)).expected


def grad2d(grid: Array) -> Tree:
    near = around(grid)
    return ((near[5] - near[3]) * 0.5).expected, ((near[7] - near[1]) * 0.5).expected


def acoustic(before: Array, now: Array, speed: Array) -> Expected:
    near = around(now, "constant")
    laplacian = near[1] + near[3] + near[5] + near[7] - near[4] * 4
    return (rounded(now) * 2 - before + laplacian * wide(speed)).expected


def mirrored(xs: Array) -> Array:
    padded = np.pad(xs, 1, mode="reflect")
    return np.asarray((padded[:-2] + padded[1:-1] + padded[2:]) / 3)


def window_sums_gathered(places: Array, xs: Array) -> Expected:
    width, row = len(places) - len(xs), rounded(xs)[places]
    parts = [row[i : i + width].sum(0) for i in range(len(xs) + 1)]
    return stack(parts).expected


def heat_steps(speed: Any, rod: Array) -> Expected:
    now, share = rounded(rod), rounded(speed) * 0.25
    for _ in range(20):
        padded = now.apply(lambda part: np.pad(part, 1, mode="edge"))
        now = now * (1.0 - share * 2.0) + (padded[:-2] + padded[2:]) * share
    return now.expected


def convolution3x3(weights: Array, image: Array) -> Expected:
    return weighted(weights, around(image, "constant")).expected


def blurred(image: Array) -> Rounded:
    return weighted(np.outer([1, 2, 1], [1, 2, 1]) / 16, around(image))


def binomial(image: Array) -> Array:
    padded = np.pad(image, 1, mode="edge")
    once = 0.25 * padded[:, :-2] + 0.5 * padded[:, 1:-1] + 0.25 * padded[:, 2:]
    return np.asarray(0.25 * once[:-2] + 0.5 * once[1:-1] + 0.25 * once[2:])


def sobel(image: Array) -> Expected:
    near = around(image)
    x, y = weighted(ACROSS, near), weighted(ACROSS.T, near)
    return sqrt(x * x + y * y).expected


def harris(image: Array) -> Expected:
    near = nine(rounded(image))
    x, y = weighted(ACROSS, near), weighted(ACROSS.T, near)
    xx, xy, yy = (weighted(np.ones(9), nine(product)) for product in (x * x, x * y, y * y))
    trace = xx + yy
    return (xx * yy - xy * xy - trace * trace * constant(0.04)).expected


def unsharp(amount: Any, image: Array) -> Expected:
    return (rounded(image) + (rounded(image) - blurred(image)) * wide(amount)).expected


def downsample(image: Array) -> Array:
    rows, columns = image.shape
    return image.reshape(rows // 2, 2, columns // 2, 2).sum(axis=(1, 3)) * 0.25


def warp(image: Array, places: tuple[Array, Array]) -> Expected:
    y, x = (wide(one) for one in places)
    top, left = np.floor(y), np.floor(x)
    down, right = rounded(y) - top, rounded(x) - left

    def pixel(i: Array, j: Array) -> Rounded:
        at = (np.clip(one, 0, size - 1).astype(int) for one, size in zip((i, j), image.shape, strict=True))
        return rounded(image[tuple(at)])

    def between(a: Rounded, b: Rounded, part: Rounded) -> Rounded:
        return a + part * (b - a)

    above = between(pixel(top, left), pixel(top, left + 1), right)
    below = between(pixel(top + 1, left), pixel(top + 1, left + 1), right)
    return between(above, below, down).expected


def bilateral(places: Array, steepness: Any, image: Array) -> Expected:
    centre, total, weights = rounded(image), rounded(0.0), rounded(0.0)
    for place, neighbour in zip(wide(places), around(image), strict=True):
        d = (neighbour - centre) * wide(steepness)
        weight = exp(-(d * d)) * (rounded(abs(place)) + 0.5)
        total, weights = total + weight * neighbour, weights + weight
    return (total / weights).expected


def grey(picture: Array) -> Expected:
    return exactly((picture.astype(np.uint32) @ np.array([77, 150, 29], np.uint32) // 256).astype(np.uint8))


GRIDS: Final[Mapping[str, Callable[..., Tree]]] = {
    "stencil9": stencil9,
    "heat3d": heat3d,
    "grad2d": grad2d,
    "acoustic": acoustic,
    "mirrored": polynomial(mirrored, lambda xs: 5),
    "window_sums_gathered": window_sums_gathered,
    "heat_steps": heat_steps,
    "convolution3x3": convolution3x3,
    "binomial": polynomial(binomial, lambda image: 8),
    "sobel": sobel,
    "harris": harris,
    "unsharp": unsharp,
    "downsample": polynomial(downsample, lambda image: 6),
    "bilateral": bilateral,
    "grey": grey,
    "warp": warp,
}
