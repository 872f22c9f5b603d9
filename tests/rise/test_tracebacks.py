"""The traceback of a diagnostic that leaves Python shows only the user's frames, and the last one is the user's
line.
"""

import inspect
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rise
import rise.dsl as dsl
import shine
import strategies
import strategies.fireiron
import strategies.proof
import strategies.testing
from rise import RiseError

PUBLIC = (rise, dsl, shine, strategies, strategies.testing, strategies.proof, strategies.fireiron)
#: functions that print a part of a text, and are called for each part of every text
OF_PARTS = ("bounded", "show_nat", "show_type")
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
    "an argument of a call that is timed": lambda: shine.compile(PROGRAM, "interpret").time(XS.astype(int)),
    "a function that is explained": lambda: shine.jit(lambda x: x.reshape(5, 5)).explain(XS),
    "a specification": lambda: shine.einsum("ij,jk", XS),
    "a method": lambda: Model().run(XS),
    "a class": lambda: shine.jit(int),
    "numpy's function": lambda: shine.jit(np.exp),
    "another of numpy's": lambda: shine.jit(np.sum),
    "a generator": lambda: shine.jit(items),
    "a function that is awaited": lambda: shine.jit(sizes="fixed")(awaited),
    "a program that is awaited": lambda: rise.program(awaited),
    "a value in a term": lambda: dsl.lift(1) + "two",
    "a reflected value in a term": lambda: "two" * dsl.lift(1),
    "an argument in a term": lambda: dsl.map({}),
    "an argument in braces": lambda: dsl.cast[1.5],
    "a function in a term": lambda: dsl.fun(lambda x: x | "neg"),
    "a truth value of a term": lambda: dsl.fun(lambda x: x and 1),
    "the type of a term": lambda: dsl.var("x", 3),  # type: ignore[arg-type]  # the mistake
    "a term that is built": lambda: dsl.build(dsl.fun(lambda x: x + 1.0, "i32")),
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


def functions_of(module: Any) -> list[str]:
    """The public functions of a module."""
    found = [(name, getattr(module, name)) for name in module.__all__]
    return [name for name, one in found if callable(one) and not isinstance(one, type | dsl.Term)]


@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for module in PUBLIC for name in functions_of(module) if name not in OF_PARTS],
    ids=lambda one: getattr(one, "__name__", one),
)
def test_every_public_function_ends_at_the_line_of_its_caller(module: Any, name: str) -> None:
    function = getattr(module, name)
    parameters = inspect.signature(function).parameters.values()
    needed = [one for one in parameters if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    found: list[Exception] = []
    try:
        function(*[object()] * max(len(needed), 1))
    except Exception as error:  # whichever the function raises: those without a diagnostic are not looked at
        found = [error] if hasattr(error, "diagnostic") else []
    assert [files_of(error) for error in found] in ([], [{__file__}])


def test_a_call_with_arguments_that_are_missing_has_no_frames_either() -> None:
    with pytest.raises(TypeError) as caught:
        shine.tune(PROGRAM)  # type: ignore[call-arg]  # the mistake
    assert files_of(caught.value) == {__file__}


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
