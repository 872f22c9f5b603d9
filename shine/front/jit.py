"""`shine.jit`: numpy functions, compiled for the types of the arguments of their calls.

A call with arrays of new types builds a program: the size of every axis is a name, the same for axes of equal length,
and 1 for axes of length 1, which numpy broadcasts; a number for short axes other than the first; or what follows from
the function, where lengths must be equal: a number, or a length computed from others. The program's kernel then runs
every call whose sizes fit these names. See `Jitted`. One subject: what a call does, from its arguments to a kernel.
Independent of strategies.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeAlias, cast, overload

import numpy as np

from rise.analysis.obligations import check_obligations
from rise.argument_checks import term_of
from rise.arguments.libraries import NO_ARRAYS, NUMPY, PLAIN, as_numpy, given_as, library_for, library_of
from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.embedding.conversions import Symbol, WeakSymbol
from rise.embedding.iterations import MAX_UNROLLED, LongLoopError
from rise.embedding.lengths import UnequalLengthsError
from rise.embedding.programs import PythonProgram, program, refuse_resumed
from rise.embedding.results import WithUpdates, as_returned
from rise.embedding.symbolic_sizes import Comparison, Decision, SymbolicSize, UndecidedSizesError
from rise.embedding.trees import NODES, leaves_of
from rise.naturals import Atom, NatVar, var
from rise.packages import imported
from rise.programs.heads import facts_beside, specialise
from rise.programs.program import Program
from rise.records import dataclass
from rise.terms import Expr, Fact
from rise.tracebacks import ends_at_the_users_line, strip
from rise.values import map_leaves
from shine.front.argument_trees import leaves_in, nested, shown, trees_of
from shine.front.argument_types import (
    Shape,
    are_lengths,
    decision_at,
    hold,
    kind_of,
    numbers_of,
    raised_names,
    shapes_of,
    short_lengths,
    sizes_in,
    sizes_of,
    views_of,
    with_equal,
    with_known,
)
from shine.front.compilation import compile
from shine.kernel import Kernel

if TYPE_CHECKING:
    from elevate import Strategy
    from shine.front.derivation import Derivation

#: calls with so many values of the same parameters that are part of the program only because the function needs it
#: cause a warning, since each has its own kernel
MANY_VALUES: Final = 32
#: the largest number of comparisons of lengths that are decided for a kernel
MOST_DECIDED: Final = 32
#: what is compiled: a function, or a program
Source: TypeAlias = "Callable[..., Any] | PythonProgram | Program | Expr"

#: calls with the same shapes that are remembered; beyond, all are forgotten
MAX_CALLS: Final = 1 << 12
#: the symbols in place of arguments while another program is built
SYMBOLS: Final = (Symbol, WeakSymbol, SymbolicSize)
#: the type of an int
SIZE: Final = "nat"
#: the classes of arguments without an array of another library
NOTHING_TO_READ: Final = PLAIN | NO_ARRAYS
#: the target whose kernels run a loop over arrays as fast as its iterations one after the other
CPU: Final = "openmp"
SYMBOLIC, FIXED = "symbolic", "fixed"


@dataclass(frozen=True, slots=True)
class Lowered:
    """A function compiled for arguments of some types.

    - `program`: the program, whose main term has the meaning of the function.
    - `kernel`: the kernel that runs; `source` is its text.
    - `strategy`: the strategy that lowered it, or its address; None for the target's own.
    """

    program: PythonProgram | Program | Expr
    kernel: Kernel
    strategy: Strategy | str | None
    arch: str | None = None

    @property
    def source(self) -> str:
        """The text that was compiled."""
        return self.kernel.source

    @property
    def constants(self) -> tuple[Any, ...]:
        """The arrays that the kernel takes after the arguments."""
        return self.program.constants if isinstance(self.program, PythonProgram) else ()

    @property
    def layout(self) -> Any:
        """How the function returns its results, if they are not nested pairs like those of the kernel."""
        layout = self.program.layout if isinstance(self.program, PythonProgram) else None
        return None if type(layout) is tuple and layout == (None, None) else layout

    @property
    def derivation(self) -> Derivation:
        """The steps from the program to the kernel's low-level term, derived again."""
        derivation: Derivation = imported("shine.front.explanation").derivation_of(*self._choices)
        return derivation

    @property
    def loop_derivation(self) -> Derivation:
        """The steps from the program with all loops in order, `program.sequential`, to the program: they show which
        iterations are independent, and which only accumulate a value.
        """
        derivation: Derivation = imported("shine.front.explanation").loop_derivation_of(self.program)
        return derivation

    def explain(self) -> str:
        """How it was compiled, in words: types, steps, stored values, passes."""
        text: str = imported("shine.front.explanation").explanation(*self._choices)
        return text

    @property
    def _choices(self) -> tuple[Any, ...]:
        return self.program, self.kernel, self.strategy, self.arch


@dataclass(frozen=True, slots=True)
class Special:
    """A kernel for arguments of these types. `taken` are the positions of those that it takes, None for all. It is
    valid for sizes for which the `facts` hold, if no named length is among the `numbers`, and if the arguments at some
    positions have the `values` with which it was compiled.
    """

    shapes: tuple[Shape | None, ...]
    taken: tuple[int, ...] | None
    lowered: Lowered
    facts: tuple[Fact, ...] = ()
    numbers: frozenset[int] = frozenset()
    values: tuple[tuple[int, int], ...] = ()

    def fits(self, arguments: Sequence[Any]) -> bool:
        """Whether the kernel is valid for the sizes of arguments that have the right types and ranks."""
        if any(arguments[position] != value for position, value in self.values):
            return False
        sizes = sizes_of(self.shapes, arguments, self.numbers)
        return sizes is not None and self.accepts(sizes | numbers_of(self.shapes, arguments))

    def accepts(self, sizes: Mapping[Atom, int]) -> bool:
        """Whether the facts hold for these sizes, and what the kernel checks of them."""
        by_name = {size.name: number for size, number in sizes.items() if isinstance(size, NatVar)}
        checks = list(self.lowered.kernel.procedure.checks)
        return hold(self.facts, sizes) and check_obligations(checks, by_name) is None

    @property
    def lengths(self) -> tuple[tuple[int, int, int], ...]:
        """The positions of arguments that are lengths of arrays and no parameters of the kernel, each with the position
        of the array and the axis.
        """
        taken = range(len(self.shapes)) if self.taken is None else self.taken
        first = {
            axis: (place, position)
            for place, shape in reversed(list(enumerate(self.shapes)))
            for position, axis in enumerate(shape.axes if shape else ())
        }
        return tuple(
            (place, *first[shape.name])
            for place, shape in enumerate(self.shapes)
            if place not in taken and shape is not None
        )

    @property
    def depends_on_numbers(self) -> bool:
        """Whether it is valid for some values of arguments that are sizes."""
        shapes = [shape for shape in self.shapes if shape is not None]
        names = {shape.name for shape in shapes if shape.name}
        return (
            bool(self.values)
            or are_lengths(names, shapes)
            or any(
                isinstance(atom, NatVar) and atom.name in names for fact in self.facts for atom in fact.free
            )
        )


class NeedsNumbersError(Exception):
    """The function compiles only if some parameters that could be sizes, the `names`, are part of the program."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(names)
        self.names = names


@dataclass(eq=False)
class Jitted:
    """A function that is compiled when it is called, returned by `jit`. Called in another program, it is inlined."""

    is_read_through: ClassVar[bool] = True
    function: Source
    target: str
    sizes: str
    static: frozenset[str]
    where: tuple[str, ...]
    strategy: Strategy | str | None
    arch: str | None
    options: Mapping[str, Any]
    trees: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """A tree of names for each parameter that is a tree of arrays: then the arguments are the leaves."""
    _of_trees: dict[Any, Jitted] = field(default_factory=dict, repr=False)
    _calls: dict[Any, Special] = field(default_factory=dict, repr=False)
    _specials: dict[Any, list[Special]] = field(default_factory=dict, repr=False)
    _last: Callable[[tuple[Any, ...], Any], Any] | None = field(default=None, repr=False)
    _found: dict[str, set[int]] = field(default_factory=dict, repr=False)
    """The values of parameters that are part of the program though the user does not say so, by name."""

    def __post_init__(self) -> None:
        if inspect.isfunction(self.function):
            functools.update_wrapper(self, self.function)
        self._names, self._defaults, self._has_marks = self._parameters()
        self._own_names = self._names
        if self.trees:
            names = [leaf for name in self._names for leaf in leaves_of(self.trees.get(name, name))]
            self._names, self._has_marks = tuple(names), False

    def __call__(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """Run the function on arrays, compiled for their types.

        Raises RiseError at the line of the function that cannot be compiled, and for arguments that do not fit.
        """
        if not named and self._last is not None:
            result = self._last(arguments, out)
            if result is not None:
                return result
        if self._of_trees and not named and len(arguments) == len(self._names):
            jitted, leaves = self._of_leaves(arguments)
            if jitted is not self:
                return jitted(*leaves, out=out)
        try:
            return self._run(arguments, out, named)
        except Exception as error:  # of the user's function, too
            strip(error)
            raise

    def _run(self, arguments: tuple[Any, ...], out: Any, named: Mapping[str, Any]) -> Any:
        if any(isinstance(one, SYMBOLS) for one in (*arguments, *named.values())):
            function = cast("Callable[..., Any]", self.function)  # within another program
            if not self.trees:
                return function(*arguments, **named)
            bound = inspect.signature(function).bind_partial()
            bound.arguments.update(nested(arguments, self._own_names, self.trees))
            return function(*bound.args, **bound.kwargs)
        if named or len(arguments) != len(self._names) or self._has_marks:
            arguments = self._in_order(arguments, named)
        if any(isinstance(one, NODES) for one in arguments):
            jitted, leaves = self._of_leaves(arguments)
            if jitted is not self:
                return jitted(*leaves, out=out)
        library, written, given = NUMPY, out, arguments
        if self._names and not NOTHING_TO_READ.issuperset(map(type, arguments)):
            library, arguments = library_for(arguments, out), views_of(arguments, self._names, self.static)
            written = out if out is None else map_leaves(functools.partial(as_numpy, "out"), out)
        known = self._known(arguments)
        kernel, layout, constants = known.lowered.kernel, known.lowered.layout, known.lowered.constants
        self._last = None if constants else _repeated(known)
        if known.taken is not None:
            arguments = tuple([arguments[position] for position in known.taken])
            given = tuple([given[position] for position in known.taken])
        if kernel.procedure.updates and library is not NUMPY:
            arguments = _with_copies(kernel, arguments, given)
        if constants:
            arguments = (*arguments, *constants)
        if written is not None and isinstance(layout, WithUpdates):
            title = "`out`: expected none, since the function assigns to parameters and returns other results"
            raise RiseError(Diagnostic("argument-type", title, hint="omit `out`"))
        result = kernel(*arguments, out=written)
        return as_returned(layout, given_as(library, result) if out is None else out)

    def _of_leaves(self, arguments: tuple[Any, ...]) -> tuple[Jitted, tuple[Any, ...]]:
        """The function to run for arguments with trees of arrays, and their leaves; itself if there are no trees."""
        if self.trees or not self._names:
            return self, arguments
        leaves, keys = leaves_in(arguments, self._names, self.static)
        if not any(keys):
            return self, arguments
        jitted = self._of_trees.get(keys)
        if jitted is None:
            jitted = Jitted(
                self.function,
                self.target,
                self.sizes,
                self.static,
                self.where,
                self.strategy,
                self.arch,
                self.options,
                trees_of(arguments, self._names, keys),
            )
            self._of_trees[keys] = jitted
        return jitted, leaves

    def _known(self, arguments: tuple[Any, ...]) -> Special:
        """The kernel for arguments, remembered by their shapes."""
        key = tuple(
            [
                (one.dtype, one.shape) if type(one) is np.ndarray else kind_of(one, name in self.static)
                for one, name in zip(arguments, self._names, strict=False)
            ]
        )
        try:
            known = self._calls.get(key)
        except TypeError:  # an argument that is part of the program and has no hash
            known = None
        if known is None:
            known = self._special(arguments)
            if len(self._calls) >= MAX_CALLS:
                self._calls.clear()
            if self._names and not known.depends_on_numbers:
                self._calls[key] = known
        return known

    @ends_at_the_users_line
    def lower(self, *arguments: Any, **named: Any) -> Lowered:
        """The kernel that a call with these arguments runs. Raises RiseError as a call does."""
        jitted, leaves = self._of_leaves(self._in_order(arguments, named))
        return jitted._special(leaves).lowered

    @ends_at_the_users_line
    def explain(self, *arguments: Any, **named: Any) -> str:
        """How the function was compiled for these arguments, in words."""
        return self.lower(*arguments, **named).explain()

    @ends_at_the_users_line
    def __get__(self, instance: object, owner: type | None = None) -> Jitted:
        if instance is None:
            return self
        title = f"expected a function of arrays, found the method `{self._name}` of an object"
        hint = "decorate a function outside the class, and call it from the method with the object's arrays"
        raise RiseError(Diagnostic("jit-method", title, hint=hint))

    @property
    def _name(self) -> str:
        if isinstance(self.function, PythonProgram):
            return self.function.name
        return str(getattr(self.function, "__name__", "main"))

    def _parameters(self) -> tuple[tuple[str, ...], dict[str, Any], bool]:
        """The names of the function's parameters, the defaults of those that may be omitted, and whether `/` or `*` is
        among them, so that some are positional-only or keyword-only.
        """
        if isinstance(self.function, PythonProgram | Program | Expr):
            return (), {}, False
        parameters = inspect.signature(self.function).parameters
        for inspected in parameters.values():
            if inspected.kind in (inspected.VAR_POSITIONAL, inspected.VAR_KEYWORD):
                title = f"expected a function with a fixed number of parameters, found `{inspected}` in `{self._name}`"
                hint = "name each parameter: every array has its own type"
                raise RiseError(Diagnostic("argument-count", title, hint=hint))
        for name in self.static:
            if name not in parameters:
                hint = did_you_mean(name, parameters) or f"it has {', '.join(map('`{}`'.format, parameters))}"
                title = f"`static`: expected names of parameters, found `{name}`, which `{self._name}` does not have"
                raise RiseError(Diagnostic("unknown-parameter", title, hint=hint))
        defaults = {name: one.default for name, one in parameters.items() if one.default is not one.empty}
        has_marks = any(one.kind is not one.POSITIONAL_OR_KEYWORD for one in parameters.values())
        return tuple(parameters), defaults, has_marks

    def _in_order(self, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        """All arguments by position, with the function's defaults."""
        if not self._names:
            return arguments
        given: dict[str, Any] = {}
        if not self._has_marks:
            given = {**self._defaults, **dict(zip(self._names, arguments, strict=False)), **named}
        if len(arguments) + len(named) <= len(given) == len(self._names) and named.keys() <= given.keys():
            if named.keys().isdisjoint(self._names[: len(arguments)]):
                return tuple([given[name] for name in self._names])
        try:
            bound = inspect.signature(cast("Callable[..., Any]", self.function)).bind(*arguments, **named)
        except TypeError as error:
            title = f"`{self._name}`: {error}"
            hint = f"it takes {', '.join(f'`{name}`' for name in self._names)}"
            raise RiseError(Diagnostic("argument-count", title, hint=hint)) from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def _special(self, arguments: tuple[Any, ...]) -> Special:
        """The kernel for arguments, compiled unless one fits."""
        if isinstance(self.function, PythonProgram | Program | Expr):
            return self._whole(arguments)
        arguments = views_of(arguments, self._names, self.static)
        kinds = [kind_of(one, name in self.static) for one, name in zip(arguments, self._names, strict=True)]
        numbers = frozenset() if self.where else short_lengths(kinds)
        key = tuple((kind[0], len(kind[1])) if isinstance(kind[0], np.dtype) else kind for kind in kinds)
        try:
            specials = self._specials.setdefault((key, numbers), [])
        except TypeError:
            self._refuse_unhashable(arguments, kinds)
        found = next((one for one in specials if one.fits(arguments)), None)
        if found is None:
            try:
                found = self._made(arguments, kinds, numbers)
            except NeedsNumbersError as error:
                self._found.update((name, set()) for name in error.names)
                self.static |= set(error.names)
                self._calls.clear()  # the keys are those of other kinds of arguments
                return self._special(arguments)
            specials.append(found)
            self._warn_of_many_values(arguments)
        return found

    def _warn_of_many_values(self, arguments: tuple[Any, ...]) -> None:
        """Warn once for each parameter that turned out to be part of the program, if it has many values."""
        for name, values in self._found.items():
            values.add(arguments[self._names.index(name)])
            if len(values) == MANY_VALUES:
                title = f"`{self._name}` has {MANY_VALUES} kernels, one for each value of `{name}`"
                hint = f'if that is intended, declare it: `@shine.jit(static="{name}")`'
                warnings.warn(f"{title}; {hint}", stacklevel=2)

    def _made(self, arguments: tuple[Any, ...], kinds: Sequence[Any], numbers: frozenset[int]) -> Special:
        """Compile a kernel for arguments of these types; only for these lengths if the general one is not valid for
        them, and only for these numbers if that one is not valid either, as for `x[:n]` and an n beyond the length.
        """
        shapes, made = self._general(arguments, kinds, numbers)
        powers = raised_names(made.main) & {shape.name for shape in shapes if shape is not None}
        if powers:
            raise NeedsNumbersError(tuple(name for name in self._names if name in powers))
        special = self._valid(shapes, made, arguments, facts_beside(made.main, self.where), numbers)
        if special is None:
            shapes = tuple(shapes_of(kinds, True, self._names))
            made = self._program(arguments, kinds, shapes, ())
            special = self._valid(shapes, made, arguments, facts_beside(made.main, ()))
        if special is None:
            places = [place for place, shape in enumerate(shapes) if shape is not None and shape.name]
            shapes = tuple(None if place in places else shape for place, shape in enumerate(shapes))
            special = self._compiled(shapes, self._program(arguments, kinds, shapes, ()))
            special = replace(special, values=tuple((place, arguments[place]) for place in places))
            for place in places:
                self._found.setdefault(self._names[place], set())
        return special

    def _valid(
        self,
        shapes: Sequence[Shape | None],
        made: PythonProgram,
        arguments: tuple[Any, ...],
        facts: tuple[Fact, ...],
        numbers: frozenset[int] = frozenset(),
    ) -> Special | None:
        """The kernel of a program; None if it is not valid for these arguments, which others are."""
        sizes = sizes_of(shapes, arguments)
        if sizes is None or not hold(facts, sizes | numbers_of(shapes, arguments)):
            return None
        special = replace(self._compiled(shapes, made), facts=facts, numbers=numbers)
        return special if special.accepts(sizes | numbers_of(shapes, arguments)) else None

    def _compiled(self, shapes: Sequence[Shape | None], made: PythonProgram) -> Special:
        types, _ = self._typed(self._names, shapes)
        taken = tuple(position for position, name in enumerate(self._names) if name in types)
        lowered = self._lowered(made, made.name)
        return Special(tuple(shapes), None if len(taken) == len(shapes) else taken, lowered)

    def _general(
        self, arguments: tuple[Any, ...], kinds: Sequence[Any], numbers: frozenset[int]
    ) -> tuple[tuple[Shape | None, ...], PythonProgram]:
        """The program for arguments of any lengths, and their types. Where lengths must be equal, one is a number, or
        computed from others. A branch on lengths is taken as these lengths say, and the program is for those alone for
        which it is.
        """
        annotations = getattr(self.function, "__annotations__", {})
        written = [annotations.get(name) for name in self._names]

        def named(given: Mapping[str, int]) -> tuple[Shape | None, ...]:
            shapes = shapes_of(kinds, self.sizes == FIXED, self._names, numbers, given)
            return tuple(with_known(shapes, written, arguments))

        unrelated = named({})
        given = zip(unrelated, arguments, strict=True)
        parameters = {shape.name: argument for shape, argument in given if shape is not None and shape.name}
        has_names = self.sizes == FIXED or bool(self.where)
        shapes = unrelated if has_names else named(parameters)
        decided: dict[Comparison, Decision] = {}
        is_unrelated = shapes == unrelated
        while not self.where:
            types, fixed = self._typed(arguments, shapes)
            try:
                made = self._read((), types, fixed, decided)
                solved = shapes
                for one, other in made.equal:
                    solved = with_equal(solved, arguments, one, other)
                if solved == shapes:
                    return shapes, made
                shapes = solved
                continue
            except UnequalLengthsError as error:
                lengths = error.lengths
            except UndecidedSizesError as error:
                sizes = sizes_of(shapes, arguments)
                known = None if sizes is None else sizes | numbers_of(shapes, arguments)
                decision = decision_at(error.comparison, known)
                if decision is None or len(decided) == MOST_DECIDED:
                    break
                decided[error.comparison] = decision
                continue
            except RiseError:
                if is_unrelated:
                    break  # reported below
                shapes, decided, is_unrelated = unrelated, {}, True
                continue
            solved = with_equal(shapes, arguments, *lengths)
            if solved == shapes:
                break
            shapes = solved
        return shapes, self._program(arguments, kinds, shapes, self.where, decided or None)

    def _typed(
        self, arguments: Sequence[Any], shapes: Sequence[Shape | None]
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """The types of the parameters; and the values of those that are part of the program, or the lengths that they
        are.
        """
        types: dict[str, str] = {}
        fixed: dict[str, Any] = {}
        for name, argument, shape in zip(self._names, arguments, shapes, strict=True):
            if shape is None:
                fixed[name] = argument
            elif shape.name and shape.name != name:
                fixed[name] = var(shape.name)
            else:
                types[name] = shape.text
        return types, fixed

    def _read(
        self,
        where: Sequence[str],
        types: Mapping[str, str],
        fixed: Mapping[str, Any],
        decided: Mapping[Comparison, Decision] | None = None,
    ) -> PythonProgram:
        """The program; for targets other than CPUs, with loops only if it would be too large without."""
        read = functools.partial(
            program,
            self._function,
            where=where,
            types=types,
            fixed=fixed,
            trees=self.trees,
            decided=decided,
            constants=True,
            updates=True,
        )
        if self.target != CPU:
            with suppress(LongLoopError):
                return read()
        return read(unroll=MAX_UNROLLED)

    @property
    def _function(self) -> Callable[..., Any]:
        return cast("Callable[..., Any]", self.function)

    def _program(
        self,
        arguments: Sequence[Any],
        kinds: Sequence[Any],
        shapes: Sequence[Shape | None],
        where: Sequence[str],
        decided: Mapping[Comparison, Decision] | None = None,
    ) -> PythonProgram:
        types, fixed = self._typed(arguments, shapes)
        try:
            return self._read(where, types, fixed, decided)
        except RiseError as error:
            problem = self._with_numbers(error, types, dict(zip(self._names, arguments, strict=True)), fixed)
            called = ", ".join(f"{shown(name, self.trees)}: {text}" for name, text in types.items())
            hint = problem.hint
            static = self._to_be_static(types, dict(zip(self._names, arguments, strict=True)), fixed)
            if static:
                raise NeedsNumbersError(static) from None
            if self._compiles_fixed(kinds, fixed):
                hint = f'{hint}; for these lengths alone it compiles: `@shine.jit(sizes="fixed")`'
            notes = (*problem.notes, f"it was called with {called}") if called else problem.notes
            explained = RiseError(replace(problem, notes=notes, hint=hint))
            raise explained.with_traceback(error.__traceback__) from None

    def _with_numbers(
        self, error: RiseError, types: Mapping[str, str], given: Mapping[str, Any], fixed: Mapping[str, Any]
    ) -> Diagnostic:
        """The problem of a call; if a comparison of numbers is not known, what is wrong with these numbers."""
        if not isinstance(error, UndecidedSizesError):
            return error.diagnostic
        numbers = {name: given[name] for name, text in types.items() if text == SIZE}
        others = {name: text for name, text in types.items() if name not in numbers}
        try:
            self._read((), others, {**fixed, **numbers})
        except UndecidedSizesError:
            return error.diagnostic
        except RiseError as found:
            return found.diagnostic
        return error.diagnostic

    def _to_be_static(
        self, types: Mapping[str, str], given: Mapping[str, Any], fixed: Mapping[str, Any]
    ) -> tuple[str, ...]:
        """The parameters that are Python numbers and make it compile if they become part of the program: a single int,
        or all of them; or as few of all numbers as it takes.
        """
        leaves = {leaf for tree in self.trees.values() for leaf in leaves_of(tree)}
        numbers = [name for name in types if name not in leaves and type(given[name]) in (int, float)]
        sizes = tuple(name for name in numbers if types[name] == SIZE)

        def compiles(names: Collection[str]) -> bool:
            others = {name: text for name, text in types.items() if name not in names}
            return self._compiles(others, {**fixed, **{name: given[name] for name in names}})

        for names in (*((name,) for name in sizes), sizes):
            if names and compiles(names):
                return names
        if len(numbers) == len(sizes) or not compiles(numbers):
            return ()
        for name in tuple(numbers):
            fewer = [one for one in numbers if one != name]
            if compiles(fewer):
                numbers = fewer
        return tuple(numbers)

    def _compiles_fixed(self, kinds: Sequence[Any], fixed: Mapping[str, Any]) -> bool:
        """Whether the function compiles for arrays of exactly these lengths."""
        shapes = zip(self._names, shapes_of(kinds, True, self._names), strict=True)
        types = {name: one.text for name, one in shapes if one is not None}
        return self.sizes == SYMBOLIC and self._compiles(types, fixed)

    def _compiles(self, types: Mapping[str, str], fixed: Mapping[str, Any]) -> bool:
        """Whether the function compiles for arguments of these types and values."""
        try:
            program(self._function, types=types, fixed=fixed, trees=self.trees, constants=True)
        except Exception:  # its own errors are not what is wrong with the call
            return False
        return True

    def _whole(self, arguments: tuple[Any, ...]) -> Special:
        """The kernel of a program whose types are known."""
        given = cast("PythonProgram | Program | Expr", self.function)
        key = tuple(getattr(one, "shape", ()) for one in arguments) if self.sizes == FIXED else ()
        specials = self._specials.setdefault(key, [])
        if not specials:
            name = given.name if isinstance(given, PythonProgram) else "kernel"
            term = (
                given if self.sizes == SYMBOLIC else specialise(given, **sizes_in(term_of(given), arguments))
            )
            lowered = self._lowered(term, name)
            specials.append(Special((), None, lowered))
        return specials[0]

    def _lowered(self, given: PythonProgram | Program | Expr, name: str) -> Lowered:
        kernel = compile(given, self.target, self.arch, name, strategy=self.strategy, **self.options)
        return Lowered(given, kernel, self.strategy, self.arch)

    def _refuse_unhashable(self, arguments: Sequence[Any], kinds: Sequence[Any]) -> NoReturn:
        for name, argument, kind in zip(self._names, arguments, kinds, strict=True):
            try:
                hash(kind)
            except TypeError:
                found = type(argument).__name__
                title = (
                    f"`{name}`: expected an array, a number, or a value that can be compared, found {found}"
                )
                hint = f"pass an array, as in `np.asarray({name})`, or a tuple for a value that never changes"
                raise RiseError(Diagnostic("argument-type", title, hint=hint)) from None
        raise AssertionError(kinds)


def _with_copies(kernel: Kernel, arguments: Sequence[Any], given: Sequence[Any]) -> tuple[Any, ...]:
    """The arguments, with copies of the arrays that a kernel changes but whose libraries, such as JAX, let nobody
    change them; `given` are the caller's.
    """
    sizes = {position for position, _ in kernel.procedure.explicit}
    arrays = [position for position in range(len(arguments)) if position not in sizes]
    changed = {arrays[update.input] for update in kernel.procedure.updates}
    return tuple(
        one.copy()
        if place in changed and (of := library_of(given[place])) is not None and not of.is_writable
        else one
        for place, one in enumerate(arguments)
    )


def _repeated(known: Special) -> Callable[[tuple[Any, ...], Any], Any] | None:
    """The function that runs calls like earlier ones, with the results as the Python function returns them. None if
    there is none, or if arguments are part of the program.
    """
    run, layout, taken = known.lowered.kernel.repeated, known.lowered.layout, known.taken
    if run is None or (taken is None and layout is None):
        return run if taken is None else None
    lengths = known.lengths
    if taken is not None and len(taken) + len(lengths) < len(known.shapes):
        return None

    def repeated(arguments: tuple[Any, ...], out: Any) -> Any:
        if layout is not None and out is not None:
            return None
        if taken is not None:
            if len(arguments) != len(known.shapes):
                return None
            try:
                for place, array, axis in lengths:
                    if type(arguments[place]) is not int or arguments[place] != arguments[array].shape[axis]:
                        return None
                arguments = tuple([arguments[place] for place in taken])
            except (AttributeError, IndexError):
                return None
        result = run(arguments, out)
        return result if result is None or layout is None else as_returned(layout, result)

    return repeated


@overload
def jit(function: Source, /, **options: Any) -> Jitted: ...
@overload
def jit(
    *,
    target: str = "openmp",
    sizes: str = SYMBOLIC,
    static: str | Collection[str] = (),
    where: str | Sequence[str] = (),
    strategy: Strategy | str | None = None,
    arch: str | None = None,
    **options: Any,
) -> Callable[[Source], Jitted]: ...


@ends_at_the_users_line
def jit(
    function: Source | None = None,
    /,
    *,
    target: str = "openmp",
    sizes: str = SYMBOLIC,
    static: str | Collection[str] = (),
    where: str | Sequence[str] = (),
    strategy: Strategy | str | None = None,
    arch: str | None = None,
    **options: Any,
) -> Jitted | Callable[[Source], Jitted]:
    """Compile a Python function written with numpy when it is called; or a program.

    A call builds a program for the types of its arguments and compiles it to a kernel, which later calls reuse.
    Arrays have the type of their elements, and a name for each axis; axes of equal length share one, an axis of length
    1 stays 1, and a length is a number if it must be that of an array of constants, if an axis other than the first has
    it and it is at most 4, as in arrays of points or colours, or if the parameter is annotated with a type that has
    this number, as `"N.8.f32"`; annotations have no other meaning here. A Python float or complex
    number has the widest floating-point type among the arrays, an int that is not negative is a size, and any other
    value is part of the program, as are the parameters that `static` names. With `sizes="fixed"`, the lengths are part
    of the program too. A call changes the arrays whose elements the function assigns to. `where` promises facts about
    sizes (`"4 divides N"`). `target`, `strategy`, `arch` and the options are those of `shine.compile`. Kernels are
    stored on disk.

    `f.lower(...)` returns what a call with such arguments runs: its program, derivation, text and kernel.
    `f.explain(...)` describes in words how it was compiled.

    A call raises RiseError with one diagnostic at the line of the function that cannot be compiled.

    >>> import numpy as np
    >>> @jit
    ... def scaled(x, factor):
    ...     return x * factor / x.max()
    >>> scaled(np.float32([1, 2, 4]), 2.0)
    array([0.5, 1. , 2. ], dtype=float32)
    >>> print(scaled.lower(np.ones((2, 5)), 0.5).program.type)
    {N: nat} -> {M: nat} -> N.M.f64 -> f64 -> N.M.f64
    """
    if sizes not in (SYMBOLIC, FIXED):
        title = f"`sizes`: expected {SYMBOLIC!r} or {FIXED!r}, found {sizes!r}"
        raise RiseError(
            Diagnostic("option-value", title, hint="omit it to compile once for arrays of any length")
        )
    names = frozenset((static,) if isinstance(static, str) else static)
    facts = (where,) if isinstance(where, str) else tuple(where)

    @ends_at_the_users_line
    def jitted(given: Any) -> Jitted:
        is_function = callable(given) and not isinstance(given, type)
        if isinstance(given, np.ufunc) or (is_function and inspect.getmodule(given) is np):
            title = f"expected a function written in Python, found `np.{given.__name__}`"
            call = ", ".join("xyzw"[: _count_of_arguments(given)])
            hint = f"call it in one: `shine.jit(lambda {call}: np.{given.__name__}({call}))`"
            raise RiseError(Diagnostic("argument-type", title, hint=hint))
        if is_function:
            refuse_resumed(given)
        if not is_function and not isinstance(given, Program | Expr):
            title = f"expected a function or a program, found {given!r}"
            raise RiseError(Diagnostic("argument-type", title, hint="decorate a `def`"))
        return Jitted(given, target, sizes, names, facts, strategy, arch, options)

    return jitted if function is None else jitted(function)


def _count_of_arguments(function: Any) -> int:
    """The number of arguments that a function of numpy needs."""
    if isinstance(function, np.ufunc):
        return function.nin
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # it is written in C and has no signature
        return 1
    needed = sum(one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD for one in parameters)
    return max(needed, 1)
