"""`@rise.program`: turns a Python function into a term by running it on symbolic values. Independent of operations.

One subject: the program, and how a run of the function under its options leads to it.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any, Final, overload

from rise.diagnostics import Diagnostic, RiseError
from rise.dsl.printer import EmbeddedTerm, Function, TypeNode, TypeText, Variable
from rise.dsl.terms import Term, build
from rise.embedding.annotations import Parameter, parameters_of, sizes_of
from rise.embedding.application import applied
from rise.embedding.conversions import as_part
from rise.embedding.loop_forms import LoopForm
from rise.embedding.numpy_mistakes import refuse_numpys
from rise.embedding.places import Place, at_definition, at_one_of, calls_of, located, parameter, refuse
from rise.embedding.results import with_updates
from rise.embedding.statements import Statements
from rise.embedding.symbolic_sizes import Comparison, Decision, SymbolicSize
from rise.embedding.trace import KnownArrayError, Part, Scope, Trace, function
from rise.embedding.trees import as_tuples, filled, layout_of, leaves_of
from rise.embedding.values import Value, wrap
from rise.garbage_collection import collections_off
from rise.inference.names import is_reserved
from rise.inference.schemes import substitute_names
from rise.naturals import Nat, NatVar, nat, var
from rise.primitives.index_numbers import INDEX_ERROR
from rise.printer.html import html_of
from rise.printer.terms import show
from rise.programs.evaluation import evaluate
from rise.programs.heads import assume, name_head
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import DepLam, Expr, Fact, Lam
from rise.text.names import is_name
from rise.tracebacks import ends_at_the_users_line
from rise.types import BOOL, F32, F64, ArrayType, PairType, ScalarType, Type

#: a function that occurs this often in a traceback is assumed to call itself
_MANY_CALLS: Final = 10


@dataclass(frozen=True, slots=True)
class PythonProgram:
    """A program defined by a Python function.

    `main` is its typed term, for `shine.compile` and strategies; `python` is the function itself, which also runs on
    numpy arrays. A call with arrays evaluates the program; a call in another program applies it.
    """

    name: str
    main: Expr
    python: Callable[..., Any]
    layout: Any = None
    """The tree in which the function returns its results, with None for each; a program returns nested pairs."""
    indexed: tuple[Place, ...] = ()
    """The places where numbers that are known only at run time become indices."""
    constants: tuple[Any, ...] = ()
    """Arrays that the function computes with or without being given them: the values of the last parameters."""
    equal: tuple[tuple[Nat, Nat], ...] = ()
    """Sizes that a call checks to be equal."""
    updates: tuple[tuple[int, int], ...] = ()
    """The results that are new values of parameters, each with the position of the parameter among those that are no
    sizes: a kernel writes them to the arrays of its caller."""
    loops: tuple[LoopForm, ...] = ()
    """What became of the function's loops, and why, in the order of their lines."""
    read_in_order: Callable[[], PythonProgram] | None = field(default=None, compare=False, repr=False)

    @property
    def sequential(self) -> PythonProgram:
        """The program in which each `for` statement that stays a loop is the `reduceSeq` of its iterations. The
        function is read again for it.

        >>> @program
        ... def total(x: "N.i32"):
        ...     return x.sum()
        >>> total.sequential.main == total.main  # it has no such statement
        True
        """
        return self if self.read_in_order is None else self.read_in_order()

    @property
    def type(self) -> Type:
        """The term's type."""
        return self.main.type

    @property
    def text(self) -> str:
        """The program as RISE text."""
        return f"val {self.name} = {show(self.main)}"

    def __call__(self, *arguments: Any) -> Any:
        scope = next((argument.part.scope for argument in arguments if isinstance(argument, Value)), None)
        if scope is None:
            return evaluate(self, *arguments, *self.constants)
        scope.trace.indexed.update(dict.fromkeys(self.indexed))
        parts = [as_part(argument, scope) for argument in (*arguments, *self.constants)]
        return wrap(applied(Term(EmbeddedTerm(self.main, {})), parts))

    def explained(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic of an index that is out of range, with the lines of the function where this may happen."""
        return at_one_of(diagnostic, self.indexed) if diagnostic.code == INDEX_ERROR else diagnostic

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """The type and the text, for notebooks."""
        return html_of(f"// {self.type}\n{self.text}")

    def __repr__(self) -> str:
        return f"<program {self.name} : {self.type}>"


@overload
def program(
    function: Callable[..., Any],
    /,
    *,
    where: str | Sequence[str] = (),
    types: Mapping[str, Any] | None = None,
    fixed: Mapping[str, Any] | None = None,
    trees: Mapping[str, Any] | None = None,
    unroll: int | None = None,
    decided: Mapping[Comparison, Decision] | None = None,
    constants: bool = False,
    updates: bool = False,
) -> PythonProgram: ...
@overload
def program(
    *,
    where: str | Sequence[str] = (),
    types: Mapping[str, Any] | None = None,
    fixed: Mapping[str, Any] | None = None,
    trees: Mapping[str, Any] | None = None,
    unroll: int | None = None,
    decided: Mapping[Comparison, Decision] | None = None,
    constants: bool = False,
    updates: bool = False,
) -> Callable[[Callable[..., Any]], PythonProgram]: ...


@ends_at_the_users_line
def program(
    function: Callable[..., Any] | None = None,
    /,
    *,
    where: str | Sequence[str] = (),
    types: Mapping[str, Any] | None = None,
    fixed: Mapping[str, Any] | None = None,
    trees: Mapping[str, Any] | None = None,
    unroll: int | None = None,
    decided: Mapping[Comparison, Decision] | None = None,
    constants: bool = False,
    updates: bool = False,
) -> PythonProgram | Callable[[Callable[..., Any]], PythonProgram]:
    """The program defined by a Python function, which is run once, on symbolic values.

    Parameters are annotated with types, `x: "N.f32"` or `x: rise.f32[N]`; a size is `n: "nat"`. `types` has types by
    name for a function that is not annotated, and `fixed` has Python values for parameters that the program does not
    take, or a natural for one that is computed from sizes of others. For a parameter that is a tree of several values,
    `trees` has a tuple, list or dictionary of names: the program has a parameter for each name, unless it is fixed.
    `where` promises facts about sizes, as `rise.assume` does. Loops over known ranges with more than `unroll`
    iterations stay loops, if these are alike. `decided` has the results of comparisons of sizes, with the facts that a
    call checks for them; it is None if no call decides comparisons. If `constants`, long arrays that the function does
    not take, such as those of its module, are parameters after the others instead of literals; the program's
    `constants` are their values. If `updates`, the new values of parameters that the function assigns to are results,
    too, after those that it returns, and the program's `updates` say which. Raises RiseError with a label at the Python
    line, UndecidedSizesError for a comparison that holds for some sizes only.

    >>> @program
    ... def dot(x: "N.f32", y: "N.f32"):
    ...     return (x * y).sum()
    >>> str(dot.type)
    '{N: nat} -> N.f32 -> N.f32 -> f32'
    >>> str(program(lambda x, axis: x.sum(axis), types={"x": "N.M.f32"}, fixed={"axis": 1}).type)
    '{N: nat} -> {M: nat} -> N.M.f32 -> N.f32'
    >>> types = {"p_scale": "f32", "p_shift": "N.f32"}
    >>> trees = {"p": {"scale": "p_scale", "shift": "p_shift"}}
    >>> str(program(lambda p: p["scale"] + p["shift"], types=types, trees=trees).type)
    '{N: nat} -> f32 -> N.f32 -> N.f32'
    """
    reading = _Reading(
        (where,) if isinstance(where, str) else tuple(where),
        dict(fixed or {}),
        dict(trees or {}),
        unroll,
        decided,
        constants,
        updates,
    )
    if function is None:
        return lambda python: _traced(python, types or {}, reading)
    return _traced(function, types or {}, reading)


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a function is read: the options of `program`, except for the types."""

    facts: tuple[str, ...]
    fixed: Mapping[str, Any]
    trees: Mapping[str, Any]
    unroll: int | None
    decided: Mapping[Comparison, Decision] | None
    constants: bool
    updates: bool
    is_in_order: bool = False


def refuse_resumed(python: Callable[..., Any]) -> None:
    """Raise RiseError for a generator or a coroutine function, since a call of it does not return a value."""
    kinds = (
        (inspect.isgeneratorfunction, "a generator", "return one array of what it yields: `np.stack(...)`"),
        (inspect.iscoroutinefunction, "a coroutine function", "remove `async`: nothing in it waits"),
        (inspect.isasyncgenfunction, "an asynchronous generator", "write a `def` that returns an array"),
    )
    for is_kind, found, hint in kinds:
        if is_kind(python):
            title = f"expected a function that returns a value, found {found}"
            refuse("no-value", title, hint, at=parameter(python, ""))


@ends_at_the_users_line
def _traced(python: Any, types: Mapping[str, Any], reading: _Reading) -> PythonProgram:
    if not callable(python) or isinstance(python, type | PythonProgram):
        refuse("annotation", f"expected a Python function, found {python!r}", "decorate a `def`")
    refuse_resumed(python)
    parameters = parameters_of(python, types, reading.fixed, reading.trees)
    own: frozenset[Hashable] = frozenset()
    with collections_off():
        while True:
            try:
                return _of_parameters(python, parameters, reading, own)
            except KnownArrayError as error:
                own |= {error.assignment}


def _promises(trace: Trace, main: Expr, names: Sequence[str]) -> list[Fact]:
    """The facts that a call checks, with the names that the sizes have in the head of the term."""
    renamed: dict[str, str] = {}
    e = main
    for name in names:
        assert isinstance(e, Lam | DepLam), e
        renamed[name] = e.name
        e = e.body

    def named(size: Nat) -> Nat:
        variables = [v for v in size.free if isinstance(v, NatVar) and v.name in renamed]
        found: Nat = substitute_names(size, {v: nat(NatVar(renamed[v.name], None)) for v in variables})
        return found

    return [Fact("<=", named(less), named(more)) for less, more in trace.facts]


def _of_parameters(
    python: Any, parameters: Sequence[Parameter], reading: _Reading, own: frozenset[Hashable]
) -> PythonProgram:
    sizes = sizes_of(parameters)
    trace = Trace(
        [*sizes, *(annotated.name for annotated in parameters if annotated.type is None)],
        frozenset(annotated.name for annotated in parameters if annotated.type is None),
        _floating([annotated.type for annotated in parameters]),
        reading.unroll,
        decided=reading.decided,
        is_in_order=reading.is_in_order,
        constants=[] if reading.constants else None,
        own=own,
    )

    def body(*parts: Part) -> Part:
        scope = trace.root
        arguments = [_argument(annotated, p, scope) for annotated, p in zip(parameters, parts, strict=True)]
        named = {one.name: value for one, value in zip(parameters, arguments, strict=True)}
        named |= {
            name: SymbolicSize(value, scope) if isinstance(value, Nat) else value
            for name, value in reading.fixed.items()
        }
        for name, names in reading.trees.items():
            named[name] = filled(layout_of(names), (named.pop(leaf) for leaf in leaves_of(names)))
        result = _run(Statements(trace).of_user(python), *_bound(python, named))
        try:
            result, layout, updated[:] = with_updates(python, result, arguments, parts, reading.updates)
            layouts.append(layout)
            return as_part(as_tuples(result), scope)
        except RiseError as error:
            raise at_definition(error, python) from None

    layouts: list[Any] = []
    updated: list[tuple[int, int]] = []  # results, and the parameters whose new values they are
    types = [BOOL if annotated.type is None else annotated.type for annotated in parameters]
    names = [annotated.name for annotated in parameters]
    traced_function = function(
        trace, names, types, body, [annotated.annotation for annotated in parameters]
    ).syntax
    assert isinstance(traced_function, Function), traced_function
    main = _main_term(python, traced_function, trace, sizes, names, reading.facts)
    arrays = tuple(one.array for one in trace.constants or ())
    equal = tuple(pair for pair in trace.facts if pair[::-1] in trace.facts)
    arrays_before = [sum(one.type is not None for one in parameters[:place]) for _, place in updated]
    return PythonProgram(
        _name_of(python),
        main,
        python,
        layouts[-1],
        tuple(trace.indexed),
        arrays,
        equal,
        tuple((result, place) for (result, _), place in zip(updated, arrays_before, strict=True)),
        tuple(sorted(trace.forms.values(), key=lambda form: (form.place.file, form.place.line))),
        None if reading.is_in_order else partial(_read_in_order, python, parameters, reading, own),
    )


def _read_in_order(
    python: Any, parameters: Sequence[Parameter], reading: _Reading, own: frozenset[Hashable]
) -> PythonProgram:
    """The program with loops as the sequences of their iterations."""
    with collections_off():
        return _of_parameters(python, parameters, replace(reading, is_in_order=True), own)


def _main_term(
    python: Any,
    traced: Function,
    trace: Trace,
    sizes: Sequence[str],
    names: Sequence[str],
    facts: Sequence[str],
) -> Expr:
    """The typed term of a traced function, of sizes, its parameters with these names, and its arrays."""
    last = [(one.variable, TypeNode(one.type)) for one in trace.constants or ()]
    names = [*names, *(variable.name for variable, _ in last)]
    heads = (*((Variable(size), TypeText("{nat}")) for size in sizes), *traced.parameters, *last)
    whole = Function(heads, traced.body) if heads else traced.body
    try:
        main = name_head(build(Term(whole)), sizes, names)
        promised = _promises(trace, main, [*sizes, *names])
        return assume(main, *facts, *promised) if facts or promised else main
    except RiseError as error:
        problem = error.diagnostic
        notes = (f"the term is {Term(traced)}", *problem.notes)
        plain = Diagnostic(problem.code, problem.title, hint=problem.hint, notes=notes)
        raise RiseError(located(plain, parameter(python, ""))) from None


def _floating(types: Sequence[Type | None]) -> Type:
    """The type of floating-point numbers that the function makes, as `np.zeros(n)` or `0.5` without an array: f64, just
    as in numpy, unless all floating-point numbers of the parameters are smaller.
    """
    scalars = [SCALARS[name] for given in types for name in _scalars(given)]
    inexact = {one.part or one.dtype.name for one in scalars if one.dtype.kind not in "biu"}
    return F32 if inexact and inexact.isdisjoint(("f64", "float64")) else F64


def _scalars(given: Type | None) -> Iterator[str]:
    """The names of the scalar types in a parameter's type."""
    waiting = [given]
    while waiting:
        match waiting.pop():
            case PairType(first, second):
                waiting += (first, second)
            case ArrayType(_, element):
                waiting.append(element)
            case ScalarType(name):
                yield name


def _name_of(python: Callable[..., Any]) -> str:
    """A name for the definition: the function's name, if it is valid in a text."""
    name = getattr(python, "__name__", "main")
    if not is_name(name):
        return "main"
    while is_reserved(name):
        name += "_"
    return name


def _bound(python: Callable[..., Any], values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The positional arguments, up to the first parameter without a value, and the remaining values by name."""
    positional: list[str] = []
    for name, inspected in inspect.signature(python).parameters.items():
        if name not in values or inspected.kind > inspected.POSITIONAL_OR_KEYWORD:
            break
        positional.append(name)
    by_name = {name: value for name, value in values.items() if name not in positional}
    return [values[name] for name in positional], by_name


def _run(python: Callable[..., Any], positional: Sequence[Any], by_name: Mapping[str, Any]) -> Any:
    """The function's result. Raises RiseError if it calls itself, or if calls recurse endlessly."""
    try:
        return python(*positional, **by_name)
    except (AttributeError, TypeError) as error:
        refuse_numpys(error)
        raise
    except NameError as error:
        name = getattr(python, "__name__", "")
        if not name or error.name != name:
            raise
        calls = calls_of(error)
    except RecursionError as error:
        calls = calls_of(error)
        name, times = Counter(name for name, _ in calls).most_common(1)[0]
        if times < _MANY_CALLS:
            raise
    at = next(place for one, place in reversed(calls) if one == name) if calls else None
    hint = "the language has no recursion; use `iterate`, `reduce` or `scan`, or a loop of a known length"
    refuse("recursion", f"the function `{name}` calls itself endlessly", hint, at=at)


def _argument(one: Parameter, part: Part, scope: Scope) -> Any:
    return wrap(part) if one.type is not None else SymbolicSize(var(one.name), scope)
