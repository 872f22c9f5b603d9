"""Rules of the library with a small mistake: none is proved that a sweep over small sizes refutes.

A mutant may still hold, for example if it transposes twice, or starts twice with a neutral element. In `soak` all are
tried.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

import rise
from elevate import StrategyError
from strategies import EquationRule, RuleFamily, family, registry, rule
from strategies.proof import prove
from strategies.testing.sweeps import sweep
from tests.examples import SAMPLED, THOROUGH

MISTAKES: Final[tuple[tuple[str, str | Callable[[Any], str]], ...]] = (
    (r"\bfst\b", "snd"),
    (r"\bsnd\b", "fst"),
    (r"\btranspose \(", "("),
    (r"\bmap transpose\b", "map (fun(z => z))"),
    (r"\btake (\w+) ", lambda m: f"take ({m[1]} + 1) "),
    (r"\bdrop (\w+) ", lambda m: f"drop ({m[1]} + 1) "),
    (r"\bsplit (\w+) ", lambda m: f"split ({m[1]} + 1) "),
    (r"\bpad(Cst|Clamp) (\w+) (\w+) ", lambda m: f"pad{m[1]} {m[3]} {m[2]} "),
    (r"\bpadCst (\w+) (\w+) ", lambda m: f"padCst {m[1]} {m[2]} + 1 "),
    (r"\bzip (\w+) (\w+)\b", lambda m: f"zip {m[2]} {m[1]}"),
    (r"\bpair (\([^()]*\)|\w+) (\([^()]*\)|\w+)", lambda m: f"pair {m[2]} {m[1]}"),
    (r"\bf acc (\w+|\([^()]*\))", lambda m: f"f {m[1]} acc"),
    (r"\bf \(fst p\) \(snd p\)", "f (snd p) (fst p)"),
    (r"\breduce f i\b", "reduce f (f i i)"),
    (r"\bxs\b", "(map (fun(z => z)) (transpose xs))"),
    (r"\bslide (\w+) (\w+)", lambda m: f"slide {m[2]} {m[1]}"),
)


def mutants(entry: registry.RuleEntry) -> Iterator[tuple[str, EquationRule | RuleFamily]]:
    """The rule with one mistake on its right side, for each place; each with its text."""
    law = entry.rule.rule if isinstance(entry.rule, RuleFamily) else entry.rule
    if law.by is not None or law.of or law.also:
        return
    left, _, right = law.equation.partition(" = ")
    for pattern, change in MISTAKES:
        for found in re.finditer(pattern, right):
            text = change if isinstance(change, str) else change(found)
            equation = f"{left} = {right[: found.start()]}{text}{right[found.end() :]}"
            try:
                made: EquationRule | RuleFamily
                if isinstance(entry.rule, RuleFamily):
                    made = family(
                        equation,
                        parameters=entry.rule.parameters,
                        why="Wrong.",
                        where=law.where,
                        float_class=law.float_class,
                    )
                else:
                    compute = dict(law.compute)
                    made = rule(
                        equation, why="Wrong.", where=law.where, compute=compute, float_class=law.float_class
                    )
            except (rise.RiseError, StrategyError, ZeroDivisionError):
                continue  # it has no type
            yield equation, made


def is_refuted(made: EquationRule | RuleFamily) -> bool:
    try:
        sweep(made)
    except StrategyError:
        return True
    return False


#: every 30th rule, or sixth in `whole`, selected by name, so that a new rule does not change the selection; mutants of
#: four rules that swap take minutes
APART = 1 if THOROUGH else 45 if SAMPLED else 6
TRIED = [entry for entry in registry.rules().values() if zlib.crc32(entry.name.encode()) % APART == 4 % APART]


@pytest.mark.parametrize("entry", TRIED, ids=lambda entry: entry.name)
def test_no_refuted_mutant_is_proved(entry: registry.RuleEntry) -> None:
    for equation, made in mutants(entry):
        if all(verdict.is_proved for verdict in prove(made)):
            assert not is_refuted(made), equation


def test_mutants_are_refuted_and_not_proved() -> None:
    """Some mutants are wrong, and the sweep refutes them."""
    entry = registry.rules()["strategies.rules.movement:splitZip"]
    made = [one for _, one in mutants(entry)]
    assert any(map(is_refuted, made))
    assert not all(verdict.is_proved for one in made for verdict in prove(one))
