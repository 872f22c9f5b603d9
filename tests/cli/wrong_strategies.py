"""Strategies with a wrong rule, to test that `--verify` detects it."""

from elevate import FloatClass, Strategy, named, topDown
from strategies import rule
from strategies.gpu import blocksAndThreads, productTiles
from strategies.gpu_reductions import reduceOnBlocks
from strategies.sequential import sequential

startElsewhere = rule(
    "reduce add 0.0 xs = reduce add 0.3 xs",
    why="None: it adds 0.3.",
    float_class=FloatClass.REASSOCIATING,
)


def _then(lower: Strategy) -> Strategy:
    return topDown(startElsewhere) >> lower


inOrder = named("inOrder", _then(sequential))
onBlocks = named("onBlocks", _then(blocksAndThreads()))
inTiles = named("inTiles", _then(productTiles()))
inParts = named("inParts", _then(reduceOnBlocks()))
