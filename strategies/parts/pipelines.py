"""Software pipelining of lowered reductions: data for later steps is loaded while earlier steps compute.

Independent of instructions.
"""

from __future__ import annotations

from elevate import Strategy, named, topDown, try_, where
from rise.nodes import postorder
from rise.terms import App, Expr, Lam
from strategies.lowering.positions import fold_body
from strategies.parts.parameters import check_stages
from strategies.parts.products import appliesReduceSeq
from strategies.parts.staging import asynchronousCopies
from strategies.rules.pipelines import nameTogether, reduceSeqToReducePipe


def namesStored(e: Expr) -> bool:
    """A call that names a value stored by `toMem` and computes with it."""
    return (
        isinstance(e, App)
        and isinstance(e.fun, Lam)
        and any(isinstance(node, App) and node.root == ("toMem", 1) for node in postorder(e.arg))
    )


_together = fold_body(where(namesStored) >> try_(nameTogether))


@named
def pipelined(stages: int = 3) -> Strategy:
    """Load the operands of the first reduction that stores its operands `stages - 1` steps ahead.

    Apply it after a strategy that lowers the program. Memory is needed for `stages` copies of each array that a step
    stores. Raises StrategyError unless `stages` is an integer from 1 to 16.
    """
    check_stages(stages)
    return topDown(where(appliesReduceSeq) >> _together >> reduceSeqToReducePipe(stages))


@named
def pipelinedCopies(stages: int = 3) -> Strategy:
    """Like `pipelined`, with asynchronous copies where copies can be asynchronous."""
    check_stages(stages)
    return try_(asynchronousCopies) >> pipelined(stages)
