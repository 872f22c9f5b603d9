"""The command `shine list`: primitives, rules, strategies, targets, passes, libraries. Depends on their registries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

import shine
from elevate import StrategyError
from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.primitives import THEMES, lookup
from rise.primitives.record import PrimitiveRecord
from rise.printer.terms import show_brief
from rise.programs.program import Program, library, parse, parse_file
from rise.terms import Expr
from rise.text.libraries import library_names
from shine.cli.files import STANDARD_INPUT, STDIN_NAME, read_standard_input
from shine.cli.options import Kind
from shine.cli.passes import facts_of as pass_facts
from shine.cli.passes import switch
from shine.cli.primitives import facts_of
from shine.cli.prove import described
from shine.cli.prove import facts_of as facts_of_proofs
from shine.cli.terminal import Json, Page, page
from shine.passes.record import Pass
from shine.targets.target import Option, Target
from strategies import registry
from strategies.equations.examples import example
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.proof import prove

#: the facts of an entry that are searched for words
SEARCHED: Final = ("name", "theme", "equation", "type", "float_class")
MAX_EXAMPLE_CHARACTERS: Final = 400
_IMPLICIT: Final = re.compile(r"(?<=\w)\{[^{}]*\}")

Entry = tuple[str, str, str, Mapping[str, Any]]
"""A heading, the text beside it, the text below it, and the facts for JSON."""


def print_list(page: Page, kind: Kind, words: Sequence[str] = (), proofs: bool = False) -> None:
    """List one kind: all entries, or those that contain all the words in their name, theme, equation or type.

    For the definitions of a program, the first word is its file. With `proofs`, rules are listed with the verdicts on
    each equation and its inverse.
    """
    if proofs and kind is not Kind.RULES:
        title = f"expected --proofs with rules, found it with {kind}"
        raise RiseError(Diagnostic("options", title, hint="write `shine list rules --proofs`"))
    if kind is Kind.DEFINITIONS:
        if not words:
            title = "expected a file whose definitions to list, found none"
            raise RiseError(Diagnostic("no-file", title, hint="write `shine list definitions FILE`"))
        file, *words = words
        is_piped = file == STANDARD_INPUT
        program = parse(read_standard_input(), STDIN_NAME) if is_piped else parse_file(file)
        all_entries = list(_definitions(program, Path(program.file).name))
    else:
        all_entries = list(entries_of(kind))
    entries = [entry for entry in all_entries if _has(entry[3], words)]
    if not entries:
        _refuse(kind, words, all_entries)
    match kind:  # of those that are shown only: each takes a hundredth of a second
        case Kind.RULES:
            entries = [(_with_proofs if proofs else _with_example)(_with_inverse(entry)) for entry in entries]
        case Kind.PRIMITIVES:
            entries = [_with_value(entry) for entry in entries]
    theme = ""
    for heading, beside, below, facts in entries:
        if facts.get("theme", "") != theme:
            theme = facts["theme"]
            page.line((theme, "bold"), f"  {facts['about']}" if "about" in facts else "")
        page.line((heading, "bold cyan"), f"  {beside}" if beside else "")
        for line in below.split("\n"):
            if line:
                page.line(f"    {line}")
    page.put(**{str(kind): [facts for _, _, _, facts in entries]})


def _has(facts: Mapping[str, Any], words: Sequence[str]) -> bool:
    """Whether facts contain all the words; an inverse is listed with its rule."""
    words = [word.removesuffix(".inv") for word in words]
    text = " ".join(str(facts.get(part, "")) for part in SEARCHED).lower()
    return all(word.lower() in text for word in words)


def _refuse(kind: Kind, words: Sequence[str], all_entries: Sequence[Entry]) -> NoReturn:
    names = [facts["name"] for _, _, _, facts in all_entries]
    hint = did_you_mean(words[-1], names) or f"`shine list {kind}` shows all"
    raise RiseError(
        Diagnostic("nothing-listed", f"expected {kind} that match {' '.join(words)}, found none", hint=hint)
    )


def entries_of(kind: Kind) -> Iterable[Entry]:
    """The entries of one kind, in the order in which they are collected."""
    match kind:
        case Kind.PRIMITIVES:
            return [_primitive(record, theme) for theme, records in THEMES.items() for record in records]
        case Kind.RULES:
            return map(_rule, registry.rules().values())
        case Kind.STRATEGIES:
            return map(_strategy, registry.strategies().values())
        case Kind.TARGETS:
            return map(_target, shine.TARGETS.values())
        case Kind.PASSES:
            return [
                _pass(record, targets) for targets in _grouped_by_passes() for record in targets[0].passes
            ]
        case Kind.LIBRARY:
            return [
                entry for name in library_names() for entry in _definitions(library(name), name, "import ")
            ]
        case Kind.DEFINITIONS:
            return ()


def _primitive(record: PrimitiveRecord, theme: str) -> Entry:
    """The facts about a primitive in which words are searched."""
    facts = {
        "theme": theme,
        "name": record.name,
        "type": record.scheme,
        "float_class": record.float_class,
    }
    return record.name, "", "", facts


def _with_value(entry: Entry) -> Entry:
    """A primitive with the value of its example."""
    record = lookup(entry[0])
    assert record is not None
    facts = {"theme": entry[3]["theme"], **facts_of(record)}
    lowered = f"lowers to {', '.join(record.lowers_to)}" if record.lowers_to else ""
    example = f"{record.example} = {facts['example']['value']}"
    below = "\n".join(
        part for part in (record.scheme, record.doc, record.law or record.words, example, lowered) if part
    )
    return record.name, f"{facts['stage']}, {', '.join(facts['targets'])}", below, facts


def _definitions(program: Program, name: str, before: str = "") -> Iterable[Entry]:
    """The types and definitions of a library or a file, each with the comment above it."""
    about = " ".join(program.doc.split())
    types = ((definition, synonym.doc, synonym.written) for definition, synonym in program.types.items())
    values = (
        (definition, program.docs.get(definition, ""), str(e.type)) for definition, e in program.items()
    )
    for definition, comment, t in (*types, *values):
        doc = " ".join(comment.split())
        facts = {"name": definition, "library": name, "theme": f"{before}{name}", "about": about}
        yield definition, name, f"{doc}\n{t}", {**facts, "type": t, "doc": doc}


def _rule(entry: registry.RuleEntry) -> Entry:
    signature = f"{entry.name}({', '.join(entry.parameters)})" if entry.parameters else entry.name
    facts = {
        "name": entry.name,
        "address": entry.address,
        "theme": theme_of(entry.address.partition(":")[0]),
        "parameters": list(entry.parameters),
        "equation": entry.equation,
        "why": entry.why,
        "float_class": str(entry.float_class),
    }
    module = entry.address.partition(":")[0]
    return signature, f"{module}, {entry.float_class}", f"{entry.equation}\n{entry.why}", facts


def _with_inverse(entry: Entry) -> Entry:
    heading, beside, below, facts = entry
    name = inverse_of(registry.rules()[facts["address"]].rule)
    return heading, f"{beside}, {name}" if name else beside, below, {**facts, "inverse": name}


def _with_example(entry: Entry) -> Entry:
    """A rule with an instance of its left side and the result."""
    heading, beside, below, facts = entry
    found = example(registry.rules()[facts["address"]].rule)
    before, after = (_readable(found.before), _readable(found.after)) if found else ("", "")
    lines = [below, f"  {before}", f"= {after}"]
    return heading, beside, "\n".join(lines), {**facts, "example": {"before": before, "after": after}}


def _with_proofs(entry: Entry) -> Entry:
    """A rule with the verdicts of proofs instead of an example."""
    heading, beside, _, facts = entry
    rule = registry.rules()[facts["address"]].rule
    verdicts = (*prove(rule), *(prove(rule.inv) if facts["inverse"] else ()))
    below = [line for one in verdicts for line in (one.equation, f"  {described(one)}")]
    return heading, beside, "\n".join(below), {**facts, "proofs": facts_of_proofs(verdicts)}


def inverse_of(rule: EquationRule | RuleFamily) -> str:
    """The name of a rule's inverse; empty if it has none."""
    try:
        return rule.inv.name
    except StrategyError:
        return ""


def theme_of(module: str) -> str:
    """The subject of a module's rules: the first sentence of its docstring."""
    doc = (
        next(
            (rule_module.__doc__ for rule_module in registry.RULE_MODULES if rule_module.__name__ == module),
            None,
        )
        or module
    )
    return doc.strip().splitlines()[0].partition(". ")[0].rstrip(".")


def _readable(e: Expr) -> str:
    """The text of a term without types and sizes that can be inferred."""
    return _IMPLICIT.sub("", show_brief(e, MAX_EXAMPLE_CHARACTERS, is_typed=False))


def _strategy(entry: registry.StrategyEntry) -> Entry:
    facts = {
        "name": entry.name,
        "address": entry.address,
        "parameters": list(entry.parameters),
        "doc": entry.doc,
    }
    beside = " ".join(
        f"-p {parameter}" if "=" in parameter else f"-p {parameter}=..." for parameter in entry.parameters
    )
    return entry.address, beside, entry.doc, facts


def _grouped_by_passes() -> Iterable[list[Target]]:
    """The targets, grouped by the passes that they run."""
    groups: dict[tuple[Pass, ...], list[Target]] = {}
    for target in shine.TARGETS.values():
        groups.setdefault(target.passes, []).append(target)
    return groups.values()


def _pass(record: Pass, targets: Sequence[Target]) -> Entry:
    names = [target.name for target in targets]
    facts = {**pass_facts(record), "targets": names, "theme": ", ".join(names)}
    return record.name, switch(record), record.why, facts


def _option(option: Option) -> str:
    value = "..." if option.default is None else str(option.default)
    return f"-O {option.name}={value.lower() if option.type is bool else value}  {option.doc}"


def _target(target: Target) -> Entry:
    options = [
        {"name": option.name, "type": option.type.__name__, "default": option.default, "doc": option.doc}
        for option in target.options
    ]
    facts = {
        "name": target.name,
        "description": target.description,
        "strategy": target.strategy,
        "options": options,
    }
    below = "\n".join([f"strategy: {target.strategy}", *map(_option, target.options)])
    return target.name, target.description, below, facts


def list_command(
    kind: Annotated[
        Kind,
        typer.Argument(
            metavar="KIND",
            show_choices=False,  # how they are shown depends on the version of typer
            help=f"What to list: {', '.join(Kind)}. `definitions FILE` lists those of a program.",
        ),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD]...", help="List only entries with all of these words."),
    ] = None,
    proofs: Annotated[
        bool, typer.Option("--proofs", help="List rules with their proofs instead of examples.")
    ] = False,
    json: Json = False,
) -> None:
    """List primitives, rules, strategies, targets, passes or definitions."""
    with page(json) as report:
        print_list(report, kind, words or (), proofs)
