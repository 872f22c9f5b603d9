"""Unification of types and sizes. Knows no terms and no texts: the caller explains a mismatch.

Unknowns are `TypeMeta` and `NatMeta`. Sizes are solved by isolating an unknown that occurs once, linearly;
what cannot be isolated yet is postponed. Equality of sizes that the normal form does not decide is an error,
never an assumption.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final, TypeAlias

from rise.inference.isolation import is_no_natural, is_whole, isolated
from rise.inference.names import UNIQUE
from rise.naturals import Nat, NatMeta, NatVar, nat
from rise.nodes import Node
from rise.scalars import is_type_kind
from rise.types import (
    DepFunType,
    FragmentType,
    FunType,
    ScalarType,
    Space,
    SpaceBound,
    SpaceMeta,
    Type,
    TypeMeta,
    TypeVar,
    VectorType,
    classes_of,
    instantiate_dependent,
)

ANY: frozenset[str] = frozenset()
DATA: frozenset[str] = frozenset(("data",))


class Reason(Enum):
    """Why two types or sizes are not the same."""

    DIFFERENT = auto()
    #: a variable is mentioned outside of the function that binds it
    ESCAPE = auto()
    #: sizes with unknowns that nothing determines
    UNDECIDED = auto()
    #: only a negative number or a fraction would make the sizes equal
    NO_NATURAL = auto()
    #: a type would contain itself
    ENDLESS = auto()
    #: what is found is not of the classes that are expected
    CLASS = auto()
    #: what is found is yet unknown, of classes that what is expected is not of
    CLASS_OF_FOUND = auto()


class Mismatch(Exception):
    """Two types or sizes that should be the same are not, for a reason; some reasons are about classes of types."""

    def __init__(
        self, expected: Node, found: Node, reason: Reason = Reason.DIFFERENT, classes: tuple[str, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.expected = expected
        self.found = found
        self.reason = reason
        self.classes = classes


#: of variables that stand for what a dependent type binds: deeper than all unknowns
_DEEPEST: Final = 1 << 60

Explain: TypeAlias = Callable[[Mismatch], Exception]


@dataclass(slots=True)
class Solver:
    """What is known of the unknowns so far.

    `depth` counts the dependent functions around; `levels` holds, for unknowns and variables, the depth at
    which they were made, where that is not 0. An unknown never stands for what mentions a deeper variable.
    """

    values: dict[Node, Any] = field(default_factory=dict)
    known: set[Node] = field(default_factory=set)
    classes: dict[TypeMeta, frozenset[str]] = field(default_factory=dict)
    defaults: dict[TypeMeta, str] = field(default_factory=dict)
    postponed: list[tuple[Nat, Nat, Explain]] = field(default_factory=list)
    delayed: list[Callable[[], bool]] = field(default_factory=list)
    levels: dict[Node, int] = field(default_factory=dict)
    depth: int = 0
    count: int = 0

    def fresh_type(self, classes: frozenset[str] = ANY) -> TypeMeta:
        """A new unknown type of these classes; `ANY` admits functions."""
        meta = TypeMeta(self._number())
        self.classes[meta] = classes
        self._place(meta)
        return meta

    def fresh_natural(self) -> Nat:
        """A new unknown size."""
        meta = NatMeta(self._number())
        self._place(meta)
        return nat(meta)

    def fresh_space(self) -> SpaceMeta:
        """A new unknown space."""
        return SpaceMeta(self._number())

    def _number(self) -> int:
        self.count += 1
        return self.count

    def _place(self, name: Node) -> None:
        if self.depth:
            self.levels[name] = self.depth

    def enter(self, variable: Node) -> None:
        """Go into the dependent function that binds a variable."""
        self.depth += 1
        self.levels[variable] = self.depth

    def leave(self, result: Type, count: int) -> Type:
        """Go out of some dependent functions: what the result leaves open keeps off their variables."""
        self.depth -= count
        resolved: Type = self.resolve(result)
        for name in resolved.free:
            if is_unknown(name) and self.levels.get(name, 0) > self.depth:
                self.levels[name] = self.depth
        return resolved

    def assign(self, unknown: Node, value: Any) -> None:
        """Say what an unknown is."""
        self.values[unknown] = value
        self.known.add(unknown)

    def head(self, t: Type) -> Type:
        """The type with its outermost unknown resolved."""
        if not isinstance(t, TypeMeta) or t not in self.known:
            return t
        chain: list[Node] = []
        end: Type = t
        while isinstance(end, TypeMeta) and end in self.known:
            chain.append(end)
            end = self.values[end]
        for unknown in chain:
            self.values[unknown] = end
        return end

    def resolve(self, node: Any) -> Any:
        """The node with everything that is known put in."""
        known, values = self.known, self.values
        if node.free.isdisjoint(known):
            return node
        stack = [name for name in node.free if name in known]
        while stack:  # first what the known unknowns stand for, the innermost before the others
            value = values[stack[-1]]
            if value.free.isdisjoint(known):
                stack.pop()
                continue
            inner = [name for name in value.free if name in known]
            open_ones = [name for name in inner if not values[name].free.isdisjoint(known)]
            if open_ones:
                stack += open_ones
            else:
                values[stack.pop()] = self._put(value)
        return self._put(node)

    def _put(self, root: Any) -> Any:
        """The node with the values of its unknowns, which are resolved themselves."""
        known, values = self.known, self.values
        done: dict[int, Any] = {}
        stack = [root]
        while stack:
            node = stack[-1]
            if id(node) in done:
                stack.pop()
            elif is_unknown(node):
                done[id(node)] = values.get(node, node)
            elif node.free.isdisjoint(known):
                done[id(node)] = node
            else:
                missing = [part for part in node.parts if id(part) not in done]
                stack += missing
                if not missing:
                    done[id(node)] = node.with_parts(tuple([done[id(part)] for part in node.parts]))
        return done[id(root)]

    def unify(self, expected: Type, found: Type, explain: Explain) -> None:
        """Make two types the same, or raise what `explain` makes of the first mismatch."""
        work: list[tuple[Node, Node]] = [(expected, found)]
        try:
            while work:
                a, b = work.pop()
                if isinstance(a, Nat) and isinstance(b, Nat):
                    self._unify_naturals(a, b, explain)
                    continue
                if isinstance(a, Type) and isinstance(b, Type):
                    a, b = self.head(a), self.head(b)
                if a == b:
                    continue
                if isinstance(b, TypeMeta) and isinstance(a, Type):
                    self._bind(b, a, is_found=True)
                elif isinstance(a, TypeMeta) and isinstance(b, Type):
                    self._bind(a, b, is_found=False)
                elif isinstance(a, DepFunType) and isinstance(b, DepFunType) and _same_binder(a, b):
                    inside = self._rigid(a)
                    work.append(
                        (instantiate_dependent(a.result, inside), instantiate_dependent(b.result, inside))
                    )
                elif _same_constructor(a, b):
                    work.extend(zip(reversed(a.parts), reversed(b.parts), strict=True))
                else:
                    raise Mismatch(a, b)
        except Mismatch as mismatch:
            raise explain(mismatch) from None

    def _rigid(self, t: DepFunType) -> Node:
        """What stands for the variable that a dependent type binds, while two such types are compared."""
        if t.kind == "space":
            return SpaceMeta(-self._number())
        name = f"{t.name}{UNIQUE}{self._number()}"
        variable = TypeVar(name, t.kind) if is_type_kind(t.kind) else NatVar(name, None)
        self.levels[variable] = _DEEPEST
        return variable

    def _bind(self, meta: TypeMeta, t: Type, is_found: bool) -> None:
        """Say what an unknown type is, the found one or the expected one."""
        if isinstance(t, TypeMeta):
            self.classes[t] = self.classes[t] | self.classes[meta]
            if meta in self.defaults:
                first, second = self.defaults[meta], self.defaults.get(t)
                self.defaults[t] = "f32" if "f32" in (first, second) else first
            self._keep_inside(meta, t)
            self.assign(meta, t)
            return
        resolved: Type = self.resolve(t)
        if meta in resolved.free:
            raise Mismatch(meta, resolved, Reason.ENDLESS)
        missing = self.require(resolved, self.classes[meta])
        if missing:
            if is_found:
                raise Mismatch(resolved, meta, Reason.CLASS_OF_FOUND, missing)
            raise Mismatch(meta, resolved, Reason.CLASS, missing)
        self._keep_inside(meta, resolved)
        self.assign(meta, resolved)

    def _keep_inside(self, unknown: Node, value: Node) -> None:
        """An unknown's value mentions nothing that is bound further inside than the unknown was made."""
        if not self.levels:
            return
        if not self._is_inside(unknown, value):
            raise Mismatch(unknown, value, Reason.ESCAPE)
        level = self.levels.get(unknown, 0)
        for name in value.free:
            if is_unknown(name) and self.levels.get(name, 0) > level:
                self.levels[name] = level

    def _is_inside(self, unknown: Node, value: Node) -> bool:
        level = self.levels.get(unknown, 0)
        return all(is_unknown(name) or self.levels.get(name, 0) <= level for name in value.free)

    def require(self, t: Type, classes: frozenset[str]) -> tuple[str, ...]:
        """Put a type in classes; those it is not of."""
        t = self.head(t)
        while isinstance(t, VectorType) and "ord" not in classes:
            t = self.head(t.element)
        if isinstance(t, TypeMeta):
            self.classes[t] = self.classes[t] | classes
            return ()
        missing = classes - (classes_of(t) or ANY)
        return tuple(sorted(missing - DATA or missing))

    def _unify_naturals(self, a: Nat, b: Nat, explain: Explain) -> None:
        left, right = self.resolve(a), self.resolve(b)
        if left is not right and not self._solve(left, right, forced=False):
            self.postponed.append((left, right, explain))

    def _solve(self, left: Nat, right: Nat, forced: bool) -> bool:
        """Make two sizes equal, or raise Mismatch; False where that must wait."""
        difference = left - right
        if not difference.terms:
            return True
        unknowns = sorted((u for u in difference.free if isinstance(u, NatMeta)), key=lambda u: u.ident)
        if not unknowns:
            raise Mismatch(left, right)
        solution = self._isolated(difference, unknowns, forced)
        if solution is None:
            return False
        unknown, value = solution
        if is_no_natural(value):
            raise Mismatch(left, right, Reason.NO_NATURAL)
        self._keep_inside(unknown, value)
        self.assign(unknown, value)
        return True

    def _isolated(self, zero: Nat, unknowns: list[NatMeta], forced: bool) -> tuple[NatMeta, Nat] | None:
        """Solve `zero = 0` for an unknown that occurs once; whole solutions first, newest unknown first."""
        best: tuple[tuple[bool, bool, int], NatMeta, Nat] | None = None
        for unknown in unknowns:
            solution = isolated(zero, unknown)
            if solution is None:
                continue
            value, slope = solution
            symbolic = any(isinstance(name, NatMeta) for name in slope.free)
            if (symbolic and not forced) or not self._is_inside(unknown, value):
                continue
            rank = (not is_whole(value), symbolic, -unknown.ident)
            if best is None or rank < best[0]:
                best = (rank, unknown, value)
        if best is None:
            return None
        (fractional, _, _), unknown, value = best
        if fractional and not forced and any(isinstance(name, NatMeta) for name in value.free):
            return None
        return unknown, value

    def settle(self) -> None:
        """Solve what was postponed: again and again while there is progress, then by force."""
        forced = False
        while self.postponed or self.delayed:
            before, self.postponed = (
                self.postponed[::-1],
                [],
            )  # from alternate ends: what waits may be a chain
            waiting, self.delayed = self.delayed, []
            self.delayed += [attempt for attempt in waiting if not attempt()]
            solved = len(self.known)
            for left, right, explain in before:
                forced = self._retry(left, right, explain, forced) and forced
            progress = len(self.delayed) < len(waiting) or len(self.postponed) < len(before)
            progress = progress or len(self.known) > solved
            if not progress and (forced or not self.postponed):
                break
            forced = not progress
        for left, right, explain in self.postponed:
            raise explain(Mismatch(left, right, Reason.UNDECIDED))

    def _retry(self, left: Nat, right: Nat, explain: Explain, forced: bool) -> bool:
        """Try again; whether it must go on waiting."""
        left, right = self.resolve(left), self.resolve(right)
        try:
            if self._solve(left, right, forced):
                return False
        except Mismatch as mismatch:
            raise explain(mismatch) from None
        self.postponed.append((left, right, explain))
        return True


def is_unknown(node: Node) -> bool:
    """Whether inference has to find out what stands here; the spaces that functions bind are negative."""
    return isinstance(node, TypeMeta | NatMeta) or (isinstance(node, SpaceMeta) and node.ident > 0)


def _same_binder(a: DepFunType, b: DepFunType) -> bool:
    return a.kind == b.kind and a.implicit == b.implicit


def _same_constructor(a: Node, b: Node) -> bool:
    if type(a) is not type(b) or isinstance(a, TypeVar | TypeMeta | ScalarType | Space | SpaceBound):
        return False
    match a, b:
        case FragmentType(), FragmentType():
            return a.role == b.role and a.family == b.family
        case DepFunType(), DepFunType():
            return False  # binds another kind
    return len(a.parts) == len(b.parts) and (bool(a.parts) or isinstance(a, FunType))
