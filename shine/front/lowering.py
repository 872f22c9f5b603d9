"""Programs lowered for a target, by a strategy that was named or by the target's own. Knows no terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import strategies
from elevate import Strategy
from rise.diagnostics import Diagnostic, RiseError
from rise.expected import Termlike, term_of
from rise.nodes import postorder
from rise.primitives import with_trait
from rise.programs.foreign import Foreign
from rise.terms import Expr, Primitive
from shine.front.derivation import derive
from shine.kernel import Kernel
from shine.pipeline import build
from shine.targets import find_target
from strategies.saved import ENDINGS, load_derivation

#: what says how a program runs: loops, fragments of matrices. `iterate`, which reads its result again, says what is
#: computed.
CHOSEN: Final = (with_trait("loops") - with_trait("rereads")) | with_trait("fragments")


def compile(
    program: Termlike,
    target: str = "openmp",
    arch: str | None = None,
    name: str = "kernel",
    foreign: Iterable[Foreign] = (),
    strategy: Strategy | str | None = None,
    **options: Any,
) -> Kernel:
    """Lower a program, translate it, and build it for a target.

    `program` is a closed, monomorphic term, or a program whose main term is one; its sizes may stay symbolic.
    `strategy` lowers it: a strategy, or its address `module:name`. Without one, the target's own strategy lowers a
    program in which no loop stands yet, and a program with loops is translated as it is. `arch` is for targets that
    have several. `foreign` has the code of the foreign functions that the program calls. Options are the target's.

    Raises RiseError with one diagnostic: a strategy that does not apply, high-level primitives left beside loops, no
    way to say where a result is written, what the target cannot do, no compiler. Raises StrategyError where no strategy
    has the address.
    """
    term = term_of(program)
    found = find_target(target)
    if isinstance(strategy, str):
        strategy = load_strategy(strategy)
    elif strategy is None and not is_lowered(term):
        strategy = load_strategy(found.strategy)
    if strategy is not None:
        term = derive(_expected_strategy(strategy), term).result
    return build(term, target, arch, name, foreign, **options)


def _expected_strategy(strategy: Any) -> Strategy:
    if isinstance(strategy, Strategy):
        return strategy
    title = f"expected a strategy or its address `module:name`, found {strategy!r}"
    hint = "omit `strategy` for the target's own (`shine list targets`)"
    raise RiseError(Diagnostic("no-strategy", title, hint=hint))


def is_lowered(term: Expr) -> bool:
    """Whether a term says how it runs: by loops, or by fragments of matrices.

    >>> import rise
    >>> is_lowered(rise.parse("fun(xs: 4.f32 => map(neg)(xs))").main)
    False
    >>> is_lowered(rise.parse("fun(xs: 4.f32 => mapSeq(neg)(xs))").main)
    True
    """
    return any(isinstance(node, Primitive) and node.name in CHOSEN for node in postorder(term))


def load_strategy(address: str, **parameters: Any) -> Strategy:
    """A strategy by its address, `module:name`, at these parameters; or a derivation that was saved, by its file.

    Raises StrategyError where there is none, and RiseError where parameters are given to a saved derivation.
    """
    if not address.endswith(ENDINGS):
        return strategies.load(address, **parameters)
    if parameters:
        title = f"{address} is a saved derivation, which takes no parameters"
        raise RiseError(Diagnostic("unknown-strategy", title, hint="omit -p, or name a strategy"))
    return load_derivation(address)
