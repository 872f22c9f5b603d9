"""Certificates: saved derivations that contain their programs, and are read and checked without rules and strategies.

Of each step, a certificate states the part of the program that replaces another one, as a function of all variables
around it, so that it is a closed term. What a step claims about its rule is compared with what the check needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

from elevate import Diagnostic, FloatClass, Step, StrategyError
from elevate.derivations.derivation import Derivation, derivation_of, expected_derivation
from elevate.derivations.fingerprints import Known, fingerprint
from elevate.derivations.records import recording
from elevate.derivations.scripts import Evidence, content_of, shortened, to_json
from elevate.term import Path, replaced, show_path, subterm, surroundings
from rise.diagnostics import RiseError
from rise.printer.terms import show
from rise.programs.program import context_variables, parse_expr
from rise.records import dataclass
from rise.terms import DepLam, Expr, Lam, Var
from rise.text.type_printer import brief_type, show_type
from rise.tracebacks import ends_at_the_users_line
from strategies.equations.laws import Cases, cases_of
from strategies.equations.rule import EquationRule
from strategies.proof.derivations import added_conditions

VERSION: Final = 2
#: the steps between two whole programs in a certificate
CHECKPOINT: Final = 32
WIDTH: Final = 1 << 20  # characters in a line: a term is one line
CODE: Final = "certificate"
CLASSES: Final = {str(one): one for one in FloatClass}


@dataclass(frozen=True, slots=True)
class Claim:
    """What a certificate says about the rule of a step; the rule itself is not needed."""

    name: str
    float_class: FloatClass
    laws: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """A derivation whose rules are only claims, and the conditions on sizes that it says the result adds."""

    derivation: Derivation[Expr]
    conditions: tuple[str, ...]
    about: Mapping[str, object]


@ends_at_the_users_line
def certificate(derivation: Derivation[Expr], about: Mapping[str, object] | None = None) -> str:
    """A derivation as JSON of version 2, which `read_certificate` reads and rules can repeat, too.

    Raises StrategyError if a program cannot be written such that it is read back.
    """
    programs = list(expected_derivation(derivation).programs())
    steps: list[dict[str, object]] = []
    for number, (step, before) in enumerate(zip(derivation.steps, programs, strict=False), 1):
        after = _around(before, step.path, step.contractum)
        entry: dict[str, object] = {
            "contractum": show(after, WIDTH),
            "float_class": str(step.rule.float_class),
        }
        laws = list(_claimed(step.rule))
        added = added_conditions(_around(before, step.path, step.redex), after)
        entry |= {"laws": laws} if laws else {}
        entry |= {"conditions": list(added)} if added else {}
        entry |= {} if number % CHECKPOINT else {"program": show(programs[number], WIDTH)}
        steps.append(entry)
    inputs = {
        one.name: show_type(one.type)
        for side in (derivation.given, derivation.result)
        for one in side.free
        if isinstance(one, Var)
    }
    entries = {
        "inputs": inputs,
        "program": _written(derivation.given, inputs),
        "result": _written(derivation.result, inputs),
        "conditions": list(added_conditions(derivation.given, derivation.result)),
    }
    return to_json(recording(derivation), about, Evidence(entries, steps))


@ends_at_the_users_line
def read_certificate(text: str) -> Certificate:
    """Read a certificate, and replay its steps by the terms in it. Raises StrategyError that names the first step whose
    entry does not fit the program before it.
    """
    content = content_of(text)
    if content["version"] != VERSION:
        title = f"expected a derivation of version {VERSION}, which contains its programs, found {content['version']}"
        hint = (
            "check it with its program: shine check-derivation FILE.rise --strategy D.json; or save it again"
        )
        raise StrategyError(Diagnostic(CODE, title, hint=hint))
    inputs = _inputs(content)
    given = _term(content, "program", "the file", inputs)
    known: Known = {}
    if fingerprint(given, known) != content["given"]:
        _refuse("the program", "its fingerprint", "another one")
    current: Any = given
    steps: list[Step] = []
    for number, entry in enumerate(content["steps"], 1):
        step = _step(f"step {number}", entry, current, inputs)
        current = replaced(current, step.path, step.contractum)
        _compare(f"step {number}", entry, current, known, inputs)
        steps.append(step)
    if _term(content, "result", "the file", inputs) != current:
        _refuse("the result", "the program after the last step", "another one")
    about, conditions = content.get("about"), _texts(content, "conditions", "the file")
    return Certificate(
        derivation_of(given, steps, current), conditions, about if isinstance(about, dict) else {}
    )


def _around(program: Expr, path: Path, e: Any) -> Expr:
    """A part of a program at a path as a function of all variables around it."""
    for around in reversed(surroundings(program, path)):
        if isinstance(around, Lam | DepLam):
            e = around.rebuild((e,))
    found: Expr = e
    return found


def _claimed(rule: Any) -> Iterator[str]:
    """The laws that a rule claims where it fires, of the names in its equation."""
    if isinstance(rule, EquationRule):
        conditions: tuple[Any, ...] = (
            *rule.where,
            *(one for _, one in rule.compute),
            *(one for _, one in rule.of),
        )
        for condition in conditions:
            cases: Cases = cases_of(condition)
            yield from (" and ".join(map(str, laws)) for laws in cases if laws)


def _written(e: Expr, inputs: Mapping[str, str]) -> str:
    text = show(e, WIDTH)
    try:
        again: Expr | None = parse_expr(text, inputs)
    except RiseError:
        again = None
    if again != e:
        title = f"this program cannot be written as text that is read back: {shortened.repr(text)}"
        hint = "save the derivation without its programs: elevate.to_json(elevate.recording(derivation))"
        raise StrategyError(Diagnostic(CODE, title, hint=hint))
    return text


def _inputs(content: Mapping[str, Any]) -> dict[str, str]:
    """The types of free variables, such as foreign functions."""
    found = content.get("inputs", {})
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        _refuse("the file", "`inputs`, types by names", shortened.repr(found))
    try:
        context_variables(found)
    except RiseError as error:
        _refuse("`inputs`", "types", error.diagnostic.title)
    return found


def _step(where: str, entry: object, current: Expr, inputs: Mapping[str, str]) -> Step:
    """The step of an entry, which fits the program before it."""
    if not isinstance(entry, dict):
        _refuse(where, "an object", shortened.repr(entry))
    path = entry.get("path")
    if not isinstance(path, list) or not all(type(index) is int and index >= 0 for index in path):
        _refuse(where, "`path`, a list of indices", shortened.repr(path))
    redex = subterm(current, tuple(path))
    if not isinstance(redex, Expr):
        _refuse(where, "a path into the program", show_path(tuple(path)))
    closed = _term(entry, "contractum", where, inputs)
    contractum: Any = closed
    for around in surroundings(current, tuple(path)):
        if isinstance(around, Lam | DepLam):
            if not isinstance(contractum, Lam | DepLam):
                _refuse(where, "a function of the variables around the path", brief_type(closed.type))
            contractum = contractum.children[0]
    expected = _around(current, tuple(path), redex).type
    if _around(current, tuple(path), contractum) != closed or closed.type != expected:
        _refuse(where, f"a term of type {brief_type(expected)}", f"one of type {brief_type(closed.type)}")
    name, claimed = _text(entry, "rule", where), _text(entry, "float_class", where)
    if claimed not in CLASSES:
        _refuse(where, f"a float class: {', '.join(CLASSES)}", shortened.repr(claimed))
    parameters = _texts(entry, "parameters", where)
    shown = (
        f"{name.partition(':')[2] or name}({', '.join(parameters)})" if parameters else name.partition(":")[2]
    )
    claim = Claim(shown, CLASSES[claimed], _texts(entry, "laws", where))
    return Step(claim, tuple(path), redex, contractum)


def _compare(
    where: str, entry: Mapping[str, object], current: Expr, known: Known, inputs: Mapping[str, str]
) -> None:
    """Compare the program after a step with the fingerprint, and the whole program if there is one, in its entry."""
    if fingerprint(current, known) != _text(entry, "after", where):
        _refuse(where, "the fingerprint of the program after it", shortened.repr(entry["after"]))
    if "program" in entry and _term(entry, "program", where, inputs) != current:
        _refuse(where, "the program after it", "another one")


def _term(entry: Mapping[str, object], name: str, where: str, inputs: Mapping[str, str]) -> Expr:
    text = _text(entry, name, where)
    try:
        return parse_expr(text, inputs)
    except RiseError as error:
        _refuse(where, f"`{name}`, a term", f"{shortened.repr(text)}: {error.diagnostic.title}")


def _text(entry: Mapping[str, object], name: str, where: str) -> str:
    found = entry.get(name)
    if not isinstance(found, str):
        _refuse(where, f"`{name}`, a text", shortened.repr(found))
    return found


def _texts(entry: Mapping[str, object], name: str, where: str) -> tuple[str, ...]:
    found = entry.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        _refuse(where, f"`{name}`, a list of texts", shortened.repr(found))
    return tuple(found)


def _refuse(where: str, expected: str, found: str) -> NoReturn:
    title = f"{where}: expected {expected}, found {found}"
    raise StrategyError(Diagnostic(CODE, title, hint="the file was changed, or not written by this version"))
