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


def with_old_addresses(known: Mapping[str, Value]) -> dict[str, Value]:
    """A table by `module:name`, extended by the old addresses."""
    old_modules = {new: old for old, new in MOVED.items()}
    extended = dict(known)
    for address, value in known.items():
        module, _, name = address.partition(":")
        if module in old_modules:
            extended[f"{old_modules[module]}:{name}"] = value
    return extended
