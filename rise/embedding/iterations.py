"""One run of a loop's body: how much it computes, and whether other iterations can be computed together with it.

Independent of Python's syntax, and of how loops become terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from itertools import islice
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from rise.dsl.printer import Syntax, TextPiece, TypeNode
from rise.embedding.places import here, located
from rise.embedding.sharing import parts_of
from rise.embedding.trace import Trace
from rise.primitives import PRIMITIVES, SCALAR_FUNCTIONS, with_trait
from rise.records import dataclass

#: a loop whose iterations, all together, introduce at most so many variables is unrolled. Ten iterations of conjugate
#: gradients introduce more, and take 8 s to compile if they are unrolled; 25 take 33 s, and 4 s as a loop
FEW_VARIABLES: Final = 200
#: the same for a loop whose elements are computed one after the other, each for all iterations, without storing arrays
#: in between; so many take 10 s to compile
FEW_FUSED_VARIABLES: Final = 1500
#: the same for a loop whose iterations use its variable, which is known in each if it is unrolled: 255 sums of first
#: elements introduce more, and take a minute to compile
SOME_VARIABLES: Final = 600
#: a matrix product takes as long to compile as so many variables: ten of them take 10 s
VARIABLES_OF_PRODUCT: Final = 100
#: the largest number of iterations that are always unrolled where long loops are kept. A Jacobi iteration with fixed
#: borders takes 5 s to compile if it is unrolled 4 times, 28 s for 6, over 100 s for 8, and 0.6 s as a loop, which runs
#: as fast from 6 on.
MAX_UNROLLED: Final = 4
#: the largest number of variables of a loop that is unrolled: its program takes seconds to read and minutes to compile
MOST_VARIABLES: Final = 3_000
HINT: Final = (
    "make the number of iterations a parameter, `def f(x, n):` with `for i in range(n):`, which stays a loop; or run"
    " fewer iterations; or, with `unroll=4`, let them use numbers and arrays of the program, no lists or objects of"
    " Python"
)
#: primitives whose result depends, at each index, only on the elements of arrays at that index
ELEMENTWISE: Final = (
    frozenset(one.name for one in SCALAR_FUNCTIONS)
    | with_trait("maps")
    | with_trait("pairs")
    | with_trait("unzips")
)
#: other primitives
_ELSEWHERE: Final = frozenset(PRIMITIVES) - ELEMENTWISE


class LongLoopError(RiseError):
    """The diagnostic of a loop whose program, unrolled, is too large."""


class SlowLoopError(Exception):
    """A loop that would take long to compile if it were unrolled."""


def unrolled(
    items: Iterable[Any],
    body: Callable[..., Any],
    values: tuple[Any, ...],
    trace: Trace,
    is_tried: bool = False,
) -> tuple[Any, ...]:
    """The values of names after a loop whose iterations follow each other in the program. Raises LongLoopError while it
    is built, as soon as it is too large, and SlowLoopError if `is_tried`, as soon as it would take long to compile.
    """
    before, depth = len(trace.known), len(trace.scopes) - 1
    most, products = SOME_VARIABLES if is_tried else MOST_VARIABLES, len(trace.products)
    for number, item in enumerate(items, 1):
        values = body(item, *values)
        count = len(trace.known) - before
        weighed = count + VARIABLES_OF_PRODUCT * (len(trace.products) - products)
        if is_tried and weighed > most:
            is_fused = Iteration(trace, before, before + count, depth).is_elementwise
            most = FEW_FUSED_VARIABLES if is_fused and most == SOME_VARIABLES else most
            if weighed > most:
                raise SlowLoopError
        if count > MOST_VARIABLES:
            whole = len(items) if isinstance(items, Sized) else None
            of = "" if whole is None else f" of {whole:,}"
            title = (
                f"expected at most {MOST_VARIABLES:,} variables in the program of a loop that is unrolled, found more"
                f" after {number:,}{of} iterations"
            )
            raise LongLoopError(located(Diagnostic("long-loop", title, hint=HINT), here()))
    trace.note_loop("", "its iterations are known, and few or not alike")
    return values


@dataclass(frozen=True, slots=True)
class Iteration:
    """One run of a loop's body: the numbers of variables that the trace knew before it and after it, and the depth of
    the scope in which it ran.
    """

    trace: Trace
    before: int
    after: int
    depth: int

    def is_fast_unrolled(self, count: int) -> bool:
        """Whether so many iterations should be unrolled."""
        variables = count * (self.after - self.before)
        return variables <= FEW_VARIABLES or (variables <= FEW_FUSED_VARIABLES and self.is_elementwise)

    @property
    def is_elementwise(self) -> bool:
        """Whether each element of what it computes depends only on the same element of what the previous iteration
        did: then the elements can be computed one after the other, each for all iterations.
        """
        known = list(islice(self.trace.known.values(), self.before, self.after))
        scopes = {id(one.scope): one.scope for one in known if one.scope.depth >= self.depth}
        return not any(_reads_elsewhere(each.syntax) for one in scopes.values() for each in one.bindings)


def _reads_elsewhere(syntax: Syntax) -> bool:
    waiting: list[Syntax] = [syntax]
    while waiting:
        part = waiting.pop()
        if isinstance(part, TextPiece) and part.text in _ELSEWHERE:
            return True
        if not isinstance(part, TypeNode):
            waiting += parts_of(part)
    return False
