"""Reads saved derivations: the names that a file may use, and the notation of its sizes.

Depends on the registry, but not on commands.

A file may name only rules of the registry; it is parsed and never executed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import rise
from elevate import Diagnostic, Recorded, StrategyError, from_json, from_python
from rise.programs.program import context_variables
from rise.terms import Var
from rise.text.libraries import read_bytes
from rise.text.reader import decode
from rise.types import ArrayType, ScalarType
from strategies.choices import inlineValue, storeValue
from strategies.old_addresses import with_old_addresses
from strategies.parts.memory import nameSubterm
from strategies.registry import predicates, rules


@lru_cache(maxsize=1)
def known_rules() -> Mapping[str, object]:
    """The rules and families of the library by `module:name`, including addresses of earlier versions."""
    known: dict[str, object] = {address: entry.rule for address, entry in rules().items()}
    for rule in (storeValue, inlineValue):
        known[f"{rule.__module__}:{rule.__name__}"] = rule
    known[f"{nameSubterm.__module__}:{nameSubterm.__name__}"] = nameSubterm
    return MappingProxyType(with_old_addresses(known))


@lru_cache(maxsize=1)
def known_predicates() -> Mapping[str, object]:
    """The predicates of the library, by `module:name`."""
    return MappingProxyType(with_old_addresses(predicates()))


def read_parameter(text: str) -> object:
    """Read a rule's parameter: a size, a text in quotation marks, or a predicate as `module:name`.

    Raises ValueError if the text is none of these.
    """
    if text.startswith('"'):
        value: str = json.loads(text)
        return value
    if ":" not in text:
        return read_size(text)
    if text not in known_predicates():
        raise ValueError(f"no predicate is called {text}")
    return known_predicates()[text]


def read_size(text: str) -> object:
    """Read a symbolic size: `2 * n`. Raises ValueError if the text is not a size.

    >>> read_size("n * 2")
    2 * n
    """
    try:
        written = context_variables({"xs": f"({text}).f32"})["xs"]
    except rise.RiseError as error:
        raise ValueError(f"expected a size, found {text!r}") from error
    match written:
        case Var(type=ArrayType(size, ScalarType())):
            return size
    raise ValueError(f"expected a size, found {text!r}")


def read_derivation(text: str, is_python: bool = False) -> Recorded:
    """Read a saved derivation as a strategy. Raises StrategyError if the text is not a derivation."""
    return (from_python if is_python else from_json)(text, known_rules(), read_parameter)


def load_derivation(path: str | Path) -> Recorded:
    """Read the derivation in a file: a Python script if its name ends in `.py`, otherwise JSON. Raises
    StrategyError.
    """
    if not isinstance(path, str | Path):
        title = f"expected the path of a file, found a Python value of type {type(path).__name__}"
        raise StrategyError(Diagnostic("file", title, hint="`read_derivation` reads a text"))
    file = Path(path)
    try:
        text = decode(read_bytes(file, str(file)), str(file))
    except rise.RiseError as error:
        title, hint = error.diagnostic.title, error.diagnostic.hint
        if str(file) not in title:
            title = f"{file}: {title}"
        raise StrategyError(Diagnostic(error.diagnostic.code, title, hint=hint)) from None
    try:
        return read_derivation(text, file.suffix == ".py")
    except StrategyError as error:
        diagnostic = error.diagnostic
        raise StrategyError(
            Diagnostic(diagnostic.code, f"{file}: {diagnostic.title}", hint=diagnostic.hint)
        ) from None
