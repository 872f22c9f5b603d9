"""Pictures of Fireiron schedules: `shine show FILE --schedule MODULE:NAME`. Reads a schedule by its address or text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import isfunction, signature
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NoReturn

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from shine.cli.files import check_path, write_file
from shine.cli.request import Request, choose, located
from shine.cli.terminal import Page
from shine.front.derivation import derive
from strategies.fireiron import Schedule, read_schedule
from strategies.fireiron.reader import STARTS
from strategies.lookup import import_module_of

#: how the text of a schedule begins, in hints
START: Final = "MatMul"
SUFFIX: Final = ".svg"


def show_schedule(page: Page, request: Request, given: str, output: Path | None) -> None:
    """Print the picture of a schedule for a program as SVG, or write it to a file.

    The schedule is applied to the program first, so that each of its specifications is compared with the program.
    Raises RiseError if it does not fit.
    """
    if output is not None:
        if output.suffix != SUFFIX:
            title = f"expected a file that ends in {SUFFIX} for a picture, found {output}"
            raise RiseError(Diagnostic("options", title, hint=f"write --output {output.with_suffix(SUFFIX)}"))
        check_path(output)
    if request.strategy is not None:
        title = "expected --schedule or --strategy, found both"
        hint = "a schedule is a strategy: omit --strategy"
        raise RiseError(Diagnostic("options", title, hint=hint))
    schedule = schedule_of(given, request.parameters)
    chosen = choose(request)
    with located(chosen.program, chosen.name):
        derive(schedule.strategy(), chosen.high, chosen.what)
        picture = schedule.picture(chosen.high)
    page.put(file=request.file, definition=chosen.name, schedule=str(schedule))
    if output is None:
        page.line(picture.rstrip("\n"))
        page.put(picture=picture)
    else:
        write_file(output, picture.encode())
        page.line(f"wrote the picture to {output}")
        page.put(output=str(output))


def schedule_of(given: str, parameters: Mapping[str, Any] = MappingProxyType({})) -> Schedule:
    """The schedule with this text or at this address, or that a function there returns for parameters. Raises RiseError
    if there is none.
    """
    if given.startswith(tuple(STARTS)) and ":" not in given:
        made: object = read_schedule(given)
    else:
        made = _at_address(given)
    if isfunction(made):
        return _called(given, made, parameters)
    if not isinstance(made, Schedule):
        title = f"expected a schedule at {given}, found a Python value of type {type(made).__name__}"
        _refuse(title, f"for example {START}.tile(64, 64)..; `--strategy` takes strategies")
    if parameters:
        _refuse(f"{given} takes no parameters, found {', '.join(parameters)}", "omit -p")
    return made


def _at_address(given: str) -> object:
    module, _, name = given.partition(":")
    if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        _refuse(
            f"expected a schedule as module:name or as text, found `{given}`",
            f"for example {START}.tile(64, 64)..",
        )
    home = vars(import_module_of(module, name))
    known = [own for own, value in home.items() if isinstance(value, Schedule)]
    if name not in home:
        listed = f"it has {', '.join(known)}" if known else "it has none"
        _refuse(f"{module} has no schedule `{name}`", did_you_mean(name, known) or listed)
    return home[name]


def _called(given: str, function: Callable[..., object], parameters: Mapping[str, Any]) -> Schedule:
    """What a function of parameters returns, if it is a schedule."""
    taken = signature(function)
    try:
        taken.bind(**parameters)
    except TypeError as error:
        listed = ", ".join(str(one).replace("'", "") for one in taken.parameters.values())
        _refuse(f"{given}: {error}", f"its parameters: {listed or 'none'}; write -p name=value")
    made = function(**parameters)
    if not isinstance(made, Schedule):
        _refuse(f"expected a schedule from {given}, found {made!r:.60}", "return a schedule")
    return made


def _refuse(title: str, hint: str) -> NoReturn:
    raise RiseError(Diagnostic("schedule", title, hint=hint))
