"""Decides which implicit parameters of a primitive must be printed, because its arguments do not determine them.

Independent of names. Only matching is used, as the canonical text promises. A type parameter is determined if it occurs
in the type of an argument. A size is determined if it is the only unknown in another size, and a factor of one of its
terms. A literal without a suffix has its default type, except if that type occurs in the parameters of a function,
where it is generalised; so such a literal determines nothing in a partial application.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from rise.inference.isolation import slope_and_product
from rise.inference.schemes import scheme_of, substitute_names
from rise.naturals import Nat, NatBound, NatMeta, NatVar, Term, exact_quotient, nat
from rise.nodes import Node
from rise.primitives import lookup
from rise.primitives.record import PrimitiveRecord
from rise.printer.spines import Implicit, Item, applied
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeCall, SizeFunMeta, size_map
from rise.terms import App, DepApp, DepLam, Expr, Lam, Literal, Primitive
from rise.types import (
    F32,
    I32,
    Argument,
    ArrayType,
    DepArrayType,
    DepFunType,
    FamilyCall,
    FunType,
    Type,
    TypeMeta,
    WideType,
    constant_family,
    instantiate_dependent,
    type_family,
)

_ROW: Final = nat(NatBound(0))
_MARK: Final = NatVar("%row", None)  # a name that no text can contain


class Implicits:
    """The implicit parameters that applications must show in one printing, computed once for each application."""

    __slots__ = ("_says", "_shown")

    def __init__(self) -> None:
        self._shown: dict[tuple[object, ...], tuple[int, ...]] = {}
        self._says: dict[Expr, bool] = {}

    def shown(self, head: Primitive, items: Sequence[Item]) -> tuple[int, ...]:
        """The positions of the implicit parameters that must be shown if the primitive is applied to these items."""
        if not head.implicits:
            return ()
        is_partial = _is_partial(head.type, items)
        says = [not is_partial or not isinstance(item, Expr) or self.says_type(item) for item in items]
        return self._undetermined(head, items, says)

    def says_type(self, root: Expr) -> bool:
        """Whether the text of a term determines its type without the default types of literals."""
        stack: list[tuple[Expr, bool]] = [(root, False)]
        while stack:
            e, is_finished = stack.pop()
            if e in self._says:
                continue
            match e:
                case Literal():
                    self._says[e] = e.given not in (F32, I32)
                case Lam(_, _, body) | DepLam(_, _, _, _, body):
                    if is_finished:
                        self._says[e] = self._says[body]
                    else:
                        stack += [(e, True), (body, False)]
                case App() | DepApp():
                    head, items = applied(e)
                    if is_finished:
                        self._says[e] = self._application_says(head, items)
                    else:
                        stack += [(e, True), (head, False)]
                        stack += [(item, False) for item in items if isinstance(item, Expr)]
                case _:
                    self._says[e] = True
        return self._says[root]

    def _application_says(self, head: Expr, items: Sequence[Item]) -> bool:
        if not isinstance(head, Primitive):
            return self._says[head]
        if not head.implicits or _is_partial(head.type, items):
            return True
        says = [not isinstance(item, Expr) or self._says[item] for item in items]
        return self._undetermined(head, items, says) == self._undetermined(head, items, [True] * len(items))

    def _undetermined(self, head: Primitive, items: Sequence[Item], says: list[bool]) -> tuple[int, ...]:
        seen = [
            item.type if isinstance(item, Expr) and say else item
            for item, say in zip(items, says, strict=True)
        ]
        key = (head, *seen)
        positions = self._shown.get(key)
        if positions is None:
            record = lookup(head.name)
            everything = tuple(range(len(head.implicits)))
            positions = everything if record is None else undetermined(record, head.implicits, items, says)
            self._shown[key] = positions
        return positions


def _is_partial(t: Type, items: Sequence[Item]) -> bool:
    """Whether the application of a head of this type to these items is a function."""
    for _ in items:
        if isinstance(t, FunType | DepFunType):
            t = t.result
    return isinstance(t, FunType | DepFunType)


def undetermined(
    record: PrimitiveRecord, implicits: Sequence[Argument], items: Sequence[Item], says: Sequence[bool]
) -> tuple[int, ...]:
    """The positions of the implicit parameters that the items do not determine; `says` has for each item whether its
    text determines its type.
    """
    if all(says) and _determine_all(record, items):
        return ()
    unknowns, body = _opened(record.scheme)
    given: dict[Node, Argument] = dict(zip(unknowns, implicits, strict=True))
    known: dict[Node, Argument] = {}
    sizes: list[tuple[Nat, Nat]] = []
    for item, counts in zip(items, says, strict=True):
        match body:
            case FunType(parameter, result) if isinstance(item, Expr):
                if counts:
                    _match(parameter, item.type, known, sizes)
                else:
                    _match_parameters(parameter, item, known, sizes)
                body = result
            case DepFunType() if not isinstance(item, Expr | Implicit):
                body = instantiate_dependent(body.result, item)
            case _:
                break
    _solve(sizes, given, known)
    return tuple(i for i, unknown in enumerate(unknowns) if known.get(unknown) != given[unknown])


def _determine_all(record: PrimitiveRecord, items: Sequence[Item]) -> bool:
    """Whether items determine all implicit parameters, for all types and sizes. False if this depends on them."""
    if any(isinstance(item, Implicit) for item in items):
        return False
    divisors = _divisors(record.scheme, tuple([isinstance(item, Expr) for item in items]))
    return divisors is not None and all(_is_positive(items[position]) for position in divisors)


def _is_positive(size: Item) -> bool:
    return isinstance(size, Nat) and (size.constant or 0) > 0


@cache
def _divisors(text: str, are_terms: tuple[bool, ...]) -> frozenset[int] | None:
    """The positions of the sizes by which solving a scheme's implicit parameters divides, if the types of some items
    determine all of them; otherwise None. `are_terms` says which items are terms; the others are sizes.
    """
    unknowns, body = _opened(text)
    positions: dict[Node, int] = {}
    patterns: list[Node] = []
    for position, is_term in enumerate(are_terms):
        match body:
            case FunType(parameter, result) if is_term:
                patterns.append(parameter)
                body = result
            case DepFunType(_, "nat", _, result) if not is_term:
                positions[explicit := NatVar(f"%{position}", None)] = position
                body = instantiate_dependent(result, nat(explicit))
            case _:
                break
    found: set[Node] = set()
    sizes: list[Nat] = []
    while patterns:
        pattern = patterns.pop()
        if isinstance(pattern, Nat):
            sizes.append(pattern)
        elif isinstance(pattern, TypeMeta):
            found.add(pattern)
        elif pattern.BINDER == 0 and not isinstance(pattern, FamilyCall | WideType):
            patterns += pattern.parts
    divisors: set[int] = set()
    for _ in sizes:  # each size determines at most one parameter
        for size in sizes:
            missing = [meta for meta in size.free if meta in unknowns and meta not in found]
            linear = slope_and_product(size, missing[0]) if len(missing) == 1 else None
            match None if linear is None else linear[0].terms:
                case ((monomial, _),) if all(base in positions and e == 1 for base, e in monomial):
                    found.add(missing[0])
                    divisors.update(positions[base] for base, _ in monomial)
    return frozenset(divisors) if found.issuperset(unknowns) else None


@cache
def _opened(text: str) -> tuple[tuple[Node, ...], Type]:
    """The parameters of a scheme as unknowns, and its type in terms of these."""
    scheme = scheme_of(text)
    unknowns = tuple(_unknown(kind, -1 - i) for i, (_, kind) in enumerate(scheme.parameters))
    return unknowns, substitute_names(
        scheme.body, dict(zip(scheme.variables, map(_as_part, unknowns), strict=True))
    )


def _unknown(kind: str, ident: int) -> Node:
    if kind == SIZE_FUNCTION:
        return SizeFunMeta(ident)
    return NatMeta(ident) if kind == "nat" else TypeMeta(ident)


def _as_part(unknown: Node) -> Node:
    return nat(unknown) if isinstance(unknown, NatMeta) else unknown


def _match(pattern: Type, actual: Type, known: dict[Node, Argument], sizes: list[tuple[Nat, Nat]]) -> None:
    """Determine types, and collect the sizes that must be equal."""
    stack: list[tuple[Any, Any, int]] = [(pattern, actual, 0)]
    while stack:
        left, right, depth = stack.pop()  # depth: the number of enclosing dependent binders
        if not left.free:
            continue
        match left, right:
            case TypeMeta(), _:
                outside = _outside(right, depth)
                if outside is not None:
                    known.setdefault(left, outside)
            case FamilyCall(TypeMeta() as family, argument), Type() if argument is _ROW:
                outside = _outside(type_family("i", right), depth - 1)
                if outside is not None:
                    known.setdefault(family, outside)
            case Nat(((((SizeCall(SizeFunMeta() as function, argument), 1),), 1),)), Nat() if (
                argument is _ROW
            ):
                outside = _outside(size_map("i", right), depth - 1)
                if outside is not None:
                    known.setdefault(function, outside)
            case Nat(), _:
                outside = _outside(right, depth)
                if depth == 0 or (left.dep_loose == 0 and outside is not None):
                    sizes.append((left, right if outside is None else outside))
            case DepArrayType(size, family), ArrayType(length, element):
                stack += [(size, length, depth), (family, constant_family(element), depth)]
            case _ if type(left) is type(right):
                inside = depth + (left.BINDER == 2)
                stack += [(a, b, inside) for a, b in zip(left.parts, right.parts, strict=True)]


def _outside(node: Any, depth: int) -> Any:
    """A node moved out of some dependent binders; None if it mentions their variables."""
    if depth <= 0 or node.dep_loose == 0:
        return node
    for _ in range(depth):
        marked = instantiate_dependent(node, nat(_MARK))
        if _MARK in marked.free:
            return None
        node = marked
    return node


def _match_parameters(
    pattern: Type, e: Expr, known: dict[Node, Argument], sizes: list[tuple[Nat, Nat]]
) -> None:
    """Determine types from the parameters of a `fun`, which show their types even if the body does not."""
    while isinstance(e, Lam) and isinstance(pattern, FunType):
        _match(pattern.parameter, e.parameter, known, sizes)
        pattern, e = pattern.result, e.body


def _solve(sizes: list[tuple[Nat, Nat]], given: dict[Node, Argument], known: dict[Node, Argument]) -> None:
    """Solve one size after the other, as long as one has a single unknown."""
    progress = True
    while progress and sizes:
        progress = False
        remaining: list[tuple[Nat, Nat]] = []
        for left, right in sizes:
            unknown = [meta for meta in left.free if meta in given and meta not in known]
            if len(unknown) > 1:
                remaining.append((left, right))
            elif unknown:
                (meta,) = unknown
                solution = _solution(substitute_names(left, known), meta, right)
                if solution == given[meta]:
                    known[meta] = solution
                    progress = True
        sizes = remaining


def _solution(left: Nat, meta: Node, right: Nat) -> Nat | None:
    """The value of the unknown, if it is a factor of one term and occurs in no other term."""
    containing = [term for term in left.terms if any(meta in base.free for base, _ in term[0])]
    if len(containing) != 1:
        return None
    ((monomial, coefficient),) = containing
    factors = tuple(factor for factor in monomial if factor[0] is not meta)
    if (meta, 1) not in monomial or any(_mentions(factor, meta) for factor in factors):
        return None
    others: tuple[Term, ...] = tuple(term for term in left.terms if term is not containing[0])
    return exact_quotient(right - Nat(others), Nat(((factors, coefficient),)))


def _mentions(factor: tuple[Any, Any], meta: Node) -> bool:
    base, exponent = factor
    return meta in base.free or (isinstance(exponent, Nat) and meta in exponent.free)
