"""Reads schedules that were saved as text. Parses the text, but does not execute it."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, NoReturn, TypeVar

from elevate import Diagnostic, StrategyError
from elevate.argument_checks import expected
from rise.tracebacks import ends_at_the_users_line
from strategies.fireiron.micro_kernels import MicroKernel
from strategies.fireiron.schedule import (
    A,
    B,
    Chain,
    ColMajor,
    Contract,
    Map,
    MatMul,
    Move,
    Reduce,
    RowMajor,
    Schedule,
)
from strategies.fireiron.specs import LOCATIONS, MATMUL, MOVE, UNITS
from strategies.fireiron.tiles import Strided

T = TypeVar("T")
#: the schedules without steps, by the names with which the texts of schedules begin
STARTS: Final = {schedule.kind.name: schedule for schedule in (MatMul, Chain, Contract, Map, Reduce, Move)}
_VALUES: Final[dict[str, object]] = {
    "A": A,
    "B": B,
    "ColMajor": ColMajor,
    "RowMajor": RowMajor,
    **{str(one): one for one in (*LOCATIONS, *UNITS)},
}
#: steps and refinements without arguments
_PROPERTIES: Final = frozenset(
    ("mmaTile", "done", "unroll", "toColMajor", "toRowMajor", "vector", "noSync", "sync", "reuseBuffer")
)
#: steps and refinements with arguments
_METHODS: Final = frozenset(
    (
        "tile",
        "load",
        "split",
        "first",
        "by",
        "epilog",
        "stage",
        "to",
        "layout",
        "swizzle",
        "storageLayout",
        "pad",
        "align",
        "done",
        "mma",
    )
)


@ends_at_the_users_line
def read_schedule(text: str, kernels: Iterable[MicroKernel] = ()) -> Schedule:
    """The schedule that `str` printed; the text has the names of the micro-kernels that it uses.

    Raises StrategyError if the text is not a schedule of these.
    """
    expected(text, str, "the text of a schedule", "schedule", "pass what str(schedule) gives")
    try:
        with warnings.catch_warnings(action="ignore"):
            expression = ast.parse(text.strip(), mode="eval").body
        return _schedule(expression, {kernel.name: kernel for kernel in kernels})
    except SyntaxError as error:
        _refuse(f"expected the text of a schedule, found a syntax error: {error.msg}")
    except (ValueError, RecursionError, MemoryError):
        _refuse("expected the text of a schedule, found one that Python cannot parse")


def _schedule(node: ast.expr, known: Mapping[str, object]) -> Schedule:
    """The schedule of an expression. Steps are processed in a loop instead of recursively, since there may be many."""
    links: list[tuple[str, ast.Call | None]] = []
    while True:
        match node:
            case ast.Name(id=name) if name in STARTS:
                break
            case ast.Call(func=ast.Name(id=name)) if name in STARTS:
                break
            case ast.Attribute(value=inner, attr=name):
                links.append((name, None))
                node = inner
            case ast.Call(func=ast.Attribute(value=inner, attr=name)):
                links.append((name, node))
                node = inner
            case _:
                _refuse(
                    f"expected a schedule that begins with {' or '.join(STARTS)}, found `{ast.unparse(node)}`"
                )
    start = node.func if isinstance(node, ast.Call) else node
    schedule = STARTS[ast.unparse(start)]
    if isinstance(node, ast.Call):
        schedule = _called(schedule, node, schedule.kind.name, known, schedule)
    for name, call in reversed(links):
        if name not in (_PROPERTIES if call is None else _METHODS):
            _refuse(f"expected a step or a refinement, found `{name}`", schedule)
        found: Any = getattr(schedule, name)
        schedule = found if call is None else _called(found, call, name, known, schedule)
    return schedule


def _called(
    function: Callable[..., T],
    call: ast.Call,
    name: str,
    known: Mapping[str, object],
    schedule: Schedule | None = None,
) -> T:
    """The result of a call; if it does not fit the parameters, the diagnostic has the steps that fit the schedule."""
    positional = [_value(one, known) for one in call.args]
    by_name = {str(one.arg): _value(one.value, known) for one in call.keywords}
    try:
        return function(*positional, **by_name)
    except TypeError:
        written = f"{name}({', '.join(map(ast.unparse, (*call.args, *call.keywords)))})"
        _refuse(f"expected the arguments of `{name}`, found `{written}`", schedule)


def _value(node: ast.expr, known: Mapping[str, object]) -> object:
    match node:
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.Constant(value=int() | str() as value):
            return value
        case ast.Name(id=name) if name in _VALUES:
            return _VALUES[name]
        case ast.Name(id=name) if len(name) == 1 and name.isupper():
            return name  # an operand
        case ast.Tuple(elts=elements):
            return tuple(_value(one, known) for one in elements)
        case ast.Call(func=ast.Name(id="Strided")):
            return _called(Strided, node, "Strided", known)
        case ast.Attribute() | ast.Call() | ast.Name(id=(MOVE.name | MATMUL.name)):
            return _schedule(node, known)
        case _:
            names = ", ".join(sorted((*_VALUES, *known)))
            title = f"expected a number or one of {names}, found `{ast.unparse(node)}`"
            hint = "micro-kernels are passed with the text: read_schedule(text, kernels)"
            _refuse(title, hint=hint)


def _refuse(title: str, schedule: Schedule | None = None, hint: str = "") -> NoReturn:
    written = "a schedule is written as MatMul.tile(64, 64).to(Block)"
    diagnostic = Diagnostic("schedule", title, hint=hint or written)
    raise StrategyError(diagnostic if schedule is None else schedule.with_steps(replace(diagnostic, hint="")))
