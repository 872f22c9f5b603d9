"""Any term applied to symbolic values: its type is inferred. Knows inference, no operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.dsl.terms import Term, build
from rise.dsl.written import Applied, Syntax, Variable
from rise.embedding.places import here, located
from rise.embedding.sharing import occurrences, replaced
from rise.embedding.trace import Part, computed, shown
from rise.types import DepFunType, FunType

HINT: Final = "apply it to values of the types that it takes: `x.shape` and `repr(x)` say what a value is"


def applied(function: Term, arguments: Sequence[Part]) -> Part:
    """`function(arguments)`; what the function mentions may be symbolic values, too."""
    syntax: Syntax = Applied(function.syntax, tuple(one.syntax for one in arguments))
    known = arguments[0].trace.known
    mentioned = {id(one): one for one, _ in occurrences(syntax) if id(one) in known}
    free: dict[int, Syntax] = {
        key: Variable(f"x'{number}", shown(known[key].type)) for number, key in enumerate(mentioned)
    }
    try:
        found = build(Term(replaced(syntax, free))).type
    except RiseError as error:
        said = error.diagnostic
        notes = (f"the term is {Term(syntax)}", *said.notes)
        raise RiseError(
            located(Diagnostic(said.code, said.title, hint=said.hint or HINT, notes=notes), here())
        ) from None
    if isinstance(found, DepFunType | FunType):
        title = f"expected a value, found a function: {shown(found)}"
        raise RiseError(located(Diagnostic("type-mismatch", title, hint="give all arguments"), here()))
    outside = [Part(known[key].type, one, known[key].scope) for key, one in mentioned.items()]
    return computed(found, syntax, *arguments, *outside)
