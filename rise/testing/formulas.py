"""Generates random functions of numbers as RISE text, such as the arguments of `map` and `reduce`.

Independent of arrays.

Uses all primitives whose operands are numbers of one type, including primitives that are added later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final
from typing import TypeVar as TypeVariable

from hypothesis import strategies as st

from rise.inference.schemes import scheme_of
from rise.primitives import SCALAR_FUNCTIONS
from rise.primitives.record import PrimitiveRecord, neutral_at
from rise.records import dataclass
from rise.scalars import SCALARS, kind_classes
from rise.types import FunType, ScalarType, TypeVar

T = TypeVariable("T")
FLOATS: Final = tuple(name for name, facts in SCALARS.items() if "floating" in facts.classes)
#: f32 and i32 occur more often than others, as in users' programs
NUMBERS: Final = (
    "f32",
    "f32",
    "f32",
    "i32",
    "i32",
    *(name for name, facts in SCALARS.items() if "ring" in facts.classes),
)
#: the weight of operators relative to other functions
OPERATOR_WEIGHT: Final = 4
_LITERALS: Final[Mapping[str, tuple[str, ...]]] = {
    "float": ("1", "0", "0.5", "2", "-1", "0.25", "-3", "0.1", "-0.0"),
    "signed": ("1", "0", "2", "3", "-1", "7", "-5", "100"),
    "unsigned": ("1", "0", "2", "3", "7", "200"),
    "bool": ("true", "false"),
}
#: the divisors of integers, without 0
_DIVISORS: Final = ("3", "2", "7", "1")


@dataclass(frozen=True, slots=True)
class Function:
    """A function of `count` numbers of one type, whose result is a number of this type or a truth value."""

    record: PrimitiveRecord
    kind: str
    count: int
    gives_bool: bool

    def takes(self, t: str) -> bool:
        """Whether the function applies to numbers of a type."""
        return kind_classes(self.kind) <= SCALARS[t].classes if self.kind else t == "bool"


def kind_of(t: str) -> str:
    """The kind of a scalar type: `float`, `signed`, `unsigned` or `bool`."""
    if t in FLOATS:
        return "float"
    return "bool" if t == "bool" else "unsigned" if t.startswith("u") else "signed"


@cache
def functions() -> tuple[Function, ...]:
    """All functions of numbers of one type; operators occur several times."""
    scalar_functions: list[Function] = []
    for record in SCALAR_FUNCTIONS:
        scheme = scheme_of(record.scheme)
        kinds = dict(scheme.parameters)
        body, operands = scheme.body, []
        while isinstance(body, FunType):
            operands.append(body.parameter)
            body = body.result
        given = operands[0]
        is_plain = isinstance(given, TypeVar) or given == ScalarType("bool")
        if len(kinds) > 1 or not is_plain or any(operand != given for operand in operands):
            continue
        if body == given or body == ScalarType("bool"):
            kind = kinds[given.name] if isinstance(given, TypeVar) else ""
            function = Function(record, kind, len(operands), body != given)
            scalar_functions += [function] * (OPERATOR_WEIGHT if record.operator else 1)
    return tuple(scalar_functions)


@cache
def fitting(t: str, gives_bool: bool, is_exact: bool) -> tuple[Function, ...]:
    """The functions of numbers of a type; with `is_exact`, only those whose results are exact to the last digit."""
    return tuple(
        function
        for function in functions()
        if function.takes(t)
        and function.gives_bool == gives_bool
        and not (is_exact and function.record.units)
    )


@cache
def associative(t: str) -> tuple[PrimitiveRecord, ...]:
    """The functions of two numbers of a type that are known to be associative."""
    binary = {f.record.name: f.record for f in fitting(t, False, True) if f.count == 2}
    return tuple(r for r in binary.values() if r.neutral is not None or "chooses" in r.traits)


@dataclass(frozen=True, slots=True)
class Formulas:
    """Draws formulas. With `is_exact`, the results of all their functions are exact to the last digit."""

    draw: st.DrawFn
    is_exact: bool = False

    def choose(self, items: Sequence[T]) -> T:
        """One of several items; shrinks to the first."""
        return self.draw(st.sampled_from(items))

    def one_in(self, count: int) -> bool:
        """True in one of `count` cases."""
        return self.draw(st.integers(0, count - 1)) == count - 1

    def literal(self, t: str) -> str:
        """A number of a type."""
        return written(self.choose(_LITERALS[kind_of(t)]), t)

    def associative(self, t: str) -> tuple[str, str]:
        """An associative function, and the start value of a reduction: the neutral element or any number."""
        record = self.choose(associative(t))
        neutral = neutral_at(record, t)
        if neutral is None or self.one_in(4):
            return record.name, self.literal(t)
        return record.name, written(str(bool(neutral)).lower() if t == "bool" else str(neutral), t)

    def formula(self, t: str, scope: Mapping[str, str], depth: int = 2) -> str:
        """A formula of a type over variables in scope, given by name and type."""
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
                then, otherwise = (self.formula(t, scope, depth - 1) for _ in range(2))
                return f"(if {self.formula('bool', scope, depth - 1)} then {then} else {otherwise})"
            case 1 if t != "bool":
                other = self.choose(NUMBERS)
                return f"cast{{{t}}}({self.formula(other, scope, depth - 1)} : {other})"
        of = t
        if t == "bool" and not self.one_in(3):
            of = self.choose([given for given in scope.values() if given in SCALARS] or ["i32"])
        return self.call(
            self.choose(fitting(of, t == "bool" and of != "bool", self.is_exact)), of, scope, depth
        )

    def call(self, function: Function, t: str, scope: Mapping[str, str], depth: int) -> str:
        """A call of a function of numbers of a type."""
        arguments = [self.formula(t, scope, depth - 1) for _ in range(function.count)]
        if "divides" in function.record.traits and t not in FLOATS:
            arguments[-1] = written(self.choose(_DIVISORS), t)
        return f"{function.record.name}({', '.join(arguments)})"

    def converted(self, t: str, name: str, scope: Mapping[str, str]) -> str:
        """A variable of another type, converted to this type."""
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
