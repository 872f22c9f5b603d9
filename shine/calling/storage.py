"""Reports arrays and temporaries that do not fit into memory. Independent of targets."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final, NoReturn

from rise.arguments.leaves import Leaf
from rise.arguments.mismatches import refuse
from rise.diagnostics import Diagnostic, bytes_text
from shine.imperative.errors import TranslationError
from shine.imperative.nodes import Origin

#: numpy's errors for arrays that are too large for the machine, for its addresses, or for C
NO_ROOM: Final = (MemoryError, ValueError, OverflowError)


def refuse_array(
    description: str, leaf: Leaf, shape: Sequence[int], hint: str = "use smaller sizes"
) -> NoReturn:
    """Raise RiseError: there is no memory for an array of a call."""
    taken = bytes_text(prod(shape) * leaf.dtype.itemsize)
    title = f"there is no memory for {description} of shape {tuple(shape)} of {leaf.dtype.name}: {taken}"
    refuse("out-of-memory", title, hint)


def refuse_temporaries(
    temporaries: Sequence[tuple[str, int]], origin: Origin, notes: Sequence[str] = ()
) -> NoReturn:
    """Raise TranslationError: there is no memory for temporaries, given with their names and numbers of bytes."""
    names_text = " and ".join(f"`{name}`, {bytes_text(count)}" for name, count in temporaries)
    title = f"there is no memory for the temporar{'y' if len(temporaries) == 1 else 'ies'} {names_text}"
    hint = "use smaller sizes, or a strategy that keeps less in temporaries"
    raise TranslationError(Diagnostic("out-of-memory", title, hint=hint, notes=tuple(notes)), origin)
