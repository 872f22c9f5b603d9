"""Operations on scalars, spread over arrays as numpy spreads them. Knows the scalar functions; no Python operators.

An operand is a value, a number of Python's, which takes the type of the others, or a size, which is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from rise.dsl.printer import Applied, Braces, Meant, Syntax, Written
from rise.embedding import trace as t
from rise.embedding.places import refuse
from rise.embedding.trace import Part, apply, computed, function, piped, scalar_name, shown, viewed
from rise.naturals import Nat, const
from rise.scalars import SCALARS
from rise.text.nat_printer import show_nat
from rise.types import BOOL, F32, I32, ArrayType, IndexType, PairType, ScalarType, Type

Operand: TypeAlias = "Part | bool | int | float | Size"
Scalar: TypeAlias = Callable[..., Part]

I64: Final = ScalarType("i64")
ONE: Final = const(1)


@dataclass(frozen=True, slots=True)
class Size:
    """A size where a number is wanted."""

    nat: Nat
    scope: t.Scope


@dataclass(frozen=True, slots=True)
class Operation:
    """A function of scalars: the class that its operands' type is in, and how it is written."""

    name: str
    kind: str
    write: Scalar


def elementwise(operation: Operation, *operands: Operand) -> Part:
    """The operation on all elements. Axes are matched from the last; one of length 1 is repeated."""
    parts = common(operation, operands)
    sizes = broadcast([one.shape for one in parts])
    return spread(operation.write, parts, sizes)


def select(condition: Operand, yes: Operand, no: Operand) -> Part:
    """`np.where`."""
    scope = next(one.scope for one in (condition, yes, no) if isinstance(one, Part | Size))
    flags = common(Operation("where", "bool", _if), [condition], scope)
    values = common(Operation("where", "data", _if), [yes, no], scope)
    parts = [*flags, *values]
    return spread(_if, parts, broadcast([one.shape for one in parts]))


def spread(scalar: Scalar, parts: Sequence[Part], sizes: Sequence[Nat]) -> Part:
    """A function of scalars mapped over what has axes; `sizes` are the axes of the result."""
    if not sizes:
        return scalar(*parts)
    axes = len(sizes)
    squeezed = [
        first(one) if len(one.shape) == axes and one.shape[0] == ONE and sizes[0] != ONE else one
        for one in parts
    ]
    mapped: list[Part] = []
    for one in squeezed:
        if len(one.shape) == axes and all(one.syntax is not other.syntax for other in mapped):
            mapped.append(one)

    def inner(*elements: Part) -> Part:
        at = {id(one.syntax): element for one, element in zip(mapped, elements, strict=True)}
        return spread(scalar, [at.get(id(one.syntax), one) for one in squeezed], sizes[1:])

    return over(inner, mapped)


def over(inner: Callable[..., Part], arrays: Sequence[Part]) -> Part:
    """A function of one element of each of some arrays of one length, mapped."""
    trace = arrays[0].trace
    zipped = arrays[-1]
    for one in reversed(arrays[:-1]):
        both = PairType(element(one), element(zipped))
        zipped = viewed(ArrayType(one.shape[0], both), apply("zip", one.syntax, zipped.syntax), one, zipped)

    def body(p: Part) -> Part:
        elements: list[Part] = []
        for _ in arrays[1:]:
            assert isinstance(p.type, PairType)
            elements.append(viewed(p.type.first, apply("fst", p.syntax), p))
            p = viewed(p.type.second, apply("snd", p.syntax), p)
        return inner(*elements, p)

    return map_over(function(trace, ["x" if len(arrays) == 1 else "p"], [element(zipped)], body), zipped)


def map_over(f: Part, xs: Part, is_view: bool = False) -> Part:
    """`map(f)(xs)`."""
    made = viewed if is_view else computed
    return made(ArrayType(xs.shape[0], t.result_of(f)), Applied(apply("map", f.syntax), (xs.syntax,)), f, xs)


def element(xs: Part) -> Type:
    """The type of an array's elements along its first axis."""
    assert isinstance(xs.type, ArrayType)
    return xs.type.element


def first(xs: Part) -> Part:
    """The element at 0."""
    return viewed(element(xs), piped("idx", Written("0"), xs.syntax), xs)


def broadcast(shapes: Sequence[tuple[Nat, ...]]) -> tuple[Nat, ...]:
    """The shape that all of these are repeated to."""
    sizes: list[Nat] = []
    for axis in range(1, max(map(len, shapes)) + 1):
        found = [shape[-axis] for shape in shapes if len(shape) >= axis]
        known = [one for one in found if one != ONE] or [ONE]
        for other in known[1:]:
            if other != known[0]:
                texts = " and ".join(shape_text(shape) for shape in dict.fromkeys(shapes) if shape)
                title = f"expected arrays of one shape, found {texts}"
                hint = "sizes are equal where their names are; an axis of length 1 is repeated"
                refuse(
                    "shape-mismatch", title, hint, f"{show_nat(known[0])} and {show_nat(other)} may differ"
                )
        sizes.append(known[0])
    return tuple(reversed(sizes))


def shape_text(shape: Sequence[Nat]) -> str:
    """A shape as Python shows it."""
    return f"({', '.join(show_nat(one) for one in shape)}{',' if len(shape) == 1 else ''})"


def common(operation: Operation, operands: Sequence[Operand], otherwise: t.Scope | None = None) -> list[Part]:
    """The operands as values of one element type, which is in the operation's class.

    Numbers alone are f32 or i32, and stand in the scope `otherwise`.
    """
    for one in operands:
        check_operand(one)
    parts = [one for one in operands if isinstance(one, Part)]
    types = list(dict.fromkeys(one.element for one in parts))
    if len(types) > 1:
        title = f"expected operands of one type, found {' and '.join(map(shown, types))}"
        refuse("type-mismatch", title, f'convert one of them: `x.astype("{shown(types[0])}")`')
    wanted = types[0] if types else _weakest(operation, operands)
    scope = next((one.scope for one in operands if isinstance(one, Part | Size)), otherwise)
    assert scope is not None, operands
    _check_kind(operation, wanted)
    return [converted(one, wanted, scope) for one in operands]


def check_operand(given: object) -> None:
    """Refuse what is neither a value nor a number."""
    if isinstance(given, Part | Size | bool | int | float):
        return
    is_list = isinstance(given, list | tuple)
    hint = (
        "use `np.stack` or `np.array` for lists" if is_list else "a number is one of Python's or of numpy's"
    )
    refuse("type-mismatch", f"expected a value or a number, found {type(given).__name__}", hint)


def size_of(value: object) -> Nat:
    """A size that a user gives."""
    if isinstance(value, Size):
        return value.nat
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return const(value)
    found = f"a value of type {t.shown(value.type)}" if isinstance(value, Part) else repr(value)
    refuse(
        "size", f"expected a size, found {found}", "a size is a number of Python's or comes from `x.shape`"
    )


def _weakest(operation: Operation, operands: Sequence[Operand]) -> Type:
    if operation.kind == "bool" or all(isinstance(one, bool) for one in operands):
        return BOOL
    return F32 if "floating" in operation.kind or any(isinstance(one, float) for one in operands) else I32


def _check_kind(operation: Operation, found: Type) -> None:
    if operation.kind == "bool" or (operation.kind == "bits" and found == BOOL):
        is_in = found == BOOL
    else:
        facts = SCALARS.get(scalar_name(found))
        kind = "integral" if operation.kind == "bits" else operation.kind
        is_in = kind == "data" or (facts is not None and kind in facts.classes)
    if is_in:
        return
    name = {
        "bool": "bool",
        "bits": "bool or an integral type",
        "floating": "a floating type",
        "integral": "an integral type",
        "num": "numbers",
    }
    title = f"`{operation.name}` expected {name.get(operation.kind, operation.kind)}, found {shown(found)}"
    if isinstance(found, PairType):
        hint = "take the pairs apart first: `x.first`, `x.second`"
    elif isinstance(found, IndexType):
        hint = 'make the index a number: `i.astype("i64")`'
    elif operation.kind in ("bool", "bits"):
        hint = "compare first, as in `x != 0`"
    elif operation.kind == "floating":
        hint = 'convert first: `x.astype("f32")`' + (
            "; `//` divides integers" if operation.name == "/" else ""
        )
    else:
        hint = 'convert first: `x.astype("i32")`'
    refuse("type-mismatch", title, hint)


def converted(operand: Operand, wanted: Type, scope: t.Scope) -> Part:
    """An operand as a value; numbers and sizes are of the type that is wanted."""
    match operand:
        case Part():
            return operand
        case Size():
            return counted(operand, wanted)
        case bool() | int() | float():
            return number(operand, wanted, scope)


def number(value: float, wanted: Type, scope: t.Scope) -> Part:
    """A Python number as one of a type, if the type has it."""
    name = scalar_name(wanted)
    facts = SCALARS.get(name)
    if facts is None or (facts.dtype.kind == "b") != isinstance(value, bool):
        title = f"expected {shown(wanted)}, found the number {value}"
        refuse("type-mismatch", title, "compare or convert first, so that both sides have one type")
    if "integral" in facts.classes:
        limits = np.iinfo(facts.dtype)
        if isinstance(value, float) or not limits.min <= value <= limits.max:
            title = f"expected a number of type {name}, found {value}"
            refuse("type-mismatch", title, 'convert the array first: `x.astype("f32")`, or round the number')
    elif "floating" in facts.classes and not isinstance(value, float):
        value = float(value)
    return t.literal(value, wanted, scope)


def counted(size: Size, wanted: Type) -> Part:
    """A size as a number: the exact one, rounded once where the type does not have it."""
    known = size.nat.constant
    if known is not None:
        return number(
            float(known) if "floating" in SCALARS[scalar_name(wanted)].classes else known, wanted, size.scope
        )
    trace = size.scope.trace
    if (size.nat, wanted) not in trace.counts:
        root = Part(I64, Written(""), trace.root)
        index = Applied(Braces(Written("natAsIndex"), (Written("0"),)), (Meant(size.nat),))
        trace.counts[size.nat, wanted] = cast(computed(I64, apply("indexAsInt", index), root), wanted)
    return trace.counts[size.nat, wanted]


def cast(x: Part, wanted: Type) -> Part:
    """A scalar of another type."""
    if x.type == wanted:
        return x
    syntax: Syntax = x.syntax
    if isinstance(x.type, IndexType):
        syntax = apply("indexAsInt", syntax)
        if wanted == I64:
            return computed(wanted, syntax, x)
    if x.type == BOOL or wanted == BOOL:
        return _of_bool(x, wanted)
    return computed(wanted, Applied(Braces(Written("cast"), (Meant(wanted),)), (syntax,)), x)


def _of_bool(x: Part, wanted: Type) -> Part:
    zero = number(0, x.type if wanted == BOOL else wanted, x.scope) if x.type != BOOL or wanted != BOOL else x
    if wanted == BOOL:
        return computed(BOOL, apply("ne", x.syntax, zero.syntax), x)
    return _if(x, number(1, wanted, x.scope), zero)


def _if(condition: Part, yes: Part, no: Part) -> Part:
    syntax = apply("select", condition.syntax, yes.syntax, no.syntax)
    return computed(yes.type, syntax, condition, yes, no)


def primitive(name: str, kind: str, shown_as: str = "", result: Type | None = None) -> Operation:
    """An operation that is a primitive; `result` where that is not its operands' type."""

    def write(*operands: Part) -> Part:
        return computed(result or operands[0].type, apply(name, *(one.syntax for one in operands)), *operands)

    return Operation(shown_as or name, kind, write)
