"""Ordinary programs in numpy's words, in the spellings of statistics, machine learning, images, signals and solvers.

Each annotation is the type of a parameter; SIZES has the lengths for which a program is run. Independent of strategies.
One subject: a list of programs.
"""

# ruff: noqa: F722, F821, UP037  # types of RISE in quotes are no Python

from __future__ import annotations

from typing import Final

import numpy as np

_LENGTHS: Final = "N37 M21 D12 K6 B2 H10 W8 C4 O6 L17 T4 V30 P4 Q7 G4"
SIZES: Final = {length[0]: int(length[1:]) for length in _LENGTHS.split()}


def zscore(x: "N.D.f32"):
    return (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-6)


def rms_norm(x: "N.D.f32", w: "D.f32"):
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6) * w


def log_softmax(x: "N.D.f32"):
    m = x.max(axis=1, keepdims=True)
    return x - m - np.log(np.exp(x - m).sum(axis=1, keepdims=True))


def row_share(x: "N.D.f32"):
    return x / x.sum(axis=1, keepdims=True)


def nearest_centre(x: "N.D.f32", c: "K.D.f32"):
    d = ((x[:, None, :] - c[None, :, :]) ** 2).sum(axis=2)
    return d.argmin(axis=1)


def pairwise_forces(p: "N.3.f32", m: "N.f32"):
    d = p[None, :, :] - p[:, None, :]
    r2 = (d**2).sum(axis=2) + 0.01
    return (d * (m[None, :] / (r2 * np.sqrt(r2)))[:, :, None]).sum(axis=1)


def running_mean(x: "N.f32"):
    c = np.cumsum(x)
    return c / np.arange(1, len(x) + 1)


def row_cumsum(x: "M.N.f32"):
    return np.cumsum(x, axis=1)


def col_cumsum(x: "M.N.f32"):
    return np.cumsum(x, axis=0)


def sobel(img: "(M+2).(N+2).f32"):
    gx = (img[:-2, 2:] + 2 * img[1:-1, 2:] + img[2:, 2:]) - (
        img[:-2, :-2] + 2 * img[1:-1, :-2] + img[2:, :-2]
    )
    gy = (img[2:, :-2] + 2 * img[2:, 1:-1] + img[2:, 2:]) - (
        img[:-2, :-2] + 2 * img[:-2, 1:-1] + img[:-2, 2:]
    )
    return np.sqrt(gx * gx + gy * gy)


def five_heat_steps(u: "(N+2).f32"):
    for _ in range(5):
        u = np.concatenate([u[:1], u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]), u[-1:]])
    return u


def three_heat_steps_of_grids(u: "(N+2).(N+2).f32"):
    for _ in range(3):
        v = u.copy()
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
        u = v
    return u


def box_pool(x: "(2*M).(2*N).f32"):
    return (x[::2, ::2] + x[1::2, ::2] + x[::2, 1::2] + x[1::2, 1::2]) / 4


def max_pool(x: "(2*M).(2*N).f32"):
    return x.reshape(x.shape[0] // 2, 2, x.shape[1] // 2, 2).max(axis=(1, 3))


def heads(q: "B.H.L.D.f32", k: "B.H.L.D.f32", v: "B.H.L.D.f32"):
    s = q @ k.transpose(0, 1, 3, 2) * 0.35
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)) @ v


def causal(q: "L.D.f32", k: "L.D.f32", v: "L.D.f32"):
    s = q @ k.T
    i = np.arange(q.shape[0])
    s = np.where(i[:, None] >= i[None, :], s, -1e30)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e @ v) / e.sum(axis=1, keepdims=True)


def mlp_loss(x: "N.D.f32", w1: "D.H.f32", b1: "H.f32", w2: "H.C.f32", y: "N.C.f32"):
    h = np.maximum(x @ w1 + b1, 0)
    z = h @ w2
    z = z - z.max(axis=1, keepdims=True)
    logp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    return -(y * logp).sum() / x.shape[0]


def covariance(x: "N.D.f32"):
    c = x - x.mean(axis=0)
    return c.T @ c / (x.shape[0] - 1)


def power_iteration(a: "N.N.f32", v: "N.f32"):
    for _ in range(4):
        w = a @ v
        v = w / np.sqrt((w * w).sum())
    return v


def jacobi_solve(a: "N.N.f32", b: "N.f32"):
    d = np.diag(a)
    x = b / d
    for _ in range(3):
        x = (b - a @ x + d * x) / d
    return x


def rotate_image(x: "M.N.f32"):
    return x.T[:, ::-1]


def nhwc_to_nchw(x: "B.H.W.C.f32"):
    return x.transpose(0, 3, 1, 2) * 2.0


def polyval(x: "N.f32"):
    p = 0.0
    for c in (1.0, -2.0, 0.5, 3.0):
        p = p * x + c
    return p


def normalise_min_max(x: "N.f32"):
    return (x - x.min()) / (x.max() - x.min() + 1e-9)


def weighted_percent(x: "N.f32", w: "N.f32"):
    t = (w * x).sum() / w.sum()
    return np.sqrt((w * (x - t) ** 2).sum() / w.sum())


def conv1d_full(x: "N.f32", h: "M.f32"):
    return np.convolve(x, h)


def conv2d(x: "B.C.(H+2).(W+2).f32", w: "O.C.3.3.f32"):
    v = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    return np.einsum("bchwij,ocij->bohw", v, w)


def floyd(d: "N.N.f32"):
    for k in range(d.shape[0]):
        d = np.minimum(d, d[:, k][:, None] + d[k][None, :])
    return d


def lower_triangle(a: "N.N.f32"):
    return np.tril(a) @ np.triu(a)


def diff_sign_changes(x: "N.f32"):
    return (np.sign(x[1:]) != np.sign(x[:-1])).sum()


def outer_argmax(x: "N.f32", y: "M.f32"):
    return (x[:, None] * y[None, :]).argmax(axis=1)


def haar(x: "(2*N).f32"):
    return np.concatenate([(x[::2] + x[1::2]) * 0.7071, (x[::2] - x[1::2]) * 0.7071])


def complex_dft(x: "N.f32"):
    n = np.arange(x.shape[0])
    a = -2 * np.pi * n[:, None] * n[None, :] / x.shape[0]
    return (np.cos(a) * x[None, :]).sum(axis=1), (np.sin(a) * x[None, :]).sum(axis=1)


def embedding_bag(t: "V.K.f32", i: "N.4.idx[V]"):
    return t[i].sum(axis=1)


def sort_small(x: "N.f32"):
    return np.sort(x)


def group_norm(x: "N.(4*D).f32"):
    y = x.reshape(x.shape[0], 4, x.shape[1] // 4)
    m = y.mean(axis=2, keepdims=True)
    v = y.var(axis=2, keepdims=True)
    return ((y - m) / np.sqrt(v + 1e-5)).reshape(x.shape[0], x.shape[1])


def life(g: "N.N.i32"):
    n = sum(np.roll(np.roll(g, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1)) - g
    return np.where((n == 3) | ((g == 1) & (n == 2)), 1, 0)


def levenshtein_row(a: "N.i32", b: "N.i32"):
    return (a != b).cumsum()


def trilinear(x: "M.f32", y: "N.f32", z: "K.f32", t: "M.N.K.f32"):
    return np.einsum("i,j,k,ijk->", x, y, z, t)


def recurrence(x: "N.D.f32", w: "D.D.f32", h0: "D.f32"):
    h = h0
    for t in range(x.shape[0]):
        h = np.tanh(x[t] + h @ w)
    return h


def black_scholes(s: "N.f32", k: "N.f32", t: "N.f32"):
    d = (np.log(s / k) + (0.02 + 0.045) * t) / (0.3 * np.sqrt(t))
    n = 1 / (1 + np.exp(-1.702 * d))
    return s * n - k * np.exp(-0.02 * t) * (1 / (1 + np.exp(-1.702 * (d - 0.3 * np.sqrt(t)))))


def batch_norm_backward(x: "N.D.f32", g: "N.D.f32", w: "D.f32"):
    m = x.mean(axis=0)
    s = 1 / np.sqrt(x.var(axis=0) + 1e-5)
    h = (x - m) * s
    return w * s * (g - g.mean(axis=0) - h * (g * h).mean(axis=0))


def layer_norm_backward(x: "N.D.f32", g: "N.D.f32", w: "D.f32"):
    m = x.mean(axis=1, keepdims=True)
    s = 1 / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
    h = (x - m) * s
    gw = g * w
    return (
        (s * (gw - gw.mean(axis=1, keepdims=True) - h * (gw * h).mean(axis=1, keepdims=True))),
        (g * h).sum(axis=0),
        g.sum(axis=0),
    )


def adam(p: "N.f32", g: "N.f32", m: "N.f32", v: "N.f32"):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 0.01 * (m / 0.1) / (np.sqrt(v / 0.001) + 1e-8), m, v


def cross_entropy(z: "N.C.f32", y: "N.idx[C]"):
    s = z - z.max(axis=1, keepdims=True)
    l = np.log(np.exp(s).sum(axis=1))
    return (l - s[np.arange(z.shape[0]), y]).mean()


def cosine(a: "N.D.f32", b: "M.D.f32"):
    an = a / np.linalg.norm(a, axis=1, keepdims=True)
    bn = b / np.linalg.norm(b, axis=1, keepdims=True)
    return an @ bn.T


def lstm_step(x: "N.D.f32", h: "N.H.f32", c: "N.H.f32", wx: "D.(4*H).f32", wh: "H.(4*H).f32", b: "(4*H).f32"):
    n = h.shape[1]
    z = x @ wx + h @ wh + b
    i = 1 / (1 + np.exp(-z[:, :n]))
    f = 1 / (1 + np.exp(-z[:, n : 2 * n]))
    o = 1 / (1 + np.exp(-z[:, 2 * n : 3 * n]))
    g = np.tanh(z[:, 3 * n :])
    c2 = f * c + i * g
    return o * np.tanh(c2), c2


def depthwise(x: "B.C.(H+2).(W+2).f32", k: "C.3.3.f32"):
    y = x[:, :, :-2, :-2] * 0.0
    for i in range(3):
        for j in range(3):
            y = y + x[:, :, i : i + y.shape[2], j : j + y.shape[3]] * k[None, :, i, j, None, None]
    return y


def dilate(x: "H.W.f32"):
    p = np.pad(x, 1, mode="edge")
    r = p[1:-1, 1:-1]
    for i in range(3):
        for j in range(3):
            r = np.maximum(r, p[i : i + x.shape[0], j : j + x.shape[1]])
    return r


def upsample(x: "H.W.f32"):
    return np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)


def running_max(x: "N.f32"):
    return np.maximum.accumulate(x)


def prefix_product(x: "N.f32"):
    return np.cumprod(x * 0.8 + 0.2)


def moving_sums(x: "(N+5).f32"):
    return np.lib.stride_tricks.sliding_window_view(x, 6).sum(axis=1)


def moving_median(x: "(N+4).f32"):
    return np.sort(np.lib.stride_tricks.sliding_window_view(x, 5), axis=1)[:, 2]


def kron(a: "M.N.f32", b: "P.Q.f32"):
    return np.kron(a, b)


def unsharp(x: "(N+2).(N+2).f32"):
    blur = sum(x[i : x.shape[0] - 2 + i, j : x.shape[1] - 2 + j] for i in range(3) for j in range(3)) / 9
    return np.clip(x[1:-1, 1:-1] * 1.5 - blur * 0.5, 0, 1)


def lcs(a: "N.i32", b: "M.i32"):
    row = np.zeros(b.shape[0] + 1, np.int32)
    for x in a:
        d = np.where(b == x, row[:-1] + 1, row[1:])
        row = np.concatenate([row[:1], np.maximum.accumulate(d)])
    return row[-1]


def gram_schmidt_step(a: "N.N.f32", q: "N.f32"):
    q = q / np.sqrt(q @ q)
    return a - np.outer(q, q @ a)


def mandel(cr: "N.f32", ci: "N.f32"):
    zr = cr * 0
    zi = ci * 0
    n = cr * 0
    for _ in range(12):
        r = zr * zr - zi * zi + cr - 1
        zi = 2 * zr * zi + ci * 0.5
        zr = r
        n = n + np.where(zr * zr + zi * zi < 4, 1.0, 0.0)
        zr = np.clip(zr, -10, 10)
        zi = np.clip(zi, -10, 10)
    return n


def quantise(x: "N.32.f32"):
    s = np.abs(x).max(axis=1, keepdims=True) / 127
    return np.rint(x / s).astype(np.int8), s[:, 0]


def batched_matvec(a: "B.M.N.f32", x: "B.N.f32"):
    return np.einsum("bmn,bn->bm", a, x)


def symmetric(a: "N.N.f32"):
    return (a + a.T) / 2 - np.trace(a) / a.shape[0] * np.eye(a.shape[0], dtype=np.float32)


def trapezoid(y: "N.f32", x: "N.f32"):
    return ((y[1:] + y[:-1]) / 2 * (x[1:] - x[:-1])).sum()


def rbf_kernel(x: "N.D.f32"):
    s = (x * x).sum(axis=1)
    d = s[:, None] + s[None, :] - 2 * x @ x.T
    return np.exp(-0.5 * np.maximum(d, 0))


def autocorrelation(x: "N.f32"):
    c = x - x.mean()
    v = (c * c).sum()
    return np.array([(c[: c.shape[0] - k] * c[k:]).sum() / v for k in range(4)])


def rotary(x: "B.L.(2*D).f32"):
    h = x.shape[2] // 2
    t = np.arange(x.shape[1])[:, None] * np.exp(-np.arange(h) / h * 9.0)[None, :]
    a, c = x[:, :, :h], x[:, :, h:]
    return np.concatenate([a * np.cos(t) - c * np.sin(t), a * np.sin(t) + c * np.cos(t)], axis=2)


def grouped_query(q: "B.(2*G).L.D.f32", k: "B.G.L.D.f32", v: "B.G.L.D.f32"):
    k2 = np.repeat(k, 2, axis=1)
    v2 = np.repeat(v, 2, axis=1)
    s = np.einsum("bhqd,bhkd->bhqk", q, k2) * 0.35
    e = np.exp(s - s.max(axis=3, keepdims=True))
    return np.einsum("bhqk,bhkd->bhqd", e / e.sum(axis=3, keepdims=True), v2)


def gumbel_argmax(z: "N.T.f32", u: "N.T.f32"):
    return (z - np.log(-np.log(u * 0.5 + 0.1))).argmax(axis=-1)


def strided_conv(x: "B.C.(2*H+1).(2*W+1).f32", w: "O.C.3.3.f32"):
    v = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))[:, :, ::2, ::2]
    return np.einsum("bchwij,ocij->bohw", v, w)


def grouped_conv(x: "B.2.C.(H+2).(W+2).f32", w: "2.O.C.3.3.f32"):
    v = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(3, 4))
    return np.einsum("bgchwij,gocij->bgohw", v, w)


def nhwc_dilated(x: "B.(H+4).(W+4).C.f32", w: "3.3.C.O.f32"):
    y = 0
    for i in range(3):
        for j in range(3):
            y = y + x[:, 2 * i : x.shape[1] - 4 + 2 * i, 2 * j : x.shape[2] - 4 + 2 * j] @ w[i, j]
    return y


def second_difference_energy(x: "N.N.f32"):
    return (np.diff(x, 2, axis=0) ** 2).sum() + (np.diff(x, 2, axis=1) ** 2).sum()


def two_results(x: "N.N.f32"):
    return x.sum(axis=0), x.sum(axis=1), x.max()


def forward_substitution(a: "N.N.f32", b: "N.f32"):
    x = np.zeros_like(b)
    for i in range(b.shape[0]):
        x[i] = (b[i] - a[i] @ x) / (a[i, i] + 3)
    return x


def gauss(a: "N.N.f32"):
    a = a + 20 * np.eye(a.shape[0], dtype=np.float32)
    for k in range(a.shape[0]):
        f = np.where(np.arange(a.shape[0]) > k, a[:, k] / a[k, k], 0)
        a = a - f[:, None] * a[k][None, :]
    return a


def cholesky(a: "N.N.f32"):
    m = a @ a.T + 30 * np.eye(a.shape[0], dtype=np.float32)
    l = np.zeros_like(m)
    for j in range(m.shape[0]):
        c = m[:, j] - l @ l[j]
        l[:, j] = np.where(np.arange(m.shape[0]) >= j, c / np.sqrt(c[j]), 0)
    return l


def viterbi(e: "N.8.f32", t: "8.8.f32"):
    s = e[0]
    for i in range(1, e.shape[0]):
        s = (s[:, None] + t).max(axis=0) + e[i]
    return s.max()


def kalman(z: "N.f32"):
    x = z[0] * 0
    p = x + 1
    for v in z:
        k = p / (p + 0.5)
        x = x + k * (v - x)
        p = (1 - k) * p + 0.01
    return x, p


def kmeans(x: "N.2.f32", c: "3.2.f32"):
    for _ in range(2):
        d = ((x[:, None, :] - c[None]) ** 2).sum(axis=2)
        w = (d.argmin(axis=1)[:, None] == np.arange(3)[None, :]).astype(np.float32)
        c = (w.T @ x) / (w.sum(axis=0)[:, None] + 1e-6)
    return c


def wave(u: "N.N.f32", ts: "T.f32"):
    v = u
    for _ in range(ts.shape[0]):
        lap = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
        u, v = 2 * u - v + 0.1 * lap, u
    return u


def heat_steps(u: "(N+2).f32", ts: "T.f32"):
    for _ in range(ts.shape[0]):
        u = np.concatenate([u[:1], u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]), u[-1:]])
    return u


def heat_steps_of_grids(u: "(N+2).(N+2).f32", ts: "T.f32"):
    for _ in range(ts.shape[0]):
        v = u.copy()
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
        u = v
    return u


def power_steps(a: "N.N.f32", v: "N.f32", ts: "T.f32"):
    for _ in range(ts.shape[0]):
        w = a @ v
        v = w / np.sqrt((w * w).sum())
    return v


def conjugate_gradients(a: "N.N.f32", b: "N.f32", ts: "T.f32"):
    x = np.zeros_like(b)
    r = b
    p = b
    for _ in range(ts.shape[0]):
        q = a @ p
        alpha = (r @ r) / (p @ q)
        x = x + alpha * p
        s = r - alpha * q
        beta = (s @ s) / (r @ r)
        r = s
        p = r + beta * p
    return x


def averages_with_neighbours(u: "N.f32", ts: "T.f32"):
    for _ in range(ts.shape[0]):
        u = (u + np.roll(u, 1)) / 2
    return u


#: loops of a symbolic number of steps, each of which changes an array
STEPS: Final = (
    heat_steps,
    heat_steps_of_grids,
    recurrence,
    power_steps,
    conjugate_gradients,
    averages_with_neighbours,
)
PROGRAMS: Final = (
    zscore,
    rms_norm,
    log_softmax,
    row_share,
    nearest_centre,
    pairwise_forces,
    running_mean,
    row_cumsum,
    col_cumsum,
    sobel,
    five_heat_steps,
    three_heat_steps_of_grids,
    box_pool,
    max_pool,
    heads,
    causal,
    mlp_loss,
    covariance,
    power_iteration,
    jacobi_solve,
    rotate_image,
    nhwc_to_nchw,
    polyval,
    normalise_min_max,
    weighted_percent,
    conv1d_full,
    conv2d,
    floyd,
    lower_triangle,
    diff_sign_changes,
    outer_argmax,
    haar,
    complex_dft,
    embedding_bag,
    sort_small,
    group_norm,
    life,
    levenshtein_row,
    trilinear,
    recurrence,
    black_scholes,
    batch_norm_backward,
    layer_norm_backward,
    adam,
    cross_entropy,
    cosine,
    lstm_step,
    depthwise,
    dilate,
    upsample,
    running_max,
    prefix_product,
    moving_sums,
    moving_median,
    kron,
    unsharp,
    lcs,
    gram_schmidt_step,
    mandel,
    quantise,
    batched_matvec,
    symmetric,
    trapezoid,
    rbf_kernel,
    autocorrelation,
    rotary,
    grouped_query,
    gumbel_argmax,
    strided_conv,
    grouped_conv,
    nhwc_dilated,
    second_difference_energy,
    two_results,
    forward_substitution,
    gauss,
    cholesky,
    viterbi,
    kalman,
    kmeans,
    wave,
    heat_steps,
    heat_steps_of_grids,
    power_steps,
    conjugate_gradients,
    averages_with_neighbours,
)
