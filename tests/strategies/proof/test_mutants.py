"""Rules of the library with a small mistake: none is proved that a sweep over small sizes refutes.

In `soak` all are tried; `benchmarks/rule_mutants.py` counts what `check` finds.
"""

import zlib
from collections import Counter

import pytest

from elevate import FloatClass, StrategyError
from strategies import EquationRule, RuleFamily, registry
from strategies.proof import prove
from strategies.testing import check
from strategies.testing.sweeps import sweep
from tests.examples import SAMPLED, THOROUGH
from tests.strategies.proof.rule_mutants import mutants


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
    for mutant in mutants(entry):
        if all(verdict.is_proved for verdict in prove(mutant.rule)):
            assert not is_refuted(mutant.rule), mutant.text


def test_mutants_are_refuted_and_not_proved() -> None:
    """Some mutants are wrong, and the sweep refutes them."""
    entry = registry.rules()["strategies.rules.movement:splitZip"]
    made = [one.rule for one in mutants(entry)]
    assert any(map(is_refuted, made))
    assert not all(verdict.is_proved for one in made for verdict in prove(one))


def test_mutants_have_their_mistake() -> None:
    """A condition less, a stricter class, or another right side, each once."""
    blocks = registry.rules()["strategies.rules.reductions:blockedReduce"]
    kinds = Counter(one.kind for one in mutants(blocks))
    assert kinds["condition dropped"] == kinds["float class"] == 1
    assert sum(kinds.values()) == len({one.text for one in mutants(blocks)})
    for one in mutants(blocks):
        assert isinstance(one.rule, RuleFamily)
        law = one.rule.rule
        changed = law.equation != blocks.rule.rule.equation  # type: ignore[union-attr]  # it is a family, too
        assert changed != (not law.where or law.float_class is FloatClass.EXACT)


def test_a_mutant_whose_sizes_divide_by_others_is_refuted() -> None:
    """For some of the sizes that are drawn, the type of its array divides by 0: these are no instances."""
    entry = registry.rules()["strategies.rules.accumulators:fragmentsOfFirst"]
    mutant = next(one for one in mutants(entry) if one.kind == "half of a pair")
    with pytest.raises(StrategyError):
        check(mutant.rule)
