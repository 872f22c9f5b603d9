"""The diagnostics for terms that cannot be translated. Depends on the mistakes, but not on how they are detected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, NoReturn

from rise.diagnostics import Diagnostic, RiseError
from rise.naturals import NatVar, nat
from rise.printer.terms import show_brief
from rise.size_functions import SizeFunVar
from rise.terms import DepLam, Expr, Lam, Var, substitute
from rise.types import instantiate_dependent
from shine.imperative.nodes import Origin

MAX_EXCERPT_CHARACTERS: Final = 160
NOT_WRITTEN: Final = "not-written"
_AT: Final = "in the low-level program at "


class TranslationError(RiseError):
    """A low-level term that cannot be translated to a kernel; `origin` is the path of the subterm at fault."""

    def __init__(self, diagnostic: Diagnostic, origin: Origin) -> None:
        super().__init__(diagnostic)
        self.origin = origin


def fail(code: str, title: str, hint: str, origin: Origin) -> NoReturn:
    """Raise TranslationError with a diagnostic."""
    raise TranslationError(Diagnostic(code, title, (), hint), origin)


def path_note(origin: Origin) -> str:
    """A note with a path in a low-level program, whose text is not available."""
    return f"{_AT}{'.'.join(map(str, origin)) or 'the root'}"


def located(e: Expr | None, error: RiseError) -> RiseError:
    """The same error; if it has an `origin`, the part of the term there becomes its first note."""
    origin: Origin | None = getattr(error, "origin", None)
    if e is not None and origin is not None:
        notes = [note for note in error.diagnostic.notes if not note.startswith(_AT)]
        first = f"in {excerpt(e, origin)}"
        if first not in notes:
            error.diagnostic = replace(error.diagnostic, notes=(first, *notes))
    return error


@contextmanager
def locating(e: Expr | None) -> Iterator[None]:
    """Add to errors the part of the term that they come from, if it is known."""
    try:
        yield
    except RiseError as error:
        located(e, error)
        raise


def excerpt(e: Expr, origin: Origin) -> str:
    """The text of the subterm at a path, with its variables by name."""
    for step in origin:
        match e:
            case Lam(name, parameter, body):
                e = substitute(body, Var(name, parameter))
            case DepLam(name, "nat", _, _, body):
                e = instantiate_dependent(body, nat(NatVar(name, None)))
            case DepLam(name, "nat -> nat", _, _, body):
                e = instantiate_dependent(body, SizeFunVar(name))
            case _:
                e = e.children[step]
    return show_brief(e, MAX_EXCERPT_CHARACTERS)


def not_written(subject: str, origin: Origin) -> NoReturn:
    """Report an array in memory that is used where a result must be written."""
    fail(
        NOT_WRITTEN,
        f"expected an expression that writes its result, found {subject}, which is only read",
        "copy it: `mapSeq(id)`, or `mapPar(mapSeq(id))` for rows",
        origin,
    )


def not_stored(subject: str, origin: Origin) -> NoReturn:
    """Report a loop whose result is read, although nothing says where it is stored."""
    fail(
        "not-stored",
        f"expected an array to read, found {subject}: the program does not say where to store its result",
        "store it with `toMem(Local)` (one thread's memory) or `toMem(Global)`, or fuse it into its consumer"
        " before it is lowered: strategies.parts.nests:fuse",
        origin,
    )


def still_high(name: str, lowers_to: Iterable[str], origin: Origin) -> NoReturn:
    """Report a high-level primitive that was not lowered."""
    raise TranslationError(not_lowered(name, lowers_to), origin)


def not_lowered(name: str, lowers_to: Iterable[str]) -> Diagnostic:
    """The diagnostic for a high-level primitive that was not lowered."""
    title = f"expected a low-level program, found the high-level `{name}`"
    hint = (
        f"lower it to {listed(lowers_to)}: end the strategy with a lowering, such as `>> sequential`,"
        " or use the target's own (`shine list targets`)"
    )
    return Diagnostic("not-lowered", title, (), hint)


def no_such_level(name: str, available: Iterable[str], origin: Origin) -> NoReturn:
    """Report a level of parallelism that the target does not have."""
    fail(
        "no-such-level",
        f"expected a map that the target can run, found `{name}`",
        f"lower it to {listed(available)} here; blocks, threads, warps and lanes need a GPU target",
        origin,
    )


def parallel_write(view: str, origin: Origin) -> NoReturn:
    """Report a parallel loop of which two iterations may write the same element, because of a view around the loop."""
    fail(
        "parallel-write",
        f"expected views that write different elements to different places around a parallel loop, found `{view}`",
        f"store the result of the loop before `{view}` with toMem, or make the loop sequential with mapSeq",
        origin,
    )


def nested_parallel(origin: Origin) -> NoReturn:
    """Report a parallel loop inside another one that contains more than this loop."""
    fail(
        "nested-parallel",
        "expected a parallel loop with sequential ones inside, found mapPar inside mapPar",
        "lower the inner map to mapSeq",
        origin,
    )


def listed(names: Iterable[str]) -> str:
    """A list of names joined by "or".

    >>> listed(["mapSeq", "mapPar"])
    'mapSeq or mapPar'
    """
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
