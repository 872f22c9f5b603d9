"""`np.einsum` on symbolic values. Uses the notation of `rise.einsum`; independent of Python operators."""

from __future__ import annotations

from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from rise.dsl.printer import TextPiece
from rise.dsl.terms import Term
from rise.einsum.elaboration import einsum_text
from rise.einsum.operators import operators_of
from rise.einsum.specs import read_spec
from rise.embedding.application import applied
from rise.embedding.elementwise import common
from rise.embedding.operands import Operation
from rise.embedding.places import here, located, refuse
from rise.embedding.scalars import MUL
from rise.embedding.trace import Part, scalar_name
from rise.text.nat_printer import show_nat

_PRODUCT: Final = Operation("einsum", "ring", MUL.write)


def einsum(subscripts: Any, *operands: Any) -> Part:
    """`np.einsum` of arrays of one type; more than two are contracted from left to right."""
    for one in operands:
        if not isinstance(one, Part):
            title = f"expected arrays of the program as operands, found {one!r:.60}"
            refuse("type-mismatch", title, "pass other arrays as parameters of the program")
    parts = common(_PRODUCT, list(operands)) if operands else []
    try:
        spec = read_spec(subscripts, [len(part.shape) for part in parts])
        scalar = scalar_name(parts[0].element)
        path = [(0, 1), *((count, 0) for count in range(len(parts) - 2, 0, -1))][: len(parts) - 1]
        shapes = [[show_nat(size) for size in part.shape] for part in parts]
        text = einsum_text(spec, shapes, None, operators_of(None, scalar), path)
    except RiseError as error:
        raise RiseError(_at_the_call(error.diagnostic)) from None
    return applied(Term(TextPiece(f"({text})")), parts)


def _at_the_call(problem: Diagnostic) -> Diagnostic:
    """The diagnostic at the line of the program, with the specification in a note."""
    notes = (f"the specification is {problem.source!r}",) if problem.source else ()
    return located(Diagnostic(problem.code, problem.title, hint=problem.hint, notes=notes), here())
