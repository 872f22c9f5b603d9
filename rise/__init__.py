"""RISE: typed data-parallel patterns as terms, their text, their meaning. Knows nothing of rewriting or of targets.

>>> import rise
>>> dot = rise.parse("fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(mul) |> reduce(add, 0.0))").main
>>> str(dot.type)
'{N: nat} -> N.f32 -> N.f32 -> f32'
"""

from rise import dsl
from rise.diagnostics import Diagnostic, Label, RiseError
from rise.evaluation import evaluate
from rise.heads import assume, specialise
from rise.naturals import Nat
from rise.nodes import Node
from rise.obligations import Obligation, obligations
from rise.program import Program, parse, parse_expr, parse_file
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive, Var
from rise.text.names import bounded
from rise.text.nat_printer import show_nat
from rise.text.printer import show, show_brief, show_program
from rise.text.type_printer import show_type
from rise.types import Type

# How nodes print is known above them: set here, once, so that the imports between the files run one way.
Type.__str__ = show_type  # type: ignore[method-assign,assignment]  # its further parameters have defaults
Type.__repr__ = lambda t: bounded(show_type(t))  # type: ignore[method-assign,arg-type]  # a type shows itself
Expr.__str__ = show  # type: ignore[method-assign,assignment]  # as above
Expr.__repr__ = show_brief  # type: ignore[method-assign,assignment]  # as above
Nat.__str__ = show_nat  # type: ignore[method-assign,assignment]  # as above
Nat.__repr__ = lambda a: bounded(show_nat(a))  # type: ignore[method-assign]  # as above

__all__ = [
    "App",
    "Bound",
    "DepApp",
    "DepLam",
    "Diagnostic",
    "Expr",
    "Label",
    "Lam",
    "Literal",
    "Nat",
    "Node",
    "Obligation",
    "Primitive",
    "Program",
    "RiseError",
    "Type",
    "Var",
    "assume",
    "bounded",
    "dsl",
    "evaluate",
    "obligations",
    "parse",
    "parse_expr",
    "parse_file",
    "show",
    "show_nat",
    "show_program",
    "show_type",
    "specialise",
]
