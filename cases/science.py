"""Expected results of the cases about science, texts and permutations, by numpy. Independent of RISE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from cases.bounds import Array, Expected, Tree, exactly, wide
from cases.rounding import Rounded, constant, exp, log, rounded, sqrt, stack


def n_body(bodies: tuple[Array, tuple[Array, tuple[Array, Array]]]) -> Tree:
    mass, (x, (y, z)) = bodies
    apart = [rounded(wide(p)) - wide(p)[:, None] for p in (x, y, z)]
    square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2] + 0.25
    strength = rounded(mass) / (square * sqrt(square))
    ax, ay, az = ((strength * d).sum(1).expected for d in apart)
    return ax, (ay, az)


def molecular_dynamics(cutoff: Any, atoms: tuple[Array, Array], neighbours: Array) -> Tree:
    """Distances, and so the cut-off, are exact if positions are small integers."""
    dx, dy = (wide(p)[:, None] - wide(p)[neighbours] for p in atoms)
    square = dx * dx + dy * dy
    counts = (square < wide(cutoff) ** 2) & (square > 0)
    r2 = rounded(1.0) / np.where(counts, square, 1.0)
    r6 = r2 * r2 * r2
    strength = r2 * 24 * r6 * (r6 * 2 - 1) * np.where(counts, 1.0, 0.0)
    return (strength * dx).sum(1).expected, (strength * dy).sum(1).expected


def mandelbrot(points: tuple[Array, Array]) -> Expected:
    """Computed in f32, as in the program: the last bit decides where a point goes."""
    re, im = np.zeros_like(points[0]), np.zeros_like(points[1])
    counts = np.zeros(len(re), np.int32)
    for _ in range(30):
        stays = re * re + im * im <= 4
        new = re * re - im * im + points[0], np.float32(2) * re * im + points[1]
        re, im = np.where(stays, new[0], re), np.where(stays, new[1], im)
        counts += stays
    return exactly(counts)


#: coefficients of the polynomial of Abramowitz and Stegun, the highest power first
TAIL: Final = (1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153)


def distribution(x: Rounded) -> Rounded:
    """The normal distribution function, by the program's polynomial."""
    size = Rounded(np.abs(x.value), x.error)
    k = rounded(1.0) / (size * constant(0.2316419) + 1)
    series = rounded(0.0)
    for coefficient in TAIL:
        series = series * k + constant(coefficient)
    tail = exp(size * -0.5 * size) * constant(0.3989423) * k * series
    near, sign = rounded(np.where(x.value > 0, 1.0, 0.0)), np.where(x.value > 0, -1.0, 1.0)
    return near + tail * sign


def black_scholes(rate: Any, volatility: Any, options: tuple[Array, tuple[Array, Array]]) -> Tree:
    share, (strike, years) = options
    spread = sqrt(rounded(years)) * wide(volatility)
    drift = rounded(wide(rate)) + rounded(wide(volatility)) * 0.5 * wide(volatility)
    d1 = (log(rounded(share) / wide(strike)) + drift * wide(years)) / spread
    d2 = d1 - spread
    discounted = exp(rounded(-wide(rate)) * wide(years)) * wide(strike)
    call = distribution(d1) * wide(share) - discounted * distribution(d2)
    put = discounted * distribution(-d2) - distribution(-d1) * wide(share)
    return call.expected, put.expected


def fft_stage(twiddles: tuple[Array, Array], blocks: tuple[Array, Array]) -> Tree:
    re, im = (rounded(part) for part in blocks)
    (c, s), (ar, ai), (br, bi) = map(wide, twiddles), (re[:, 0], im[:, 0]), (re[:, 1], im[:, 1])
    turned_re, turned_im = br * c - bi * s, bi * c + br * s
    real = stack([ar + turned_re, ar - turned_re], axis=1)
    return real.expected, stack([ai + turned_im, ai - turned_im], axis=1).expected


def game_of_life(grid: Array) -> Expected:
    padded = np.pad(grid, 1).astype(int)
    rows, columns = grid.shape
    shifts = [(y, x) for y in range(3) for x in range(3)]
    alive = sum(padded[y : y + rows, x : x + columns] for y, x in shifts)
    return exactly(((alive == 3) | ((alive == 4) & (grid == 1))).astype(np.uint8))


def smith_waterman(gap: Any, matches: Array, before_last: Array, last: Array) -> Expected:
    going_on = np.maximum(0, matches + before_last)
    return exactly(np.maximum(going_on, np.maximum(last[:-1], last[1:]) - gap))


def random_walk(steps: Array, seeds: Array) -> Expected:
    x, place, path = seeds.astype(np.uint64), np.zeros(len(seeds), np.int64), []
    for step in steps.astype(np.int64):
        x = (x * 1664525 + 1013904223) % 2**32
        place = place + np.where(x >= 2**31, step, -step)
        path.append(place)
    return exactly(np.stack(path, axis=1).astype(np.int32) if path else np.zeros((len(seeds), 0), np.int32))


def edit_distance(a: Array, b: Array) -> Expected:
    row = list(range(len(b) + 1))
    for letter in a.tolist():
        new = [row[0] + 1]
        for other, diagonal, above in zip(b.tolist(), row[:-1], row[1:], strict=True):
            new.append(min(new[-1] + 1, above + 1, diagonal + (other != letter)))
        row = new
    return exactly(np.array(row, np.int32))


def block_reorder(a: Array) -> Expected:
    rows, columns = a.shape
    return exactly(wide(a).reshape(rows // 4, 4, columns // 8, 8).swapaxes(1, 2))


def bit_reversal(rows: tuple[Array, Array]) -> Tree:
    order = [int(f"{i:03b}"[::-1], 2) for i in range(8)]
    return exactly(rows[0][:, order]), exactly(rows[1][:, order])


SCIENCE: Final[Mapping[str, Callable[..., Tree]]] = {
    "n_body": n_body,
    "molecular_dynamics": molecular_dynamics,
    "mandelbrot": mandelbrot,
    "black_scholes": black_scholes,
    "fft_stage": fft_stage,
    "game_of_life": game_of_life,
    "smith_waterman": smith_waterman,
    "random_walk": random_walk,
    "edit_distance": edit_distance,
    "transpose3": lambda xs: exactly(wide(xs).transpose(2, 0, 1)),
    "transpose4": lambda xs: exactly(wide(xs).transpose(3, 2, 1, 0)),
    "block_reorder": block_reorder,
    "bit_reversal": bit_reversal,
    "permuted": lambda indices, xs: (exactly(xs[0][indices]), exactly(xs[1][indices])),
}
