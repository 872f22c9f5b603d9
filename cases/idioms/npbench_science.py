"""NPBench's geometry, fractals, bodies and transforms, restated. Does not measure time."""
# ruff: noqa: F722, F821

import numpy as np

from cases.idioms.idiom import idiom, positive, unit
from rise.embedding import arange, fold, generate, map

LIMIT = 30
SOFT = 0.1


@idiom(
    "NPBench arc_distance",
    {"N": 2**20},
    {"N": 1024},
    inputs=dict.fromkeys("abcd", unit),
)
def arc_distance(a: "N.f64", b: "N.f64", c: "N.f64", d: "N.f64"):
    """The distance between points on a sphere, given by two angles."""
    half = np.sin((c - a) / 2) ** 2 + np.cos(a) * np.cos(c) * np.sin((d - b) / 2) ** 2
    return 2 * np.arctan2(np.sqrt(half), np.sqrt(1 - half))


@idiom("NPBench compute", {"M": 1024, "N": 1024}, {"M": 32, "N": 32})
def compute(x: "M.N.i64", y: "M.N.i64", a: "i64", b: "i64", c: "i64"):
    """A clipped array and another array, each multiplied by a factor."""
    return np.clip(x, 2, 10) * a + y * b + c


def with_trace(a):
    """A matrix plus the sum of a function over its diagonal."""
    return a + np.tanh(np.diagonal(a)).sum()


@idiom("NPBench go_fast", {"N": 1024}, {"N": 32}, plain=with_trace)
def go_fast(a: "N.N.f64"):
    """A matrix plus a sum over its diagonal."""
    return a + np.tanh(generate(lambda i: a[i, i], a.shape[0])).sum()


def counts_of_points(x, y):
    """All points take each step together, in complex numbers."""
    c = x + y[:, None] * 1j
    z = np.zeros_like(c)
    counts = np.zeros(c.shape, np.int64)
    for n in range(LIMIT):
        inside = z.real**2 + z.imag**2 < 4
        counts[inside] = n
        z[inside] = z[inside] ** 2 + c[inside]
    counts[counts == LIMIT - 1] = 0
    return z.real, z.imag, counts


@idiom(
    "NPBench mandelbrot1",
    {"M": 256, "N": 256},
    {"M": 16, "N": 16},
    plain=counts_of_points,
    inputs={
        "x": lambda rng, shape: np.linspace(-1.75, 0.25, shape[0]),
        "y": lambda rng, shape: np.linspace(-1.0, 1.0, shape[0]),
    },
    tolerance=1e-6,
)
def mandelbrot1(x: "N.f64", y: "M.f64"):
    """The number of steps that each point stays near 0, computed on whole arrays."""
    re, im = np.zeros_like(y[:, None] + x), np.zeros_like(y[:, None] + x)
    counts = re.astype(np.int64)

    def step(state, n):
        re, (im, counts) = state
        inside = re * re + im * im < 4.0
        return (
            np.where(inside, re * re - im * im + x, re),
            (np.where(inside, 2 * re * im + y[:, None], im), np.where(inside, n, counts)),
        )

    counted = arange(x.shape[0] - x.shape[0] + LIMIT)
    last = fold(step, (re, (im, counts)), counted)
    counts = last.second.second
    return last.first, last.second.first, np.where(counts == LIMIT - 1, 0, counts)


def escapes(x, y):
    """The steps of the points that are still near 0, in complex numbers."""
    c = (x + y[:, None] * 1j).ravel()
    where = np.arange(len(c))
    z = np.zeros_like(c)
    counts = np.zeros(len(c), np.int64)
    for n in range(LIMIT):
        z = z * z + c
        gone = z.real**2 + z.imag**2 > 4
        counts[where[gone]] = n + 1
        z, c, where = z[~gone], c[~gone], where[~gone]
    return counts.reshape(len(y), len(x))


@idiom(
    "NPBench mandelbrot2",
    {"M": 256, "N": 256},
    {"M": 16, "N": 16},
    plain=escapes,
    inputs={
        "x": lambda rng, shape: np.linspace(-2.0, 0.5, shape[0]),
        "y": lambda rng, shape: np.linspace(-1.25, 1.25, shape[0]),
    },
)
def mandelbrot2(x: "N.f64", y: "M.f64"):
    """The step at which each point leaves, point by point."""

    def steps(cx, cy):
        def step(state, n):
            (re, im), (is_gone, count) = state
            near, far = re * re - im * im + cx, 2 * re * im + cy
            leaves = ~is_gone & (near * near + far * far > 4.0)
            stays = is_gone | leaves
            after = np.where(stays, re, near), np.where(stays, im, far)
            return after, (stays, np.where(leaves, n + 1, count))

        zero = cx - cx
        start = ((zero, zero), (zero > 0.0, zero.astype(np.int64)))
        return fold(step, start, arange(x.shape[0] - x.shape[0] + LIMIT)).second.second

    return map(lambda cy: map(lambda cx: steps(cx, cy), x), y)


def accelerated(position, mass):
    """The acceleration of each body due to all bodies."""
    apart = position[None, :, :] - position[:, None, :]
    squares = (apart**2).sum(axis=2) + SOFT**2
    return (apart * (mass / (squares * np.sqrt(squares)))[:, :, None]).sum(axis=1)


def energies(position, velocity, mass):
    """The kinetic and the potential energy."""
    at = np.arange(len(mass))
    apart = position[None, :, :] - position[:, None, :]
    distances = np.sqrt((apart**2).sum(axis=2))
    inverse = np.where(distances > 0, 1 / np.where(distances > 0, distances, 1), 0)
    potential = -np.outer(mass, mass) * inverse
    kinetic = 0.5 * (mass[:, None] * velocity**2).sum()
    return kinetic, np.where(at[:, None] < at, potential, 0).sum()


def bodies_of_numpy(mass, position, velocity):
    """One step, and the energies after it."""
    velocity = velocity - (mass[:, None] * velocity).mean(axis=0) / mass.mean()
    velocity = velocity + accelerated(position, mass) * 0.005
    position = position + velocity * 0.01
    velocity = velocity + accelerated(position, mass) * 0.005
    return position, velocity, *energies(position, velocity, mass)


@idiom(
    "NPBench nbody (one step)",
    {"N": 1024},
    {"N": 32},
    plain=bodies_of_numpy,
    inputs={"mass": positive},
    tolerance=1e-8,
)
def nbody(mass: "N.f64", position: "N.3.f64", velocity: "N.3.f64"):
    """Bodies that attract each other, and their energies."""
    velocity = velocity - (mass[:, None] * velocity).mean(axis=0) / mass.mean()
    velocity = velocity + accelerated(position, mass) * 0.005
    position = position + velocity * 0.01
    velocity = velocity + accelerated(position, mass) * 0.005
    at = arange(mass.shape[0])
    apart = position[None, :, :] - position[:, None, :]
    distances = np.sqrt((apart**2).sum(axis=2))
    inverse = np.where(distances > 0.0, 1.0 / np.where(distances > 0.0, distances, 1.0), 0.0)
    potential = np.where(at[:, None] < at, -np.outer(mass, mass) * inverse, 0.0).sum()
    return position, velocity, 0.5 * (mass[:, None] * velocity**2).sum(), potential


def transformed(re, im):
    """The Fourier transform by `np.fft`."""
    found = np.fft.fft(re + 1j * im, axis=1)
    return found.real, found.imag


@idiom("NPBench stockham_fft", {"B": 1024}, {"B": 1}, {"B": 2}, plain=transformed)
def stockham_fft(re: "B.1024.f64", im: "B.1024.f64"):
    """Fourier transforms of 1024 complex numbers, in ten stages of radix 2."""
    for stage in range(10):
        blocks, rest = 2**stage, 2 ** (9 - stage)
        angles = -np.pi * np.arange(blocks) / blocks
        c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
        re, im = re.reshape(-1, blocks, 2, rest), im.reshape(-1, blocks, 2, rest)
        x, y, u, v = re[:, :, 0], im[:, :, 0], re[:, :, 1], im[:, :, 1]
        u, v = u * c - v * s, u * s + v * c
        re = np.stack([x + u, x - u], axis=1).reshape(-1, 1024)
        im = np.stack([y + v, y - v], axis=1).reshape(-1, 1024)
    return re, im


@idiom("NPBench azimint_hist", {"N": 2**20}, {"N": 1024}, {"N": 40}, inputs={"radius": unit})
def means_of_rings(data: "N.f64", radius: "N.f64"):
    """The mean of the data in each of 100 rings around a centre, by two histograms."""
    counts, edges = np.histogram(radius, 100)
    totals, edges = np.histogram(radius, 100, weights=data)
    return np.where(counts > 0, totals / np.maximum(counts, 1), 0.0), edges


def complex_numbers(rng, shape):
    """Complex numbers whose parts are from 0 to 1."""
    return rng.uniform(size=shape) + 1j * rng.uniform(size=shape)


@idiom(
    "NPBench contour_integral",
    {"R": 128, "M": 256, "K": 32},
    {"R": 8, "M": 16, "K": 4},
    inputs={"h": complex_numbers, "points": complex_numbers, "y": complex_numbers},
    tolerance=1e-8,
)
def integrals_around(h: "3.R.R.c128", points: "K.c128", y: "R.M.c128"):
    """Two integrals of the solutions of equations along a contour."""
    first, second = np.zeros_like(y), np.zeros_like(y)
    for z in points:
        x = np.linalg.solve(h[0] * z + h[1] + h[2] / z, y)
        if np.abs(z) < 1.0:
            x = -x
        first += x
        second += z * x
    return first, second


@idiom(
    "NPBench scattering_self_energies",
    {"K": 4, "E": 10, "Q": 4, "W": 3, "D": 3, "A": 12, "B": 4, "O": 4},
    {"K": 2, "E": 4, "Q": 2, "W": 2, "D": 2, "A": 6, "B": 2, "O": 3},
    {"K": 2, "E": 3, "Q": 2, "W": 2, "D": 2, "A": 3, "B": 2, "O": 3},
    inputs={"dh": complex_numbers, "g": complex_numbers, "d": complex_numbers},
    where=("W <= E",),
)
def self_energies(neighbours: "A.B.idx[A]", dh: "A.B.D.O.O.c128", g: "K.E.A.O.O.c128", d: "Q.W.A.B.D.D.c128"):
    """The self-energies of electrons that phonons scatter: products of small matrices of neighbouring atoms, summed."""
    sigma = np.zeros_like(g)
    for k in range(g.shape[0]):
        for e in range(g.shape[1]):
            for q in range(d.shape[0]):
                for w in range(d.shape[1]):
                    for a in range(dh.shape[0]):
                        for b in range(dh.shape[1]):
                            for i in range(dh.shape[2]):
                                for j in range(dh.shape[2]):
                                    if e >= w:
                                        left = g[k, e - w, neighbours[a, b]] @ dh[a, b, i]
                                        sigma[k, e, a] += left @ (dh[a, b, j] * d[q, w, a, b, i, j])
    return sigma


def starts_of_rows(rng, shape):
    """Where the rows of a sparse matrix start, with four elements a row on average."""
    return np.concatenate(([0], np.sort(rng.integers(0, 4 * shape[0] - 3, shape[0] - 2)), [4 * shape[0] - 4]))


@idiom(
    "NPBench spmv",
    {"R": 2**18 + 1, "K": 2**20, "N": 2**18},
    {"R": 257, "K": 1024, "N": 256},
    {"R": 6, "K": 20, "N": 7},
    inputs={"starts": starts_of_rows},
    where=("2 <= R",),
)
def sparse_product(starts: "R.i64", columns: "K.idx[N]", values: "K.f64", x: "N.f64"):
    """A matrix in compressed rows times a vector."""
    y = np.zeros(starts.shape[0] - 1)
    for i in range(starts.shape[0] - 1):
        row = slice(starts[i], starts[i + 1])
        y[i] = values[row] @ x[columns[row]]
    return y
