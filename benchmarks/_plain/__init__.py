"""What every case computes, as a user of numpy writes it first, in the types of the program. Knows no clock.

An array of pairs is a pair of arrays. Each case goes over 2^20 elements or more: of its arrays, or of what it computes
on the way. Where numpy has no idiom there is a loop in Python over whole rows, and the peer's note says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from _plain.basics import BASICS
from _plain.grids import GRIDS
from _plain.kinds import Peer, inputs
from _plain.learning import LEARNING
from _plain.linear import LINEAR
from _plain.ragged import RAGGED
from _plain.science import SCIENCE
from _plain.systems import SYSTEMS

__all__ = ["PEERS", "Peer", "inputs"]

PEERS: Final[Mapping[str, Peer]] = {**BASICS, **LINEAR, **GRIDS, **LEARNING, **SCIENCE, **SYSTEMS, **RAGGED}
