"""Sequential loops for any program: the default where nothing is known of the machine."""

from __future__ import annotations

from elevate import Strategy, named
from strategies.lowering import Write
from strategies.nests import fuse
from strategies.rules.lowering import mapToMapSeq

sequential: Strategy = named("sequential", fuse >> Write((mapToMapSeq,)))
