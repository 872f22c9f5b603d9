"""The traceback of a diagnostic that leaves Python shows only the user's frames, and the last one is the user's
line.
"""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise import RiseError

XS = np.ones(3, np.float32)
PROGRAM = rise.parse("fun(xs: N.f32 => xs |> map(neg))")


def reshaped(x: Any) -> Any:
    """A function with an error."""
    return x.reshape(5, 5)


class Model:
    """An object with a method that is decorated."""

    @shine.jit
    def run(self, x: Any) -> Any:
        return x


def items(x: Any) -> Any:
    """A generator."""
    yield x


async def awaited(x: Any) -> Any:
    """A coroutine."""
    return x


def summing(x: Any, n: int) -> Any:
    """A function with a size in place of an axis."""
    return x.sum(axis=n)


def passing(x: Any, n: int) -> Any:
    """The same axis, in a function that is called."""
    return summing(x, n)


MISTAKES: dict[str, Callable[[], Any]] = {
    "a text": lambda: rise.parse("val main = fun(xs: N.f32"),
    "a term": lambda: rise.parse_expr("map(nge)"),
    "a value": lambda: rise.evaluate(PROGRAM, np.ones((2, 2), np.float32)),
    "a size": lambda: rise.specialise(PROGRAM, K=4),
    "a target": lambda: shine.compile(PROGRAM, "opnmp"),
    "an argument of a kernel": lambda: shine.compile(PROGRAM, "interpret")(np.ones((2, 2), np.float32)),
    "a specification": lambda: shine.einsum("ij,jk", XS),
    "a method": lambda: Model().run(XS),
    "a class": lambda: shine.jit(int),
    "numpy's function": lambda: shine.jit(np.exp),
    "another of numpy's": lambda: shine.jit(np.sum),
    "a generator": lambda: shine.jit(items),
    "a function that is awaited": lambda: shine.jit(sizes="fixed")(awaited),
    "a program that is awaited": lambda: rise.program(awaited),
}


def files_of(error: BaseException) -> set[str]:
    """The files in the traceback of an error."""
    return {frame.filename for frame in traceback.extract_tb(error.__traceback__)}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_traceback_has_no_frames_of_the_packages(name: str) -> None:
    with pytest.raises(RiseError) as caught:
        MISTAKES[name]()
    assert files_of(caught.value) == {__file__}
    shown = "".join(traceback.format_exception(caught.value))
    assert shown.count("Traceback") == 1 and str(Path(rise.__file__).parent) not in shown


@pytest.mark.parametrize("function", [reshaped, summing, passing])
def test_a_traceback_ends_in_the_function_that_is_compiled(function: Callable[..., Any]) -> None:
    with pytest.raises(RiseError) as caught:
        shine.jit(function)(*(XS, 5)[: function.__code__.co_argcount])
    assert files_of(caught.value) == {__file__}
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.name == ("reshaped" if function is reshaped else "summing")
    assert f"{last.lineno}:" in caught.value.diagnostic.render()


def undefined(x: Any) -> Any:
    """A function whose loop uses a name that is defined nowhere."""
    for i in range(len(x)):
        x[i] = missing  # type: ignore[name-defined]  # noqa: F821  # see above
    return x


@pytest.mark.parametrize("kind", [NameError, ZeroDivisionError])
def test_an_error_in_a_function_is_shown_at_its_line(kind: type[Exception]) -> None:
    function = undefined if kind is NameError else lambda x: x * (1 / 0)
    with pytest.raises(kind) as caught:
        shine.jit(function)(XS)
    assert files_of(caught.value) == {__file__}
