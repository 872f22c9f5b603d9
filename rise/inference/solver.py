"""Unifies types and sizes. Independent of terms and texts: the caller explains mismatches.

Unknowns are `TypeMeta` and `NatMeta`. Sizes are solved by isolating an unknown that occurs once, linearly. Equations
in which no unknown can be isolated yet are postponed. Equality of sizes that the normal form does not decide is an
error, never an assumption.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, Final, TypeAlias

from rise.inference.classes import ANY, COMPLEX, DATA, FRACTION, LITERAL, NUMBER, plain_classes
from rise.inference.effort import COST_PER_NODE, COST_PER_SOLVED_PART
from rise.inference.isolation import (
    is_no_natural,
    is_whole,
    isolated_function,
    newest,
    rigid,
    slope_and_product,
)
from rise.inference.mismatch import Mismatch, Reason, is_unread, same_binder, same_constructor
from rise.inference.names import without_numbers
from rise.inference.substitution import Substitution, is_unknown
from rise.natural_nodes import new_unknown
from rise.naturals import Nat, NatMeta, exact_quotient, nat, variable_of
from rise.nodes import Node
from rise.records import dataclass
from rise.scalars import SCALAR_ONLY, contradiction, is_complex, kind_name
from rise.size_functions import SizeFunMeta
from rise.types import (
    OF_TWO,
    ArrayType,
    DepArrayType,
    DepFunType,
    FamilyCall,
    IndexType,
    ScalarType,
    SpaceMeta,
    Type,
    TypeFamily,
    TypeMeta,
    VectorType,
    WideType,
    abstract_dependent,
    classes_of,
    constant_family,
    instantiate_dependent,
    type_at,
    type_family,
)

#: types up to this weight are compared each time that they occur
SMALL_WEIGHT: Final = 16
#: of the variables of dependent types that are being compared: deeper than all unknowns
_RIGID_LEVEL: Final = 1 << 60

Explain: TypeAlias = Callable[[Mismatch], Exception]


@dataclass(slots=True)
class Solver(Substitution):
    """The state of inference: what is known about the unknowns so far.

    `depth` counts the enclosing dependent functions. `levels` has the depth at which each unknown or variable was
    created, if it is not 0. The value of an unknown never contains a deeper variable.
    """

    classes: dict[TypeMeta, frozenset[str]] = field(default_factory=dict)
    defaults: dict[TypeMeta, str] = field(default_factory=dict)
    postponed: list[tuple[Any, Any, Explain]] = field(default_factory=list)
    delayed: list[Callable[[], bool]] = field(default_factory=list)
    levels: dict[Node, int] = field(default_factory=dict)
    depth: int = 0
    deepest: int = 0  # at least the deepest level
    count: int = 0

    def fresh_type(self, classes: frozenset[str] = ANY) -> TypeMeta:
        """A new unknown type of these classes; with `ANY` it may be a function type."""
        meta: TypeMeta = new_unknown(TypeMeta, self._number())
        self.classes[meta] = classes
        self._place(meta)
        return meta

    def fresh_natural(self) -> Nat:
        """A new unknown size."""
        meta = new_unknown(NatMeta, self._number())
        self._place(meta)
        return nat(meta)

    def fresh_size_function(self) -> SizeFunMeta:
        """A new unknown function of sizes."""
        meta = SizeFunMeta(self._number())
        self._place(meta)
        return meta

    def fresh_space(self) -> SpaceMeta:
        """A new unknown space."""
        return SpaceMeta(self._number())

    def _number(self) -> int:
        self.count += 1
        return self.count

    def _place(self, name: Node) -> None:
        if self.depth:
            self.levels[name] = self.depth
            self.deepest = max(self.deepest, self.depth)

    def enter(self, variable: Node) -> None:
        """Enter the dependent function that binds a variable."""
        self.depth += 1
        self._place(variable)

    def leave(self, result: Type, count: int) -> Type:
        """Leave some dependent functions: the unknowns of the result may no longer contain their variables."""
        self.depth -= count
        resolved: Type = self.resolve(result)
        self.effort.spend(len(resolved.free))
        for name in resolved.free:
            if is_unknown(name) and self.levels.get(name, 0) > self.depth:
                self.levels[name] = self.depth
        return resolved

    def head(self, t: Type) -> Type:
        """The type with its outermost unknown resolved."""
        if type(t) in OF_TWO:
            return t
        if type(t) is FamilyCall or type(t) is WideType:
            t = self.resolve(t)
        if type(t) is not TypeMeta:
            return t
        values, chain = self.values, []
        end: Type = t
        while (value := values.get(end)) is not None:
            chain.append(end)
            end = value
        if type(end) is FamilyCall or type(end) is WideType:
            end = self.resolve(end)
        for unknown in chain:
            values[unknown] = end
        return end

    def unify(self, expected: Type, found: Type, explain: Explain) -> None:
        """Make two types equal, or raise the exception that `explain` returns for the first mismatch."""
        work: list[tuple[Node, Node]] = [(expected, found)]
        # pairs of large types, which may share parts, by identity; the values keep the types alive
        visited: dict[tuple[int, int], tuple[Node, Node]] = {}
        try:
            while work:
                a, b = work.pop()
                if a is b:
                    continue
                if isinstance(a, Nat) and isinstance(b, Nat):
                    self._unify_naturals(a, b, explain)
                    continue
                if isinstance(a, Type) and isinstance(b, Type):
                    a, b = self.head(a), self.head(b)
                if a == b:
                    continue
                if type(a) is type(b) and type(a) in OF_TWO:  # the most frequent case
                    self._compare_parts(a, b, visited, work)
                elif isinstance(a, FamilyCall) and isinstance(b, TypeMeta) and self._is_one_type(a, b):
                    self._bind_family(a, b, is_found=False)
                elif isinstance(b, FamilyCall) and isinstance(a, TypeMeta) and self._is_one_type(b, a):
                    self._bind_family(b, a, is_found=True)
                elif isinstance(b, TypeMeta) and isinstance(a, Type):
                    self._bind(b, a, is_found=True)
                elif isinstance(a, TypeMeta) and isinstance(b, Type):
                    self._bind(a, b, is_found=False)
                elif isinstance(a, DepFunType) and isinstance(b, DepFunType) and same_binder(a, b):
                    inside = self._rigid(a.name, a.kind)
                    self.effort.spend(a.weight + b.weight)
                    work.append(
                        (instantiate_dependent(a.result, inside), instantiate_dependent(b.result, inside))
                    )
                elif isinstance(a, FamilyCall) and isinstance(b, Type) and self._is_open(a):
                    self._bind_family(a, b, is_found=False)
                elif isinstance(b, FamilyCall) and isinstance(a, Type) and self._is_open(b):
                    self._bind_family(b, a, is_found=True)
                elif isinstance(a, TypeFamily) and isinstance(b, TypeFamily):
                    row: Any = nat(self._rigid(a.name, "nat"))  # type: ignore[arg-type]  # a natural
                    work.append((type_at(a, row), type_at(b, row)))
                elif isinstance(a, DepArrayType) and isinstance(b, ArrayType):
                    work += [(a.family, constant_family(b.element)), (a.size, b.size)]
                elif isinstance(a, ArrayType) and isinstance(b, DepArrayType):
                    work += [(constant_family(a.element), b.family), (a.size, b.size)]
                elif is_unread(a) or is_unread(b):
                    self.postponed.append((a, b, explain))
                elif same_constructor(a, b):
                    self._compare_parts(a, b, visited, work)
                else:
                    raise Mismatch(a, b)
        except Mismatch as mismatch:
            raise explain(mismatch) from None

    def _compare_parts(self, a: Any, b: Any, visited: dict[tuple[int, int], Any], work: list[Any]) -> None:
        """Compare the parts of two nodes of one constructor next, unless they were compared before."""
        if isinstance(a, Type) and a.weight > SMALL_WEIGHT:
            if (id(a), id(b)) in visited:
                return
            visited[id(a), id(b)] = a, b
        self.effort.spend(1)
        work.extend(zip(reversed(a.parts), reversed(b.parts), strict=True))

    def _rigid(self, name: str, kind: str) -> Node:
        """A fresh variable in place of one that two types bind, while these are compared."""
        self.levels[variable := rigid(name, kind, self._number())] = self.deepest = _RIGID_LEVEL
        return variable

    def _is_open(self, t: FamilyCall) -> bool:
        """Whether a type is an unknown family applied to a variable, so that its value determines the family."""
        return isinstance(t.family, TypeMeta) and variable_of(self.resolve(t.argument)) is not None

    def _is_one_type(self, call: FamilyCall, t: TypeMeta) -> bool:
        """Whether an unknown type, to which an open family maps a variable, cannot depend on that variable."""
        if not self._is_open(call):
            return False
        variable = variable_of(self.resolve(call.argument))
        assert variable is not None
        return bool(self.classes[t] - DATA) or self.levels.get(t, 0) < self.levels.get(variable, 0)

    def _bind_family(self, call: FamilyCall, t: Type, is_found: bool) -> None:
        """Assign an unknown family, given the type to which it maps a variable."""
        variable = variable_of(self.resolve(call.argument))
        assert variable is not None and isinstance(call.family, TypeMeta)
        body = abstract_dependent(self.resolve(t), variable)
        self._bind(call.family, type_family(without_numbers(variable.name), body), is_found)

    def _bind(self, meta: TypeMeta, t: Type, is_found: bool) -> None:
        """Assign an unknown type, which is the found type if `is_found`, otherwise the expected one."""
        if isinstance(t, TypeMeta):
            wanted, given = self.classes[t], self.classes[meta]
            if not given <= wanted:
                disjoint = contradiction(plain_classes(wanted | given))
                if disjoint is not None:
                    expected, found = (wanted, given) if is_found else (given, wanted)
                    classes = (*(plain_classes(expected) & disjoint), *(plain_classes(found) & disjoint))
                    raise Mismatch(t, meta, Reason.NO_TYPE, classes)
                self.classes[t] = wanted | given
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
        """Check that the value of an unknown contains no variable that is bound deeper than the unknown was created."""
        level = self.levels.get(unknown, 0)
        if level >= self.deepest:
            return
        deeper = [name for name in value.free if self.levels.get(name, 0) > level]
        self.effort.spend(len(value.free))
        if not all(map(is_unknown, deeper)):
            raise Mismatch(unknown, value, Reason.ESCAPE)
        for name in deeper:
            self.levels[name] = level

    def _is_inside(self, unknown: Node, value: Node) -> bool:
        level = self.levels.get(unknown, 0)
        if level >= self.deepest:
            return True
        self.effort.spend(len(value.free))
        return all(self.levels.get(name, 0) <= level or is_unknown(name) for name in value.free)

    def require(self, t: Type, classes: frozenset[str]) -> tuple[str, ...]:
        """Require a type to belong to classes. Returns those that it does not belong to."""
        if not classes:
            return ()
        t = self.head(t)
        while (isinstance(t, VectorType) and not classes & SCALAR_ONLY) or isinstance(t, WideType):
            inner = self.head(t.narrow if isinstance(t, WideType) else t.element)
            if isinstance(t, VectorType) and isinstance(inner, ScalarType) and is_complex(inner.name):
                break
            t = inner
            self.effort.spend(COST_PER_NODE)
        if isinstance(t, TypeMeta):
            known = self.classes[t]
            disjoint = contradiction(plain_classes(known | classes))
            if disjoint is not None:
                return tuple(plain_classes(classes) & disjoint)
            self.classes[t] = known | classes
            return ()
        if LITERAL in classes:
            classes = (classes - {LITERAL}) | (DATA if isinstance(t, IndexType) else NUMBER)
        own = classes_of(t) or ANY
        if FRACTION in classes and own >= COMPLEX:
            classes = (classes - {FRACTION}) | NUMBER
        missing = plain_classes(classes) - own
        return tuple(sorted(missing - DATA or missing))

    def kind(self, meta: TypeMeta) -> str:
        """The kind of the variable for an unsolved type."""
        return kind_name(plain_classes(self.classes[meta]) | DATA)

    def _unify_naturals(self, a: Nat, b: Nat, explain: Explain) -> None:
        left, right = self.resolve(a), self.resolve(b)
        if left is not right and not self._solve(left, right, forced=False):
            self.postponed.append((left, right, explain))

    def _solve(self, left: Nat, right: Nat, forced: bool) -> bool:
        """Make two sizes equal, or raise Mismatch. Returns False if this must wait."""
        self.effort.spend(COST_PER_SOLVED_PART * (left.weight + right.weight))
        solution = newest(left, right)
        if solution is None or not (is_whole(solution[1]) and self._is_inside(*solution)):
            difference = left - right
            if not difference.terms:
                return True
            unknowns = sorted([u for u in difference.free if isinstance(u, NatMeta)], key=lambda u: u.ident)
            if any(isinstance(u, SizeFunMeta) for u in difference.free):
                function_solution = isolated_function(difference, forced)
                if function_solution is not None:
                    self._keep_inside(*function_solution)
                    self.assign(*function_solution)
                    return True
            elif not unknowns:
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
        """Solve `zero = 0` for an unknown that occurs once. Prefers integral solutions, then newer unknowns."""
        best: tuple[tuple[bool, bool, int], NatMeta, Nat] | None = None
        self.effort.spend(zero.weight * len(unknowns))
        for unknown in reversed(unknowns):
            linear = slope_and_product(zero, unknown)
            if linear is None:
                continue
            slope, product = linear
            is_symbolic = any(isinstance(name, NatMeta) for name in slope.free)
            if is_symbolic and not forced:
                continue
            value = exact_quotient(product, slope)
            if not self._is_inside(unknown, value):
                continue
            rank = (not is_whole(value), is_symbolic, -unknown.ident)
            if best is None or rank < best[0]:
                best = (rank, unknown, value)
                if not any(rank[:2]):
                    break  # all others are older
        if best is None:
            return None
        (is_fractional, _, _), unknown, value = best
        if is_fractional and not forced and any(isinstance(name, NatMeta) for name in value.free):
            return None
        return unknown, value

    def settle(self) -> None:
        """Solve the postponed equations: repeatedly while there is progress, then with `forced`."""
        forced = False
        while self.postponed or self.delayed:
            # from alternating ends, since the equations may be a chain
            before, self.postponed = self.postponed[::-1], []
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

    def _retry(self, left: Any, right: Any, explain: Explain, forced: bool) -> bool:
        """Try to make two sizes equal again. Returns whether this must still wait."""
        left, right = self.resolve(left), self.resolve(right)
        if isinstance(left, Type):
            waiting = len(self.postponed)
            self.unify(left, right, explain)
            return len(self.postponed) > waiting
        try:
            if self._solve(left, right, forced):
                return False
        except Mismatch as mismatch:
            raise explain(mismatch) from None
        self.postponed.append((left, right, explain))
        return True
