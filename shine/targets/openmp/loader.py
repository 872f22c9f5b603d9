"""Shared libraries as functions of arrays, through ctypes. Knows no compiler and no types of programs."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import Diagnostic
from shine.imperative import Origin
from shine.targets.c.expressions import Site
from shine.translate.errors import TranslationError, path_note

#: how a number of a scalar type is passed; the 16-bit floating-point types as their bits
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
#: how often a thread of gcc's OpenMP looks for work before it sleeps, and what says so; see docs/decisions/0016
SPINS: Final = "3000"
SPINNING: Final = "GOMP_SPINCOUNT"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A kernel in a shared library. `numbers` has the scalar types of arguments passed by value."""

    source: str
    origins: tuple[Origin | None, ...]
    sites: tuple[Site, ...]
    numbers: tuple[str | None, ...]
    function: Callable[..., int]
    library: Path

    def machine_code(self) -> bytes:
        """The shared library."""
        return self.library.read_bytes()

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        """Take the addresses; the arrays stay alive with the answer."""
        passed: list[Any] = list(sizes)
        for argument, number in zip(arguments, self.numbers, strict=True):
            if number is None:
                passed.append(argument.__array_interface__["data"][0])
            elif number in _BITS:
                passed.append(int(np.asarray(argument).view(np.uint16)))
            else:
                passed.append(argument.item())
        return partial(self._run, tuple(passed), arguments)

    def _run(self, passed: tuple[Any, ...], _alive: Sequence[Any]) -> None:
        status = self.function(*passed)
        if status:
            refuse(self.sites[status - 1])


def load(library: Path, symbol: str, sizes: int, numbers: Sequence[str | None]) -> Callable[..., int]:
    """The function of this name: sizes first, then pointers and numbers."""
    with short_waits():
        function = ctypes.CDLL(str(library))[symbol]
    passed = [ctypes.c_void_p if number is None else PASSED[number] for number in numbers]
    function.argtypes = [ctypes.c_int64] * sizes + passed
    function.restype = ctypes.c_int
    return function


@contextmanager
def short_waits() -> Iterator[None]:
    """Let threads sleep soon, where the environment says nothing of it: OpenMP reads that when it is first loaded."""
    if SPINNING in os.environ or "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ[SPINNING] = SPINS
    try:
        yield
    finally:
        os.environ.pop(SPINNING, None)


def refuse(site: Site) -> NoReturn:
    """Say what went wrong while a kernel ran."""
    place = path_note(site.origin)
    match site.mistake:
        case "division":
            title = "expected a divisor other than 0, found 0"
            hint = "divide by a number that is never 0, or choose with `if` before dividing"
            raise TranslationError(
                Diagnostic("division-by-zero", title, hint=hint, notes=(place,)), site.origin
            )
        case "memory":
            title = f"there is no memory for the temporary `{site.what}`"
            hint = "use smaller sizes, or a strategy that keeps less in temporaries"
            raise TranslationError(Diagnostic("out-of-memory", title, hint=hint, notes=(place,)), site.origin)
        case _:
            title = f"an access is outside of `{site.what}`"
            hint = "this is a defect of rise-shine: please report it with the program"
            raise TranslationError(Diagnostic("out-of-bounds", title, hint=hint, notes=(place,)), site.origin)
