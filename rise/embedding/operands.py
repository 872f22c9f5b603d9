"""Operands of scalar operations, and how they get a type.

An operand is a value; or a Python number, a size or a number computed from sizes, which takes the type of the other
operands. Independent of shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

import numpy as np

from rise.dsl.printer import Application, ImplicitApplication, Parenthesized, Syntax, TextPiece, TypeNode
from rise.embedding import trace as t
from rise.embedding.complex_words import refuse_loss
from rise.embedding.loop_numbers import integer, variables
from rise.embedding.operand_types import (
    check_kind,
    complex_type,
    joint_type,
)
from rise.embedding.places import refuse
from rise.embedding.python_numbers import number
from rise.embedding.trace import (
    Part,
    apply,
    computed,
    scalar_name,
    shown,
)
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.naturals import Nat, const
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import BOOL, I64, IndexType, ScalarType, Type

Operand: TypeAlias = "Part | bool | int | float | complex | Size | Weak"
Scalar: TypeAlias = Callable[..., Part]


@dataclass(frozen=True, slots=True)
class Size:
    """A size that is used as a number."""

    nat: Nat
    scope: t.Scope

    @property
    def changes(self) -> bool:
        """Whether this is a number that changes in a loop."""
        return bool(variables(self.nat, self.scope.trace))


@dataclass(frozen=True, slots=True)
class Weak:
    """A float without a type: `write` builds it, given the type that it takes."""

    write: Callable[[Type], Part]
    scope: t.Scope


@dataclass(frozen=True, slots=True)
class Operation:
    """A function of scalars: its name, the class of its operands' type, and the function that builds its term."""

    name: str
    kind: str
    write: Scalar
    compares: bool = False


def shown_name(name: str) -> str:
    """A name for messages; the names of results are not the user's."""
    return "the result" if name.startswith("__") else f"`{name}`"


@dataclass(frozen=True, slots=True, eq=False)
class Unassigned:
    """A name without a value so far, or with a value only in a loop or a branch."""

    name: str

    def __getattr__(self, attribute: str) -> NoReturn:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        self.fail()

    def fail(self, *others: Any) -> NoReturn:
        """Refuse a use of the name."""
        title = f"expected a value for {shown_name(self.name)}, found none: it is assigned in a loop or a branch only"
        refuse("unassigned", title, "assign it before the loop or branch, too")


_OPERATORS = """
add radd sub rsub mul rmul truediv rtruediv floordiv mod pow matmul neg abs lt le gt ge eq ne and or xor
getitem setitem iter bool call
"""
for _name in _OPERATORS.split():
    setattr(Unassigned, f"__{_name}__", Unassigned.fail)


def check_operand(given: object) -> None:
    """Refuse an operand that is neither a value nor a number."""
    if isinstance(given, Part | Size | Weak | bool | int | float | complex):
        return
    if isinstance(given, Unassigned):
        given.fail()
    if isinstance(given, SpannedSymbol):
        given.refuse_as_array()
    is_list = isinstance(given, list | tuple)
    hint = "use `np.stack` or `np.array` for lists" if is_list else "use a Python or numpy number"
    if isinstance(given, tuple) and given and not any(isinstance(one, Part) for one in given):
        hint = "a length is one number of a shape, `x.shape[0]`; use `np.array` for several numbers"
    refuse("type-mismatch", f"expected a value or a number, found {type(given).__name__}", hint)


def size_of(value: object) -> Nat:
    """A user's value as a size. Raises RiseError if it is not one."""
    if isinstance(value, Size):
        if value.changes:
            title = "expected a size, found a number that changes in a loop"
            refuse("symbolic-size", title, "give the array its largest size, and use a part of it")
        return value.nat
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return const(value)
    found = f"a value of type {t.shown(value.type)}" if isinstance(value, Part) else repr(value)
    if isinstance(value, Weak):
        title = "expected a size, found a float computed from sizes"
        refuse("size", title, "round it: `n // 2`, `int(n / 2)` or `math.ceil(n / 2)`")
    refuse("size", f"expected a size, found {found}", "use a Python integer >= 0, or a size from `x.shape`")


def is_number(part: Part) -> bool:
    """Whether a value is a numpy number: a literal with a type."""
    return isinstance(part.type, ScalarType) and isinstance(part.syntax, Parenthesized | TextPiece)


def promoted(operands: Sequence[Operand]) -> list[Operand]:
    """Give numpy numbers the type of the arrays, where numpy converts them to that type."""
    types = {operand.element for operand in operands if isinstance(operand, Part) and not is_number(operand)}
    wanted = types.pop() if len(types) == 1 else BOOL
    if scalar_name(wanted) not in SCALARS or wanted == BOOL:
        return list(operands)

    def of_type(operand: Operand) -> Operand:
        if not isinstance(operand, Part) or not is_number(operand):
            return operand
        return cast(operand, wanted) if joint_type([operand.type, wanted]) == wanted else operand

    return [of_type(operand) for operand in operands]


def hint_of_types(parts: Sequence[Part], types: Sequence[Type]) -> str:
    """The hint for giving operands the same type."""
    number = next((part for part in parts if is_number(part)), None)
    if number is None:
        return f'convert one of them: `x.astype("{shown(types[0])}")`'
    other = next((found for found in types if found != number.type), number.type)
    return (
        f"numpy's numbers keep their type: a Python number, `float(...)`, takes the type {shown(other)} of the other "
        f'operand; or convert that one, `x.astype("{shown(number.type)}")`'
    )


def default_type(operands: Sequence[Operand], scope: t.Scope) -> Type:
    """The type of numbers if no array determines it: bool, i64, or the program's type of floats."""
    if all(isinstance(operand, bool) for operand in operands):
        return BOOL
    if any(isinstance(operand, complex) for operand in operands):
        return complex_type(scope.trace.floating)
    return scope.trace.floating if any(isinstance(operand, float | Weak) for operand in operands) else I64


def weakest(operation: Operation, operands: Sequence[Operand], scope: t.Scope) -> Type:
    """The type of operands none of which has one."""
    if operation.kind == "bool":
        return BOOL
    has_complex = any(isinstance(operand, complex) for operand in operands)
    if operation.kind in ("floating", "inexact") and not has_complex:
        return scope.trace.floating
    return default_type(operands, scope)


def converted(operand: Operand, wanted: Type, scope: t.Scope) -> Part:
    """An operand as a value; numbers and sizes get the wanted type."""
    match operand:
        case Part():
            return operand
        case Size():
            return counted(operand, wanted)
        case Weak():
            check_kind("/", "inexact", wanted)
            return operand.write(wanted)
        case bool() if wanted != BOOL and isinstance(wanted, ScalarType):
            return number(int(operand), wanted, scope)
        case bool() | int() | float() | complex():
            return number(operand, wanted, scope)


def counted(size: Size, wanted: Type) -> Part:
    """A size as a number of a type, rounded once if the type cannot represent it. For narrow integer types, a call
    checks that they can.
    """
    constant = size.nat.constant
    facts, trace = SCALARS.get(scalar_name(wanted)), size.scope.trace
    if constant is None and facts is not None and "integral" in facts.classes and not size.changes:
        is_parameter = any(getattr(one, "name", "") in trace.numbers for one in size.nat.free)
        if facts.bits <= 32 and (facts.bits <= 16 or is_parameter):
            trace.promise_at_most(size.nat, const(int(np.iinfo(facts.dtype).max)))
    if constant is not None:
        return number(
            float(constant) if "floating" in SCALARS[scalar_name(wanted)].classes else constant,
            wanted,
            size.scope,
        )
    trace = size.scope.trace
    if size.changes:
        return cast(integer(size.nat, trace), wanted)
    if (size.nat, wanted) not in trace.counts:
        trace.counts[size.nat, wanted] = cast(integer(size.nat, trace), wanted)
    return trace.counts[size.nat, wanted]


def cast(x: Part, wanted: Type) -> Part:
    """A scalar converted to a type."""
    if x.type == wanted:
        return x
    refuse_loss(x, wanted)
    syntax: Syntax = x.syntax
    if isinstance(x.type, IndexType):
        syntax = apply("indexAsInt", syntax)
        if wanted == I64:
            return computed(wanted, syntax, x)
    if x.type == BOOL or wanted == BOOL:
        return _of_bool(x, wanted)
    return computed(
        wanted, Application(ImplicitApplication(TextPiece("cast"), (TypeNode(wanted),)), (syntax,)), x
    )


def _of_bool(x: Part, wanted: Type) -> Part:
    zero = number(0, x.type if wanted == BOOL else wanted, x.scope) if x.type != BOOL or wanted != BOOL else x
    if wanted == BOOL:
        return computed(BOOL, apply("ne", x.syntax, zero.syntax), x)
    return choice(x, number(1, wanted, x.scope), zero)


def choice(condition: Part, yes: Part, no: Part) -> Part:
    """`select` of two scalars."""
    syntax = apply("select", condition.syntax, yes.syntax, no.syntax)
    return computed(yes.type, syntax, condition, yes, no)


def primitive(name: str, kind: str, shown_as: str = "", result: Type | None = None) -> Operation:
    """An operation that is a primitive; `result` is its type if it differs from that of the operands."""

    def write(*operands: Part) -> Part:
        return computed(
            result or operands[0].type, apply(name, *(operand.syntax for operand in operands)), *operands
        )

    return Operation(shown_as or name, kind, write, result == BOOL)
