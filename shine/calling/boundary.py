"""Checks the arguments of a kernel against its types, and solves sizes from their shapes. Independent of targets.

An array of scalars is an ndarray of exactly its type, a pair is a tuple, an array of pairs is a pair of arrays,
`vec[n, t]` is a trailing axis, `idx[n]` is an i64, and a scalar result is a 0-d array. Nothing is converted silently;
inputs that are not contiguous are copied. Results that depend only on shapes are cached, so that a second call with the
same shapes is fast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from rise.analysis.obligations import check_obligations
from rise.arguments.leaves import leaves_of, scalar_value, values_of
from rise.arguments.mismatches import (
    MAX_SIZE,
    given_size,
    mismatch,
    refuse,
    refuse_large,
    refuse_not_computed,
    shape_text,
    size_notes,
)
from rise.diagnostics import Diagnostic, RiseError, did_you_mean, number_text
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, NatVar
from rise.polynomials import NotComputed
from rise.records import dataclass
from rise.size_equations import Equation, solve
from rise.text.nat_printer import show_nat
from shine.calling.memory import Memory, host_memory
from shine.calling.output import Output, take_output, take_updates
from shine.calling.ragged_arrays import (
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

MAX_REMEMBERED_SHAPES: Final = 256


@dataclass(frozen=True, slots=True)
class Resolved:
    """The results of solving the shapes of the inputs: sizes, shapes of the outputs, bounds of indices."""

    sizes: tuple[int, ...]
    outputs: tuple[tuple[int, ...], ...]
    ends: tuple[int | None, ...]
    lengths: tuple[Any, ...] = ()
    starts: tuple[Any, ...] = ()


class Boundary:
    """Checks the calls of one kernel."""

    def __init__(self, procedure: Procedure, limits: Limits) -> None:
        self.procedure = procedure
        self.limits = limits
        self.given = procedure.given
        self.inputs = [leaf for parameter in self.given for leaf in leaves_of(parameter.name, parameter.type)]
        self.outputs = leaves_of(procedure.output.name, procedure.output.type)
        arrays = [buffer for parameter in procedure.inputs for buffer in parameter.buffers]
        self._distinct = [place for place, buffer in enumerate(arrays) if buffer in procedure.distinct]
        self._single = all(len(leaves_of(parameter.name, parameter.type)) == 1 for parameter in self.given)
        self._has_rows = bool(procedure.tables) or any(leaf.rows for leaf in (*self.inputs, *self.outputs))
        self._resolved: dict[Any, Resolved] = {}

    def accept(
        self,
        arguments: Sequence[Any],
        out: Any = None,
        sizes: Mapping[str, Any] | None = None,
        memory: Memory | None = None,
    ) -> tuple[Resolved, list[Any], Output]:
        """Check the arguments of a call. Returns what the shapes determine, the value to pass for each buffer of the
        inputs and the output, and the output. `memory` holds all arrays of the call; by default the host's memory.

        Raises RiseError if an argument does not fit.
        """
        procedure = self.procedure
        memory = memory or host_memory(arguments, out)
        if procedure.explicit and len(arguments) == len(self.given) + len(procedure.explicit):
            arguments, sizes = self._without_sizes(arguments, sizes)
        if len(arguments) != len(self.given):
            _wrong_count(procedure, len(arguments))
        flat_arguments = arguments if self._single else self._spread(arguments)
        lengths: list[Any] = []
        starts: list[Any] = []
        if self._has_rows:
            flat_arguments, lengths = flattened(self.inputs, flat_arguments)
        values = memory.adopt(self.inputs, flat_arguments)
        passed = list(map(memory.take, self.inputs, values, flat_arguments))
        if self._has_rows:
            starts, sizes = starts_of(procedure, self.inputs, lengths, sizes)
        given = self._given(sizes) if sizes else ()
        row_numbers = [Numbers(numbers) for numbers in (*starts, *lengths) if numbers is not None]
        key = (tuple([value.shape for value in passed]), given, *row_numbers)
        resolved = self._resolved.get(key)
        if resolved is None:
            resolved = self._resolve(passed, given, lengths, starts)
            if len(self._resolved) >= MAX_REMEMBERED_SHAPES:
                self._resolved.clear()
            self._resolved[(*key[:2], *(numbers.kept() for numbers in row_numbers))] = resolved
        for leaf, value, end in zip(self.inputs, passed, resolved.ends, strict=True):
            if end is not None:
                memory.check_indices(leaf, value, end)
        for place in self._distinct:
            memory.check_distinct(self.inputs[place], passed[place])
        if procedure.updates and out is None:
            output = take_updates(
                procedure.output.type,
                self.outputs,
                resolved.outputs,
                procedure.updates,
                self.inputs,
                values,
                passed,
                flat_arguments,
                memory,
            )
            return resolved, [*passed, *starts, *resolved.starts, *output.passed], output
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
        for update in procedure.updates:
            if update.in_place:  # the kernel changes the elements of `out`
                memory.copy_back(output.passed[update.output], passed[update.input])
        return resolved, [*passed, *starts, *resolved.starts, *output.passed], output

    def resolve(self, values: Sequence[Any], sizes: Mapping[str, Any] | None = None) -> Resolved:
        """The result of solving the shapes. `values` has one item for each array and number of the inputs; only their
        types and shapes are used.

        Raises RiseError if they do not fit.
        """
        shown = [scalar_value(leaf, value) for leaf, value in zip(self.inputs, values, strict=True)]
        return self._resolve(shown, self._given(sizes) if sizes else (), [], [])

    def _without_sizes(
        self, arguments: Sequence[Any], sizes: Mapping[str, Any] | None
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """Split positional arguments into arrays and explicit sizes by name, which `(n: nat) -> ...` takes by
        position.
        """
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
        """The sizes that a caller passes by name."""
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
        """Solve the sizes, and check their conditions."""
        try:
            return self._solve(passed, given, lengths, starts)
        except NotComputed as error:
            refuse_not_computed(error, f"{self.procedure.name}: ")

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
        origins.update(
            (pair.size, f"the pair `{self.given[pair.position].name}`") for pair in procedure.pairs
        )
        equations = [
            Equation(size, int(extent), leaf.parameter, axis)
            for leaf, value in zip(self.inputs, passed, strict=True)
            for axis, (size, extent) in enumerate(zip(leaf.shape, value.shape, strict=True))
        ]
        if self._has_rows:
            equations = with_rows(self.inputs, lengths, equations)

        def report(equation: Equation, expected: int | None) -> NoReturn:
            found_texts = [
                shape_text(value) if not lengths or lengths[i] is None else rows_text(lengths[i], value)
                for i, value in enumerate(passed)
            ]
            self._wrong_size(equation, found_texts, size_notes(equation, expected, sizes, origins))

        solve(equations, sizes, origins, report)
        later = {*(size for size, _ in procedure.measures), *(table.rows for table in procedure.tables)}
        for size in procedure.sizes:
            if size not in sizes and size not in later:
                title = f"no argument determines the size `{size.name}`"
                refuse("size-unknown", title, f"pass it: sizes={{{size.name!r}: ...}}")
            if size in sizes and sizes[size] > MAX_SIZE:
                refuse_large(f"{procedure.name}: expected the size `{size.name}`", sizes[size])
        if lengths:
            check_lengths(self.inputs, lengths, sizes)
        derived = derived_starts(procedure, sizes)
        for size, measured in procedure.measures:
            sizes[size] = _number(measured, sizes)
        size_values = tuple(sizes[size] for size in procedure.sizes)
        max_start = max((int(row_starts[-1]) for row_starts in (*starts, *derived)), default=0)
        check_reaches(procedure, (*self.inputs, *self.outputs), sizes)
        self.limits.check(procedure.name, size_values, max_start, origins)
        self._check_obligations(sizes, origins)
        outputs = tuple(tuple(_number(size, sizes) for size in leaf.shape) for leaf in self.outputs)
        ends = tuple(None if leaf.end is None else _number(leaf.end, sizes) for leaf in self.inputs)
        row_lengths = output_lengths(self.outputs, sizes) if self._has_rows else ()
        if procedure.number is not None:
            _number(procedure.number, sizes)
        return Resolved(size_values, outputs, ends, row_lengths, derived)

    def _check_obligations(self, sizes: Mapping[Atom, int], origins: Mapping[NatVar, str]) -> None:
        by_name = {size.name: sizes[size] for size in self.procedure.sizes}
        failed = check_obligations(list(self.procedure.checks), by_name)
        row: dict[NatVar, int] = {}
        if failed is None:
            failed_row = first_failed(self.procedure.checks, sizes)
            if failed_row is None:
                return
            failed, row = failed_row
        named = sorted(
            (v for v in failed.subject.free if v in sizes and isinstance(v, NatVar)), key=lambda v: v.name
        )
        values = [(v.name, sizes[v]) for v in named] + sorted((v.name, index) for v, index in row.items())
        values += [(show_nat(call), value) for call, value in calls_in(failed.subject, {**sizes, **row})]
        values_text = ", ".join(f"{name} = {value}" for name, value in values)
        notes = (failed.reason, *(f"{v.name} is from {origins[v]}" for v in named if v in origins))
        title = f"{self.procedure.name}: expected sizes for which {failed.condition}, found {values_text}"
        refuse("size-mismatch", title, "pass arrays of other sizes, or pad them", notes)

    def _wrong_size(self, equation: Equation, found_texts: Sequence[str], notes: tuple[str, ...]) -> NoReturn:
        for parameter in self.given:
            if parameter.name == equation.parameter:
                leaf_positions = [
                    i for i, leaf in enumerate(self.inputs) if leaf.parameter == equation.parameter
                ]
                found = found_texts[leaf_positions[0]] if len(leaf_positions) == 1 else "a pair"
                mismatch(equation.parameter, parameter.type, found, "", notes)
        raise AssertionError(f"{equation.parameter} is no parameter")


def in_order(
    procedure: Procedure, arguments: Sequence[Any], named: Mapping[str, Any], has_sizes: bool
) -> tuple[Any, ...]:
    """The positional and named arguments of a call, in the order of the parameters. They include explicit sizes, unless
    `has_sizes`: then these are given separately. Raises RiseError for an unknown name, and for a parameter that is
    given twice or not at all.
    """
    names = [parameter.name for parameter in procedure.given]
    if not has_sizes:
        for position, size in sorted(procedure.explicit, key=lambda entry: entry[0]):
            names.insert(position, size.name)
    for name in named:
        if name not in names:
            hint = did_you_mean(name, [*names, "out", "sizes", "stream"]) or f"they are {', '.join(names)}"
            refuse("unknown-name", f"{procedure.name} has no parameter `{name}`", hint)
        if name in names[: len(arguments)]:
            title = f"{procedure.name}: `{name}` is given twice, by position and by name"
            refuse("argument-count", title, "omit one of them")
    rest = names[len(arguments) :]
    missing = [name for name in rest if name not in named]
    if missing:
        refuse(
            "argument-count",
            f"{procedure.name}: the argument for the parameter `{missing[0]}` is missing",
            "give it",
        )
    return (*arguments, *(named[name] for name in rest))


def _number(a: Nat, sizes: Mapping[Atom, int]) -> int:
    """Evaluate a size. Raises RiseError if it is not a natural number."""
    try:
        value = evaluate_natural(a, dict(sizes))
    except ZeroDivisionError:
        refuse("size-not-natural", f"the size {show_nat(a)} divides by zero", "use other sizes")
    if not isinstance(value, int) or value < 0:
        value_text = number_text(value) if isinstance(value, int) else value
        refuse(
            "size-not-natural", f"expected a natural number for the size {show_nat(a)}, found {value_text}"
        )
    if value > MAX_SIZE:
        refuse_large(f"expected the size {show_nat(a)}", value)
    return value


def _wrong_count(procedure: Procedure, count: int) -> NoReturn:
    expected = len(procedure.given)
    takes = "1 argument" if expected == 1 else f"{expected} arguments"
    names = ", ".join(parameter.name for parameter in procedure.given)
    notes = (f"they are {names}",) if names else ()
    title, hint = f"{procedure.name} takes {takes}, found {count}", "pass one for each parameter"
    raise RiseError(Diagnostic("argument-count", title, hint=hint, notes=notes))
