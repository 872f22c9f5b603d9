"""Applies terms to symbolic values, and infers the type of the result.

Depends on inference, but not on operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.dsl.printer import Annotation, Application, Function, Syntax, TypeNode, TypeText, Variable
from rise.dsl.terms import Term, build
from rise.embedding.places import here, located
from rise.embedding.sharing import occurrences
from rise.embedding.trace import Part, computed, shown
from rise.naturals import NatVar
from rise.types import DepFunType, FunType, Type, instantiate_dependent

HINT: Final = "apply it to values of the types that it expects; `repr(x)` shows the type of a value"


def applied(function: Term, arguments: Sequence[Part]) -> Part:
    """`function(arguments)`. The function may contain symbolic values, too."""
    syntax: Syntax = Application(function.syntax, tuple(variable.syntax for variable in arguments))
    trace = arguments[0].trace
    known = trace.known
    used = {id(variable): variable for variable, _ in occurrences(syntax) if id(variable) in known}
    sizes: list[tuple[Variable, Annotation]] = [(Variable(name), TypeText("{nat}")) for name in trace.sizes]
    values: list[tuple[Variable, Annotation]] = [
        (variable, TypeNode(known[key].type)) for key, variable in used.items()
    ]
    whole = Function((*sizes, *values), syntax) if sizes or values else syntax
    try:
        result_type = _result(build(Term(whole)).type, trace.sizes, len(values))
    except RiseError as error:
        problem = error.diagnostic
        notes = (f"the term is {Term(syntax)}", *problem.notes)
        raise RiseError(
            located(Diagnostic(problem.code, problem.title, hint=problem.hint or HINT, notes=notes), here())
        ) from None
    if isinstance(result_type, DepFunType | FunType):
        title = f"expected a value, found a function: {shown(result_type)}"
        raise RiseError(located(Diagnostic("type-mismatch", title, hint="pass all arguments"), here()))
    outside = [Part(known[key].type, variable, known[key].scope) for key, variable in used.items()]
    return computed(result_type, syntax, *arguments, *outside)


def _result(t: Type, sizes: Sequence[str], values: int) -> Type:
    """The result type of a function applied to sizes and values; a function type if it has more parameters."""
    for name in sizes:
        if isinstance(t, DepFunType):
            t = instantiate_dependent(t.result, NatVar(name, None))
    for _ in range(values):
        t = t.result if isinstance(t, FunType) else t
    return t
