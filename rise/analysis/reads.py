"""Counts the reads of named values in a term, and its operations. Independent of strategies and targets.

One subject: how each kind of term reads its operands, which is one recursion.

A term is read on demand: what is not stored is recomputed for each element that is read, as translation does with
what is in read position ("Strategy Preserving Compilation for Parallel Functional Code", 2017, section 4). Counts are
rational functions of the sizes. They are averages over the elements of an array: `slide(3, 1)` reads its array almost
three times, and `take(n)` reads `n / (n + m)` of it.

Note [Generic reading]
~~~~~~~~~~~~~~~~~~~~~~
Only the parts of pairs are followed by name. Otherwise records and types say how a primitive reads its operands:

- A view moves elements: each operand is read as often as the result has elements for one of its own; at most once, if
  the view can be written through.
- A function among the operands is called for each element of the last array whose elements have the type of its last
  parameter, or, if that is an index and there is no such array, for each index. Its result is read whole in each call.
- Anything else reads its operands whole, and computes as many numbers as its last operand has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cache
from typing import Any, Final, TypeAlias, TypeVar

from rise.inference.schemes import scheme_of
from rise.naturals import UNIT, ZERO, Nat, const, exact_quotient
from rise.primitives import PROJECTIONS, has_trait, lookup
from rise.primitives.record import PrimitiveRecord
from rise.primitives.traits import Trait
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.terms import App, Bound, DepLam, Expr, Lam, Literal, Primitive, Var, shift, spine
from rise.types import (
    ArrayType,
    DepArrayType,
    DepFunType,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    Type,
    VectorType,
    instantiate_dependent,
    is_data,
    type_at,
)

#: projections from a value to a part of it, the outermost last; arrays on the way are passed through
Path: TypeAlias = tuple[str, ...]
#: a variable, by the number of functions between the term and its binder, and a part of it
Part: TypeAlias = tuple[int, Path]

FIRST, SECOND = PROJECTIONS
#: traits of what computes all that it computes, whatever part of it is read
_IN_ORDER: Final[tuple[Trait, ...]] = ("buffers", "reduces", "scans")
K = TypeVar("K")


@dataclass(frozen=True, slots=True, eq=False)
class Operations:
    """A number of operations: some, and multiples of others. It is not multiplied out before it is asked for, since for
    nests of loops it has hundreds of terms.
    """

    own: Nat
    multiples: tuple[tuple[Nat, Operations], ...] = ()
    _totals: dict[int | None, Any] = field(default_factory=dict, repr=False)

    def total(self, value: Callable[[Nat], Any] = lambda count: count, size: int | None = None) -> Any:
        """The sum of the values of all counts; `size` identifies the function of a count."""
        waiting = [self]
        while waiting:
            one = waiting[-1]
            unknown = [other for _, other in one.multiples if size not in other._totals]
            if unknown:
                waiting += unknown
                continue
            if size not in one._totals:
                totals = (value(times) * other._totals[size] for times, other in one.multiples)
                one._totals[size] = sum(totals, value(one.own))
            waiting.pop()
        return self._totals[size]


@dataclass(frozen=True, slots=True)
class Reads:
    """The cost of reading all of a term once.

    - `parts`: how often each number of a part of a variable is read, on average.
    - `loads`: how many numbers are read from arrays, by part of a variable; None for other variables.
    - `computed`: operations on numbers, in additions.
    """

    parts: Mapping[Part, Nat]
    loads: Mapping[Part | None, Nat]
    computed: Operations

    @property
    def operations(self) -> Nat:
        """Operations on numbers, in additions. Raises RiseError if the count has too many terms (`size-too-large`)."""
        total: Nat = self.computed.total()
        return total

    @property
    def work(self) -> Nat:
        """Operations and loads, in additions. Raises RiseError as `operations` does."""
        return sum(self.loads.values(), self.operations)

    def work_at(self, size: int, value: Callable[[Nat], Fraction]) -> Fraction:
        """Operations and loads, in additions, if each unknown size is `size`, where counts have these values."""
        total: Fraction = sum(map(value, self.loads.values()), self.computed.total(value, size))
        return total

    def of(self, variable: int, path: Path = ()) -> Nat:
        """How often each number of a part is read: directly, as a part of a larger one, or through the most-read of its
        parts.
        """
        around, inside = ZERO, [ZERO]
        for (index, other), times in self.parts.items():
            if index == variable and path[: len(other)] == other:
                around += times
            elif index == variable and other[: len(path)] == path:
                inside.append(times)
        return around + _greatest(inside)


def numbers_in(t: Type) -> Nat:
    """How many numbers a value has; rows of different lengths count as those in the middle."""
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            return size * numbers_in(element)
        case PairType(first, second):
            return numbers_in(first) + numbers_in(second)
        case DepArrayType(size, family):
            return size * numbers_in(type_at(family, _middle(size)))
        case FragmentType(rows, columns):
            return rows * columns
    return UNIT


def part_at(t: Type, path: Path) -> Type:
    """The type of a part; arrays on the way stay around it."""
    for side in path:
        t = _half(t, side)
    return t


def _half(t: Type, side: str) -> Type:
    match t:
        case ArrayType(size, element):
            return ArrayType(size, _half(element, side))
        case PairType(first, second):
            return first if side == FIRST else second
    return t


def _middle(size: Nat) -> Nat:
    return exact_quotient(size - UNIT, 2)


def reads_in(e: Expr, path: Path = (), is_scattered: bool = False) -> Reads:
    """The cost of reading all of a term, or of a part of it, once; if it `is_scattered`, number by number.

    Linear in the distinct parts of the term, and not recursive: terms are as deep as pipelines are long. Raises
    RiseError if a count has too many terms (`size-too-large`).
    """
    if len(_KNOWN) > MAX_KNOWN:
        _KNOWN.clear()
    waiting: list[_Key] = [(e, path, is_scattered)]
    while waiting:
        key = waiting[-1]
        if key in _KNOWN:
            waiting.pop()
            continue
        count = _Count()
        try:
            count.read(*key)
        except _Unknown as unknown:
            waiting.append(unknown.key)
        else:
            _KNOWN[key] = Reads(count.parts, count.loads, Operations(count.own, tuple(count.multiples)))
    return _KNOWN[e, path, is_scattered]


_Key: TypeAlias = tuple[Expr, Path, bool]
#: counts of terms that have been asked for
_KNOWN: Final[dict[_Key, Reads]] = {}
MAX_KNOWN: Final = 1 << 15


class _Unknown(Exception):
    """Raised if the counts of a part are needed first."""

    def __init__(self, key: _Key) -> None:
        super().__init__()
        self.key = key


def _known(e: Expr, path: Path, is_scattered: bool) -> Reads:
    key = (e, path, is_scattered)
    try:
        return _KNOWN[key]
    except KeyError:
        raise _Unknown(key) from None


@dataclass(slots=True)
class _Count:
    """Adds up reads; variables are counted from the term that is passed to `reads_in`."""

    parts: dict[Part, Nat] = field(default_factory=dict)
    loads: dict[Part | None, Nat] = field(default_factory=dict)
    own: Nat = ZERO
    multiples: list[tuple[Nat, Operations]] = field(default_factory=list)

    def read(self, e: Expr, path: Path, is_scattered: bool) -> None:
        """A term, or a part of it, is read whole once."""
        match e:
            case Bound(index):
                _add_to(self.parts, (index, path), UNIT)
                self.load((index, path), part_at(e.type, path))
            case Var():
                self.load(None, part_at(e.type, path))
            case Literal() | Primitive():
                pass
            case Lam(_, _, body):
                self.add(_known(body, path, is_scattered), UNIT, 1)
            case DepLam(_, _, _, _, body):
                self.add(_known(body, path, is_scattered), UNIT, 0)
            case _:
                head, arguments = spine(e)
                operands = [one for one in arguments if isinstance(one, Expr)]
                if isinstance(head, Lam):
                    self.call(head, operands, path, is_scattered)
                elif isinstance(head, Primitive):
                    self.primitive(head.name, e, operands, path, is_scattered)
                else:
                    for one in (head, *operands):
                        self.part(one, UNIT, (), is_scattered=False)

    def part(self, e: Expr, times: Nat, path: Path, is_scattered: bool) -> None:
        """Add reads of a part of the term."""
        if times is not ZERO:
            self.add(_known(e, path, is_scattered), times, 0)

    def load(self, part: Part | None, t: Type) -> None:
        if _is_array(t):
            _add_to(self.loads, part, numbers_in(t))

    def call(self, function: Expr, arguments: Sequence[Expr], path: Path, is_scattered: bool) -> None:
        """A function that is called directly: arguments are read on demand, numbers once in each call."""
        given = 0
        while isinstance(function, Lam) and given < len(arguments):
            function, given = function.body, given + 1
        inside = _known(function, path, is_scattered)
        self.add(inside, UNIT, given)
        for place, argument in enumerate(arguments[:given]):
            for part, often in _of_variable(inside, given - 1 - place):
                is_once = not is_scattered and not _is_array(argument.type)
                self.part(argument, UNIT if is_once else often, part, is_scattered)

    def add(self, inside: Reads, times: Nat, binders: int) -> None:
        """Add reads inside of a number of functions."""
        if inside.computed.own is not ZERO or inside.computed.multiples:
            self.multiples.append((times, inside.computed))
        for (index, path), often in inside.parts.items():
            if index >= binders:
                _add_to(self.parts, (index - binders, path), times * often)
        for part, numbers in inside.loads.items():
            if part is None or part[0] >= binders:
                _add_to(self.loads, part and (part[0] - binders, part[1]), times * numbers)

    def primitive(self, name: str, e: Expr, operands: Sequence[Expr], path: Path, is_scattered: bool) -> None:
        """See Note [Generic reading]."""
        if name in PROJECTIONS and operands:
            self.part(operands[0], UNIT, (name, *path), is_scattered)
            return
        if has_trait(name, "pairs") and len(operands) == len(PROJECTIONS):
            for one in [operands[path[0] == SECOND]] if path else operands:
                self.part(one, UNIT, path[1:], is_scattered)
            return
        functions = [one for one in operands if not is_data(one.type)]
        values = [one for one in operands if is_data(one.type)]
        record = lookup(name)
        if record is not None and record.level == "view" and not has_trait(name, "scatters"):
            for one in functions:
                self.applied(one, (), path, is_scattered)
            self.view(record, e, values, path, is_scattered)
            return
        if functions:
            in_order = any(has_trait(name, trait) for trait in _IN_ORDER)
            inner, scatters = ((), False) if in_order else (path, is_scattered)
            steps = next((one for one in spine(e)[1] if isinstance(one, Nat)), UNIT)
            taken = [self.applied(one, values, inner, scatters, steps) for one in functions]
            values = [one for one in values if not any(one is other for other in taken)]
        elif values:
            self.own += const(record.cost if record else 1) * numbers_in(values[-1].type)
        for one in values:
            self.part(one, UNIT, path if one.type == e.type else (), is_scattered=False)

    def view(
        self,
        record: PrimitiveRecord,
        e: Expr,
        values: Sequence[Expr],
        path: Path,
        is_scattered: bool,
    ) -> None:
        """The operands of a view, which are read in proportion to the numbers that the view has for each of theirs."""
        is_bijective = has_trait(record.name, "writable")
        numbers = numbers_in(part_at(e.type, path))
        for operand in values:
            if is_bijective and len(values) > 1:
                self.part(operand, UNIT, path, is_scattered)
                continue
            inner = path if operand is values[-1] else ()
            own = numbers_in(part_at(operand.type, inner))
            if own is not ZERO:
                often = exact_quotient(numbers, own)
                often = _at_most_once(often) if is_bijective else often
                self.part(operand, often, inner, is_scattered or _takes_rows_apart(record.scheme))

    def applied(
        self, function: Expr, arrays: Sequence[Expr], path: Path, is_scattered: bool, steps: Nat = UNIT
    ) -> Expr | None:
        """A function is called for each element of the array that is returned, for each index, or for each of a number
        of steps.
        """
        body, last, binders, rows = _opened(function)
        array, calls = None, UNIT
        for one in reversed(arrays):
            size = _elements(one.type, last, rows)
            if size is not None:
                array, calls = one, size
                break
        is_once = False
        if array is None and isinstance(last, IndexType):
            calls = last.size
        elif array is None:  # `let`
            array = next((one for one in arrays if one.type == last), None)
            is_once = not is_scattered and last is not None and not _is_array(last)
        inside = _known(body, path if _has_part(body.type, path) else (), is_scattered)
        if rows:
            row = _middle(calls)
            if array is None and arrays and isinstance(arrays[-1].type, ArrayType):  # `iterate`
                calls, row = steps, arrays[-1].type.size  # at most
            inside = Reads(
                {part: _at_row(often, row, rows) for part, often in inside.parts.items()},
                {part: _at_row(numbers, row, rows) for part, numbers in inside.loads.items()},
                Operations(_at_row(inside.operations, row, rows)),
            )
        self.add(inside, calls, binders)
        if array is not None:
            for part, often in _of_variable(inside, 0):
                self.part(array, UNIT if is_once else often, part, is_scattered)
        return array


@cache
def _takes_rows_apart(scheme: str) -> bool:
    """Whether a view moves less than whole elements of its last operand."""
    t = scheme_of(scheme).body
    while isinstance(t, DepFunType) or (isinstance(t, FunType) and isinstance(t.result, FunType)):
        t = t.result
    parameter = t.parameter if isinstance(t, FunType) else t
    return isinstance(parameter, ArrayType) and isinstance(parameter.element, ArrayType | VectorType)


def _opened(function: Expr) -> tuple[Expr, Type | None, int, int]:
    """The body of a function, the type of its last parameter, and how many values and sizes it takes."""
    binders = rows = 0
    last: Type | None = None
    while not is_data(function.type):
        match function:
            case Lam(_, last, body):
                function, binders = body, binders + 1
            case DepLam(_, _, _, _, body):
                function, rows = body, rows + 1
            case Expr(type=FunType(last, _)):
                function, binders = App(shift(function, 1), Bound(0, last)), binders + 1
            case _:
                break
    return function, last, binders, rows


def _elements(t: Type, element: Type | None, rows: int) -> Nat | None:
    """How many elements of a type an array has."""
    if isinstance(t, DepArrayType):
        return t.size if rows else None
    size = UNIT
    while isinstance(t, ArrayType):
        size, t = size * t.size, t.element
        if t == element:
            return size
    return None


def _at_row(often: Nat, row: Nat, rows: int) -> Nat:
    for _ in range(rows):
        often = instantiate_dependent(often, row)
    return often


def _of_variable(inside: Reads, variable: int) -> list[tuple[Path, Nat]]:
    return [(path, often) for (index, path), often in inside.parts.items() if index == variable]


def _add_to(counts: dict[K, Nat], key: K, more: Nat) -> None:
    counts[key] = counts.get(key, ZERO) + more


def _is_array(t: Type) -> bool:
    match t:
        case ArrayType() | DepArrayType():
            return True
        case PairType(first, second):
            return _is_array(first) or _is_array(second)
    return False


def _has_part(t: Type, path: Path) -> bool:
    for side in path:
        while isinstance(t, ArrayType):
            t = t.element
        if not isinstance(t, PairType):
            return False
        t = t.first if side == FIRST else t.second
    return True


def _at_most_once(often: Nat) -> Nat:
    return UNIT if is_nonnegative(often - UNIT) else often


def _greatest(counts: Sequence[Nat]) -> Nat:
    """The greatest of some counts; a sum where that is not known."""
    found = counts[0]
    for one in counts[1:]:
        if is_nonnegative(one - found):
            found = one
        elif not is_nonnegative(found - one):
            found += one
    return found
