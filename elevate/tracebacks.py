"""Tracebacks of diagnostics: they end at the user's line, without the frames of this package and of those that use it.

Independent of strategies.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

#: this package, those that are built on it, whose functions strategies call, and that of decorators
_OWN = frozenset(("contextlib", "elevate", "rise", "shine", "strategies"))
P = ParamSpec("P")
R = TypeVar("R")


def ends_at_the_users_line(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function so that tracebacks of its diagnostics only contain frames of users."""

    @functools.wraps(function)
    def called(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return function(*arguments, **named)
        except Exception as error:  # of rules of users, too
            here = error.__traceback__
            is_of_call = here is not None and here.tb_next is None  # it has other parameters
            if is_of_call or hasattr(error, "diagnostic"):
                error.__suppress_context__ = True
                error.__traceback__ = _frames_of_users(here)
            raise  # which adds no frame

    return called


class Checked(type):
    """The class of classes whose fields are checked: a traceback of a wrong field ends at the call of the class."""

    __call__: Callable[..., Any] = ends_at_the_users_line(type.__call__)

    @property
    def __signature__(cls) -> inspect.Signature:
        """The parameters of the class, not those of this method."""
        whole = inspect.signature(cls.__init__)  # type: ignore[misc]  # the one that creates this class
        return whole.replace(parameters=[*whole.parameters.values()][1:])


def _frames_of_users(trace: TracebackType | None) -> TracebackType | None:
    if trace is None:
        return None
    rest = _frames_of_users(trace.tb_next)
    package = str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0]
    return rest if package in _OWN else TracebackType(rest, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
