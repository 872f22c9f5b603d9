"""Programs that users write first for a GPU, with numpy or as RISE text.

Does not measure time; independent of targets.
"""
# ruff: noqa: F821

import numpy as np

from cases.idioms.idiom import Input, idiom, unit

SOURCE = "first programs on a GPU"


def of(inputs: dict[str, Input] | None = None, text: str = "", **large: int):
    """An idiom of this module, with its sizes by keyword."""
    small = {name: min(size, 16) for name, size in large.items()}
    return idiom(SOURCE, large, small, inputs=inputs, text=text)


@of(N=1 << 20)
def saxpy(a: "f32", x: "N.f32", y: "N.f32"):
    """A number times an array, plus an array."""
    return a * x + y


@of(M=1024, N=1024, inputs={"x": unit})
def row_normalise(x: "M.N.f32"):
    """Rows whose numbers sum to 1."""
    return x / x.sum(axis=1, keepdims=True)


@of(M=1024, N=1024)
def row_softmax(x: "M.N.f32"):
    """The softmax of each row."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@of(M=1024, N=1024)
def layer_norm(x: "M.N.f32", g: "N.f32", b: "N.f32"):
    """Rows with mean 0 and variance 1, scaled and shifted."""
    mean = x.mean(axis=1, keepdims=True)
    centred = x - mean
    return g * centred / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + 1e-5) + b


@of(M=1024, N=1024)
def rms_norm(x: "M.N.f32", g: "N.f32"):
    """Rows with mean square 1, scaled."""
    return g * x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5)


@of(B=16, C=64, H=32, W=32)
def batch_norm(x: "B.C.H.W.f32"):
    """Channels of images with mean 0 and variance 1."""
    mean = x.mean(axis=(0, 2, 3), keepdims=True)
    return (x - mean) / np.sqrt(x.var(axis=(0, 2, 3), keepdims=True) + 1e-5)


@of(M=1024, N=1024)
def transposed(x: "M.N.f32"):
    """A copy of a transposed matrix."""
    return x.T + 0


@of(B=64, M=128, N=256)
def transposed_batch(x: "B.M.N.f32"):
    """Copies of transposed matrices."""
    return x.transpose(0, 2, 1) + 0


@of(M=512, K=512, N=512)
def product(a: "M.K.f32", b: "K.N.f32"):
    """A matrix product."""
    return a @ b


@of(M=512, K=512, N=512)
def dense(x: "M.K.f32", w: "N.K.f32", b: "N.f32"):
    """A layer of a network."""
    return np.maximum(x @ w.T + b, 0)


@of(B=256, K=256, H=512, O=64)
def two_layers(x: "B.K.f32", w: "K.H.f32", b: "H.f32", v: "H.O.f32", c: "O.f32"):
    """Two layers of a network."""
    return np.maximum(x @ w + b, 0) @ v + c


@of(B=64, M=64, K=64, N=64)
def batched_product(a: "B.M.K.f32", b: "B.K.N.f32"):
    """Products of a batch of matrices."""
    return a @ b


@of(M=1024, N=1024)
def column_sums(x: "M.N.f32"):
    """The sums of the columns of a matrix."""
    return x.sum(axis=0)


@of(N=1 << 20)
def scan(x: "N.f32"):
    """Running sums."""
    return np.cumsum(x)


@of(M=1024, N=1024)
def row_scans(x: "M.N.f32"):
    """Running sums of each row."""
    return np.cumsum(x, axis=1)


@of(M=512, N=512, D=64, E=64)
def attention(q: "M.D.f32", k: "N.D.f32", v: "N.E.f32"):
    """Attention with any lengths."""
    s = q @ k.T * 0.125
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ v


@of(
    N=512,
    D=64,
    E=64,
    text="""fun(q: N.D.f32, k: N.D.f32, v: N.E.f32 =>
  zip(q, generate(fun(i: idx[N] => i))) |> map(fun(query, i =>
    let s = zip(k, generate(fun(j: idx[N] => j))) |> map(fun(key, j =>
      if indexAsInt(i) < indexAsInt(j) then -inf
      else 0.125 * (zip(query, key) |> map(mul) |> reduce(add, 0.0))))
    let top = s |> reduce(max, -inf)
    let e = s |> map(fun(x => exp(x - top)))
    let total = e |> reduce(add, 0.0)
    in transpose(v) |> map(fun(column => (zip(e, column) |> map(mul) |> reduce(add, 0.0)) / total)))))""",
)
def causal_attention(q, k, v):
    """Attention in which each query sees only the keys up to it."""
    s = np.where(np.arange(len(q))[:, None] >= np.arange(len(k)), q @ k.T * 0.125, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ v


@of(H=8, M=256, N=256, D=64, E=64)
def attention_heads(q: "H.M.D.f32", k: "H.N.D.f32", v: "H.N.E.f32"):
    """Several heads of attention."""
    s = q @ k.transpose(0, 2, 1) * 0.125
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)) @ v


@of(
    B=64,
    N=1024,
    text="fun(x: B.(N + 2).f32 => x |> map(fun(row => let e = row |> map(exp) in"
    " e |> slide(3, 1) |> map(reduce(add, 0.0)))))",
)
def named_windows(x):
    """Windows of a named row inside a batch."""
    e = np.exp(x)
    return e[:, :-2] + e[:, 1:-1] + e[:, 2:]


@of(
    N=1024,
    M=1024,
    text="fun(x: N.M.f32 => let s = x |> reduce(fun(a, b => zip(a, b) |> map(add)), generate(fun(i: idx[M] => 0.0)))"
    " in generate(fun(i: idx[M] => idx(i, s) * 2.0)))",
)
def generated_from_sums(x):
    """`generate` around a reduction to an array."""
    return x.sum(axis=0) * 2


@of(
    N=1024,
    text="fun(x: N.f32 => generate(fun(i: idx[N] => idx(i, x) / (x |> map(exp) |> reduce(add, 0.0)))))",
)
def generated_around_sum(x):
    """`generate` around a reduction."""
    return x / np.exp(x).sum()


@of(
    N=1024,
    M=64,
    text="fun(x: N.M.f32 => generate(fun(i: idx[N] => (idx(i, x) |> reduce(add, 0.0)))))",
)
def generated_sums(x):
    """`generate` around the reduction of a row."""
    return x.sum(axis=1)


@of(
    N=4096,
    text="fun(x: N.f32 => generate(fun(t: idx[6] => t)) |> reduceSeq(fun(u, t =>"
    " u |> padClamp(1, 1) |> slide(3, 1) |> map(fun(w => idx(1, w) + 0.25 *"
    " (idx(0, w) - 2.0 * idx(1, w) + idx(2, w))))), x))",
)
def heat_steps(x):
    """Several time steps of a stencil."""
    for _ in range(6):
        p = np.pad(x, 1, mode="edge")
        x = x + np.float32(0.25) * (p[:-2] - 2 * x + p[2:])
    return x


@of(
    M=512,
    N=512,
    text="fun(x: M.N.f32 => generate(fun(t: idx[4] => t)) |> reduceSeq(fun(u, t =>"
    " u |> map(padClamp(1, 1)) |> padClamp(1, 1) |> map(slide(3, 1)) |> slide(3, 1) |> map(transpose)"
    " |> map(map(fun(w => (idx(1, idx(0, w)) + idx(0, idx(1, w)) + idx(2, idx(1, w)) + idx(1, idx(2, w)))"
    " * 0.25)))), x))",
)
def jacobi_steps(x):
    """Several time steps of a stencil on a grid."""
    for _ in range(4):
        p = np.pad(x, 1, mode="edge")
        x = np.float32(0.25) * (p[:-2, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + p[2:, 1:-1])
    return x


@of(
    M=512,
    N=512,
    text="fun(x: M.N.f32 => x |> map(padClamp(1, 1)) |> padClamp(1, 1) |> map(slide(3, 1)) |> slide(3, 1)"
    " |> map(transpose) |> map(map(fun(w => zip([0.0, 0.25, 0.0, 0.25, 0.0, 0.25, 0.0, 0.25, 0.0], join(w))"
    " |> map(mul) |> reduce(add, 0.0)))))",
)
def five_points(x):
    """A stencil on a grid, its weights with zeros."""
    p = np.pad(x, 1, mode="edge")
    return 0.25 * (p[:-2, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + p[2:, 1:-1])


@of(
    N=1 << 20,
    text="fun(keys: N.idx[256] => scatterAdd keys (keys |> map(fun(k => 1))) (generate(fun(b: idx[256] => 0))))",
)
def histogram(keys):
    """The number of occurrences of each of 256 keys."""
    return np.bincount(keys, minlength=256).astype(np.int32)


@of(N=1 << 20)
def norm(x: "N.f32"):
    """The length of a vector."""
    return np.sqrt((x * x).sum())


@of(N=1 << 20)
def standardised(x: "N.f32"):
    """Numbers with mean 0 and deviation 1."""
    return (x - x.mean()) / x.std()


@of(N=1 << 20)
def softmax(x: "N.f32"):
    """The softmax of one long row."""
    e = np.exp(x - x.max())
    return e / e.sum()


@of(M=512, N=512)
def outer_exponentials(x: "M.f32", y: "N.f32"):
    """A table of products of exponentials."""
    return np.exp(x)[:, None] * np.exp(y)[None, :]


@of(M=512, N=512, D=64)
def cosines(a: "M.D.f32", b: "N.D.f32"):
    """The cosines between all pairs of rows."""
    a = a / np.sqrt((a * a).sum(axis=1, keepdims=True))
    b = b / np.sqrt((b * b).sum(axis=1, keepdims=True))
    return a @ b.T


@of(
    B=1024,
    text="fun(x: B.8.f32 => x |> map(fun(row => row"
    " |> split(2) |> map(fun(p => [idx(0, p) + idx(1, p), idx(0, p) - idx(1, p)])) |> transpose |> join"
    " |> split(2) |> map(fun(p => [idx(0, p) + idx(1, p), idx(0, p) - idx(1, p)])) |> transpose |> join"
    " |> split(2) |> map(fun(p => [idx(0, p) + idx(1, p), idx(0, p) - idx(1, p)])) |> transpose |> join)))",
)
def butterflies(x):
    """Three stages of butterflies in rows of eight."""
    for _ in range(3):
        p = x.reshape(len(x), -1, 2)
        x = np.concatenate([p[:, :, 0] + p[:, :, 1], p[:, :, 0] - p[:, :, 1]], axis=1)
    return x


@of(N=1 << 16)
def three_blurs(x: "N.f32"):
    """Three means of neighbours in a chain."""
    for _ in range(3):
        p = np.concatenate([x[:1], x, x[-1:]])
        x = (p[:-2] + p[1:-1] + p[2:]) / 3
    return x


@of(text="fun(x: 8.f32, n: f32 => (x |> reduce(add, 0.0)) / n)")
def short_mean(x, n):
    """The mean of a few numbers."""
    return x.sum() / n


@of(M=256, N=256)
def row_argmax(x: "M.N.f32"):
    """The index of the maximum of each row."""
    return x.argmax(axis=1)


@of(N=1024)
def doubled_twice(x: "N.f32"):
    """Numbers divided by their largest magnitude, then by the sum of magnitudes."""
    y = x / np.abs(x).max()
    return y / np.abs(y).sum()
