"""An example of each rule, before and after a firing: its left side with readable names, or a given program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import rise
from elevate import Success, topDown
from rise.inference.schemes import substitute_names
from rise.naturals import NatVar, const
from rise.nodes import Node
from rise.scalars import kind_classes
from rise.terms import Expr, Var, apply, make_literal
from rise.types import F32, FunType, ScalarType, Type, TypeVar, classes_of
from strategies.equations.builder import primitive_at
from strategies.equations.instances import binders_of, instantiated
from strategies.equations.mismatches import readable_names
from strategies.equations.rule import EquationRule, RuleFamily


class Example(NamedTuple):
    """A term before and after a rule."""

    rule: EquationRule
    before: Expr
    after: Expr


ARRAYS: Final = {"xs": "12.f32", "ys": "12.f32", "a": "f32", "b": "f32", "p": "(f32, f32)"}
MATRICES: Final = {
    "rows": "8.6.f32",
    "left": "16.16.f16",
    "right": "16.16.f16",
    "tile": "16.16.f32",
    "lefts": "4.16.16.f16",
    "halves": "12.f16",
    "first": "f16",
    "weights": "3.f32",
    "window": "3.12.f32",
    **ARRAYS,
}
_WEIGHED: Final = (
    "reduceSeq(fun(acc, p => acc + fst(p) * snd(p)), 0.0,"
    " zip(join(map(fun(v => map(fun(h => v * h), xs)), weights)), join(window)))"
)
_DOT: Final = "reduceSeq(fun(s, p => s + fst(p) * snd(p)), 0.0, zip(fst(r), snd(r)))"
_PRODUCT: Final = (
    "map(fun(a => map(fun(b => reduceSeq(fun(acc, ab => acc + fst(ab) * snd(ab)), {}, zip(a, b))), {})), {})"
)
_SUM: Final = (
    "map(fun(q => map(fun(r => reduceSeq(fun(acc, ab => acc + fst(ab) * snd(ab)), fst(r), zip(snd(q), snd(r)))),"
    " zip(fst(q), {0}))), zip({1}, {1}))"
)
_SQUARE: Final = (
    "map(fun(r => map(fun(c => a * reduce(add, 0.0, map(fun(p => fst(p) * snd(p)), zip(r, c)))), rows)),"
    " rows)"
)
#: programs for rules whose left side does not determine an example, with the types of their names
TEXTS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "betaReduction": ("(fun(x => x + x))(a * b)", ARRAYS),
    "gentleBeta": ("(fun(x => x + b))(a * b)", ARRAYS),
    "callAtSize": ("(fun(n: nat => take(n, xs)))(4)", ARRAYS),
    "sizeInside": ("(fun(x: f32, n: nat => take(n, xs)))(a, 4)", ARRAYS),
    "callFunction": ("(fun(f => map(f, xs)))(mul(a + b))", ARRAYS),
    "etaReduction": ("map(fun(x => neg(x)), xs)", ARRAYS),
    "writeOut": ("f", {"f": "f32 -> f32"}),
    "etaAbstraction": ("map(neg, xs)", ARRAYS),
    "etaAbstractionFold": ("reduceSeq(add, a, xs)", ARRAYS),
    "toMemLocal": ("map(neg, xs)", ARRAYS),
    "nameWhole": ("map(neg, xs)", ARRAYS),
    "nameRowsOfNest": ("map(fun(row => row), transpose(rows))", MATRICES),
    "nameColumnsOfNest": ("map(fun(x => map(fun(y => y), transpose(rows))), xs)", MATRICES),
    "startAtZero": (
        "reduceSeq(fun(acc, ab => acc + cast{f32}(fst(ab)) * cast{f32}(snd(ab))), cast{f32}(first),"
        " zip(halves, halves))",
        MATRICES,
    ),
    "tileProductPlain": (_PRODUCT.format("0.0f16", "right", "left"), MATRICES),
    "tileProductRounded": (_PRODUCT.format("0.0", "tile", "tile"), MATRICES),
    "tileProductAddPlain": (_SUM.format("right", "left"), MATRICES),
    "tileProductAddRounded": (_SUM.format("tile", "tile"), MATRICES),
    "toMemShared": ("map(neg, xs)", ARRAYS),
    "toMemGlobal": ("map(neg, xs)", ARRAYS),
    "copy": ("xs", ARRAYS),
    "zipAgain": ("zip(zip(xs, ys), ys)", ARRAYS),
    "zipShared": ("zip(zip(xs, ys), zip(ys, xs))", ARRAYS),
    "arrayRowByRow": ("transpose([xs, ys])", ARRAYS),
    "inlineCheap": ("(fun(ys => map(fun(w => reduce(add, a, w)), slide(3, 1, ys))))(map(neg, xs))", ARRAYS),
    "storeReread": ("map(fun(w => reduce(add, a, w)), slide(3, 1, map(exp, xs)))", ARRAYS),
    "storeRereadOnGpu": (
        "map(fun(w => reduce(add, a, w)), slide(3, 1, map(exp, map(exp, map(exp, xs)))))",
        ARRAYS,
    ),
    "recomputeOnGpu": (
        "(fun(ys => map(fun(w => reduce(add, a, w)), slide(3, 1, ys))))(map(neg, xs))",
        ARRAYS,
    ),
    "padRepeated": ("reduceSeq(fun(acc, p => max(acc, fst(p) * snd(p))), a, zip(xs, ys))", ARRAYS),
    "inOneLoop": ("(fun(ys => map(fun(y => y * y), ys)))(map(exp, xs))", ARRAYS),
    "nameProducts": (
        "map(fun(y => reduce(add, a, map(fun(p => fst(p) * snd(p)), zip(row, y)))"
        " + reduce(add, b, map(fun(p => fst(p) * snd(p)), zip(column, y)))), rows)",
        MATRICES | {"row": "6.f32", "column": "6.f32"},
    ),
    "storeRows": (
        "map(fun(x => reduce(add, a, map(fun(y => reduce(add, b, map(fun(p => fst(p) * snd(p)), zip(x, y)))), rows))),"
        " rows)",
        MATRICES,
    ),
    "storeRowsBefore": (
        "reduceSeq(fun(acc, x =>"
        " zip(acc, map(fun(y => reduce(add, b, map(fun(p => fst(p) * snd(p)), zip(x, y)))), longs))"
        " |> map(fun(p => fst(p) + snd(p)))), start, longs)",
        MATRICES | {"longs": "2.30.f32", "start": "2.f32"},
    ),
    "storeSplitRows": (
        "split(4, join(map(fun(x => map(fun(y => reduce(add, a, map(fun(p => fst(p) * snd(p)), zip(x, y)))), rows)),"
        " rows)))",
        MATRICES,
    ),
    "partsOfFirst": (
        "map(fun(p => idx(1, fst(p)) * snd(p)), zip(rows, column))",
        MATRICES | {"column": "8.f32"},
    ),
    "partsOfSecond": (
        "map(fun(p => fst(p) * idx(1, snd(p))), zip(column, rows))",
        MATRICES | {"column": "8.f32"},
    ),
    "partsOfRows": ("map(fun(row => map(fun(x => idx(1, row) * x), xs)), rows)", MATRICES),
    "partsBesideRows": ("map(fun(row => pair(idx(1, row), row)), rows)", MATRICES),
    "namePartsOfRows": ("map(fun(x => neg(x)), map(idx(1), rows))", MATRICES),
    "pairsApart": (
        "map(fun(y => pair(reduce(add, a, map(fun(p => fst(p) * snd(p)), zip(row, y))), b)), rows)",
        MATRICES | {"row": "6.f32"},
    ),
    **dict.fromkeys(
        (
            "depMapToDepMapSeq",
            "depMapToDepMapPar",
            "depMapToDepMapGlobal",
            "depMapToDepMapBlock",
            "depMapToDepMapThreads",
            "depMapToDepMapWarp",
            "depMapToDepMapLane",
        ),
        ("depMap(fun(i: nat, row => map(neg, row)), tri)", {"tri": "4..(i |-> (i + 1).f32)"}),
    ),
    "dmatchMake": (
        "dmatch(makeDepPair{(n |-> n.f32)}(12, xs), fun(m: nat, ys => reduce(add, a, ys)))",
        ARRAYS,
    ),
    "isolateReduction": ("fun(row: 12.f32 => reduce(add, 0.0, row) * a)", ARRAYS),
    "nameGenerated": (
        "fun(a: f32 => zip(rows, generate(fun(i: idx[8] => map(reduce(add, a), rows)))))",
        MATRICES,
    ),
    "nameSum": ("fun(a: f32 => map(fun(x => x - a * reduce(add, 0.0, ys)), xs))", ARRAYS),
    "nameSums": ("map(fun(x => map(fun(row => x * reduce(add, 0.0, row)), rows)), xs)", MATRICES),
    "narrowZip": ("map(fun(p => fst(p) + 1.0), zip(xs, ys))", ARRAYS),
    "betaPair": ("(fun(p => fst(p) * snd(p)))(pair(a, b))", ARRAYS),
    "mapFirstFission": ("map(fun(x => neg(abs(sqrt(x)))), xs)", ARRAYS),
    "viewsInPairs": (
        "map(fun(p => reduce(add, a, map(fun(q => fst(q) * snd(q)), zip(join(fst(p)), snd(p))))), zip(cubes, planes))",
        MATRICES | {"cubes": "3.4.5.f32", "planes": "3.20.f32"},
    ),
    "viewsInOperands": ("map(fun(x => reduce(add, a, join(x))), cubes)", MATRICES | {"cubes": "3.4.5.f32"}),
    "idxMakeArray": ("idx(1, [a, b, a + b])", ARRAYS),
    "mapMakeArray": ("map(neg, [a, b])", ARRAYS),
    "convertBefore": ("map(fun(p => fst(p) * cast(snd(p))), zip(xs, halves))", MATRICES),
    "convertFirst": ("map(fun(p => cast(fst(p)) * snd(p)), zip(halves, xs))", MATRICES),
    "convertSecond": ("map(fun(p => fst(p) * cast(snd(p))), zip(xs, halves))", MATRICES),
    "convertBeforeColumns": (
        "map(fun(column => reduce(add, 0.0, map(cast, column))), transpose(left))",
        MATRICES,
    ),
    "nameUnconverted": (
        "(fun(v => map(fun(x => x * x), v)))(map(fun(x => cast{f32}(x + x)), halves))",
        MATRICES,
    ),
    "padConverted": ("padCst(1, 2, 0.0, map(cast, halves))", MATRICES),
    "nameConverted": (
        "fun(xs: 6.f32, row: 6.f16 =>"
        " neg(reduceSeq(fun(acc, p => acc + fst(p) * snd(p)), 0.0, zip(map(cast, row), xs))))",
        {},
    ),
    "packOperand": (
        "fun(as: 4.6.f32, bs: 6.4.f32 =>"
        f" neg(reduceSeq(fun(acc, r => acc + {_DOT}), 0.0, zip(as, transpose(bs)))))",
        {},
    ),
    "packConverted": (
        "fun(as: 4.6.f32, bs: 6.4.f16 =>"
        f" neg(reduceSeq(fun(acc, r => acc + {_DOT}), 0.0, zip(as, map(map(cast), transpose(bs))))))",
        {},
    ),
    "startFromNone": (
        "reduce(fun(v, w => if fst(w) then pair(true, min(snd(v), snd(w))) else v), pair(true, a),"
        " map(fun(x => pair(true, x)), xs))",
        ARRAYS,
    ),
    "combineSteps": ("scan(fun(y, p => y * fst(p) + snd(p)), a, zip(xs, ys))", ARRAYS),
    "nameLoop": (
        "map(neg, reduceSeq(fun(sums, row => map(fun(p => fst(p) + snd(p)), zip(sums, row))), xs, window))",
        MATRICES,
    ),
    "nameMatrix": ("fun(q: ((6.f32, 2.3.f32), 4.f32) => map(map(neg), snd(fst(q))))", {}),
    "nameArray": ("fun(xs: 4.f32, ys: 5.f32 => map(fun(x => map(fun(y => x + y), ys)), xs))", {}),
    "nameFirst": ("fun(q: (6.f32, 6.f32) => map(neg, fst(q)))", {}),
    "nameSecond": ("fun(q: (6.f32, 6.f32) => map(neg, snd(q)))", {}),
    "nameLoad": (
        "asMatrix(tensorMatMulAdd(asFragmentA(left), asFragmentB(right), generateFragment(0.0)))",
        MATRICES,
    ),
    "nameLoadedArray": (
        "map(fun(f => asMatrix(tensorMatMulAdd(f, asFragmentB(right), generateFragment(0.0)))),"
        " map(fun(m => asFragmentA(m)), lefts))",
        MATRICES,
    ),
    "separateDotHV": (_WEIGHED, MATRICES),
    "separateDotVH": (_WEIGHED, MATRICES),
    "swapReduceSeq": ("reduceSeq(fun(acc, row => reduceSeq(add, acc, row)), 0.0, rows)", MATRICES),
    "vectorOperation": ("asVector(4, map(fun(x => x * x), xs))", ARRAYS),
    "shareInWindows": ("map(fun(w => reduce(add, 0.0, map(fun(x => x * x), w))), slide(3, 1, xs))", ARRAYS),
    "vectorsOfMap": ("asVector(4, padEmpty(4, map(fun(x => x * x), xs)))", ARRAYS),
    "vectorsOfWindows": (
        "asVector(4, padEmpty(2, map(fun(w => idx(0, w) + idx(2, w)), slide(3, 1, xs))))",
        ARRAYS,
    ),
    "slideToLineBuffer": (
        "map(fun(w => map(fun(c => idx(0, c)), transpose(w))), slide(2, 1, rows))",
        MATRICES,
    ),
    "sumWrittenOut": ("reduce(add, 0.0, weights)", MATRICES),
    "weightsWrittenOut": (
        "reduceSeq(fun(acc, p => acc + fst(p) * snd(p)), 0.0, zip([-1.0, 0.0, 2.0], weights))",
        MATRICES,
    ),
    "zipMaps": ("zip(map(neg, xs), map(fun(x => x * x), xs))", ARRAYS),
    "zipWindows": (
        "zip(map(reduce(add, 0.0), slide(3, 1, map(neg, xs))),"
        " map(reduce(add, 0.0), slide(3, 1, map(fun(x => x * x), xs))))",
        ARRAYS,
    ),
    "weightsAsProducts": (
        "reduceSeq(fun(acc, p => acc + fst(p) * snd(p)), 0.0,"
        " zip([1.0, 3.0, 2.0, 6.0], join(take(2, map(take(2), rows)))))",
        MATRICES,
    ),
    "startOutside": ("reduce(add, a, xs)", ARRAYS),
    "symmetricRest": (_SQUARE, MATRICES),
    "symmetricBlocks": (_SQUARE, MATRICES),
    "reducePairs": ("reduce(add, a, xs)", ARRAYS),
}


def example(given: EquationRule | RuleFamily) -> Example | None:
    """A term that a rule rewrites, and the result; None if none is known."""
    for found in _taken_at(given):
        for before in _candidates(found):
            result = topDown(found)(before)
            if isinstance(result, Success):
                return Example(found, before, result.program)
    return None


def _taken_at(given: EquationRule | RuleFamily) -> Iterator[EquationRule]:
    if isinstance(given, EquationRule):
        yield given
        return
    for size in (4, 2, 1):
        yield given(*[size] * len(given.parameters))


def _candidates(found: EquationRule) -> Iterator[Expr]:
    base = found.name.partition("(")[0]
    if base in TEXTS:
        text, names = TEXTS[base]
        yield rise.parse_expr(text, dict(names))
    if found.by is None:
        for is_plain in (False, True):
            for size in (None, 8, 4):
                made = _instance(found, is_plain, size)
                if made is not None:
                    yield made


def _instance(found: EquationRule, is_plain: bool, size: int | None) -> Expr | None:
    """The left side with free variables for metavariables; or, if `is_plain`, with `add` and 0. If `size` is given,
    sizes are numbers.
    """
    pattern = found.compiled.left
    known: dict[Node, Any] = dict(found.given)
    for one, name in readable_names(pattern).items():
        if one in known:
            continue
        if isinstance(one, NatVar):
            known[one] = name if size is None else const(size)
        elif isinstance(one, TypeVar):
            known[one] = _type_of_class(one.kind)
    binders = binders_of(pattern, known)
    terms: dict[str, Expr] = {}
    for variable in (one for one in pattern.free if isinstance(one, Var)):
        t = substitute_names(variable.given, known)
        scope = tuple(binders[b] for b in sorted(found.compiled.matcher.may_mention[variable.name]))
        terms[variable.name] = (
            _plain(t, variable.name) if is_plain and not scope else _named(variable.name, t, scope)
        )
    try:
        return instantiated(pattern, terms, known)
    except (AssertionError, ZeroDivisionError):  # these sizes are not compatible
        return None


def _type_of_class(kind: str) -> Type:
    wanted = kind_classes(kind)
    candidates = (F32, ScalarType("i32"), ScalarType("bool"))
    return next((t for t in candidates if wanted <= (classes_of(t) or frozenset())), F32)


def _named(name: str, t: Type, scope: tuple[Var, ...]) -> Expr:
    for one in reversed(scope):
        t = FunType(one.type, t)
    return apply(Var(name, t), *scope)


def _plain(t: Type, name: str) -> Expr:
    """`add` for a function of two numbers, 0 for a number."""
    match t:
        case FunType(ScalarType() as s, FunType(r, last)) if s == r == last:
            return primitive_at("add", (s,))
        case ScalarType():
            return make_literal(0, t)
    return Var(name, t)
