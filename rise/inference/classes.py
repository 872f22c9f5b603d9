"""The classes of unknown types: those of programs, and those of literals whose type is not determined yet.

Independent of unknowns.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from rise.scalars import kind_classes

ANY: frozenset[str] = frozenset()
DATA: frozenset[str] = frozenset(("data",))
NUMBER: frozenset[str] = kind_classes("ring")
FLOATING: frozenset[str] = kind_classes("floating")
#: the class of integer literals without a type: numbers, or indices where these are expected
LITERAL: Final = "literal"
INTEGER_LITERAL: frozenset[str] = DATA | {LITERAL}
#: the class of literals with a fraction and without a type: floating-point numbers, or complex ones
FRACTION: Final = "fraction"
FRACTION_LITERAL: frozenset[str] = NUMBER | {FRACTION}
COMPLEX: frozenset[str] = frozenset(("complex",))


@cache
def plain_classes(classes: frozenset[str]) -> frozenset[str]:
    """The classes, with those of literals replaced by the classes of numbers that they stand for."""
    if LITERAL in classes:
        classes = (classes - {LITERAL}) | NUMBER
    if FRACTION in classes:
        classes = (classes - {FRACTION}) | (NUMBER if classes >= COMPLEX else FLOATING)
    return classes
