"""Which arrays are read in memory and which are written to it, inferred. Knows no primitive and no
translation.

An array in a low-level term is either *read* (it lies in memory, or is computed wherever an element is
needed) or *write*: it says how a place is filled. So `mapSeq : (read -> write) -> read -> write` and `toMem
: write -> read`, while views have an access variable: `join : a -> a`. What holds no array is both.
Accesses are inferred from the whole term's, which is written, inwards (Atkey, Steuwer, Lindley, Dubach:
"Strategy Preserving Compilation for Parallel Functional Code", 2017, section 4; the annotations are
Shine's).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Primitive
from rise.types import ArrayType, DepArrayType, DepFunType, DepPairType, FragmentType, FunType, PairType, Type
from shine.imperative.nodes import Origin

READ: Final = "read"
WRITE: Final = "write"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A sub-term whose access is not the one that its surroundings need."""

    expected: str
    found: str
    what: str
    origin: Origin


@dataclass(slots=True, eq=False)
class Cell:
    """The access of arrays, known or not yet; unified cells link to one."""

    known: str = ""
    link: Cell | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Arrow:
    """The access of a function."""

    parameter: Access
    result: Access


#: None: holds no array, so it may be read as well as written
Access: TypeAlias = Cell | Arrow | None
Signature: TypeAlias = "str | tuple[Signature, Signature]"
Steps: TypeAlias = "tuple[Steps, int] | None"
Variables: TypeAlias = "tuple[Access, Variables] | None"


def find_conflict(e: Expr, signatures: Mapping[str, str]) -> Conflict | None:
    """The first place where accesses do not fit, for a term whose inputs are read and whose result is
    written.

    `signatures` has the accesses of each primitive as text. A signature with fewer parameters than its
    primitive repeats the first; a primitive without one is unconstrained.
    """
    wanted = _demand(e.type)
    work: list[tuple[Expr, Access, Variables, Steps]] = [(e, wanted, None, None)]
    numbers: dict[tuple[int, int], Variables] = {}  # terms without arrays that were seen, and their variables
    while work:
        term, expected, variables, steps = work.pop()
        if expected is None:
            seen = (id(term), id(variables))
            if seen in numbers:
                continue
            numbers[seen] = variables
        head, at = term, steps
        operands: list[tuple[Expr, Variables, Steps]] = []
        while True:
            match head:
                case App(fun, arg):
                    operands.append((arg, variables, (at, 1)))
                    head, at = fun, (at, 0)
                case DepApp(fun):
                    head, at = fun, (at, 0)
                case DepLam(_, _, _, _, body):
                    head, at = body, (at, 0)
                case Lam(_, parameter, body) if operands:
                    operand, scope, place = operands.pop()
                    bound = fresh(parameter)
                    variables = (bound, variables)
                    work.append((operand, bound, scope, place))
                    head, at = body, (at, 0)
                case _:
                    break
        match head:
            case Lam(_, _, body):
                assert isinstance(expected, Arrow), expected
                work.append((body, expected.result, (expected.parameter, variables), (at, 0)))
                continue
            case Bound(index):
                found = _lookup(variables, index)
            case Primitive(name, _, given):
                key = "makeArray" if name.startswith("makeArray") else name
                found = instance(signatures.get(key, ""), given)
            case _:
                found = fresh(head.type)
        pending: list[tuple[Expr, Access, Variables, Steps]] = []
        for operand, scope, place in reversed(operands):
            assert isinstance(found, Arrow), found
            pending.append((operand, found.parameter, scope, place))
            found = found.result
        mismatch = unify(expected, found)
        if mismatch is not None:
            return Conflict(*mismatch, _name(head), _origin(steps))
        work += reversed(pending)
    return None


def _demand(t: Type) -> Access:
    """The whole term: inputs are read, its result is written."""
    parameters, result = _spread(t)
    return _function((_everywhere(parameter, READ) for parameter in parameters), _everywhere(result, WRITE))


def _spread(t: Type) -> tuple[list[Type], Type]:
    """The parameters that are values, and the result."""
    parameters: list[Type] = []
    while isinstance(t, FunType | DepFunType):
        if isinstance(t, FunType):
            parameters.append(t.parameter)
        t = t.result
    return parameters, t


def _function(parameters: Iterable[Access], result: Access) -> Access:
    for parameter in reversed(list(parameters)):
        result = Arrow(parameter, result)
    return result


def _everywhere(t: Type, access: str) -> Access:
    return Cell(access) if holds_array(t) else None


def _lookup(variables: Variables, index: int) -> Access:
    for _ in range(index):
        assert variables is not None
        variables = variables[1]
    assert variables is not None
    return variables[0]


def _name(head: Expr) -> str:
    match head:
        case Primitive(name):
            return f"`{name}`"
        case _:
            return "an array that is in memory"


def _origin(steps: Steps) -> Origin:
    found: list[int] = []
    while steps is not None:
        steps, step = steps
        found.append(step)
    return tuple(reversed(found))


def fresh(t: Type) -> Access:
    """An unknown access in the shape of a type."""
    parameters, result = _spread(t)
    return _function(map(fresh, parameters), Cell() if holds_array(result) else None)


def instance(signature: str, t: Type) -> Access:
    """A primitive's access, in the shape of its type, with fresh variables."""
    return _instance(parse_signature(signature), t, {}) if signature else fresh(t)


def _instance(signature: Signature, t: Type, variables: dict[str, Cell]) -> Access:
    parameters, result = _spread(t)
    found: list[Access] = []
    for number, parameter in enumerate(parameters, 1):
        assert isinstance(signature, tuple), f"{signature} is no signature of a function"
        first, rest = signature
        found.append(_instance(first, parameter, variables))
        if number == len(parameters) or isinstance(rest, tuple):
            signature = (
                rest  # else the last of few parameters stands for many: the elements of a literal array
            )
    assert isinstance(signature, str), f"{signature} is no signature of data"
    if not holds_array(result):
        return _function(found, None)
    last = Cell(signature) if signature in (READ, WRITE) else variables.setdefault(signature, Cell())
    return _function(found, last)


@cache
def parse_signature(text: str) -> Signature:
    """Read `(read -> write) -> read -> write`; other names are variables.

    >>> parse_signature("(a -> b) -> a -> b")
    (('a', 'b'), ('a', 'b'))
    """
    words = text.replace("(", " ( ").replace(")", " ) ").replace("->", " -> ").split()
    operands: list[list[Signature]] = [[]]
    for word in words:
        match word:
            case "(":
                operands.append([])
            case ")":
                inner = operands.pop()
                operands[-1].append(_arrows(inner))
            case "->":
                pass
            case _:
                operands[-1].append(word)
    assert len(operands) == 1, f"brackets do not match: {text}"
    return _arrows(operands[0])


def _arrows(operands: list[Signature]) -> Signature:
    *parameters, found = operands
    for parameter in reversed(parameters):
        found = (parameter, found)
    return found


def unify(expected: Access, found: Access) -> tuple[str, str] | None:
    """Make two accesses one; what differs, if that cannot be."""
    work = [(expected, found)]
    while work:
        match work.pop():
            case Arrow(a, b), Arrow(c, d):
                work += [(b, d), (a, c)]
            case Cell() as one, Cell() as other:
                one, other = _root(one), _root(other)
                if one.known and other.known and one.known != other.known:
                    return one.known, other.known
                if one is not other:
                    other.known = one.known or other.known
                    one.link = other
            case one_access, other_access:
                assert one_access is None and other_access is None, "accesses of different types meet"
    return None


def _root(cell: Cell) -> Cell:
    while cell.link is not None:
        if cell.link.link is not None:
            cell.link = cell.link.link
        cell = cell.link
    return cell


def holds_array(t: Type) -> bool:
    """Whether a value of the type is more than a few numbers: it holds an array or a fragment."""
    waiting = [t]
    while waiting:
        match waiting.pop():
            case ArrayType() | DepArrayType() | DepPairType() | FragmentType():
                return True
            case PairType(first, second):
                waiting += (first, second)
            case _:
                pass
    return False
