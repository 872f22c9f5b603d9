"""The command `shine`: its list of subcommands, which are loaded when they are called."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

import rise
from rise.diagnostics import Diagnostic, did_you_mean
from rise.records import dataclass
from shine.cli import streams
from shine.cli.interrupt import INTERRUPTED
from shine.cli.terminal import complain, report_unwritten
from shine.cli.words import spread

#: the base class of the exceptions that typer raises for wrong usage
USAGE_ERROR: Final[Any] = typer.BadParameter.__mro__[1]
USAGE_STATUS: Final = 2
#: typer's messages, also as its newer versions write them, and ours
_USAGE_MESSAGES: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (
            r"Invalid value for '(.+?)': (?:Value error, )?'(.*)' is not one of (.*)",
            r"expected one of \3 for \1, found '\2'",
        ),
        (r"Invalid value for '(.+?)': Input should be (.*)", r"expected \1 to be \2"),
        (r"Invalid value for '?(.+?)'?: (?:Value error, )?(.*)", r"wrong value of \1: \2"),
        (r"Missing \w+ '(.*)'", r"expected \1, found nothing"),
        (r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", r"expected no more arguments, found \1"),
    )
)
#: where typer's own suggestion starts in a message
_SUGGESTION: Final = re.compile(r" \(Possible options: |[,.]? \(?[Dd]id you mean ")
_QUOTED: Final = re.compile("'([^']*)'")


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A subcommand, which the function `NAME_command` of a module of this package declares with its options."""

    name: str
    module: str
    summary: str  # the first sentence of the function's documentation


@cache
def load(subcommand: Subcommand) -> Any:
    """A subcommand with the parsers of its options."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    function = f"{subcommand.name.replace('-', '_')}_command"
    app.command(subcommand.name)(getattr(import_module(f"{__package__}.{subcommand.module}"), function))
    return typer.main.get_command(app)


SUBCOMMANDS: Final = (
    Subcommand("check", "program_commands", "Check a program, and print its types."),
    Subcommand("show", "program_commands", "Show a stage of compilation."),
    Subcommand(
        "explain",
        "explain",
        "Explain why a strategy fails, what one of its steps did, or what named values cost.",
    ),
    Subcommand(
        "compile",
        "program_commands",
        "Compile a program, and write its source or machine code.",
    ),
    Subcommand("run", "program_commands", "Compile a program and call it."),
    Subcommand(
        "profile",
        "simulator_commands",
        "Run a program once in the CUDA simulator, and count bank conflicts, sectors and more, by line and by place.",
    ),
    Subcommand("tune", "tune", "Search a space for the fastest strategy at these sizes."),
    Subcommand(
        "simulate",
        "simulator_commands",
        "Run a kernel of a CUDA file without a GPU, in a process of its own, and show what is wrong with it.",
    ),
    Subcommand(
        "list",
        "catalogue",
        "List primitives, rules, strategies, targets, passes or definitions.",
    ),
    Subcommand(
        "check-derivation",
        "check_derivation",
        "Check the steps of a strategy, or of a saved derivation, for all sizes and inputs, trusting no rule.",
    ),
    Subcommand(
        "check-translation",
        "check_translation",
        "Check that a kernel computes what the low-level program does, exactly, at all small sizes.",
    ),
    Subcommand(
        "prove",
        "prove",
        "Prove the rules in a Python file for all sizes, and test those that are not proved.",
    ),
    Subcommand("cache", "cache", "Show or clear the cache of built kernels."),
    Subcommand(
        "doctor",
        "doctor",
        "Show which tools are installed, how to install missing ones, and the record of this machine.",
    ),
)
_BY_NAME: Final[Mapping[str, Subcommand]] = {each.name: each for each in SUBCOMMANDS}


class Loaded(Mapping[str, Any]):
    """The subcommands by name, each loaded when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        return load(_BY_NAME[name])

    def __iter__(self) -> Iterator[str]:
        return iter(_BY_NAME)

    def __len__(self) -> int:
        return len(_BY_NAME)


class Group(TyperGroup):
    """The command, which lists its subcommands without loading them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = Loaded()

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        limit = formatter.width - 6 - max(map(len, _BY_NAME))
        rows = [
            (each.name, TyperCommand(each.name, help=each.summary).get_short_help_str(limit))
            for each in SUBCOMMANDS
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


app = typer.Typer(
    name="shine",
    cls=Group,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"shine {rise.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit."),
    ] = False,
) -> None:
    """Compile functional programs to fast kernels, with strategies that you choose."""


@lru_cache(maxsize=1)
def command() -> Any:
    """The command with the parsers of its own options."""
    return typer.main.get_command(app)


def main(words: Sequence[str]) -> int:
    """Run the command with these arguments, and return the exit status."""
    try:
        with streams.writing():
            status = command()(spread(words), prog_name="shine", standalone_mode=False)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except streams.OutputError as error:
        return report_unwritten(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except USAGE_ERROR as error:
        if words:
            complain(usage_diagnostic(error), "--json" in words)
        else:
            error.show()  # the help
        return USAGE_STATUS
    return status if isinstance(status, int) else 0


def usage_diagnostic(error: Any) -> Diagnostic:
    """The diagnostic for an error in the command line, which names the nearest subcommand, option or value."""
    message = _SUGGESTION.split(" ".join(error.format_message().split()))[0].rstrip(".")
    title = next(
        (found.expand(ours) for theirs, ours in _USAGE_MESSAGES if (found := theirs.fullmatch(message))),
        message,
    )
    command = "shine" if error.ctx is None else error.ctx.command_path
    hint = f"`{command} --help` lists its {'subcommands' if command == 'shine' else 'options'}"
    if nearest := did_you_mean(*_misspelt(error, title)):
        hint = f"{nearest} {hint}"
    return Diagnostic("usage", title[:1].lower() + title[1:], hint=hint)


def _misspelt(error: Any, title: str) -> tuple[str, Sequence[str]]:
    """The word that was probably misspelt on the command line, and the possible words in its place."""
    words = [] if error.ctx is None else [name for each in error.ctx.command.params for name in each.opts]
    if option := getattr(error, "option_name", ""):
        return option, words
    *values, given = _QUOTED.findall(title) or [""]
    is_subcommand = error.ctx is not None and error.ctx.parent is None
    return given, values or (list(_BY_NAME) if is_subcommand else [])


def app_main() -> None:
    """Run the installed command. The current directory is the last entry of the search path for strategies."""
    streams.prepare()
    with suppress(OSError):  # the current directory was removed
        sys.path.append(os.getcwd())
    status = main(sys.argv[1:])
    if status == INTERRUPTED:
        os._exit(status)  # a kernel may still be running
    sys.exit(status)
