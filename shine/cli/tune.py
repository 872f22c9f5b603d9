"""The command `shine tune`: searches a space, and shows what it found. Independent of options of other commands."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from shine.cache import default_directory
from shine.cli import request as requests
from shine.cli.execution import sizes_text
from shine.cli.files import check_path, write_file
from shine.cli.options import with_request
from shine.cli.request import Chosen, Request
from shine.cli.terminal import Page, console
from shine.front.derivation import derive
from shine.front.tuner import Budget, Found, Progress, Row, tune
from shine.front.tuner.database import Database
from shine.front.tuner.exchange import from_json, to_json
from shine.front.tuner.report import report, seconds_text
from shine.front.tuner.tuned_strategies import DATABASE, stored_results
from shine.machines import as_processor, keep, measure, read_facts, this_machine
from shine.targets.target import Target
from strategies.spaces.policies import DEFAULT_POLICY, POLICIES
from strategies.spaces.replay import load_space

IN_MEMORY: Final = ":memory:"
SHOWN: Final = 10
#: of a budget, seconds by unit
UNITS: Final = {"s": 1, "m": 60, "h": 3600}
_TIME: Final = re.compile(r"(\d+(?:\.\d+)?)([smh])")


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the command."""

    space: str
    budget: str
    policy: str
    db: Path | None
    resume: bool
    report: Path | None
    show: bool
    seed: int
    taken: Path | None
    given: Path | None
    measures: bool
    others: int


def print_search(page: Page, request: Request, asked: Asked) -> None:
    """Search, or show stored results. Raises RiseError with one diagnostic."""
    if request.strategy is not None or request.parameters:
        title = "expected a space, found a strategy"
        raise RiseError(
            Diagnostic("options", title, hint="omit --strategy and -p: the space returns strategies")
        )
    budget = budget_of(asked.budget)
    if asked.measures:
        _measure_machine()
    space = load_space(asked.space)
    for written in (asked.report, asked.given):
        if written is not None:
            check_path(written)
    chosen = requests.choose(replace(request, sizes={}))
    target = requests.target_of(request)
    options = {
        name: value for name, value in requests.target_options(request, target).items() if value is not None
    }
    sizes = sizes_of(request.sizes)
    path = str(asked.db or default_directory() / DATABASE)
    if asked.taken is not None:
        _take(page, path, asked.taken)
    if asked.show:
        rows = _stored(chosen, space, sizes, path, target, options)
        page.line(f"{_count(rows)} of `{space.name}` in {path}")
        print_rows(page, rows)
        page.put(rows=[row.to_dict() for row in rows])
        summary, winner = [_count(rows)], None
    else:
        line = Line(page)
        try:
            with requests.located(chosen.program, chosen.name):
                found = tune(
                    chosen.high,
                    space,
                    sizes,
                    budget,
                    asked.policy,
                    path,
                    target=target.name,
                    seed=asked.seed,
                    resume=asked.resume,
                    others=asked.others,
                    progress=line,
                    **options,
                )
        except KeyboardInterrupt:
            if path != IN_MEMORY and Path(path).exists():
                kept = _count(_stored(chosen, space, sizes, path, target, options))
                line.end(f"interrupted: {kept} kept in {path}; the same command continues from there")
            raise
        print_found(page, found)
        rows = list(found.rows)
        summary = sentences(found)
        winner = None if asked.report is None else derive(found.strategy, chosen.high, chosen.what)
    if asked.report is not None:
        title = f"{space.name}: {requests.kernel_name(chosen)} at {sizes_text(sizes)}"
        write_file(asked.report, report(title, summary, rows, winner).encode())
        page.line(f"wrote {asked.report}")
    if asked.given is not None:
        _give(page, path, asked.given)


class Line:
    """The line of progress: rewritten in a terminal; elsewhere one line for each better candidate."""

    def __init__(self, page: Page) -> None:
        self.is_terminal = not page.is_json and sys.stderr is not None and sys.stderr.isatty()
        self.is_json = page.is_json
        self.best: float | None = None
        self.error = console(is_error=True)

    def __call__(self, at: Progress) -> None:
        if self.is_json:
            return
        if self.is_terminal:
            end = "\n" if at.evaluated == at.most else "\r"
            self.error.print(Text(f"\x1b[K{at}"), end=end)
        elif self.best is None or (at.best or 0.0) > self.best:
            self.error.print(Text(str(at)))
        self.best = at.best if self.best is None else max(self.best, at.best or 0.0)

    def end(self, text: str) -> None:
        """Print a last line below the progress of a search that was interrupted."""
        if not self.is_json:
            self.error.print(Text(f"\n{text}" if self.is_terminal else text))


def print_found(page: Page, found: Found) -> None:
    """Print what was found: the strategy, its decisions, the best candidates."""
    for sentence in sentences(found):
        page.line(sentence)
    print_rows(page, found.rows)
    page.put(
        strategy=str(found.strategy),
        decisions=dict(found.decisions),
        ratio=found.ratio,
        gap=found.gap,
        why=found.why,
        is_default=found.is_default,
        rows=[row.to_dict() for row in found.rows],
        notes=list(found.notes),
    )


def sentences(found: Found) -> list[str]:
    """What was found, in sentences."""
    gap = (
        ""
        if found.gap is None or f"{found.gap:.0%}" == "100%"  # bounds say nothing
        else f"; according to the bounds, at most {found.gap:.0%} of its time can be saved"
    )
    if found.is_default:
        said = [f"{found.why}{gap}"]
    else:
        decisions = ", ".join(f"{name}={value}" for name, value in found.decisions.items())
        said = [
            f"best: {found.strategy}",
            f"  decisions: {decisions}",
            f"  {found.ratio:.3f} times as fast as the target's own strategy, in the last race{gap}",
            f"  limited by: {found.why}",
        ]
        if found.neighbours:
            low, high = min(found.neighbours), max(found.neighbours)
            said.append(f"  candidates that differ in one decision: {low:.3f} to {high:.3f}")
    return [*said, *(f"note: {note}" for note in found.notes)]


def print_rows(page: Page, rows: Sequence[Row]) -> None:
    """Print the fastest candidates, and how many others there are."""
    timed = sorted((row for row in rows if row.result.is_timed), key=lambda row: -(row.result.ratio or 0.0))
    for row in timed[:SHOWN]:
        decisions = ", ".join(f"{name}={value}" for name, value in row.decisions.items())
        seconds = seconds_text(row.result.seconds or 0.0)
        page.line(f"  x{row.result.ratio or 0.0:<7.3f} {seconds:>9}  {decisions}")
    if len(timed) > SHOWN:
        page.line(f"  and {len(timed) - SHOWN} more")


def budget_of(text: str) -> Budget:
    """A budget: `5m`, `90s`, `2h`, a number of candidates, or both: `200,5m`. Raises RiseError for others.

    >>> budget_of("200,90s")
    Budget(evaluations=200, minutes=1.5)
    """
    evaluations: int | None = None
    minutes: float | None = None
    for part in text.split(","):
        time = _TIME.fullmatch(part.strip())
        if time is not None and minutes is None:
            minutes = float(time[1]) * UNITS[time[2]] / 60
        elif part.strip().isdecimal() and evaluations is None:
            evaluations = int(part)
        else:
            title = f"expected a budget such as 5m, 90s or 200, found {text!r:.40}"
            raise RiseError(Diagnostic("budget", title, hint="200 candidates or 5 minutes: --budget 200,5m"))
    if evaluations == 0 or minutes == 0:
        title = f"expected a budget of at least one candidate and some time, found {text!r:.40}"
        raise RiseError(Diagnostic("budget", title, hint="200 candidates or 5 minutes: --budget 200,5m"))
    return Budget(evaluations, minutes)


def sizes_of(sizes: Mapping[str, int | str]) -> dict[str, int]:
    """The sizes as numbers. Raises RiseError for others."""
    for name, size in sizes.items():
        if not isinstance(size, int):
            title = f"`{name}`: expected a number, found {size}"
            raise RiseError(Diagnostic("size-unknown", title, hint=f"for example --size {name}=512"))
    return {name: size for name, size in sizes.items() if isinstance(size, int)}


def _count(rows: Sequence[Row]) -> str:
    return "1 result" if len(rows) == 1 else f"{len(rows)} results"


def _stored(
    chosen: Chosen,
    space: Any,
    sizes: Mapping[str, int],
    path: str,
    target: Target,
    options: Mapping[str, Any],
) -> list[Row]:
    if not Path(path).exists():
        title = f"expected a database of results, found that there is no {path}"
        raise RiseError(Diagnostic("database", title, hint="omit --show to search"))
    return stored_results(chosen.high, space, sizes, path, target.name, options)


def _measure_machine() -> None:
    """Measure this machine; from now on, its record has the measured numbers."""
    keep(measure(as_processor(read_facts())))
    this_machine.cache_clear()


def _give(page: Page, path: str, file: Path) -> None:
    with Database(path) as database:
        write_file(file, to_json(database).encode())
    page.line(f"wrote {file}")


def _take(page: Page, path: str, file: Path) -> None:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        title = f"{file} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise RiseError(Diagnostic("file", title, hint="check the path")) from None
    with Database(path) as database:
        page.line(f"imported {from_json(database, text)} results from {file}")


@with_request
def tune_command(
    report: Page,
    request: Request,
    space: Annotated[
        str, typer.Option("--space", metavar="MODULE:NAME", help="The space of strategies to search.")
    ],
    budget: Annotated[
        str, typer.Option("--budget", metavar="B", help="When to stop: 5m, 90s, 200 candidates, or 200,5m.")
    ] = "10m",
    policy: Annotated[
        str, typer.Option("--policy", metavar="P", help=f"The order of search: {', '.join(POLICIES)} or tpe.")
    ] = DEFAULT_POLICY,
    db: Annotated[
        Path | None,
        typer.Option("--db", metavar="D.sqlite", help="The file of results; by default the user's."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue an earlier search; fail if there is none.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--report", metavar="R.html", help="Write a page about the search.")
    ] = None,
    show_stored: Annotated[
        bool, typer.Option("--show", help="Show stored results without running anything.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="S", help="The seed of random policies.")] = 0,
    taken: Annotated[
        Path | None,
        typer.Option("--import", metavar="R.json", help="Import results into the file of results."),
    ] = None,
    given: Annotated[
        Path | None,
        typer.Option("--export", metavar="R.json", help="Write all results to this file, as JSON."),
    ] = None,
    measures: Annotated[
        bool,
        typer.Option(
            "--measure", help="First measure the clock rate and the memory bandwidth, on which bounds depend."
        ),
    ] = False,
    others: Annotated[
        int,
        typer.Option(
            "--others", min=0, metavar="N", help="First try the N fastest candidates of each other machine."
        ),
    ] = 0,
) -> None:
    """Search a space for the fastest strategy at these sizes. Continues where an earlier search stopped."""
    asked = Asked(space, budget, policy, db, resume, html, show_stored, seed, taken, given, measures, others)
    print_search(report, request, asked)
