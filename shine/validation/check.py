"""Whether a procedure computes what a program says. Independent of rules, strategies, and of the translation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rise.argument_checks import Termlike, term_of
from rise.checker import Answer, Operator, check
from rise.checker.state import State
from rise.checker.values import Array, Function, Value
from rise.types import FunType, Type
from shine.imperative.nodes import Buffer, Procedure
from shine.validation.boundary import UnsupportedError, assembled, flattened
from shine.validation.execution import Execution, Memory, unspecified
from shine.validation.owners import check_places, check_ranges

EFFORT: Final = 50_000  # steps of the checker


def check_procedure(
    program: Termlike,
    procedure: Procedure,
    low: Termlike | None = None,
    operators: tuple[Operator, ...] = (),
    contracts: bool = False,
    effort: int = EFFORT,
) -> Answer:
    """Decide whether a procedure computes the value of a program, for all inputs, and all sizes that are not numbers.

    Also shown: accesses are inside of buffers, each element of the result is stored, loops that run in parallel share
    no elements, and what is read was stored before. `low` is the lowered program, with the conditions on sizes that
    lowering added; the other arguments are those of `rise.checker.check`. The answer is unknown for atomic updates,
    streams, indices that are data, matrices in fragments, barriers, and sizes that are inputs.

    >>> import rise
    >>> from shine.pipeline import build
    >>> low = rise.parse("val main = fun(xs: N.f32 => xs |> mapSeq(fun(x => x * x)))").main
    >>> check_procedure(low, build(low, "interpret").procedure).is_checked
    True
    """
    given = term_of(program)
    result = given if low is None else term_of(low)

    def value(state: State, sizes: Mapping[Any, Any], t: Type) -> Value:
        return _value(state, procedure, sizes, t)

    try:
        _refuse(procedure)
        return check(given, result, operators, contracts, effort, denoted=value)
    except UnsupportedError as error:
        return Answer(False, reason=f"stopped at {error}")


def _refuse(procedure: Procedure) -> None:
    """Raise UnsupportedError for procedures whose arguments are not those of the program."""
    if procedure.tables or procedure.pairs or procedure.number is not None:
        raise UnsupportedError("sizes that are inputs or results")
    if any(one.in_place for one in procedure.updates):
        raise UnsupportedError("an input that the procedure changes")
    if [position for position, _ in procedure.explicit] != list(range(len(procedure.explicit))):
        raise UnsupportedError("sizes after inputs")


def _value(state: State, procedure: Procedure, sizes: Mapping[Any, Any], t: Type) -> Value:
    """The function of all inputs that a procedure is."""
    buffers: dict[Buffer, Array] = {}

    def applied(number: int, t: Type) -> Value:
        if number == len(procedure.inputs):
            return _result(state, procedure, buffers, sizes, t)
        parameter = procedure.inputs[number]
        if not isinstance(t, FunType):
            raise UnsupportedError("inputs that the program does not have")

        def call(x: Value) -> Value:
            flat = flattened(state, x, t.parameter)
            buffers.update(zip(parameter.buffers, flat, strict=True))
            return applied(number + 1, t.result)

        return Function(call, parameter.name)

    return applied(0, t)


def _result(
    state: State, procedure: Procedure, inputs: Mapping[Buffer, Array], sizes: Mapping[Any, Any], t: Type
) -> Value:
    empty = {one: unspecified(state, one, sizes) for one in procedure.output.buffers}
    check_ranges(state, procedure.body, sizes)
    check_places(state, procedure.body, sizes)
    after = Execution(state, procedure.body, sizes).run(
        procedure.body, Memory({**inputs, **empty}, {}, sizes)
    )
    return assembled(state, t, [after.buffers[one] for one in procedure.output.buffers])
