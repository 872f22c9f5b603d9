"""Any term applied to symbolic values: its type is inferred. Knows inference, no operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.dsl.printer import Annotation, Applied, Function, Meant, Said, Syntax, Variable
from rise.dsl.terms import Term, build
from rise.embedding.places import here, located
from rise.embedding.sharing import occurrences
from rise.embedding.trace import Part, computed, shown
from rise.naturals import NatVar
from rise.types import DepFunType, FunType, Type, instantiate_dependent

HINT: Final = "apply it to values of the types that it takes: `x.shape` and `repr(x)` say what a value is"


def applied(function: Term, arguments: Sequence[Part]) -> Part:
    """`function(arguments)`; what the function mentions may be symbolic values, too."""
    syntax: Syntax = Applied(function.syntax, tuple(one.syntax for one in arguments))
    trace = arguments[0].trace
    known = trace.known
    mentioned = {id(one): one for one, _ in occurrences(syntax) if id(one) in known}
    sizes: list[tuple[Variable, Annotation]] = [(Variable(name), Said("{nat}")) for name in trace.sizes]
    values: list[tuple[Variable, Annotation]] = [
        (one, Meant(known[key].type)) for key, one in mentioned.items()
    ]
    whole = Function((*sizes, *values), syntax) if sizes or values else syntax
    try:
        found = _result(build(Term(whole)).type, trace.sizes, len(values))
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


def _result(t: Type, sizes: Sequence[str], values: int) -> Type:
    """What a function of sizes and values gives; of one that has more parameters, a function."""
    for name in sizes:
        if isinstance(t, DepFunType):
            t = instantiate_dependent(t.result, NatVar(name, None))
    for _ in range(values):
        t = t.result if isinstance(t, FunType) else t
    return t
