"""Prints naturals, with quotients grouped by their divisor, and facts about them. Independent of types.

Law: reading the text with the same names in scope gives the same natural.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from rise.argument_checks import misplaced
from rise.diagnostics import Diagnostic, RiseError
from rise.naturals import ZERO, Base, Monomial, Nat, NatBound, NatMeta, NatVar, Term, scale
from rise.nodes import Node, postorder
from rise.quotients import NatCall
from rise.size_functions import (
    SizeCall,
    SizeFunBound,
    SizeFunction,
    SizeFunMeta,
    SizeFunVar,
    SizeMap,
    SizeSum,
    SizeTable,
    size_at,
)
from rise.terms import Fact
from rise.text.names import name_at
from rise.text.remainders import in_remainders

#: the precedence of a text, as in the grammar
SUM: Final = 0
PRODUCT: Final = 1
POWER: Final = 2
FACTOR: Final = 3

#: types and sizes with more parts are not printed exactly
MAX_PRINTED_WEIGHT: Final = 1 << 19

_OPERATORS: Final = {"floor": "/", "mod": "%"}
_Text: TypeAlias = tuple[str, int]


def show_nat(a: Nat, names: Sequence[str] = (), level: int = SUM) -> str:
    """The text of a natural under the dependent names in scope, innermost last.

    A text of a lower precedence than `level` is put in parentheses.

    >>> from rise.naturals import exact_quotient, var
    >>> n, s = var("n"), var("s")
    >>> show_nat(exact_quotient(n - 3, s) + 1)
    '(n - 3) /^ s + 1'
    >>> show_nat(2 * n, level=FACTOR)
    '(2 * n)'
    """
    if not isinstance(a, Nat):
        raise misplaced("a natural", a, "`rise.show` shows terms, and `rise.show_type` types")
    match a.terms:  # the most frequent case
        case (((), int() as value),) if value >= 0:
            return str(value)
        case ((((NatVar(name), 1),), 1),):
            return name
        case ((((NatBound(index), 1),), 1),):
            return name_at(names, index)
    check_printed(a.weight, "size")
    texts: dict[Node, _Text] = {}
    for node in postorder(a):
        match node:
            case NatVar(name):
                texts[node] = (name, FACTOR)
            case NatBound(index):
                texts[node] = (name_at(names, index), FACTOR)
            case NatMeta(ident):
                texts[node] = (f"?{ident}", FACTOR)
            case SizeFunVar(name):
                texts[node] = (name, FACTOR)
            case SizeFunBound(index):
                texts[node] = (name_at(names, index), FACTOR)
            case SizeFunMeta(ident):
                texts[node] = (f"?{ident}", FACTOR)
            case SizeMap():
                texts[node] = (show_size_function(node, names), FACTOR)
            case SizeTable(values):
                shown = ", ".join(map(str, values[:4]))
                texts[node] = (f"[{shown}{', ...' if len(values) > 4 else ''}]", FACTOR)
            case SizeCall(called, argument):
                texts[node] = (f"{texts[called][0]}({texts[argument][0]})", FACTOR)
            case SizeSum(count, summand):
                texts[node] = (f"sum({texts[count][0]}, {texts[summand][0]})", FACTOR)
            case NatCall(function, args):
                texts[node] = _call(function, args, texts)
            case Nat():
                short = in_remainders(node)
                for remainder in _remainders(short):
                    texts[remainder] = _call(remainder.function, remainder.args, texts)
                texts[node] = _sum(short.terms, texts)
            case _:
                raise AssertionError(f"{node!r} is not a natural")
    return _at(texts[a], level)


def check_printed(weight: int, what: str) -> None:
    """Raise RiseError if the text would be too long to read."""
    if weight > MAX_PRINTED_WEIGHT:
        title = f"expected a {what} of at most {MAX_PRINTED_WEIGHT:,} parts to print, found a longer one"
        hint = "shared parts are printed each time they occur; print a part of it instead"
        raise RiseError(Diagnostic("too-long-to-print", title, hint=hint))


def show_size_function(function: SizeFunction, names: Sequence[str] = ()) -> str:
    """The text of a function of sizes: `(i |-> i + 1)`, or its name."""
    if not isinstance(function, SizeMap):
        return show_nat(size_at(function, ZERO), names).rpartition("(")[0]
    taken = {
        *names,
        *(variable.name for variable in function.free if isinstance(variable, NatVar | SizeFunVar)),
    }
    stem, number = function.name or "i", 0
    while (name := f"{stem}{number or ''}") in taken:
        number += 1
    return f"({name} |-> {show_nat(function.body, [*names, name])})"


def _at(text: _Text, level: int) -> str:
    characters, own_level = text
    return characters if own_level >= level else f"({characters})"


def _call(function: str, args: tuple[Nat, ...], done: dict[Node, _Text]) -> _Text:
    if function in _OPERATORS and len(args) == 2:
        left, right = _at(done[args[0]], PRODUCT), _at(done[args[1]], POWER)
        return f"{left} {_OPERATORS[function]} {right}", PRODUCT
    return f"{function}({', '.join(done[a][0] for a in args)})", FACTOR


def _remainders(a: Nat) -> list[NatCall]:
    bases = [base for monomial, _ in a.terms for base, _ in monomial]
    return [base for base in bases if isinstance(base, NatCall) and base.function == "mod"]


def _sum(terms: tuple[Term, ...], done: dict[Node, _Text]) -> _Text:
    """A sum in which terms with the same divisor are grouped: `(a + b) /^ d`. Subtractions come after an addition."""
    groups: dict[tuple[Monomial, int], list[Term]] = {}
    for monomial, coefficient in terms:
        below = tuple(factor for factor in monomial if _is_below(*factor))
        above = tuple(factor for factor in monomial if not _is_below(*factor))
        exact = Fraction(coefficient)
        groups.setdefault((below, exact.denominator), []).append((above, exact.numerator))
    pieces: list[tuple[bool, bool, _Text]] = []
    for (below, denominator), numerators in groups.items():
        numerators.sort(key=lambda term: term[1] < 0)
        if not below and denominator == 1:
            pieces += [(c < 0, not m, _product(m, abs(int(c)), done)) for m, c in numerators]
        else:
            is_negative = numerators[0][1] < 0
            signed = [(m, -c if is_negative else c) for m, c in numerators]
            pieces.append((is_negative, False, _quotient(signed, below, denominator, done)))
    pieces.sort(key=lambda piece: piece[:2])  # a number comes last
    return _joined([(is_negative, shown) for is_negative, _, shown in pieces])


def _joined(pieces: list[tuple[bool, _Text]]) -> _Text:
    """A sum of pieces, with subtracted ones last."""
    if not pieces:
        return "0", FACTOR
    if len(pieces) == 1 and not pieces[0][0]:
        return pieces[0][1]
    shown = ["0"] if pieces[0][0] else []
    for is_negative, piece in pieces:
        shown += ["-" if is_negative else "+"] if shown else []
        shown.append(_at(piece, PRODUCT))
    return " ".join(shown), SUM


def _quotient(numerators: list[Term], below: Monomial, denominator: int, done: dict[Node, _Text]) -> _Text:
    pieces = [(c < 0, _product(m, abs(int(c)), done)) for m, c in numerators]
    above = _at(_joined(pieces), PRODUCT)
    # Divisors that are sums are kept separate, since a product of two sums would be multiplied out when it is read.
    inverse = [(base, _negated(exponent)) for base, exponent in below]
    single = tuple(factor for factor in inverse if not _is_sum(factor[0]))
    if single or denominator != 1:
        above += f" /^ {_at(_product(single, denominator, done), POWER)}"
    for base, exponent in inverse:
        if _is_sum(base):
            above += f" /^ {_power(base, exponent, done)}"
    return above, PRODUCT


def _product(monomial: Monomial, coefficient: int, done: dict[Node, _Text]) -> _Text:
    factors = [str(coefficient)] if coefficient != 1 or not monomial else []
    factors += [_power(base, exponent, done) for base, exponent in monomial]
    if len(factors) > 1:
        return " * ".join(factors), PRODUCT
    if not monomial:
        return factors[0], FACTOR
    ((base, exponent),) = monomial
    return done[base] if exponent == 1 else (factors[0], POWER)


def _power(base: Base, exponent: int | Nat, done: dict[Node, _Text]) -> str:
    """A factor, with the parentheses that it needs in a product."""
    if isinstance(exponent, Nat):
        return f"{_at(done[base], FACTOR)}^{_at(_exponent(exponent, done), FACTOR)}"
    if exponent == 1:
        return _at(done[base], POWER)
    shown = str(exponent) if exponent >= 0 else f"(0 - {-exponent})"
    return f"{_at(done[base], FACTOR)}^{shown}"


def _exponent(exponent: Nat, done: dict[Node, _Text]) -> _Text:
    return done[exponent] if exponent in done else _sum(exponent.terms, done)


def _is_below(base: Base, exponent: int | Nat) -> bool:
    """Whether a factor is printed in the divisor. The square of a sum is not, since reading would multiply it out."""
    if isinstance(exponent, int):
        return exponent == -1 or (exponent < 0 and not _is_sum(base))
    return exponent.terms[0][1] < 0


def _is_sum(base: Base) -> bool:
    return isinstance(base, Nat) and len(base.terms) > 1


def _negated(exponent: int | Nat) -> int | Nat:
    return -exponent if isinstance(exponent, int) else scale(exponent, -1)


def show_fact(fact: Fact, names: Sequence[str] = ()) -> str:
    """A fact as text, under the dependent names in scope."""
    return f"{show_nat(fact.left, names)} {fact.relation} {show_nat(fact.right, names)}"
