"""Sizes of a run: those that nothing determines get a default; a check gets smaller ones. Knows no array."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from rise.analysis.obligations import check_obligations
from rise.arguments.mismatches import refuse_not_computed
from rise.diagnostics import Diagnostic, RiseError
from rise.facts import evaluate_fact
from rise.naturals import Atom, NatVar
from rise.polynomials import NotComputed
from rise.programs.heads import open_head
from rise.terms import Expr
from rise.text.nat_printer import show_fact
from shine.imperative.nodes import Procedure

#: what is tried for sizes that are not given, in order
DEFAULTS: Final = (64, 128, 256, 512, 1024, 4096, 60, 120, 720, 16, 8, 4, 2, 1, 3, 5, 7, 9, 12, 100, 0)
SMALLEST: Final = 4  # what sizes are shrunk to at most


def complete(procedure: Procedure, high: Expr, known: Mapping[str, int]) -> dict[str, int]:
    """All sizes of a call: the known ones, and for the others the first default at which all makes sense.

    Raises RiseError where none does.
    """
    missing = [size.name for size in procedure.sizes if size.name not in known]
    if not missing:
        return dict(known)
    for default in DEFAULTS:
        sizes = {**known, **dict.fromkeys(missing, default)}
        if makes_sense(procedure, high, sizes):
            return sizes
    example = " ".join(f"{name}=..." for name in missing)
    title = f"no default fits for the size{'s' * (len(missing) > 1)} {', '.join(missing)}"
    raise RiseError(Diagnostic("size-unknown", title, hint=f"give sizes: --size {example}"))


def makes_sense(procedure: Procedure, high: Expr, sizes: Mapping[str, int]) -> bool:
    """Whether a kernel's checks pass at these sizes, and what the program promises about them holds."""
    try:
        fits = check_obligations(list(procedure.checks), sizes) is None
    except NotComputed:
        return False
    return fits and promises_hold(high, sizes)


def promises_hold(high: Expr, sizes: Mapping[str, int]) -> bool:
    """Whether the facts at the head of a program hold at these sizes."""
    return broken_promise(high, sizes) is None


def broken_promise(high: Expr, sizes: Mapping[str, int]) -> str | None:
    """A fact at the head of a program that does not hold at these sizes, as text."""
    head = open_head(high)
    values: dict[Atom, int] = {
        binder.variable: sizes[binder.name]
        for binder in head.binders
        if isinstance(binder.variable, NatVar) and binder.name in sizes
    }
    for fact in head.facts:
        if all(v in values for v in fact.free):
            try:
                if not evaluate_fact(fact, values):
                    return show_fact(fact)
            except ZeroDivisionError:
                return show_fact(fact)
            except NotComputed as shown:
                refuse_not_computed(shown)
    return None


def smaller(sizes: Mapping[str, int], free: Sequence[str]) -> Iterator[dict[str, int]]:
    """The sizes, then smaller ones: each time the greatest of the free ones is halved."""
    current = dict(sizes)
    while True:
        yield dict(current)
        greatest = max(free, key=lambda name: current[name], default=None)
        if greatest is None or current[greatest] <= SMALLEST:
            return
        current[greatest] = max(current[greatest] // 2, SMALLEST)


def shrink(
    sizes: Mapping[str, int],
    free: Sequence[str],
    fits: Callable[[Mapping[str, int]], bool],
    work: Callable[[Mapping[str, int]], int],
    most: int,
) -> dict[str, int]:
    """The first of the sizes and smaller ones that fit and take at most that much work."""
    for candidate in smaller(sizes, free):
        if work(candidate) <= most and fits(candidate):
            return candidate
    title = f"expected sizes at which a check takes at most {most} operations, found none"
    hint = "leave --verify away, or give smaller sizes: --size"
    raise RiseError(Diagnostic("size-unknown", title, hint=hint))
