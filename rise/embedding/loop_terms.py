"""The terms of loops with a state: `reduce`, `reduceSeq` and `iterateWhile`. Independent of loop bodies."""

from __future__ import annotations

from typing import Final

from rise.dsl.printer import Application, Function, Syntax, TextPiece, TypeNode, Variable
from rise.embedding.reductions import FOLDS
from rise.embedding.sharing import occurrences
from rise.embedding.states import unpacked
from rise.embedding.trace import Part, Trace, apply, bind, computed, function
from rise.naturals import Nat
from rise.types import BOOL, IndexType, ScalarType

_ASSOCIATIVE: Final = frozenset(fold.name for fold in FOLDS.values())


def reduced(f: Part, start: Part, count: Nat, name: str) -> tuple[Part, str]:
    """The final state of a loop. If the loop only accumulates one number, it is a `reduce` by the operation that is
    returned, too, otherwise a `reduceSeq`.
    """
    index = IndexType(count)
    i = Variable(name)
    match f.syntax:
        case Function(((state, _), (turn, _)), Application(TextPiece(operation), (left, right))) if (
            operation in _ASSOCIATIVE
            and not f.trace.is_in_order
            and isinstance(start.type, ScalarType)
            and (left is state or right is state)
        ):
            given = right if left is state else left
            if all(variable is not state for variable, _ in occurrences(given)):
                items = apply("generate", Function(((turn, TypeNode(index)),), given))
                syntax = apply("reduce", TextPiece(operation), start.syntax, items)
                return computed(start.type, syntax, f, start), operation
    indices = apply("generate", Function(((i, TypeNode(index)),), i))
    return computed(start.type, apply("reduceSeq", f.syntax, start.syntax, indices), f, start), ""


def repeated(f: Part, start: Part, count: Nat, flag: int, parts: int) -> Part:
    """The final state of a `while` as an `iterateWhile`, which ends once the flag at position `flag` of the state is
    set.
    """
    assert isinstance(f.syntax, Function), f
    (state, turn), body = f.syntax.parameters, f.syntax.body
    assert all(variable is not turn[0] for variable, _ in occurrences(body)), (
        "a `while` has no number of its turn"
    )

    def goes_on(now: Part) -> Part:
        ended = unpacked(now, parts)[flag]
        return computed(BOOL, apply("not", ended.syntax), ended)

    _name_numbers(f.trace, body)
    condition = function(f.trace, ["state"], [start.type], goes_on)
    syntax = apply("iterateWhile", TypeNode(count), condition.syntax, Function((state,), body), start.syntax)
    return computed(start.type, syntax, f, condition, start)


def _name_numbers(trace: Trace, body: Syntax) -> None:
    """Bind the elements of outer arrays that the body of a `while` reads to names before the loop. Python reads them
    there, and the loop may change their array in place.
    """
    for variable, _ in occurrences(body):
        known = trace.known.get(id(variable))
        if known is not None and isinstance(known.type, ScalarType):
            bind(trace, variable)
