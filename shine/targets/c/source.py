"""Printed C source, and the meaning of its failures at run time. Independent of the printer and the compiler."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, NoReturn, TypeAlias

from rise.diagnostics import Diagnostic
from rise.naturals import const
from rise.primitives.index_numbers import index_error
from rise.records import dataclass
from shine.calling.storage import refuse_temporaries
from shine.imperative.errors import TranslationError, path_note
from shine.imperative.intervals import Reach
from shine.imperative.limits import Limits, element_bytes
from shine.imperative.nodes import I64, Buffer, Origin

Mistake: TypeAlias = Literal["division", "bounds", "memory", "index"]
#: how a kernel failed: the number of the place, and a number and a size there. See Note [Failures]
FAILURE: Final = Buffer("failure", I64, const(3), "Global", ())


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the source that may fail at run time: the kind of failure, the origin, the arrays involved, and the
    operation that converts a number to an index.
    """

    mistake: Mistake
    origin: Origin
    buffers: tuple[Buffer, ...] = ()
    operation: str = ""


#: the function that returns whether a kernel uses several threads
SHARES: Final = "shine_shares"


@dataclass(frozen=True, slots=True)
class CSource:
    """A C source: its text, the function's symbol, the origin of each line, the places that may fail, and the limits of
    the sizes. `shares`: a C function `SHARES` that returns for an array of sizes whether any loop runs on several
    threads; empty if one always does, or none does.
    """

    text: str
    symbol: str
    origins: tuple[Origin | None, ...]
    sites: tuple[Site, ...]
    limits: Limits
    shares: str = ""

    @property
    def has_numbers(self) -> bool:
        """Whether a failure may have a number and a size."""
        return any(site.mistake == "index" for site in self.sites)


def refuse_index(site: Site, number: int, size: int) -> NoReturn:
    """Raise TranslationError for a number that is out of range for an array of this length."""
    error = index_error(site.operation, number, size)
    raise TranslationError(replace(error, notes=(path_note(site.origin),)), site.origin)


def refuse(site: Site, reach: Reach, number: int = 0, size: int = 0) -> NoReturn:
    """Raise TranslationError for a failure while a kernel ran; `reach` has its sizes. For an index out of range, the
    failure has a number and a size.
    """
    place = path_note(site.origin)
    match site.mistake:
        case "index":
            refuse_index(site, number, size)
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


# Note [Failures] In C a function returns the number of its first failure. A number that is no index is stored in a
# variable of the calling thread, `last_failure`, from which the caller reads it before the thread runs anything else:
# parallel loops store there by address, and only the first failure does. On a GPU all three numbers are in an array
# that only kernels with such a place take; who launches them sets it to zeros before, and reads it after all kernels of
# a call have ended. In both, a failure results in index 0, so that the rest of the kernel reads nothing outside of
# arrays; its result is never used.
