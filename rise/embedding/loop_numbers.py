"""Sizes as numbers in terms, including those that change in a loop, such as its variable. Independent of arrays.

In the loop `for i in range(1, n - 1)`, `i` is the size `1 + i'`, where `i'` is a number below `n - 2`. So facts about
sizes decide whether an index is inside of an array.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from rise.dsl.printer import Application, ImplicitApplication, TextPiece, TypeNode
from rise.embedding.places import refuse
from rise.embedding.trace import Part, Scope, Trace, apply, computed, literal, scope_of
from rise.naturals import Nat, NatVar, const, polynomial
from rise.quotients import NatCall, linear_in
from rise.types import I64

_CALLS: Final = {"floor": "floorDiv", "min": "min", "max": "max"}


def variables(nat: Nat, trace: Trace) -> list[NatVar]:
    """The loop variables that a size mentions."""
    return [atom for atom in nat.free if isinstance(atom, NatVar) and atom in trace.loops]


def integer(nat: Nat, trace: Trace) -> Part:
    """A size, which may change in loops and be negative, as an i64."""
    if nat.constant is not None:
        if not isinstance(nat.constant, int):
            _no_integer()
        return literal(nat.constant, I64, trace.root)
    if not variables(nat, trace):
        negative = polynomial([(m, -c) for m, c in nat.terms if c < 0])
        positive = nat + negative
        if negative == const(0):
            return _counted(nat, trace)
        if positive == const(0):
            return _call("neg", integer(negative, trace))
        return _call("sub", integer(positive, trace), integer(negative, trace))
    result: Part | None = None
    rest = const(0)
    for monomial, coefficient in nat.terms:
        if not variables(polynomial([(monomial, coefficient)]), trace):
            rest = rest + polynomial([(monomial, coefficient)])
            continue
        product = _product(monomial, abs(coefficient), trace)
        if result is None:
            result = product if coefficient > 0 else _call("neg", product)
        else:
            result = _call("add" if coefficient > 0 else "sub", result, product)
    assert result is not None
    if rest == const(0):
        return result
    if rest.constant is not None and rest.constant < 0:
        return _call("sub", result, integer(const(-rest.constant), trace))
    return _call("add", result, integer(rest, trace))


def _product(monomial: Any, coefficient: Any, trace: Trace) -> Part:
    """A product of a number, sizes and loop variables."""
    product: Part | None = None
    outside = const(coefficient)
    for base, exponent in monomial:
        power = polynomial([(((base, exponent),), 1)])
        if not variables(power, trace):
            outside = outside * power
            continue
        if not isinstance(exponent, int) or exponent < 0:
            _no_integer()
        for _ in range(exponent):
            factor = _base(base, trace)
            product = factor if product is None else _call("mul", product, factor)
    assert product is not None
    return product if outside == const(1) else _call("mul", integer(outside, trace), product)


def _base(base: Any, trace: Trace) -> Part:
    match base:
        case NatVar():
            index = trace.loops[base]
            return computed(I64, apply("indexAsInt", index.syntax), index)
        case NatCall(function, args) if function in _CALLS:
            return _call(_CALLS[function], *(integer(arg, trace) for arg in args))
        case NatCall("ceil", (numerator, denominator)):
            down = _call("floorDiv", integer(const(0) - numerator, trace), integer(denominator, trace))
            return _call("neg", down)
        case Nat():
            return integer(base, trace)
    _no_integer()


def _counted(nat: Nat, trace: Trace) -> Part:
    if (nat, I64) not in trace.counts:
        root = Part(I64, TextPiece(""), trace.root)
        index = Application(ImplicitApplication(TextPiece("natAsIndex"), (TextPiece("0"),)), (TypeNode(nat),))
        trace.counts[nat, I64] = computed(I64, apply("indexAsInt", index), root)
    return trace.counts[nat, I64]


def _call(name: str, *operands: Part) -> Part:
    return computed(I64, apply(name, *(operand.syntax for operand in operands)), *operands)


def _no_integer() -> NoReturn:
    refuse(
        "symbolic-size",
        "expected an integer, found a quotient of sizes that may be a fraction",
        "divide by `//`",
    )


def innermost(nat: Nat, trace: Trace) -> Scope:
    """The innermost scope that a size needs."""
    parts = [trace.loops[atom] for atom in variables(nat, trace)]
    return scope_of(sorted(parts, key=lambda part: part.scope.depth)[-1:]) if parts else trace.root


def loop_variable(name: str, count: Nat, trace: Trace) -> NatVar:
    """A variable for a loop of `count` iterations, whose name differs from those of sizes and enclosing loops."""
    taken = {*trace.sizes, *(atom.name for atom in trace.loops)}
    while name in taken:
        name += "'"
    return NatVar(name, count)


def end_of(bound: Nat, trace: Trace, direction: int) -> Nat | None:
    """The least (for a negative `direction`) or the greatest value of a number in the enclosing loops; None if it is
    unknown.
    """
    for atom in variables(bound, trace):
        linear = linear_in(bound, atom)
        sign = None if linear is None else linear[0].constant
        if linear is None or sign is None or atom.upper is None:
            return None
        bound = linear[1] + (linear[0] * (atom.upper - 1) if sign * direction > 0 else const(0))
    return bound
