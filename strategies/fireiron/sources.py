"""The subterms of a program with the values of their variables, and the arrays that a term reads.

Depends on terms, but not on specifications of programs. A variable leads to the array that it stands for: the argument
of an immediately applied function, or the array over which a map or a loop runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from rise.primitives import PROJECTIONS, applied, has_trait, lookup, with_trait
from rise.records import dataclass
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Primitive, spine
from rise.types import ArrayType, Space
from strategies.fireiron.specs import GL, RF, SH, Location
from strategies.lowering.predicates import isStored
from strategies.parts.product_chains import PAIRED
from strategies.rules.staging import isMatrixLoop

_SPACES: Final = {Space("Shared"): SH, Space("Local"): RF, Space("Global"): GL}


#: parts of pairs
PARTS: Final = applied(PROJECTIONS)
#: maps and the loops that they are lowered to
MAPPED: Final = frozenset(root for root in applied(with_trait("maps")) if root[1] == 2)


@dataclass(frozen=True, slots=True)
class Scope:
    """The value of the innermost variable, the scope of that value, and the variables further outside.

    A parameter of the program has neither a value nor a scope of it, an accumulator has no value.
    """

    value: Expr | None
    around: Scope | None
    before: Scope | None

    @property
    def depth(self) -> int:
        """The number of variables further outside."""
        count, scope = 0, self.before
        while scope is not None:
            count, scope = count + 1, scope.before
        return count


@dataclass(frozen=True, slots=True)
class Visit:
    """A term with its variables, the number of enclosing loops over parts of the sum, and the names of sizes."""

    term: Expr
    scope: Scope | None = None
    loops: int = 0
    sizes: tuple[str, ...] = ()


def visits(start: Visit) -> Iterator[Visit]:
    """The subterms of a term, outermost first, with the values of their variables."""
    waiting = [start]
    while waiting:
        visit = waiting.pop()
        yield visit
        waiting += reversed(list(children_of(visit)))


def children_of(visit: Visit) -> Iterator[Visit]:
    """The children of a term; of a term that names a value, the body first and then the value."""
    e, scope = visit.term, visit.scope
    match e:
        case App():
            head, arguments = spine(e)
            terms = [one for one in arguments if isinstance(one, Expr)]
            called, value = (head, e.arg) if isinstance(head, Lam) else (terms[-1], terms[0])
            if isinstance(called, Lam) and (isinstance(head, Lam) or e.root == ("let", 2)):
                yield replace(visit, term=called.body, scope=Scope(value, scope, scope))
                terms = [value]
            elif len(terms) > 1 and isinstance(terms[0], Lam):
                yield _function(visit, terms[0], terms[-1])
                del terms[0]
            yield from (replace(visit, term=term) for term in terms)
        case Lam():
            yield replace(visit, term=e.body, scope=Scope(None, None, scope))
        case DepLam():
            yield replace(visit, term=e.body, sizes=(*visit.sizes, str(e.name)))
        case _:
            for child in e.children:
                yield replace(visit, term=child)


def _function(visit: Visit, function: Lam, array: Expr) -> Visit:
    """The body of a function of elements of an array; its last parameter is an element."""
    body: Expr = function
    scope = visit.scope
    while isinstance(body, Lam):
        body = body.body
        value = None if isinstance(body, Lam) else array
        scope = Scope(value, visit.scope, scope)
    return replace(visit, term=body, scope=scope, loops=visit.loops + isMatrixLoop(visit.term))


def location(visit: Visit) -> Location:
    """The location of the array that a term reads."""
    spaces = (
        e.fun.argument
        for e in (one.term for one in arrays_of(visit))
        if isinstance(e, App) and isinstance(e.fun, DepApp)
    )
    return next((_SPACES[space] for space in spaces if isinstance(space, Space)), GL)


def parameter(visit: Visit) -> int | None:
    """The parameter of the program from whose arrays a term reads, by its number; None if it reads other values."""
    *_, last = (visit, *arrays_of(visit))
    entry = _entry(last) if isinstance(last.term, Bound) else None
    return None if entry is None or last is visit or entry.around is not None else entry.depth


def reads_array(visit: Visit) -> bool:
    """Whether a number is computed from elements of arrays, and not only from constants and numbers that are given."""
    return any(
        isinstance(one.term, Bound) and (entry := _entry(one)) is not None and entry.value is not None
        for one in visits(visit)
    )


def _entry(visit: Visit) -> Scope | None:
    """The scope that begins with the variable of a visit."""
    assert isinstance(visit.term, Bound)
    entry = visit.scope
    for _ in range(visit.term.index):
        assert entry is not None
        entry = entry.before
    return entry


def arrays_of(visit: Visit) -> Iterator[Visit]:
    """The arrays and variables from which a term is taken, the innermost first; the last one may be a parameter."""
    for one, is_whole in _sources(visit):
        if (is_whole and one.term is not visit.term) or one.term.root == ("toMem", 1):
            yield one


def _sources(visit: Visit) -> Iterator[tuple[Visit, bool]]:
    """The terms from which a term is taken, itself first, and whether each is whole, and no pair to take a part of."""
    e, scope = visit.term, visit.scope
    parts: list[int] = []
    while True:
        yield replace(visit, term=e, scope=scope), not parts
        match e:
            case Bound():
                entry = _entry(replace(visit, term=e, scope=scope))
                if entry is None or entry.value is None:
                    return
                e, scope = entry.value, entry.around
            case App(fun=DepApp(fun=Primitive(name="toMem")), arg=stored):
                e = stored
            case App(fun=fun, arg=arg) if isinstance(fun, Primitive) and fun.name in PROJECTIONS:
                parts.append(PROJECTIONS.index(fun.name))
                e = arg
            case App():
                head, arguments = spine(e)
                terms = [one for one in arguments if isinstance(one, Expr)]
                if isinstance(head, Lam):
                    return
                if e.root in PAIRED:
                    if not parts:
                        return
                    e = terms[parts.pop()]
                elif e.root == ("map", 2) and parts and isinstance(terms[0], Lam):
                    e, scope = terms[0].body, Scope(terms[-1], scope, scope)
                elif e.root in MAPPED or _is_view(head):
                    e = terms[-1]
                else:
                    return
            case _:
                return


def axes_of(operand: Visit, nest: Visit, rank: int) -> tuple[int, ...] | None:
    """The loops of a nest with `rank` loops that index an array that the nest reads, in the order in which the array is
    stored, by their numbers; a reduced axis has the number `rank`. None if other views than transpositions are between.
    """
    outside = 0 if nest.scope is None else nest.scope.depth + 1
    loops = {id(entry): number for number, entry in enumerate(_entries(operand, outside, rank))}
    axes = [rank] if isinstance(operand.term.type, ArrayType) else []
    for source, _ in _sources(operand):
        e = source.term
        if isinstance(e, Bound):
            entry = _entry(source)
            if entry is None or entry.value is None:
                return tuple(axes) if entry is not None and entry.around is None else None
            if isinstance(entry.value.type, ArrayType) and entry.value.type != e.type:
                if id(entry) not in loops:
                    return None
                axes.insert(0, loops[id(entry)])
        elif e.root == ("transpose", 1):
            if len(axes) < 2:
                return None
            axes[:2] = reversed(axes[:2])
        elif not (e.root in PARTS or e.root in PAIRED or isStored(e)):
            return None
    return None


def _entries(visit: Visit, outside: int, count: int) -> list[Scope]:
    """The scopes of `count` variables around a term, of which `outside` variables are further outside."""
    found, scope = list[Scope](), visit.scope
    while scope is not None:
        found.append(scope)
        scope = scope.before
    return found[::-1][outside : outside + count]


def _is_view(head: Any) -> bool:
    if not isinstance(head, Primitive):
        return False
    record = lookup(head.name)
    return record is not None and (record.level == "view" or has_trait(head.name, "writable"))
