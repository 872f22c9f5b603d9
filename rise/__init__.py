"""RISE: typed data-parallel patterns as terms, their text, their meaning. Knows nothing of rewriting or of targets.

>>> import rise
>>> dot = rise.parse("fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(mul) |> reduce(add, 0.0))").main
>>> str(dot.type)
'{N: nat} -> N.f32 -> N.f32 -> f32'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from rise import dsl
from rise.analysis.obligations import Obligation, obligations
from rise.arguments.ragged import Ragged
from rise.diagnostics import Diagnostic, Label, RiseError
from rise.fingerprints import digest
from rise.naturals import Nat
from rise.nodes import Node
from rise.printer.html import html_of
from rise.printer.scopes import within
from rise.printer.terms import BRIEF, show, show_brief, show_program
from rise.programs.evaluation import evaluate
from rise.programs.foreign import Foreign
from rise.programs.heads import assume, specialise
from rise.programs.program import Program, parse, parse_expr, parse_file
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive, Var
from rise.text.names import bounded
from rise.text.nat_printer import MOST_PRINTED, show_nat
from rise.text.type_printer import brief_type, show_type
from rise.types import Type
from rise.version import __version__

if TYPE_CHECKING:
    from rise import embedding
    from rise.embedding import (
        bf16,
        bool_,
        f16,
        f32,
        f64,
        i8,
        i16,
        i32,
        i64,
        program,
        sizes,
        u8,
        u16,
        u32,
        u64,
    )

# How nodes print, and how a term reads inside others, is known above them: set here, once, so that the imports
# between the files run one way.
Type.__str__ = brief_type  # type: ignore[method-assign,assignment]  # its further parameters have defaults
Type.__repr__ = lambda t: bounded(brief_type(t, BRIEF))  # type: ignore[method-assign,arg-type]  # a type shows itself
Expr.__str__ = show  # type: ignore[method-assign,assignment]  # as above
Expr.__repr__ = show_brief  # type: ignore[method-assign,assignment]  # as above
Expr.digest = digest  # type: ignore[attr-defined]  # what `elevate.fingerprint` asks for
Expr.within = within  # type: ignore[attr-defined]  # what `elevate.term.Scoped` asks for
Expr._repr_html_ = lambda e: html_of(str(e))  # type: ignore[attr-defined]  # what notebooks ask for
Type._repr_html_ = lambda t: html_of(str(t))  # type: ignore[attr-defined]  # as above
Nat._repr_html_ = lambda a: html_of(str(a))  # type: ignore[attr-defined]  # as above
Program._repr_html_ = lambda p: html_of(p.text or show_program(p))  # type: ignore[attr-defined]  # as above
Nat.__str__ = show_nat  # type: ignore[method-assign,assignment]  # as above
Nat.__repr__ = lambda a: bounded(show_nat(a)) if a.weight <= MOST_PRINTED else "..."  # type: ignore[method-assign]  # as above

__all__ = [
    "__version__",
    "App",
    "Bound",
    "DepApp",
    "DepLam",
    "Diagnostic",
    "Expr",
    "Foreign",
    "Label",
    "Lam",
    "Literal",
    "Nat",
    "Node",
    "Obligation",
    "Primitive",
    "Program",
    "Ragged",
    "RiseError",
    "Type",
    "Var",
    "assume",
    "bf16",
    "bool_",
    "bounded",
    "dsl",
    "embedding",
    "evaluate",
    "f16",
    "f32",
    "f64",
    "i16",
    "i32",
    "i64",
    "i8",
    "obligations",
    "parse",
    "parse_expr",
    "parse_file",
    "program",
    "show",
    "show_nat",
    "show_program",
    "show_type",
    "sizes",
    "specialise",
    "u16",
    "u32",
    "u64",
    "u8",
]

#: what programs as Python functions need: imported when it is asked for, as many a user writes text
_EMBEDDED: Final = frozenset(
    (
        "program",
        "sizes",
        "bool_",
        "i8",
        "i16",
        "i32",
        "i64",
        "u8",
        "u16",
        "u32",
        "u64",
        "f16",
        "bf16",
        "f32",
        "f64",
    )
)

if not TYPE_CHECKING:  # a type checker knows the names from above

    def __getattr__(name: str) -> Any:
        """What `rise.embedding` has."""
        if name == "embedding" or name in _EMBEDDED:
            found = import_module("rise.embedding")
            return found if name == "embedding" else getattr(found, name)
        raise AttributeError(f"module 'rise' has no attribute {name!r}")
