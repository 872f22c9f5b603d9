"""Rules of the library with one mistake: in the text of the right side, in the conditions, or in the float class.

A mutant may still hold, for example if it transposes twice, or starts twice with a neutral element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import rise
from elevate import FloatClass, StrategyError, Success, normalize
from rise.records import dataclass
from strategies import EquationRule, RuleFamily, family, registry, rule
from strategies.rules.functions import betaReduction

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
    """The rule with one mistake, for each kind and place that leaves it a rule with types."""
    law = entry.rule.rule if isinstance(entry.rule, RuleFamily) else entry.rule
    if law.by is not None or law.of:
        return
    parameters = entry.rule.parameters if isinstance(entry.rule, RuleFamily) else ()
    for form in law.forms:
        for kind, equation in _changed(form.equation):
            for mutant in _made(kind, equation, equation, form, parameters):
                if not is_unchanged(mutant.rule, form):
                    yield mutant
        for left_out in form.where:
            rest = tuple(one for one in form.where if one is not left_out)
            name = getattr(left_out, "__name__", "a condition")
            yield from _made(
                "condition dropped", f"{form.equation} without {name}", form.equation, form, parameters, rest
            )
        if form.float_class > FloatClass.EXACT:
            text = f"{form.equation} as exact"
            yield from _made(
                "float class", text, form.equation, form, parameters, form.where, FloatClass.EXACT
            )


def is_unchanged(made: EquationRule | RuleFamily, law: EquationRule) -> bool:
    """Whether the right side of a rule is that of another one, once functions are applied to their arguments: in
    `(fun(ys => reduce f i ys)) xs`, it makes no difference whether `ys` is read or `xs`.
    """
    inside = made.rule if isinstance(made, RuleFamily) else made
    return _applied(inside) == _applied(law)


def _applied(law: EquationRule) -> rise.Expr:
    result = normalize(betaReduction)(law.compiled.right)
    assert isinstance(result, Success), result
    return result.program


def _changed(equation: str) -> Iterator[tuple[str, str]]:
    """Equations with one mistake on their right side, each once."""
    left, _, right = equation.partition(" = ")
    seen = {equation}
    for kind, pattern, change in MISTAKES:
        for found in re.finditer(pattern, right):
            text = change if isinstance(change, str) else change(found)
            changed = f"{left} = {right[: found.start()]}{text}{right[found.end() :]}"
            if changed not in seen:
                seen.add(changed)
                yield kind, changed


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
