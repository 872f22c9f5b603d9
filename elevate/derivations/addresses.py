"""Addresses of rules in files: `module:name`, with parameters as strings.

Independent of rules; readers list those that are allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from elevate.diagnostics import Diagnostic, StrategyError
from elevate.rules import Rule

CODE = "derivation-file"
INVERSE = ".inv"
MAX_SHOWN_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a rule, `module:name`, with parameters for a rule of a family; `name.inv` is its inverse."""

    name: str
    parameters: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        """The address of the rule without the suffix of an inverse; `.inv` is kept elsewhere, as in `invariants`."""
        return self.name.removesuffix(INVERSE)


Rules = Mapping[str, object]
"""The rules, and the functions that return rules, that a file may name, by `module:name`."""


def address_of(rule: object) -> Address:
    """The address of a rule, as it pickles. Raises StrategyError for a rule that no module variable holds."""
    try:
        reduced = rule.__reduce__()
    except Exception:  # it cannot be pickled
        _refuse(f"{rule} has no address: no module variable holds it", "assign it to a variable")
    match reduced:
        case (_, (str() as module, str() as name), *_):
            return Address(f"{module}:{name}")
        case (_, (str() as module, str() as name, tuple() as values, *inverse), *_):
            suffix = INVERSE if inverse == [True] else ""
            return Address(f"{module}:{name}{suffix}", tuple(str(value) for value in values))
        case _:
            pass
    _refuse(f"{rule} has no address as module:name", "let it pickle as module, name and parameters")


def rule_at(address: Address, rules: Rules, read: Callable[[str], object]) -> Rule:
    """The rule at an address. `read` reads parameters that are not integers. Raises StrategyError if there is none."""
    base = address.base
    if base not in rules:
        _refuse(f"no rule is called {clipped(address.name)}", "a file may only name rules of the library")
    rule = rules[base]
    try:
        if address.parameters:
            values = [int(text) if text.isdecimal() else read(text) for text in address.parameters]
            rule = rule(*values) if callable(rule) and not isinstance(rule, Rule) else None
        if address.name != base:
            rule = getattr(rule, "inv", None)
    except (TypeError, ValueError) as error:
        given = clipped(", ".join(address.parameters))
        title = f"{address.name} does not take {given}: {clipped(str(error))}"
        _refuse(title, "pass the parameters that its documentation lists")
    if not isinstance(rule, Rule):
        given = f" at {clipped(', '.join(address.parameters))}" if address.parameters else ""
        _refuse(f"{address.name}{given} is not a rule", "pass the parameters that it takes, and no others")
    return rule


def clipped(text: str) -> str:
    """The beginning of a text, for messages."""
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}..."


def _refuse(title: str, hint: str) -> NoReturn:
    raise StrategyError(Diagnostic(code=CODE, title=title, hint=hint))
