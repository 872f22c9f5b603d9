"""Evaluates programs on numpy arrays: `evaluate`. Primitives are defined by their records.

Note [Batches] in `rise.values` describes the layout of arrays while a program runs; `rise.meanings` is the interface
of meanings.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

import numpy as np

from rise.argument_checks import Termlike, explaining, term_of
from rise.arguments.libraries import library_for
from rise.arguments.mismatches import given_size, given_sizes, refuse_not_computed
from rise.arguments.sizes import instance
from rise.diagnostics import Diagnostic, RiseError
from rise.inference.schemes import substitute_names
from rise.meanings import SomeOfEachError
from rise.naturals import NatVar, const
from rise.nodes import Node
from rise.polynomials import NotComputed
from rise.programs.boundary import accept
from rise.programs.dependent_pairs import choose_inside
from rise.programs.foreign import Foreign, as_record, foreign_functions
from rise.programs.machine import Machine
from rise.terms import Expr, Var
from rise.tracebacks import ends_at_the_users_line
from rise.values import Leaf, Rows, map_leaves, map_rows, no_room


@ends_at_the_users_line
def evaluate(
    e: Termlike, *arguments: Any, sizes: Mapping[str, int] | None = None, foreign: Iterable[Foreign] = ()
) -> Any:
    """The result of a closed program for its arguments.

    An array of scalars is an array with exactly the dtype of its type, a pair is a tuple, an array of pairs is a pair
    of arrays, `vec[n, t]` is a trailing axis, and `idx[n]` is an i64. Results have the same form, with scalars as 0-d
    arrays. Arrays may be those of numpy or of another library (PyTorch, JAX, any with DLPack), and results are arrays
    of the first one's library. Explicit sizes, `(n: nat)`, are arguments; implicit ones follow from the shapes or are
    given in `sizes` by name. `foreign` has the meanings of the foreign functions that the program calls.

    Raises RiseError for arguments that do not fit, for sizes that are not natural numbers, for integer
    division by zero and for indices out of range.
    """
    program, e = e, term_of(e)
    given = dict(given_sizes(sizes))
    outside = {name: as_record(function) for name, function in foreign_functions(e, foreign).items()}
    closed = _closed(e, given, outside)
    with np.errstate(all="ignore"):
        try:
            accepted = accept(closed, arguments, given)
        except ZeroDivisionError:
            title = "at these sizes the program divides a size by zero"
            raise RiseError(Diagnostic("size-not-natural", title, hint="use other sizes")) from None
        except NotComputed as shown:
            refuse_not_computed(shown)
        try:
            with explaining(program):
                made = map_leaves(_copied, _run(closed, accepted, outside))
        except (MemoryError, ValueError) as error:
            raise no_room(error, "an array that the program makes") or error from None
    give = library_for(arguments).give
    return map_rows(_given, made if give is None else map_leaves(give, made))


def _run(e: Expr, arguments: tuple[Any, ...], outside: Mapping[str, Any]) -> Any:
    """The value of a term for these arguments. If elements of an array choose different dependent pairs, the pairs are
    decomposed first.
    """
    try:
        return Machine(outside).run(instance(e, (), ()), arguments)
    except SomeOfEachError:
        e, arguments = choose_inside(e, arguments)
        return Machine(outside).run(instance(e, (), ()), arguments)


def _copied(leaf: Leaf) -> Leaf:
    """A part of a result, copied to an array of its own."""
    return np.array(leaf, order="C", copy=True)


def _given(part: Any) -> Any:
    """A dependent array as callers receive it: a list of its elements."""
    if not isinstance(part, Rows):
        return part
    return list(part.items)


def _closed(e: Expr, sizes: dict[str, int], foreign: Container[str]) -> Expr:
    """The term with its free sizes substituted; these are removed from `sizes`."""
    free: list[Node] = sorted(e.free, key=lambda v: getattr(v, "name", ""))
    variables = [v.name for v in free if isinstance(v, Var) and v.name not in foreign]
    if variables:
        title = f"expected a closed program, found the free variable `{variables[0]}`"
        hint = f"make it a parameter: fun({variables[0]}, ...)"
        raise RiseError(Diagnostic("open-program", title, hint=hint))
    named = [v for v in free if isinstance(v, NatVar)]
    missing = [v.name for v in named if v.name not in sizes]
    if missing:
        title = f"expected a closed program, found the free size `{missing[0]}`"
        raise RiseError(Diagnostic("open-program", title, hint=f"pass it: sizes={{{missing[0]!r}: ...}}"))
    values: dict[Node, Any] = {v: const(given_size(v.name, sizes[v.name])) for v in named}
    for name in {v.name for v in named}:
        del sizes[name]
    closed: Expr = substitute_names(e, values)
    return closed
