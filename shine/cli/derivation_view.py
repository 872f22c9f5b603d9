"""Prints a derivation: its parts, steps with their changes, and totals. Independent of strategies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from elevate import FloatClass, show_path
from rise.diagnostics import Diagnostic, RiseError
from rise.printer.terms import show
from rise.records import dataclass
from shine.cli.derivation_files import joined_derivation, save, script
from shine.cli.difference import difference
from shine.cli.terminal import Page
from shine.front.derivation import Derivation, Phase, Shown, folded, is_administrative, steps_of
from strategies.equations.rule import EquationRule

MAX_SIDE_LINES = 9  # lines of one side of a step
MARGIN = "        "
ARROW = "     ~> "
DIM, NAME, HEAD = "dim", "bold cyan", "bold"


@dataclass(frozen=True, slots=True)
class Detail:
    """How a derivation is shown: with the rules' equations or not, in full or folded."""

    equations: bool
    is_full: bool
    is_script: bool = False
    """Whether to show the short script instead."""
    output: Path | None = None
    """The file to write the derivation to."""

    def check_unused(self) -> None:
        """Raise RiseError if an option was given that only `--stage derivation` takes."""
        if self.is_script or self.output is not None:
            title = f"expected --stage derivation with {'--script' if self.is_script else '--output'}"
            raise RiseError(Diagnostic("stage", title, hint="add --stage derivation"))


def print_derivation(page: Page, derivation: Derivation, what: str, detail: Detail) -> None:
    """Print all parts of a derivation, their costs, and the resulting program."""
    if detail.output is not None:
        save(derivation, what, detail.output)
        page.line(f"wrote {len(joined_derivation(derivation).steps)} steps to {detail.output}")
        page.put(output=str(detail.output))
        return
    if detail.is_script:
        text = script(derivation, what)
        page.line(text.rstrip("\n"))
        page.put(script=text)
        return
    page.line((derivation.strategy, HEAD), f" on {what}")
    shown_equations: set[str] = set()
    for phase, steps in steps_of(derivation):
        page.line()
        page.line((phase.strategy, HEAD), (f"  {cost(phase)}", DIM))
        for group in [[shown] for shown in steps] if detail.is_full else folded(steps):
            print_group(page, group, detail, shown_equations)
    page.line()
    for line in totals(derivation):
        page.line((line, HEAD))
    page.line()
    page.line(show(derivation.result, page.width))


def print_group(page: Page, group: list[Shown], detail: Detail, shown_equations: set[str]) -> None:
    """Print one step, or several folded into one."""
    shown = group[0]
    if is_administrative(shown) and not detail.is_full:
        page.line((f"{'':5}· {tally(group)}", DIM))
        print_equations(page, group, detail, shown_equations)
        return
    step = shown.step
    parts: list[str | tuple[str, str]] = [(f"{shown.number:4}  ", DIM), (step.rule.name, NAME)]
    if shown.place.inside:
        parts.append((f"  in {' > '.join(shown.place.inside)}", DIM))
    if step.rule.float_class is not FloatClass.EXACT:
        parts.append((f"  [{step.rule.float_class}]", "yellow"))
    if len(group) > 1:
        parts.append((f"  and {len(group) - 1} more like it", DIM))
    page.line(*parts)
    print_equations(page, group, detail, shown_equations)
    for said in filter(None, (one.said for one in group)):
        page.line((f"{MARGIN}{said}", "italic"))
    width = max(page.width - len(MARGIN), 30)
    changed = difference(*shown.sides, shown.place.scope, width, detail.is_full)
    print_side(page, MARGIN, changed.before, detail, "")
    print_side(page, ARROW, changed.after, detail, "green")
    if detail.is_full:
        page.line((f"{MARGIN}at {show_path(step.path)}; the program is now", DIM))
        for line in show(shown.program, width).split("\n"):
            page.line((f"{MARGIN}{line}", DIM))


def print_side(page: Page, first: str, text: str, detail: Detail, style: str) -> None:
    """Print one side of a step, cut after MAX_SIDE_LINES unless in full."""
    lines = text.split("\n")
    printed = lines if detail.is_full else lines[:MAX_SIDE_LINES]
    for position, line in enumerate(printed):
        page.line((first if position == 0 else MARGIN, DIM), (line, style))
    if len(printed) < len(lines):
        page.line((f"{MARGIN}... {len(lines) - len(printed)} more lines (--full)", DIM))


def print_equations(page: Page, group: list[Shown], detail: Detail, shown_equations: set[str]) -> None:
    """Print the equations of rules that fire for the first time, if --equations was given."""
    if not detail.equations:
        return
    for shown in group:
        rule = shown.step.rule
        if isinstance(rule, EquationRule) and rule.equation not in shown_equations:
            shown_equations.add(rule.equation)
            page.line((f"{MARGIN}{rule.name}: {rule.equation}", "magenta"))
            page.line((f"{MARGIN}{rule.why}", "italic"))


def tally(group: list[Shown]) -> str:
    """`3 tidying steps: gentleBeta x2, betaPair`."""
    counts = Counter(shown.step.rule.name for shown in group)
    names = ", ".join(name if count == 1 else f"{name} x{count}" for name, count in counts.items())
    return f"{len(group)} tidying step{'s' * (len(group) != 1)}: {names}"


def cost(phase: Phase) -> str:
    """`12 steps, 30 ms`."""
    count = len(phase.steps)
    return f"{count} step{'s' * (count != 1)}, {duration(phase.seconds)}"


def totals(derivation: Derivation) -> Iterator[str]:
    """The totals of a derivation, and its effect on floating-point results."""
    counters = derivation.counters
    yield (
        f"{counters.firings} firings, {counters.attempts} attempts, {counters.visits} visits,"
        f" {duration(derivation.seconds)}"
    )
    causes = Counter(
        entry[0].name
        for phase in derivation.phases
        for entry in phase.steps.entries()
        if entry[0].float_class is derivation.float_class
    )
    by = "" if derivation.float_class is FloatClass.EXACT else f" by {', '.join(causes)}"
    yield f"floating-point results: {derivation.float_class}{by}"


def duration(seconds: float) -> str:
    """A time with three digits.

    >>> duration(0.0312), duration(2.5), duration(4.2e-5)
    ('31.2 ms', '2.5 s', '42 us')
    """
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def derivation_facts(derivation: Derivation) -> dict[str, Any]:
    """A derivation as JSON: every step with its rule, its path and both sides."""
    counters = derivation.counters
    return {
        "strategy": derivation.strategy,
        "parts": [_phase_facts(phase, steps) for phase, steps in steps_of(derivation)],
        "firings": counters.firings,
        "attempts": counters.attempts,
        "visits": counters.visits,
        "seconds": derivation.seconds,
        "float_class": str(derivation.float_class),
        "program": show(derivation.result),
    }


def _phase_facts(phase: Phase, steps: list[Shown]) -> dict[str, Any]:
    return {
        "strategy": phase.strategy,
        "seconds": phase.seconds,
        "steps": [_step_facts(shown) for shown in steps],
    }


def _step_facts(shown: Shown) -> dict[str, Any]:
    step = shown.step
    whole = difference(*shown.sides, shown.place.scope, 1 << 30, is_whole=True)
    return {
        "number": shown.number,
        "rule": step.rule.name,
        "equation": step.rule.equation if isinstance(step.rule, EquationRule) else "",
        "float_class": str(step.rule.float_class),
        "path": list(step.path),
        "inside": list(shown.place.inside),
        "before": whole.before,
        "after": whole.after,
    }
