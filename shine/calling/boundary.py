"""Where arrays enter and leave a kernel: checked against its types, sizes solved from shapes. Knows no
target.

An array of scalars is an ndarray of exactly the type, a pair a tuple, an array of pairs a pair of arrays,
`vec[n, t]` a trailing axis, `idx[n]` an i64, a scalar result a 0-d array. Nothing is converted silently;
inputs that are not contiguous are copied. What follows from the shapes alone is remembered, so that a second
call with them is quick.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from rise.analysis.obligations import check_obligations
from rise.arguments.mismatches import (
    GREATEST,
    found_text,
    given_size,
    mismatch,
    refuse,
    refuse_large,
    refuse_not_computed,
    size_notes,
)
from rise.diagnostics import Diagnostic, RiseError, did_you_mean, number_text
from rise.naturals import Atom, Nat, NatVar
from rise.polynomials import NotComputed
from rise.quotients import evaluate_natural
from rise.size_equations import Equation, solve
from rise.text.nat_printer import show_nat
from shine.calling.leaves import leaves_of, values_of
from shine.calling.memory import HOST, Memory
from shine.calling.output import Output, take_output
from shine.calling.ragged import (
    Numbers,
    calls_in,
    check_lengths,
    check_reaches,
    derived_starts,
    first_failed,
    flattened,
    output_lengths,
    rows_text,
    starts_of,
    tables_of,
    with_rows,
)
from shine.imperative.limits import Limits
from shine.imperative.nodes import Procedure

REMEMBERED: Final = 256  # shapes


@dataclass(frozen=True, slots=True)
class Resolved:
    """What follows from the shapes of the inputs: sizes, shapes of the outputs, ends of indices."""

    sizes: tuple[int, ...]
    outputs: tuple[tuple[int, ...], ...]
    ends: tuple[int | None, ...]
    lengths: tuple[Any, ...] = ()
    starts: tuple[Any, ...] = ()


class Boundary:
    """The checks of one kernel's calls."""

    def __init__(self, procedure: Procedure, limits: Limits) -> None:
        self.procedure = procedure
        self.limits = limits
        self.given = procedure.given
        self.inputs = [leaf for one in self.given for leaf in leaves_of(one.name, one.type)]
        self.outputs = leaves_of(procedure.output.name, procedure.output.type)
        arrays = [buffer for one in procedure.inputs for buffer in one.buffers]
        self._distinct = [place for place, one in enumerate(arrays) if one in procedure.distinct]
        self._single = all(len(leaves_of(one.name, one.type)) == 1 for one in self.given)
        self._has_rows = bool(procedure.tables) or any(one.rows for one in (*self.inputs, *self.outputs))
        self._resolved: dict[Any, Resolved] = {}

    def accept(
        self,
        arguments: Sequence[Any],
        out: Any = None,
        sizes: Mapping[str, Any] | None = None,
        memory: Memory = HOST,
    ) -> tuple[tuple[int, ...], list[Any], Output]:
        """The sizes, what to pass for each buffer of inputs and output, and the output. `memory` is where all arrays of
        the call lie.

        Raises RiseError where an argument does not fit.
        """
        procedure = self.procedure
        if procedure.explicit and len(arguments) == len(self.given) + len(procedure.explicit):
            arguments, sizes = self._without_sizes(arguments, sizes)
        if len(arguments) != len(self.given):
            _wrong_count(procedure, len(arguments))
        spread = arguments if self._single else self._spread(arguments)
        lengths: list[Any] = []
        starts: list[Any] = []
        if self._has_rows:
            spread, lengths = flattened(self.inputs, spread)
        values = memory.adopt(self.inputs, spread)
        passed = [memory.take(leaf, value) for leaf, value in zip(self.inputs, values, strict=True)]
        if self._has_rows:
            starts, sizes = starts_of(procedure, self.inputs, lengths, sizes)
        given = self._given(sizes) if sizes else ()
        of_rows = [Numbers(one) for one in (*starts, *lengths) if one is not None]
        key = (tuple([value.shape for value in passed]), given, *of_rows)
        resolved = self._resolved.get(key)
        if resolved is None:
            resolved = self._resolve(passed, given, lengths, starts)
            if len(self._resolved) >= REMEMBERED:
                self._resolved.clear()
            self._resolved[(*key[:2], *(one.kept() for one in of_rows))] = resolved
        for leaf, value, end in zip(self.inputs, passed, resolved.ends, strict=True):
            if end is not None:
                memory.check_indices(leaf, value, end)
        for place in self._distinct:
            memory.check_distinct(self.inputs[place], passed[place])
        output = take_output(
            procedure.output.type,
            self.outputs,
            resolved.outputs,
            out,
            self.inputs,
            values,
            memory,
            resolved.lengths,
        )
        return resolved.sizes, [*passed, *starts, *resolved.starts, *output.passed], output

    def _without_sizes(
        self, arguments: Sequence[Any], sizes: Mapping[str, Any] | None
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """The arrays alone, and the sizes that stood among them by name: `(n: nat) -> ...` is given in its place."""
        places = dict(self.procedure.explicit)
        named = {size.name: arguments[position] for position, size in places.items()}
        arrays = [value for position, value in enumerate(arguments) if position not in places]
        return arrays, {**(sizes or {}), **named}

    def _spread(self, arguments: Sequence[Any]) -> list[Any]:
        values: list[Any] = []
        for parameter, argument in zip(self.given, arguments, strict=True):
            values += values_of(parameter.name, parameter.type, argument)
        return values

    def _given(self, sizes: Mapping[str, Any]) -> tuple[tuple[NatVar, int], ...]:
        """The sizes that a caller names."""
        known = {size.name: size for size in self.procedure.sizes}
        for name in sizes:
            if name not in known:
                hint = did_you_mean(name, known) or f"it has {', '.join(known) or 'none'}"
                refuse("unknown-name", f"{self.procedure.name} has no size `{name}`", hint)
        return tuple((known[name], given_size(name, sizes[name])) for name in sorted(sizes))

    def _resolve(
        self,
        passed: Sequence[Any],
        given: tuple[tuple[NatVar, int], ...],
        lengths: Sequence[Any],
        starts: Sequence[Any],
    ) -> Resolved:
        """Solve the sizes, and check what must hold of them."""
        try:
            return self._solve(passed, given, lengths, starts)
        except NotComputed as shown:
            refuse_not_computed(shown, f"{self.procedure.name}: ")

    def _solve(
        self,
        passed: Sequence[Any],
        given: tuple[tuple[NatVar, int], ...],
        lengths: Sequence[Any],
        starts: Sequence[Any],
    ) -> Resolved:
        procedure = self.procedure
        sizes: dict[Any, Any] = dict(given)
        sizes.update(tables_of(procedure, starts))
        origins: dict[NatVar, str] = {size: "`sizes`" for size, _ in given}
        origins.update((one.size, f"the pair `{self.given[one.position].name}`") for one in procedure.pairs)
        equations = [
            Equation(size, int(found), leaf.parameter, axis)
            for leaf, value in zip(self.inputs, passed, strict=True)
            for axis, (size, found) in enumerate(zip(leaf.shape, value.shape, strict=True))
        ]
        if self._has_rows:
            equations = with_rows(self.inputs, lengths, equations)

        def report(equation: Equation, expected: int | None) -> NoReturn:
            shown = [
                found_text(value) if not lengths or lengths[i] is None else rows_text(lengths[i], value)
                for i, value in enumerate(passed)
            ]
            self._wrong_size(equation, shown, size_notes(equation, expected, sizes, origins))

        solve(equations, sizes, origins, report)
        later = {*(size for size, _ in procedure.measures), *(table.rows for table in procedure.tables)}
        for size in procedure.sizes:
            if size not in sizes and size not in later:
                title = f"no argument determines the size `{size.name}`"
                refuse("size-unknown", title, f"give it: sizes={{{size.name!r}: ...}}")
            if size in sizes and sizes[size] > GREATEST:
                refuse_large(f"{procedure.name}: expected the size `{size.name}`", sizes[size])
        if lengths:
            check_lengths(self.inputs, lengths, sizes)
        derived = derived_starts(procedure, sizes)
        for size, measured in procedure.measures:
            sizes[size] = _number(measured, sizes)
        numbers = tuple(sizes[size] for size in procedure.sizes)
        read = max((int(one[-1]) for one in (*starts, *derived)), default=0)
        check_reaches(procedure, (*self.inputs, *self.outputs), sizes)
        self.limits.check(procedure.name, numbers, read, origins)
        self._check_obligations(sizes, origins)
        outputs = tuple(tuple(_number(size, sizes) for size in leaf.shape) for leaf in self.outputs)
        ends = tuple(None if leaf.end is None else _number(leaf.end, sizes) for leaf in self.inputs)
        cuts = output_lengths(self.outputs, sizes) if self._has_rows else ()
        if procedure.number is not None:
            _number(procedure.number, sizes)
        return Resolved(numbers, outputs, ends, cuts, derived)

    def _check_obligations(self, sizes: Mapping[Atom, int], origins: Mapping[NatVar, str]) -> None:
        by_name = {size.name: sizes[size] for size in self.procedure.sizes}
        failed = check_obligations(list(self.procedure.checks), by_name)
        row: dict[NatVar, int] = {}
        if failed is None:
            of_rows = first_failed(self.procedure.checks, sizes)
            if of_rows is None:
                return
            failed, row = of_rows
        named = sorted(
            (v for v in failed.subject.free if v in sizes and isinstance(v, NatVar)), key=lambda v: v.name
        )
        values = [(v.name, sizes[v]) for v in named] + sorted((v.name, at) for v, at in row.items())
        values += [(show_nat(call), value) for call, value in calls_in(failed.subject, {**sizes, **row})]
        found = ", ".join(f"{name} = {value}" for name, value in values)
        notes = (failed.reason, *(f"{v.name} is from {origins[v]}" for v in named if v in origins))
        title = f"{self.procedure.name}: expected sizes for which {failed.condition}, found {found}"
        refuse("size-mismatch", title, "give arrays of other sizes, or pad them", notes)

    def _wrong_size(self, equation: Equation, shown: Sequence[str], notes: tuple[str, ...]) -> NoReturn:
        for parameter in self.given:
            if parameter.name == equation.parameter:
                at = [i for i, leaf in enumerate(self.inputs) if leaf.parameter == equation.parameter]
                found = shown[at[0]] if len(at) == 1 else "a pair"
                mismatch(equation.parameter, parameter.type, found, "", notes)
        raise AssertionError(f"{equation.parameter} is no parameter")


def in_order(
    procedure: Procedure, arguments: Sequence[Any], named: Mapping[str, Any], has_sizes: bool
) -> tuple[Any, ...]:
    """The arguments of a call of which some are given by the names of their parameters; explicit sizes are among them
    unless `has_sizes`: then they are given apart. Raises RiseError for a name that there is not, and for a parameter
    that is given twice or not at all.
    """
    names = [parameter.name for parameter in procedure.given]
    if not has_sizes:
        for position, size in sorted(procedure.explicit, key=lambda one: one[0]):
            names.insert(position, size.name)
    for name in named:
        if name not in names:
            hint = did_you_mean(name, [*names, "out", "sizes", "stream"]) or f"they are {', '.join(names)}"
            refuse("unknown-name", f"{procedure.name} has no parameter `{name}`", hint)
        if name in names[: len(arguments)]:
            title = f"{procedure.name}: `{name}` is given twice, in its place and by its name"
            refuse("argument-count", title, "leave one of them away")
    rest = names[len(arguments) :]
    missing = [name for name in rest if name not in named]
    if missing:
        refuse("argument-count", f"{procedure.name}: the parameter `{missing[0]}` is not given", "give it")
    return (*arguments, *(named[name] for name in rest))


def _number(a: Nat, sizes: Mapping[Atom, int]) -> int:
    """The number that a size is; one that is none is refused."""
    try:
        value = evaluate_natural(a, dict(sizes))
    except ZeroDivisionError:
        refuse("size-not-natural", f"the size {show_nat(a)} divides by zero", "give other sizes")
    if not isinstance(value, int) or value < 0:
        found = number_text(value) if isinstance(value, int) else value
        refuse("size-not-natural", f"expected a natural number for the size {show_nat(a)}, found {found}")
    if value > GREATEST:
        refuse_large(f"expected the size {show_nat(a)}", value)
    return value


def _wrong_count(procedure: Procedure, found: int) -> NoReturn:
    wanted = len(procedure.given)
    takes = "1 argument" if wanted == 1 else f"{wanted} arguments"
    names = ", ".join(parameter.name for parameter in procedure.given)
    notes = (f"they are {names}",) if names else ()
    title, hint = f"{procedure.name} takes {takes}, found {found}", "pass one for each parameter"
    raise RiseError(Diagnostic("argument-count", title, hint=hint, notes=notes))
