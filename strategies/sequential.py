"""Sequential loops for any program: the default where nothing is known of the machine."""

from __future__ import annotations

from elevate import Strategy, named
from strategies.levels import SEQ
from strategies.lowering import Write
from strategies.nests import fuse
from strategies.schedules import allowBorders

sequential: Strategy = named("sequential", fuse >> Write((SEQ,)) >> allowBorders)
