"""Every case in straightforward numpy, with the types of the program. Does not measure time.

An array of pairs is a pair of arrays. Each case processes 2^20 elements or more, of its arrays or of
intermediate results. If numpy has no idiom, there is a Python loop over whole rows, and the peer's note says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from _plain.basics import BASICS
from _plain.grids import GRIDS
from _plain.kinds import Peer, inputs
from _plain.learning import LEARNING
from _plain.linear import LINEAR
from _plain.ragged_rows import RAGGED
from _plain.science import SCIENCE
from _plain.systems import SYSTEMS

__all__ = ["PEERS", "Peer", "inputs"]

PEERS: Final[Mapping[str, Peer]] = {**BASICS, **LINEAR, **GRIDS, **LEARNING, **SCIENCE, **SYSTEMS, **RAGGED}
