"""Generates programs like those of users: arrays passed through maps, views, sums and windows.

They are generated as text, so that inference finds the sizes; ill-typed texts are discarded. Sizes are free or known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Final

from hypothesis import reject
from hypothesis import strategies as st

from rise.diagnostics import RiseError
from rise.primitives import with_trait
from rise.programs.program import parse
from rise.records import dataclass
from rise.terms import Expr
from rise.testing.formulas import FLOATS, NUMBERS, Formulas, kind_of

MAX_STEPS: Final = 5  # of a pipeline
_SIZES: Final = ("N", "M", "K", "16", "33", "(4*N)", "(2*M+6)", "8", "(N+3)", "1", "64")
_MAX_SPLIT_RANK: Final = 3
#: the number of steps to try, since not every step applies to every rank and element type
_TRIES: Final = 4


@dataclass(frozen=True, slots=True)
class Stage:
    """A pipeline so far: its text, the number of its axes, and its element type, a scalar type or `vec`."""

    text: str
    rank: int
    element: str

    def then(self, step: str, rank: int = 0, element: str = "") -> Stage:
        """The pipeline after another step; `rank` is added to the rank."""
        return Stage(f"{self.text} |> {step}", self.rank + rank, element or self.element)


@dataclass(slots=True)
class Writer:
    """Generates one program. `parameters` maps names to types, or to the empty text if inference finds the type."""

    draw: st.DrawFn
    formulas: Formulas
    parameters: dict[str, str] = field(default_factory=dict)
    count: int = 0

    def fresh(self, name: str) -> str:
        """A new name."""
        self.count += 1
        return f"{name}{self.count}"

    def parameter(self, t: str = "", name: str = "ys") -> str:
        """A new parameter."""
        parameter = self.fresh(name)
        self.parameters[parameter] = t
        return parameter

    def pipeline(self, start: Stage, steps: int) -> Stage:
        """Add up to `steps` steps to a stage."""
        current = start
        for _ in range(steps):
            for _ in range(_TRIES):
                step = self.formulas.choose(STEPS)
                after = step(self, current)
                if after is not None:
                    current = after
                    break
        return current

    def start(self) -> Stage:
        """The first stage of a pipeline."""
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
        result = Stage(f"{text} |> depMap(fun({i}: nat, {row} => {inner.text}))", 1, inner.element)
        if inner.rank == 0:
            return result
        if start != "lengths" and f.one_in(2):
            return result.then("depJoin")
        return replace(result, rank=0)

    def finished(self, body: Stage) -> str:
        """The whole text."""
        head = ", ".join(f"{name}: {t}" if t else name for name, t in self.parameters.items())
        lengths = "{len: nat -> nat}, " if any("len(" in t for t in self.parameters.values()) else ""
        return f"fun({lengths}{head} => {body.text})" if head else body.text


Step = Callable[[Writer, Stage], "Stage | None"]


def mapped(w: Writer, stage: Stage) -> Stage | None:
    """Map a function over all numbers."""
    if stage.element not in (*NUMBERS, "bool"):
        return None
    x = w.fresh("x")
    t = stage.element if not w.formulas.one_in(4) else w.formulas.choose((*NUMBERS, "bool"))
    body = w.formulas.formula(t, {x: stage.element}, 3)
    return stage.then(nested(f"fun({x} => {body})", stage.rank), element=t)


def zipped_with_itself(w: Writer, stage: Stage) -> Stage | None:
    """Combine each number with a function of it."""
    f = w.formulas
    if stage.element not in NUMBERS or stage.rank == 0:
        return None
    xs, x, y = w.fresh("it"), w.fresh("x"), w.fresh("y")
    other = nested(f"fun({x} => {f.formula(stage.element, {x: stage.element})})", stage.rank)
    body = f.formula(stage.element, {x: stage.element, y: stage.element})
    return Stage(
        f"{stage.text} |> fun({xs} => {zips(xs, f'({xs} |> {other})', x, y, body, stage.rank, w)})",
        stage.rank,
        stage.element,
    )


def zips(xs: str, ys: str, x: str, y: str, body: str, rank: int, w: Writer) -> str:
    """Combine the numbers of two arrays of any rank."""
    if rank == 1:
        return f"zip({xs}, {ys}) |> map(fun({x}, {y} => {body}))"
    a, b = w.fresh("a"), w.fresh("b")
    return f"zip({xs}, {ys}) |> map(fun({a}, {b} => {zips(a, b, x, y, body, rank - 1, w)}))"


def zipped(w: Writer, stage: Stage) -> Stage | None:
    """Combine each number with the corresponding number of another input."""
    f = w.formulas
    if stage.element not in NUMBERS or stage.rank == 0:
        return None
    x, y, t = w.fresh("x"), w.fresh("y"), f.choose((stage.element, f.choose(NUMBERS)))
    body = f.formula(stage.element, {x: stage.element, y: t})
    body = f"({body} + cast{{{stage.element}}}({y} : {t}))"
    return Stage(f"{zips(stage.text, w.parameter(), x, y, body, stage.rank, w)}", stage.rank, stage.element)


def reduced(w: Writer, stage: Stage) -> Stage | None:
    """Reduce the innermost axis, by an associative function or in order."""
    f = w.formulas
    if stage.rank == 0 or stage.element not in (*NUMBERS, "bool"):
        return None
    if f.one_in(3):
        acc, x = w.fresh("acc"), w.fresh("x")
        t = stage.element if not f.one_in(3) else f.choose(NUMBERS)
        body = f.formula(t, {acc: t, x: stage.element})
        step = f"reduceSeq(fun({acc}, {x} => {body}), {f.literal(t)})"
        return stage.then(nested(step, stage.rank - 1), -1, t)
    name, first = f.associative(stage.element)
    return stage.then(nested(f"reduce({name}, {first})", stage.rank - 1), -1)


def scanned(w: Writer, stage: Stage) -> Stage | None:
    """Scan the innermost axis."""
    f = w.formulas
    if stage.rank == 0 or stage.element not in NUMBERS:
        return None
    if f.one_in(3):
        acc, x = w.fresh("acc"), w.fresh("x")
        body = f.formula(stage.element, {acc: stage.element, x: stage.element})
        step = f"scanSeq(fun({acc}, {x} => {body}), {f.literal(stage.element)})"
    else:
        name, first = f.associative(stage.element)
        step = f"scan({name}, {first})"
    return stage.then(nested(step, stage.rank - 1))


def viewed(w: Writer, stage: Stage) -> Stage | None:
    """Apply a view at any axis."""
    f = w.formulas
    if stage.rank == 0:
        return None
    at = w.draw(st.integers(0, stage.rank - 1))
    left = stage.rank - at
    k = f.choose(("2", "1", "3", "4", "8", "5", "32"))
    options = [("drop(1)", 0), ("take(2)", 0), (f"drop({k})", 0)]
    if left >= 2:
        options.append(("transpose", 0))
        options.append(("join", -1))
    if stage.rank <= _MAX_SPLIT_RANK:
        options += [(f"split({k})", 1), (f"slide({k}, 1)", 1), ("slide(4, 2)", 1), (f"slide({k}, {k})", 1)]
    if left == 1 and stage.element in NUMBERS:
        fill = f.literal(stage.element)
        options += [(f"padCst(1, {k}, {fill})", 0), (f"padCst({k}, 0, {fill})", 0)]
    options += [("padClamp(1, 1)", 0), (f"padClamp({k}, 2)", 0), ("reorder(fromEnd, fromEnd)", 0)]
    step, grows = f.choose(options)
    return stage.then(nested(step, at), grows)


def windows(w: Writer, stage: Stage) -> Stage | None:
    """A one-dimensional stencil, with or without a border."""
    f = w.formulas
    if stage.rank == 0 or stage.element not in NUMBERS:
        return None
    size = f.choose(("3", "5", "2"))
    border = f.choose(("", "padClamp(1, 1) >> ", f"padCst(2, 1, {f.literal(stage.element)}) >> "))
    name, first = f.associative(stage.element)
    weights = f.one_in(2)
    ws, x, y = w.parameter() if weights else "", w.fresh("x"), w.fresh("y")
    win = w.fresh("w")
    inner = f"zip({win}, {ws}) |> map(fun({x}, {y} => {x} * {y}))" if weights else win
    step = f"{border}slide({size}, 1) >> map(fun({win} => {inner} |> reduce({name}, {first})))"
    return stage.then(nested(f"({step})", stage.rank - 1))


def products(w: Writer, stage: Stage) -> Stage | None:
    """A matrix product, or a product of a matrix and a vector."""
    f = w.formulas
    if stage.rank != 2 or stage.element not in NUMBERS:
        return None
    t, other, row, column = stage.element, w.parameter(), w.fresh("row"), w.fresh("column")
    dot = f"zip({row}, {column}) |> map(mul) |> reduce(add, {'0.0' if t in FLOATS else '0'}{t})"
    if f.one_in(2):
        return stage.then(f"map(fun({row} => {dot.replace(column, other)}))", -1)
    inner = f"transpose({other}) |> map(fun({column} => {dot}))"
    return stage.then(f"map(fun({row} => {inner}))")


def spread(w: Writer, stage: Stage) -> Stage | None:
    """Combine each element with all of another input."""
    f = w.formulas
    if stage.rank != 1 or stage.element not in NUMBERS:
        return None
    x, y, ys = w.fresh("x"), w.fresh("y"), w.parameter(f"{f.choose(_SIZES)}.{stage.element}")
    body = f.formula(stage.element, {x: stage.element, y: stage.element})
    return stage.then(f"map(fun({x} => {ys} |> map(fun({y} => {body}))))", 1)


def shared(w: Writer, stage: Stage) -> Stage | None:
    """Use a reduction of a row for each number of the row."""
    f = w.formulas
    if stage.rank == 0 or stage.element not in NUMBERS:
        return None
    row, total, x = w.fresh("row"), w.fresh("total"), w.fresh("x")
    name, first = f.associative(stage.element)
    body = f.formula(stage.element, {x: stage.element, total: stage.element})
    inner = f"let {total} = {row} |> reduce({name}, {first}) in {row} |> map(fun({x} => {body} + {total}))"
    return stage.then(nested(f"fun({row} => {inner})", stage.rank - 1))


def vectors(w: Writer, stage: Stage) -> Stage | None:
    """Compute on vectors, and convert the result back to numbers."""
    f = w.formulas
    if stage.rank == 0 or stage.element not in NUMBERS:
        return None
    v, width = w.fresh("v"), f.choose(("4", "2", "8", "16"))
    bodies = [f"{v} + {v}", f"{v} * vectorFromScalar({f.literal(stage.element)})", f"max({v}, {v} * {v})"]
    if kind_of(stage.element) == "unsigned":
        bodies = bodies[:1]
    step = f"asVector({width}) >> map(fun({v} => {f.choose(bodies)})) >> asScalar"
    return stage.then(nested(f"({step})", stage.rank - 1))


def moved(w: Writer, stage: Stage) -> Stage | None:
    """Gather elements, concatenate arrays, or add elements at indices."""
    f = w.formulas
    if stage.rank == 0:
        return None
    match w.draw(st.integers(0, 3)):
        case 0:
            return stage.then(f"fun(it => gather({w.parameter(name='is')}, it))")
        case 1:
            return stage.then("fun(it => concat(it, it))")
        case 2 if stage.rank == 1 and stage.element in NUMBERS:
            zero = f"generate(fun(i: idx[5] => {f.literal(stage.element)}))"
            return stage.then(f"fun(it => scatterAdd({w.parameter(name='is')}, it, {zero}))")
    return stage.then("fun(it => concat(it, it |> take(1)))")


def chosen(w: Writer, stage: Stage) -> Stage | None:
    """Select one of two arrays, or the index of the greatest or least number."""
    f = w.formulas
    if stage.rank == 0 or stage.element not in NUMBERS:
        return None
    if stage.rank == 1 and f.one_in(2):
        step = f"{f.choose(sorted(with_trait('selects')))} |> indexAsInt"
        return Stage(f"{stage.text} |> {step}", 0, "i64")
    c, t = w.parameter("bool", "c"), stage.element
    x = w.fresh("x")
    other = nested(f"fun({x} => {f.formula(t, {x: t})})", stage.rank)
    return stage.then(f"fun(it => if {c} then it else it |> {other})")


def stored(w: Writer, stage: Stage) -> Stage | None:
    """A loop whose result is stored, which strategies must preserve."""
    if stage.rank != 1 or stage.element not in NUMBERS:
        return None
    x = w.fresh("x")
    body = w.formulas.formula(stage.element, {x: stage.element})
    return stage.then(f"mapSeq(fun({x} => {body})) |> toMem(Local)")


STEPS: Final[tuple[Step, ...]] = (
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
    """A step inside `depth` maps.

    >>> nested("neg", 2)
    'map(map(neg))'
    """
    return "map(" * depth + step + ")" * depth


@st.composite
def written_programs(draw: st.DrawFn, steps: int = MAX_STEPS, is_exact: bool = False) -> Expr:
    """A closed program. With `is_exact` it calls no function whose last digits differ between libraries."""
    writer = Writer(draw, Formulas(draw, is_exact or draw(st.integers(0, 4)) > 0))
    if writer.formulas.one_in(8):
        body = writer.rows()
        if body.rank:
            body = writer.pipeline(body, draw(st.integers(0, 1)))
    else:
        body = writer.pipeline(writer.start(), draw(st.integers(1, steps)))
    try:
        program = parse(writer.finished(body)).main
    except RiseError:
        reject()
    return program
