"""`@rise.program`: turns a Python function into a term by running it on symbolic values. Independent of operations."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final, overload

from rise.diagnostics import Diagnostic, RiseError
from rise.dsl.printer import EmbeddedTerm, Function, TypeNode, TypeText, Variable
from rise.dsl.terms import Term, build
from rise.embedding.annotations import Parameter, parameters_of, sizes_of
from rise.embedding.application import applied
from rise.embedding.conversions import as_part
from rise.embedding.numpy_mistakes import refuse_numpys
from rise.embedding.places import Place, at_one_of, calls_of, located, parameter, refuse
from rise.embedding.statements import Statements
from rise.embedding.symbolic_sizes import Comparison, Decision, SymbolicSize
from rise.embedding.trace import KnownArrayError, Part, Scope, Trace, function
from rise.embedding.trees import as_tuples, children_of, filled, layout_of, leaves_of, rebuilt
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
from rise.terms import DepLam, Expr, Fact, Lam
from rise.text.names import is_name
from rise.tracebacks import ends_at_the_users_line
from rise.types import BOOL, F32, F64, ArrayType, PairType, Type

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
) -> PythonProgram | Callable[[Callable[..., Any]], PythonProgram]:
    """The program defined by a Python function, which is run once, on symbolic values.

    Parameters are annotated with types, `x: "N.f32"` or `x: rise.f32[N]`; a size is `n: "nat"`. `types` has types by
    name for a function that is not annotated, and `fixed` has Python values for parameters that the program does not
    take, or a natural for one that is computed from sizes of others. For a parameter that is a tree of several values,
    `trees` has a tuple, list or dictionary of names: the program has a parameter for each name, unless it is fixed.
    `where` promises facts about sizes, as `rise.assume` does. Loops over known ranges with more than `unroll`
    iterations stay loops, if these are alike. `decided` has the results of comparisons of sizes, with the facts that a
    call checks for them. If `constants`, long arrays that the function does not take, such as those of its module, are
    parameters after the others instead of literals; the program's `constants` are their values. Raises RiseError with a
    label at the Python line, UndecidedSizesError for a comparison that holds for some sizes only.

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
    facts = (where,) if isinstance(where, str) else tuple(where)
    given, kept, several = dict(types or {}), dict(fixed or {}), dict(trees or {})
    if function is None:
        return lambda python: _traced(python, facts, given, kept, several, unroll, decided or {}, constants)
    return _traced(function, facts, given, kept, several, unroll, decided or {}, constants)


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
def _traced(
    python: Any,
    facts: tuple[str, ...],
    given: Mapping[str, Any],
    fixed: Mapping[str, Any],
    trees: Mapping[str, Any],
    unroll: int | None,
    decided: Mapping[Comparison, Decision],
    constants: bool,
) -> PythonProgram:
    if not callable(python) or isinstance(python, type | PythonProgram):
        refuse("annotation", f"expected a Python function, found {python!r}", "decorate a `def`")
    refuse_resumed(python)
    parameters = parameters_of(python, given, fixed, trees)
    own: frozenset[Hashable] = frozenset()
    with collections_off():
        while True:
            try:
                return _of_parameters(
                    python, facts, parameters, fixed, trees, unroll, decided, constants, own
                )
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
    python: Any,
    facts: tuple[str, ...],
    parameters: Sequence[Parameter],
    fixed: Mapping[str, Any],
    trees: Mapping[str, Any],
    unroll: int | None,
    decided: Mapping[Comparison, Decision],
    constants: bool,
    own: frozenset[Hashable],
) -> PythonProgram:
    sizes = sizes_of(parameters)
    trace = Trace(
        [*sizes, *(annotated.name for annotated in parameters if annotated.type is None)],
        frozenset(annotated.name for annotated in parameters if annotated.type is None),
        F64 if any(_holds(F64, annotated.type) for annotated in parameters) else F32,
        unroll,
        decided=decided,
        constants=[] if constants else None,
        own=own,
    )

    def body(*parts: Part) -> Part:
        scope = trace.root
        arguments = [_argument(annotated, p, scope) for annotated, p in zip(parameters, parts, strict=True)]
        named = {one.name: value for one, value in zip(parameters, arguments, strict=True)}
        named |= {
            name: SymbolicSize(value, scope) if isinstance(value, Nat) else value
            for name, value in fixed.items()
        }
        for name, names in trees.items():
            named[name] = filled(layout_of(names), (named.pop(leaf) for leaf in leaves_of(names)))
        result = _run(Statements(trace).of_user(python), *_bound(python, named))
        if result is None:
            result = _assigned(arguments, parts)
        if result is None:
            title = "expected a function that returns a value, found one that returns None"
            hint = "end it with `return`, or assign to the elements of a parameter"
            refuse("no-value", title, hint, at=parameter(python, ""))
        layouts.append(layout_of(result))
        return as_part(as_tuples(result), scope)

    layouts: list[Any] = []
    types = [BOOL if annotated.type is None else annotated.type for annotated in parameters]
    names = [annotated.name for annotated in parameters]
    traced_function = function(
        trace, names, types, body, [annotated.annotation for annotated in parameters]
    ).syntax
    assert isinstance(traced_function, Function), traced_function
    last = [(one.variable, TypeNode(one.type)) for one in trace.constants or ()]
    names += [variable.name for variable, _ in last]
    heads = (*((Variable(size), TypeText("{nat}")) for size in sizes), *traced_function.parameters, *last)
    whole = Function(heads, traced_function.body) if heads else traced_function.body
    try:
        main = name_head(build(Term(whole)), sizes, names)
        promised = _promises(trace, main, [*sizes, *names])
        main = assume(main, *facts, *promised) if facts or promised else main
    except RiseError as error:
        problem = error.diagnostic
        plain = Diagnostic(
            problem.code,
            problem.title,
            hint=problem.hint,
            notes=(f"the term is {Term(traced_function)}", *problem.notes),
        )
        raise RiseError(located(plain, parameter(python, ""))) from None
    arrays = tuple(one.array for one in trace.constants or ())
    equal = tuple(pair for pair in trace.facts if pair[::-1] in trace.facts)
    return PythonProgram(_name_of(python), main, python, layouts[-1], tuple(trace.indexed), arrays, equal)


def as_returned(layout: Any, result: Any) -> Any:
    """The results of a program, which are nested pairs, as its function returns them.

    >>> as_returned((None, None, {"a": None, "b": None, "c": ()}), (1, (2, (3, 4))))
    (1, 2, {'a': 3, 'b': 4, 'c': ()})
    """
    if layout is None:
        return result
    results: list[Any] = []
    if type(layout) is tuple and layout.count(None) == len(layout):  # by far the most frequent case
        for _ in layout[1:]:
            first, result = result
            results.append(first)
        return (*results, result)
    children = children_of(layout)
    left = sum(bool(leaves_of(child)) for child in children)
    for child in children:
        if not leaves_of(child):
            results.append(child)
            continue
        left -= 1
        first, result = result if left else (result, None)
        results.append(as_returned(child, first))
    return rebuilt(layout, results)


def _holds(wanted: Type, given: Type | None) -> bool:
    """Whether a parameter has elements of a type."""
    waiting = [given]
    while waiting:
        match waiting.pop():
            case PairType(first, second):
                waiting += (first, second)
            case ArrayType(_, element):
                waiting.append(element)
            case other if other == wanted:
                return True
    return False


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


def _assigned(arguments: Sequence[Any], given: Sequence[Part]) -> Any:
    """The parameters to which the function assigned, in order: the results of a function that returns None."""
    changed = [
        argument
        for argument, part in zip(arguments, given, strict=True)
        if isinstance(argument, Value) and argument.part is not part
    ]
    return changed[0] if len(changed) == 1 else tuple(changed) or None


def _argument(one: Parameter, part: Part, scope: Scope) -> Any:
    return wrap(part) if one.type is not None else SymbolicSize(var(one.name), scope)
