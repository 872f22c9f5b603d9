"""Sequential loops for any program: the default if the machine is not known."""

from __future__ import annotations

from elevate import Strategy, named
from strategies.lowering.levels import SEQ
from strategies.lowering.positions import Write
from strategies.parts.nests import fuse
from strategies.parts.schedules import allowBorders

#: lower any program to sequential loops
sequential: Strategy = named("sequential", fuse >> Write((SEQ,)) >> allowBorders)
