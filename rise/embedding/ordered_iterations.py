"""Independent iterations in order: the `reduceSeq` that a loop is before rules make it a `generate`.

Note [The sequential form]
The state of such a loop has the elements that iterations use, in an array: element i is what iteration i reads and
assigns, a tuple if it assigns to several arrays. Each iteration replaces this element. Elements that no iteration reads
are zero before the loop, since all of them are assigned: so the loop depends on no array that the program does not use.
"""

from __future__ import annotations

from collections.abc import Sequence

from rise.dsl.printer import Application, Function, Parenthesized, Syntax, TextPiece, TypeNode, Variable
from rise.embedding import trace as t
from rise.embedding.elementwise import element
from rise.embedding.sharing import Binding, occurrences, replaced
from rise.embedding.states import packed_type, zero
from rise.embedding.trace import Part, apply, computed, piped
from rise.naturals import Nat
from rise.types import ArrayType, IndexType, PairType, Type


def state_type(starts: Sequence[Part], count: Nat) -> Type:
    """The type of the state: an array with a value for each iteration."""
    return ArrayType(count, packed_type([element(start) for start in starts]))


def window_of(read: Part, turn: Part) -> Part | None:
    """The elements of an array that iterations use, of which `read` is the one of this iteration; None if `read` is
    another view of the array.
    """
    binding = _binding(read, turn)
    match binding and binding.syntax:
        case Application(Application(TextPiece("idx"), (index,)), (window,)) if index is turn.syntax:
            assert isinstance(turn.type, IndexType)
            return Part(ArrayType(turn.type.size, read.type), window, read.scope)
    return None


def read_from(states: Sequence[Part], place: int, read: Part, turn: Part) -> None:
    """Let `read` be component `place` of the element of the state; `states` has a name of the state for each array."""
    binding = _binding(read, turn)
    assert binding is not None
    value = piped("idx", turn.syntax, states[place].syntax)
    for _ in range(place):
        value = apply("snd", value)
    binding.syntax = apply("fst", value) if place < len(states) - 1 else value


def _binding(read: Part, turn: Part) -> Binding | None:
    return next((one for one in reversed(turn.scope.bindings) if one.variable is read.syntax), None)


def in_order(f: Part, windows: Sequence[Part], count: Nat, name: str) -> Part:
    """The values of all iterations, computed one after the other. `f` has the value of each, given the state, by a name
    for each array, and the number of the iteration; `windows` are the elements of each array that iterations use.
    """
    assert isinstance(f.syntax, Function) and f.syntax.outside is not None, f
    *states, turn = (variable for variable, _ in f.syntax.parameters)
    names, state = {id(one): number for number, one in enumerate(states)}, states[0]
    read = {names[id(variable)] for variable, _ in occurrences(f.syntax.body) if id(variable) in names}
    body = replaced(f.syntax.body, dict.fromkeys(names, state))
    index, new, place, i = TypeNode(IndexType(count)), Variable("new"), Variable("j"), Variable(name)
    is_turn = apply("eq", *(apply("indexAsInt", one) for one in (place, turn)))
    chosen = Parenthesized(("if ", is_turn, " then ", new, " else ", piped("idx", place, state)))
    changed = Function(((new, None),), apply("generate", Function(((place, index),), chosen)))
    # an array whose elements are read counts as used in the function, so that it gets a name before the loop, too
    in_body = (used for each in sorted(read) for used, _ in occurrences(windows[each].syntax))
    outside = (*f.syntax.outside, *((used, True) for used in in_body))
    step = Function(((state, None), (turn, None)), apply("let", body, changed), outside=outside)
    starts = [one.syntax if at in read else _zeros(one) for at, one in enumerate(windows)]
    start = starts.pop()
    while starts:
        start = apply("zip", starts.pop(), start)
    indices = apply("generate", Function(((i, index),), i))
    whole = ArrayType(count, t.result_of(f))
    return computed(whole, apply("reduceSeq", step, start, indices), f, *(windows[at] for at in sorted(read)))


def _zeros(one: Part) -> Syntax:
    """A value of the type of another one, of which all numbers are zero. It is bound to no variable."""

    def of(type: Type) -> Syntax:
        match type:
            case PairType(first, second):
                return apply("pair", of(first), of(second))
            case ArrayType(size, element):
                return apply("generate", Function(((Variable("i"), TypeNode(IndexType(size))),), of(element)))
        return zero(type, one.trace).syntax

    return of(one.type)
