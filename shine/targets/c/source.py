"""A C source as it is printed, and what its failures at run time mean. Knows neither the printer nor the compiler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

from rise.diagnostics import Diagnostic
from shine.calling.storage import refuse_temporaries
from shine.imperative.errors import TranslationError, path_note
from shine.imperative.limits import Limits, element_bytes
from shine.imperative.nodes import Buffer, Origin
from shine.imperative.reach import Reach

Mistake: TypeAlias = Literal["division", "bounds", "memory"]


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the source that may fail at run time: how, what it was translated from, and with which arrays."""

    mistake: Mistake
    origin: Origin
    buffers: tuple[Buffer, ...] = ()


@dataclass(frozen=True, slots=True)
class CSource:
    """A C source: its text, the function's symbol, for each line its origin, the places that may fail, and what bounds
    the sizes.
    """

    text: str
    symbol: str
    origins: tuple[Origin | None, ...]
    sites: tuple[Site, ...]
    limits: Limits


def refuse(site: Site, reach: Reach) -> NoReturn:
    """Raise TranslationError for a failure while a kernel ran; `reach` knows its sizes."""
    place = path_note(site.origin)
    match site.mistake:
        case "division":
            title = "expected a divisor other than 0, found 0"
            hint = "divide by a number that is never 0, or choose with `if` before dividing"
            raise TranslationError(
                Diagnostic("division-by-zero", title, hint=hint, notes=(place,)), site.origin
            )
        case "memory":
            temporaries = [
                (buffer.name, reach.most(buffer.size) * element_bytes(buffer)) for buffer in site.buffers
            ]
            refuse_temporaries(temporaries, site.origin, (place,))
        case _:
            title = f"an access is outside of `{site.buffers[0].name}`"
            hint = "this is a bug in rise-shine: please report it with the program"
            raise TranslationError(Diagnostic("out-of-bounds", title, hint=hint, notes=(place,)), site.origin)
