"""The slots of a pipelined reduction: temporaries for the elements that are loaded ahead. Independent of terms."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from rise.naturals import Nat
from rise.records import dataclass
from shine.imperative.nodes import Origin, Statement
from shine.translate.layout import Cells


@dataclass(slots=True, eq=False)
class Slots:
    """The temporaries of a pipelined reduction: what it loads is stored in slots, one for each stage.

    `slot` is the current slot. If `stores`, a value is being stored there; otherwise it was stored earlier. `cells` are
    the temporaries by the position of `toMem`, and by the number of the call if a function is called several times.
    """

    stages: int
    slot: int | Nat = 0
    stores: bool = True
    cells: dict[tuple[Origin, int], Cells] = field(default_factory=dict)
    calls: Counter[Origin] = field(default_factory=Counter)
    allocations: list[Statement] = field(default_factory=list)

    def are_in(self, space: str) -> bool:
        """Whether any of the temporaries is in a memory space."""
        return any(buffer.space == space for cells in self.cells.values() for buffer, _ in cells)

    def turn_to(self, slot: int | Nat, stores: bool) -> None:
        """Make a slot the current one, either to store to it or to read from it."""
        self.slot, self.stores = slot, stores
        self.calls.clear()
