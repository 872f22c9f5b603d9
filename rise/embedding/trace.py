"""Records symbolic values while a Python function runs, as typed parts of terms.

Depends on the syntax that is built and its scopes, but not on operations and numpy.

One subject: the state of a run, and the values that it makes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import count
from typing import Any, Final, NamedTuple, TypeAlias

from rise.dsl.printer import (
    Annotation,
    Application,
    Function,
    ImplicitApplication,
    Parenthesized,
    Syntax,
    TextPiece,
    TypeNode,
    Variable,
)
from rise.embedding.loop_forms import LoopForm
from rise.embedding.places import Place, here, refuse
from rise.embedding.sharing import Binding, close, occurrences
from rise.naturals import Nat, NatVar
from rise.records import dataclass
from rise.text.type_printer import show_type
from rise.types import BOOL, F32, ArrayType, FunType, ScalarType, Type, element_of

#: a view of more primitives is bound with `let` if it is used twice
WIDEST_VIEW: Final = 64


@dataclass(slots=True, eq=False)
class Scope:
    """The body of a function of the term, which is open while its Python function runs."""

    trace: Trace
    depth: int
    bindings: list[Binding] = field(default_factory=list)
    #: results of operations that need not be done again: numbers, and parts of arrays
    results: dict[object, Part] = field(default_factory=dict)


class Known(NamedTuple):
    """A variable, where it is bound, and its type."""

    variable: Variable
    scope: Scope
    type: Type


class Constant(NamedTuple):
    """An array of numpy that is a parameter of the program: its variable, its type, and a copy of the array."""

    variable: Variable
    type: Type
    array: Any


@dataclass(slots=True, eq=False)
class Trace:
    """One run of a Python function on symbolic values: its open scopes, and facts about variables."""

    sizes: Sequence[str] = ()  # the names of the program's sizes
    numbers: frozenset[str] = frozenset()  # the sizes that are parameters
    floating: Type = F32  # the type of floats whose type no array determines
    unroll: int | None = (
        None  # known loops with more iterations stay loops, if these are alike; None for none
    )
    is_in_order: bool = False  # whether all loops are written as the sequence of their iterations
    constants: list[Constant] | None = None  # long arrays that became parameters; None if all are literals
    scopes: list[Scope] = field(default_factory=list)
    weights: dict[int, int] = field(default_factory=dict)  # the numbers of primitives of views, by variable
    places: dict[int, Place] = field(default_factory=dict)  # where results were computed, by variable
    named: dict[int, str] = field(default_factory=dict)  # the name of the value whose elements a view shows
    known: dict[int, Known] = field(default_factory=dict)
    sources: dict[int, frozenset[int]] = field(default_factory=dict)  # what views show, by variable
    elements: dict[int, list[tuple[Scope, Binding]]] = field(default_factory=dict)  # of arrays, by variable
    counts: dict[tuple[Nat, Type], Part] = field(default_factory=dict)  # sizes as numbers of a type
    transposed: dict[int, Part] = field(default_factory=dict)  # the transposes of variables
    repeated: dict[int, Part] = field(default_factory=dict)  # the value of all elements of an array
    loops: dict[NatVar, Part] = field(default_factory=dict)  # the variables of the enclosing loops
    tried: list[None] = field(default_factory=list)  # the enclosing loops that may still be unrolled
    needs_test: bool = False  # whether the next test of a `while` has to be known for the loop to be unrolled
    conditions: list[Part] = field(default_factory=list)  # the conditions of the enclosing branches
    journals: list[dict[Any, Any]] = field(default_factory=list)  # the values of arrays before assignments
    accesses: list[tuple[Any, tuple[Nat, ...]]] = field(
        default_factory=list
    )  # the arrays that were used, and the paths of the parts
    masks: dict[tuple[object, ...], tuple[Part, Any]] = field(
        default_factory=dict
    )  # the results of comparisons, and the operands
    columns: dict[int, tuple[Part, list[Any], Part]] = field(
        default_factory=dict
    )  # of arrays whose rows were assigned to: the array before, the items and values, the array itself
    rows: dict[int, tuple[Part, int, Part]] = field(
        default_factory=dict
    )  # of arrays of which one element was assigned to: the array before, the element, the array itself
    facts: dict[tuple[Nat, Nat], None] = field(
        default_factory=dict
    )  # pairs of sizes; a call checks that the first is at most the second
    decided: Mapping[Any, tuple[bool, tuple[tuple[Nat, Nat], ...]]] | None = (
        None  # comparisons of sizes, and what a call has to check for them; None if no call decides any
    )
    lengths: dict[Nat, None] = field(default_factory=dict)  # of created arrays: none is negative
    products: list[None] = field(default_factory=list)  # one for each matrix product
    indexed: dict[Place, None] = field(default_factory=dict)  # where numbers become indices, which may fail
    own: frozenset[Hashable] = (
        frozenset()
    )  # the assignments of known arrays to names that make arrays of the program
    arrays: list[tuple[Any, Hashable]] = field(
        default_factory=list
    )  # other known arrays, and their assignments
    clock: Iterator[int] = field(default_factory=count)  # numbers arrays in the order of their creation
    turn: list[int] = field(
        default_factory=lambda: [0]
    )  # how many loops have begun in each enclosing iteration, outermost first
    plans: dict[tuple[int, ...], Any] = field(default_factory=dict)  # of loops in loops, by their positions
    statements: list[Place | None] = field(
        default_factory=list
    )  # the enclosing loops; None for those that are no statements
    forms: dict[Place, LoopForm] = field(default_factory=dict)  # what statements became, as far as is known
    data_sizes: list[str] = field(
        default_factory=list
    )  # the names of the enclosing sizes that data determine
    sized: list[None] = field(default_factory=list)  # one for each function of such a size
    as_sizes: dict[int, Nat] = field(default_factory=dict)  # such sizes, by the variables of the numbers

    @property
    def root(self) -> Scope:
        return self.scopes[0]

    def constant(self, array: Any, type: Type) -> Part:
        """The parameter for the current elements of an array of numpy; the same one for the same elements."""
        assert self.constants is not None
        elements = array.tobytes()
        same = (one for one in self.constants if one.type == type and one.array.tobytes() == elements)
        found = next(same, None)
        if found is None:
            name = f"constant_{len(self.constants)}" if self.constants else "constant"
            found = Constant(Variable(name), type, array.copy())
            self.constants.append(found)
            self.known[id(found.variable)] = Known(found.variable, self.root, type)
        return Part(type, found.variable, self.root)

    def where(self, test: Part, side: Callable[[], Any]) -> Any:
        """Compute one side of a branch: under a test, in addition to the conditions of the enclosing branches."""
        self.conditions.append(test)
        try:
            return side()
        finally:
            self.conditions.pop()

    def results_so_far(self) -> Callable[[], None]:
        """A function that forgets later results, so that they are computed again."""
        counts = [len(scope.results) for scope in self.scopes]

        def forget() -> None:
            for scope, before in zip(self.scopes, counts, strict=False):
                while len(scope.results) > before:
                    scope.results.popitem()

        return forget

    def keeping_loops(self, unroll: int, run: Callable[[], Any]) -> Any:
        """Run a function whose known loops with more iterations stay loops, unless fewer are to be unrolled anyway."""
        before = self.unroll
        self.unroll = unroll if before is None else before
        try:
            return run()
        finally:
            self.unroll = before

    def change_known(self, array: Any) -> None:
        """Raise KnownArrayError for a known array that the function assigned to a name, unless statements are tried."""
        found = next((assignment for one, assignment in self.arrays if one is array), None)
        if found is not None and not self.tried:
            raise KnownArrayError(found)

    def note_loop(self, primitive: str, reason: str) -> None:
        """Note what became of the innermost loop, if it is a statement. What is noted last is right."""
        place = self.statements[-1] if self.statements else None
        if place is not None:
            self.forms[place] = LoopForm(place, primitive, reason)

    def is_of_data(self, size: Nat) -> bool:
        """Whether data determine a size, so that no call can check a fact about it."""
        return any(isinstance(atom, NatVar) and atom.name in self.data_sizes for atom in size.free)

    def promise_equal(self, one: Nat, other: Nat) -> None:
        """Let every call check that two sizes are equal."""
        self.promise_at_most(one, other)
        self.promise_at_most(other, one)

    def promise_at_most(self, less: Nat, more: Nat) -> None:
        """Let every call check that a size is at most another."""
        self.facts[less, more] = None


class KnownArrayError(BaseException):
    """Raised if the program changes an array whose elements are known while it is built. Then the function is run
    again, and the assignment of the array to its name makes an array of the program. It is no error of the user.
    """

    def __init__(self, assignment: Hashable) -> None:
        super().__init__(assignment)
        self.assignment = assignment


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A symbolic value: its type, its syntax, and the innermost scope that it needs."""

    type: Type
    syntax: Syntax
    scope: Scope

    @property
    def shape(self) -> tuple[Nat, ...]:
        return shape_of(self.type)

    @property
    def element(self) -> Type:
        return element_of(self.type)

    @property
    def trace(self) -> Trace:
        return self.scope.trace


Body: TypeAlias = Callable[..., Part]


def shape_of(t: Type) -> tuple[Nat, ...]:
    """The sizes of an array, outermost first."""
    sizes: list[Nat] = []
    while isinstance(t, ArrayType):
        sizes.append(t.size)
        t = t.element
    return tuple(sizes)


def array_of(shape: Sequence[Nat], element: Type) -> Type:
    """The type of an array."""
    for size in reversed(shape):
        element = ArrayType(size, element)
    return element


def scalar_name(t: Type) -> str:
    """The name of a scalar type, or ""."""
    return t.name if isinstance(t, ScalarType) else ""


def shown(t: Type) -> str:
    """A type as text for the user."""
    return show_type(t)


def computed(type: Type, syntax: Syntax, *operands: Part) -> Part:
    """The result of an operation on values, which is bound to a variable. Equal operations that return a number have
    one result.
    """
    return _result(type, syntax, operands, 0)


def once(scope: Scope, key: object, compute: Callable[[], Part]) -> Part:
    """The result of an operation in a scope, which is done once for each key."""
    found = scope.results.get(key)
    known = None if found is None else scope.trace.known.get(id(found.syntax))
    if found is None or (
        known is not None and known.scope is not found.scope
    ):  # it was moved into a function
        found = scope.results[key] = compute()
    return found


def _key(syntax: Any) -> object:
    """A key that is equal for equal operations on the same variables, which must be kept alive."""
    match syntax:
        case Application(function, arguments):
            return _key(function), *map(_key, arguments)
        case ImplicitApplication(function, arguments):
            return _key(function), "{", *map(_key, arguments)
        case Parenthesized(pieces):
            return tuple(map(_key, pieces))
        case TextPiece(text) | str(text):
            return text
        case TypeNode(node):
            return node
    return id(syntax)


def viewed(type: Type, syntax: Syntax, *operands: Part) -> Part:
    """The result of an operation on values that moves no data, which is bound to a variable."""
    trace = operands[0].trace
    weight = 1 + sum(trace.weights.get(id(operand.syntax), 0) for operand in operands)
    return _result(type, syntax, operands, weight if weight <= WIDEST_VIEW else 0)


def _result(type: Type, syntax: Syntax, operands: Sequence[Part], weight: int) -> Part:
    if not isinstance(type, ScalarType):
        return _bound(type, syntax, operands, weight)
    scope, key = scope_of(operands), _key(syntax)
    found = scope.results.get(key)
    if (
        found is None or scope.trace.known[id(found.syntax)].scope is not scope
    ):  # it was moved into a function
        found = scope.results[key] = _bound(type, syntax, operands, weight)
    return found


def apply(name: str, *arguments: Syntax) -> Syntax:
    """A primitive applied to arguments."""
    return Application(TextPiece(name), arguments)


def piped(name: str, *arguments: Syntax) -> Syntax:
    """A primitive applied to all arguments except the last one, and the result to that: `f(a)(xs)`."""
    return Application(Application(TextPiece(name), arguments[:-1]), arguments[-1:])


def literal(value: float, type: Type, scope: Scope) -> Part:
    """A number of a type."""
    text = ("true" if value else "false") if isinstance(value, bool) else repr(value)
    if scalar_name(type) not in ("f32", "i32", "bool") or (scalar_name(type) == "f32") != isinstance(
        value, float
    ):
        return Part(type, Parenthesized((text, " : ", TypeNode(type))), scope.trace.root)
    return Part(type, TextPiece(text, not text.startswith("-")), scope.trace.root)


def literal_text(part: Part) -> str | None:
    """The text of a number of the program, without its type; None for other values."""
    match part.syntax:
        case TextPiece(text) | Parenthesized((str(text), " : ", TypeNode())):
            return text
    return None


def is_open(part: Part) -> bool:
    """Whether a value can still be used, since the function that computes it is not complete."""
    scopes = part.trace.scopes
    return len(scopes) > part.scope.depth and scopes[part.scope.depth] is part.scope


def identity(part: Part) -> object:
    """A key that is equal for values that are certainly the same: of one computation, or the same views of it, such as
    `x[i]` twice.
    """

    def of(syntax: Syntax | TypeNode) -> object:
        match syntax:
            case Variable() if id(syntax) in trace.known:
                scope = trace.known[id(syntax)].scope
                bound = next((one for one in scope.bindings if one.variable is syntax), None)
                return id(syntax) if bound is None or not bound.weight else of(bound.syntax)
            case TextPiece(text):
                return text
            case Application(function, arguments):
                return of(function), *map(of, arguments)
            case TypeNode(node):
                return node
        return id(syntax)

    trace = part.trace
    return of(part.syntax)


def name_of(part: Part, at: Place | None = None) -> str:
    """The name to which an earlier line assigns a value; for a view of elements of one named value, that name;
    otherwise "".
    """
    trace, key = part.trace, id(part.syntax)
    place = trace.places.get(key)
    name = place.assigned if place else ""
    return name if name and place != (at or here()) else trace.named.get(key, "")


def scope_of(parts: Sequence[Part]) -> Scope:
    """The innermost scope that some values need. All of them must be in scope."""
    innermost = parts[0].scope
    trace = innermost.trace
    for part in parts:
        scope = part.scope
        if scope.trace is not trace or not is_open(part):
            title = "a value is used outside the function that computes it"
            refuse("escape", title, "return it from its function, and use the result of `map` or `reduce`")
        if scope.depth > innermost.depth:
            innermost = scope
    return innermost


def _bound(type: Type, syntax: Syntax, operands: Sequence[Part], weight: int) -> Part:
    scope = scope_of(operands)
    variable, place = Variable("v"), here()
    binding = Binding(variable, syntax, weight, place)
    scope.bindings.append(binding)
    scope.trace.places[id(variable)] = place
    scope.trace.known[id(variable)] = Known(variable, scope, type)
    if weight:
        _note_sources(variable, operands)
        if isinstance(type, ScalarType):
            for source in scope.trace.sources[id(variable)]:
                scope.trace.elements.setdefault(source, []).append((scope, binding))
        scope.trace.weights[id(variable)] = weight
        names = {name for one in operands if (name := name_of(one, place))}
        if len(names) == 1:
            scope.trace.named[id(variable)] = names.pop()
    return Part(type, variable, scope)


def bind(trace: Trace, variable: Syntax, name: str = "") -> None:
    """Bind a view to a name with `let`, if it is used more than once."""
    known = trace.known.get(id(variable))
    for binding in known.scope.bindings if known else ():
        if binding.variable is variable:
            binding.weight, binding.name = 0, name
            trace.weights.pop(id(variable), None)


def _note_sources(variable: Variable, operands: Sequence[Part]) -> None:
    """Note the values that a view shows, and those that they show themselves."""
    sources = operands[0].trace.sources
    shown = (sources.get(id(one.syntax), frozenset()) | {id(one.syntax)} for one in operands)
    sources[id(variable)] = frozenset().union(*shown)


def changes(old: Part) -> None:
    """Note that an array is assigned to: elements that were read from its old value, and are used later, get names
    before the assignment.
    """
    for scope, binding in old.trace.elements.pop(id(old.syntax), ()):
        binding.changed = len(scope.bindings)


def function(
    trace: Trace, names: Sequence[str], types: Sequence[Type], body: Body, written: Sequence[Annotation] = ()
) -> Part:
    """The function of the term that a Python function defines.

    `written` has the annotations of its parameters in the text; if it is empty, they are omitted, unless a function of
    a size is inside, whose type can only depend on types that are known.
    """
    scope, sized = Scope(trace, len(trace.scopes)), len(trace.sized)
    trace.scopes.append(scope)
    variables = [Variable(name) for name in names]
    trace.known.update((id(v), Known(v, scope, t)) for v, t in zip(variables, types, strict=True))
    try:
        result = body(*(Part(t, v, scope) for v, t in zip(variables, types, strict=True)))
        scope_of([result])
    finally:
        trace.scopes.pop()
    closed = close(scope.bindings, result.syntax)
    outside = tuple(
        (variable, is_below)
        for variable, is_below in occurrences(closed)
        if id(variable) in trace.known and trace.known[id(variable)].scope.depth < scope.depth
    )
    if len(trace.sized) > sized:
        written = written or [TypeNode(t) for t in types]
    annotations = written or [None] * len(variables)
    whole = Function(tuple(zip(variables, annotations, strict=True)), closed, outside=outside)
    type = result.type
    for t in reversed(types):
        type = FunType(t, type)
    needed = max(
        (trace.known[id(variable)].scope for variable, _ in outside),
        key=lambda outer_scope: outer_scope.depth,
        default=trace.root if trace.scopes else scope,
    )
    return Part(type, whole if written else _without_parameter(whole), needed)


def all_of(conditions: Sequence[Part]) -> Part | None:
    """Whether all conditions hold; None if there are none."""
    if not conditions:
        return None
    both = conditions[0]
    for condition in conditions[1:]:
        both = computed(BOOL, apply("and", both.syntax, condition.syntax), both, condition)
    return both


def result_of(function: Part) -> Type:
    """The result type of a function after all its parameters."""
    t = function.type
    while isinstance(t, FunType):
        t = t.result
    return t


def _without_parameter(function: Function) -> Syntax:
    """`f` instead of `fun(x => f(x))`."""
    match function:
        case Function(((variable, _),), Application(fun, (argument,))) if argument is variable:
            if all(used is not variable for used, _ in occurrences(fun)):
                return fun
    return function
