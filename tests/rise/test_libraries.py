"""The libraries in RISE text: every definition of each, compared with numpy."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import rise
from rise.programs.program import library
from rise.text.libraries import library_names

Case = tuple[str, tuple[Any, ...], Any]
RNG: Final = np.random.default_rng(7)
SIZES: Final = ((5, 7), (6, 4))


def some(*shape: int) -> Any:
    return RNG.normal(size=shape)


def windows_of(a: Any, *shape: int) -> Any:
    return np.lib.stride_tricks.sliding_window_view(a, shape)


def filtered(image: Any, weights: Any, mode: str = "edge", **options: Any) -> Any:
    """Weighted sums around each element."""
    border = [(size // 2, size // 2) for size in weights.shape]
    found = windows_of(np.pad(image, border, mode, **options), *weights.shape)
    return np.tensordot(found, weights, axes=weights.ndim)


BOX: Final = np.full((3, 3), 1 / 9)
BINOMIAL: Final = np.outer([1, 2, 1], [1, 2, 1]) / 16
SOBEL_X: Final = np.outer([1, 2, 1], [-1, 0, 1])
SOBEL_Y: Final = SOBEL_X.T
LAPLACIAN: Final = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]])


def linear_algebra(m: int, n: int) -> dict[str, Case]:
    x, y, z, a, b, c, s = some(n), some(n), some(m), some(m, n), some(n, m), some(m, m), some(n, n)
    return {
        "dot": ("dot", (x, y), x @ y),
        "scal": ("scal", (2.5, x), 2.5 * x),
        "axpy": ("axpy", (2.5, x, y), 2.5 * x + y),
        "addVectors": ("addVectors", (x, y), x + y),
        "mulVectors": ("mulVectors", (x, y), x * y),
        "asum": ("asum", (x,), abs(x).sum()),
        "nrm2": ("nrm2", (x,), np.linalg.norm(x)),
        "normalised": ("normalised", (x,), x / np.linalg.norm(x)),
        "outer": ("outer", (z, x), np.outer(z, x)),
        "mv": ("mv", (a, x), a @ x),
        "gemv": ("gemv", (2.5, a, x, 0.5, z), 2.5 * a @ x + 0.5 * z),
        "ger": ("ger", (2.5, z, x, a), a + 2.5 * np.outer(z, x)),
        "mm": ("mm", (a, b), a @ b),
        "mmLeftTransposed": ("mmLeftTransposed", (a, c), a.T @ c),
        "mmRightTransposed": ("mmRightTransposed", (a, s), a @ s.T),
        "gemm": ("gemm", (2.5, a, b, 0.5, c), 2.5 * a @ b + 0.5 * c),
        "syrk": ("syrk", (2.5, a, 0.5, c), 2.5 * a @ a.T + 0.5 * c),
        "addMatrices": ("addMatrices", (a, b.T), a + b.T),
        "mulMatrices": ("mulMatrices", (a, b.T), a * b.T),
        "mapElements": ("mapElements(neg)", (a,), -a),
        "identity": (f"(identity({m}) : {m}.{m}.f32)", (), np.eye(m)),
        "diagonal": ("diagonal", (s,), np.diag(s)),
        "trace": ("trace", (s,), np.trace(s)),
        "lower": ("lower", (a,), np.tril(a)),
        "upper": ("upper", (a,), np.triu(a)),
        "trmv": ("trmv", (s, x), np.tril(s) @ x),
    }


def stencils(m: int, n: int) -> dict[str, Case]:
    x, y, a, b, box = some(n), some(n), some(m, n), some(m, n), some(4, m, n)
    w, v, u = some(3), some(3, 3), some(3, 3, 3)
    return {
        "reversed": ("reversed", (x,), x[::-1]),
        "dropLast": ("dropLast(2)", (x,), x[:-2]),
        "inner": ("inner(2, 1)", (x,), x[2:-1]),
        "padMirror": ("padMirror(2, 3)", (x,), np.pad(x, (2, 3), "reflect")),
        "padSymmetric": ("padSymmetric(2, 3)", (x,), np.pad(x, (2, 3), "symmetric")),
        "padCircular": ("padCircular(2, 3)", (x,), np.pad(x, (2, 3), "wrap")),
        "windows1D": ("windows1D(3)", (x,), windows_of(x, 3)),
        "map2D": ("map2D(neg)", (a,), -a),
        "map3D": ("map3D(neg)", (box,), -box),
        "zip2D": ("fun(a, b => zip2D(a, b) |> map2D(mul))", (a, b), a * b),
        "zip3D": ("fun(a, b => zip3D(a, b) |> map3D(mul))", (box, box), box * box),
        "slide2D": ("slide2D(2, 1)", (a,), windows_of(a, 2, 2)),
        "windows": ("windows(3, 2)", (a,), windows_of(a, 3, 2)),
        "slide3D": ("slide3D(2, 1)", (box,), windows_of(box, 2, 2, 2)),
        "padClamp2D": ("padClamp2D(2, 1)", (a,), np.pad(a, (2, 1), "edge")),
        "padClamp3D": ("padClamp3D(2, 1)", (box,), np.pad(box, (2, 1), "edge")),
        "padCst2D": ("padCst2D(2, 1)", (0.5, a), np.pad(a, (2, 1), constant_values=0.5)),
        "padCst3D": ("padCst3D(2, 1)", (0.5, box), np.pad(box, (2, 1), constant_values=0.5)),
        "padMirror2D": ("padMirror2D(2, 1)", (a,), np.pad(a, (2, 1), "reflect")),
        "inner2D": ("inner2D(2, 1)", (a,), a[2:-1, 2:-1]),
        "tile2D": ("tile2D(2, 3)", (some(4, 6),), None),
        "untile2D": ("tile2D(2, 3) >> untile2D", (some(4, 6),), None),
        "weighted": ("weighted", (x, y), x @ y),
        "weighted2D": ("weighted2D", (a, b), (a * b).sum()),
        "weighted3D": ("weighted3D", (box, box), (box * box).sum()),
        "stencil": ("stencil", (w, x), filtered(x, w)[1:-1]),
        "stencil2D": ("stencil2D", (v, a), filtered(a, v)[1:-1, 1:-1]),
        "stencil3D": ("stencil3D", (u, box), filtered(box, u)[1:-1, 1:-1, 1:-1]),
        "stencilClamped": ("stencilClamped(1)", (w, x), filtered(x, w)),
        "stencilConstant": (
            "stencilConstant(1)",
            (0.5, w, x),
            filtered(x, w, "constant", constant_values=0.5),
        ),
        "stencilMirrored": ("stencilMirrored(1)", (w, x), filtered(x, w, "reflect")),
        "stencilClamped2D": ("stencilClamped2D(1)", (v, a), filtered(a, v)),
        "stencilConstant2D": (
            "stencilConstant2D(1)",
            (0.5, v, a),
            filtered(a, v, "constant", constant_values=0.5),
        ),
        "stencilMirrored2D": ("stencilMirrored2D(1)", (v, a), filtered(a, v, "reflect")),
    }


def statistics(m: int, n: int) -> dict[str, Case]:
    x, y = some(n), some(n)
    weights = np.exp(x - x.max())
    pairs = (1.0, (2.0, 0.0)), (3.0, (6.0, 1.5))
    merged = (4.0, (5.0, 1.5 + 16 * 3 / 4))
    moments = (float(n), (x.mean(), n * x.var()))
    places, at = "(x |> map(fun(v => toIndex(cast{i64}(v * 3.0)))))", (x * 3).astype(int).clip(0, n - 1)
    added, greatest, least = x.copy(), x.copy(), x.copy()
    a, r = some(m, n), some(4, n)
    rows, rows_at = a.copy(), "[0, 1, 0, 0]"
    np.add.at(rows, [0, 1, 0, 0], r)
    np.add.at(added, at, 2 * y)
    np.maximum.at(greatest, at, y)
    np.minimum.at(least, at, y)
    ends = "(a: f64, b: f64, c: f64, d: f64 => mergeMoments(pair(a, pair(b, 0.0)), pair(c, pair(d, 1.5))))"
    return {
        "sum": ("sum", (x,), x.sum()),
        "count": ("count", (x,), n),
        "mean": ("mean", (x,), x.mean()),
        "greatest": ("greatest", (x,), x.max()),
        "least": ("least", (x,), x.min()),
        "mergeMoments": ("fun" + ends, (pairs[0][0], pairs[0][1][0], pairs[1][0], pairs[1][1][0]), merged),
        "moments": ("moments", (x,), moments),
        "meanAndVariance": ("meanAndVariance", (x,), (x.mean(), x.var())),
        "variance": ("variance", (x,), x.var()),
        "deviation": ("deviation", (x,), x.std()),
        "covariance": ("covariance", (x, y), np.cov(x, y, bias=True)[0, 1]),
        "correlation": ("correlation", (x, y), np.corrcoef(x, y)[0, 1]),
        "standardised": ("standardised", (1e-5, x), (x - x.mean()) / np.sqrt(x.var() + 1e-5)),
        "logsumexp": ("logsumexp", (x,), np.logaddexp.reduce(x)),
        "softmax": ("softmax", (x,), weights / weights.sum()),
        "greatestAt": ("greatestAt", (x,), (x.max(), x.argmax())),
        "leastAt": ("leastAt", (x,), (x.min(), x.argmin())),
        "filter": (
            "filter(40, fun(x => x > 0.0f64), -1.0f64)",
            (x,),
            ((x > 0).sum(), np.pad(x[x > 0], (0, 40 - (x > 0).sum()), constant_values=-1)),
        ),
        "scatterWith": (f"fun(x, y => scatterWith(fun(a, b => a + 2.0 * b), {places}, y, x))", (x, y), added),
        "scatterAddRows": (f"fun(a, r => scatterAddRows({rows_at}, r, a))", (a, r), rows),
        "scatterMax": (f"fun(x, y => scatterMax({places}, y, x))", (x, y), greatest),
        "scatterMin": (f"fun(x, y => scatterMin({places}, y, x))", (x, y), least),
        "runningSum": ("runningSum", (x,), np.cumsum(x)),
        "runningMax": ("runningMax", (x,), np.maximum.accumulate(x)),
        "movingMean": ("movingMean(3)", (x,), windows_of(x, 3).mean(axis=1)),
        "meanSquaredError": ("meanSquaredError", (x, y), ((x - y) ** 2).mean()),
    }


def images(m: int, n: int) -> dict[str, Case]:
    a, b, c, even = some(m, n), some(m, n), some(m, n), some(2 * m, 2 * n)
    v, p, q = some(3, 3), some(3), some(3)
    x, y = filtered(a, SOBEL_X), filtered(a, SOBEL_Y)
    sxx, sxy, syy = (filtered(one, BOX) for one in (x * x, x * y, y * y))
    tiles = even.reshape(m, 2, n, 2)
    return {
        "mapPixels": ("mapPixels(neg)", (a,), -a),
        "zipPixels": ("zipPixels(mul)", (a, b), a * b),
        "gray": ("gray", (a, b, c), 0.299 * a + 0.587 * b + 0.114 * c),
        "threshold": ("threshold", (0.25, a), (a > 0.25).astype(float)),
        "clamped": ("clamped", (-0.5, 0.5, a), a.clip(-0.5, 0.5)),
        "convolve3x3": ("convolve3x3", (v, a), filtered(a, v)),
        "separable": ("separable(1)", (p, q, a), filtered(a, np.outer(p, q))),
        "boxBlur": ("boxBlur", (a,), filtered(a, BOX)),
        "binomial": ("binomial", (a,), filtered(a, BINOMIAL)),
        "sobelX": ("sobelX", (a,), x),
        "sobelY": ("sobelY", (a,), y),
        "edges": ("edges", (a,), np.hypot(x, y)),
        "laplacian": ("laplacian", (a,), filtered(a, LAPLACIAN)),
        "unsharpMask": ("unsharpMask", (0.5, a), a + 0.5 * (a - filtered(a, BINOMIAL))),
        "harris": ("harris", (0.04, a), sxx * syy - sxy**2 - 0.04 * (sxx + syy) ** 2),
        "halved": ("halved", (even,), tiles.mean(axis=(1, 3))),
        "doubled": ("doubled", (a,), a.repeat(2, axis=0).repeat(2, axis=1)),
        "maxPool": ("maxPool", (even,), tiles.max(axis=(1, 3))),
        "mirrored": ("mirrored", (a,), a[:, ::-1]),
        "flipped": ("flipped", (a,), a[::-1]),
        "turned": ("turned", (a,), np.rot90(a, -1)),
    }


LIBRARIES: Final[dict[str, Callable[[int, int], dict[str, Case]]]] = {
    "images": images,
    "linear_algebra": linear_algebra,
    "statistics": statistics,
    "stencils": stencils,
}
NAMES: Final = [(name, definition) for name, cases in LIBRARIES.items() for definition in cases(*SIZES[0])]


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, tuple):
        return all(same(one, other) for one, other in zip(found, expected, strict=True))
    return np.shape(found) == np.shape(expected) and np.allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("name", "definition"), NAMES)
def test_a_definition_agrees_with_numpy(name: str, definition: str) -> None:
    for sizes in SIZES:
        text, inputs, expected = LIBRARIES[name](*sizes)[definition]
        if definition == "tile2D":
            expected = inputs[0].reshape(2, 2, 2, 3).transpose(0, 2, 1, 3)
        elif definition == "untile2D":
            expected = inputs[0]
        main = rise.parse(f"import {name}\nval main = {text}").main
        assert same(rise.evaluate(main, *inputs), expected), (definition, sizes)


def test_every_definition_has_its_case() -> None:
    assert [(name, one) for name in library_names() for one in library(name)] == NAMES


@pytest.mark.parametrize("name", library_names())
def test_libraries_are_documented_and_read_back(name: str) -> None:
    program = library(name)
    assert program.doc
    for definition, e in program.items():
        assert program.docs[definition].endswith("."), definition
        assert rise.parse_expr(rise.show(e)) == e
