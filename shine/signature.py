"""What a kernel takes and gives, as text for people. Knows no target."""

from __future__ import annotations

from rise.text.type_printer import show_type
from shine.imperative import Procedure


def signature_text(procedure: Procedure) -> str:
    """The parameters with their types, the result, and the sizes that a call determines.

    As `mm(A: n.k.f32, B: k.m.f32) -> n.m.f32 for all n, m, k`; with what must hold of them: `where 32 divides n`.
    """
    inputs = ", ".join(f"{one.name}: {show_type(one.type)}" for one in procedure.given)
    hidden = {*(table.rows for table in procedure.tables), *(size for size, _ in procedure.measures)}
    sizes = ", ".join(size.name for size in procedure.sizes if size not in hidden)
    needs = ", ".join(one.condition for one in procedure.checks)
    of = f" for all {sizes}{f' where {needs}' if needs else ''}" if sizes else ""
    return f"{procedure.name}({inputs}) -> {show_type(procedure.output.type)}{of}"
