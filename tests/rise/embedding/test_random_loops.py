"""Random nested loops over a vector, with branches, exchanges, early ends, `while` loops, generators and ranges that
depend on data, compute the same as in Python.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

import numpy as np
from hypothesis import assume, given, note
from hypothesis import strategies as st

import rise
from rise.embedding import program

SIZES: Final = (8, 11)
LARGE: Final = 1 << 40  # results above it may overflow
NAMES: Final = ("i", "j")

Draw = Callable[[st.SearchStrategy[Any]], Any]


class Loops:
    """The text of a function of a vector of integers, which changes it and a number in loops."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw

    def pick(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def index(self, names: tuple[str, ...]) -> str:
        """An index that is often there: `j`, `j + 1`, `n - 1 - i`, `i - j`."""
        name = self.pick(*names)
        both = ("i + j", "j - i") if len(names) > 1 else ()
        beside = (f"{name} + 1", f"{name} - 1", f"n - 1 - {name}", f"n - {name}", f"{name} // 2")
        kept = (f"max({name} - 2, 0)", f"min({name} + 1, n - 1)", f"abs({name} - 2)")
        return self.pick(name, name, *beside, *kept, *both)

    def range(self, names: tuple[str, ...]) -> str:
        """The range of a loop inside of those with these names."""
        start = self.pick("0", "0", "1", "2", *(("i", "i + 1") if names else ()))
        changing = ("i", "i + 1", "n - i", "n - 1 - i") if names else ()
        stop = self.pick("n", "n", "n - 1", "n - 2", "n // 2", f"a[{start}] % 5", *changing)
        match self.pick("up", "up", "up", "down", "apart"):
            case "down":
                return f"range({stop} - 1, {start} - 1, -1)"
            case "apart":
                return f"range({start}, {stop}, 2)"
        return f"range({start}, {stop})"

    def number(self, names: tuple[str, ...], depth: int = 2) -> str:
        kind = self.pick(
            "element",
            "element",
            "name",
            "sum",
            "constant",
            "window",
            "generator",
            *(["both", "quotient"] if depth else []),
        )
        match kind:
            case "element":
                return f"a[{self.index(names)}]"
            case "name":
                return str(self.pick(*names))
            case "sum":
                return "s"
            case "window":
                name = self.pick(*names)
                return f"x[max(0, {name} - 1) : min(n, {name} + 2)].sum()"
            case "generator":
                return f"sum(x[k] for k in range({self.pick('n', *names)}){self.pick('', ' if x[k] > s')})"
            case "quotient":
                left, right = self.number(names, 0), self.number(names, 0)
                return f"({left} {self.pick('//', '%')} {right} if {right} != 0 else 0)"
            case "both":
                left, right = self.number(names, depth - 1), self.number(names, depth - 1)
                operator = self.pick("+", "-", "*", "min", "max")
                return (
                    f"({left} {operator} {right})" if len(operator) == 1 else f"{operator}({left}, {right})"
                )
        return str(self.draw(st.integers(-3, 9)))

    def condition(self, names: tuple[str, ...]) -> str:
        first = f"{self.number(names, 1)} {self.pick('<', '>', '<=', '==', '!=')} {self.number(names, 1)}"
        match self.pick("one", "one", "and", "or", "parity"):
            case "and":
                return f"{first} and {self.number(names, 0)} > {self.number(names, 0)}"
            case "or":
                return f"{first} or {self.number(names, 0)} > {self.number(names, 0)}"
            case "parity":
                return f"{self.pick(*names)} % 2 == {self.pick('0', '1')}"
        return first

    def statement(self, names: tuple[str, ...], indent: str, depth: int = 0) -> list[str]:
        kinds = ["store", "store", "exchange", "update", "sum"]
        kinds += ["branch", "while"] if depth < 2 else []
        kinds += ["end"] if depth else []
        match self.pick(*kinds):
            case "store":
                return [f"{indent}a[{self.index(names)}] = {self.number(names)}"]
            case "exchange":
                p, q = self.index(names), self.index(names)
                return [f"{indent}a[{p}], a[{q}] = a[{q}], a[{p}]"]
            case "update":
                return [f"{indent}a[{self.index(names)}] {self.pick('+=', '-=')} {self.number(names, 1)}"]
            case "sum":
                return [f"{indent}s {self.pick('=', '+=')} {self.number(names)}"]
            case "end":
                return [indent + self.pick("break", "continue")]
            case "while":
                count = [
                    f"{indent}w = {self.number(names, 1)} % 4",
                    f"{indent}while w {self.pick('>', '!=')} 0:",
                ]
                return [*count, f"{indent}    w -= 1", *self.statement(names, indent + "    ", 2)]
        inside = indent + "    "
        lines = [f"{indent}if {self.condition(names)}:", *self.statements(names, inside, depth + 1, 2)]
        if self.draw(st.booleans()):
            lines += [f"{indent}else:", *self.statement(names, inside, depth + 1)]
        return lines

    def statements(self, names: tuple[str, ...], indent: str, depth: int, most: int) -> list[str]:
        count = self.draw(st.integers(1, most))
        return [line for _ in range(count) for line in self.statement(names, indent, depth)]

    def text(self) -> str:
        lines = ["def f(x):", "    a, n, s = x.copy(), len(x), 0", f"    for i in {self.range(())}:"]
        if self.draw(st.booleans()):
            lines += self.statement(NAMES[:1], " " * 8)
        if self.draw(st.booleans()):
            lines += [f"        for j in {self.range(NAMES[:1])}:", *self.statements(NAMES, " " * 12, 0, 3)]
        lines += self.statement(NAMES[:1], " " * 8)
        return "\n".join([*lines, "    return a, s", ""])


@st.composite
def texts(draw: Draw) -> str:
    return Loops(draw).text()


def function_of(text: str) -> FunctionType:
    """The function of a text, whose source can be read."""
    file = f"<loops {hash(text)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {}
    exec(compile(text, file, "exec"), names)
    function: FunctionType = names["f"]
    function.__annotations__ = {"x": "N.i64"}
    return function


def expected(function: FunctionType, xs: Any) -> tuple[Any, int] | None:
    """The result by Python; None if an index is not there, or if numbers become large."""
    try:
        with np.errstate(over="ignore"):
            a, s = function(xs.copy())
    except IndexError:
        return None
    return (a, int(s)) if max(abs(int(s)), *map(abs, a.tolist())) < LARGE else None


@given(texts(), st.integers(0, 1 << 16))
def test_loops_compute_what_python_does(text: str, seed: int) -> None:
    function, rng = function_of(text), np.random.default_rng(seed)
    inputs = [rng.integers(-5, 6, size) for size in SIZES]
    wanted = [(xs, result) for xs in inputs if (result := expected(function, xs)) is not None]
    assume(wanted)
    note(text)
    try:
        built = program(function)
    except rise.RiseError as error:
        # an index is not there in an iteration that Python does not reach; or the bounds of a slice depend on data
        if error.diagnostic.code in ("index-out-of-range", "index"):
            return
        raise
    note(built.text)
    for xs, (a, s) in wanted:
        found, total = rise.evaluate(built.main, xs)
        assert np.array_equal(found, a)
        assert int(total) == s
