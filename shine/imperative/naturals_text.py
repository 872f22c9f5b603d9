"""Prints naturals as infix integer arithmetic, which is valid C and readable. Independent of loops and targets.

Exact quotients become integer divisions: if a natural is an integer, the text computes it without rounding. Common
sizes are factored out, so that an index reads as `(i * 32 + j) * n + k`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Final

from rise.naturals import Atom, Base, Exponent, Monomial, Nat, NatVar, Term, const, exact_quotient, nat
from rise.naturals import power as natural_power
from rise.nodes import postorder
from rise.quotients import NatCall, is_nonnegative
from rise.records import dataclass
from rise.text.remainders import in_remainders
from shine.imperative.scopes import LOOPS, TURNS

PRIMARY: Final = 16
UNARY: Final = 14
PRODUCT: Final = 13
SUM: Final = 12
COMPARE: Final = 10
EQUAL: Final = 9
BOTH: Final = 5
EITHER: Final = 4
CONDITIONAL: Final = 3
NO_LOOP: Final = -1


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of infix text with the precedence of its outermost operator, as in C."""

    code: str
    level: int = PRIMARY

    def at(self, level: int) -> str:
        """The text as an operand of an operator of this precedence: in parentheses if it binds less tightly."""
        return self.code if self.level >= level else f"({self.code})"


@dataclass(frozen=True, slots=True)
class Style:
    """How the atoms of a natural are written.

    `rank`: the rank of the loop that an atom belongs to, as in `Scope`; `NO_LOOP` for sizes. `call`: the function that
    computes `floor mod ceil min max power xor`. `note` is called with each natural that the text computes by sums and
    products of atoms. `integral`: fractions that are known to be integers. `named`: the name of a natural that has one.
    """

    name: Callable[[Atom], str]
    rank: Callable[[Atom], int]
    call: Callable[[str], str]
    note: Callable[[Nat], None]
    integral: tuple[Nat, ...] = ()
    named: Callable[[Nat], str | None] = lambda a: None


@dataclass(frozen=True, slots=True)
class _Factor:
    """A factor of a product. `bound`: if it is known, a number that it is less than."""

    text: Text
    rank: int
    bound: int | None = None


@dataclass(frozen=True, slots=True)
class _Piece:
    """A signed product."""

    coefficient: int
    factors: tuple[_Factor, ...]

    @property
    def order(self) -> tuple[object, ...]:
        """The order of the product in a sum: loop indices first, large strides before small ones, numbers last; on a
        GPU, numbers of units before other loop indices. See Note [Numbers of units].
        """
        ranks = [factor.rank for factor in self.factors if factor.rank > NO_LOOP]
        fixed = len(self.factors) - len(ranks)
        moves = max(ranks, default=NO_LOOP) >= LOOPS
        return (not ranks, not self.factors, -fixed, moves, -abs(self.coefficient), min(ranks, default=0))

    @property
    def unit(self) -> _Factor | None:
        """The number of a unit of which this is a multiple; None for other products."""
        match self.factors:
            case (factor,) if NO_LOOP < factor.rank < TURNS and self.coefficient > 0:
                return factor
            case _:
                return None


def natural_text(a: Nat, style: Style) -> Text:
    """Write a natural.

    A group of terms over the same loop indices is an integer, since the natural is one for all values of the indices,
    so each group is divided separately. If an index is not a plain variable, this does not follow, and the whole
    natural is written over one denominator.
    """
    groups: dict[Monomial, list[Term]] = {}
    a = in_remainders(a)
    style.note(a)
    name = style.named(a)
    if name is not None:
        return Text(name)
    for monomial, coefficient in a.terms:
        moving = tuple(f for f in monomial if _rank(f, style) > NO_LOOP)
        fixed = tuple(f for f in monomial if _rank(f, style) == NO_LOOP)
        groups.setdefault(moving, []).append((fixed, coefficient))
    pieces: list[_Piece] = []
    for moving, terms in groups.items():
        factors = _factors(moving, style)
        fixed_part = sum((Nat((term,)) for term in terms), const(0))
        fractional = [term for term in fixed_part.terms if not _is_whole(term)]
        for monomial, coefficient in fixed_part.terms:
            if _is_whole((monomial, coefficient)):
                pieces.append(_Piece(int(coefficient), (*factors, *_factors(monomial, style))))
        if not fractional:
            continue
        fraction = sum((Nat((term,)) for term in fractional), const(0))
        is_plain = all(isinstance(base, NatVar) and isinstance(e, int) and e > 0 for base, e in moving)
        if not is_plain or all(not monomial for monomial, _ in fractional):
            return _with_one_division(a, style)
        pieces.append(_Piece(1, (*factors, *_fraction_factors(fraction, style))))
    return _sum(pieces)


def varies(a: Nat) -> bool:
    """Whether a loop index, or a number that is read at run time, occurs in a natural. These have upper bounds; sizes
    do not.
    """
    return any(isinstance(variable, NatVar) and variable.upper is not None for variable in a.free)


def below_text(a: Nat, b: Nat, style: Style) -> Text | bool:
    """Write a < b, with negative terms moved to the other side; or return its truth value, if known."""
    difference = b - a
    if difference.constant is not None:
        return difference.constant > 0
    remainder = zero_remainder(difference)
    if remainder is not None:
        return Text(f"{natural_text(remainder, style).at(EQUAL)} == 0", EQUAL)
    left, right = (natural_text(side, style) for side in sides(a, b))
    return Text(f"{left.at(SUM)} < {right.at(SUM)}", COMPARE)


def sides(a: Nat, b: Nat) -> tuple[Nat, Nat]:
    """The two sides of `a < b` as printed: the same comparison without negative terms."""
    difference = b - a
    if not all(_is_whole(term) for term in difference.terms):
        return a, b
    left = reduce(lambda x, y: x - y, (Nat((t,)) for t in difference.terms if t[1] < 0), const(0))
    right = reduce(lambda x, y: x + y, (Nat((t,)) for t in difference.terms if t[1] > 0), const(0))
    return left, right


def zero_remainder(difference: Nat) -> Nat | None:
    """The remainder that is 0 if and only if `difference > 0`, such as `a % b` for `1 - (a - a / b * b)`; None for
    other differences.
    """
    remainder = in_remainders(1 - difference)
    match remainder.terms:
        case ((((NatCall("mod", (a, _)), 1),), 1),) if is_nonnegative(a):
            return remainder
    return None


def literal(value: int) -> Text:
    """Write an integer, which was checked to be small enough when it was recorded."""
    return Text(str(value), PRIMARY if value >= 0 else UNARY)


def _rank(factor: tuple[Base, Exponent], style: Style) -> int:
    base, exponent = factor
    if type(base) is NatVar and type(exponent) is int:
        return style.rank(base)
    nodes = [*postorder(base), *(postorder(exponent) if isinstance(exponent, Nat) else ())]
    return max((style.rank(node) for node in nodes if isinstance(node, NatVar)), default=NO_LOOP)


def _is_whole(term: Term) -> bool:
    monomial, coefficient = term
    return isinstance(coefficient, int) and not any(_is_negative(exponent) for _, exponent in monomial)


def _is_negative(exponent: Exponent) -> bool:
    if isinstance(exponent, int):
        return exponent < 0
    return not is_nonnegative(exponent) and is_nonnegative(const(0) - exponent)


def _factors(monomial: Monomial, style: Style) -> tuple[_Factor, ...]:
    factors: list[_Factor] = []
    for base, exponent in monomial:
        rank = _rank((base, exponent), style)
        text = natural_text(base, style) if isinstance(base, Nat) else _atom(base, style)
        if isinstance(exponent, int):
            upper = base.upper if isinstance(base, NatVar) else None
            bound = None if upper is None or exponent != 1 else upper.constant
            factors += [_Factor(text, rank, bound)] * exponent
        else:
            raised = f"{style.call('power')}({text.code}, {natural_text(exponent, style).code})"
            factors.append(_Factor(Text(raised), rank))
    return tuple(factors)


def _atom(atom: Atom, style: Style) -> Text:
    if not isinstance(atom, NatCall):
        return Text(style.name(atom))
    known = style.named(nat(atom))
    if known is not None:
        return Text(known)
    args = [natural_text(arg, style) for arg in atom.args]
    counted = is_nonnegative(atom.args[0])
    match atom.function:
        case "floor" if counted:
            return Text(f"{args[0].at(PRODUCT)} / {args[1].at(UNARY)}", PRODUCT)
        case "mod" if counted:
            return Text(f"{args[0].at(PRODUCT)} % {args[1].at(UNARY)}", PRODUCT)
        case "ceil" if counted:
            padded = natural_text(atom.args[0] + atom.args[1] - 1, style)
            return Text(f"{padded.at(PRODUCT)} / {args[1].at(UNARY)}", PRODUCT)
        case name:
            return Text(f"{style.call(name)}({', '.join(arg.code for arg in args)})")


def _with_one_division(a: Nat, style: Style) -> Text:
    """Write a natural whose fractions are an integer only in sum: as one division, and the remaining terms."""
    fractional = sum((Nat((term,)) for term in a.terms if not _is_whole(term)), const(0))
    rest = a - fractional
    if not rest.terms or any(not isinstance(b, NatVar) for m, _ in a.terms for b, _ in m):
        return _quotient(a, style)
    divided = _Piece(
        1,
        (
            _Factor(
                _quotient(fractional, style), max(_rank(f, style) for m, _ in fractional.terms for f in m)
            ),
        ),
    )
    pieces = [_Piece(int(c), _factors(monomial, style)) for monomial, c in rest.terms]
    return _sum([divided, *pieces])


def _quotient(a: Nat, style: Style) -> Text:
    """Write a natural that is an integer as one exact division."""
    divisor = _denominator(a)
    dividend = a * divisor
    if all(_is_whole(term) for term in dividend.terms) and divisor.terms != const(1).terms:
        over, under = natural_text(dividend, style), natural_text(divisor, style)
        return Text(f"{over.at(PRODUCT)} / {under.at(UNARY)}", PRODUCT)
    raise AssertionError(f"no integer division writes {a!r}")


def _denominator(a: Nat) -> Nat:
    divisor = const(lcm(*(Fraction(coefficient).denominator for _, coefficient in a.terms)))
    powers: dict[Base, int] = {}
    for monomial, _ in a.terms:
        for base, exponent in monomial:
            if isinstance(exponent, int):
                powers[base] = max(powers.get(base, 0), -exponent)
    symbolic = {
        (base, exponent)
        for monomial, _ in a.terms
        for base, exponent in monomial
        if isinstance(exponent, Nat) and _is_negative(exponent)
    }
    for base, times in powers.items():
        divisor = divisor * natural_power(nat(base), times)
    for base, exponent in sorted(symbolic, key=lambda pair: nat(pair[1]).order):
        divisor = divisor * natural_power(nat(base), const(0) - exponent)
    return divisor


def _fraction_factors(fraction: Nat, style: Style) -> tuple[_Factor, ...]:
    """A fraction of sizes as factors: a known integer and the remaining factors, or one division."""
    for known in style.integral if len(fraction.terms) == 1 else ():
        rest = exact_quotient(fraction, known)
        if len(rest.terms) == 1 and _is_whole(rest.terms[0]):
            monomial, coefficient = rest.terms[0]
            number = () if coefficient == 1 else (_Factor(literal(int(coefficient)), NO_LOOP),)
            return (*number, *_factors(monomial, style), _Factor(_quotient(known, style), NO_LOOP))
    return (_Factor(_quotient(fraction, style), NO_LOOP),)


def _sum(pieces: list[_Piece]) -> Text:
    """Add signed products, with the most frequent size factored out first."""
    shared: dict[_Factor, int] = {}
    for piece in pieces:
        for factor in dict.fromkeys(piece.factors):
            if factor.rank == NO_LOOP:
                shared[factor] = shared.get(factor, 0) + 1
    best = max(shared, key=lambda factor: shared[factor], default=None)
    if best is not None and shared[best] > 1:
        inner = [_without(piece, best) for piece in pieces if best in piece.factors]
        rank = min((f.rank for piece in inner for f in piece.factors if f.rank > NO_LOOP), default=NO_LOOP)
        joined = _Piece(1, (_Factor(_sum(inner), rank), best))
        return _sum([joined, *(piece for piece in pieces if best not in piece.factors)])
    pieces = _with_rows(sorted(pieces, key=lambda piece: piece.order))
    first = next((i for i, piece in enumerate(pieces) if piece.coefficient > 0), 0)
    pieces = [*pieces[first : first + 1], *pieces[:first], *pieces[first + 1 :]]
    if len(pieces) == 1:
        return _product(pieces[0])
    code = "0" if not pieces else _product(pieces[0]).at(SUM)
    for piece in pieces[1:]:
        sign = "+" if piece.coefficient > 0 else "-"
        size = _Piece(abs(piece.coefficient), piece.factors)
        code += f" {sign} {_product(size).at(PRODUCT)}"
    return Text(code, SUM if pieces else PRIMARY)


def _with_rows(pieces: list[_Piece]) -> list[_Piece]:
    """The same sum with `(a * 4 + b) * 2048 + c` for `a * 8192 + b * 2048 + c`, if b is below 4, and all of them are
    numbers of units, of which no loop counts rows.
    """
    for at, (outer, inner, rest) in enumerate(zip(pieces, pieces[1:], pieces[2:], strict=False)):
        a, b, size = outer.unit, inner.unit, inner.coefficient
        if a is None or b is None or rest.unit is None or b.bound is None:
            continue
        has_loop = any(one.unit is None and abs(one.coefficient) > rest.coefficient for one in pieces)
        if outer.coefficient != size * b.bound or has_loop:
            continue
        code = f"{a.text.at(PRODUCT)} * {b.bound} + {b.text.at(PRODUCT)}"
        bound = None if a.bound is None else a.bound * b.bound
        row = _Piece(size, (_Factor(Text(code, SUM), min(a.rank, b.rank), bound),))
        return _with_rows([*pieces[:at], row, *pieces[at + 2 :]])
    return pieces


def _without(piece: _Piece, factor: _Factor) -> _Piece:
    at = piece.factors.index(factor)
    return _Piece(piece.coefficient, piece.factors[:at] + piece.factors[at + 1 :])


def _product(piece: _Piece) -> Text:
    moving = sorted((f for f in piece.factors if f.rank > NO_LOOP), key=lambda factor: factor.rank)
    fixed = [f for f in piece.factors if f.rank == NO_LOOP]
    number = [_Factor(literal(piece.coefficient), NO_LOOP)]
    if piece.factors and piece.coefficient == 1:
        number = []
    texts = [factor.text for factor in (*moving, *number, *fixed)]
    if piece.factors and piece.coefficient == -1:
        texts = [factor.text for factor in (*moving, *fixed)]
        return Text(f"-{_times(texts).at(UNARY)}", UNARY)
    return _times(texts)


def _times(texts: Iterable[Text]) -> Text:
    first, *rest = texts
    if not rest:
        return first
    return Text(" * ".join([first.at(PRODUCT), *(text.at(UNARY) for text in rest)]), PRODUCT)


# Note [Numbers of units]
# The numbers of a thread's units are constant, so a text that adds them first leaves compilers one sum that no loop
# changes. nvcc 13 needs this order: where a multiple of an unrolled index is added before one of a unit's number, it
# computes an address in each iteration; otherwise the multiple of the index is an offset in the instruction.
# The number of a row of tiles, `a * 4 + b` for block a and its unit b of 4, is the same in all matrices with these
# rows, whose lengths differ, so it is computed once. If a loop counts rows, too, there is no such number. Places in a
# row have no other multiples.
