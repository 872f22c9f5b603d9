"""Rules in files: by `module:name`, with parameters as texts. Knows no rule: a reader says which may be named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from elevate.diagnostics import Diagnostic, StrategyError
from elevate.rules import Rule

CODE = "derivation-file"
LONGEST = 120


@dataclass(frozen=True, slots=True)
class Address:
    """Where a rule is found: `module:name`; of a family also what it is taken at. `name.inv` is its inverse."""

    name: str
    parameters: tuple[str, ...] = ()


Rules = Mapping[str, object]
"""The rules, and the functions that make rules, that a file may name: by `module:name`."""


def address_of(rule: object) -> Address:
    """Where a rule is found: as it pickles. Raises StrategyError for one that no module holds."""
    try:
        reduced = rule.__reduce__()
    except Exception:  # whatever keeps it from being pickled
        _refuse(f"{rule} has no address: no variable of a module holds it", "assign it to a variable")
    match reduced:
        case (_, (str() as module, str() as name), *_):
            return Address(f"{module}:{name}")
        case (_, (str() as module, str() as name, tuple() as values, *inverse), *_):
            suffix = ".inv" if inverse == [True] else ""
            return Address(f"{module}:{name}{suffix}", tuple(str(value) for value in values))
        case _:
            pass
    _refuse(f"{rule} has no address as module:name", "let it pickle as module, name and parameters")


def rule_at(address: Address, rules: Rules, read: Callable[[str], object]) -> Rule:
    """The rule at an address. `read` reads parameters that are no integers. Raises StrategyError."""
    base, _, inverse = address.name.partition(".inv")
    if base not in rules or inverse:
        _refuse(f"no rule is called {clipped(address.name)}", "a file may name rules of the library only")
    found = rules[base]
    try:
        if address.parameters:
            values = [int(one) if one.isdecimal() else read(one) for one in address.parameters]
            found = found(*values) if callable(found) and not isinstance(found, Rule) else None
        if address.name != base:
            found = getattr(found, "inv", None)
    except (TypeError, ValueError) as error:
        given = clipped(", ".join(address.parameters))
        title = f"{address.name} does not take {given}: {clipped(str(error))}"
        _refuse(title, "give the parameters that it takes, as its documentation says")
    if not isinstance(found, Rule):
        given = f" at {clipped(', '.join(address.parameters))}" if address.parameters else ""
        _refuse(f"{address.name}{given} is no rule", "give the parameters that it takes, and no others")
    return found


def clipped(text: str) -> str:
    """What a message shows of a text in a file."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _refuse(title: str, hint: str) -> NoReturn:
    raise StrategyError(Diagnostic(code=CODE, title=title, hint=hint))
