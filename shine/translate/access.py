"""Infers which arrays are read and which are written. Independent of primitives and translations.

An array in a low-level term is either *read* (it is in memory, or its elements are computed where they are
needed) or *write*: the term fills a place with it. So `mapSeq : (read -> write) -> read -> write` and `toMem
: write -> read`, while views have an access variable: `join : a -> a`. A value without arrays may be both.
Accesses are inferred from the outside in: the whole term is written (Atkey, Steuwer, Lindley, Dubach:
"Strategy Preserving Compilation for Parallel Functional Code", 2017, section 4; the annotations are
Shine's).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, TypeAlias

from rise.records import dataclass
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Primitive
from rise.types import ArrayType, DepArrayType, DepFunType, DepPairType, FragmentType, FunType, PairType, Type
from shine.imperative.nodes import Origin

READ: Final = "read"
WRITE: Final = "write"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A sub-term whose access differs from the one that its context requires; `subject` names it in messages."""

    expected: str
    found: str
    subject: str
    origin: Origin


@dataclass(slots=True, eq=False)
class Cell:
    """The access of arrays, known or still unknown; unified cells link to one representative."""

    known: str = ""
    link: Cell | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Arrow:
    """The access of a function."""

    parameter: Access
    result: Access


#: None: no array, so it may be both read and written
Access: TypeAlias = Cell | Arrow | None
Signature: TypeAlias = "str | tuple[Signature, Signature]"
Steps: TypeAlias = "tuple[Steps, int] | None"
Variables: TypeAlias = "tuple[Access, Variables] | None"


def find_conflict(e: Expr, signatures: Mapping[str, str]) -> Conflict | None:
    """The first access conflict in a term whose inputs are read and whose result is written, or None.

    `signatures` has the access of each primitive as text. If a signature has fewer parameters than its primitive, its
    first one is repeated. A primitive without a signature is unconstrained.
    """
    demand = _demand(e.type)
    work: list[tuple[Expr, Access, Variables, Steps]] = [(e, demand, None, None)]
    visited: dict[tuple[int, int], Variables] = {}  # terms without arrays, and their variables
    while work:
        term, expected, variables, steps = work.pop()
        if expected is None:
            term_key = (id(term), id(variables))
            if term_key in visited:
                continue
            visited[term_key] = variables
        head, position = term, steps
        operands: list[tuple[Expr, Variables, Steps]] = []
        while True:
            match head:
                case App(fun, arg):
                    operands.append((arg, variables, (position, 1)))
                    head, position = fun, (position, 0)
                case DepApp(fun):
                    head, position = fun, (position, 0)
                case DepLam(_, _, _, _, body):
                    head, position = body, (position, 0)
                case Lam(_, parameter, body) if operands:
                    operand, scope, operand_steps = operands.pop()
                    bound = fresh(parameter)
                    variables = (bound, variables)
                    work.append((operand, bound, scope, operand_steps))
                    head, position = body, (position, 0)
                case _:
                    break
        match head:
            case Lam(_, _, body):
                assert isinstance(expected, Arrow), expected
                work.append((body, expected.result, (expected.parameter, variables), (position, 0)))
                continue
            case Bound(index):
                access = _lookup(variables, index)
            case Primitive(name, _, t):
                key = "makeArray" if name.startswith("makeArray") else name
                access = instantiate(signatures.get(key, ""), t)
            case _:
                access = fresh(head.type)
        pending: list[tuple[Expr, Access, Variables, Steps]] = []
        for operand, scope, operand_steps in reversed(operands):
            assert isinstance(access, Arrow), access
            pending.append((operand, access.parameter, scope, operand_steps))
            access = access.result
        mismatch = unify(expected, access)
        if mismatch is not None:
            return Conflict(*mismatch, _name(head), _origin(steps))
        work += reversed(pending)
    return None


def _demand(t: Type) -> Access:
    """The access of the whole term: inputs are read, the result is written."""
    parameters, result = _split(t)
    return _function((_uniform(parameter, READ) for parameter in parameters), _uniform(result, WRITE))


def _split(t: Type) -> tuple[list[Type], Type]:
    """The types of the value parameters, and of the result."""
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


def _uniform(t: Type, access: str) -> Access:
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
    indices: list[int] = []
    while steps is not None:
        steps, step = steps
        indices.append(step)
    return tuple(reversed(indices))


def fresh(t: Type) -> Access:
    """An unknown access with the shape of a type."""
    parameters, result = _split(t)
    return _function(map(fresh, parameters), Cell() if holds_array(result) else None)


def instantiate(signature: str, t: Type) -> Access:
    """A primitive's access with the shape of its type and fresh variables."""
    return _instantiate(parse_signature(signature), t, {}) if signature else fresh(t)


def _instantiate(signature: Signature, t: Type, variables: dict[str, Cell]) -> Access:
    parameters, result = _split(t)
    accesses: list[Access] = []
    for number, parameter in enumerate(parameters, 1):
        assert isinstance(signature, tuple), f"{signature} is no signature of a function"
        first, rest = signature
        accesses.append(_instantiate(first, parameter, variables))
        if number == len(parameters) or isinstance(rest, tuple):
            signature = rest  # else the last parameter is repeated, for the elements of a literal array
    assert isinstance(signature, str), f"{signature} is no signature of data"
    if not holds_array(result):
        return _function(accesses, None)
    last = Cell(signature) if signature in (READ, WRITE) else variables.setdefault(signature, Cell())
    return _function(accesses, last)


@cache
def parse_signature(text: str) -> Signature:
    """Parse a signature such as `(read -> write) -> read -> write`. Names other than `read` and `write` are variables.

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
    *parameters, signature = operands
    for parameter in reversed(parameters):
        signature = (parameter, signature)
    return signature


def unify(expected: Access, found: Access) -> tuple[str, str] | None:
    """Unify two accesses. If that fails, returns the accesses that differ."""
    work = [(expected, found)]
    while work:
        match work.pop():
            case Arrow(a, b), Arrow(c, d):
                work += [(b, d), (a, c)]
            case Cell() as left, Cell() as right:
                left, right = _root(left), _root(right)
                if left.known and right.known and left.known != right.known:
                    return left.known, right.known
                if left is not right:
                    right.known = left.known or right.known
                    left.link = right
            case left_access, right_access:
                assert left_access is None and right_access is None, "accesses of different types meet"
    return None


def _root(cell: Cell) -> Cell:
    while cell.link is not None:
        if cell.link.link is not None:
            cell.link = cell.link.link
        cell = cell.link
    return cell


def holds_array(t: Type) -> bool:
    """Whether a type contains an array or a fragment."""
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
