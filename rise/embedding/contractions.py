"""`np.einsum` on symbolic values. Uses the notation of `rise.einsum`; independent of Python operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from rise.dsl.printer import TextPiece
from rise.dsl.terms import Term
from rise.einsum.axis_numbers import from_numbers
from rise.einsum.elaboration import einsum_text, from_left_to_right
from rise.einsum.specs import Spec, read_spec
from rise.embedding.application import applied
from rise.embedding.elementwise import common
from rise.embedding.lengths import ONE, UnequalLengthsError
from rise.embedding.operands import Operation
from rise.embedding.places import here, located, refuse
from rise.embedding.scalars import MUL
from rise.embedding.trace import Part, scalar_name
from rise.naturals import Nat
from rise.programs.contraction_operators import operators_of
from rise.text.nat_printer import show_nat

_PRODUCT: Final = Operation("einsum", "ring", MUL.write)


def einsum(subscripts: Any, *operands: Any, optimize: Any = False) -> Part:
    """`np.einsum` of arrays of one type, with letters or with numbers for axes; more than two are contracted from left
    to right. `optimize` changes nothing: strategies decide how sums are computed.
    """
    for one in operands:
        if not isinstance(one, Part):
            title = f"expected arrays of the program as operands, found {one!r:.60}"
            refuse("type-mismatch", title, "pass other arrays as parameters of the program")
    parts = common(_PRODUCT, list(operands)) if operands else []
    shapes = [part.shape for part in parts]
    spec = None
    try:
        spec = read_spec(subscripts, list(map(len, shapes)))
        scalar = scalar_name(parts[0].element)
        path = from_left_to_right(len(parts))
        texts = [list(map(show_nat, shape)) for shape in shapes]
        text = einsum_text(spec, texts, None, operators_of(None, scalar), path)
    except RiseError as error:
        diagnostic = _at_the_call(error.diagnostic)
        lengths = None if spec is None else _unequal_lengths(spec, shapes)
        if lengths is not None:
            raise UnequalLengthsError(diagnostic, lengths) from None
        raise RiseError(diagnostic) from None
    return applied(Term(TextPiece(f"({text})")), parts)


def with_letters(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of `np.einsum` with letters for axes, also if they have a list of numbers after each operand."""
    if not arguments or isinstance(arguments[0], str):
        return arguments
    try:
        subscripts, operands = from_numbers(arguments)
    except RiseError as error:
        raise RiseError(_at_the_call(error.diagnostic)) from None
    return (subscripts, *operands)


def is_permutation(subscripts: Any) -> bool:
    """Whether `np.einsum` of one array returns a view of it: nothing is summed."""
    if not isinstance(subscripts, str) or "," in subscripts:
        return False
    given, arrow, result = subscripts.partition("->")
    letters = set(given) - set(" .")
    return letters <= set(result) if arrow else all(given.count(letter) == 1 for letter in letters)


def _unequal_lengths(spec: Spec, shapes: Sequence[Sequence[Nat]]) -> tuple[Nat, Nat] | None:
    """The first two lengths of one letter that differ; None if all are equal, or 1."""
    found: dict[str, Nat] = {}
    for term, shape in zip(spec.operands, shapes, strict=True):
        for letter, size in zip(term.letters, shape, strict=True):
            known = found.get(letter, ONE)
            if known not in (ONE, size) and size != ONE:
                return known, size
            found[letter] = known if size == ONE else size
    return None


def _at_the_call(problem: Diagnostic) -> Diagnostic:
    """The diagnostic at the line of the program, with the specification in a note."""
    notes = (f"the specification is {problem.source!r}",) if problem.source else ()
    return located(Diagnostic(problem.code, problem.title, hint=problem.hint, notes=notes), here())
