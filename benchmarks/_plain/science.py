"""Scientific computing and permutations in straightforward numpy. Does not measure time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from _plain.kinds import MEGA, PICTURE, SIDE, Array, Peer

Pair = tuple[Array, Array]
Three = tuple[Array, Pair]


def n_body(bodies: tuple[Array, tuple[Array, Pair]]) -> Three:
    """Accelerations, from all pairs of bodies."""
    mass, (x, (y, z)) = bodies
    dx, dy, dz = (p - p[:, None] for p in (x, y, z))
    square = dx * dx + dy * dy + dz * dz + np.float32(0.25)
    strength = mass / (square * np.sqrt(square))
    return (strength * dx).sum(axis=1), ((strength * dy).sum(axis=1), (strength * dz).sum(axis=1))


def molecular_dynamics(cutoff: Any, atoms: Pair, neighbours: Array) -> Pair:
    """Forces, from all neighbours."""
    dx, dy = (p[:, None] - p[neighbours] for p in atoms)
    square = dx * dx + dy * dy
    counts = (square < cutoff * cutoff) & (square > 0)
    r2 = 1 / np.where(counts, square, np.float32(1))
    r6 = r2 * r2 * r2
    strength = np.where(counts, 24 * r2 * r6 * (2 * r6 - 1), np.float32(0))
    return (strength * dx).sum(axis=1), (strength * dy).sum(axis=1)


def apart(cutoff: Any, atoms: Pair, neighbours: Array) -> tuple[Any, Pair, Array]:
    """Atoms on a lattice, none so close that its force dominates; half of the neighbours are out of range."""
    side = int(len(atoms[0]) ** 0.5)
    places = np.arange(len(atoms[0]))
    lattice = tuple(
        (axis + 0.25 * p).astype(p.dtype)
        for axis, p in zip((places // side, places % side), atoms, strict=True)
    )
    near = places[:, None] + neighbours % 4 + side * (neighbours // 4 % 2)
    return np.float32(2), lattice, near % len(places)


def mandelbrot(points: Pair) -> Array:
    """The number of steps that each point stays near 0; all points take each step together."""
    re, im = np.zeros_like(points[0]), np.zeros_like(points[1])
    counts = np.zeros(len(re), np.int32)
    for _ in range(30):
        stays = re * re + im * im <= 4
        new = re * re - im * im + points[0], 2 * re * im + points[1]
        re, im = np.where(stays, new[0], re), np.where(stays, new[1], im)
        counts += stays
    return counts


def distribution(x: Array) -> Array:
    """The normal distribution function."""
    size = np.abs(x)
    k = 1 / (1 + np.float32(0.2316419) * size)
    series = np.zeros_like(k)
    for coefficient in (1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153):
        series = k * series + np.float32(coefficient)
    tail = np.float32(0.3989423) * np.exp(np.float32(-0.5) * size * size) * k * series
    return np.where(x > 0, 1 - tail, tail)


def black_scholes(rate: Any, volatility: Any, options: Three) -> Pair:
    """The prices of calls and puts."""
    share, (strike, years) = options
    spread = volatility * np.sqrt(years)
    d1 = (np.log(share / strike) + (rate + np.float32(0.5) * volatility * volatility) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * years)
    call = share * distribution(d1) - discounted * distribution(d2)
    return call, discounted * distribution(-d2) - share * distribution(-d1)


def priced(rate: Any, volatility: Any, options: Three) -> tuple[Any, Any, Three]:
    """Positive prices and durations, and a positive volatility."""
    share, (strike, years) = options
    share, strike, years = (np.abs(part) + np.float32(0.5) for part in (share, strike, years))
    return np.float32(0.05), np.float32(0.5), (share, (strike, years))


def fft_stage(twiddles: Pair, blocks: Pair) -> Pair:
    """One stage of the fast Fourier transform, on halves of blocks."""
    (c, s), (ar, ai), (br, bi) = twiddles, *((blocks[0][:, i], blocks[1][:, i]) for i in (0, 1))
    turned_re, turned_im = c * br - s * bi, c * bi + s * br
    real = np.stack([ar + turned_re, ar - turned_re], axis=1)
    return real, np.stack([ai + turned_im, ai - turned_im], axis=1)


def game_of_life(grid: Array) -> Array:
    """One step of the Game of Life, from shifted grids."""
    padded = np.pad(grid, 1)
    rows, columns = grid.shape
    near = sum(padded[y : y + rows, x : x + columns] for y in range(3) for x in range(3)) - grid
    return ((near == 3) | ((near == 2) & (grid == 1))).astype(np.uint8)


def cells(grid: Array) -> tuple[Array]:
    """A grid of dead and live cells."""
    return (grid % 2,)


def smith_waterman(gap: Any, matches: Array, before_last: Array, last: Array) -> Array:
    """One antidiagonal of the scores of alignments."""
    going_on = np.maximum(0, matches + before_last)
    return np.maximum(going_on, np.maximum(last[:-1], last[1:]) - gap)


def random_walk(steps: Array, seeds: Array) -> Array:
    """Random walks; all take each step together."""
    walks = np.empty((len(seeds), len(steps)), np.int32)
    x, place = seeds, np.zeros(len(seeds), np.int32)
    for i, step in enumerate(steps):
        x = np.uint32(1664525) * x + np.uint32(1013904223)
        place = np.where(x >> 31 == 1, place + step, place - step)
        walks[:, i] = place
    return walks


def edit_distance(a: Array, b: Array) -> Array:
    """The last row of edit distances, row by row; the dependence on the left neighbour is a running minimum."""
    places = np.arange(len(b) + 1, dtype=np.int32)
    row = places
    for i, letter in enumerate(a):
        new = np.minimum(row[:-1] + (b != letter), row[1:] + 1)
        row = np.minimum.accumulate(np.concatenate([[i + 1], new]) - places) + places
    return row.astype(np.int32)


ORDER: Final = np.array([0, 4, 2, 6, 1, 5, 3, 7])
SCIENCE: Final[Mapping[str, Peer]] = {
    "n_body": Peer({"N": SIDE}, n_body),
    "molecular_dynamics": Peer({"N": MEGA // 16, "K": 16}, molecular_dynamics, tame=apart),
    "mandelbrot": Peer({"N": MEGA}, mandelbrot),
    "black_scholes": Peer({"N": MEGA}, black_scholes, tame=priced),
    "fft_stage": Peer({"H": SIDE // 2, "B": SIDE}, fft_stage),
    "game_of_life": Peer(PICTURE, game_of_life, tame=cells),
    "smith_waterman": Peer({"N": MEGA}, smith_waterman),
    "random_walk": Peer(
        PICTURE, random_walk, "numpy has no scan of a function: a loop over steps, all walks at once"
    ),
    "edit_distance": Peer(
        PICTURE,
        edit_distance,
        "numpy has no scan of a function: a loop over rows, each by a running minimum",
    ),
    "transpose3": Peer({"L": 128, "M": 128, "N": 64}, lambda xs: np.ascontiguousarray(xs.transpose(2, 0, 1))),
    "transpose4": Peer(
        {"K": 32, "L": 32, "M": 32, "N": 32}, lambda xs: np.ascontiguousarray(xs.transpose(3, 2, 1, 0))
    ),
    "block_reorder": Peer(
        {"M": SIDE // 4, "N": SIDE // 8},
        lambda a: np.ascontiguousarray(a.reshape(len(a) // 4, 4, -1, 8).swapaxes(1, 2)),
    ),
    "bit_reversal": Peer({"M": MEGA // 8}, lambda rows: (rows[0][:, ORDER], rows[1][:, ORDER])),
    "permuted": Peer({"M": MEGA, "N": MEGA}, lambda indices, xs: (xs[0][indices], xs[1][indices])),
}
