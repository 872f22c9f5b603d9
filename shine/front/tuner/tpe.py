"""The policy `tpe`: Optuna's tree-structured Parzen estimator, if the extra `optuna` is installed."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from strategies.spaces.holes import Decisions
from strategies.spaces.policies import any_of, descend
from strategies.spaces.replay import text_of
from strategies.spaces.tree import Tree

try:
    import optuna
except ImportError:
    optuna = None

#: draws of candidates that are known already, after which any other is taken
MAX_DRAWS: Final = 50


class TPE:
    """Each hole is a categorical parameter. If its domain depends on other holes, there is a parameter for
    each domain.
    """

    prunes = False

    def __init__(self, seed: int = 0) -> None:
        """Raises RiseError without Optuna."""
        if optuna is None:
            title = "the policy `tpe` needs Optuna, which is not installed"
            hint = "pip install 'rise-shine[optuna]', or choose another policy, such as tag"
            raise RiseError(Diagnostic("no-optuna", title, hint=hint))
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._study: Any = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
        self._trials: dict[str, Any] = {}

    def ask(self, tree: Tree, random: Random) -> Decisions | None:
        """A candidate without result that Optuna suggests, or any other if it suggests only known ones."""
        for _ in range(MAX_DRAWS):
            trial = self._study.ask()
            prefix = tree.root
            while not prefix.is_leaf:
                tree.below(prefix)
                live = [(value, child) for value, child in prefix.children or () if not child.is_closed]
                if not live:
                    break
                every = [value for value, _ in prefix.children or ()]
                chosen = trial.suggest_categorical(f"{prefix.choice} of {every}", every)
                found = [child for value, child in live if type(value) is type(chosen) and value == chosen]
                if not found:
                    break
                prefix = found[0]
            if prefix.is_leaf and not prefix.is_closed:
                decisions = tree.take(prefix)
                self._trials[text_of(decisions)] = trial
                return decisions
            self._study.tell(trial, state=optuna.trial.TrialState.FAIL)
        return descend(tree, tree.root, any_of, False, random)

    def tell(self, decisions: Decisions, seconds: float | None) -> None:
        """Report the outcome of a candidate to Optuna; a candidate without a time has failed."""
        trial = self._trials.pop(text_of(decisions), None)
        if trial is None:
            return
        if seconds is None:
            self._study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            self._study.tell(trial, seconds)
