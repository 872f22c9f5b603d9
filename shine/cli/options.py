"""The options that commands share, and how their texts are read. Knows the command line, and no command."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Final, TypeAlias

import typer

from shine.cli.foreign import is_code
from shine.cli.request import DEFAULT_TARGET, Request, check_options
from shine.cli.terminal import page


class Stage(StrEnum):
    """What `shine show` shows."""

    HIGH = "high"
    DERIVATION = "derivation"
    PROFILE = "profile"
    LOW = "low"
    PASSES = "passes"
    IMPERATIVE = "imperative"
    SOURCE = "source"


class Kind(StrEnum):
    """What `shine list` lists."""

    PRIMITIVES = "primitives"
    RULES = "rules"
    STRATEGIES = "strategies"
    TARGETS = "targets"
    PASSES = "passes"
    LIBRARY = "library"
    DEFINITIONS = "definitions"


File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE", help="A program, as text.")]
Definition: TypeAlias = Annotated[
    str | None,
    typer.Option("--def", metavar="NAME", help="The definition: the only one, or main, by default."),
]
StrategyName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="MODULE:NAME",
        help="How to lower it, or a saved derivation: by default as the target does.",
    ),
]
Parameters: TypeAlias = Annotated[
    list[str] | None, typer.Option("-p", "--param", metavar="NAME=VALUE", help="A parameter of the strategy.")
]
TargetName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="TARGET",
        help=f"What to compile for, {DEFAULT_TARGET} by default: see `shine list targets`.",
    ),
]
Arch: TypeAlias = Annotated[
    str | None, typer.Option("--arch", metavar="ARCH", help="The architecture: this machine's by default.")
]
TargetOptions: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-O",
        "--option",
        metavar="NAME=VALUE",
        help="An option of the target: see `shine list targets`. NAME alone is NAME=true.",
    ),
]
Sizes: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--size", metavar="NAME=SIZE", help="Fix a size, or a type (t=f32), by its name."),
]
ForeignFiles: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-foreign",
        metavar="FILE",
        help="A file with the code of foreign functions (.py, .c, .cu): none is run that is not allowed here.",
    ),
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
    "-O": _is_assignment,
    "--option": _is_assignment,
    "--input": _is_input,
    "--allow-foreign": is_code,
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
    number = number_of(text)
    return text if number is None else number


def number_of(text: str) -> int | float | None:
    """The number that a text is, None for none."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return None


def size_value(text: str) -> int | str:
    """A size as a number, or a size over others or a type as its text.

    >>> size_value("1024"), size_value("f16")
    (1024, 'f16')
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 else text


def request(
    file: File,
    definition: Definition = None,
    strategy: StrategyName = None,
    param: Parameters = None,
    target: TargetName = None,
    arch: Arch = None,
    option: TargetOptions = None,
    size: Sizes = None,
    allow_foreign: ForeignFiles = None,
) -> Request:
    """The request that the options make. Its parameters are the ones that commands share."""
    return Request(
        file,
        definition,
        strategy,
        {name: parameter_value(text) for name, text in assignments("-p", param).items()},
        target or DEFAULT_TARGET,
        arch,
        {name: size_value(text) for name, text in assignments("--size", size).items()},
        assignments("-O", [one if "=" in one else f"{one}=true" for one in option or ()]),
        tuple(allow_foreign or ()),
        target is not None or strategy is not None,
    )


def with_request(command: Callable[..., None]) -> Callable[..., None]:
    """A command given a page and a request: besides its own options it takes those of `request`, and --json."""
    shared = signature(request, eval_str=True).parameters
    own = list(signature(command, eval_str=True).parameters.values())[2:]
    json = Parameter("json", Parameter.KEYWORD_ONLY, default=False, annotation=Json)
    file, *rest = (one.replace(kind=Parameter.KEYWORD_ONLY) for one in shared.values())
    options = [file, *(one.replace(kind=Parameter.KEYWORD_ONLY) for one in own), *rest, json]

    def run(**given: Any) -> None:
        wanted = request(**{name: given.pop(name) for name in shared})
        with page(given.pop("json")) as shown:
            check_options(wanted)
            command(shown, wanted, **given)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {one.name: one.annotation for one in options}
    run.__signature__ = Signature(options)  # type: ignore[attr-defined]  # what `inspect.signature` answers
    return run
