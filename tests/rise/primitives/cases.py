"""Cases of primitives: programs over sizes, and oracles written independently of the meanings.

One subject: a case for each primitive, in the order of the records. A case is the body of a function of `a`, `b`, `c`,
their types, an oracle on plain arrays. `T` is any type.
"""

import itertools
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rise.programs.program import parse_expr
from rise.terms import Expr

Sizes = dict[str, int]
SAME = (
    "id",
    "recompute",
    "globalToShared",
    "peelBorders",
    "unrollAndJam",
    "unjoinLoops",
    "prefetchRows",
    "omitCopyPrefetches",
    "omitResultPrefetches",
    "omitRowPrefetches",
)


@dataclass(frozen=True)
class Case:
    """A body over parameters of these types, and its expected result for arrays, given the sizes."""

    name: str
    types: tuple[str, ...]
    body: str
    oracle: Callable[..., Any]
    sizes: tuple[str, ...] = ()

    def program(self) -> Expr:
        parameters = ", ".join(f"{x}: {t}" for x, t in zip("abc", self.types, strict=False))
        return parse_expr(f"fun({parameters} => {self.body})")


def rows(xs: Any, n: int) -> Any:
    """Rows of n elements of xs."""
    found = [xs[i : i + n] for i in range(0, len(xs), n)] if n else []
    return np.array(found, xs.dtype).reshape(-1, n, *xs.shape[1:])


def folded(f: Callable[[Any, Any], Any], start: Any, xs: Any) -> list[Any]:
    return list(itertools.accumulate(xs, f, initial=start))[1:]


def windows(xs: Any, s: Sizes, size: int, step: int) -> Any:
    return np.stack([xs[i * step : i * step + size] for i in range(s["N"] + 1)])


def triangle(n: int, xs: Any) -> list[Any]:
    """Rows of 1, 2, ... n elements."""
    return [xs[i * (i + 1) // 2 : (i + 1) * (i + 2) // 2] for i in range(n)]


def product(a: Any, b: Any, c: Any) -> Any:
    found = c.copy()
    for i, j, k in itertools.product(*map(range, (a.shape[0], b.shape[1], a.shape[1]))):
        found[i, j] += c.dtype.type(a[i, k]) * c.dtype.type(b[k, j])
    return found


def grown(a: Any, most: int, limit: Any) -> Any:
    """An array whose elements are increased by 1 while their sum is less than a limit."""
    turns = 0
    while turns < most and sum(a, f32(0)) < limit:
        a, turns = a + f32(1), turns + 1
    return a


def counted(a: Any, most: int) -> Any:
    """A number that is incremented until its remainder by 5, as in C, is 3."""
    turns = 0
    while turns < most and math.fmod(int(a), 5) != 3:
        a, turns = a + np.int32(1), turns + 1
    return a


def pooled(xs: Any, times: int) -> Any:
    for _ in range(times):
        xs = xs[0::2] + xs[1::2]
    return xs


def maps(name: str, level: str = "") -> Case:
    return Case(
        name,
        ("N.f32", "f32"),
        f"{name}({level}fun(x => x * b + 1.0), a)",
        lambda s, a, b: a * b + np.float32(1),
    )


def unary(name: str, t: str, oracle: Callable[[Any], Any]) -> Case:
    return Case(name, (t,), f"{name}(a)", lambda s, a: np.asarray(oracle(a)))


def binary(name: str, t: str, oracle: Callable[[Any, Any], Any]) -> Case:
    return Case(name, (t, t), f"{name}(a, b)", lambda s, a, b: np.asarray(oracle(a, b)))


def filled(size: int, dtype: Any, places: Any, values: Any) -> Any:
    """Values at indices; other elements are unspecified."""
    found = np.zeros((size, *values.shape[1:]), dtype)
    for place, value in zip(places, values, strict=True):
        found[place] += value
    return found


def added(s: Sizes, places: Any, xs: Any, ys: Any) -> Any:
    return filled(len(ys), ys.dtype, [*range(len(ys)), *places], np.concatenate([ys, xs]))


def order(xs: Any) -> list[int]:
    """The indices in ascending order of their elements, NaN last; Python's sort is stable."""
    return sorted(range(len(xs)), key=lambda i: (bool(xs[i] != xs[i]), float(xs[i])))


def chosen(xs: Any, mask: Any, length: int, value: Any) -> Any:
    """The elements for which a condition holds, truncated or padded to a length."""
    return np.array([*xs[mask][:length], *[value] * length][:length])


f32: Final = np.float32
AT: Final = "(fun(i: idx[3], j: idx[3], k: idx[3] => [i, j, k]))"
SUM: Final = "fun(acc, x => acc * 0.5 + x)"


def step(acc: Any, x: Any) -> Any:
    return acc * f32(0.5) + x


def times(a: complex, b: complex) -> complex:
    return complex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real)


def of_parts(function: Callable[[Any, Any], complex]) -> Callable[[Any, Any], Any]:
    """A numpy function of two complex numbers, computed on their parts."""
    return lambda a, b: a.dtype.type(function(a, b))


CASES: Final = [
    *(binary("add", t, lambda a, b: a + b) for t in ("f16", "f32", "f64", "u8", "i64", "vec[4, f32]")),
    *(binary("sub", t, lambda a, b: a - b) for t in ("bf16", "f32", "u16", "i8")),
    *(binary("mul", t, lambda a, b: a * b) for t in ("f32", "i32", "u64")),
    *(binary("add", t, lambda a, b: a + b) for t in ("c64", "c128")),
    *(binary("mul", t, of_parts(times)) for t in ("c64", "c128")),
    unary("conj", "c128", lambda a: np.conj(a)),
    *(unary("realPart", t, lambda a: a.real) for t in ("c64", "c128")),
    unary("imagPart", "c64", lambda a: a.imag),
    Case("makeComplex", ("f64",) * 2, "complex(a, b)", lambda s, a, b: np.complex128(complex(a, b))),
    Case("cast", ("i32",), "cast{c64}(a)", lambda s, a: np.complex64(int(a))),
    binary("div", "f32", lambda a, b: a / b),
    binary("div", "i32", lambda a, b: np.int32(int(int(a) / int(b)))),
    binary("mod", "i32", lambda a, b: np.int32(abs(int(a)) % abs(int(b)) * (1 if a >= 0 else -1))),
    binary("mod", "f64", lambda a, b: np.float64(abs(a) % abs(b) * (1 if a >= 0 else -1))),
    unary("neg", "f32", lambda a: -a),
    unary("neg", "u8", lambda a: np.uint8((256 - int(a)) % 256)),
    unary("abs", "i16", lambda a: a if a >= 0 else -a),
    binary("min", "f32", lambda a, b: a if a <= b else b),
    binary("max", "i32", lambda a, b: a if a >= b else b),
    Case("fma", ("f16",) * 3, "fma(a, b, c)", lambda s, a, b, c: np.float16(np.longdouble(a) * b + c)),
    unary("sqrt", "f64", lambda a: np.power(a, 0.5)),
    *(binary(n, "i32", getattr(np.ndarray, f"__{n}__")) for n in ("lt", "le", "gt", "ge", "eq", "ne")),
    binary("lt", "f32", lambda a, b: bool(a < b)),
    binary("and", "bool", lambda a, b: bool(a and b)),
    binary("or", "bool", lambda a, b: bool(a or b)),
    unary("not", "bool", lambda a: not a),
    Case("select", ("bool", "N.f32", "N.f32"), "select(a, b, c)", lambda s, a, b, c: b if a else c),
    Case("cast", ("f32",), "cast{i8}(a)", lambda s, a: np.int8(max(-128, min(127, int(a))))),
    Case("cast", ("i64",), "cast{f16}(a)", lambda s, a: np.float16(int(a))),
    Case(
        "cast",
        ("vec[4, i32]",),
        "cast{vec[4, u8]}(a)",
        lambda s, a: np.array([int(x) % 256 for x in a], np.uint8),
    ),
    Case("indexAsInt", ("idx[N]",), "indexAsInt(a)", lambda s, a: a, ("N",)),
    Case(
        "toIndex",
        ("i64", "(N+1).T"),
        "idx(toIndex(a), b)",
        lambda s, a, b: b[max(0, min(s["N"], int(a)))],
    ),
    Case(
        "toIndexWrapped",
        ("i64", "(N+1).T"),
        "idx(toIndexWrapped(a), b)",
        lambda s, a, b: b[int(a) % (s["N"] + 1)],
    ),
    Case(
        "toIndexChecked",
        ("idx[N+1]", "(N+1).T"),
        "idx(toIndexChecked(indexAsInt(a)), b)",
        lambda s, a, b: b[int(a)],
    ),
    Case("toCount", ("idx[N+1]",), "toCount{N}(indexAsInt(a))", lambda s, a: a, ("N",)),
    Case(
        "toIndexFromEitherEnd",
        ("idx[N+1]", "bool", "(N+1).T"),
        "idx(toIndexFromEitherEnd(if b then indexAsInt(a) else -1i64 - indexAsInt(a)), c)",
        lambda s, a, b, c: c[int(a) if b else -1 - int(a)],
    ),
    Case(
        "iterateWhile",
        ("i32",),
        "iterateWhile(7, fun(x => x % 5 != 3), fun(x => x + 1), a)",
        lambda s, a: counted(a, 7),
    ),
    Case(
        "iterateWhile",
        ("N.f32",),
        "iterateWhile(3, fun(xs => reduceSeq(add, 0.0, xs) < 2.0), fun(xs => map(fun(x => x + 1.0), xs)), a)",
        lambda s, a: grown(a, 3, f32(2)),
    ),
    *(maps(name) for name in ("map", "mapSeq", "mapSeqUnroll", "mapPar")),
    *(maps(name, "0, ") for name in ("mapGlobal", "mapBlock", "mapThreads", "mapWarp", "mapLane")),
    Case("map", ("N.(i32, f32)",), "map(fun(p => pair(snd(p), fst(p))), a)", lambda s, a: (a[1], a[0])),
    Case(
        "map",
        ("N.M.f32",),
        "map(fun(r => reduceSeq(add, 0.0, r)), a)",
        lambda s, a: np.array([sum(r, f32(0)) for r in a], f32),
    ),
    Case(
        "reduce",
        ("N.f32", "f32"),
        f"reduce({SUM}, b, a)",
        lambda s, a, b: np.asarray([b, *folded(step, b, a)][-1]),
    ),
    Case("reduce", ("N.f16", "f16"), "reduce(add, b, a)", lambda s, a, b: np.asarray(sum(a, b[()]))),
    Case(
        "reduce",
        ("N.f32", "f32"),
        "reduce(fun(x, y => y + x), b, a)",
        lambda s, a, b: np.asarray(sum(a, b[()])),
    ),
    Case(
        "reduce",
        ("N.f32", "f32"),
        "reduce(fun(x, y => x - y), b, a)",
        lambda s, a, b: np.asarray([b, *folded(lambda x, y: x - y, b, a)][-1]),
    ),
    *(
        Case(
            name,
            ("N.(f32, f32)", "f32"),
            f"{name}(fun(acc, p => acc + fst(p) * snd(p)), b, a)",
            lambda s, a, b: np.asarray(sum(a[0] * a[1], b[()])),
        )
        for name in ("reduceSeq", "reduceSeqUnroll")
    ),
    *(
        Case(
            "reducePipe",
            ("N.(f32, f32)", "f32"),
            f"reducePipe({stages}, fun(p => toMem(Local, fst(p) * snd(p))), fun(acc, x => acc + x), b, a)",
            lambda s, a, b: np.asarray(sum(a[0] * a[1], b[()])),
        )
        for stages in (1, 3)
    ),
    *(
        Case(name, ("N.i32", "i32"), f"{name}(0, max, b, a)", lambda s, a, b: np.asarray(max([b[()], *a])))
        for name in ("reduceBlockAtomic", "reduceThreadsAtomic")
    ),
    Case("reducePar", ("N.i32", "i32"), "reducePar(add, b, a)", lambda s, a, b: np.asarray(sum(a, b[()]))),
    Case(
        "reduceSeq",
        ("N.M.f32", "M.f32"),
        "reduceSeq(fun(acc, r => zip(acc, r) |> mapSeq(fun(p => fst(p) * 0.5 + snd(p)))), b, a)",
        lambda s, a, b: [b, *folded(step, b, a)][-1],
    ),
    *(
        Case(
            name, ("N.f32", "f32"), f"{name}({f}, b, a)", lambda s, a, b, g=g: np.array(folded(g, b, a), f32)
        )
        for name in ("scan", "scanSeq")
        for f, g in ((SUM, step), ("add", lambda x, y: x + y))
    ),
    Case(
        "iterate",
        ("(M*2^3).f32",),
        "iterate(3, fun(l: nat, xs => xs |> split(2) |> map(reduce(add, 0.0))), a)",
        lambda s, a: pooled(a, 3),
    ),
    *(
        Case(
            name.partition("(")[0],
            ("(N+3).f32", "f32"),
            f"{name}3, fun(x => x * b), a)",
            lambda s, a, b: windows(a * b, s, 3, 1),
        )
        for name in ("circularBuffer(4, ", "rotateValues(")
    ),
    Case(
        "lineBuffer",
        ("(N+3).M.f32", "f32"),
        "lineBuffer(3, fun(x => x * b), a)",
        lambda s, a, b: np.swapaxes(windows(a * b, s, 3, 1), 1, 2),
    ),
    *(maps(name) for name in ("mapStream", "iterateStream")),
    Case("let", ("N.f32",), "let(a, fun(x => zip(x, a)))", lambda s, a: (a, a)),
    Case("toMem", ("N.f32",), "toMem(Shared, a)", lambda s, a: a),
    *(Case(name, ("N.(f32, i32)",), f"{name}(a)", lambda s, a: a) for name in SAME),
    Case("pair", ("N.f32", "i32"), "pair(a, b)", lambda s, a, b: (a, b)),
    Case("fst", ("(N.f32, i32)",), "fst(a)", lambda s, a: a[0]),
    Case("snd", ("(N.f32, i32)",), "snd(a)", lambda s, a: a[1]),
    Case("mapFst", ("(f32, N.i32)",), "mapFst(fun(x => x + 1.0), a)", lambda s, a: (a[0] + f32(1), a[1])),
    Case("mapSnd", ("(N.i32, N.f32)",), "mapSnd(map(neg), a)", lambda s, a: (a[0], -a[1])),
    Case("zip", ("N.f32", "N.i32"), "zip(a, b)", lambda s, a, b: (a, b)),
    Case("unzip", ("N.(f32, i32)",), "unzip(a)", lambda s, a: a),
    Case("split", ("(M*3).T",), "split(3, a)", lambda s, a: rows(a, 3)),
    Case(
        "join",
        ("N.M.T",),
        "join(a)",
        lambda s, a: np.array([x for r in a for x in r], a.dtype).reshape(-1, *a.shape[2:]),
    ),
    Case("transpose", ("N.M.T",), "transpose(a)", lambda s, a: np.einsum("ij...->ji...", a)),
    Case("slide", ("(N+3).T",), "slide(3, 1, a)", lambda s, a: windows(a, s, 3, 1)),
    Case("slide", ("(5*N+2).T",), "slide(2, 5, a)", lambda s, a: windows(a, s, 2, 5)),
    Case("slide", ("(2*N).T",), "slide(0, 2, a)", lambda s, a: windows(a, s, 0, 2)),
    Case("take", ("(2+N).T",), "take(2, a)", lambda s, a: a[:2]),
    Case("drop", ("(2+N).T",), "drop(2, a)", lambda s, a: a[2:]),
    Case("concat", ("N.T", "M.T"), "concat(a, b)", lambda s, a, b: np.concatenate([a, b])),
    Case("padCst", ("T", "N.T"), "padCst(2, 1, a, b)", lambda s, a, b: np.array([a, a, *b, a])),
    Case("padClamp", ("(N+1).T",), "padClamp(2, 1, a)", lambda s, a: np.array([a[0], a[0], *a, a[-1]])),
    Case("padEmpty", ("N.T",), "take(N, padEmpty(3, a))", lambda s, a: a, ("N",)),
    Case(
        "generate",
        ("i64",),
        "generate{M}(fun(i => indexAsInt(i) * a))",
        lambda s, a: np.arange(s["M"]) * a,
        ("M",),
    ),
    Case("generate", ("N.T",), "generate(fun(i => idx(i, a)))", lambda s, a: a),
    Case("makeArray", ("M.T", "M.T", "M.T"), "[a, b, c]", lambda s, *xs: np.stack(xs)),
    Case("fromEnd", ("N.T",), "generate(fun(i => idx(fromEnd(i), a)))", lambda s, a: a[::-1]),
    Case("idx", ("idx[N]", "N.T"), "idx(a, b)", lambda s, a, b: b[int(a)]),
    Case(
        "gather",
        ("M.idx[N]", "N.T"),
        "gather(a, b)",
        lambda s, a, b: np.array([b[i] for i in a], b.dtype).reshape(len(a), *b.shape[1:]),
    ),
    Case("scatter", ("3.T",), f"scatter({AT}(2, 0, 1), a)", lambda s, a: np.stack([a[1], a[2], a[0]])),
    Case("scatter", ("N.T",), "scatter(generate(fun(i: idx[N] => i)), a)", lambda s, a: a),
    Case(
        "reorder",
        ("3.T",),
        f"reorder(fun(i => idx(i, {AT}(2, 0, 1))), fun(i => idx(i, {AT}(1, 2, 0))), a)",
        lambda s, a: np.stack([a[2], a[0], a[1]]),
    ),
    *(
        Case(name.partition("(")[0], ("N.idx[M]", f"N.{t}", f"M.{t}"), f"{name}a, b, c)", added)
        for name in ("scatterAdd(", "scatterAddSeq(", "scatterAddPar(", "scatterAddGlobal(0, ")
        for t in ("i32", "f16")
    ),
    *(
        Case(name, (f"(N+1).{t}",), f"{name}(a)", lambda s, a, best=best: np.int64(list(a).index(best(a))))
        for name, best in (("argmin", min), ("argmax", max))
        for t in ("f32", "bf16", "u8")
    ),
    *(
        Case(
            name,
            (f"(3.i16, {t})", f"(3.i16, {t})"),
            f"{name}(a, b)",
            lambda s, a, b, best=best: a if best(a[1], b[1]) == a[1] else b,
        )
        for name, best in (("lesserPair", min), ("greaterPair", max))
        for t in ("f32", "u8")
    ),
    *(
        Case(name, (f"N.{t}",), f"{name}(a)", lambda s, a: a[order(a)])
        for name in ("sort", "sortSeq")
        for t in ("f32", "bf16", "i8", "u16")
    ),
    *(
        Case(name, (f"N.{t}",), f"{name}(a)", lambda s, a: np.array(order(a), np.int64))
        for name in ("argsort", "argsortSeq")
        for t in ("f32", "f16", "u8")
    ),
    Case(
        "partitionPoint",
        ("N.f32", "f32"),
        "partitionPoint(fun(x => x < b), sort(a))",
        lambda s, a, b: np.int64(sum(a < b)),
    ),
    *(
        Case(
            name,
            ("N.i32", "T", "N.T"),
            f"{name}({m}, a |> map(fun(i => i > 0)), b, c)",
            lambda s, a, b, c, m=m: chosen(c, a > 0, m, b),
        )
        for name in ("compress", "compressSeq")
        for m in (1, 20)
    ),
    Case("vectorFromScalar", ("f32",), "vectorFromScalar{4}(a)", lambda s, a: np.array([a] * 4)),
    Case("asVector", ("(M*4).f32",), "asVector(4, a)", lambda s, a: rows(a, 4)),
    Case("asVectorAligned", ("(M*4).i8",), "asVectorAligned(4, a)", lambda s, a: rows(a, 4)),
    Case(
        "asScalar",
        ("M.vec[4, f64]",),
        "asScalar(a)",
        lambda s, a: np.array([x for r in a for x in r], a.dtype),
    ),
    Case("asFragmentA", ("M.K.f16",), "asFragmentA{n=16}(a)", lambda s, a: a),
    Case("asFragmentB", ("K.N.f16",), "asFragmentB{m=16}(a)", lambda s, a: a),
    Case("asFragmentAcc", ("M.N.f32",), "asFragmentAcc{k=16}(a)", lambda s, a: a),
    Case("asMatrix", ("Fragment[M, N, K, f32, Accum]",), "asMatrix(a)", lambda s, a: a, ("K",)),
    Case(
        "generateFragment",
        ("f32",),
        "asMatrix(generateFragment{m=M, n=N, k=16}(a))",
        lambda s, a: np.full((s["M"], s["N"]), a, f32),
        ("M", "N"),
    ),
    Case(
        "tensorMatMulAdd",
        (
            "Fragment[M, K, N, f16, AMatrix]",
            "Fragment[K, N, M, f16, BMatrix]",
            "Fragment[M, N, K, f32, Accum]",
        ),
        "tensorMatMulAdd(a, b, c)",
        lambda s, a, b, c: product(a, b, c),
    ),
    Case(
        "mapFragment",
        ("f32", "Fragment[M, N, K, f32, Accum]"),
        "mapFragment(fun(x => x * a), b)",
        lambda s, a, b: b * a,
        ("K",),
    ),
    Case(
        "zipFragment",
        ("f32", "Fragment[M, N, K, f32, Accum]", "Fragment[M, N, K, f32, Accum]"),
        "zipFragment(fun(x, y => a * x - y), b, c)",
        lambda s, a, b, c: a * b - c,
        ("K",),
    ),
    *(
        Case(
            name,
            ("((N*N+N) /^ 2).f32", "f32"),
            f"partition{{(i |-> i + 1)}}(N, a) |> {name}({level}fun(i: nat, row => row |> reduce(add, b)))",
            lambda s, a, b: np.array([sum(row, b) for row in triangle(s["N"], a)], a.dtype),
            ("N",),
        )
        for name, level in (
            ("depMap", ""),
            ("depMapSeq", ""),
            ("depMapPar", ""),
            *((f"depMap{level}", "0, ") for level in ("Global", "Block", "Threads", "Warp", "Lane")),
        )
    ),
    Case(
        "depTile",
        ("(N+2).f32",),
        "depTile(3, 2, a) |> depMap(fun(i: nat, tile => tile |> slide(3, 1) |> map(reduce(add, 0.0f32)))) |> depJoin",
        lambda s, a: a[:-2] + a[1:-1] + a[2:],
        ("N",),
    ),
    Case(
        "depZip",
        ("((N*N+N) /^ 2).i32", "((N*N+N) /^ 2).f32"),
        "depZip(partition{(i |-> i + 1)}(N, a), partition{(i |-> i + 1)}(N, b))"
        " |> depMap(fun(i: nat, p => zip(fst(p), snd(p)))) |> depJoin",
        lambda s, a, b: (a, b),
        ("N",),
    ),
    Case(
        "depJoin",
        ("((N*N+N) /^ 2).T",),
        "partition{(i |-> i + 1)}(N, a) |> depMap(fun(i: nat, row => row)) |> depJoin",
        lambda s, a: a,
        ("N",),
    ),
    Case(
        "makeDepPair",
        ("N.i32",),
        "dmatch(makeDepPair{(m |-> m.i32)}(N, a), fun(m: nat, xs => reduce(add, 0, xs)))",
        lambda s, a: a.sum(dtype=a.dtype),
        ("N",),
    ),
    Case(
        "dmatch",
        ("N.i32", "i32"),
        "dmatch(makeDepPair{(m |-> m.i32)}(N, a), fun(m: nat, xs => a |> map(fun(x => reduce(add, x * b, xs)))))",
        lambda s, a, b: a.sum(dtype=a.dtype) + a * b,
        ("N",),
    ),
    Case(
        "indexAsNat",
        ("N.i32",),
        "generate(fun(i: idx[N] => indexAsNat(i, fun(m: nat => (a : N.i32) |> take(m) |> reduce(add, 0)))))",
        lambda s, a: a.cumsum(dtype=a.dtype) - a,
        ("N",),
    ),
    Case("natAsIndex", ("(N+1).T",), "idx(natAsIndex(N), a)", lambda s, a: a[s["N"]]),
    Case("partition", ("(3*N).T",), "partition{(i |-> 3)}(N, a)", lambda s, a: rows(a, 3)),
    Case(
        "depSlide",
        ("N.f32",),
        "depSlide(4, 2, a) |> depMap(fun(i: nat, row => row |> reduce(add, 0.0)))",
        lambda s, a: np.array([sum(a[i : i + 4], a.dtype.type(0)) for i in range(0, len(a), 2)], a.dtype),
    ),
]
ELEMENTS: Final = ("f32", "2.i32")  # the type that T stands for
EXPANDED: Final = [
    Case(c.name, tuple(re.sub(r"\bT\b", t, x) for x in c.types), c.body, c.oracle, c.sizes)
    for c in CASES
    for t in (ELEMENTS if any(re.search(r"\bT\b", x) for x in c.types) else ELEMENTS[:1])
]
SIZES: Final = (
    {"N": 5, "M": 3, "K": 2},
    {"N": 1, "M": 1, "K": 1},
    {"N": 0, "M": 0, "K": 0},
    {"N": 4, "M": 0, "K": 3},
)
