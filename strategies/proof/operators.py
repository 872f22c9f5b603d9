"""Laws of the operations in a program: of arithmetic, up to rounding, and of functions with promises."""

from __future__ import annotations

from collections.abc import Iterator

from rise.checker import Operator
from rise.nodes import postorder
from rise.primitives import has_trait, lookup
from rise.terms import App, Expr, Primitive, Var


def operators_of(given: Expr, result: Expr) -> tuple[Operator, ...]:
    """The operations of two programs with laws that a reassociating derivation may use.

    A promise of the first program, which it makes by reducing with an input, counts; promises of the second do not.
    """
    found = {one.name: one for side in (given, result) for one in _operations(side)}
    return tuple({**found, **{one.name: one for one in _promised(given)}}.values())


def _operations(e: Expr) -> Iterator[Operator]:
    """The operations on numbers that are associative up to rounding, and those that choose one of two numbers."""
    for node in postorder(e):
        record = lookup(node.name) if isinstance(node, Primitive) else None
        if record is None:
            continue
        if has_trait(record.name, "chooses") and has_trait(record.name, "lanewise"):
            yield Operator(record.name, commutes=True, idempotent=True)
        elif record.neutral is not None:
            yield Operator(record.name, neutral=record.neutral, commutes=True)


def _promised(e: Expr) -> Iterator[Operator]:
    """The inputs that a program promises to be associative, by reducing with them."""
    for node in postorder(e):
        match node:
            case App(Primitive(name), Var(function, _)):
                record = lookup(name)
                if record is not None and "associative" in record.promise:
                    yield Operator(function, commutes="commutative" in record.promise)
