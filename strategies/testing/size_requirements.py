"""Requirements of programs on sizes, which valid instances must satisfy. Independent of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

import rise
from rise.analysis.obligations import Obligation, check_obligations
from rise.inference.schemes import substitute_names
from rise.naturals import NatVar
from rise.nodes import Node
from rise.terms import Expr
from rise.text.nat_printer import show_nat
from strategies.equations.mismatches import readable_names
from strategies.equations.rule import EquationRule

LARGEST_SIZE: Final = 12
"""The largest size that is tried to violate a requirement."""
MOST_VARIED: Final = 3
"""The maximum number of sizes that are varied to violate a requirement; the others are 1."""


def holds(program: Expr) -> bool:
    """Whether the sizes of a program without free sizes satisfy all of its requirements.

    Requirements on each row of a dependent array are not checked.
    """
    return all(obligation.subject.free for obligation in rise.obligations(program))


def has_obligations_on_rows(program: Expr) -> bool:
    """Whether a program without free sizes has requirements that some rows of a dependent array may violate."""
    return any(obligation.subject.free for obligation in rise.obligations(program))


def unstated(rule: EquationRule, after: Expr, sizes: Mapping[str, int]) -> tuple[str, ...]:
    """The requirements that a right side violates at sizes by name, although its left side is valid there.

    Nothing if the rule states one of them: it promises nothing at these sizes.
    """
    violated = [one.condition for one in rise.obligations(after) if not one.subject.free]
    named = _required(rule.compiled.left, rule.compiled.right)
    at_sizes = [one.condition for one in named if check_obligations([one], sizes) is not None]
    of_stated = rule.demands if not at_sizes else set(rule.demands).intersection(at_sizes)
    return () if of_stated else tuple(at_sizes or violated)


def demands(left: Expr, right: Expr) -> tuple[str, ...]:
    """The requirements of an equation's right side on sizes that the left side does not have, as the author would write
    them.
    """
    return tuple(sorted({one.condition for one in _required(left, right)}))


@lru_cache(maxsize=1 << 7)
def _required(left: Expr, right: Expr) -> tuple[Obligation, ...]:
    """Cached for all instances of an equation, since proving what is implied takes long if sizes are quotients."""
    of_left, of_right = (rise.obligations(substitute_names(e, _names(left, right))) for e in (left, right))
    stated = {one.condition for one in of_left}
    return tuple(one for one in of_right if one.condition not in stated)


def _names(left: Expr, right: Expr) -> dict[Node, Node]:
    return readable_names(left, right) | readable_names(left)


def violating(rule: EquationRule, names: Sequence[NatVar]) -> Iterator[dict[NatVar, int]]:
    """Sizes of the left side at which it is valid, and the right side violates a requirement that the rule does not
    state: the smallest ones for each requirement, which may be larger than those of a sweep.
    """
    left, right = rule.compiled.left, rule.compiled.right
    called = _names(left, right)
    chosen = {str(name): value.constant for name, value in rule.arguments if value.constant is not None}
    of_left = rise.obligations(substitute_names(left, called))
    for requirement in _required(left, right):
        needed = {v.name for v in requirement.subject.free if isinstance(v, NatVar)}
        varied = [v for v in names if show_nat(called[v]) in needed]  # type: ignore[arg-type]  # sizes are called as sizes
        if requirement.condition in rule.demands or not varied or len(varied) > MOST_VARIED:
            continue
        for sizes in sorted(product(range(LARGEST_SIZE + 1), repeat=len(varied)), key=sum):
            at = {v: sizes[varied.index(v)] if v in varied else 1 for v in names}
            named = chosen | {show_nat(called[v]): size for v, size in at.items()}  # type: ignore[arg-type]  # as above
            if check_obligations([requirement], named) and not check_obligations(of_left, named):
                yield at
                break
