"""Builds and loads printed kernels, and calls them on arrays, through ctypes. Independent of printers and passes."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np

from rise.forks import fork_barrier
from rise.records import dataclass
from shine.cache import body_of, directory_of
from shine.calling.repeated_calls import CallDescription, Calls
from shine.imperative.limits import Limits
from shine.imperative.nodes import Origin
from shine.targets.c.source import SHARES, CSource, refuse
from shine.targets.openmp.calls import packed_text, repeated_calls
from shine.targets.openmp.compiler import build, find_compiler
from shine.targets.openmp.forks import deserted_by_forks
from shine.targets.openmp.kept_memory import keep_memory, keeping_text
from shine.targets.openmp.threads import WAKE, Team, short_waits, waking_text
from shine.targets.openmp.xla import handler


class ComplexFloat(ctypes.Structure):
    """A complex number of type c64, with the layout of the C struct."""

    _fields_ = (("re", ctypes.c_float), ("im", ctypes.c_float))


class ComplexDouble(ctypes.Structure):
    """A complex number of type c128, with the layout of the C struct."""

    _fields_ = (("re", ctypes.c_double), ("im", ctypes.c_double))


#: ctypes for numbers of a scalar type; floats of 8 and 16 bits are passed as their bits
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
    "f8e4m3": ctypes.c_uint8,
    "f8e5m2": ctypes.c_uint8,
    "f16": ctypes.c_uint16,
    "bf16": ctypes.c_uint16,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "c64": ComplexFloat,
    "c128": ComplexDouble,
}
_BITS: Final = ("f8e4m3", "f8e5m2", "f16", "bf16")
_COMPLEX: Final = ("c64", "c128")
_LOADING: Final = fork_barrier()
_BUFFER: Final = (ctypes.c_char * 0).from_buffer


PARALLEL: Final = "#pragma omp parallel"
#: what a kernel returns: 0, or the number of the first place that failed; beside it, what was no index of which size
Status: TypeAlias = int | tuple[int, int, int]
#: the function that has the numbers of a failure in this thread's last call that failed by an index, and its C
FAILED: Final = "shine_failed"
_FAILED_TEXT: Final = f"\nconst int64_t *{FAILED}(void) {{ return last_failure; }}\n"


@dataclass(frozen=True, slots=True)
class PrintedKernel:
    """A kernel as text, with everything that another process needs to build and call it: a `shine.targets.target:Plan`.

    `sizes` is the number of its sizes; `numbers` has the scalar types of arguments passed by value. The other fields
    are options of the target.
    """

    source: CSource
    sizes: int
    numbers: tuple[str | None, ...]
    cc: str | None
    arch: str | None
    cache: str | None
    threads: int | None
    keep: bool = True

    def is_current(self) -> bool:
        """Always true: how it is built depends on this record only."""
        return True

    def load(self) -> Loaded:
        """Build it, unless the cache has its library, and load it. Raises RiseError if there is no compiler."""
        symbol, text, cache = self.source.symbol, self.source.text, directory_of(self.cache)
        compiler = find_compiler(self.cc, self.arch, cache)
        is_parallel = PARALLEL in text
        if is_parallel and not compiler.has_threads:
            message = f"`{compiler.path}` compiles without OpenMP: parallel loops run on one thread"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        wakes = is_parallel and compiler.has_threads and self.threads != 1
        keeping = keeping_text(text) if self.keep else ""
        whole = (
            text
            + keeping
            + packed_text(symbol, self.sizes, self.numbers)
            + (waking_text(self.threads) + self.source.shares if wakes else "")
            + (_FAILED_TEXT if self.source.has_numbers else "")
        )
        loading = partial(
            load,
            symbol=symbol,
            sizes=self.sizes,
            numbers=self.numbers,
            wakes=wakes,
            shares=bool(self.source.shares),
            has_numbers=self.source.has_numbers,
        )
        function, team, library = build(whole, compiler, cache, loading)
        if keeping:
            keep_memory(library, compiler, cache)
        repeats = partial(
            repeated_calls,
            compiler=compiler,
            cache=cache,
            library=library,
            wake=team.wake if team else None,
            shares=team.shares if team else None,
            deserted=team.deserted if team else frozenset(),
            failed=partial(_raise_failure, self.source, library),
        )
        xla = partial(handler, library, compiler=compiler, cache=cache)
        return Loaded(self, function, team, repeats, partial(build, whole, compiler, cache, body_of), xla)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A kernel in a shared library: its function, and its threads, if it has any."""

    plan: PrintedKernel
    function: Callable[..., Status]
    team: Team | None
    repeats: Callable[[CallDescription], Calls | None]
    image: Callable[[], bytes]
    xla: Callable[..., Any]

    @property
    def source(self) -> str:
        """The C text."""
        return self.plan.source.text

    @property
    def origins(self) -> tuple[Origin | None, ...]:
        """For each of its lines, the path in the low-level program."""
        return self.plan.source.origins

    @property
    def limits(self) -> Limits:
        """Bounds on what it computes from sizes."""
        return self.plan.source.limits

    @property
    def exported(self) -> tuple[str, ...]:
        """The function's name in the library."""
        return (self.plan.source.symbol,)

    def machine_code(self) -> bytes:
        """The shared library; rebuilt if it is no longer in the cache."""
        return self.image()

    def repeated(self, description: CallDescription) -> Calls | None:
        """See `shine.calling.repeated_calls:Repeating`."""
        return self.repeats(description)

    def handler_for_xla(self, name: str, headers: Path) -> Any:
        """See `shine.targets.target:Handled`."""
        return self.xla(name=name, headers=headers)

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        """Bind the addresses of the arguments. The returned function keeps the arrays alive."""
        passed: list[Any] = list(sizes)
        for argument, number in zip(arguments, self.plan.numbers, strict=True):
            if number is None:
                passed.append(address(argument))
            elif number in _BITS:
                passed.append(int(np.asarray(argument).view(f"u{argument.itemsize}")))
            elif number in _COMPLEX:
                passed.append(PASSED[number](argument.real, argument.imag))
            else:
                passed.append(argument.item())
        return partial(self._run, tuple(passed), arguments)

    def _run(self, passed: tuple[Any, ...], arguments: Sequence[Any]) -> None:
        status = self.function(*passed) if self.team is None else self.team.run(self.function, passed)
        if status:
            site, *numbers = status if isinstance(status, tuple) else (status,)
            sizes = passed[: len(self.limits.sizes)]
            reach = self.limits.reach(sizes, self.limits.most_read(arguments))
            refuse(self.plan.source.sites[site - 1], reach, *numbers)


def _raise_failure(source: CSource, library: ctypes.CDLL, sizes: tuple[int, ...], status: int) -> NoReturn:
    """Raise the error of a call of a kernel without tables that failed in this thread."""
    numbers: tuple[int, ...] = ()
    if source.has_numbers:
        failed = library[FAILED]
        failed.argtypes, failed.restype = [], ctypes.POINTER(ctypes.c_int64)
        numbers = tuple(failed()[:2])
    refuse(source.sites[status - 1], source.limits.reach(sizes, 0), *numbers)


def _with_numbers(function: Callable[..., int], failed: Callable[[], Any], *passed: Any) -> Status:
    """Call a kernel. If it failed, return its status with the numbers that this thread stored for the failure."""
    status = function(*passed)
    if not status:
        return status
    numbers = failed()
    return status, numbers[0], numbers[1]


def address(array: Any) -> int:
    """The address of a numpy array. Its buffer is the fastest way, but read-only arrays and some types do not
    have one.
    """
    try:
        return ctypes.addressof(_BUFFER(array))
    except (TypeError, ValueError):
        start: int = array.__array_interface__["data"][0]
        return start


def load(
    library: Path,
    symbol: str,
    sizes: int,
    numbers: Sequence[str | None],
    wakes: bool,
    shares: bool,
    has_numbers: bool,
) -> tuple[Callable[..., Status], Team | None, ctypes.CDLL]:
    """The function of this name, its team of threads if it `wakes` one, and the library. The function takes sizes, then
    pointers and numbers, and returns its status; if it failed and `has_numbers`, also the numbers of the failure. The
    team is woken at each call, or if it `shares` its work only at some sizes, at those.

    """
    with _LOADING, short_waits():
        loaded = ctypes.CDLL(str(library))
    function: Any = loaded[symbol]
    passed = [ctypes.c_void_p if number is None else PASSED[number] for number in numbers]
    function.argtypes = [ctypes.c_int64] * sizes + passed
    function.restype = ctypes.c_int
    if has_numbers:
        failed = loaded[FAILED]
        failed.argtypes, failed.restype = [], ctypes.POINTER(ctypes.c_int64)
        function = partial(_with_numbers, function, failed)
    if not wakes:
        return function, None, loaded
    wake = loaded[WAKE]
    wake.argtypes, wake.restype = [], None
    worth = loaded[SHARES] if shares else None
    if worth is not None:
        worth.argtypes, worth.restype = [ctypes.c_int64 * sizes], ctypes.c_int
    return function, Team(wake, deserted=deserted_by_forks(loaded), shares=worth, sizes=sizes), loaded
