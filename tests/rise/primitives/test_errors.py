"""Diagnostics of primitives with wrong arguments: a law for all of them, and snapshots of particular ones.

`tests/rise/snapshots/primitive_errors.txt` contains the messages; `python -m tests.rise.primitives.test_errors`
rewrites them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
from rise import RiseError
from rise.inference.schemes import scheme_of
from rise.primitives import PRIMITIVES
from rise.types import DepFunType, FunType, IndexType, ScalarType, Type, TypeVar
from tests.snapshot_files import read_snapshots, write_snapshots

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "primitive_errors.txt"
XS: Final = np.arange(4, dtype=np.float32)
PAIRS: Final = (XS, XS)
#: a name, a program, and arguments if it is only wrong when it is evaluated
CASES: Final[dict[str, tuple[str, tuple[Any, ...]]]] = {
    "map: a function of pairs over numbers": ("fun(xs: 4.f32 => xs |> map(fst))", ()),
    "map: an array too many": ("fun(xs: 4.f32, ys: 4.f32 => map(add, xs, ys))", ()),
    "reduce: no start value": ("fun(xs: 4.f32 => xs |> reduce(add))", ()),
    "reduce: a step that gives another type": (
        "fun(xs: 4.f32 => xs |> reduce(fun(a, x => cast{f64}(a + x)), 0.0))",
        (),
    ),
    "reduceSeq: a start of another type": ("fun(xs: 4.f32 => xs |> reduceSeq(add, 0i32))", ()),
    "reducePar: a step of two types": (
        "fun(xs: 4.f32 => xs |> reducePar(fun(a, x => a + cast{f64}(x)), 0.0f64))",
        (),
    ),
    "scan: no start value": ("fun(xs: 4.f32 => xs |> scanSeq(add))", ()),
    "iterate: a function that halves no size": (
        "fun(xs: 4.f32 => xs |> iterate(1, fun(l: nat, ys: (2*l).f32 => ys)))",
        (),
    ),
    "let: a function as value": ("fun(x: f32 => let(fun(y: f32 => y), fun(f => f(x))))", ()),
    "toMem: a space that there is not": ("fun(xs: 4.f32 => xs |> toMem(Loca))", ()),
    "zip: two sizes": ("fun(xs: 4.f32, ys: 5.f32 => zip(xs, ys))", ()),
    "zip: two sizes of a call": ("fun(xs: N.f32, ys: N.f32 => zip(xs, ys))", (XS, XS[:3])),
    "unzip: no pairs": ("fun(xs: 4.f32 => unzip(xs))", ()),
    "fst: no pair": ("fun(x: f32 => fst(x))", ()),
    "split: no divisor": ("fun(xs: 4.f32 => xs |> split(3))", ()),
    "split: no divisor in a call": ("fun(xs: N.f32 => xs |> split(3))", (XS,)),
    "split: rows of nothing": ("fun(xs: 4.f32 => xs |> split(0))", ()),
    "join: a flat array": ("fun(xs: 4.f32 => join(xs))", ()),
    "transpose: a flat array": ("fun(xs: 4.f32 => transpose(xs))", ()),
    "slide: wider than the array": ("fun(xs: 4.f32 => xs |> slide(5, 1))", ()),
    "slide: wider than the array of a call": ("fun(xs: N.f32 => xs |> slide(5, 1))", (XS,)),
    "slide: steps that leave a rest": ("fun(xs: 4.f32 => xs |> slide(3, 2))", ()),
    "slide: a negative step": ("fun(xs: N.f32 => xs |> slide(3, -1))", ()),
    "take: more than there is": ("fun(xs: 4.f32 => xs |> take(5))", ()),
    "take: more than there is in a call": ("fun(xs: N.f32 => xs |> take(5))", (XS,)),
    "drop: more than there is": ("fun(xs: 4.f32 => xs |> drop(5))", ()),
    "concat: two types": ("fun(xs: 4.f32, ys: 4.i32 => concat(xs, ys))", ()),
    "padCst: a negative pad": ("fun(xs: N.f32 => xs |> padCst(-1, 1, 0.0))", ()),
    "padCst: a pad of another type": ("fun(xs: N.f32 => xs |> padCst(1, 1, 0i32))", ()),
    "padClamp: a negative pad": ("fun(xs: N.f32 => xs |> padClamp(0, -2))", ()),
    "padEmpty: a negative pad": ("fun(xs: N.f32 => xs |> padEmpty(-2))", ()),
    "padEmpty: a negative pad of a call": ("fun(n: nat, xs: N.f32 => xs |> padEmpty(n - 3))", (1, XS)),
    "generate: an array for a function": ("fun(xs: 4.f32 => xs |> generate)", ()),
    "makeArray: two types": ("fun(x: f32, y: i32 => [x, y])", ()),
    "idx: a number that is no index": ("fun(xs: 4.f32, i: i32 => xs |> idx(i))", ()),
    "idx: behind the end": ("fun(xs: 4.f32 => xs |> idx(4))", ()),
    "idx: behind the end of a call": ("fun(xs: N.f32 => xs |> idx(4))", (XS,)),
    "gather: an index behind the end": ("fun(xs: 4.f32 => gather([0, 4, 2], xs))", ()),
    "gather: an index behind the end of a call": ("fun(xs: N.f32 => gather([0, 4, 2], xs))", (XS,)),
    "gather: numbers that are no indices": ("fun(is: 3.i32, xs: 4.f32 => gather(is, xs))", ()),
    "gather: a fraction among indices": ("fun(xs: 4.f32 => gather([0, 1.5], xs))", ()),
    "scatter: an index twice": (
        "fun(is: N.idx[4], xs: N.f32 => scatter(is, xs))",
        (np.array([0, 1, 1, 2]), XS),
    ),
    "scatter: indices of another number": ("fun(is: 3.idx[4], xs: 4.f32 => scatter(is, xs))", ()),
    "scatterAdd: an index behind the end": (
        "fun(is: N.idx[M], xs: N.f32, ys: M.f32 => scatterAdd(is, xs, ys))",
        (np.array([0, 1, 9, 2]), XS, XS),
    ),
    "scatterAdd: truth values": ("fun(is: N.idx[M], xs: N.bool, ys: M.bool => scatterAdd(is, xs, ys))", ()),
    "reorder: no bijection": ("fun(xs: 4.f32 => reorder(fun(i => i), fun(i => 3), xs))", (XS,)),
    "reorder: a function of numbers": (
        "fun(xs: 4.f32 => reorder(fun(i: i32 => i), fun(i: i32 => i), xs))",
        (),
    ),
    "argmin: of nothing": ("fun(xs: 0.f32 => xs |> argmin)", ()),
    "argmax: of nothing in a call": ("fun(xs: (1+N).f32 => xs |> argmax)", (XS[:0],)),
    "argmax: pairs": ("fun(xs: 4.(f32, f32) => xs |> argmax)", ()),
    "lesserPair: pairs of pairs": ("fun(p: (f32, (f32, f32)) => lesserPair(p, p))", ()),
    "vectorFromScalar: an array": ("fun(xs: 4.f32 => vectorFromScalar(xs))", ()),
    "asVector: no divisor": ("fun(xs: 4.f32 => xs |> asVector(3))", ()),
    "asVector: truth values": ("fun(xs: 4.bool => xs |> asVector(4))", ()),
    "asScalar: no vectors": ("fun(xs: 4.f32 => asScalar(xs))", ()),
    "asMatrix: a fragment of a factor": ("fun(a: Fragment[16, 16, 16, f16, AMatrix] => asMatrix(a))", ()),
    "tensorMatMulAdd: sizes that do not fit": (
        "fun(a: Fragment[16, 16, 16, f16, AMatrix], b: Fragment[8, 16, 16, f16, BMatrix],"
        " c: Fragment[16, 16, 16, f32, Accum] => tensorMatMulAdd(a, b, c))",
        (),
    ),
    "circularBuffer: fewer than a window has": ("fun(xs: 4.f32 => xs |> circularBuffer(2, 3, id))", (XS,)),
    "circularBuffer: wider than the array": ("fun(xs: 4.f32 => xs |> circularBuffer(5, 5, id))", ()),
    "rotateValues: wider than the array": ("fun(xs: 4.f32 => xs |> rotateValues(5, id))", ()),
    "isnan: a vector": ("fun(x: vec[4, f32] => isnan(x))", ()),
    "lt: vectors": ("fun(x: vec[4, f32] => x < x)", ()),
    "and: numbers": ("fun(x: i32 => x && x)", ()),
    "select: a number for a truth value": ("fun(c: f32 => select(c, 1, 2))", ()),
    "cast: to truth values": ("fun(x: i32 => cast{bool}(x))", ()),
    "bitAnd: floats": ("fun(x: f32 => bitAnd(x, x))", ()),
    "sqrt: integers": ("fun(x: i32 => sqrt(x))", ()),
    "mod: by zero": ("fun(x: i32 => x % 0)", (np.int32(1),)),
    "clamp: two types": ("fun(x: f32 => clamp(x, 0, 1i32))", ()),
}


def said(text: str, arguments: tuple[Any, ...]) -> str:
    """The diagnostic of the text or of its call."""
    try:
        e = rise.parse(text).main
        assert arguments, f"this was read: {text}"
        rise.evaluate(e, *arguments)
    except RiseError as error:
        return str(error)
    raise AssertionError(f"this was evaluated: {text}")


@pytest.mark.parametrize("name", CASES)
def test_messages(name: str) -> None:
    assert said(*CASES[name]) == read_snapshots(SNAPSHOTS)[name]


def test_every_case_is_of_a_primitive() -> None:
    assert {name.partition(":")[0] for name in CASES} <= PRIMITIVES.keys()
    assert list(read_snapshots(SNAPSHOTS)) == list(CASES)


def mistaken(t: Type) -> str:
    """A value that does not have a parameter's type."""
    match t:
        case TypeVar(_, "data"):
            return "(fun(y: i32 => y))"
        case TypeVar(_, kind) if "integral" not in kind:
            return "true"
        case IndexType() | ScalarType("bool"):
            return "1.5"
    return "1.5"


def call_of(name: str) -> str:
    """A call of a primitive whose first argument is a value that it does not accept."""
    t = scheme_of(PRIMITIVES[name].scheme).body
    given = []
    while isinstance(t, DepFunType):
        given.append("Local" if t.kind == "space" else "1")
        t = t.result
    assert isinstance(t, FunType)
    return f"{name}({', '.join([*given, mistaken(t.parameter)])})"


def takes_values(name: str) -> bool:
    """Whether a primitive has a parameter that is not a size, type or space."""
    t = scheme_of(PRIMITIVES[name].scheme).body
    while isinstance(t, DepFunType):
        t = t.result
    return isinstance(t, FunType)


@pytest.mark.parametrize("name", [name for name in PRIMITIVES if takes_values(name)])
def test_an_unacceptable_value_is_one_diagnostic_at_its_place(name: str) -> None:
    source = f"val f = {call_of(name)}"
    with pytest.raises(RiseError) as caught:
        rise.parse(source)
    diagnostic = caught.value.diagnostic
    assert diagnostic.code in ("type-mismatch", "size-mismatch"), caught.value
    assert diagnostic.title.startswith("expected ")
    (label, *_) = diagnostic.labels
    assert source[label.start : label.end].strip("() ") in source and label.end > label.start
    assert any(note.startswith(f"{name} : ") for note in diagnostic.notes) or name == "makeArray", (
        caught.value
    )


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: said(*case) for name, case in CASES.items()})
