"""Broadcasts scalar operations over arrays, as numpy does. Depends on scalar functions, not on Python operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rise.dsl.printer import Application, ImplicitApplication, TextPiece, TypeNode
from rise.embedding import trace as t
from rise.embedding.lengths import ONE, broadcast, may_be_promised
from rise.embedding.operand_types import (
    beside_compared,
    beside_number,
    check_kind,
    complex_type,
    floating_type,
    joint_type,
)
from rise.embedding.operands import (
    Operand,
    Operation,
    Scalar,
    Size,
    Weak,
    cast,
    check_operand,
    choice,
    converted,
    hint_of_types,
    promoted,
    weakest,
)
from rise.embedding.places import refuse
from rise.embedding.trace import (
    Part,
    apply,
    computed,
    function,
    is_open,
    name_of,
    piped,
    shown,
    viewed,
)
from rise.naturals import Nat
from rise.part_names import said_by, spelled
from rise.scalars import SCALARS
from rise.types import F64, I64, ArrayType, IndexType, PairType, Type, element_of

#: the classes of operations that do not exist on floats
_WHOLE: Final = ("bits", "integral")


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
    flags = common(Operation("where", "bool", choice), [condition], scope)
    values = common(Operation("where", "data", choice), [yes, no], scope)
    parts = matched([*flags, *values])
    return spread(choice, parts, broadcast([operand.shape for operand in parts]))


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

    Indices are i64 in arithmetic and comparisons, and beside numbers and indices of other lengths. If all operands are
    numbers, they get the default type, in the scope `otherwise`.
    """
    for operand in operands:
        check_operand(operand)
    if operation.kind != "data" or operation.compares or _has_indices_and_others(operands):
        operands = [_counting(operand) for operand in operands]
    operands = promoted(operands)
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
        refuse("type-mismatch", title, hint_of_types(parts, types))
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
    wanted = types[0] if types else weakest(operation, operands, scope)
    check_kind(operation.name, operation.kind, wanted)
    return [converted(operand, wanted, scope) for operand in operands]


def wider_type(one: Type, other: Type) -> Type | None:
    """The type that holds the values of two types, or arrays of them of the same shape: of floats, the wider one; of
    indices, and of indices and i64, i64. None for other types.
    """
    elements = [element_of(one), element_of(other)]
    facts = [SCALARS.get(t.scalar_name(each)) for each in elements]
    joint = None
    if all(each is not None and "floating" in each.classes for each in facts):
        joint = joint_type(elements)
    elif one != other and all(isinstance(each, IndexType) or each == I64 for each in elements):
        joint = I64
    return (
        None if joint is None or t.shape_of(one) != t.shape_of(other) else t.array_of(t.shape_of(one), joint)
    )


def counted_beside(xs: Part, value: Operand) -> Part:
    """An array of indices as numbers, if a value that is assigned to its elements is none of these indices."""
    if not isinstance(xs.element, IndexType) or (isinstance(value, Part) and value.element == xs.element):
        return xs
    return with_elements(xs, I64)


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


def _has_indices_and_others(operands: Sequence[Operand]) -> bool:
    """Whether some operands are indices, and not all are indices of the same length."""
    types = [operand.element if isinstance(operand, Part) else None for operand in operands]
    return any(isinstance(one, IndexType) for one in types) and any(one != types[0] for one in types)


def _counting(operand: Operand) -> Operand:
    """Indices as numbers; other operands themselves."""
    if isinstance(operand, Part) and isinstance(operand.element, IndexType):
        return spread(lambda i: cast(i, I64), [operand], operand.shape)
    return operand
