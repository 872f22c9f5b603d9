"""Laws that a condition of a rule ensures, as data for proofs: laws of operations, and forms of terms.

Independent of rules and conditions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from rise.checker import Operator
from rise.records import dataclass

C = TypeVar("C", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Form:
    """A metavariable is a term of this form, in the notation of equations; its free names are new metavariables.

    A local form is that of a name at each place where the equation uses it, and mentions what is bound there.
    """

    name: str
    written: str
    is_local: bool = False

    def __str__(self) -> str:
        return f"{self.name} is `{self.written}`"


#: in each case all of this holds; a case without laws is one for which none are known
Cases: TypeAlias = tuple[tuple[Operator | Form, ...], ...]
_CASES: Final = "law_cases"


def ensures(*cases: tuple[Operator | Form, ...]) -> Callable[[C], C]:
    """Say of a condition what is true where it holds: in one of these cases, all of the case.

    The names are those of the rule's metavariables. A condition may be one on bindings (`where`), a computation
    (`compute`), or a predicate on the term of a metavariable (`of`).

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
