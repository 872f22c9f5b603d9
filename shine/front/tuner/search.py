"""The search loop: asks a policy for candidates, evaluates them, stores results, and finally compares the best ones."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import replace
from math import isinf
from pathlib import Path
from random import Random
from typing import Any, Final

import rise
from elevate import FloatClass, Strategy
from rise.argument_checks import Termlike, expected, misplaced, term_of
from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.hardware import Device, Processor
from rise.terms import DepLam, Expr
from rise.tracebacks import ends_at_the_users_line
from shine.front.derivation import derive
from shine.front.machines import machine_for
from shine.front.tuner.candidates import Lowered, Task
from shine.front.tuner.database import KEYS, Database, Key
from shine.front.tuner.device_estimates import BySimulator
from shine.front.tuner.evaluators import Evaluator, Local, Remote
from shine.front.tuner.isolation import Limits
from shine.front.tuner.keys import compiler_of, key_of, machine_text
from shine.front.tuner.other_machines import best_elsewhere, notes_on_others
from shine.front.tuner.outcomes import Budget, Found, Progress, notes_on, notes_on_bounds
from shine.front.tuner.results import Result, Row, State, slowness
from shine.front.tuner.tpe import TPE
from shine.targets import find_target
from strategies.spaces.bounds import Bound
from strategies.spaces.holes import Decisions, Space
from strategies.spaces.models import Setting
from strategies.spaces.policies import DEFAULT_POLICY, Policy, policy_of
from strategies.spaces.replay import Leaf, replay, text_of
from strategies.spaces.tree import Tree

#: candidates that run in the last race
FINALISTS: Final = 3
MOST_SHOWN: Final = 3
SECONDS: Final = 0.5  # between two looks at the clock


@ends_at_the_users_line
def tune(
    program: Termlike,
    space: Space,
    sizes: Mapping[str, int] | None = None,
    budget: Budget | None = None,
    policy: str = DEFAULT_POLICY,
    db: str | Path | None = None,
    executor: Executor | None = None,
    *,
    target: str = "openmp",
    machine: Processor | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    resume: bool = False,
    evaluator: Evaluator | None = None,
    device: Device | None = None,
    others: int = 0,
    progress: Callable[[Progress], None] = lambda at: None,
    **options: Any,
) -> Found:
    """Search a space for the fastest strategy for a program at these sizes.

    `policy` is one of exhaustive, random, bound, bnb, tag, uct, and tpe with Optuna. `db` is the file of results: a
    search continues where an earlier one with the same program, sizes, space, machine and compiler stopped, even if it
    was killed; with `resume`, there must be an earlier one. Candidates are built and measured on this machine, by the
    workers of an `executor`, or by a custom `evaluator`. `machine` is for bounds and for spaces that depend on it.
    With the record of a GPU as `device`, and the target cuda-sim, the times on this GPU are estimated by counts of the
    simulator. With `others`, so many of the fastest candidates of each other machine in `db` are tried first. Options
    are the target's. In the last race, the result is never slower than the target's own strategy.

    Raises RiseError with one diagnostic: sizes that are missing, an empty or unsatisfiable space, a database that
    cannot be used, the target's own strategy failing, an executor that loses its workers.
    """
    search = Search(program, space, sizes, budget, target, machine, seed, limits, options, device)
    return search.run(policy, db, executor, resume, evaluator, progress, others)


class Search:
    """One call of `tune`: its checked arguments, and its results so far."""

    def __init__(
        self,
        program: Termlike,
        space: Space,
        sizes: Mapping[str, int] | None,
        budget: Budget | None,
        target: str,
        machine: Processor | None,
        seed: int,
        limits: Limits | None,
        options: Mapping[str, Any],
        device: Device | None = None,
    ) -> None:
        """Raises RiseError for arguments that do not fit."""
        term = term_of(program)
        if not isinstance(space, Space):
            raise misplaced("a space", space, "write @space above a function that returns a strategy")
        for given, kind, what in (
            (budget, Budget | None, "a budget"),
            (machine, Processor | None, "a processor"),
            (limits, Limits | None, "limits"),
            (seed, int, "a seed"),
            (device, Device | None, "the record of a GPU"),
        ):
            expected(given, kind, what, "see `help(shine.tune)`")
        record = find_target(target)
        record.complete(dict(options))
        threads = options.get("threads") or os.cpu_count() or 1
        processor = machine or options.get("machine") or machine_for(options.get("arch"))
        if any(option.name == "machine" for option in record.options):
            options = {**options, "machine": processor}
        self.budget = budget or Budget()
        fixed = checked_sizes(term, sizes or {})
        self.space = space.on(processor, rise.specialise(term, **fixed))
        self.task = Task(
            term, fixed, target, record.strategy, dict(options), processor, threads, seed, limits or Limits()
        )
        self.device = device
        self.rows: list[Row] = []
        self.known: dict[str, Result] = {}  # results by the digest of their texts
        self.notes: list[str] = []
        self._tree: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The prefixes that were seen, and their bounds, which take some time to compute: so only when first read."""
        if self._tree is None:
            task = self.task
            compiler = compiler_of(task.target, task.options)
            setting = Setting(task.program, task.sizes, task.machine, task.threads, self.device, compiler)
            self._tree = Tree(self.space, setting)
        return self._tree

    def stored(self, db: str | Path) -> list[Row]:
        """The results that a database has of this search on this machine, in order."""
        task = self.task
        key = key_of(self.space, task.program, task.sizes, task.target, task.options, machine_text())
        with Database(db) as database:
            found = [number for number, other in database.runs() if other == key]
            return database.rows(found[0]) if found else []

    def run(
        self,
        policy: str,
        db: str | Path | None,
        executor: Executor | None,
        resume: bool,
        evaluator: Evaluator | None,
        progress: Callable[[Progress], None],
        others: int = 0,
    ) -> Found:
        """Run the search, and race the best candidates."""
        expected(others, int, "a number of candidates", "for example others=3")
        self._check_satisfiable()
        one = policy_of(policy, {"tpe": lambda: TPE(self.task.seed)})
        with Database(":memory:" if db is None else db) as database:
            where = evaluator or self._evaluator(executor)
            with closing(where):
                key = key_of(
                    self.space,
                    self.task.program,
                    self.task.sizes,
                    self.task.target,
                    self.task.options,
                    where.machine,
                )
                self._continue(database, key, resume)
                run = database.run(key)
                self._take(database.rows(run), one, str(db))
                elsewhere = best_elsewhere(database, key, others)
                first = [made for each in elsewhere.values() for made in each]
                self._search(one, database, run, where, progress, first)
                self.notes += notes_on_others(self.rows, elsewhere)
                return self._found(where)

    def _evaluator(self, executor: Executor | None) -> Evaluator:
        if self.device is not None:
            return BySimulator(self.task, self.space, self.device)
        if executor is None:
            return Local(self.task, self.space, self.known)
        if not isinstance(executor, Executor):
            hint = "for example concurrent.futures.ProcessPoolExecutor(4)"
            raise misplaced("an executor of concurrent.futures", executor, hint)
        return Remote(self.task, self.space, executor)

    def _continue(self, database: Database, key: Key, resume: bool) -> None:
        """Report which earlier results cannot be used. Raises RiseError if there are none to resume."""
        runs = [other for _, other in database.runs()]
        alike = [other for other in runs if other.space == key.space and other.program == key.program]
        is_same = key in runs
        if resume and not is_same:
            raise _nothing_to_resume(database.path, key, alike)
        for other in alike:
            if not is_same and _different(key, other) == ["version"]:
                self.notes.append(
                    "earlier results are not used: the space's source or rise-shine's has changed since"
                )
                return

    def _search(
        self,
        policy: Policy,
        database: Database,
        run: int,
        where: Evaluator,
        progress: Callable[[Progress], None],
        first: Sequence[Decisions] = (),
    ) -> None:
        end = time.monotonic() + self.budget.seconds
        is_over = False
        pending: dict[str, Decisions] = {}
        tried_first = [made for made in first if self._is_given(made)]
        while True:
            self._take(database.rows(run, len(self.rows)), policy, database.path)
            is_over = is_over or time.monotonic() >= end
            while not is_over and where.capacity() > 0 and not self._is_enough(len(pending)):
                drawn = Random(f"{self.task.seed}/{self.tree.results + len(pending)}")
                decisions = tried_first.pop(0) if tried_first else policy.ask(self.tree, drawn)
                if decisions is None:
                    break
                if database.claim(run, decisions):
                    pending[text_of(decisions)] = decisions
                    where.submit(decisions)
            if not pending:
                return
            left = end - time.monotonic()
            for decisions, result in where.wait(min(SECONDS, max(left, 0.0)) if not isinf(left) else SECONDS):
                del pending[text_of(decisions)]
                leaf = self.tree.find(decisions)
                bound = Bound(0.0, "") if leaf is None else leaf.bound
                if result.limit is not None:
                    bound, result = bound.at_least(result.limit), replace(result, limit=None)
                database.put(run, decisions, result, float(bound.time), bound.why)
                self._take(database.rows(run, len(self.rows)), policy, database.path)
                progress(self._progress(end))

    def _is_given(self, decisions: Decisions) -> bool:
        """Whether decisions of another machine are a candidate here, which then is given to no one else."""
        try:
            leaf = self.tree.find(decisions) if isinstance(replay(self.space, decisions), Leaf) else None
        except RiseError:  # the space is another one there
            return False
        return leaf is not None and not leaf.is_closed and self.tree.take(leaf) == decisions

    def _is_enough(self, pending: int) -> bool:
        most = self.budget.evaluations
        return most is not None and self.tree.results + pending >= most

    def _take(self, rows: list[Row], policy: Policy, path: str) -> None:
        """Pass stored results, of this process and of others, to the tree and the policy."""
        for row in rows:
            try:
                replay(self.space, row.decisions)
            except RiseError as error:
                one = error.diagnostic
                hint = f"{path} has results for another space: use another file"
                raise RiseError(replace(one, hint=hint)) from None
            seconds = row.result.seconds if row.result.is_timed else None
            self.rows.append(row)
            self.tree.tell(row.decisions, seconds)
            if seconds is not None:
                self.tree.compare(seconds, row.bound)
            policy.tell(row.decisions, seconds)
            if row.result.source and row.result.state is not State.DEAD:
                self.known.setdefault(row.result.source, row.result)

    def _progress(self, end: float) -> Progress:
        states = [row.result.state for row in self.rows]
        ratios = [row.result.ratio for row in self.rows if row.result.is_timed and row.result.ratio]
        return Progress(
            len(self.rows),
            self.budget.evaluations,
            max(ratios, default=None),
            self.tree.gap(),
            self.tree.pruned(),
            states.count(State.DEAD) + len(self.tree.dead),
            states.count(State.WRONG),
            max(0.0, end - time.monotonic()),
        )

    def _found(self, where: Evaluator) -> Found:
        """The fastest of the last race; the target's own strategy if nothing is faster."""
        task = self.task
        timed = sorted((row for row in self.rows if row.result.is_timed), key=slowness)
        finalists: dict[str, tuple[Row, Strategy, Lowered]] = {}
        for row in timed:
            if len(finalists) == FINALISTS or (row.result.ratio or 0.0) <= 1.0:
                break
            outcome = replay(self.space, row.decisions, task.program, task.sizes)
            if isinstance(outcome, Leaf) and outcome.term is not None:
                lowered = Lowered(outcome.term, outcome.float_class)
                finalists.setdefault(
                    row.result.source or text_of(row.decisions), (row, outcome.strategy, lowered)
                )
        ratios = where.race([lowered for *_, lowered in finalists.values()]) if finalists else []
        best: tuple[float, Row, Strategy, Lowered] | None = None
        for number, (row, strategy, lowered) in enumerate(finalists.values()):
            ratio = ratios[number] if ratios else row.result.ratio or 0.0
            if ratio > (1.0 if best is None else best[0]):
                best = (ratio, row, strategy, lowered)
        notes = (
            *self.notes,
            *notes_on(self.rows),
            *notes_on_bounds(self.tree.least_ratio, self.task.machine.name),
        )
        dead = tuple((one.decisions, one.diagnostic) for one in self.tree.dead)
        gap, root = self.tree.gap(), self.tree.root.bound
        if best is None:
            own = task.own_strategy()
            low = rise.specialise(derive(own, task.program).result, **task.sizes)
            why = f"{task.default} is the fastest candidate that was measured"
            lowered = Lowered(low, FloatClass.EXACT)
            return Found(own, {}, 1.0, gap, why, True, tuple(self.rows), dead, notes, root, task, lowered)
        ratio, row, strategy, lowered = best
        bound = Bound(row.bound, row.why)
        return Found(
            strategy,
            row.decisions,
            ratio,
            gap,
            row.why,
            False,
            tuple(self.rows),
            dead,
            notes,
            bound,
            task,
            lowered,
        )

    def _check_satisfiable(self) -> None:
        tree = Tree(self.space, None)
        if policy_of("exhaustive").ask(tree, Random(0)) is None:
            notes = tuple(one.diagnostic.title for one in tree.dead[:MOST_SHOWN])
            title = f"no candidate of the space `{self.space.name}` fits"
            hint = "widen a domain or a `where`"
            raise RiseError(Diagnostic("unsatisfiable-space", title, hint=hint, notes=notes))


def checked_sizes(term: Expr, sizes: Mapping[str, Any]) -> dict[str, int]:
    """All sizes of a program. Raises RiseError for missing and unknown sizes, and for values that are not sizes."""
    if not isinstance(sizes, Mapping):
        raise misplaced("sizes by name", sizes, "for example sizes={'N': 512}")
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            title = f"`{name}`: expected a size, found {size!r:.40}"
            raise RiseError(Diagnostic("size-unknown", title, hint="pass a natural number"))
    fixed = rise.specialise(term, **sizes)
    missing = []
    while isinstance(fixed, DepLam):
        missing.append(fixed.name)
        fixed = fixed.body
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        hint = (
            did_you_mean(missing[0], sizes)
            or f"pass sizes=dict({missing[0]}=512), or --size {missing[0]}=512"
        )
        raise RiseError(Diagnostic("size-unknown", f"expected a number for {names}, found none", hint=hint))
    return dict(sizes)


def _different(key: Key, other: Key) -> list[str]:
    return [name for name in KEYS if getattr(key, name) != getattr(other, name)]


def _nothing_to_resume(path: str, key: Key, alike: list[Key]) -> RiseError:
    if not alike:
        title = f"expected earlier results of this program and space in {path}, found none"
    elif _different(key, alike[-1]) == ["version"]:
        title = f"the results in {path} come from different source code: the space or rise-shine has changed since"
    else:
        names = {
            "sizes": "sizes",
            "machine": "machine",
            "toolchain": "compiler or options",
            "version": "source",
        }
        other = " and ".join(names[name] for name in _different(key, alike[-1]))
        title = f"expected earlier results of this run in {path}, found those of other {other}"
    return RiseError(
        Diagnostic("nothing-to-resume", title, hint="omit `resume` to start a new search in the same file")
    )
