"""Maps positions in one derivation to another derivation that differs by an edit.

Depends on steps, but not on engines.
"""

from __future__ import annotations

from elevate.derivations.moves import Lost, Moves, forward, is_below, moves_of, origins
from elevate.term import Path, Term
from elevate.trace import Step


class Correspondence:
    """Two derivations side by side: the steps of each since they last had the same program.

    A place is followed back through the steps of the one, then forward through those of the other. A subterm that a
    rule created is mapped to the one that the same rule created in the other; a copy to the same copy.
    """

    def __init__(self) -> None:
        self.pairs: list[tuple[Step | None, Step | None]] = []
        self.known_moves: dict[int, Moves] = {}

    def add(self, old: Step | None, new: Step | None) -> None:
        """Add the next step of each; None if one has none."""
        self.pairs.append((old, new))

    def check(self, old: Term, new: Term) -> None:
        """Forget the steps if both programs are the same again."""
        if old == new:
            self.pairs.clear()
            self.known_moves.clear()

    def moves(self, step: Step) -> Moves:
        """The moves of a step, computed once."""
        moves = self.known_moves.get(id(step))
        if moves is None:
            moves = self.known_moves[id(step)] = moves_of(step)
        return moves

    def locate(self, path: Path) -> Path | str:
        """The place in the new program of a place of the old one; a sentence that says why if there is none."""
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
            origin = next(origins(path, old, self.moves(old)), None)
            if origin is not None:
                path, copies[index] = origin
            elif same and new is not None:
                path, index = (*new.path, *inner), index + 1
                break
            else:
                return f"its position was created by {old.rule.name}, which was dropped"
        for position in range(index, len(self.pairs)):
            old, new = self.pairs[position]
            if new is None:
                continue
            places = forward(path, new, self.moves(new) if is_below(path, new.path) else ())
            if isinstance(places, Lost):
                return f"its position no longer exists: {new.rule.name} {places}"
            path = places[min(copies.get(position, 0), len(places) - 1)]
        return path
