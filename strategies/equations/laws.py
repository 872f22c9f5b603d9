"""Laws that a condition of a rule ensures, as data for proofs: laws of operations and forms of terms.

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
    """The form of a metavariable's term, in the notation of equations; its free names are new metavariables.

    A local form is inserted at each place where the equation uses the name, and may mention what is bound there.
    """

    name: str
    written: str
    is_local: bool = False

    def __str__(self) -> str:
        return f"{self.name} is `{self.written}`"


#: alternatives, each a list of laws that hold together; a case without laws is one about which nothing is known
Cases: TypeAlias = tuple[tuple[Operator | Form, ...], ...]
_CASES: Final = "law_cases"


def ensures(*cases: tuple[Operator | Form, ...]) -> Callable[[C], C]:
    """Declare what a condition ensures: if it holds, so do all laws of one of the cases.

    Names are those of the rule's metavariables. The condition may be a predicate on bindings (`where`), a computation
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
    """The cases that a condition ensures; a single case without laws if it declares nothing."""
    found: Cases = getattr(condition, _CASES, ((),))
    return found
