"""Spaces of strategies: holes, their replay, bounds and orders of search.

Independent of targets; does not run candidates.
"""

from strategies.spaces.holes import Space, bounded, choose, one_of, space
from strategies.spaces.replay import Dead, Leaf, Open, derived, leaves, load_space, replay

__all__ = [
    "Dead",
    "Leaf",
    "Open",
    "Space",
    "bounded",
    "choose",
    "derived",
    "leaves",
    "load_space",
    "one_of",
    "replay",
    "space",
]
