"""The laws of operations that a condition of a rule ensures, as data for proofs.

Independent of rules and conditions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from rise.checker import Operator

C = TypeVar("C", bound=Callable[..., Any])
#: in each case these laws hold; a case without laws is one for which none are known
Cases: TypeAlias = tuple[tuple[Operator, ...], ...]
_CASES: Final = "law_cases"


def ensures(*cases: tuple[Operator, ...]) -> Callable[[C], C]:
    """Say of a condition which laws hold where it does: in one of these cases, all laws of the case.

    The names are those of the rule's metavariables.

    >>> @ensures((Operator("f", neutral="i"),))
    ... def isSum(bindings):
    ...     return True
    >>> [str(operator) for (operator,) in cases_of(isSum)]
    ['f is associative with neutral element i']
    """

    def decorate(condition: C) -> C:
        setattr(condition, _CASES, cases)
        return condition

    return decorate


def cases_of(condition: Callable[..., Any]) -> Cases:
    """The cases that a condition ensures; one without laws if it says nothing."""
    found: Cases = getattr(condition, _CASES, ((),))
    return found
