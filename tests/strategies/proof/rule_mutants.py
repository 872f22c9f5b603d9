"""Rules of the library with one mistake: in the text of the right side, in the conditions, or in the float class.

A mistake is left out if it is known beforehand that it changes nothing; `is_known_to_hold` lists the reasons. A mutant
may still hold, for example if it transposes twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import rise
from elevate import FloatClass, StrategyError
from rise.checker import Operator
from rise.naturals import Nat
from rise.primitives import with_trait
from rise.records import dataclass
from rise.terms import App, Bound, DepApp, Expr, Lam, Literal, Primitive, Var, substitute
from rise.text.nat_printer import show_nat
from strategies import EquationRule, RuleFamily, family, registry, rule
from strategies.equations.laws import cases_of
from strategies.proof import prove

MAPS: Final = with_trait("maps")
#: the kind of a mistake, what it changes, and to what
MISTAKES: Final[tuple[tuple[str, str, str | Callable[[Any], str]], ...]] = (
    ("half of a pair", r"\bfst\b", "snd"),
    ("half of a pair", r"\bsnd\b", "fst"),
    ("transpose dropped", r"\btranspose \(", "("),
    ("transpose dropped", r"\bmap transpose\b", "map (fun(z => z))"),
    ("transpose added", r"\bxs\b", "(map (fun(z => z)) (transpose xs))"),
    ("size off by one", r"\btake (\w+) ", lambda m: f"take ({m[1]} + 1) "),
    ("size off by one", r"\bdrop (\w+) ", lambda m: f"drop ({m[1]} + 1) "),
    ("size off by one", r"\bsplit (\w+) ", lambda m: f"split ({m[1]} + 1) "),
    ("size off by one", r"\bpadCst (\w+) (\w+) ", lambda m: f"padCst {m[1]} {m[2]} + 1 "),
    ("sizes swapped", r"\bpad(Cst|Clamp) (\w+) (\w+) ", lambda m: f"pad{m[1]} {m[3]} {m[2]} "),
    ("sizes swapped", r"\bslide (\w+) (\w+)", lambda m: f"slide {m[2]} {m[1]}"),
    ("operands swapped", r"\bzip (\w+) (\w+)\b", lambda m: f"zip {m[2]} {m[1]}"),
    ("operands swapped", r"\bpair (\([^()]*\)|\w+) (\([^()]*\)|\w+)", lambda m: f"pair {m[2]} {m[1]}"),
    ("operands swapped", r"\bf acc (\w+|\([^()]*\))", lambda m: f"f {m[1]} acc"),
    ("operands swapped", r"\bf \(fst p\) \(snd p\)", "f (snd p) (fst p)"),
    ("operands swapped", r"\b(fst|snd) p ([-+*]) (fst|snd) p\b", lambda m: f"{m[3]} p {m[2]} {m[1]} p"),
    ("operands swapped", r"\bthen (\w+|\([^()]*\)) else (\w+)", lambda m: f"then {m[2]} else {m[1]}"),
    ("operation", r" \+ ", " - "),
    ("operation", r" \* ", " + "),
    ("operation", r"\badd\b", "mul"),
    ("operation", r"\bmax\b", "min"),
    ("comparison", r" < ", " <= "),
    ("comparison", r" > ", " >= "),
    ("start value", r"\breduce f i\b", "reduce f (f i i)"),
    (
        "start value",
        r"\b(reduceSeq|scan|scanSeq) (f|\([^()]*\)) i\b",
        lambda m: f"{m[1]} {m[2]} (id (f i i))",
    ),
    ("start value", r"\b0\.0\b", "1.0"),
    ("function applied twice", r"\bmap f \(?", lambda m: m[0].replace("map f", "map (f . f)")),
    ("function dropped", r"\bmap (f|g) ", "map (fun(z => z)) "),
    ("function exchanged", r"\bmap f\b", "map g"),
    ("array exchanged", r"\bys\b", "xs"),
    ("array exchanged", r"\bxs\b", "ys"),
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A rule with one mistake, of a kind; `text` shows the mistake."""

    kind: str
    text: str
    rule: EquationRule | RuleFamily


def mutants(entry: registry.RuleEntry) -> Iterator[Mutant]:
    """The rule with one mistake, for each kind and place that leaves it a rule with types.

    A condition is dropped, and a float class made exact, only if the rule is not proved without: conditions on sizes,
    for example, often state only where a rule is useful.
    """
    law = entry.rule.rule if isinstance(entry.rule, RuleFamily) else entry.rule
    if law.by is not None or law.of:
        return
    parameters = entry.rule.parameters if isinstance(entry.rule, RuleFamily) else ()
    for form in law.forms:
        for kind, equation, was in _changed(form.equation):
            for mutant in _made(kind, equation, equation, form, parameters):
                if not is_known_to_hold(form, parameters, mutant, was):
                    yield mutant
        for mutant in (*_without_conditions(form, parameters), *_as_exact(form, parameters)):
            if not all(verdict.is_proved for verdict in prove(mutant.rule)):
                yield mutant


def _without_conditions(law: EquationRule, parameters: tuple[str, ...]) -> Iterator[Mutant]:
    """The rule without one of its conditions."""
    for left_out in law.where:
        rest = tuple(one for one in law.where if one is not left_out)
        text = f"{law.equation} without {getattr(left_out, '__name__', 'a condition')}"
        yield from _made("condition dropped", text, law.equation, law, parameters, rest)


def _as_exact(law: EquationRule, parameters: tuple[str, ...]) -> Iterator[Mutant]:
    """The rule, claiming that it keeps every bit, if it does not."""
    if law.float_class > FloatClass.EXACT:
        text = f"{law.equation} as exact"
        yield from _made("float class", text, law.equation, law, parameters, law.where, FloatClass.EXACT)


def is_known_to_hold(law: EquationRule, parameters: tuple[str, ...], mutant: Mutant, was: str) -> bool:
    """Whether a mistake in the text `was` of a rule's right side changes nothing, for one of these reasons:

    - both right sides are the same, up to calls, and arrays of which only the length is used;
    - a metavariable may mention fewer variables, so that the mutant fires on fewer terms, and both sides agree on them;
    - the rule starts a reduction at i twice, and its conditions ensure that `f i i = i`;
    - the operands of f are swapped, and the conditions ensure that f commutes;
    - a parameter of a family is greater by one, and occurs only there.
    """
    made = mutant.rule.rule if isinstance(mutant.rule, RuleFamily) else mutant.rule
    mentioned = law.compiled.matcher.may_mention
    fewer = any(found < mentioned[name] for name, found in made.compiled.matcher.may_mention.items())
    if fewer or shape(made.compiled.right) == shape(law.compiled.right):
        return True
    if mutant.kind == "start value" and "i i" in mutant.text:
        return _ensure(law, lambda one: "i" in (one.neutral, one.restarts) or one.idempotent)
    if mutant.kind == "operands swapped" and was.startswith("f "):
        return _ensure(law, lambda one: one.commutes)
    if mutant.kind == "size off by one":
        size = was.split()[1]
        return size in parameters and len(re.findall(rf"\b{size}\b", law.equation)) == 1
    return False


def _ensure(law: EquationRule, holds: Callable[[Operator], bool]) -> bool:
    """Whether in each case of some condition of a rule, a law of the operation f holds."""
    return any(
        all(
            any(isinstance(one, Operator) and one.name == "f" and holds(one) for one in case)
            for case in cases_of(part)
        )
        for part in law.where
    )


def shape(e: Expr) -> tuple[object, ...]:
    """The nodes of a term without types, after all calls of its functions; an array of which only the length is used is
    left out.
    """
    e = called(e)
    match e:
        case App(App(Primitive(name), Lam(_, _, body)), _) if name in MAPS and not body.mentions & 1:
            return (name, shape(body))
        case Literal(bits):
            return ("literal", bits)
        case Primitive(name) | Var(name):
            return (name,)
        case Bound(index):
            return (index,)
        case DepApp(function, given):
            sizes = show_nat(given) if isinstance(given, Nat) else ""
            return (shape(function), sizes)
    return (type(e).__name__, *map(shape, e.children))


def called(e: Expr) -> Expr:
    """A term with the outermost calls of functions replaced by their results."""
    match e:
        case App(function, argument):
            head = called(function)
            return called(substitute(head.body, argument)) if isinstance(head, Lam) else App(head, argument)
    return e


def _changed(equation: str) -> Iterator[tuple[str, str, str]]:
    """Equations with one mistake on their right side, each once, with the text that is changed."""
    left, _, right = equation.partition(" = ")
    seen = {equation}
    for kind, pattern, change in MISTAKES:
        for found in re.finditer(pattern, right):
            text = change if isinstance(change, str) else change(found)
            changed = f"{left} = {right[: found.start()]}{text}{right[found.end() :]}"
            if changed not in seen:
                seen.add(changed)
                yield kind, changed, found[0]


def _made(
    kind: str,
    text: str,
    equation: str,
    law: EquationRule,
    parameters: tuple[str, ...],
    where: Any = None,
    float_class: FloatClass | None = None,
) -> Iterator[Mutant]:
    """The mutant with this equation, unless it has no type."""
    conditions = law.where if where is None else where
    of_class = law.float_class if float_class is None else float_class
    try:
        made: EquationRule | RuleFamily
        if parameters:
            made = family(
                equation,
                parameters=parameters,
                why="Wrong.",
                where=conditions,
                float_class=of_class,
                demands=law.demands,
            )
        else:
            made = rule(
                equation,
                why="Wrong.",
                where=conditions,
                compute=dict(law.compute),
                float_class=of_class,
                names=law.names,
                demands=law.demands,
            )
    except (rise.RiseError, StrategyError, ZeroDivisionError):
        return
    yield Mutant(kind, text, made)
