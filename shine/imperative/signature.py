"""The signature of a kernel, for people, and which inputs are passed by value. Independent of targets."""

from __future__ import annotations

from rise.naturals import Nat, nat
from rise.text.nat_printer import show_nat
from rise.text.type_printer import show_type
from rise.types import ArrayType, DepArrayType, PairType, Type, TypeFamily, VectorType
from shine.imperative.nodes import Parameter, Procedure


def signature_text(procedure: Procedure) -> str:
    """The parameters with their types, the result, and the sizes that a call determines, with their conditions.

    For example `mm(A: n.k.f32, B: k.m.f32) -> n.m.f32 for all n, m, k where 32 divides n`.
    """
    numbers: dict[int, Nat] = {pair.position: nat(pair.size) for pair in procedure.pairs}
    inputs = ", ".join(
        f"{parameter.name}: {_shown(parameter.type, numbers.get(k))}"
        for k, parameter in enumerate(procedure.given)
    )
    result = _shown(procedure.output.type, procedure.number)
    hidden = {*(table.rows for table in procedure.tables), *(size for size, _ in procedure.measures)}
    sizes = ", ".join(size.name for size in procedure.sizes if size not in hidden)
    needs = ", ".join(check.condition for check in procedure.checks)
    of = f" for all {sizes}{f' where {needs}' if needs else ''}" if sizes else ""
    return f"{procedure.name}({inputs}) -> {result}{of}"


def passed_by_value(parameter: Parameter) -> list[bool]:
    """For each buffer of an input, whether the function takes the number itself instead of a pointer."""
    found: list[bool] = []
    waiting: list[tuple[Type, bool]] = [(parameter.type, True)]
    while waiting:
        t, is_number = waiting.pop()
        match t:
            case PairType(first, second):
                waiting += [(second, is_number), (first, is_number)]
            case DepArrayType(_, TypeFamily(_, body)):
                waiting.append((body, False))
            case ArrayType(_, element) | VectorType(_, element):
                waiting.append((element, False))
            case _:
                found.append(is_number)
    return found


def _shown(t: Type, number: Nat | None) -> str:
    """The text of a type; for a dependent pair, with its number."""
    return show_type(t) if number is None else f"({show_nat(number)} ** {show_type(t)})"
