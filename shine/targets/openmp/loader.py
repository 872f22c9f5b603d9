"""Calls shared libraries on arrays, through ctypes. Knows no compiler and no types of programs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import Diagnostic
from rise.forks import fork_barrier
from shine.calling.repeated_calls import CallDescription, Calls
from shine.calling.storage import refuse_temporaries
from shine.imperative.errors import TranslationError, path_note
from shine.imperative.limits import Limits, element_bytes
from shine.imperative.nodes import Origin
from shine.imperative.reach import Reach
from shine.targets.c.expressions import Site
from shine.targets.openmp.forks import deserted_by_forks
from shine.targets.openmp.threads import WAKE, Team, short_waits

#: ctypes for numbers of a scalar type; 16-bit floating-point types are passed as their bits
PASSED: Final[Mapping[str, Any]] = {
    "bool": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "u8": ctypes.c_uint8,
    "u16": ctypes.c_uint16,
    "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64,
    "f16": ctypes.c_uint16,
    "bf16": ctypes.c_uint16,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}
_BITS: Final = ("f16", "bf16")
_LOADING: Final = fork_barrier()
_BUFFER: Final = (ctypes.c_char * 0).from_buffer


@dataclass(frozen=True, slots=True)
class Loaded:
    """A kernel in a shared library, whose function is `symbol`. `numbers` has the scalar types of arguments passed by
    value; `team` is its threads.
    """

    source: str
    origins: tuple[Origin | None, ...]
    sites: tuple[Site, ...]
    numbers: tuple[str | None, ...]
    function: Callable[..., int]
    team: Team | None
    repeats: Callable[[CallDescription], Calls | None]
    image: Callable[[], bytes]
    limits: Limits
    symbol: str

    @property
    def exported(self) -> tuple[str, ...]:
        """The function's name in the library."""
        return (self.symbol,)

    def machine_code(self) -> bytes:
        """The shared library; rebuilt if it is no longer in the cache."""
        return self.image()

    def repeated(self, description: CallDescription) -> Calls | None:
        """See `shine.calling.repeated_calls:Repeating`."""
        return self.repeats(description)

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        """Bind the addresses of the arguments; the result keeps the arrays alive."""
        passed: list[Any] = list(sizes)
        for argument, number in zip(arguments, self.numbers, strict=True):
            if number is None:
                passed.append(address(argument))
            elif number in _BITS:
                passed.append(int(np.asarray(argument).view(np.uint16)))
            else:
                passed.append(argument.item())
        return partial(self._run, tuple(passed), arguments)

    def _run(self, passed: tuple[Any, ...], arguments: Sequence[Any]) -> None:
        status = self.function(*passed) if self.team is None else self.team.run(self.function, passed)
        if status:
            sizes = passed[: len(self.limits.sizes)]
            refuse(self.sites[status - 1], self.limits.reach(sizes, self.limits.most_read(arguments)))


def address(array: Any) -> int:
    """The address of a numpy array. Its buffer is the fastest way, but read-only arrays and some types have none."""
    try:
        return ctypes.addressof(_BUFFER(array))
    except (TypeError, ValueError):
        start: int = array.__array_interface__["data"][0]
        return start


def load(
    library: Path, symbol: str, sizes: int, numbers: Sequence[str | None], wakes: bool
) -> tuple[Callable[..., int], Team | None, ctypes.CDLL]:
    """The function of this name, which takes sizes first, then pointers and numbers; its team if it `wakes` one; and
    the library.
    """
    with _LOADING, short_waits():
        loaded = ctypes.CDLL(str(library))
    function = loaded[symbol]
    passed = [ctypes.c_void_p if number is None else PASSED[number] for number in numbers]
    function.argtypes = [ctypes.c_int64] * sizes + passed
    function.restype = ctypes.c_int
    if not wakes:
        return function, None, loaded
    wake = loaded[WAKE]
    wake.argtypes, wake.restype = [], None
    return function, Team(wake, deserted=deserted_by_forks(loaded)), loaded


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
