"""Recognises the remaining specification in a program: the innermost nest of its kind, its sizes and the locations of
its operands.

Depends on terms, but not on schedules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from rise.naturals import Nat
from rise.primitives import with_trait
from rise.terms import App, Bound, Expr, Lam, Primitive, spine
from rise.text.nat_printer import show_nat
from rise.types import (
    ArrayType,
    DepFunType,
    FragmentType,
    FunType,
    PairType,
    ScalarType,
    Type,
    VectorType,
)
from strategies.fireiron.sources import (
    PARTS,
    Visit,
    arrays_of,
    axes_of,
    children_of,
    location,
    parameter,
    reads_array,
    visits,
)
from strategies.fireiron.specs import CA, FR, GL, RF, Kernel, Kind, Size, Spec, Warp, start_of
from strategies.parts.product_chains import namesProduct
from strategies.vocabulary.traversals import FOLDED

#: a part of a program: all of it, or of one that names a product, this product or what reads it
ProgramPart: TypeAlias = Literal["all", "first", "second"]
#: functions that multiply their first two operands
MULTIPLYING: Final = with_trait("multiplies")


def isVectors(e: Expr) -> bool:
    """An array of vectors as an array of their numbers."""
    inner = e.arg.type if isinstance(e, App) else None
    return (
        isinstance(inner, ArrayType)
        and isinstance(inner.element, VectorType)
        and isinstance(e.type, ArrayType)
        and isinstance(e.type.element, ScalarType)
    )


def numbers_of(e: Expr, rank: int) -> Expr | None:
    """What a nest of maps, one for each axis of an array of `rank` axes, computes for each number, or for each vector;
    None for others.
    """
    for _ in range(rank):
        e = e.arg if isVectors(e) and isinstance(e, App) else e
        function = spine(e)[1][0] if e.root == ("map", 2) else None
        if not isinstance(function, Lam):
            return None
        e = function.body
    return None if isinstance(e.type, ArrayType | PairType | FunType | DepFunType) else e


def isElementNest(e: Expr) -> bool:
    """Two maps that compute the numbers of a matrix."""
    return numbers_of(e, 2) is not None


def _factors(nest: Visit) -> tuple[Visit, Visit] | None:
    """The two factors that a nest multiplies: in its reduction, if it has one, and not in a function of the sum."""
    start = next((visit for visit in visits(nest) if visit.term.root in FOLDED), nest)
    for visit in visits(start):
        head, arguments = spine(visit.term) if isinstance(visit.term, App) else (None, ())
        if isinstance(head, Primitive) and head.name in MULTIPLYING and len(arguments) >= 2:
            first, second = arguments[0], arguments[1]
            assert isinstance(first, Expr) and isinstance(second, Expr)
            if all(reads_array(replace(visit, term=factor)) for factor in (first, second)):
                return _number(visit, first), _number(visit, second)
    return None


def _first_product(factor: Visit) -> Visit | None:
    """The nest of a product from whose numbers a factor comes."""
    arrays = (array for array in arrays_of(factor) if numbers_of(array.term, 2) is not None)
    return next((array for array in arrays if _factors(array) is not None), None)


def _factors_of_chain(nest: Visit, kind: Kind) -> tuple[Visit, ...] | None:
    """The factors of a nest, with those of the product that one of them comes from in place of it."""
    factors = _factors(nest)
    if factors is None or (product := _first_product(factors[kind.first_factor])) is None:
        return None
    first = _factors(product)
    return (
        (*factors[: kind.first_factor], *first, *factors[kind.first_factor + 1 :])
        if first is not None
        else None
    )


def _number(visit: Visit, e: Expr) -> Visit:
    """The number of an array from which a factor is computed, such as by conversions, or by constants."""
    while isinstance(e, App) and e.root not in PARTS:
        read = dict.fromkeys(one for one in _operands(e) if reads_array(replace(visit, term=one)))
        if len(read) != 1:
            break
        (e,) = read
    return replace(visit, term=e)


def _operands(e: App) -> Iterator[Expr]:
    return (one for one in spine(e)[1] if isinstance(one, Expr))


def _reduced(nest: Visit) -> tuple[Visit, ...]:
    """The arrays that a nest reduces, outermost first."""
    folds = (visit for visit in visits(nest) if visit.term.root in FOLDED)
    arrays = ((visit, spine(visit.term)[1][-1]) for visit in folds)
    return tuple(replace(visit, term=array) for visit, array in arrays if isinstance(array, Expr))


def _depths(nest: Visit, spec: Spec) -> list[Size]:
    """The size of each summed axis of a nest: in a reduction in parts, that of the innermost one."""
    if not spec.kind.is_chain:
        return [_depth(nest, spec.kind.reduces)] if spec.kind.summed else []
    factors = _factors(nest)
    product = _first_product(factors[spec.kind.first_factor]) if factors is not None else None
    assert product is not None, nest.term
    return [_depth(product), _depth(nest)]


def _depth(nest: Visit, is_innermost: bool = False) -> Size:
    """The number of elements that a nest sums, in its outermost or innermost reduction."""
    arrays = _reduced(nest)
    if not arrays:
        return 1
    t = arrays[-1 if is_innermost else 0].term.type
    return _size(t.size, nest.sizes) if isinstance(t, ArrayType) else 1


def _size(n: Nat, names: tuple[str, ...]) -> Size:
    """A size as a number, or as the program writes it."""
    if n.constant is not None:
        return n.constant
    return re.sub(r"%(\d+)", lambda found: names[-1 - int(found[1])], show_nat(n))


def _numbers(nest: Visit) -> tuple[Visit, ...]:
    """The numbers, or vectors of numbers, that a nest reads: those of each array once, in the order of the parameters
    that the arrays come from.
    """
    found: dict[tuple[int, Expr], Visit] = {}
    for visit in visits(nest):
        e = visit.term
        while isinstance(e, App) and e.root in PARTS:
            e = e.arg
        if isinstance(e, Bound) and isinstance(visit.term.type, ScalarType | VectorType):
            array = next((one for one in arrays_of(visit) if isinstance(one.term.type, ArrayType)), None)
            if array is not None and parameter(visit) is not None:
                found.setdefault((array.scope.depth if array.scope is not None else 0, array.term), visit)
    return tuple(sorted(found.values(), key=lambda visit: parameter(visit) or 0))


def arrays_read(program: Expr, spec: Spec) -> int:
    """The number of arrays from which a nest computes its numbers."""
    found = innermost_nest(program, spec)
    return len(_numbers(found[0])) if found is not None else 0


def reads_of(nest: Visit, spec: Spec) -> tuple[Visit, ...] | None:
    """What a nest of a kind reads, in the order of the operands; None if the nest is of another kind."""
    if spec.kind.is_chain:
        return _factors_of_chain(nest, spec.kind)
    if spec.kind.multiplies:
        return _factors(nest)
    arrays = _reduced(nest)
    if spec.kind.reduces and arrays:
        return arrays[-1:]
    if bool(arrays) != spec.kind.reduces and not nest.loops:  # in a loop, sums of single numbers are left
        return None
    found = _numbers(nest)
    return found if len(found) == len(spec.kind.operands) else None


def innermost_nest(
    program: Expr, spec: Spec, part: ProgramPart = "all"
) -> tuple[Visit, tuple[Visit, ...]] | None:
    """The innermost nest of a kind in a part of a program, with its operands; None if there is none."""
    innermost, found = -1, None
    if not spec.kind.is_grouped and rank_of(program) != len(spec.shape) + len(spec.kind.batch):
        return None
    if (start := _part(Visit(program), part)) is None:
        return None
    for visit in visits(start):
        if visit.loops > innermost and numbers_of(visit.term, len(spec.shape)) is not None:
            operands = reads_of(visit, spec)
            if operands is not None:
                found, innermost = (visit, operands), visit.loops
    return found


def _part(program: Visit, part: ProgramPart) -> Visit | None:
    """A part of a program that names a product: the value of the name, or what reads it; None without such a name."""
    if part == "all":
        return program
    names = next((visit for visit in visits(program) if namesProduct(visit.term)), None)
    if names is None:
        return None
    second, first = children_of(names)
    return first if part == "first" else second


def rank_of(program: Expr) -> int:
    """The number of axes of the array that a program computes."""
    t, rank = program.type, 0
    while isinstance(t, FunType | DepFunType):
        t = t.result
    while isinstance(t, ArrayType):
        t, rank = t.element, rank + 1
    return rank


def shapes_of(program: Expr) -> tuple[tuple[Nat, ...], ...]:
    """The sizes of the axes of each array that a program takes, and of the one that it computes."""
    types, t = list[Type](), program.type
    while isinstance(t, FunType | DepFunType):
        if isinstance(t, FunType):
            types.append(t.parameter)
        t = t.result
    found: list[tuple[Nat, ...]] = []
    for one in (*types, t):
        sizes: list[Nat] = []
        while isinstance(one, ArrayType):
            sizes.append(one.size)
            one = one.element
        found.append(tuple(sizes))
    return (*filter(None, found[:-1]), found[-1])


def _types(nest: Visit, spec: Spec) -> Iterator[Type]:
    """The types of the result of a nest: of the whole array, its rows, and its numbers."""
    t = nest.term.type
    yield t
    for _ in spec.shape:
        assert isinstance(t, ArrayType)
        t = t.element
        yield t


def element_types(program: Expr, spec: Spec) -> tuple[str, ...] | None:
    """The scalar types in which the operands of the specification are stored in a program, and that of its result; None
    if the program is of another kind.
    """
    found = innermost_nest(program, spec)
    if found is None:
        return None
    nest, operands = found
    *_, element = _types(nest, spec)
    return *(element_of(operand.term.type) for operand in operands), str(element)


def types_of_sums(program: Expr, spec: Spec) -> tuple[str | None, ...]:
    """The scalar types in which the operands of the specification are stored in a program, and that of its sums; empty
    if the program is of another kind, None for sums of other types.
    """
    found = innermost_nest(program, spec)
    if found is None:
        return ()
    nest, operands = found
    sums = next((visit.term.type for visit in visits(nest) if visit.term.root in FOLDED), None)
    return (
        *(element_of(operand.term.type) for operand in operands),
        str(sums) if isinstance(sums, ScalarType) else None,
    )


def element_of(t: Type) -> str:
    while isinstance(t, ArrayType):
        t = t.element
    return str(t)


def recognised(program: Expr, spec: Spec, is_element: bool = False, part: ProgramPart = "all") -> Spec | None:
    """The specification, of the kind of a predicted one, of the innermost nest of a part of a program, or of an element
    of it if `is_element`; or None.
    """
    found = innermost_nest(program, spec, part)
    if found is None:
        return _instruction(program, spec, part)
    nest, operands = found
    *arrays, _ = _types(nest, spec)
    number = numbers_of(nest.term, len(arrays))
    assert number is not None
    sizes = [1 if is_element else _size(t.size, nest.sizes) for t in arrays if isinstance(t, ArrayType)]
    if isinstance(number.type, VectorType):
        sizes = [*(1 for _ in sizes[1:]), _size(number.type.size, nest.sizes)]
    sizes += _depths(nest, spec)
    places = (*(location(one) for one in operands), RF if nest.loops else GL)
    return Spec(spec.kind, tuple(sizes), places, Kernel)


def multiplies_product(program: Expr, spec: Spec) -> bool:
    """Whether a factor of a product is computed by another product."""
    found = innermost_nest(program, spec) if spec.kind.multiplies and not spec.kind.is_chain else None
    return found is not None and any(_first_product(factor) is not None for factor in found[1])


def with_axes_of(program: Expr, kind: Kind) -> Kind:
    """A kind with the axes by which a program indexes its operands, where they are known; the same for products."""
    start = start_of(kind, {})
    found = innermost_nest(program, start) if not kind.multiplies and not kind.batch else None
    if found is None:
        return kind
    nest, operands = found
    numbers = [axes_of(operand, nest, len(start.shape)) for operand in operands]
    axes = tuple(
        axes if found is None else tuple(kind.axes[number] for number in found)
        for axes, found in zip(kind.operands, numbers, strict=True)
    )
    if axes == kind.operands or not kind.subscripts:
        return replace(kind, operands=axes)
    subscripts = f"{','.join(map(''.join, axes))}->{''.join(kind.result)}"
    return replace(kind, operands=axes, subscripts=subscripts)


def _instruction(program: Expr, spec: Spec, part: ProgramPart) -> Spec | None:
    """The matrix instruction of a part of a program that multiplies."""
    if (start := _part(Visit(program), part)) is None:
        return None
    for visit in visits(start):
        t = visit.term.type
        if visit.term.root == ("tensorMatMulAdd", 3) and isinstance(t, FragmentType) and spec.kind.multiplies:
            sizes = tuple(_size(size, visit.sizes) for size in (t.rows, t.columns, t.depth))
            return Spec(spec.kind, sizes, (FR, FR, FR), Warp)
    return None


def fits(spec: Spec, found: Spec | None) -> bool:
    """Whether a recognised specification is the predicted one.

    A named size matches any size. Matrices that are to be in fragments are elsewhere until there is an instruction, and
    sums are in registers once there is a loop.
    """
    if found is None:
        return False
    sizes = zip(spec.sizes, found.sizes, strict=True)
    if any(isinstance(wanted, int) and wanted != size for wanted, size in sizes):
        return False
    if found.target is FR:
        return set(spec.places) == {FR}
    operands = list(zip(spec.places, found.places, strict=True))[:-1]
    return all(wanted in (FR, place) or (wanted, place) == (CA, RF) for wanted, place in operands) and (
        found.target is GL or spec.target is not GL
    )
