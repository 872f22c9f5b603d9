"""Where the places of one derivation are in another that differs by an edit. Knows steps, and no engine."""

from __future__ import annotations

from elevate.derivations.moves import Lost, Told, forward, is_below, moves_of, origins
from elevate.term import Path, Term
from elevate.trace import Step


class Correspondence:
    """Two derivations side by side: the steps of each since they last had the same program.

    A place is followed back through the steps of the one, and then forward through those of the other. What a rule
    made itself is where the same rule made it in the other; a copy is the same copy.
    """

    def __init__(self) -> None:
        self.pairs: list[tuple[Step | None, Step | None]] = []
        self.told: dict[int, Told] = {}

    def add(self, old: Step | None, new: Step | None) -> None:
        """The next step of each; None where one has none."""
        self.pairs.append((old, new))

    def check(self, old: Term, new: Term) -> None:
        """Forget the steps where both programs are the same again."""
        if old == new:
            self.pairs.clear()
            self.told.clear()

    def moves(self, step: Step) -> Told:
        """The moves of a step, worked out once."""
        found = self.told.get(id(step))
        if found is None:
            found = self.told[id(step)] = moves_of(step)
        return found

    def locate(self, path: Path) -> Path | str:
        """Where a place of the old program is in the new one; a sentence where it is nowhere."""
        index = len(self.pairs)
        copies: dict[int, int] = {}
        while index:
            index -= 1
            old, new = self.pairs[index]
            if old is None or not is_below(path, old.path):
                continue
            inner = path[len(old.path) :]
            same = new is not None and new.rule == old.rule
            if same and new is not None and (not inner or new.redex == old.redex):
                path, index = (*new.path, *inner), index + 1
                break
            if not inner:
                continue
            found = next(origins(path, old, self.moves(old)), None)
            if found is not None:
                path, copies[index] = found
            elif same and new is not None:
                path, index = (*new.path, *inner), index + 1
                break
            else:
                return f"its place was made by {old.rule.name}, which was dropped"
        for position in range(index, len(self.pairs)):
            old, new = self.pairs[position]
            if new is None:
                continue
            places = forward(path, new, self.moves(new) if is_below(path, new.path) else ())
            if isinstance(places, Lost):
                return f"its place is gone: {new.rule.name} {places}"
            path = places[min(copies.get(position, 0), len(places) - 1)]
        return path
