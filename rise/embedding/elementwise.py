"""Broadcasts scalar operations over arrays, as numpy does. Depends on scalar functions, not on Python operators.

One subject: how operands of different shapes and types are combined.

An operand is a value; or a Python number, a size or a number computed from sizes, which takes the type of the other
operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from rise.dsl.printer import Application, ImplicitApplication, Parenthesized, Syntax, TextPiece, TypeNode
from rise.embedding import trace as t
from rise.embedding.complex_words import refuse_loss
from rise.embedding.lengths import ONE, broadcast, may_be_promised
from rise.embedding.loop_numbers import I64, integer, variables
from rise.embedding.operand_types import (
    beside_compared,
    beside_number,
    check_kind,
    complex_type,
    floating_type,
    joint_type,
)
from rise.embedding.places import refuse
from rise.embedding.python_numbers import number
from rise.embedding.trace import (
    Part,
    apply,
    computed,
    function,
    is_open,
    name_of,
    piped,
    scalar_name,
    shown,
    viewed,
)
from rise.naturals import Nat, const
from rise.part_names import said_by, spelled
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import BOOL, F64, I32, ArrayType, IndexType, PairType, ScalarType, Type

Operand: TypeAlias = "Part | bool | int | float | complex | Size | Weak"
Scalar: TypeAlias = Callable[..., Part]
#: the classes of operations that do not exist on floats
_WHOLE: Final = ("bits", "integral")


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


def elementwise(operation: Operation, *operands: Operand) -> Part:
    """The operation on all elements. Axes are matched from the last; axes of length 1 are repeated."""
    parts = matched(common(operation, operands))
    sizes = broadcast([part.shape for part in parts])
    if not operation.compares or not sizes:
        return spread(operation.write, parts, sizes)
    # a comparison that is written twice is one mask: `x[x > 0] = 1 / x[x > 0]`
    trace, key = parts[0].trace, (operation.name, *map(_written, operands))
    known = trace.masks.get(key)
    if known is None or not is_open(known[0]):
        trace.masks[key] = known = spread(operation.write, parts, sizes), operands
    return known[0]


def _written(operand: Operand) -> object:
    """A key that is equal for identical operands. The operands themselves are kept alive, so that no identity is
    reused.
    """
    match operand:
        case Part():
            return t.identity(operand)
        case Size(nat, _):
            return (nat,)
        case Weak():
            return id(operand)
    return repr(operand)


def select(condition: Operand, yes: Operand, no: Operand) -> Part:
    """`np.where`."""
    scope = next(operand.scope for operand in (condition, yes, no) if isinstance(operand, Part | Size | Weak))
    flags = common(Operation("where", "bool", _if), [condition], scope)
    values = common(Operation("where", "data", _if), [yes, no], scope)
    parts = matched([*flags, *values])
    return spread(_if, parts, broadcast([operand.shape for operand in parts]))


def spread(scalar: Scalar, parts: Sequence[Part], sizes: Sequence[Nat]) -> Part:
    """Map a function of scalars over the operands that are arrays; `sizes` is the shape of the result."""
    if not sizes:
        return scalar(*parts)
    axes = len(sizes)
    squeezed = [
        first(part) if len(part.shape) == axes and part.shape[0] == ONE and sizes[0] != ONE else part
        for part in parts
    ]
    mapped: list[Part] = []
    for part in squeezed:
        if len(part.shape) == axes and all(part.syntax is not other.syntax for other in mapped):
            mapped.append(part)

    def inner(*elements: Part) -> Part:
        at = {id(part.syntax): element for part, element in zip(mapped, elements, strict=True)}
        return spread(scalar, [at.get(id(part.syntax), part) for part in squeezed], sizes[1:])

    return over(inner, mapped)


def over(inner: Callable[..., Part], arrays: Sequence[Part]) -> Part:
    """Map a function of one element of each array over arrays of the same length."""
    trace = arrays[0].trace
    zipped, names = arrays[-1], [name_of(array) for array in arrays]
    said = said_by(names[-1], element(zipped))
    for array, name in zip(reversed(arrays[:-1]), reversed(names[:-1]), strict=True):
        both = PairType(element(array), element(zipped))
        said = said_by(name, element(array)), said
        zipped = viewed(
            ArrayType(array.shape[0], both), apply("zip", array.syntax, zipped.syntax), array, zipped
        )

    def body(p: Part) -> Part:
        elements: list[Part] = []
        for _ in arrays[1:]:
            assert isinstance(p.type, PairType)
            elements.append(viewed(p.type.first, apply("fst", p.syntax), p))
            p = viewed(p.type.second, apply("snd", p.syntax), p)
        elements.append(p)
        trace.named.update((id(one.syntax), name) for one, name in zip(elements, names, strict=True))
        return inner(*elements)

    return map_over(function(trace, [spelled(said, element(zipped))], [element(zipped)], body), zipped)


def map_over(f: Part, xs: Part, is_view: bool = False) -> Part:
    """`map(f)(xs)`."""
    result = viewed if is_view else computed
    return result(
        ArrayType(xs.shape[0], t.result_of(f)), Application(apply("map", f.syntax), (xs.syntax,)), f, xs
    )


def element(xs: Part) -> Type:
    """The type of an array's elements along its first axis."""
    assert isinstance(xs.type, ArrayType)
    return xs.type.element


def first(xs: Part) -> Part:
    """The element at index 0."""
    return viewed(element(xs), piped("idx", TextPiece("0"), xs.syntax), xs)


def matched(parts: Sequence[Part]) -> list[Part]:
    """The operands, where axes that only a call can check to be as long as those of another operand get its length."""
    result = list(parts)
    for axis in range(1, max((len(part.shape) for part in parts), default=0) + 1):
        lengths = [
            part.shape[-axis] for part in parts if len(part.shape) >= axis and part.shape[-axis] != ONE
        ]
        if any(length != lengths[0] for length in lengths):
            result = [
                with_length(part, len(part.shape) - axis, lengths[0])
                if len(part.shape) >= axis and part.shape[-axis] != ONE
                else part
                for part in result
            ]
    return result


def with_length(xs: Part, axis: int, size: Nat) -> Part:
    """The array with another length of an axis, if only a call can check that this is its length, which it does;
    otherwise the array itself.
    """
    found = xs.shape[axis]
    if found == size or not may_be_promised(found, size, xs.trace.numbers):
        return xs
    xs.trace.promise_equal(found, size)

    def shortened(part: Part, depth: int) -> Part:
        if depth:
            rows = function(part.trace, ["row"], [element(part)], lambda row: shortened(row, depth - 1))
            return map_over(rows, part, is_view=True)
        return viewed(ArrayType(size, element(part)), piped("take", TypeNode(size), part.syntax), part)

    return shortened(xs, axis)


def common(operation: Operation, operands: Sequence[Operand], otherwise: t.Scope | None = None) -> list[Part]:
    """The operands as values of the same element type, which is in the operation's class.

    Indices are i64 in arithmetic and comparisons. If all operands are numbers, they get the default type, in the scope
    `otherwise`.
    """
    for operand in operands:
        check_operand(operand)
    if operation.kind != "data" or operation.compares:
        operands = [_counting(operand) for operand in operands]
    operands = _promoted(operands)
    parts = [operand for operand in operands if isinstance(operand, Part)]
    types = list(dict.fromkeys(operand.element for operand in parts))
    joint = joint_type(types)
    if joint == F64 and F64 not in types and (operation.compares or operation.kind in _WHOLE):
        joint = None  # u64 and signed integers, which would be rounded
    if len(types) > 1 and joint is not None:
        operands = [with_elements(each, joint) if isinstance(each, Part) else each for each in operands]
        types = [joint]
    if len(types) > 1:
        title = f"expected operands of the same type, found {' and '.join(map(shown, types))}"
        refuse("type-mismatch", title, _hint_of_types(parts, types))
    if types and operation.kind not in ("bool", "bits", "integral"):
        wanted = types[0]
        for one in operands:
            if not isinstance(one, Part):  # a size is an integer, a number computed from sizes is a float
                sort = 0.5 if isinstance(one, Weak) else 1 if isinstance(one, Size) else one
                wanted = beside_number(wanted, sort)
        if operation.kind in ("floating", "inexact"):
            wanted = floating_type(operation.name, wanted)
        operands = [with_elements(each, wanted) if isinstance(each, Part) else each for each in operands]
        types = [wanted]
        if operation.compares:
            types = [beside_compared(wanted, operands)]
            operands = [
                with_elements(each, types[0]) if isinstance(each, Part) else each for each in operands
            ]
    if types and any(isinstance(operand, complex) for operand in operands):
        types = [complex_type(types[0])]
        operands = [with_elements(each, types[0]) if isinstance(each, Part) else each for each in operands]
    scope = next(
        (operand.scope for operand in operands if isinstance(operand, Part | Size | Weak)), otherwise
    )
    assert scope is not None, operands
    wanted = types[0] if types else _weakest(operation, operands, scope)
    check_kind(operation.name, operation.kind, wanted)
    return [converted(operand, wanted, scope) for operand in operands]


def with_elements(xs: Part, wanted: Type) -> Part:
    """`astype`: the array with its elements converted."""
    return xs if xs.element == wanted else spread(lambda x: cast(x, wanted), [xs], xs.shape)


def reinterpreted(xs: Part, wanted: Type) -> Part:
    """`view`: the numbers with the same bits as the elements. Raises RiseError for types of other widths."""
    names = [t.scalar_name(xs.element), t.scalar_name(wanted)]
    widths = [SCALARS[name].bits for name in names if name and "num" in SCALARS[name].classes]
    if len(widths) < 2 or widths[0] != widths[1]:
        title = f"`view` expected types of numbers with as many bits, found {t.shown(xs.element)} and {t.shown(wanted)}"
        refuse("type-mismatch", title, f"`x.astype({names[1]!r})` converts the values")

    def scalar(x: Part) -> Part:
        bits = Application(ImplicitApplication(TextPiece("bitCast"), (TypeNode(wanted),)), (x.syntax,))
        return computed(wanted, bits, x)

    return xs if xs.element == wanted else spread(scalar, [xs], xs.shape)


def check_operand(given: object) -> None:
    """Refuse an operand that is neither a value nor a number."""
    if isinstance(given, Part | Size | Weak | bool | int | float | complex):
        return
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
    refuse("size", f"expected a size, found {found}", "use a Python integer >= 0, or a size from `x.shape`")


def _counting(operand: Operand) -> Operand:
    """Indices as numbers; other operands themselves."""
    if isinstance(operand, Part) and isinstance(operand.element, IndexType):
        return spread(lambda i: cast(i, I64), [operand], operand.shape)
    return operand


def is_number(part: Part) -> bool:
    """Whether a value is a numpy number: a literal with a type."""
    return isinstance(part.type, ScalarType) and isinstance(part.syntax, Parenthesized | TextPiece)


def _promoted(operands: Sequence[Operand]) -> list[Operand]:
    """Give numpy numbers the type of the arrays, where numpy converts them to that type."""
    types = {operand.element for operand in operands if isinstance(operand, Part) and not is_number(operand)}
    wanted = types.pop() if len(types) == 1 else BOOL
    facts = SCALARS.get(scalar_name(wanted))
    if facts is None or wanted == BOOL:
        return list(operands)

    def promoted(operand: Operand) -> Operand:
        if isinstance(operand, Part) and is_number(operand):
            found = SCALARS[scalar_name(operand.type)].dtype
            return cast(operand, wanted) if np.result_type(found, facts.dtype) == facts.dtype else operand
        return operand

    return [promoted(operand) for operand in operands]


def _hint_of_types(parts: Sequence[Part], types: Sequence[Type]) -> str:
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
    """The type of numbers if no array determines it: bool, i32, or the program's type of floats."""
    if all(isinstance(operand, bool) for operand in operands):
        return BOOL
    if any(isinstance(operand, complex) for operand in operands):
        return complex_type(scope.trace.floating)
    return scope.trace.floating if any(isinstance(operand, float | Weak) for operand in operands) else I32


def _weakest(operation: Operation, operands: Sequence[Operand], scope: t.Scope) -> Type:
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
    return _if(x, number(1, wanted, x.scope), zero)


def _if(condition: Part, yes: Part, no: Part) -> Part:
    syntax = apply("select", condition.syntax, yes.syntax, no.syntax)
    return computed(yes.type, syntax, condition, yes, no)


def primitive(name: str, kind: str, shown_as: str = "", result: Type | None = None) -> Operation:
    """An operation that is a primitive; `result` is its type if it differs from that of the operands."""

    def write(*operands: Part) -> Part:
        return computed(
            result or operands[0].type, apply(name, *(operand.syntax for operand in operands)), *operands
        )

    return Operation(shown_as or name, kind, write, result == BOOL)
