"""Applies a rule to a term: by a function, by the first form that matches, by generated code, or by matching.

Independent of rules, which pass their parts. Each function here returns a function from a term to its replacement, or
to None if the rule does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from elevate import StrategyError
from rise.nodes import Node
from rise.terms import Expr
from strategies.equations.compilation import Compiled
from strategies.equations.contexts import Of, fillings
from strategies.equations.generated_code import Attempt, rewriting
from strategies.equations.inverses import restore
from strategies.equations.matcher import Bindings, NoMatch
from strategies.equations.mismatches import shown_term


def by_function(function: Attempt, roots: frozenset[Hashable] | None) -> Attempt:
    """The given function, for terms with these roots; raises TypeError for a result that is not a term.

    The engine checks the type and the variables of the result.
    """

    def attempt(term: Any) -> Expr | None:
        if roots is not None and term.root not in roots:
            return None
        result: Any = function(term)
        if result is not None and not isinstance(result, Expr):
            raise TypeError(f"expected a term of type {term.type}, found {shown_term(result)}")
        return result

    return attempt


def made_later(roots: frozenset[Hashable] | None, make: Callable[[], Attempt]) -> Attempt:
    """A function that is made for the first term with one of these roots."""
    made: Attempt | None = None

    def attempt(term: Any) -> Expr | None:
        nonlocal made
        if made is None:
            if roots is not None and term.root not in roots:
                return None
            made = make()
        return made(term)

    return attempt


def by_first_form(forms: Sequence[tuple[frozenset[Hashable] | None, Attempt]]) -> Attempt:
    """The result of the first form that matches; a form is tried only on terms with its roots."""
    at_root: dict[Hashable, tuple[Attempt, ...]] = {}

    def attempt(term: Any) -> Expr | None:
        root = term.root
        chosen = at_root.get(root)
        if chosen is None:
            chosen = tuple(form for roots, form in forms if roots is None or root in roots)
            at_root[root] = chosen
        for form in chosen:
            result = form(term)
            if result is not None:
                return result
        return None

    return attempt


def by_generated_code(
    compiled: Compiled,
    given: Mapping[Node, Any],
    title: Callable[[], str],
    division: Callable[[], StrategyError],
) -> Attempt:
    """A function that is generated when the first term fits, for an equation without conditions.

    `given` are the values of parameters, `title` is the function's file name in tracebacks, and `division` is raised if
    a size of the right side is divided by 0.
    """
    fits = compiled.matcher.fits
    rewrite: Attempt | None = None

    def attempt(term: Any) -> Expr | None:
        nonlocal rewrite
        if not fits(term):
            return None
        if rewrite is None:
            rewrite = rewriting(compiled.left, compiled.right, compiled.matcher.may_mention, given, title())
        try:
            return rewrite(term)
        except ZeroDivisionError:
            raise division() from None

    return attempt


def by_matching(
    compiled: Compiled,
    given: Mapping[Node, Any],
    of: Of,
    unmet: Callable[[Bindings], object | None],
    is_inverse: bool,
    division: Callable[[], StrategyError],
) -> Attempt:
    """Match the left side, and build the right side from the first bindings that satisfy all conditions.

    Only a left side with contexts can have several bindings. `given` and `division` are as in `by_generated_code`; `of`
    are the predicates on the terms of single metavariables.
    """
    functions, contexts = compiled.functions, tuple(context.asking(of) for context in compiled.contexts)
    fits, build = compiled.matcher.fits, compiled.builder.build
    # `match` also matches implied types, which may determine a size of the other side.
    bind = compiled.matcher.match if is_inverse else compiled.matcher.bind

    def attempt(term: Any) -> Expr | None:
        if not fits(term) or not all(context.may_hold(term) for context in contexts):
            return None
        try:
            matched = bind(term, given)
        except (NoMatch, ZeroDivisionError):  # a size of the pattern divides by another that is 0
            return None
        if matched is None:
            return None
        if functions:
            restore(matched, functions)
        for bindings in fillings(contexts, matched, of) if contexts else (matched,):
            if unmet(bindings) is None:
                try:
                    return build(bindings)
                except ZeroDivisionError:
                    raise division() from None
        return None

    return attempt
