"""Generates random functions of numbers as RISE text, such as the arguments of `map` and `reduce`. Knows no arrays.

Every function of numbers is used that takes one type; a new one is, without a change here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final
from typing import TypeVar as TypeVariable

from hypothesis import strategies as st

from rise.inference.schemes import scheme_of
from rise.primitives import SCALAR_FUNCTIONS
from rise.primitives.record import PrimitiveRecord, neutral_at
from rise.scalars import SCALARS, kind_classes
from rise.types import FunType, ScalarType, TypeVar

T = TypeVariable("T")
FLOATS: Final = tuple(name for name, facts in SCALARS.items() if "floating" in facts.classes)
#: f32 and i32 more often than the others, as in what people write
NUMBERS: Final = ("f32", "f32", "f32", "i32", "i32", *(name for name in SCALARS if name != "bool"))
#: how much more often operators are drawn than other functions
OPERATORS: Final = 4
_LITERALS: Final[Mapping[str, tuple[str, ...]]] = {
    "float": ("1", "0", "0.5", "2", "-1", "0.25", "-3", "0.1", "-0.0"),
    "signed": ("1", "0", "2", "3", "-1", "7", "-5", "100"),
    "unsigned": ("1", "0", "2", "3", "7", "200"),
    "bool": ("true", "false"),
}
#: what is divided by: no 0
_DIVISORS: Final = ("3", "2", "7", "1")


@dataclass(frozen=True, slots=True)
class Function:
    """A function of so many numbers of one type; it gives another one, or a truth value."""

    record: PrimitiveRecord
    kind: str
    count: int
    gives_bool: bool

    def takes(self, t: str) -> bool:
        """Whether it is one of numbers of a type."""
        return kind_classes(self.kind) <= SCALARS[t].classes if self.kind else t == "bool"


def kind_of(t: str) -> str:
    """What kind of numbers a scalar type has: `float`, `signed`, `unsigned` or `bool`."""
    if t in FLOATS:
        return "float"
    return "bool" if t == "bool" else "unsigned" if t.startswith("u") else "signed"


@cache
def functions() -> tuple[Function, ...]:
    """All functions that take numbers of one type, operators several times."""
    found: list[Function] = []
    for record in SCALAR_FUNCTIONS:
        scheme = scheme_of(record.scheme)
        kinds = dict(scheme.parameters)
        body, taken = scheme.body, []
        while isinstance(body, FunType):
            taken.append(body.parameter)
            body = body.result
        given = taken[0]
        is_plain = isinstance(given, TypeVar) or given == ScalarType("bool")
        if len(kinds) > 1 or not is_plain or any(one != given for one in taken):
            continue
        if body == given or body == ScalarType("bool"):
            kind = kinds[given.name] if isinstance(given, TypeVar) else ""
            one = Function(record, kind, len(taken), body != given)
            found += [one] * (OPERATORS if record.operator else 1)
    return tuple(found)


@cache
def fitting(t: str, gives_bool: bool, is_exact: bool) -> tuple[Function, ...]:
    """The functions of numbers of a type; where it is to be exact, none of libraries."""
    return tuple(
        one
        for one in functions()
        if one.takes(t) and one.gives_bool == gives_bool and not (is_exact and one.record.units)
    )


@cache
def associative(t: str) -> tuple[PrimitiveRecord, ...]:
    """The functions of two numbers of a type that are known to associate."""
    found = {one.record.name: one.record for one in fitting(t, False, True) if one.count == 2}
    return tuple(one for one in found.values() if one.neutral is not None or "chooses" in one.traits)


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
        """A function that associates, and what a reduction starts from: its neutral element, or any."""
        record = self.choose(associative(t))
        neutral = neutral_at(record, t)
        if neutral is None or self.one_in(4):
            return record.name, self.literal(t)
        return record.name, written(str(bool(neutral)).lower() if t == "bool" else str(neutral), t)

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
        match self.draw(st.integers(0, 9)):
            case 0:
                chosen = [self.formula(t, scope, depth - 1) for _ in range(2)]
                return f"(if {self.formula('bool', scope, depth - 1)} then {chosen[0]} else {chosen[1]})"
            case 1 if t != "bool":
                other = self.choose(NUMBERS)
                return f"cast{{{t}}}({self.formula(other, scope, depth - 1)} : {other})"
        of = t
        if t == "bool" and not self.one_in(3):
            of = self.choose([given for given in scope.values() if given in SCALARS] or ["i32"])
        return self.call(
            self.choose(fitting(of, t == "bool" and of != "bool", self.is_exact)), of, scope, depth
        )

    def call(self, one: Function, t: str, scope: Mapping[str, str], depth: int) -> str:
        """A function of numbers of a type, called."""
        arguments = [self.formula(t, scope, depth - 1) for _ in range(one.count)]
        if "divides" in one.record.traits and t not in FLOATS:
            arguments[-1] = written(self.choose(_DIVISORS), t)
        return f"{one.record.name}({', '.join(arguments)})"

    def converted(self, t: str, name: str, scope: Mapping[str, str]) -> str:
        """A variable of another type as one of this."""
        given = scope[name]
        return f"cast{{{t}}}({f'indexAsInt({name})' if given == 'idx' else name})"


def written(number: str, t: str) -> str:
    """A number as a literal of a type.

    >>> written("-3", "f16"), written("1", "u8"), written("true", "bool")
    ('(-3.0f16)', '1u8', 'true')
    """
    if t == "bool":
        return number
    if t in FLOATS and "." not in number:
        number += ".0"
    return f"({number}{t})" if number.startswith("-") else f"{number}{t}"
