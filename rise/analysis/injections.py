"""Proves that views write different elements to different places, and finds parallel loops where that is not proved.

An iteration of a loop over an array writes to its own element of the loop's place and to nothing else. A place is found
from memory by a chain of views, each of which maps steps into its operand to steps into its result (`Place`). If every
view of the chain is an injection, so is the chain, whatever its sizes: different iterations write different elements.
So each record is proved once, over symbolic sizes, without inspecting indices in programs. Decision 0031 has the
argument. Independent of statements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from types import SimpleNamespace
from typing import TypeAlias

from rise.indices import disjoint
from rise.inference.schemes import scheme_of
from rise.naturals import Nat, NatVar, const, nat
from rise.nodes import postorder
from rise.primitives import PARALLEL, lookup
from rise.primitives.record import Half, Place, PrimitiveRecord, Way
from rise.terms import App, Expr, Primitive
from rise.types import (
    ArrayType,
    DepArrayType,
    DepFunType,
    FunType,
    PairType,
    Type,
    VectorType,
    instantiate_dependent,
    type_at,
)

Path: TypeAlias = "tuple[int, ...]"


def not_apart(e: Expr) -> tuple[tuple[Path, str], ...]:
    """The parallel loops that write through a view that is not proved to be an injection: their paths, outer ones
    first, each with the name of such a view.
    """
    overlapping = _overlapping(e)
    if not overlapping:
        return ()
    found: list[tuple[Path, str]] = []
    waiting: list[tuple[Expr, Path, str]] = [(e, (), "")]
    while waiting:
        node, path, through = waiting.pop()
        if isinstance(node, Primitive) and through and node.name in PARALLEL:
            found.append((path, through))
        for position, child in enumerate(node.children):
            inside = through
            if isinstance(node, App) and node.root == ("toMem", 1) and position == 1:
                inside = ""  # new memory
            elif isinstance(node, App) and (position == 1 or isinstance(node.arg.type, FunType)):
                # what the function may write through, or what is a function itself
                inside = through or overlapping.get(node.children[1 - position], "")
            waiting.append((child, (*path, position), inside))
    return tuple(sorted(found))


def _overlapping(e: Expr) -> dict[Expr, str]:
    """The parts of a term that contain a view that is not proved to be an injection, with its name."""
    found: dict[Expr, str] = {}
    for node in postorder(e):
        if isinstance(node, Primitive):
            record = lookup(node.name)
            if record is not None and record.places and not is_injection(record):
                found[node] = node.name
        elif isinstance(node, Expr):
            name = next((found[child] for child in node.children if child in found), None)
            if name is not None:
                found[node] = name
    return found


def is_injection(record: PrimitiveRecord) -> bool:
    """Whether each operand of a view is proved to be written to different places for different steps into it, for all
    sizes. False means that it is not known.
    """
    return _are_injections(record.scheme, record.places)


@cache
def _are_injections(scheme: str, places: tuple[Place, ...]) -> bool:
    sizes, parameters, result = _types_of(scheme)
    operands = parameters[len(parameters) - len(places) :]
    return len(operands) == len(places) and all(
        _is_injection(place, sizes, operand, result) for place, operand in zip(places, operands, strict=True)
    )


def _types_of(text: str) -> tuple[SimpleNamespace, list[Type], Type]:
    """The parameters of a scheme as symbols by name, the types of its operands, and the type of the view."""
    scheme = scheme_of(text)
    names = [name for name, _ in scheme.parameters]
    values = [nat(v) if isinstance(v, NatVar) else v for v in scheme.variables]
    sizes = SimpleNamespace(**dict(zip(names, values, strict=True)))
    parameters: list[Type] = []
    t = scheme.body
    while isinstance(t, FunType | DepFunType):
        if isinstance(t, FunType):
            parameters.append(t.parameter)
            t = t.result
        else:
            variable = NatVar(t.name, None)
            if t.kind == "nat":
                setattr(sizes, t.name, nat(variable))
            t = instantiate_dependent(t.result, nat(variable)) if t.kind == "nat" else t.result
    return sizes, parameters, t


def _steps(t: Type, depth: int, number: int) -> Iterator[tuple[NatVar | Half, ...]]:
    """The ways `depth` steps into a type, with a variable for each index; both halves of pairs."""
    if depth == 0:
        yield ()
        return
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            index = NatVar(f"#{number}", size)
            yield from ((index, *rest) for rest in _steps(element, depth - 1, number + 1))
        case DepArrayType(size, family):
            index = NatVar(f"#{number}", size)
            yield from ((index, *rest) for rest in _steps(type_at(family, nat(index)), depth - 1, number + 1))
        case PairType(first, second):
            for which, half in enumerate((first, second)):
                yield from ((Half(which), *rest) for rest in _steps(half, depth - 1, number + 1))
        case _:
            raise AssertionError(f"{t!r} has no {depth} steps")


def _is_injection(place: Place, sizes: SimpleNamespace, operand: Type, result: Type) -> bool:
    """Whether equal places come from equal steps: components of pairs lead to different components, and each index is
    determined by the place, perhaps together with indices already known to be determined.
    """
    halves: set[tuple[Half, ...]] = set()
    for steps in _steps(operand, place.depth, 0):
        way = place.way(sizes, *(nat(step) if isinstance(step, NatVar) else step for step in steps))
        chosen = tuple(step for step in way if isinstance(step, Half))
        if chosen in halves:
            return False
        halves.add(chosen)
        equal = _determined(way, result)
        unknown = [step for step in steps if isinstance(step, NatVar)]
        while unknown:
            index = next((v for v in unknown if any(_fixes(part, v, unknown) for part in equal)), None)
            if index is None:
                return False
            unknown.remove(index)
    return True


def _determined(way: Way, result: Type) -> list[Nat]:
    """Naturals that are equal for equal ways: the indices, and the position in adjacent ones, row by row."""
    indices = [step for step in way if isinstance(step, Nat)]
    rows: list[Nat] = [const(1)] * len(indices)
    position, t = 0, result
    for step in way:
        match t, step:
            case ((ArrayType(size, element) | VectorType(size, element)), Nat()):
                rows[position], t, position = size, element, position + 1
            case PairType(first, second), Half(which):
                t = second if which else first
            case DepArrayType(_, family), Nat():
                t, position = type_at(family, step), position + 1
            case _:
                return indices
    adjacent = [outer * rows[number + 1] + inner for number, (outer, inner) in enumerate(pairwise(indices))]
    return [*indices, *adjacent]


def _fixes(part: Nat, index: NatVar, unknown: Sequence[NatVar]) -> bool:
    """Whether a natural has different values for different values of an index, whatever the other unknown ones are."""
    if index not in part.free:
        return False
    others = [v for v in unknown if v is not index and v in part.free]
    return disjoint(part, 1, part, 1, index, others)
