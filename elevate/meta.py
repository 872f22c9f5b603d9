"""Strategies that rewrite strategies: each rule is a law of the language. Depends on the strategies, but not on terms.

A strategy is a term whose children are the strategies that it is built from. So rules and traversals apply to it, and
the result is a strategy that does the same to every program.

>>> from elevate import child, id_, try_
>>> from elevate.toy import fToG, dropG
>>> simplified(id_ >> try_(try_(fToG)) | dropG)
try_(fToG)
>>> FNF(child(0)(fToG >> dropG))
child(0)(fToG) >> child(0)(dropG)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from elevate.combinators import Named, Not, Repeat, RepeatNTimes, Try
from elevate.congruences import Focus, Holding
from elevate.engine.run import apply
from elevate.result import Success
from elevate.rules import FunctionRule, Predicate, rule
from elevate.strategy import Fail, Id, LChoice, Seq, Strategy, expected_strategy, fail, id_, lChoice, seq
from elevate.tracebacks import ends_at_the_users_line
from elevate.traversals import (
    All,
    AllBottomup,
    Alltd,
    AllTopdown,
    BottomUp,
    Child,
    Normalize,
    NormalizeBottomup,
    One,
    Position,
    Skip,
    Some,
    Somebu,
    Sometd,
    TopDown,
    TryAll,
    normalize,
)


def never_fails(strategy: Strategy) -> bool:
    """Whether a strategy cannot fail, judged by its structure; divergence is not failure."""
    waiting = [strategy]
    while waiting:
        match waiting.pop():
            case Id() | Try() | Repeat() | Normalize() | NormalizeBottomup() | TryAll() | Alltd():
                continue
            case LChoice(alternatives) if any(
                isinstance(alternative, Id | Try | Repeat | Normalize | NormalizeBottomup)
                for alternative in alternatives
            ):
                continue
            case Seq(parts):
                waiting.extend(parts)
            case All(inner) | TopDown(inner) | AllTopdown(inner) | AllBottomup(inner) | Named(_, _, inner):
                waiting.append(inner)
            case _:
                return False
    return True


@rule
def flatten(s: Any) -> Strategy | None:
    """`(a >> b) >> c = a >> b >> c`, `(a | b) | c = a | b | c`, and the same with the other association."""
    match s:
        case Seq(parts) if len(parts) < 2 or any(isinstance(part, Seq) for part in parts):
            return seq(*parts)
        case LChoice(parts) if len(parts) < 2 or any(isinstance(part, LChoice) for part in parts):
            return lChoice(*parts)
    return None


@rule
def seqId(s: Any) -> Strategy | None:
    """`id_ >> a = a`, `a >> id_ = a`"""
    match s:
        case Seq(parts) if id_ in parts:
            return seq(*(part for part in parts if part != id_))
    return None


@rule
def seqFail(s: Any) -> Strategy | None:
    """`fail >> a = fail`, `a >> fail = fail`"""
    return fail if isinstance(s, Seq) and fail in s.parts else None


@rule
def seqGuardTwice(s: Any) -> Strategy | None:
    """`p >> p = p` for a p that only tests"""
    match s:
        case Seq(parts):
            for index in range(1, len(parts)):
                if parts[index] == parts[index - 1] and isinstance(parts[index], Predicate | Not | Holding):
                    return seq(*parts[:index], *parts[index + 1 :])
    return None


@rule
def seqExhausted(s: Any) -> Strategy | None:
    """`repeat(a) >> repeat(a) = repeat(a)`, `repeat(a) >> try_(a) = repeat(a)`, and likewise for `normalize`"""
    match s:
        case Seq(parts):
            for index in range(1, len(parts)):
                match parts[index - 1], parts[index]:
                    case (Repeat(a), Repeat(b) | Try(b)) | (Normalize(a), Normalize(b)) if a == b:
                        return seq(*parts[:index], *parts[index + 1 :])
                    case Normalize(a), Try(TopDown(b)) if a == b:
                        return seq(*parts[:index], *parts[index + 1 :])
    return None


@rule
def choiceFail(s: Any) -> Strategy | None:
    """`fail | a = a`, `a | fail = a`"""
    match s:
        case LChoice(parts) if fail in parts:
            return lChoice(*(part for part in parts if part != fail))
    return None


@rule
def choiceSure(s: Any) -> Strategy | None:
    """`a | b = a` for a that never fails, such as `id_`"""
    match s:
        case LChoice(parts):
            for count, alternative in enumerate(parts[:-1], start=1):
                if never_fails(alternative):
                    return lChoice(*parts[:count])
    return None


@rule
def choiceTwice(s: Any) -> Strategy | None:
    """`a | a = a`, and `a | b | a = a | b`"""
    match s:
        case LChoice(parts) if len(set(parts)) < len(parts):
            return lChoice(*dict.fromkeys(parts))
    return None


@rule
def choiceId(s: Any) -> Strategy | None:
    """`a | id_ = try_(a)`"""
    match s:
        case LChoice((*before, Id())) if before:
            return Try(lChoice(*before))
    return None


@rule
def trySure(s: Any) -> Strategy | None:
    """`try_(a) = a` for a that never fails: so `try_(try_(a)) = try_(a)`"""
    return s.inner if isinstance(s, Try) and never_fails(s.inner) else None


@rule
def notNot(s: Any) -> Strategy | None:
    """`not_(not_(a)) = test(a)`, `not_(test(a)) = not_(a)`, `test(test(a)) = test(a)`, `test(not_(a)) = not_(a)`"""
    match s:
        case Not(Not(inner)):
            return Holding(inner)
        case Not(Holding(inner)):
            return Not(inner)
        case Holding(Holding(_) | Not(_) | Predicate() as inner):
            return inner
    return None


@rule
def notSure(s: Any) -> Strategy | None:
    """`not_(id_) = fail`, `not_(fail) = id_`"""
    match s:
        case Not(Fail()):
            return id_
        case Not(Id()):
            return fail
    return None


@rule
def nowhere(s: Any) -> Strategy | None:
    """`one(fail) = fail`, and likewise for all searches; `try_(fail) = repeat(fail) = normalize(fail) = id_`"""
    match s:
        case (
            One(Fail()) | Some(Fail()) | TopDown(Fail()) | BottomUp(Fail()) | Sometd(Fail()) | Somebu(Fail())
            | Child(_, Fail()) | Position(_, Fail()) | Skip(_, Fail()) | Holding(Fail())
        ):  # fmt: skip
            return fail
        case (
            Try(Fail()) | Repeat(Fail()) | Normalize(Fail()) | NormalizeBottomup(Fail())
            | TryAll(Fail()) | Alltd(Fail())
        ):  # fmt: skip
            return id_
    return None


@rule
def everywhere(s: Any) -> Strategy | None:
    """`all_(id_) = id_`, and likewise for all traversals that apply everywhere"""
    match s:
        case (
            All(Id())
            | AllTopdown(Id())
            | AllBottomup(Id())
            | TryAll(Id())
            | TopDown(Id())
            | Alltd(Id())
            | Holding(Id())
        ):
            return id_
    return None


@rule
def counted(s: Any) -> Strategy | None:
    """`repeatNTimes(0)(a) = id_`, `repeatNTimes(1)(a) = a`, `position(0)(a) = a`, `skip(0)(a) = topDown(a)`"""
    match s:
        case RepeatNTimes(0, _):
            return id_
        case RepeatNTimes(1, inner) | Position(0, inner):
            return inner
        case Skip(0, inner):
            return TopDown(inner)
    return None


def _with_inner(s: Any, inner: Strategy) -> Strategy:
    """The same focus or child applied to another strategy."""
    rebuilt: Strategy = replace(s, inner=inner)
    return rebuilt


@rule
def placeSeq(s: Any) -> Strategy | None:
    """`body(f >> g) = body(f) >> body(g)`, and likewise for every focus and `child(n)`"""
    match s:
        case Child(_, Seq(parts)) | Focus(_, _, _, _, Seq(parts)) if parts:
            return seq(*(_with_inner(s, part) for part in parts))
    return None


@rule
def placeChoice(s: Any) -> Strategy | None:
    """`body(f | g) = body(f) | body(g)`, and likewise for every focus and `child(n)`"""
    match s:
        case Child(_, LChoice(parts)) | Focus(_, _, _, _, LChoice(parts)) if parts:
            return lChoice(*(_with_inner(s, part) for part in parts))
    return None


@rule
def seqPlace(s: Any) -> Strategy | None:
    """`body(f) >> body(g) = body(f >> g)`, and likewise for every focus and `child(n)`: one descent, not two"""
    match s:
        case Seq(parts):
            for index in range(1, len(parts)):
                first, second = parts[index - 1], parts[index]
                if (
                    isinstance(first, Child | Focus)
                    and isinstance(second, Child | Focus)
                    and _with_inner(second, first.inner) == first
                ):
                    joined = _with_inner(first, seq(first.inner, second.inner))
                    return seq(*parts[: index - 1], joined, *parts[index + 1 :])
    return None


SIMPLIFYING: tuple[FunctionRule, ...] = (
    flatten,
    seqId,
    seqFail,
    seqGuardTwice,
    seqExhausted,
    choiceFail,
    choiceSure,
    choiceTwice,
    choiceId,
    trySure,
    notNot,
    notSure,
    nowhere,
    everywhere,
    counted,
)
"""Laws oriented to make a strategy smaller."""
PLACING: tuple[FunctionRule, ...] = (placeSeq, placeChoice)
"""Laws that distribute focuses over the single steps."""


@ends_at_the_users_line
def simplified(strategy: Strategy) -> Strategy:
    """A simpler strategy that does the same."""
    return _normal(lChoice(*SIMPLIFYING), strategy)


@ends_at_the_users_line
def FNF(strategy: Strategy) -> Strategy:
    """The same strategy with focuses distributed over its steps: each step starts where the whole does."""
    return _normal(lChoice(*PLACING), strategy)


@ends_at_the_users_line
def fused(strategy: Strategy) -> Strategy:
    """The same strategy with consecutive steps at one place joined: the inverse of FNF."""
    return _normal(seqPlace, strategy)


def _normal(rules: Strategy, strategy: Strategy) -> Strategy:
    result = apply(normalize(rules), expected_strategy(strategy))
    assert isinstance(result, Success)  # normalize never fails
    return result.program
