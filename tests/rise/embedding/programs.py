"""Programs as a user of numpy writes them: each runs unchanged on arrays, and as a RISE program.

Independent of tests. `TEXTS` has the RISE text that a person would write for some of them.
"""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F722, F821

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rise.embedding import arange, fold, generate, map, scan, slide


def dot(x: N.f32, y: N.f32):
    return (x * y).sum()


def mm(a: M.K.f32, b: K.N.f32):
    return a @ b


def gemm(al: f32, a: M.K.f32, b: K.N.f32, be: f32, c: M.N.f32):
    return al * (a @ b) + be * c


def softmax(x: N.f32):
    e = np.exp(x - x.max())
    return e / e.sum()


def smrows(x: N.M.f32):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def jac(x: N.f32):
    return (x[:-2] + x[1:-1] + x[2:]) / 3


def ev(x: N.f32):
    return x[::2]


def ev2(x: (2 * N).f32):
    return x[::2] + x[1::2]


def ends(x: N.f32):
    return x[-1] + x[0]


def rowadd(a: M.N.f32, r: N.f32):
    return a + r


def coladd(a: M.N.f32, r: M.f32):
    return a + r[:, None]


def fd(x: N.i32, y: i32):
    return x // 3 + x % 4 - y


def moments(x: N.f32):
    return x.var(), x.mean()


def relu(x: N.M.f32):
    return np.where(x > 0, x, 0)


def st2(x: N.M.f32):
    w = np.lib.stride_tricks.sliding_window_view(x, (3, 3))
    return w.mean(axis=(2, 3))


def conv(x: N.f32, k: K.f32):
    return slide(x, 3) @ np.array([1, 2, 1], np.float32)


def lin(x: B.I.f32, w: O.I.f32, b: O.f32):
    return np.tanh(x @ w.T + b)


def cums(x: N.M.f32):
    return np.cumsum(x, axis=0)


def horner(x: N.f32):
    r = x * 0
    for c in (1.0, 2.0, 3.0):
        r = r * x + c
    return r


def layer(x: N.M.f32, g: M.f32, b: M.f32):
    m = x.mean(axis=-1, keepdims=True)
    v = x.var(axis=-1, keepdims=True)
    return (x - m) / np.sqrt(v + 1e-5) * g + b


def att(q: N.D.f32, k: M.D.f32, v: M.E.f32):
    s = q @ k.T
    e = np.exp(s - s.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return p @ v


def padd(x: N.M.f32):
    return np.pad(x, ((1, 2), (0, 1)), mode="edge")


def padc(x: N.M.f32):
    return np.pad(x, 1, constant_values=2.0)


def resh(x: N.M.f32):
    return x.reshape(-1).reshape(x.shape[1], x.shape[0])


def nrm(x: N.f32):
    return np.linalg.norm(x)


def rolls(x: N.f32):
    return np.roll(x, 1) - np.roll(x, -1)


def pw(x: N.f32):
    return x**2 + x**3 + abs(x) ** 0.5


def outer(x: N.f32, y: M.f32):
    return np.outer(x, y)


def t3(x: A.B.C.f32):
    return x.transpose(2, 0, 1)


def folds(x: N.f32):
    return fold(lambda a, b: a * 0.5 + b, 0.0, x)


def scans(x: N.f32):
    return scan(lambda a, b: a * 0.5 + b, 0.0, x)


def rows(x: N.M.f32):
    return map(lambda r: r / r.sum(), x)


def gen(x: N.f32):
    return generate(lambda i, j: x[i] * x[j], x.shape[0], x.shape[0])


def ar(x: N.f32):
    return x * arange(x.shape[0]).astype(np.float32)


def idxs(i: M.idx[N], x: N.f32):
    return x[i] * 2


def midx(x: N.M.f32):
    return x[1:, 0] + x[:-1, -1]


def nb(p: "N.2.f32"):
    d = p[:, None] - p[None]
    return np.sqrt((d * d).sum(axis=2))


def unrolled(x: "4.f32"):
    t = 0.0
    for v in x:
        t = t + v
    return t


def batch(a: B.M.K.f32, b: B.K.N.f32):
    return a @ b


def boolr(x: N.f32):
    return ((x > 0) & (x < 1)).astype(np.int32).sum()


def anyr(x: N.f32):
    return np.any(x > 2) | np.all(x < 5)


def cat(x: N.f32, y: M.f32):
    return np.concatenate([x, y, x])


def unp(x: N.f32):
    return np.stack([x, x * 2], axis=1)


def heat(u: N.M.f32):
    return u[1:-1, 1:-1] + 0.1 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])


def moving(x: N.f32, w: "4.f32"):
    return slide(x, 4, 2) @ w


def blend(x: N.f32, a: f32):
    return x * a + (1 - a)


def pairs(x: N.f32, y: N.f32):
    return map(lambda a, b: (a + b, a - b), x, y)


def running_max(x: N.f32):
    return np.maximum.accumulate(x)


def normalised(x: N.M.f64):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def logsumexp(x: N.f64):
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)))


def sign_and_clip(x: N.f32):
    return np.sign(x) * np.clip(np.abs(x), 0.25, 1.5)


def wrapped(x: N.u8, y: N.u8):
    return x * y + 3 - x // 7 % 5


def floats_left(x: N.f64):
    return x % 0.75 - x % -0.5


def divided(x: N.i64, y: i64):
    return x // y, x % y


def sequence(x: N.i32):
    return np.cumsum(x) - np.cumprod(x)


def where_of_three(x: N.f32, y: M.N.f32, c: f32):
    return np.where(y > c, x, -y)


def fma3(a: A.B.C.f32, b: B.C.f32, c: C.f32):
    return a * b + c


def tail(x: N.M.f32):
    return x[..., -2:] - x[:, :1]


def power_iteration(a: N.N.f64, x: N.f64):
    for _ in range(3):
        x = a @ x
        x = x / np.sqrt((x * x).sum())
    return x


def tiles(x: (4 * N).M.f32):
    return x.reshape(-1, 4, x.shape[1]).sum(axis=1)


def covariance(x: N.M.f64):
    d = x - x.mean(axis=0)
    return d.T @ d / (x.shape[0] - 1)


def sigmoid(x: N.f32):
    return 1 / (1 + np.exp(-x))


def compare(x: N.f32, y: N.f32):
    return (x == y) != (x >= y)


def squeezed(x: "N.1.M.f32"):
    return np.squeeze(x, 1).T.ravel()


def triple(x: N.f32):
    return x.min(), x.max(), x.prod()


def polynomial(x: N.f64):
    return x**2 - 2 * x**3 + x**0.5 * 0 + 2.0**x


def moved(x: A.B.C.f32):
    return np.moveaxis(x, 0, 2) + x.swapaxes(0, 2).swapaxes(0, 1)


def one_hot(i: M.idx[N], x: N.K.f32):
    return x[i, 0] + x[i].sum(axis=1)


def all_pairs(x: N.f32):
    return np.subtract.outer(x, x)


def life(g: N.M.i32):
    w = np.lib.stride_tricks.sliding_window_view(np.pad(g, 1), (3, 3)).sum(axis=(2, 3)) - g
    return ((w == 3) | ((w == 2) & (g == 1))).astype(np.int32)


def backwards(a: M.N.f32):
    return a[::-1, ::-1] + a[:, -1:-2:-1]


def parts_backwards(x: "7.f32", y: (N + 3).f32):
    return x[4:1:-1], x[::-2], y[-2::-1], y[:0:-1]


def where_least(a: M.N.f32):
    return np.argmin(a), a.argmin(axis=1), a.argmin(axis=0)


def where_greatest(x: N.f32):
    return x[np.argmax(x)] + np.argmax(x[::-1]).astype(np.float32)


def bits(i: N.i32):
    return ((i & 12) | 3) ^ (i << 2), ~i >> 1, 1 << (i & 7), np.invert(np.left_shift(i, 1))


def flags(x: N.f32):
    return np.bitwise_or(x > 1, ~(x < 2)) & np.logical_not(x == 3) ^ (x > 2)


def chosen(x: N.f32, a: M.N.f32):
    return np.where(a > x, a, x), np.cumsum(a, axis=1), np.cumsum(a)


PROGRAMS: Final[list[Any]] = [
    one for one in list(globals().values()) if getattr(one, "__module__", "") == __name__ and callable(one)
]

#: the same terms as RISE text
TEXTS: Final = {
    "dot": "fun(x: N.f32, y: N.f32 => zip(x, y) |> map(mul) |> reduce(add, 0.0))",
    "mm": """fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b) |> map(fun(column =>
      zip(row, column) |> map(mul) |> reduce(add, 0.0))))))""",
    "softmax": """fun({N: nat where 1 <= N}, x: N.f32 => let(x |> reduce(max, -inf), fun(greatest =>
      let(x |> map(fun(v => v - greatest)) |> map(exp), fun(e =>
      let(e |> reduce(add, 0.0), fun(total => e |> map(fun(v => v / total)))))))))""",
    "jac": """fun(x: N.f32 => zip(zip(take(N - 2, x), take(N - 2, drop(1, x))) |> map(add), drop(2, x))
      |> map(add) |> map(fun(v => v / 3.0)))""",
    "ev2": """fun(x: (2 * N).f32 =>
      zip(x |> split(2) |> map(idx(0)), x |> drop(1) |> padEmpty(1) |> split(2) |> map(idx(0))) |> map(add))""",
    "rowadd": "fun(a: M.N.f32, r: N.f32 => a |> map(fun(row => zip(row, r) |> map(add))))",
    "relu": """fun(x: N.M.f32 => zip(x |> map(map(fun(v => v > 0.0))), x)
      |> map(fun(rows => zip(fst(rows), snd(rows)) |> map(fun(p => if fst(p) then snd(p) else 0.0)))))""",
    "cums": "fun(x: N.M.f32 => x |> transpose |> map(scan(add, 0.0)) |> transpose)",
    "padd": "fun(x: N.M.f32 => x |> padClamp(1, 2) |> map(padClamp(0, 1)))",
    "resh": "fun(x: N.M.f32 => x |> join |> split(N))",
    "nrm": "fun(x: N.f32 => sqrt(x |> map(fun(v => v * v)) |> reduce(add, 0.0)))",
    "outer": "fun(x: N.f32, y: M.f32 => x |> map(fun(a => y |> map(fun(b => a * b)))))",
    "t3": "fun(x: A.B.C.f32 => x |> map(transpose) |> transpose)",
    "folds": "fun(x: N.f32 => x |> reduceSeq(fun(a, b => a * 0.5 + b), 0.0))",
    "rows": "fun(x: N.M.f32 => x |> map(fun(r => let(reduce(add, 0.0, r), fun(s => r |> map(fun(v => v / s)))))))",
    "gen": "fun(x: N.f32 => generate(fun(i: idx[N] => generate(fun(j: idx[N] => idx(i, x) * idx(j, x))))))",
    "idxs": "fun(i: M.idx[N], x: N.f32 => x |> gather(i) |> map(fun(v => v * 2.0)))",
    "cat": "fun(x: N.f32, y: M.f32 => concat(concat(x, y), x))",
    "pairs": "fun(x: N.f32, y: N.f32 => zip(x, y) |> map(fun(p => pair(fst(p) + snd(p), fst(p) - snd(p)))))",
    "running_max": "fun(x: N.f32 => x |> scan(max, -inf))",
    "all_pairs": "fun(x: N.f32 => x |> map(fun(a => x |> map(fun(b => a - b)))))",
    "sigmoid": "fun(x: N.f32 => x |> map(neg) |> map(exp) |> map(fun(v => 1.0 + v)) |> map(fun(v => 1.0 / v)))",
}
