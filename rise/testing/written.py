"""Generates programs like those that people write: arrays passed through maps, views, sums and windows.

They are written as text, so that inference finds the sizes; what it refuses is not drawn. Sizes are free or known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from hypothesis import reject
from hypothesis import strategies as st

from rise.diagnostics import RiseError
from rise.primitives import with_trait
from rise.programs.program import parse
from rise.terms import Expr
from rise.testing.formulas import FLOATS, NUMBERS, Formulas, kind_of

#: how many steps a pipeline has at most
STEPS: Final = 5
_SIZES: Final = ("N", "M", "K", "16", "33", "(4*N)", "(2*M+6)", "8", "(N+3)", "1", "64")
_RANK: Final = 3
#: what only some ranks, elements and sizes take is tried again with another step
_TRIES: Final = 4


@dataclass(frozen=True, slots=True)
class Stage:
    """A pipeline up to here: its text, how many axes it has, and what an element is: a scalar type, or `vec`."""

    text: str
    rank: int
    element: str

    def then(self, step: str, rank: int = 0, element: str = "") -> Stage:
        """One step further; the rank grows by so much."""
        return Stage(f"{self.text} |> {step}", self.rank + rank, element or self.element)


@dataclass(slots=True)
class Writer:
    """Writes one program. `parameters` are names with types, or with none where inference finds it."""

    draw: st.DrawFn
    formulas: Formulas
    parameters: dict[str, str] = field(default_factory=dict)
    count: int = 0

    def fresh(self, name: str) -> str:
        """A name that was not given before."""
        self.count += 1
        return f"{name}{self.count}"

    def parameter(self, t: str = "", name: str = "ys") -> str:
        """A new parameter."""
        made = self.fresh(name)
        self.parameters[made] = t
        return made

    def pipeline(self, start: Stage, steps: int) -> Stage:
        """Some steps from a stage on."""
        found = start
        for _ in range(steps):
            for _ in range(_TRIES):
                step = self.formulas.choose(STEP)
                made = step(self, found)
                if made is not None:
                    found = made
                    break
        return found

    def start(self) -> Stage:
        """What a pipeline begins with."""
        f = self.formulas
        element = f.choose(("f32", "f32", *NUMBERS, "bool"))
        rank = f.choose((1, 2, 1, 3))
        if f.one_in(8):
            i, size = self.fresh("i"), f.choose(("N", "7", "32"))
            body = f.formula(element, {i: "idx"})
            return Stage(f"generate(fun({i}: idx[{size}] => {body}))", 1, element)
        sizes = [f.choose(_SIZES) for _ in range(rank)]
        return Stage(self.parameter(".".join([*sizes, element]), "xs"), rank, element)

    def rows(self) -> Stage:
        """A pipeline over rows of different lengths."""
        f = self.formulas
        element = f.choose(NUMBERS)
        i, row = self.fresh("i"), self.fresh("row")
        start = f.choose(("triangle", "lengths", "tiles", "windows", "partition"))
        match start:
            case "triangle":
                text = self.parameter(f"N..({i} |-> ({i} + 1).{element})", "rows")
            case "lengths":
                text = self.parameter(f"N..({i} |-> len({i}).{element})", "rows")
            case "tiles":
                text = f"{self.parameter(f'(N + 2).{element}', 'xs')} |> depTile(8, 2)"
            case "windows":
                text = f"{self.parameter(f'N.{element}', 'xs')} |> depSlide(5, 3)"
            case _:
                xs = self.parameter(f"((N^2 + N) /^ 2).{element}", "xs")
                text = f"{xs} |> partition{{({i} |-> {i} + 1)}}(N)"
        inner = Stage(row, 1, element)
        for _ in range(self.draw(st.integers(0, 2))):
            inner = f.choose((mapped, scanned, zipped_with_itself, mapped))(self, inner) or inner
        if f.one_in(2):
            inner = reduced(self, inner) or inner
        found = Stage(f"{text} |> depMap(fun({i}: nat, {row} => {inner.text}))", 1, inner.element)
        if inner.rank == 0:
            return found
        if start != "lengths" and f.one_in(2):
            return found.then("depJoin")
        return replace(found, rank=0)

    def finished(self, body: Stage) -> str:
        """The whole text."""
        head = ", ".join(f"{name}: {t}" if t else name for name, t in self.parameters.items())
        lengths = "{len: nat -> nat}, " if any("len(" in t for t in self.parameters.values()) else ""
        return f"fun({lengths}{head} => {body.text})" if head else body.text


Step = Callable[[Writer, Stage], "Stage | None"]


def mapped(w: Writer, it: Stage) -> Stage | None:
    """A function of each number."""
    if it.element not in (*NUMBERS, "bool"):
        return None
    x = w.fresh("x")
    t = it.element if not w.formulas.one_in(4) else w.formulas.choose((*NUMBERS, "bool"))
    body = w.formulas.formula(t, {x: it.element}, 3)
    return it.then(nested(f"fun({x} => {body})", it.rank), element=t)


def zipped_with_itself(w: Writer, it: Stage) -> Stage | None:
    """Each number and what another function makes of it."""
    f = w.formulas
    if it.element not in NUMBERS or it.rank == 0:
        return None
    xs, x, y = w.fresh("it"), w.fresh("x"), w.fresh("y")
    other = nested(f"fun({x} => {f.formula(it.element, {x: it.element})})", it.rank)
    body = f.formula(it.element, {x: it.element, y: it.element})
    return Stage(
        f"{it.text} |> fun({xs} => {zips(xs, f'({xs} |> {other})', x, y, body, it.rank, w)})",
        it.rank,
        it.element,
    )


def zips(xs: str, ys: str, x: str, y: str, body: str, rank: int, w: Writer) -> str:
    """A function of two arrays' numbers, however many axes they have."""
    if rank == 1:
        return f"zip({xs}, {ys}) |> map(fun({x}, {y} => {body}))"
    a, b = w.fresh("a"), w.fresh("b")
    return f"zip({xs}, {ys}) |> map(fun({a}, {b} => {zips(a, b, x, y, body, rank - 1, w)}))"


def zipped(w: Writer, it: Stage) -> Stage | None:
    """Each number and that of another input at its place."""
    f = w.formulas
    if it.element not in NUMBERS or it.rank == 0:
        return None
    x, y, t = w.fresh("x"), w.fresh("y"), f.choose((it.element, f.choose(NUMBERS)))
    body = f.formula(it.element, {x: it.element, y: t})
    body = f"({body} + cast{{{it.element}}}({y} : {t}))"
    return Stage(f"{zips(it.text, w.parameter(), x, y, body, it.rank, w)}", it.rank, it.element)


def reduced(w: Writer, it: Stage) -> Stage | None:
    """The innermost axis, reduced: by what associates, or in order."""
    f = w.formulas
    if it.rank == 0 or it.element not in (*NUMBERS, "bool"):
        return None
    if f.one_in(3):
        acc, x = w.fresh("acc"), w.fresh("x")
        t = it.element if not f.one_in(3) else f.choose(NUMBERS)
        body = f.formula(t, {acc: t, x: it.element})
        step = f"reduceSeq(fun({acc}, {x} => {body}), {f.literal(t)})"
        return it.then(nested(step, it.rank - 1), -1, t)
    name, first = f.associative(it.element)
    return it.then(nested(f"reduce({name}, {first})", it.rank - 1), -1)


def scanned(w: Writer, it: Stage) -> Stage | None:
    """The innermost axis, scanned."""
    f = w.formulas
    if it.rank == 0 or it.element not in NUMBERS:
        return None
    if f.one_in(3):
        acc, x = w.fresh("acc"), w.fresh("x")
        body = f.formula(it.element, {acc: it.element, x: it.element})
        step = f"scanSeq(fun({acc}, {x} => {body}), {f.literal(it.element)})"
    else:
        name, first = f.associative(it.element)
        step = f"scan({name}, {first})"
    return it.then(nested(step, it.rank - 1))


def viewed(w: Writer, it: Stage) -> Stage | None:
    """A view, at any axis."""
    f = w.formulas
    if it.rank == 0:
        return None
    at = w.draw(st.integers(0, it.rank - 1))
    left = it.rank - at
    k = f.choose(("2", "1", "3", "4", "8", "5", "32"))
    options = [("drop(1)", 0), ("take(2)", 0), (f"drop({k})", 0)]
    if left >= 2:
        options.append(("transpose", 0))
        options.append(("join", -1))
    if it.rank < _RANK + 1:
        options += [(f"split({k})", 1), (f"slide({k}, 1)", 1), ("slide(4, 2)", 1), (f"slide({k}, {k})", 1)]
    if left == 1 and it.element in NUMBERS:
        fill = f.literal(it.element)
        options += [(f"padCst(1, {k}, {fill})", 0), (f"padCst({k}, 0, {fill})", 0)]
    options += [("padClamp(1, 1)", 0), (f"padClamp({k}, 2)", 0), ("reorder(fromEnd, fromEnd)", 0)]
    step, grows = f.choose(options)
    return it.then(nested(step, at), grows)


def windows(w: Writer, it: Stage) -> Stage | None:
    """A stencil of one axis, with a border or without."""
    f = w.formulas
    if it.rank == 0 or it.element not in NUMBERS:
        return None
    size = f.choose(("3", "5", "2"))
    border = f.choose(("", "padClamp(1, 1) >> ", f"padCst(2, 1, {f.literal(it.element)}) >> "))
    name, first = f.associative(it.element)
    weights = f.one_in(2)
    ws, x, y = w.parameter() if weights else "", w.fresh("x"), w.fresh("y")
    win = w.fresh("w")
    inner = f"zip({win}, {ws}) |> map(fun({x}, {y} => {x} * {y}))" if weights else win
    step = f"{border}slide({size}, 1) >> map(fun({win} => {inner} |> reduce({name}, {first})))"
    return it.then(nested(f"({step})", it.rank - 1))


def products(w: Writer, it: Stage) -> Stage | None:
    """A product of matrices, or of a matrix and a vector."""
    f = w.formulas
    if it.rank != 2 or it.element not in NUMBERS:
        return None
    t, other, row, column = it.element, w.parameter(), w.fresh("row"), w.fresh("column")
    dot = f"zip({row}, {column}) |> map(mul) |> reduce(add, {'0.0' if t in FLOATS else '0'}{t})"
    if f.one_in(2):
        return it.then(f"map(fun({row} => {dot.replace(column, other)}))", -1)
    inner = f"transpose({other}) |> map(fun({column} => {dot}))"
    return it.then(f"map(fun({row} => {inner}))")


def spread(w: Writer, it: Stage) -> Stage | None:
    """Each element beside all of another input."""
    f = w.formulas
    if it.rank != 1 or it.element not in NUMBERS:
        return None
    x, y, ys = w.fresh("x"), w.fresh("y"), w.parameter(f"{f.choose(_SIZES)}.{it.element}")
    body = f.formula(it.element, {x: it.element, y: it.element})
    return it.then(f"map(fun({x} => {ys} |> map(fun({y} => {body}))))", 1)


def shared(w: Writer, it: Stage) -> Stage | None:
    """A value of a whole row, used for each of its numbers."""
    f = w.formulas
    if it.rank == 0 or it.element not in NUMBERS:
        return None
    row, total, x = w.fresh("row"), w.fresh("total"), w.fresh("x")
    name, first = f.associative(it.element)
    body = f.formula(it.element, {x: it.element, total: it.element})
    inner = f"let {total} = {row} |> reduce({name}, {first}) in {row} |> map(fun({x} => {body} + {total}))"
    return it.then(nested(f"fun({row} => {inner})", it.rank - 1))


def vectors(w: Writer, it: Stage) -> Stage | None:
    """Numbers as vectors, and back."""
    f = w.formulas
    if it.rank == 0 or it.element not in NUMBERS:
        return None
    v, width = w.fresh("v"), f.choose(("4", "2", "8", "16"))
    bodies = [f"{v} + {v}", f"{v} * vectorFromScalar({f.literal(it.element)})", f"max({v}, {v} * {v})"]
    if kind_of(it.element) == "unsigned":
        bodies = bodies[:1]
    step = f"asVector({width}) >> map(fun({v} => {f.choose(bodies)})) >> asScalar"
    return it.then(nested(f"({step})", it.rank - 1))


def moved(w: Writer, it: Stage) -> Stage | None:
    """Elements read where indices say, put behind each other, or added up where indices say."""
    f = w.formulas
    if it.rank == 0:
        return None
    match w.draw(st.integers(0, 3)):
        case 0:
            return it.then(f"fun(it => gather({w.parameter(name='is')}, it))")
        case 1:
            return it.then("fun(it => concat(it, it))")
        case 2 if it.rank == 1 and it.element in NUMBERS:
            zero = f"generate(fun(i: idx[5] => {f.literal(it.element)}))"
            return it.then(f"fun(it => scatterAdd({w.parameter(name='is')}, it, {zero}))")
    return it.then("fun(it => concat(it, it |> take(1)))")


def chosen(w: Writer, it: Stage) -> Stage | None:
    """One of two arrays, or where the greatest number is."""
    f = w.formulas
    if it.rank == 0 or it.element not in NUMBERS:
        return None
    if it.rank == 1 and f.one_in(2):
        step = f"{f.choose(sorted(with_trait('selects')))} |> indexAsInt"
        return Stage(f"{it.text} |> {step}", 0, "i64")
    c, t = w.parameter("bool", "c"), it.element
    x = w.fresh("x")
    other = nested(f"fun({x} => {f.formula(t, {x: t})})", it.rank)
    return it.then(f"fun(it => if {c} then it else it |> {other})")


def stored(w: Writer, it: Stage) -> Stage | None:
    """What stands here, kept in memory: strategies have to leave it so."""
    if it.rank != 1 or it.element not in NUMBERS:
        return None
    x = w.fresh("x")
    body = w.formulas.formula(it.element, {x: it.element})
    return it.then(f"mapSeq(fun({x} => {body})) |> toMem(Local)")


STEP: Final[tuple[Step, ...]] = (
    mapped,
    reduced,
    zipped,
    viewed,
    windows,
    viewed,
    shared,
    products,
    mapped,
    viewed,
    spread,
    zipped_with_itself,
    scanned,
    moved,
    vectors,
    chosen,
    stored,
)


def nested(step: str, depth: int) -> str:
    """A step under so many maps.

    >>> nested("neg", 2)
    'map(map(neg))'
    """
    return "map(" * depth + step + ")" * depth


@st.composite
def written_programs(draw: st.DrawFn, steps: int = STEPS, is_exact: bool = False) -> Expr:
    """A closed program. With `is_exact` it calls no function whose last digits differ between libraries."""
    writer = Writer(draw, Formulas(draw, is_exact or draw(st.integers(0, 4)) > 0))
    if writer.formulas.one_in(8):
        body = writer.rows()
        if body.rank:
            body = writer.pipeline(body, draw(st.integers(0, 1)))
    else:
        body = writer.pipeline(writer.start(), draw(st.integers(1, steps)))
    try:
        made = parse(writer.finished(body)).main
    except RiseError:
        reject()
    return made
