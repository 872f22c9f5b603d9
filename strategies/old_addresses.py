"""Old addresses of modules that moved, for saved derivations and command lines. Contains only names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

Value = TypeVar("Value")

#: the current names of modules with rules, strategies or predicates, by their names in version 0.1.0
MOVED: Final[Mapping[str, str]] = {
    "strategies.lanes": "strategies.rules.vector_terms",
    "strategies.lowering": "strategies.lowering.positions",
    "strategies.memory": "strategies.parts.memory",
    "strategies.nests": "strategies.parts.nests",
    "strategies.packed_tiles": "strategies.parts.packed_tiles",
    "strategies.products": "strategies.parts.products",
    "strategies.register_tiles": "strategies.parts.register_tiles",
    "strategies.rules.selection": "strategies.rules.let_floating",
    "strategies.rules.selections": "strategies.rules.argmin_argmax",
    "strategies.staging": "strategies.parts.staging",
    "strategies.traversals": "strategies.vocabulary.traversals",
}

#: the current addresses of definitions that were renamed, or moved out of a module that still exists, by their old
#: addresses
MOVED_OUT: Final[Mapping[str, str]] = {
    "strategies.contractions:matricise": "strategies.parts.contraction_nests:matricise",
    "strategies.contractions:readyForTiles": "strategies.parts.contraction_nests:readyForTiles",
    "strategies.gpu:keepOperands": "strategies.parts.thread_tiles:keepOperands",
    "strategies.gpu_reductions:byLanes": "strategies.parts.reduction_trees:byLanes",
    "strategies.gpu_reductions:partByThread": "strategies.parts.reduction_trees:partByThread",
    "strategies.gpu_reductions:partByLane": "strategies.parts.reduction_trees:partByLane",
    "strategies.gpu_reductions:treeOfLanes": "strategies.parts.reduction_trees:treeOfLanes",
    "strategies.gpu_reductions:treeInShared": "strategies.parts.reduction_trees:treeInShared",
    "strategies.gpu_reductions:reduceByWarps": "strategies.parts.reduction_trees:reduceByWarps",
    "strategies.gpu_reductions:reduceInOrderByThreads": "strategies.parts.reduction_trees:reduceInOrderByThreads",
    "strategies.gpu_reductions:optional": "strategies.parts.reduction_trees:optional",
    "strategies.gpu_reductions:reduceInBlock": "strategies.parts.reduction_trees:reduceInBlock",
    "strategies.lowering:stored": "strategies.lowering.predicates:stored",
    "strategies.lowering.positions:stored": "strategies.lowering.predicates:stored",
    "strategies.openmp:inHalves": "strategies.parts.partial_results:inHalves",
    "strategies.openmp:partialResults": "strategies.parts.partial_results:partialResults",
    "strategies.openmp:together": "strategies.parts.partial_results:together",
    "strategies.parts.packed_tiles:turned": "strategies.parts.turned_blocks:turned",
    "strategies.parts.packed_tiles:turnedBlocks": "strategies.parts.turned_blocks:turnedBlocks",
    "strategies.vectorizing:operationsOnVectors": "strategies.parts.nests:operationsOnVectors",
    "strategies.rules.functions:argumentInside": "strategies.rules.functions:callInside",
}


def current_address(module: str, name: str) -> tuple[str, str]:
    """The current module and name of a definition."""
    moved = MOVED_OUT.get(f"{module}:{name}")
    if moved is not None:
        module, _, name = moved.partition(":")
    return MOVED.get(module, module), name


def with_old_addresses(known: Mapping[str, Value]) -> dict[str, Value]:
    """A table by `module:name`, extended by old addresses."""
    old_modules = {new: old for old, new in MOVED.items()}
    extended = dict(known)
    for address, value in known.items():
        module, _, name = address.partition(":")
        if module in old_modules:
            extended[f"{old_modules[module]}:{name}"] = value
    extended |= {old: known[new] for old, new in MOVED_OUT.items() if new in known}
    return extended
