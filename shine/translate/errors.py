"""What a user is told when a term cannot be translated. Knows the mistakes, and not how they are found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NoReturn

from rise.diagnostics import Diagnostic, RiseError
from rise.naturals import NatVar, nat
from rise.terms import DepLam, Expr, Lam, Var, substitute
from rise.text.printer import show_brief
from rise.types import instantiate_dependent
from shine.imperative import Origin

LONGEST_EXCERPT: Final = 160


class TranslationError(RiseError):
    """A low-level term that means no kernel; `origin` is the path of the sub-term at fault."""

    def __init__(self, diagnostic: Diagnostic, origin: Origin) -> None:
        super().__init__(diagnostic)
        self.origin = origin


def fail(code: str, title: str, hint: str, origin: Origin) -> NoReturn:
    """Raise the diagnostic."""
    raise TranslationError(Diagnostic(code, title, (), hint), origin)


def excerpt(e: Expr, origin: Origin) -> str:
    """The text of the sub-term at a path, its variables by name."""
    for step in origin:
        match e:
            case Lam(name, parameter, body):
                e = substitute(body, Var(name, parameter))
            case DepLam(name, "nat", _, _, body):
                e = instantiate_dependent(body, nat(NatVar(name, None)))
            case _:
                e = e.children[step]
    return show_brief(e, LONGEST_EXCERPT)


def not_written(what: str, origin: Origin) -> NoReturn:
    """An array that is read in memory stands where the result is to be written."""
    fail(
        "not-written",
        f"expected an expression that writes its result, found {what}, which is only read",
        "copy it: `mapSeq(id)`, or `mapPar(mapSeq(id))` for rows",
        origin,
    )


def not_stored(what: str, origin: Origin) -> NoReturn:
    """A loop's result is read, but nothing says where it is kept."""
    fail(
        "not-stored",
        f"expected an array to read, found {what}: nothing says where its result is written",
        "store it with `toMem(Local)` (one thread's memory) or `toMem(Global)`, or fuse it into its consumer",
        origin,
    )


def still_high(name: str, lowers_to: Iterable[str], origin: Origin) -> NoReturn:
    """A high-level primitive stands where a decision is due."""
    fail(
        "not-lowered",
        f"expected a low-level program, found the high-level `{name}`",
        f"lower it with a strategy, to {listed(lowers_to)}",
        origin,
    )


def no_such_level(name: str, available: Iterable[str], origin: Origin) -> NoReturn:
    """A level of parallelism that the target has not."""
    fail(
        "no-such-level",
        f"expected a map that the target can run, found `{name}`",
        f"lower it to {listed(available)} here; blocks, threads, warps and lanes need a GPU target",
        origin,
    )


def parallel_write(name: str, buffer: str, origin: Origin) -> NoReturn:
    """Two iterations of a parallel loop may write one element."""
    fail(
        "parallel-write",
        f"iterations of the parallel loop over {name} are not proved to write different elements of {buffer}",
        "give every iteration its own part of the result, or make the loop sequential with mapSeq",
        origin,
    )


def nested_parallel(origin: Origin) -> NoReturn:
    """A parallel loop inside another that does more than run it."""
    fail(
        "nested-parallel",
        "expected a parallel loop with sequential ones inside, found mapPar in another's work",
        "lower the inner map to mapSeq",
        origin,
    )


def listed(names: Iterable[str]) -> str:
    """Names in words.

    >>> listed(["mapSeq", "mapPar"])
    'mapSeq or mapPar'
    """
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
