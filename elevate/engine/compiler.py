"""Compiles strategies to code of the fast engine. Depends on the strategies, but not on languages."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from functools import partial

from elevate.combinators import Not, Repeat
from elevate.directed_strategies import Directed, directed_start
from elevate.engine import child_orders, children, one_place, search
from elevate.engine.ancestors import ANYWHERE
from elevate.engine.divergence import endless, too_deep, unknown
from elevate.engine.machine import Call, Code, Machine, Start
from elevate.engine.recursion import Recursion, recursive_call, recursive_start
from elevate.orders import InOrder
from elevate.rules import Predicate, Reach, Rule
from elevate.strategy import Fail, Id, LChoice, Seq, Strategy, definition_of
from elevate.term import Term
from elevate.traversals import All, Child, One, Position, Skip, Some, TopDown

MAX_NESTING = 150
"""How many levels of strategies may nest, with definitions unfolded: direct calls nest as deeply."""
MAX_STRATEGIES = 200_000
"""How many distinct strategies definitions may unfold to before they count as endless."""
MAX_ORDERED = 20_000
"""How many distinct strategies the compiler for orders keeps before another one replaces it."""

Roots = frozenset[Hashable] | None


class Compiler:
    """Compiles strategies for one run, equal ones once.

    `blamed` is the strategy that a failure names if the compiled one fails as a whole: a definition is
    blamed under the name of its strategy.
    """

    def __init__(
        self, machine: Machine, deferring: Compiler | None = None, whole: Compiler | None = None
    ) -> None:
        self.machine = machine
        self.is_deferring = deferring is not None
        """Whether recursive definitions are deferred instead of called; see Note [Recursion]."""
        self.deferring = deferring
        self.known: dict[Hashable, Code] = {}
        self.seen: dict[int, Code] = {}  # the same by identity, to save hashing
        self.kept: list[Strategy] = []  # alive, so that no identity is reused
        self.dead: dict[Strategy, search.Dead] = {}
        self.remembered: dict[Hashable, dict[Term, str]] = {}
        self.unfolding: set[int] = set()
        self.recursive: set[int] = set()
        self.level = 0
        self.frames = 0  # of Python's stack that the parts of the current strategy take
        self.whole: Compiler = whole or (self if deferring is None else deferring.whole)
        """The compiler of the strategy that runs, of which this one compiles parts or orders."""
        self.ordering: Compiler | None = None
        """In `whole`: what compiles the orders of directed strategies, each once, although these run often."""
        if deferring is not None:  # both forms share what they remember about terms
            self.dead, self.remembered = deferring.dead, deferring.remembered

    def code(self, strategy: Strategy, blamed: Strategy | None = None) -> Code:
        """The code of a strategy."""
        code = self.seen.get(id(strategy)) if blamed is None else None
        key: Hashable = None
        if code is None:
            key = strategy if blamed is None else (strategy, blamed)
            code = self.known.get(key)
        if code is not None:
            if id(code) in self.unfolding:
                self.recursive.add(id(code))
            self.frames = max(self.frames, code.frames)
            return code
        if len(self.known) > MAX_STRATEGIES:
            raise endless(strategy, ())
        self.level += 1
        if self.level > MAX_NESTING:
            raise too_deep(type(strategy).__name__, MAX_NESTING)
        outer_frames, self.frames = self.frames, 0
        code = self.compiled(strategy, blamed or strategy, key)
        code.frames = code.frames or self.frames + (2 if isinstance(strategy, LChoice | Repeat) else 1)
        self.frames = max(outer_frames, code.frames)
        self.level -= 1
        self.known[key] = code
        if blamed is None:
            self.seen[id(strategy)] = code
            self.kept.append(strategy)
        return code

    def compiled(self, strategy: Strategy, blamed: Strategy, key: Hashable) -> Code:
        """The code of a strategy that was not compiled before."""
        machine = self.machine
        match strategy:
            case Rule():
                call = one_place.rule_call(machine, strategy, blamed)
                return self.reaching(
                    Code(strategy, call, roots=strategy.roots, depth=strategy.depth), strategy.reach
                )
            case Predicate():
                call = one_place.predicate_call(machine, strategy, blamed)
                whole_code = Code(strategy, call, roots=strategy.roots, depth=strategy.depth, pure=True)
                whole_code.guard, whole_code.rest = one_place.test_of(strategy), one_place.id_call
                return self.reaching(whole_code, strategy.reach)
            case Id():
                return Code(strategy, one_place.id_call, depth=0, pure=True)
            case Fail():
                call = one_place.fail_call(machine, blamed)
                return Code(strategy, call, roots=frozenset(), depth=0, pure=True)
            case Seq(parts):
                return self.seq(strategy, [self.code(part) for part in parts])
            case LChoice(alternatives):
                return self.choice(strategy, [self.code(part) for part in alternatives], blamed)
            case Not(inner):
                code = self.code(inner)
                whole_code = self.over_part(strategy, code, one_place.not_call, one_place.not_start, blamed)
                whole_code.depth, whole_code.pure = code.depth, True
                return self.reaching(
                    whole_code, None if code.reach is None else replace(code.reach, fits=None)
                )
            case Repeat(inner):
                code = self.code(inner)
                if code.searched is not None:
                    dead = self.dead_of(code.searched.strategy)
                    return Code(strategy, search.normalize_call(machine, code.searched, dead, blamed))
                return self.over_part(strategy, code, one_place.repeat_call, one_place.repeat_start, blamed)
            case All(inner):
                code = self.code(inner)
                if code.call is not None:
                    return Code(strategy, children.all_call(machine, code.call), depth=deeper(code))
                return Code(strategy, start=children.all_start(machine, code))
            case One(inner):
                code = self.code(inner)
                whole_code = self.over_part(strategy, code, children.one_call, children.one_start, blamed)
                whole_code.depth = deeper(code)
                return whole_code
            case Some(inner):
                code = self.code(inner)
                whole_code = self.over_part(strategy, code, children.some_call, children.some_start, blamed)
                whole_code.depth = deeper(code)
                return whole_code
            case Child(index, inner):
                code = self.code(inner)
                if code.call is None:
                    return Code(strategy, start=children.child_start(machine, index, code, blamed))
                call = children.child_call(machine, index, code.call, blamed)
                return Code(strategy, call, depth=deeper(code), pure=code.pure)
            case Position(n, inner):
                code = self.code(inner)
                if code.call is None:
                    return Code(strategy, start=children.position_start(machine, n, code, blamed))
                return Code(strategy, children.position_call(machine, n, code.call, blamed))
            case Skip(n, inner):
                code = self.code(inner)
                if code.call is None:
                    return Code(strategy, start=search.skip_start(machine, n, code, blamed))
                return Code(strategy, self.search_of(code, n, blamed))
            case Directed():
                whole_code = Code(strategy)
                whole_code.start = directed_start(machine, self.for_orders, strategy, blamed)
                return whole_code
            case InOrder(
                _,
                One(inner) | Some(inner) | All(inner) | Position(_, inner) | Skip(_, inner) | TopDown(inner),
            ):
                code = self.code(strategy.inside(inner))
                return child_orders.code(machine, strategy, code, self.dead_of(code.strategy), blamed)
            case TopDown(inner) if (code := self.code(inner)).call is not None:
                return Code(strategy, self.search_of(code, 0, blamed), searched=code)
        return self.unfolded(strategy, blamed, key)

    def seq(self, strategy: Strategy, codes: list[Code]) -> Code:
        """The code of a sequence."""
        calls = [code.call for code in codes if code.call is not None]
        pure = all(code.pure for code in codes)
        deciding = leading(codes)
        roots = common(code.roots for code in deciding)
        is_decided = len(deciding) == len(codes)
        depth = deepest(deciding) if is_decided else None
        if len(calls) == len(codes):
            whole_code = Code(strategy, roots=roots, depth=depth, pure=pure)
            whole_code.call = self.direct_seq(codes, calls)
            if len(codes) > 1 and isinstance(codes[0].strategy, Predicate):
                whole_code.guard, whole_code.rest = codes[0].guard, self.direct_seq(codes[1:], calls[1:])
            return self.reaching(whole_code, joint(codes) if is_decided else None)
        start = one_place.seq_start(self.machine, codes)
        return Code(strategy, start=start, roots=roots, depth=depth, pure=pure)

    @staticmethod
    def reaching(code: Code, reach: Reach | None) -> Code:
        """The code with a reach."""
        if reach is not None:
            code.reach, code.near = reach, reach.depth
        return code

    def direct_seq(self, codes: list[Code], calls: list[Call]) -> Call:
        """The call of a sequence."""
        if all(code.pure for code in codes[:-1]):
            return calls[0] if len(calls) == 1 else one_place.guarded_seq_call(calls)
        return one_place.seq_call(self.machine, calls)

    def choice(self, strategy: Strategy, codes: list[Code], blamed: Strategy) -> Code:
        """The code of a choice; nested choices are joined, so that one table selects the rules."""
        flat = [inner for code in codes for inner in (code.alternatives or (code,))]
        roots = None
        if all(code.roots is not None for code in flat):
            roots = frozenset[Hashable]().union(*(code.roots or () for code in flat))
        depth = deepest(flat)
        pure = all(code.pure for code in flat)
        whole_code = Code(strategy, roots=roots, depth=depth, pure=pure, alternatives=tuple(flat))
        if all(code.call is not None for code in flat):
            whole_code.call = one_place.choice_call(self.machine, flat, blamed)
            far = [code for code in flat if code.depth is None]
            if far:
                whole_code.near = max(code.near if code.depth is None else code.depth for code in flat)
            if 0 < len(far) < len(flat):
                whole_code.far = one_place.choice_call(self.machine, far, blamed)
        else:
            whole_code.start = one_place.choice_start(self.machine, flat, blamed)
        return whole_code

    def over_part(
        self,
        strategy: Strategy,
        inner: Code,
        call: Callable[[Machine, Call, Strategy], Call],
        start: Callable[[Machine, Code, Strategy], Start],
        blamed: Strategy,
    ) -> Code:
        """The code of a strategy with one part, direct if the part is."""
        if inner.call is not None:
            return Code(strategy, call(self.machine, inner.call, blamed))
        return Code(strategy, start=start(self.machine, inner, blamed))

    def search_of(self, inner: Code, skipped: int, blamed: Strategy) -> Call:
        """The call that searches for a place."""
        dead = self.dead_of(inner.strategy)
        return search.search_call(self.machine, inner, skipped, dead, blamed)

    def dead_of(self, strategy: Strategy) -> search.Dead:
        """The terms in which a strategy is known to fail everywhere."""
        return self.dead.setdefault(strategy, set())

    def for_orders(self) -> Callable[[Strategy], Code]:
        """What compiles the orders of a directed strategy."""
        whole = self.whole
        if whole.ordering is None or len(whole.ordering.known) > MAX_ORDERED:
            whole.ordering = Compiler(self.machine, whole=whole)
        return whole.ordering.code

    def forget(self) -> None:
        """Clear all memos of the code."""
        for dead in self.dead.values():
            dead.clear()
        for known in self.remembered.values():
            known.clear()
        if self.ordering is not None:
            self.ordering.forget()

    def unfolded(self, strategy: Strategy, blamed: Strategy, key: Hashable) -> Code:
        """The code of a strategy by its definition; for a recursive one see Note [Recursion]."""
        body = definition_of(strategy)
        if body is None:
            raise unknown(strategy)
        itself, whole = Code(strategy, frames=1), Code(strategy)
        known: dict[Term, str] = self.remembered.get((strategy, blamed), {})
        recursion = Recursion(self.machine, known, decides(body), not strategy.traverses, blamed)
        if not self.is_deferring:
            itself.call = recursive_call(recursion, whole, lambda: self.deferred(strategy, blamed))
        compiled, seen = len(self.known), len(self.seen)
        self.known[key] = itself
        self.unfolding.add(id(itself))
        code = self.code(body, blamed)
        self.unfolding.discard(id(itself))
        if id(itself) not in self.recursive:
            return code
        self.recursive.discard(id(itself))
        self.remembered[strategy, blamed] = known
        if self.is_deferring:
            itself.start = recursive_start(recursion, code)
        elif code.call is not None:
            whole.call, whole.frames = code.call, code.frames
        else:  # a part is deferred, so the whole is too: drop the code that was compiled for the direct form
            for added in list(self.known)[compiled:]:
                del self.known[added]
            for identity in list(self.seen)[seen:]:
                del self.seen[identity]
            return self.deferred(strategy, blamed)
        return itself

    def deferred(self, strategy: Strategy, blamed: Strategy) -> Code:
        """The deferred code of a recursive definition."""
        if self.deferring is None:
            self.deferring = Compiler(self.machine, self)
        return self.deferring.code(strategy, None if blamed is strategy else blamed)


def decides(body: Strategy) -> bool:
    """Whether every failure of a definition is blamed on the whole."""
    return isinstance(body, LChoice | One | Some | Not)


def leading(codes: list[Code]) -> list[Code]:
    """The codes of a sequence that are applied to its unchanged argument."""
    for count, code in enumerate(codes, start=1):
        if not code.pure:
            return codes[:count]
    return codes


def common(roots: Iterable[Roots]) -> Roots:
    """The intersection of the known sets of roots, None if none is known."""
    intersection: Roots = None
    for some in roots:
        intersection = some if intersection is None else intersection if some is None else intersection & some
    return intersection


def deepest(codes: list[Code]) -> int | None:
    """The largest depth, None if one is unknown."""
    depths = [code.depth for code in codes]
    return None if None in depths else max((depth for depth in depths if depth is not None), default=0)


def joint(codes: list[Code]) -> Reach:
    """What decides whether all of these succeed at the same term."""
    reaches = [code.reach or _default_reach(code.depth) for code in codes]
    tests = [reach.fits for reach in reaches if reach.fits is not None]
    tests += [
        code.guard or partial(holds, code.call)
        for code in codes
        if code.pure and code.depth is not None and code.call is not None
    ]
    return Reach(
        max(reach.depth for reach in reaches),
        None
        if any(reach.whole is None for reach in reaches)
        else tuple({index for reach in reaches for index in reach.whole or ()}),
        tuple({path for reach in reaches for path in reach.variables_of}),
        sum(bool(reach.variables_of) for reach in reaches) == 1 and any(reach.once for reach in reaches),
        partial(all_hold, tests),
    )


def _default_reach(depth: int | None) -> Reach:
    """The reach of code that declares none."""
    return ANYWHERE if depth is None else Reach(depth, whole=())


def holds(call: Call, term: Term) -> bool:
    """Whether a predicate holds."""
    return call(term, None) is not None


def all_hold(tests: list[Callable[[Term], bool]], term: Term) -> bool:
    """Whether all tests hold."""
    return all(test(term) for test in tests)


def deeper(code: Code) -> int | None:
    """The depth of code, counted from one level up."""
    return None if code.depth is None else code.depth + 1


# Note [Recursion]
# A recursive definition, which applies itself to subterms, is compiled to a function that calls itself: that is fast,
# and as deep as Python's stack permits. Below that the deferred form of the definition takes over, whose depth needs a
# list, so that terms may be of any depth. Both forms share their memos. A definition with a part that has no direct
# form is deferred from the start.
