"""Decides which loops may run on several threads: those whose iterations provably write different elements.

What a loop writes follows from the program alone (`rise.analysis.writes`), by the proof that the translation also
requires. So a strategy knows before translation which parallel loops would be rejected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from elevate import Directed
from elevate.directed import Orders
from rise.analysis.writes import not_apart
from strategies.rules.lowering import mapParToMapSeq


@dataclass(frozen=True, slots=True)
class OneThreadUnlessApart(Directed):
    """Make each parallel loop sequential whose iterations are not proved to write different elements; never fails.

    A step of the derivation names the loop.
    """

    def orders(self, term: Any) -> Orders:
        for path in not_apart(term):
            yield mapParToMapSeq, path
        return True


#: make each parallel loop sequential whose iterations are not proved to write different elements
oneThreadUnlessApart = OneThreadUnlessApart()
