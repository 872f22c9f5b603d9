"""Builds RISE terms in Python, as text that is then parsed. Depends on the text language, but on no lower layer.

The package has every primitive under its name; `and_`, `or_`, `not_` have an underscore, since their names are Python
keywords.

>>> from rise.dsl import add, build, fun, map, mul, reduce, zip
>>> dot = build(fun(lambda xs, ys: zip(xs, ys) | map(mul) | reduce(add, 0.0), "N.f32", "N.f32"))
>>> str(dot.type)
'{N: nat} -> N.f32 -> N.f32 -> f32'

Python's syntax for terms: `f(a, b)`, `xs | f` for `xs |> f`, `f >> g`, `+ - * / %`, comparisons (`==` builds a term,
too), `~` for not, `cast["f32"](x)` for arguments in braces, a list for an array, a tuple of two for a pair, a `lambda`
for a function. In sizes, both `//` and `/` are the floor quotient, `exact_quotient` is the exact quotient, and `**` the
power. A Python value that is used twice occurs twice in the term; with `let`, it is computed once.
"""

import keyword

from rise.diagnostics import did_you_mean
from rise.dsl.printer import TextPiece
from rise.dsl.terms import (
    Term,
    TermLike,
    ascribe,
    build,
    define,
    definition,
    exact_quotient,
    fun,
    if_,
    lift,
    literal,
    nat,
    var,
)
from rise.inference.names import OVERLOADS, SPELLINGS
from rise.primitives import PRIMITIVES, lookup
from rise.quotients import FUNCTIONS
from rise.scalars import SPACES

_NAMED = (*PRIMITIVES, *OVERLOADS, *SPELLINGS, *SPACES)

__all__ = [  # noqa: PLE0604  # the last element unpacks strings, too
    "Term",
    "TermLike",
    "ascribe",
    "build",
    "define",
    "definition",
    "exact_quotient",
    "fun",
    "if_",
    "lift",
    "literal",
    "nat",
    "var",
    *(f"{name}_" if keyword.iskeyword(name) else name for name in _NAMED),  # names of primitives
]


def __getattr__(name: str) -> Term:
    """A primitive, an address space, or a function of sizes."""
    plain = name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
    if lookup(plain) is not None or plain in _NAMED or plain in FUNCTIONS:
        return Term(TextPiece(plain))
    hint = "" if name.startswith("_") else did_you_mean(name, __all__)
    raise AttributeError(f"rise.dsl has no {name}{'; ' + hint if hint else ''}")


def __dir__() -> list[str]:
    return sorted(__all__)
