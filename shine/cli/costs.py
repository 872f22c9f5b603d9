"""The command `shine explain --cost`: the costs of each named value, and the chosen option. Independent of options."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rise.diagnostics import bytes_text
from rise.naturals import ZERO, Nat
from rise.nodes import postorder
from rise.terms import DepLam, Expr, Lam, Primitive
from rise.text.nat_printer import show_nat
from rise.types import FunType, ScalarType
from shine.cli import request as requests
from shine.cli.request import Request
from shine.cli.terminal import Page
from shine.front.costs import Account, Choice, accounts_of, bytes_in
from shine.front.derivation import brief
from shine.targets.target import Target
from strategies.costs.decisions import typical
from strategies.costs.prices import PROCESSOR

HEADINGS: Final = ("name", "reads", "work", "memory", "choice", "cost", "runner-up", "cost")
#: columns of numbers
RIGHT: Final = (5, 7)
MAX_NAME_CHARACTERS: Final = 28


def print_costs(page: Page, request: Request) -> None:
    """Print a line for each named value: reads, work and memory, the choice, the second best option, and the costs of
    both.

    Raises RiseError if the strategy does not compare costs.
    """
    chosen = requests.choose(request)
    strategy = requests.strategy_of(request)
    with requests.located(chosen.program, chosen.name):
        accounts, derivation = accounts_of(strategy, chosen.high, chosen.what)
    page.line((brief(strategy), "bold"), f" on {chosen.what}")
    page.line()
    if not accounts:
        page.line("the program names no value, and nothing is stored")
    else:
        print_table(page, [HEADINGS, *map(cells, accounts)])
        page.line()
        size = PROCESSOR.typical_size
        page.line((f"costs: additions per element, with {size} for each unknown size", "dim"))
    notes = list(notes_on(accounts, chosen.high, memory_of_machine()))
    notes += without_vectors(chosen.high, requests.target_of(request))
    for note in notes:
        page.line(note)
    page.put(
        strategy=brief(strategy),
        values=[facts(account) for account in accounts],
        notes=notes,
        steps=derivation.counters.firings,
    )


def print_table(page: Page, rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns as wide as their widest cell."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    for number, row in enumerate(rows):
        texts = [
            cell.rjust(width) if column in RIGHT else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        page.line(("  ".join(texts).rstrip(), "dim" if number == 0 else ""))


def cells(account: Account) -> tuple[str, ...]:
    """The cells of an account's row."""
    name = account.name
    if len(name) > MAX_NAME_CHARACTERS:
        name = f"{name[: MAX_NAME_CHARACTERS - 3]}..."
    memory = f"{count_text(account.memory)} bytes{f' per {account.loop}' if account.loop else ''}"
    choice = f"{account.choice}, by the author" if account.by_author else str(account.choice)
    other = "" if account.other is None else str(account.other)
    costs = (number_text(account.cost), number_text(account.other_cost))
    return (
        name,
        count_text(account.reads),
        count_text(account.work),
        memory,
        choice,
        costs[0],
        other,
        costs[1],
    )


def count_text(count: Nat) -> str:
    """A count; a quotient of sizes is shown at typical sizes."""
    text = show_nat(count)
    return text if "/" not in text or count.constant is not None else f"{typical(count):.3g}"


def number_text(cost: float | None) -> str:
    """A cost with three digits; empty for none."""
    if cost is None:
        return ""
    return f"{cost:.3g}" if cost < 1000 else f"{cost:.0f}" if cost < 1e7 else f"{cost:.2e}"


def facts(account: Account) -> dict[str, Any]:
    """An account as JSON."""
    return {
        "name": account.name,
        "loop": account.loop,
        "is_of_program": account.is_of_program,
        "reads": show_nat(account.reads),
        "work": show_nat(account.work),
        "bytes": show_nat(account.memory),
        "choice": str(account.choice),
        "by_author": account.by_author,
        "cost": account.cost,
        "runner_up": None if account.other is None else str(account.other),
        "runner_up_cost": account.other_cost,
        "factor": account.factor,
        "stored_for": account.view,
    }


def notes_on(accounts: Sequence[Account], program: Expr, available: int | None) -> Iterator[str]:
    """Notes on what the table does not show: names from `share`, values that are recomputed, and too little memory."""
    made = [one.name for one in accounts if not one.is_of_program and one.name.isidentifier()]
    if made:
        names = ", ".join(f"`{name}`" for name in made)
        yield f"{names}: named by `share`; to override, begin with `strategies.sharing:nameShared`"
    for account in accounts:
        if account.view and account.choice is Choice.AGAIN:
            yield (
                f'`{account.name}`: lowering stores what `{account.view}` reads; inline("{account.name}") computes'
                f" each element {typical(account.reads):.3g} times"
            )
        elif account.factor > 1:
            why = "as the author chose" if account.by_author else "which costs less than storing it"
            yield f"`{account.name}`: each element is computed {account.factor:.3g} times, {why}"
        elif account.choice is Choice.OPEN and typical(account.reads) > 1:
            yield (
                f"`{account.name}`: not compared; computed {typical(account.reads):.3g} times where the loops that read"
                " it do not store it"
            )
    stored = sum((one.memory for one in accounts if one.choice is Choice.STORED and not one.loop), start=ZERO)
    given = program_bytes(program)
    if available is not None and given.constant is not None and stored.constant is not None:
        outside, inside = int(given.constant), int(stored.constant)
        if outside > available:
            yield (
                f"no choice fits: the inputs and the result take {bytes_text(outside)}, and this machine has"
                f" {bytes_text(available)}"
            )
        elif outside + inside > available:
            yield (
                f"the inputs, the result and what is stored take {bytes_text(outside + inside)}, of which"
                f" {bytes_text(inside)} are stored, and this machine has {bytes_text(available)}"
            )


def without_vectors(program: Expr, target: Target) -> Iterator[str]:
    """The operations of a program that prevent the target's compiler from vectorising loops."""
    named: dict[tuple[str, str], None] = {}
    for part in postorder(program):
        if isinstance(part, Primitive) and isinstance(part.type, FunType):
            number = part.type.parameter
            if isinstance(number, ScalarType) and part.name in (target.one_by_one or {}).get(number.name, ()):
                named[part.name, number.name] = None
    for name, scalar in named:
        yield f"`{name}` of {scalar}: {target.name} has no vector form of it, and computes one element at a time"


def program_bytes(program: Expr) -> Nat:
    """The number of bytes of a program's inputs and result."""
    total = ZERO
    while isinstance(program, Lam | DepLam):
        if isinstance(program, Lam):
            total += bytes_in(program.parameter)
        program = program.children[0]
    return total + bytes_in(program.type)


def memory_of_machine() -> int | None:
    """The bytes of this machine's memory; None if the system does not provide it."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
