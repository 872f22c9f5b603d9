"""What is said where there is no memory for an array or a temporary. Knows no target."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final, NoReturn

from rise.arguments.mismatches import refuse
from rise.diagnostics import Diagnostic, bytes_text
from shine.calling.leaves import Leaf
from shine.imperative.errors import TranslationError
from shine.imperative.nodes import Origin

#: what numpy raises for an array that cannot be made: of too many bytes for the machine, for its addresses, for C
NO_ROOM: Final = (MemoryError, ValueError, OverflowError)


def refuse_array(what: str, leaf: Leaf, shape: Sequence[int], hint: str = "use smaller sizes") -> NoReturn:
    """Say that there is no memory for an array of a call."""
    taken = bytes_text(prod(shape) * leaf.dtype.itemsize)
    title = f"there is no memory for {what} of shape {tuple(shape)} of {leaf.dtype.name}: {taken}"
    refuse("out-of-memory", title, hint)


def refuse_temporaries(
    found: Sequence[tuple[str, int]], origin: Origin, notes: Sequence[str] = ()
) -> NoReturn:
    """Say that there is no memory for one of the temporaries, given with their names and numbers of bytes."""
    named = " and ".join(f"`{name}`, {bytes_text(count)}" for name, count in found)
    title = f"there is no memory for the temporar{'y' if len(found) == 1 else 'ies'} {named}"
    hint = "use smaller sizes, or a strategy that keeps less in temporaries"
    raise TranslationError(Diagnostic("out-of-memory", title, hint=hint, notes=tuple(notes)), origin)
