"""Removes the frames of these packages from tracebacks of diagnostics and of errors in functions of users, so that they
end at the user's line.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Final, ParamSpec, TypeVar

#: the packages whose frames are removed
OWN: Final = frozenset(("elevate", "rise", "shine", "strategies"))
#: the packages through which these call their own functions
BETWEEN: Final = frozenset(("contextlib", "dataclasses", "functools", "importlib", "lark", "numpy"))
P = ParamSpec("P")
R = TypeVar("R")


def ends_at_the_users_line(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function so that tracebacks of its diagnostics, and of errors that functions of users raise, contain
    only frames of users: the call, and functions of users that it calls.

    A bare `raise` adds no frame of its own, so only the frames of users are shown.
    """

    @functools.wraps(function)
    def called(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return function(*arguments, **named)
        except Exception as error:  # of the function that the user passes, too
            strip(error)
            raise

    return called


class _UsersLine(AbstractContextManager[None]):
    """A context manager that does the same for diagnostics from its block."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            strip(error)


AT_THE_USERS_LINE: Final = _UsersLine()


def strip(error: BaseException) -> None:
    """Remove the frames of these packages from an error's traceback, and hide the error in these packages that caused
    it. An error that has no diagnostic and comes from these packages keeps them.
    """
    is_ours = _is_own(error.__traceback__, innermost=True) and not _is_call(error.__traceback__)
    if is_ours and not hasattr(error, "diagnostic"):
        return
    context = error.__context__
    if context is not None and _is_own(context.__traceback__, innermost=True):
        error.__suppress_context__ = True
    error.__traceback__ = users(error.__traceback__)


def users(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of these packages."""
    kept: list[TracebackType] = []
    while trace is not None:
        if not _is_own(trace):
            kept.append(trace)
        trace = trace.tb_next
    following: TracebackType | None = None
    for step in reversed(kept):
        following = TracebackType(following, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return following


def _is_call(trace: TracebackType | None) -> bool:
    """Whether the innermost frame is that of the decorator: the arguments are not those of the function."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals.get("__name__") == __name__


def _is_own(trace: TracebackType | None, innermost: bool = False) -> bool:
    while innermost and trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name: Any = "" if trace is None else trace.tb_frame.f_globals.get("__name__")
    return isinstance(name, str) and name.partition(".")[0] in OWN | BETWEEN
