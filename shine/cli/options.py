"""The options that commands share, and how their values are parsed.

Depends on the command line, but not on commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Final, TypeAlias

import typer

from shine.cli.files import STANDARD_INPUT, STDIN_NAME, read_standard_input
from shine.cli.request import DEFAULT_TARGET, Request, check_options
from shine.cli.terminal import Json, page
from shine.cli.words import ASSIGNMENT
from shine.targets import TARGETS


class Stage(StrEnum):
    """The stages of `shine show`."""

    HIGH = "high"
    DERIVATION = "derivation"
    PROFILE = "profile"
    LOW = "low"
    PASSES = "passes"
    IMPERATIVE = "imperative"
    SOURCE = "source"


class Kind(StrEnum):
    """The kinds of things that `shine list` lists."""

    PRIMITIVES = "primitives"
    RULES = "rules"
    STRATEGIES = "strategies"
    TARGETS = "targets"
    PASSES = "passes"
    LIBRARY = "library"
    DEFINITIONS = "definitions"


File: TypeAlias = Annotated[
    str, typer.Argument(metavar="FILE", help="A RISE program, or - to read standard input.")
]
Definition: TypeAlias = Annotated[
    str | None,
    typer.Option("--def", metavar="NAME", help="The definition; by default the only one, or main."),
]
StrategyName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="MODULE:NAME",
        help="The strategy that lowers the program, a saved derivation, a database of `shine tune` (D.sqlite), or "
        "`tuned` for the fastest stored result; by default the target's own strategy.",
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
        help=f"The target to compile for, by default {DEFAULT_TARGET}: see `shine list targets`.",
        autocompletion=lambda: list(TARGETS),
    ),
]
Arch: TypeAlias = Annotated[
    str | None, typer.Option("--arch", metavar="ARCH", help="The architecture; by default this machine's.")
]
TargetOptions: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-O",
        "--option",
        metavar="NAME=VALUE",
        help="An option of the target: see `shine list targets`. NAME alone means NAME=true.",
    ),
]
Sizes: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--size", "--sizes", metavar="NAME=SIZE", help="Fix a size, or a type (t=f32), by its name."
    ),
]
ForeignFiles: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-foreign",
        metavar="FILE",
        help="A file with the code of foreign functions (.py, .c, .cu). Only files named here are run.",
    ),
]
Inputs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--input", metavar="A.npy", help="An input, in order or by name (A=a.npy, alpha=0.5)."),
]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", min=0, metavar="S", help="The seed of random inputs.")
]

_IDENTIFIER: Final = re.compile(r"[A-Za-z_][\w']*")
_BETWEEN_ASSIGNMENTS: Final = re.compile(rf",\s*(?={ASSIGNMENT.pattern})")


def split_at_commas(words: Sequence[str] | None) -> list[str]:
    """Split `M=64,N=64` into its assignments; other commas belong to values.

    >>> split_at_commas(["M=64,N=64", "K=8,", "t=(f32, i32)"])
    ['M=64', 'N=64', 'K=8', 't=(f32, i32)']
    """
    return [part for word in words or () for part in _BETWEEN_ASSIGNMENTS.split(word.rstrip(","))]


def assignments(option: str, written: Sequence[str] | None) -> dict[str, str]:
    """`NAME=VALUE` texts as a mapping. Raises typer.BadParameter for anything else."""
    values: dict[str, str] = {}
    for word in written or ():
        name, equal, value = word.partition("=")
        if not (equal and value and _IDENTIFIER.fullmatch(name)):
            raise typer.BadParameter(f"expected NAME=VALUE, found {word!r}", param_hint=option)
        if name in values:
            raise typer.BadParameter(f"`{name}` is given twice", param_hint=option)
        values[name] = value
    return values


def parameter_value(text: str) -> Any:
    """The value of a strategy's parameter: an integer, a float, a truth value, or otherwise the text.

    >>> [parameter_value(text) for text in ("32", "0.5", "true", "wide")]
    [32, 0.5, True, 'wide']
    """
    if text in ("true", "false"):
        return text == "true"
    number = number_of(text)
    return text if number is None else number


def number_of(text: str) -> int | float | None:
    """A text as a number, or None if it is not one."""
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return None


def size_value(text: str) -> int | str:
    """A size as a number; a size in terms of others, or a type, as its text.

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
    """The request that the options describe. Its parameters are the options that commands share."""
    return Request(
        file,
        definition,
        strategy,
        {name: parameter_value(text) for name, text in assignments("-p", split_at_commas(param)).items()},
        target or DEFAULT_TARGET,
        arch,
        {name: size_value(text) for name, text in assignments("--size", split_at_commas(size)).items()},
        assignments("-O", [text if "=" in text else f"{text}=true" for text in option or ()]),
        tuple(allow_foreign or ()),
        target is not None or strategy is not None,
    )


def with_request(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of `request` and --json to a command, which is then called with a page and a request."""
    shared = signature(request, eval_str=True).parameters
    own = list(signature(command, eval_str=True).parameters.values())[2:]
    json = Parameter("json", Parameter.KEYWORD_ONLY, default=False, annotation=Json)
    file, *rest = (parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in shared.values())
    options = [file, *(parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in own), *rest, json]

    def run(**values: Any) -> None:
        call_request = request(**{name: values.pop(name) for name in shared})
        with page(values.pop("json")) as report:
            if call_request.file == STANDARD_INPUT:
                call_request = replace(call_request, file=STDIN_NAME, text=read_standard_input())
            check_options(call_request)
            command(report, call_request, **values)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in options}
    run.__signature__ = Signature(options)  # type: ignore[attr-defined]  # read by `inspect.signature`
    return run
