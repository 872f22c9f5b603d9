"""NPBench's stencils and equations on grids, restated: a few time steps each. Does not measure time."""
# ruff: noqa: F722, F821

import numpy as np

from cases.idioms.idiom import idiom, positive, unit
from rise.embedding import scan

STEPS = 2


def bordered(inner, given):
    """The interior of a matrix, with the border of another around it."""
    rows = np.concatenate([given[1:-1, :1], inner, given[1:-1, -1:]], axis=1)
    return np.concatenate([given[:1], rows, given[-1:]])


def jacobi_line_in_place(a):
    """Averages of three neighbours, by assignment to the interior of a copy."""
    for _ in range(STEPS):
        b = a.copy()
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a = b
    return a


@idiom("NPBench jacobi_1d", {"N": 2**20}, {"N": 1024}, {"N": 6}, plain=jacobi_line_in_place)
def jacobi_1d(a: "N.f64"):
    """Averages of three neighbours; the ends are unchanged."""
    for _ in range(STEPS):
        a = np.concatenate([a[:1], 0.33333 * (a[:-2] + a[1:-1] + a[2:]), a[-1:]])
    return a


def jacobi_plane_in_place(a):
    """Averages of five neighbours, by assignment to the interior of a copy."""
    for _ in range(STEPS):
        b = a.copy()
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a = b
    return a


@idiom(
    "NPBench jacobi_2d",
    {"M": 1024, "N": 1024},
    {"M": 32, "N": 32},
    {"M": 5, "N": 6},
    plain=jacobi_plane_in_place,
)
def jacobi_2d(a: "M.N.f64"):
    """Averages of five neighbours; the borders are unchanged."""
    for _ in range(STEPS):
        inner = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a = bordered(inner, a)
    return a


def heat_in_place(a):
    """Heat in a cube, by assignment to the interior of a copy."""
    for _ in range(STEPS):
        b = a.copy()
        m = a[1:-1, 1:-1, 1:-1]
        b[1:-1, 1:-1, 1:-1] = m + 0.125 * (
            (a[2:, 1:-1, 1:-1] - 2 * m + a[:-2, 1:-1, 1:-1])
            + (a[1:-1, 2:, 1:-1] - 2 * m + a[1:-1, :-2, 1:-1])
            + (a[1:-1, 1:-1, 2:] - 2 * m + a[1:-1, 1:-1, :-2])
        )
        a = b
    return a


@idiom("NPBench heat_3d", {"N": 100}, {"N": 10}, {"N": 5}, plain=heat_in_place)
def heat_3d(a: "N.N.N.f64"):
    """Heat in a cube whose faces are unchanged."""
    for _ in range(STEPS):
        m = a[1:-1, 1:-1, 1:-1]
        inner = m + 0.125 * (
            (a[2:, 1:-1, 1:-1] - 2 * m + a[:-2, 1:-1, 1:-1])
            + (a[1:-1, 2:, 1:-1] - 2 * m + a[1:-1, :-2, 1:-1])
            + (a[1:-1, 1:-1, 2:] - 2 * m + a[1:-1, 1:-1, :-2])
        )
        deep = np.concatenate([a[1:-1, 1:-1, :1], inner, a[1:-1, 1:-1, -1:]], axis=2)
        wide = np.concatenate([a[1:-1, :1], deep, a[1:-1, -1:]], axis=1)
        a = np.concatenate([a[:1], wide, a[-1:]])
    return a


def seidel_in_place(a):
    """Averages of nine neighbours, row by row; within a row one element after the other."""
    a = a.copy()
    for i in range(1, len(a) - 1):
        a[i, 1:-1] += a[i - 1, :-2] + a[i - 1, 1:-1] + a[i - 1, 2:] + a[i, 2:]
        a[i, 1:-1] += a[i + 1, :-2] + a[i + 1, 1:-1] + a[i + 1, 2:]
        for j in range(1, a.shape[1] - 1):
            a[i, j] = (a[i, j] + a[i, j - 1]) / 9
    return a


@idiom("NPBench seidel_2d", {"N": 512}, {"N": 32}, {"N": 5}, plain=seidel_in_place)
def seidel_2d(a: "N.N.f64"):
    """Averages of nine neighbours, of which those above and to the left are new; the borders are unchanged."""

    def row(above, two):
        here, below = two[0], two[1]
        rest = above[:-2] + above[1:-1] + above[2:] + here[1:-1] + here[2:]
        rest = rest + below[:-2] + below[1:-1] + below[2:]
        inner = scan(lambda left, one: (left + one) / 9, here[0], rest)
        return np.concatenate([here[:1], inner, here[-1:]])

    pairs = np.stack([a[1:-1], a[2:]], axis=1)
    return np.concatenate([a[:1], scan(row, a[0], pairs), a[-1:]])


def fdtd_in_place(ex, ey, hz, boundary):
    """Electric and magnetic fields, by assignment; one step for each value at the boundary."""
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for one in boundary:
        ey[0] = one
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return ex, ey, hz


@idiom("NPBench fdtd_2d", {"M": 512, "N": 512}, {"M": 32, "N": 32}, {"M": 4, "N": 5}, plain=fdtd_in_place)
def fdtd_2d(ex: "M.N.f64", ey: "M.N.f64", hz: "M.N.f64", boundary: "2.f64"):
    """Alternating steps of electric and magnetic fields, driven from one side."""
    for t in range(STEPS):
        top = np.full_like(ey[:1], boundary[t])
        ey = np.concatenate([top, ey[1:] - 0.5 * (hz[1:] - hz[:-1])])
        ex = np.concatenate([ex[:, :1], ex[:, 1:] - 0.5 * (hz[:, 1:] - hz[:, :-1])], axis=1)
        inner = hz[:-1, :-1] - 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
        hz = np.concatenate([np.concatenate([inner, hz[:-1, -1:]], axis=1), hz[-1:]])
    return ex, ey, hz


@idiom("NPBench hdiff", {"I": 128, "J": 128, "K": 64}, {"I": 8, "J": 8, "K": 16})
def hdiff(x: "(I+4).(J+4).K.f64", coefficient: "I.J.K.f64"):
    """Horizontal diffusion with limited fluxes, from weather models."""
    lap = 4.0 * x[1:-1, 1:-1] - (x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2])
    flow = lap[1:, 1:-1] - lap[:-1, 1:-1]
    flow = np.where(flow * (x[2:-1, 2:-2] - x[1:-2, 2:-2]) > 0, 0.0, flow)
    side = lap[1:-1, 1:] - lap[1:-1, :-1]
    side = np.where(side * (x[2:-2, 2:-1] - x[2:-2, 1:-2]) > 0, 0.0, side)
    return x[2:-2, 2:-2] - coefficient * (flow[1:] - flow[:-1] + side[:, 1:] - side[:, :-1])


def advected(stage, u, w, position, tendency, rate):
    """Vertical advection, layer by layer, down and up."""
    layers = u.shape[2]
    c, d = np.zeros_like(u), np.zeros_like(u)
    for k in range(layers):
        here = position[:, :, k] * rate + tendency[:, :, k] + stage[:, :, k]
        down = np.zeros_like(rate)
        up = np.zeros_like(rate)
        if k > 0:
            down = -0.125 * (w[1:, :, k] + w[:-1, :, k])
            here = here - down * (u[:, :, k - 1] - u[:, :, k])
        if k < layers - 1:
            up = 0.125 * (w[1:, :, k + 1] + w[:-1, :, k + 1])
            here = here - up * (u[:, :, k + 1] - u[:, :, k])
        middle = rate - down - up
        if k > 0:
            middle = middle - c[:, :, k - 1] * down
            here = here - d[:, :, k - 1] * down
        c[:, :, k], d[:, :, k] = up / middle, here / middle
    out = np.zeros_like(u)
    last = d[:, :, -1]
    out[:, :, -1] = rate * (last - position[:, :, -1])
    for k in range(layers - 2, -1, -1):
        last = d[:, :, k] - c[:, :, k] * last
        out[:, :, k] = rate * (last - position[:, :, k])
    return out


@idiom(
    "NPBench vadv",
    {"I": 128, "J": 128, "K": 64},
    {"I": 8, "J": 8, "K": 16},
    {"I": 2, "J": 3, "K": 4},
    plain=advected,
    inputs={"rate": lambda rng, shape: rng.uniform(3, 4, shape), "w": unit},
)
def vadv(
    stage: "I.J.K.f64",
    u: "I.J.K.f64",
    w: "(I+1).J.K.f64",
    position: "I.J.K.f64",
    tendency: "I.J.K.f64",
    rate: "I.J.f64",
):
    """Vertical advection from weather models: a tridiagonal system for each column."""
    between = 0.125 * (w[1:] + w[:-1])[:, :, 1:]
    change = between * (u[:, :, 1:] - u[:, :, :-1])
    none = np.zeros_like(u[:, :, :1])
    up = np.concatenate([between, none], axis=2)
    down = np.concatenate([none, -between], axis=2)
    here = position * rate[:, :, None] + tendency + stage
    here = here - np.concatenate([change, none], axis=2) - np.concatenate([none, change], axis=2)
    middle = rate[:, :, None] - down - up
    start = np.zeros_like(rate), np.zeros_like(rate)

    def forwards(before, layer):
        c, d = before
        divided = 1.0 / (layer[3] - c * layer[1])
        return layer[0] * divided, (layer[2] - d * layer[1]) * divided

    layers = np.moveaxis(np.stack([up, down, here, middle]), 3, 0)
    solved = scan(forwards, start, layers)
    both = np.stack([solved.first, solved.second], axis=1)[::-1]
    back = scan(lambda below, layer: layer[1] - layer[0] * below, start[0], both)[::-1]
    return rate[:, :, None] * (np.moveaxis(back, 0, 2) - position)


def adi_by_loops(u):
    """The half step, by loops over rows and columns."""
    n = len(u)
    one = float(n * n) / 2
    a, b = -one, 1 + 2 * one
    d = -one / 2
    v, p, q = np.ones_like(u), np.zeros_like(u), np.zeros_like(u)
    q[1:-1, 0] = 1
    for j in range(1, n - 1):
        below = a * p[1:-1, j - 1] + b
        p[1:-1, j] = -a / below
        right = -d * u[j, :-2] + (1 + 2 * d) * u[j, 1:-1] - d * u[j, 2:]
        q[1:-1, j] = (right - a * q[1:-1, j - 1]) / below
    for j in range(n - 2, 0, -1):
        v[j, 1:-1] = p[1:-1, j] * v[j + 1, 1:-1] + q[1:-1, j]
    return v


@idiom(
    "NPBench adi (a half step)", {"N": 512}, {"N": 32}, {"N": 5}, plain=adi_by_loops, inputs={"u": positive}
)
def adi(u: "N.N.f64"):
    """A half step of alternating directions: a tridiagonal system for each column."""
    n = u.shape[0]
    one = np.float64(0.5) * np.ones_like(u[0, 0]) * n * n
    a, b = -one, 1 + 2 * one
    d = -0.5 * one
    right = -d * u[1:-1, :-2] + (1 + 2 * d) * u[1:-1, 1:-1] - d * u[1:-1, 2:]

    def forwards(before, row):
        p, q = before
        below = a * p + b
        return -a / below, (row - a * q) / below

    zeros = np.zeros_like(right[0])
    solved = scan(forwards, (zeros, zeros + 1), right)
    both = np.stack([solved.first, solved.second], axis=1)[::-1]
    back = scan(lambda last, row: row[0] * last + row[1], zeros + 1, both)[::-1]
    whole = np.pad(back, 1, constant_values=1.0)
    return np.concatenate([np.ones_like(u[:1]), whole[1:-1], np.ones_like(u[:1])])


def recursive_filter(x, weights, start):
    """A filter of two previous samples and two previous results, along the first axis."""

    def step(before, one):
        (last, older), sample = before
        new = weights[0] * one + weights[1] * sample + weights[2] * last + weights[3] * older
        return (new, last), one

    return scan(step, ((start, start), start), x).first.first


def constants(alpha):
    """The weights of the filter, forwards and backwards."""
    e = np.exp(-alpha)
    k = (1 - e) * (1 - e) / (1 + alpha * e - np.exp(2 * alpha))
    back = (2.0**-alpha, -np.exp(-2 * alpha))
    forwards = (k, k * e * (alpha - 1), *back)
    backwards = (k * e * (alpha + 1), -k * np.exp(-2 * alpha), *back)
    return [float(one) for one in forwards], [float(one) for one in backwards]


FORWARDS, BACKWARDS = constants(0.25)


def filtered(x):
    """Deriche's filter along the first axis, row by row, forwards and backwards."""
    a1, a2, b1, b2 = FORWARDS
    a3, a4, _, _ = BACKWARDS
    down, up = np.empty_like(x), np.empty_like(x)
    down[0] = a1 * x[0]
    down[1] = a1 * x[1] + a2 * x[0] + b1 * down[0]
    for i in range(2, len(x)):
        down[i] = a1 * x[i] + a2 * x[i - 1] + b1 * down[i - 1] + b2 * down[i - 2]
    up[-1] = 0
    up[-2] = a3 * x[-1]
    for i in range(len(x) - 3, -1, -1):
        up[i] = a3 * x[i + 1] + a4 * x[i + 2] + b1 * up[i + 1] + b2 * up[i + 2]
    return down + up


def deriche_by_loops(x):
    """Deriche's filter along both axes."""
    return filtered(filtered(x.T).T)


@idiom(
    "NPBench deriche", {"M": 1024, "N": 1024}, {"M": 32, "N": 32}, {"M": 5, "N": 6}, plain=deriche_by_loops
)
def deriche(x: "M.N.f64"):
    """Deriche's recursive filter of an image, along both axes, forwards and backwards."""

    def both(x):
        zeros = np.zeros_like(x[0])
        down = recursive_filter(x, FORWARDS, zeros)
        later = np.concatenate([x[1:], np.zeros_like(x[:1])])[::-1]
        return down + recursive_filter(later, BACKWARDS, zeros)[::-1]

    return both(both(x.T).T)
