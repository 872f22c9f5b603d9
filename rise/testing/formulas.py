"""Writes random functions of numbers as RISE text: what a `map` or a `reduce` is given. Knows no arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from typing import TypeVar as TypeVariable

from hypothesis import strategies as st

from rise.primitives import SCALAR_FUNCTIONS
from rise.scalars import SCALARS

T = TypeVariable("T")
FLOATS: Final = ("f32", "f64", "f16", "bf16")
#: f32 and i32 more often than the others, as in what people write
NUMBERS: Final = ("f32", "f32", "f32", "i32", "i32", *(name for name in SCALARS if name != "bool"))
#: functions that are not the same to the last digit everywhere, as the tables of primitives say
INEXACT: Final = {record.name: record for record in SCALAR_FUNCTIONS if record.units}
#: the element that changes nothing, for operations that associate
NEUTRAL: Final[Mapping[str, Mapping[str, str]]] = {
    "float": {"add": "0", "mul": "1", "min": "inf", "max": "-inf"},
    "signed": {"add": "0", "mul": "1", "bitXor": "0", "bitOr": "0", "bitAnd": "-1"},
    "unsigned": {"add": "0", "mul": "1", "bitXor": "0", "bitOr": "0", "max": "0"},
    "bool": {"or": "false", "and": "true"},
}
_LITERALS: Final[Mapping[str, tuple[str, ...]]] = {
    "float": ("1", "0", "0.5", "2", "-1", "0.25", "-3", "0.1", "-0.0"),
    "signed": ("1", "0", "2", "3", "-1", "7", "-5", "100"),
    "unsigned": ("1", "0", "2", "3", "7", "200"),
    "bool": ("true", "false"),
}


def kind_of(t: str) -> str:
    """What kind of numbers a scalar type has: `float`, `signed`, `unsigned` or `bool`."""
    if t in FLOATS:
        return "float"
    return "bool" if t == "bool" else "unsigned" if t.startswith("u") else "signed"


@dataclass(frozen=True, slots=True)
class Formulas:
    """Draws formulas. With `is_exact` no function of libraries is among them."""

    draw: st.DrawFn
    is_exact: bool = False

    def choose(self, items: Sequence[T]) -> T:
        """One of some things, the first ones rather."""
        return self.draw(st.sampled_from(items))

    def one_in(self, count: int) -> bool:
        """True now and then."""
        return self.draw(st.integers(0, count - 1)) == count - 1

    def literal(self, t: str) -> str:
        """A number of a type."""
        return written(self.choose(_LITERALS[kind_of(t)]), t)

    def associative(self, t: str) -> tuple[str, str]:
        """An operation that associates, and what a reduction starts from: its neutral element, or any."""
        known = NEUTRAL[kind_of(t)]
        name = self.choose(sorted(known))
        return name, self.literal(t) if self.one_in(4) else written(known[name], t)

    def formula(self, t: str, scope: Mapping[str, str], depth: int = 2) -> str:
        """A formula of a type over what is in scope, by name and type."""
        names = [name for name, given in scope.items() if given == t]
        if depth <= 0 or self.one_in(5):
            if names:
                return self.choose(names)
            others = [name for name, given in scope.items() if given != "bool"]
            if others and t != "bool" and not self.one_in(4):
                return self.converted(t, self.choose(others), scope)
            return self.literal(t)
        match kind_of(t):
            case "bool":
                return self.condition(scope, depth)
            case "float":
                return self.of_floats(t, scope, depth)
        return self.of_integers(t, scope, depth)

    def converted(self, t: str, name: str, scope: Mapping[str, str]) -> str:
        """A variable of another type as one of this."""
        given = scope[name]
        return f"cast{{{t}}}({f'indexAsInt({name})' if given == 'idx' else name})"

    def condition(self, scope: Mapping[str, str], depth: int) -> str:
        """A truth value."""
        inside = depth - 1
        numbers = [given for given in scope.values() if given in SCALARS and given != "bool"] or ["i32"]
        match self.draw(st.integers(0, 5)):
            case 0:
                return f"!({self.formula('bool', scope, inside)})"
            case 1:
                word = self.choose(("&&", "||"))
                return f"({self.formula('bool', scope, inside)} {word} {self.formula('bool', scope, inside)})"
            case 2 if any(kind_of(t) == "float" for t in numbers):
                t = next(t for t in numbers if kind_of(t) == "float")
                return f"{self.choose(('isfinite', 'isnan', 'isinf'))}({self.formula(t, scope, inside)})"
        t = self.choose(numbers)
        word = self.choose(("<", "<=", "==", "!=", ">", ">="))
        return f"({self.formula(t, scope, inside)} {word} {self.formula(t, scope, inside)})"

    def of_both(self, t: str, scope: Mapping[str, str], depth: int) -> str | None:
        """What there is for all numbers; None now and then."""

        def inner() -> str:
            return self.formula(t, scope, depth - 1)

        match self.draw(st.integers(0, 9)):
            case 0 | 1 | 2 | 3:
                return f"({inner()} {self.choose(('+', '*', '-'))} {inner()})"
            case 4:
                return f"{self.choose(('max', 'min'))}({inner()}, {inner()})"
            case 5:
                return f"(if {self.condition(scope, depth - 1)} then {inner()} else {inner()})"
            case 6:
                return f"{self.choose(('neg', 'abs', 'sign'))}({inner()})"
            case 7:
                other = self.choose(NUMBERS)
                return f"cast{{{t}}}({self.formula(other, scope, depth - 1)} : {other})"
        return None

    def of_floats(self, t: str, scope: Mapping[str, str], depth: int) -> str:
        """A floating-point number."""
        found = self.of_both(t, scope, depth)
        if found is not None:
            return found

        def inner() -> str:
            return self.formula(t, scope, depth - 1)

        match self.draw(st.integers(0, 5)):
            case 0:
                return f"({inner()} {self.choose(('/', '%'))} {inner()})"
            case 1:
                return f"fma({inner()}, {inner()}, {inner()})"
            case 2:
                return f"clamp({inner()}, {self.literal(t)}, {self.literal(t)})"
            case 3:
                return f"{self.choose(('floor', 'ceil', 'round', 'trunc'))}({inner()})"
            case 4 if not self.is_exact:
                name = self.choose(sorted(INEXACT))
                count = INEXACT[name].scheme.count("->")
                return f"{name}({', '.join(inner() for _ in range(count))})"
        return f"sqrt(abs({inner()}))"

    def of_integers(self, t: str, scope: Mapping[str, str], depth: int) -> str:
        """An integer. What is divided by is no 0."""
        found = self.of_both(t, scope, depth)
        if found is not None:
            return found

        def inner() -> str:
            return self.formula(t, scope, depth - 1)

        match self.draw(st.integers(0, 4)):
            case 0:
                name = self.choose(("div", "mod", "floorDiv", "floorMod", "euclidMod"))
                return f"{name}({inner()}, {written(self.choose(('3', '2', '7', '1')), t)})"
            case 1:
                amount = written(self.choose(("1", "3", "0", "7")), t)
                return f"{self.choose(('shiftLeft', 'shiftRight'))}({inner()}, {amount})"
            case 2:
                return f"bitNot({inner()})"
        return f"{self.choose(('bitAnd', 'bitOr', 'bitXor'))}({inner()}, {inner()})"


def written(number: str, t: str) -> str:
    """A number as a literal of a type.

    >>> written("-3", "f16"), written("1", "u8"), written("inf", "f32"), written("true", "bool")
    ('(-3.0f16)', '1u8', '(inf : f32)', 'true')
    """
    if t == "bool":
        return number
    if "inf" in number:
        return f"({number} : {t})"
    if t in FLOATS and "." not in number:
        number += ".0"
    return f"({number}{t})" if number.startswith("-") else f"{number}{t}"
