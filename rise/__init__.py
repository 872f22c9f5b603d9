"""RISE: typed data-parallel patterns as terms, their text and their meaning. Independent of rewriting and targets.

>>> import rise
>>> dot = rise.parse("fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(mul) |> reduce(add, 0.0))").main
>>> str(dot.type)
'{N: nat} -> N.f32 -> N.f32 -> f32'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from rise import forks  # noqa: F401  # first: from then on, forks wait for the imports of other threads

# isort: split
from rise import dsl
from rise.analysis.obligations import Obligation, obligations
from rise.arguments.ragged_arrays import Ragged
from rise.diagnostics import Diagnostic, Label, RiseError
from rise.fingerprints import digest
from rise.forks import importing
from rise.naturals import Nat
from rise.nodes import Node
from rise.packages import warn_of_package
from rise.printer.html import html_of
from rise.printer.scopes import within
from rise.printer.terms import MAX_BRIEF_CHARACTERS, show, show_brief, show_program
from rise.programs.evaluation import evaluate
from rise.programs.foreign import Foreign
from rise.programs.heads import assume, specialise
from rise.programs.program import Program, parse, parse_expr, parse_file
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive, Var
from rise.text.names import bounded
from rise.text.nat_printer import MAX_PRINTED_WEIGHT, show_nat
from rise.text.type_printer import brief_type, show_type
from rise.types import Type
from rise.version import __version__

if TYPE_CHECKING:
    from rise import embedding
    from rise.embedding import (
        bf16,
        bool_,
        c64,
        c128,
        f8e4m3,
        f8e5m2,
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

# Printing and scopes are defined in layers above the nodes. They are assigned here, so that there are no import cycles.
Type.__str__ = brief_type  # type: ignore[method-assign,assignment]  # its further parameters have defaults
Type.__repr__ = lambda t: bounded(brief_type(t, MAX_BRIEF_CHARACTERS))  # type: ignore[method-assign,arg-type]  # a type shows itself
Expr.__str__ = show  # type: ignore[method-assign,assignment]  # as above
Expr.__repr__ = show_brief  # type: ignore[method-assign,assignment]  # as above
Expr.digest = digest  # type: ignore[attr-defined]  # used by `elevate.fingerprint`
Expr.within = within  # type: ignore[attr-defined]  # used by `elevate.term.Scoped`
Expr._repr_html_ = lambda e: html_of(str(e))  # type: ignore[attr-defined]  # used by notebooks
Type._repr_html_ = lambda t: html_of(str(t))  # type: ignore[attr-defined]  # as above
Nat._repr_html_ = lambda a: html_of(str(a))  # type: ignore[attr-defined]  # as above
Program._repr_html_ = lambda p: html_of(p.text or show_program(p))  # type: ignore[attr-defined]  # as above
Nat.__str__ = show_nat  # type: ignore[method-assign,assignment]  # as above
Nat.__repr__ = lambda a: bounded(show_nat(a)) if a.weight <= MAX_PRINTED_WEIGHT else "..."  # type: ignore[method-assign]  # as above

warn_of_package("shine")

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
    "c128",
    "c64",
    "bounded",
    "dsl",
    "embedding",
    "evaluate",
    "f16",
    "f32",
    "f64",
    "f8e4m3",
    "f8e5m2",
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

#: the names for programs as Python functions, imported on first use, since many users only write text
_EMBEDDING_NAMES: Final = frozenset(
    (
        "program",
        "sizes",
        "bool_",
        "c64",
        "c128",
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
        "f8e4m3",
        "f8e5m2",
    )
)

if not TYPE_CHECKING:  # type checkers use the imports above

    def __getattr__(name: str) -> Any:
        """The names of `rise.embedding`, imported on first use."""
        if name == "embedding" or name in _EMBEDDING_NAMES:
            with importing():
                module = import_module("rise.embedding")
            return module if name == "embedding" else getattr(module, name)
        raise AttributeError(f"module 'rise' has no attribute {name!r}")
