"""Stencils and images in straightforward numpy, by shifted arrays. Does not measure time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from _plain.kinds import MEGA, PICTURE, SIDE, Array, Peer

ACROSS: Final = np.array([-1, 0, 1, -2, 0, 2, -1, 0, 1], np.float32)
DOWN: Final = np.array([-1, -2, -1, 0, 0, 0, 1, 2, 1], np.float32)
HALF, QUARTER = np.float32(0.5), np.float32(0.25)


def nine(padded: Array) -> list[Array]:
    """The nine grids of neighbours of the interior, row by row."""
    rows, columns = (n - 2 for n in padded.shape)
    return [padded[y : y + rows, x : x + columns] for y in range(3) for x in range(3)]


def around(grid: Array) -> list[Array]:
    """The same for a grid whose border is repeated."""
    return nine(np.pad(grid, 1, mode="edge"))


def weighted(weights: Iterable[Any], grids: list[Array]) -> Array:
    """The weighted sum of grids; grids with weight 0 are skipped."""
    parts = (w * grid for w, grid in zip(weights, grids, strict=True) if w != 0)
    return np.asarray(sum(parts))


def laplacian(near: list[Array]) -> Array:
    """The four neighbours minus four times the centre."""
    return near[1] + near[3] + near[5] + near[7] - 4 * near[4]


def heat3d(speed: Any, grid: Array) -> Array:
    """One step of the heat equation, from the six neighbours."""
    p = np.pad(grid, 1, mode="edge")
    planes = p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1]
    rows = p[1:-1, :-2, 1:-1] + p[1:-1, 2:, 1:-1]
    columns = p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:]
    return grid + speed * (planes + rows + columns - 6 * grid)


def grad2d(grid: Array) -> tuple[Array, Array]:
    """Half the differences of neighbours."""
    near = around(grid)
    return HALF * (near[5] - near[3]), HALF * (near[7] - near[1])


def acoustic(before: Array, now: Array, speed: Array) -> Array:
    """One step of the wave equation; the grid is 0 outside."""
    return 2 * now - before + speed * laplacian(nine(np.pad(now, 1)))


def mirrored(xs: Array) -> Array:
    """The means of three neighbours; the border is reflected."""
    padded = np.pad(xs, 1, mode="reflect")
    return (padded[:-2] + padded[1:-1] + padded[2:]) / 3


def window_sums_gathered(places: Array, xs: Array) -> Array:
    """The sums of overlapping windows of gathered elements."""
    return sliding_window_view(xs[places], len(places) - len(xs)).sum(axis=1)


def heat_steps(speed: Any, rod: Array) -> Array:
    """Twenty steps of the heat equation on a rod."""
    share = QUARTER * speed
    for _ in range(20):
        padded = np.pad(rod, 1, mode="edge")
        rod = (1 - 2 * share) * rod + share * (padded[:-2] + padded[2:])
    return rod


def blurred(image: Array) -> Array:
    """A binomial filter, along the rows, then along the columns."""
    padded = np.pad(image, 1, mode="edge")
    once = QUARTER * padded[:, :-2] + HALF * padded[:, 1:-1] + QUARTER * padded[:, 2:]
    return QUARTER * once[:-2] + HALF * once[1:-1] + QUARTER * once[2:]


def sobel(image: Array) -> Array:
    """The length of the gradient, by Sobel's operator."""
    near = around(image)
    x, y = weighted(ACROSS, near), weighted(DOWN, near)
    return np.sqrt(x * x + y * y)


def harris(image: Array) -> Array:
    """The corner response of each pixel, computed on whole images."""
    near = nine(image)
    x, y = weighted(ACROSS, near), weighted(DOWN, near)
    xx, xy, yy = (np.asarray(sum(nine(product))) for product in (x * x, x * y, y * y))
    trace = xx + yy
    return xx * yy - xy * xy - np.float32(0.04) * (trace * trace)


def bilateral(places: Array, steepness: Any, image: Array) -> Array:
    """The bilateral filter, as a weighted sum of shifted images."""
    total, weights = np.zeros_like(image), np.zeros_like(image)
    for place, near in zip(places, around(image), strict=True):
        weight = (abs(place) + HALF) * np.exp(-((steepness * (near - image)) ** 2))
        total += weight * near
        weights += weight
    return total / weights


def downsample(image: Array) -> Array:
    """The means of blocks of 2 x 2."""
    rows, columns = (n // 2 for n in image.shape)
    return image.reshape(rows, 2, columns, 2).mean(axis=(1, 3))


def grey(picture: Array) -> Array:
    """The brightness, from the three colours."""
    red, green, blue = np.moveaxis(picture.astype(np.uint32), 2, 0)
    return ((77 * red + 150 * green + 29 * blue) // 256).astype(np.uint8)


def warp(image: Array, places: tuple[Array, Array]) -> Array:
    """Bilinear interpolation of four gathered images."""
    (height, width), (y, x) = image.shape, places
    top, left = np.floor(y), np.floor(x)
    i, j = (np.clip(one, 0, n - 1).astype(np.int64) for one, n in ((top, height), (left, width)))
    below, right = (np.clip(one + 1, 0, n - 1).astype(np.int64) for one, n in ((top, height), (left, width)))
    above = image[i, j] + (x - left) * (image[i, right] - image[i, j])
    under = image[below, j] + (x - left) * (image[below, right] - image[below, j])
    return above + (y - top) * (under - above)


def turned(image: Array, places: tuple[Array, Array]) -> tuple[Array, tuple[Array, Array]]:
    """The image, and where its pixels are after a rotation by a fifth of a radian, some of them outside."""
    y, x = (np.arange(n, dtype=np.float32) for n in places[0].shape)
    sine, cosine = np.float32(np.sin(0.2)), np.float32(np.cos(0.2))
    return image, (cosine * y[:, None] + sine * x, cosine * x - sine * y[:, None])


GRIDS: Final[Mapping[str, Peer]] = {
    "stencil9": Peer(PICTURE, lambda weights, grid: weighted(weights, around(grid))),
    "heat3d": Peer({"L": 128, "M": 128, "N": 128}, heat3d),
    "grad2d": Peer(PICTURE, grad2d),
    "acoustic": Peer(PICTURE, acoustic),
    "mirrored": Peer({"N": MEGA}, mirrored),
    "window_sums_gathered": Peer({"N": MEGA, "K": 8}, window_sums_gathered),
    "heat_steps": Peer({"N": MEGA}, heat_steps),
    "convolution3x3": Peer(
        PICTURE, lambda weights, image: weighted(weights.reshape(-1), nine(np.pad(image, 1)))
    ),
    "binomial": Peer(PICTURE, blurred),
    "sobel": Peer(PICTURE, sobel),
    "harris": Peer(PICTURE, harris),
    "unsharp": Peer(PICTURE, lambda amount, image: image + amount * (image - blurred(image))),
    "downsample": Peer({"M": SIDE // 2, "N": SIDE // 2}, downsample),
    "bilateral": Peer(PICTURE, bilateral),
    "grey": Peer(PICTURE, grey),
    "warp": Peer({"H": SIDE, "W": SIDE, "M": SIDE, "N": SIDE}, warp, tame=turned),
}
