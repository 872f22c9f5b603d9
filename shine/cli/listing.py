"""What `shine list` says: primitives, rules, strategies, targets. Knows where each is collected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import shine
from elevate import FloatClass
from rise.primitives import PRIMITIVES
from shine.cli.options import Kind
from shine.cli.terminal import Page
from strategies import registry

Entry = tuple[str, str, str, Mapping[str, Any]]
"""A heading, what stands beside it, the text below, and the same for programs."""


def print_list(page: Page, kind: Kind) -> None:
    """All of one kind."""
    entries = list(entries_of(kind))
    for heading, beside, below, _ in entries:
        page.line((heading, "bold cyan"), f"  {beside}" if beside else "")
        for line in below.split("\n"):
            if line:
                page.line(f"    {line}")
    page.put(**{str(kind): [facts for _, _, _, facts in entries]})


def entries_of(kind: Kind) -> Iterable[Entry]:
    """The entries of one kind, in the order in which they are collected."""
    match kind:
        case Kind.PRIMITIVES:
            return map(_primitive, PRIMITIVES.values())
        case Kind.RULES:
            return map(_rule, registry.rules().values())
        case Kind.STRATEGIES:
            return map(_strategy, registry.strategies().values())
        case Kind.TARGETS:
            return map(_target, shine.TARGETS.values())


def _primitive(record: Any) -> Entry:
    lowered = f"lowers to {', '.join(record.lowers_to)}" if record.lowers_to else ""
    facts = {
        "name": record.name,
        "level": record.level,
        "type": record.scheme,
        "doc": record.doc,
        "law": record.law,
        "lowers_to": list(record.lowers_to),
    }
    below = "\n".join(part for part in (record.scheme, record.doc, record.law, lowered) if part)
    return record.name, record.level, below, facts


def _rule(entry: registry.RuleEntry) -> Entry:
    called = f"{entry.name}({', '.join(entry.parameters)})" if entry.parameters else entry.name
    changes = "" if entry.float_class is FloatClass.EXACT else f", {entry.float_class}"
    facts = {
        "name": entry.name,
        "address": entry.address,
        "parameters": list(entry.parameters),
        "equation": entry.equation,
        "why": entry.why,
        "float_class": str(entry.float_class),
    }
    return called, f"{entry.address.partition(':')[0]}{changes}", f"{entry.equation}\n{entry.why}", facts


def _strategy(entry: registry.StrategyEntry) -> Entry:
    facts = {
        "name": entry.name,
        "address": entry.address,
        "parameters": list(entry.parameters),
        "doc": entry.doc,
    }
    beside = " ".join(f"-p {one}" if "=" in one else f"-p {one}=..." for one in entry.parameters)
    return entry.address, beside, entry.doc, facts


def _target(target: Any) -> Entry:
    options = [{"name": one.name, "doc": one.doc} for one in target.options]
    facts = {
        "name": target.name,
        "description": target.description,
        "strategy": target.strategy,
        "options": options,
    }
    below = "\n".join([f"strategy: {target.strategy}", *(f"{one['name']}: {one['doc']}" for one in options)])
    return target.name, target.description, below, facts
