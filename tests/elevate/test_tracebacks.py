"""The traceback of a diagnostic about a strategy shows only the user's frames, and the last one is the user's line."""

import inspect
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import elevate
from elevate import Failure, StrategyError, lChoice, repeat, rule, seq, topDown
from elevate.toy import Tree, tree


@rule
def renamed(term: Tree) -> Tree | None:
    """Any leaf `a` becomes `b`."""
    return tree("b") if term.label == "a" else None


@rule
def wrong(term: Tree) -> Any:
    """A rule with a mistake."""
    return elevate.subterm(term, (ANY,))


PROGRAM = tree("f", "a", tree("g", "b"))
ANY: Any = None


def of_failure(program: Tree) -> Any:
    """The program of a strategy that failed."""
    result = renamed(program)
    assert isinstance(result, Failure)
    return result.program


MISTAKES: dict[str, Callable[[], Any]] = {
    "a traversal": lambda: topDown("mapFusion"),  # type: ignore[arg-type]  # the mistake, here and below
    "a sequence": lambda: seq(renamed, ANY),
    "a choice": lambda: lChoice(renamed, 3),  # type: ignore[arg-type]  # as above
    "an operator": lambda: renamed >> ANY,
    "a reflected operator": lambda: ANY | renamed,
    "a traversal by an operator": lambda: renamed @ ANY,
    "a program": lambda: repeat(renamed)("f(a)"),  # type: ignore[type-var]  # as above
    "a run": lambda: elevate.run(topDown(renamed), ANY),
    "a rule": lambda: topDown(wrong)(PROGRAM),
    "a failure": lambda: of_failure(PROGRAM),
    "an analysis": lambda: elevate.requires(ANY),
    "a record": lambda: elevate.Label("0", 1, ""),  # type: ignore[arg-type]  # as above
}


def files_of(error: BaseException) -> set[str]:
    """The files in the traceback of an error."""
    return {frame.filename for frame in traceback.extract_tb(error.__traceback__)}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_traceback_has_no_frames_of_the_packages(name: str) -> None:
    with pytest.raises(StrategyError) as caught:
        MISTAKES[name]()
    assert files_of(caught.value) == {__file__}
    assert "".join(traceback.format_exception(caught.value)).count("Traceback") == 1


@pytest.mark.parametrize("name", [name for name in elevate.__all__ if callable(getattr(elevate, name))])
def test_every_public_name_ends_at_the_line_of_its_caller(name: str) -> None:
    called = getattr(elevate, name)
    try:
        parameters = inspect.signature(called).parameters.values()
    except ValueError:  # a type, such as `Path`, has none
        return
    needed = [one for one in parameters if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    found: list[Exception] = []
    try:
        called(*[object()] * max(len(needed), 1))
    except Exception as error:  # whichever it raises: those without a diagnostic are not looked at
        found = [error] if hasattr(error, "diagnostic") else []
    assert [files_of(error) for error in found] in ([], [{__file__}])


@pytest.mark.parametrize("called", [topDown, seq(renamed).requires, elevate.subterm])
def test_a_call_with_other_arguments_has_no_frames_either(called: Any) -> None:
    with pytest.raises(TypeError) as caught:
        called(1, 2, 3, 4)
    assert files_of(caught.value) == {__file__}


def test_a_class_shows_its_own_parameters() -> None:
    assert list(inspect.signature(topDown).parameters) == ["inner"]
    assert list(inspect.signature(Failure).parameters) == ["strategy", "path", "attempt", "given"]
