"""The options that commands share, and how their texts are read. Knows the command line, and no command."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

import typer

from shine.cli.request import Request


class Stage(StrEnum):
    """What `shine show` shows."""

    HIGH = "high"
    DERIVATION = "derivation"
    LOW = "low"
    IMPERATIVE = "imperative"
    SOURCE = "source"


class Kind(StrEnum):
    """What `shine list` lists."""

    PRIMITIVES = "primitives"
    RULES = "rules"
    STRATEGIES = "strategies"
    TARGETS = "targets"


File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE", help="A program, as text.")]
Definition: TypeAlias = Annotated[
    str | None,
    typer.Option("--def", metavar="NAME", help="The definition: the only one, or main, by default."),
]
StrategyName: TypeAlias = Annotated[
    str | None,
    typer.Option("--strategy", metavar="MODULE:NAME", help="How to lower it: as the target does by default."),
]
Parameters: TypeAlias = Annotated[
    list[str] | None, typer.Option("-p", "--param", metavar="NAME=VALUE", help="A parameter of the strategy.")
]
TargetName: TypeAlias = Annotated[
    str, typer.Option("--target", metavar="TARGET", help="What to compile for: see `shine list targets`.")
]
Arch: TypeAlias = Annotated[
    str | None, typer.Option("--arch", metavar="ARCH", help="The architecture: this machine's by default.")
]
Sizes: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--size", metavar="NAME=SIZE", help="Fix a size, or a type (t=f32), by its name."),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

_ASSIGNMENT: Final = re.compile(r"[A-Za-z_][\w']*=")
_NAME: Final = re.compile(r"[A-Za-z_][\w']*")


def _is_assignment(word: str) -> bool:
    return _ASSIGNMENT.match(word) is not None


def _is_input(word: str) -> bool:
    return word.endswith(".npy") or _is_assignment(word)


#: options that may be followed by several values, and what counts as a further one
SEVERAL: Final[Mapping[str, Callable[[str], bool]]] = {
    "--size": _is_assignment,
    "-p": _is_assignment,
    "--param": _is_assignment,
    "--input": _is_input,
}


def spread(words: Sequence[str]) -> list[str]:
    """Repeat an option for each of its values.

    >>> spread(["run", "--size", "M=2", "N=3", "a.rise"])
    ['run', '--size', 'M=2', '--size', 'N=3', 'a.rise']
    """
    found: list[str] = []
    option = ""
    has_value = False
    for position, word in enumerate(words):
        if word == "--":
            return [*found, *words[position:]]
        if word in SEVERAL:
            option, has_value = word, False
        elif option and has_value and SEVERAL[option](word):
            found.append(option)
        elif option and not has_value:
            has_value = True
        else:
            option = ""
        found.append(word)
    return found


def assignments(option: str, written: Sequence[str] | None) -> dict[str, str]:
    """`NAME=VALUE` texts as a mapping; anything else is wrong usage."""
    found: dict[str, str] = {}
    for word in written or ():
        name, equal, value = word.partition("=")
        if not (equal and value and _NAME.fullmatch(name)):
            raise typer.BadParameter(f"expected NAME=VALUE, found {word!r}", param_hint=option)
        if name in found:
            raise typer.BadParameter(f"`{name}` is given twice", param_hint=option)
        found[name] = value
    return found


def parameter_value(text: str) -> Any:
    """A parameter of a strategy: an integer, a number, true or false, or else the text.

    >>> [parameter_value(text) for text in ("32", "0.5", "true", "wide")]
    [32, 0.5, True, 'wide']
    """
    if text in ("true", "false"):
        return text == "true"
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def size_value(text: str) -> int | str:
    """A size as a number, or a size over others or a type as its text.

    >>> size_value("1024"), size_value("f16")
    (1024, 'f16')
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 else text


def request(
    file: str,
    definition: str | None,
    strategy: str | None,
    parameters: list[str] | None,
    target: str,
    arch: str | None,
    sizes: list[str] | None,
) -> Request:
    """The request that the options make."""
    return Request(
        file,
        definition,
        strategy,
        {name: parameter_value(text) for name, text in assignments("-p", parameters).items()},
        target,
        arch,
        {name: size_value(text) for name, text in assignments("--size", sizes).items()},
    )
