"""The command `shine explain`: explains why and where a strategy does not apply, or what one step did.

Independent of options.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final

import typer

import elevate
from elevate import Counters, FailureTree, Profile, show_path
from rise.diagnostics import Diagnostic, RiseError
from rise.printer.terms import show
from rise.terms import Expr
from rise.text.names import bounded
from shine.cli import request as requests
from shine.cli.costs import print_costs
from shine.cli.derivation_view import duration
from shine.cli.difference import difference
from shine.cli.marked_program import marked
from shine.cli.options import with_request
from shine.cli.request import Request
from shine.cli.terminal import Page
from shine.front.derivation import Derivation, Shown, Stopped, attempt, brief, failure, progress, steps_of
from shine.front.failure_tree import nearest, tree_lines
from strategies.equations.rule import EquationRule

MAX_BINDING_CHARACTERS: Final = 160


def explain(page: Page, request: Request, number: int | None) -> None:
    """Explain why a strategy fails, with the place in the program; if it applies, explain one of its steps."""
    chosen = requests.choose(request)
    strategy = requests.strategy_of(request)
    with requests.located(chosen.program, chosen.name):
        outcome = attempt(strategy, chosen.high)
    page.put(file=request.file, definition=chosen.name, strategy=brief(strategy))
    if isinstance(outcome, Stopped):
        say_failure(page, outcome, chosen.what)
    elif number is None:
        steps = outcome.counters.firings
        page.line((brief(strategy), "bold"), f" applies to {chosen.what} in {steps} step{'s' * (steps != 1)}")
        page.line("explain one of them: --step N")
        page.put(applies=True, steps=steps)
    else:
        say_step(page, *step_of(outcome, number))


def say_failure(page: Page, stopped: Stopped, what: str) -> None:
    """Print the title, the failure tree, and the place of the nearest attempt in the program at that point."""
    diagnostic = failure(stopped, what)
    tree = stopped.failure.explain()
    page.line((diagnostic.title, "bold red"))
    if stopped.count > 1:
        page.line((progress(stopped), "dim"))
    page.line()
    for line in tree_lines(tree):
        page.line(line)
    place = blamed(tree)
    lines: list[str] = []
    if place is not None and isinstance(place.program, Expr):
        shown = place.focus or place.path
        lines = list(marked(place.program, shown, page.width - 4))
        page.line()
        what = "objects to the term" if shown != place.path else "was tried"
        page.line((f"{place.strategy} {what} at {show_path(shown)}:", "dim"))
        for line in lines:
            page.line(f"    {line}")
    page.line()
    for name, where in defined(tree).items():
        page.line((f"{name} is defined at {where}", "dim"))
    page.line((f"hint: {diagnostic.hint}", "green"))
    page.put(
        applies=False,
        kind="precondition" if tree.precondition else "failure",
        title=diagnostic.title,
        tree=tree_facts(nearest(tree)),
        part=stopped.part,
        place=lines,
        hint=diagnostic.hint,
    )


def defined(tree: FailureTree) -> dict[str, str]:
    """Where the failed strategy is defined, and where the one whose place is shown is defined."""
    ends = (tree, blamed(tree) or tree)
    return {bounded(node.strategy, MAX_BINDING_CHARACTERS): node.defined for node in ends if node.defined}


def blamed(tree: FailureTree) -> FailureTree | None:
    """The part whose place is shown: the first unmet precondition, otherwise the first leaf of the nearest tree."""
    return tree.precondition or next(
        (leaf for leaf in nearest(tree).leaves() if leaf.program is not None), None
    )


def tree_facts(tree: FailureTree) -> dict[str, Any]:
    """A failure tree as JSON, nested as deeply as the strategy's source."""
    facts = {
        "strategy": tree.strategy,
        "path": list(tree.path),
        "reason": tree.reason,
        "kind": "precondition" if tree.is_precondition else "failure",
        "expected": tree.expected,
        "found": tree.found,
        "defined": tree.defined,
    }
    return {**facts, "parts": [tree_facts(part) for part in tree.parts]} if tree.parts else facts


def step_of(derivation: Derivation, number: int) -> tuple[Shown, Expr]:
    """A step by its number, with the program before it. Raises RiseError if there is no such step."""
    program = derivation.program
    for _, steps in steps_of(derivation):
        for shown in steps:
            if shown.number == number:
                return shown, program
            program = shown.program
    count = derivation.counters.firings
    title = f"expected the number of a step, 1 to {count}, found {number}"
    raise RiseError(Diagnostic("no-step", title, hint="`shine show --stage derivation` shows them"))


def say_step(page: Page, shown: Shown, before: Expr) -> None:
    """Print a step: its rule, its place in the program before it, the rule's bindings, the result."""
    step, rule = shown.step, shown.step.rule
    page.line((f"step {shown.number}: ", "dim"), (rule.name, "bold cyan"), f" at {show_path(step.path)}")
    if isinstance(rule, EquationRule):
        page.line((f"    {rule.equation}", "magenta"))
        page.line((f"    {rule.why}", "italic"))
    if shown.said:
        page.line(f"    {shown.said}")
    page.line()
    lines = list(marked(before, step.path, page.width - 4))
    for line in lines:
        page.line(f"    {line}")
    bindings = dict(binding_lines(shown))
    if bindings:
        page.line()
        page.line(("where", "dim"))
        for name, text in bindings.items():
            page.line(f"    {name} = {bounded(text, MAX_BINDING_CHARACTERS)}")
    changed = difference(*shown.sides, shown.place.scope, max(page.width - 4, 30), is_whole=True)
    page.line()
    page.line(("becomes", "dim"))
    for line in changed.after.split("\n"):
        page.line((f"    {line}", "green"))
    page.put(
        step=shown.number,
        rule=rule.name,
        said=shown.said,
        path=list(step.path),
        bindings=bindings,
        before=changed.before,
        after=changed.after,
        place=lines,
    )


def binding_lines(shown: Shown) -> Iterator[tuple[str, str]]:
    """The bindings of a step's rule as text; variables bound outside of the step are shown by name."""
    around = elevate.term.surroundings(shown.program, shown.step.path)
    for name, value in elevate.bindings_of(shown.step).items():
        if isinstance(value, Expr):
            yield name, show(elevate.term.within(value, around), 1 << 30, is_typed=False)  # type: ignore[arg-type]  # of an Expr an Expr
        else:
            yield name, str(value)


def profile(page: Page, request: Request) -> None:
    """Print the costs of each rule: firings, attempts, places, time."""
    chosen = requests.choose(request)
    strategy = requests.strategy_of(request)
    costs = Profile()
    with requests.located(chosen.program, chosen.name):
        outcome = attempt(strategy, chosen.high, [costs])
        if isinstance(outcome, Stopped):
            raise RiseError(failure(outcome, chosen.what))
    counters = outcome.counters
    page.line((brief(strategy), "bold"), f" on {chosen.what}")
    page.line()
    rows = costs.rows()
    width = max((len(row.rule) for row in rows), default=4)
    page.line((f"{'rule':{width}}  {'firings':>8} {'attempts':>9} {'places':>8} {'time':>9}", "dim"))
    for row in rows:
        numbers = f"{row.firings:8} {row.attempts:9} {row.visits:8} {duration(row.seconds):>9}"
        page.line((f"{row.rule:{width}}", "cyan"), f"  {numbers}")
    page.line()
    page.line(total(counters, outcome.seconds), " in total, with every attempt observed")
    page.put(
        strategy=brief(strategy),
        seconds=outcome.seconds,
        visits=counters.visits,
        rules=[
            {
                "rule": row.rule,
                "firings": row.firings,
                "attempts": row.attempts,
                "places": row.visits,
                "seconds": row.seconds,
            }
            for row in rows
        ],
    )


def total(counters: Counters, seconds: float) -> str:
    """The firings, attempts, visits and time of a run, as text."""
    return (
        f"{counters.firings} firings, {counters.attempts} attempts, {counters.visits} visits,"
        f" {duration(seconds)}"
    )


@with_request
def explain_command(
    report: Page,
    request: Request,
    step: Annotated[
        int | None, typer.Option("--step", min=1, metavar="N", help="The step to explain, counted from 1.")
    ] = None,
    cost: Annotated[
        bool, typer.Option("--cost", help="List the cost of storing and of recomputing each named value.")
    ] = False,
) -> None:
    """Explain why a strategy fails, what one of its steps did, or what named values cost."""
    if cost and step is not None:
        title = "expected --cost or --step, found both"
        raise RiseError(Diagnostic("options", title, hint="--cost explains all decisions, --step one step"))
    if cost:
        print_costs(report, request)
    else:
        explain(report, request, step)
