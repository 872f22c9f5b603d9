"""Diagnostics of elaboration: expected, found, and what to do next.

One subject: what a message says about a mismatch, a name and a call that do not fit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Final, NamedTuple, NoReturn

from rise.diagnostics import Diagnostic, Label, RiseError, did_you_mean
from rise.inference.foreign_names import foreign_hint
from rise.inference.mismatch import Mismatch, Reason
from rise.inference.names import UNIQUE, Names, without_numbers
from rise.inference.schemes import scheme_at_sizes, scheme_of, substitute_names
from rise.inference.scope import Scope
from rise.inference.solver import Solver
from rise.naturals import Nat, NatMeta, NatVar
from rise.nodes import Node
from rise.primitives import SCALAR_FUNCTIONS, has_trait, lookup, operands_of
from rise.primitives.record import PrimitiveRecord
from rise.records import dataclass
from rise.scalars import SCALAR_ONLY, SCALARS, is_complex, is_only_stored, kind_name
from rise.text import syntax as s
from rise.text.hints import HINTS, METHOD
from rise.text.names import bounded
from rise.text.nat_printer import show_nat
from rise.text.trees import Span
from rise.text.type_printer import brief_type
from rise.types import (
    ArrayType,
    DepFunType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Space,
    Type,
    TypeMeta,
    TypeVar,
    VectorType,
)

MAX_TYPE_CHARACTERS: Final = 300  # that are shown
MAX_TYPE_PARTS: Final = 120  # that are shown, so that whole parts are omitted
MAX_COMPARED_NAMES: Final = 1000  # that are local, for suggestions of similar names
CONVERSION: Final = "there are no implicit conversions: write `cast{t}(x)` to convert x to type t"
MAP_HINT: Final = (
    "`map(f)` applies a function to every element, `zip(xs, ys) |> map(f)` to those of two arrays"
)
ELEMENT_HINT: Final = (
    "an element is `xs |> idx(i)`, where i is an index: a number, or a variable of type idx[n]; the parts of a pair are"
    " `fst(p)` and `snd(p)`"
)
INDEX_HINT: Final = "write indices where they are used, `gather([0, 2], xs)`, or with their type: `2.idx[8]`"
#: for a number where an index is expected, and for an array of numbers, with the conversion to i64
COMPUTED_INDEX: Final = (
    "write `toIndexChecked({})`, an error if it is out of range, or `toIndex`, which is not"
)
COMPUTED_INDICES: Final = (
    "write indices where they are used, `gather([0, 2], xs)`; computed numbers become indices by"
    " `map(fun(i => toIndexChecked({})))`"
)
PARTS: Final = "the parts of a pair are `fst(p)` and `snd(p)`"
MISSING_ARGUMENT: Final = "is an argument missing?"
DEPENDENT_MAP: Final = (
    "map over it with `depMap(fun(i: nat, row => ...))`, whose function takes the index before the element"
)
#: a word between two others, as in `a and b`
_BETWEEN: Final = re.compile(r"\w+\s+([a-z]\w*)\s+\w")
_COMMENT: Final = re.compile(r"\s*--")
ESCAPE_HINT: Final = "bind it in an outer function, or write the type of the parameter that depends on it"


class Called(NamedTuple):
    """The function that an argument is passed to, and the type of the call's result."""

    function: s.Expr
    result: Type


@dataclass(slots=True)
class Complaints:
    """Builds the diagnostics of one elaboration."""

    scope: Scope
    names: Names
    solver: Solver
    recursive: list[str] = field(default_factory=list)  # names being defined
    order: Mapping[str, int] = field(default_factory=dict)  # positions of all definitions of the text

    def unknown_name(self, name: str, span: Span) -> NoReturn:
        """An undefined name, or a definition that uses itself or a later one."""
        if name in self.recursive:
            hint = "the language has no recursion; use iterate, reduce or scan"
            self.scope.fail("recursion", f"the definition of `{name}` uses itself", span, "here", hint)
        if name in self.order:
            hint = f"move the definition of `{name}` above this one"
            self.scope.fail("used-before", f"`{name}` is used before its definition", span, "here", hint)
        if name == "import":
            hint = "write imports at the top of the text, before definitions: `import linear_algebra`"
            self.scope.fail("import", "expected an expression, found an import", span, "here", hint)
        if name == "vec":
            hint = "write a vector as `vec[1.0, 2.0]`; as an argument, in parentheses"
            self.scope.fail("unknown-name", "expected a value, found the type `vec`", span, "", hint)
        local = (local_name for local_name, _ in self.scope.names[-MAX_COMPARED_NAMES:])
        line = self.scope.source.rfind("\n", 0, span.start) + 1
        hint = (
            (HINTS["#"] if "--" in self.scope.source[line : span.start] else "")
            or foreign_hint(name)
            or did_you_mean(name, [*local, *self.names.visible()])
            or "`shine list primitives` shows all primitives"
        )
        self.scope.fail("unknown-name", f"`{name}` is not defined", span, "not defined here", hint)

    def ill_typed(
        self, mismatch: Mismatch, span: Span, expected: Type, found: Type, called: Called | None = None
    ) -> RiseError:
        """Two types that should be equal; `called` is given if the second is the type of an argument."""
        shown = self.shown(mismatch.expected, mismatch.found, expected, found)
        want, have, expected_whole, found_whole = shown
        code, title, hint = self._explanation(mismatch, want, have)
        notes: tuple[str, ...] = ()
        if (want, have) != (expected_whole, found_whole):
            notes = (f"full expected type: {expected_whole}", f"full found type: {found_whole}")
            if isinstance(mismatch.expected, IndexType) and _is_integer(mismatch.found):
                hint = COMPUTED_INDICES.format(_as_i64(mismatch.found))
        primitive = None if called is None else self._primitive(called.function)
        if hint == MAP_HINT and self.scope.source.startswith(".", span.end):
            hint = METHOD
        elif hint == MAP_HINT and primitive is not None and _combines(primitive):
            hint = f"{MAP_HINT}, and `reduce({primitive.name}, start)` combines all elements"
        if called is not None and primitive is not None:
            notes = (*notes, f"{primitive.name} : {primitive.scheme}")
            is_array = isinstance(self.solver.head(found), ArrayType) and not _is_integer(mismatch.found)
            if is_array and self._takes_array_later(called.result):
                is_piped = called.function.span.start > span.start
                if is_piped:
                    hint = _missing_before(primitive.name)
                elif not isinstance(self.solver.head(expected), ArrayType):
                    hint = _array_last(primitive.name)
            if primitive.if_zero and mismatch.reason is Reason.DIFFERENT and _has_zero(called.function):
                hint = primitive.if_zero
        if hint == MISSING_ARGUMENT and _COMMENT.match(self.scope.source, span.end):
            hint = HINTS["#"]
        if hint == MISSING_ARGUMENT and (word := _BETWEEN.match(self.scope.source, span.start)):
            hint = _before_arguments(lookup(word[1])) or hint
        if self.scope.source.startswith(".", span.start - 1) and isinstance(mismatch.expected, FunType):
            hint = PARTS
        if self.scope.source.startswith("[", span.end) and isinstance(self.solver.head(found), FunType):
            hint = ELEMENT_HINT
        labels: tuple[Label, ...] = (Label(span.start, span.end, f"this is {found_whole}"),)
        if called is not None:
            labels += self._literals(called.function.span, want)
        return RiseError(Diagnostic(code, title, labels, hint, notes, self.scope.source, self.scope.file))

    def _literals(self, span: Span, t: str) -> tuple[Label, ...]:
        """A label for the first literal in a span whose suffix is this type."""
        if t not in SCALARS:
            return ()
        match = re.compile(rf"\b[0-9][0-9.]*{t}\b").search(self.scope.source, span.start, span.end)
        return (Label(match.start(), match.end(), f"this is {t}"),) if match else ()

    def _primitive(self, function: s.Expr) -> PrimitiveRecord | None:
        """The primitive that is called, possibly after earlier arguments; None if it comes from a vector literal."""
        if self.scope.source.startswith("vec[", function.span.start):
            return None
        while isinstance(function, s.Apply | s.Instantiate):
            function = function.fun
        match function:
            case s.Name(_, name) if self.scope.lookup(name) is None and self.names.whole(name) is None:
                return self.names.primitive(name)
        return None

    def _takes_array_later(self, t: Type) -> bool:
        """Whether a function takes an array, as its first argument or a later one."""
        t = self.solver.head(t)
        while isinstance(t, FunType):
            if isinstance(self.solver.head(t.parameter), ArrayType):
                return True
            t = self.solver.head(t.result)
        return False

    def fact_of_value(self, param: s.Param) -> NoReturn:
        """A fact on a parameter that is not a size."""
        first, last = param.facts[0].span, param.facts[-1].span
        fact = bounded(" ".join(self.scope.source[first.start : last.end].split()), MAX_TYPE_CHARACTERS)
        hint = (
            f"write it at a parameter that is a size, `fun({{N: nat where {fact}}}, ...)`,"
            f" or at the definition, `val f : t where {fact} = ...`"
        )
        title = f"expected a size before `where`, found the value `{param.name}`"
        self.scope.fail("fact", title, param.span, "", hint)

    def _explanation(self, mismatch: Mismatch, want: str, have: str) -> tuple[str, str, str]:
        """Code, title and hint of a mismatch between two shown types or sizes."""
        is_function = isinstance(mismatch.found, FunType | DepFunType)
        match mismatch.reason:
            case Reason.ESCAPE:
                return "escape", self._escape_title(mismatch.found), ESCAPE_HINT
            case Reason.UNDECIDED if _of_a_row(mismatch.found) or _of_a_row(mismatch.expected):
                title = "expected elements of one type, found elements whose size depends on their index"
                return "size-mismatch", title, DEPENDENT_MAP
            case Reason.UNDECIDED if isinstance(mismatch.found, Type):
                title = "cannot infer how the type of this depends on the number of the dependent pair"
                return "type-mismatch", title, "write it in braces: `makeDepPair{(n |-> n.f32)}(3, xs)`"
            case Reason.UNDECIDED:
                hint = "write the types of the parameters, or give the implicit sizes in braces"
                title = f"expected size {want}, found {have}; cannot infer whether they are equal"
                return "size-mismatch", title, hint
            case Reason.NO_NATURAL:
                return ("size-mismatch", *_no_natural(mismatch, want, have))
            case Reason.ENDLESS:
                return (
                    "type-mismatch",
                    f"a type would contain itself: {want} = {have}",
                    "write the types of the parameters to see where they differ",
                )
            case Reason.CLASS if is_function:
                title = f"expected a value, found the function {have}"
                return "type-mismatch", title, MISSING_ARGUMENT
            case Reason.CLASS:
                kind = kind_name(frozenset(mismatch.classes))
                wanted = "a type of numbers" if kind in ("castable", "ring") else f"a type of class {kind}"
                match mismatch.found:
                    case ScalarType(name) if kind == "ring" and is_only_stored(name):
                        wanted = "a type of numbers with arithmetic"
                title = f"expected {wanted}, found {have}"
                return "type-mismatch", title, _hint(mismatch)
            case Reason.CLASS_OF_FOUND:
                title = f"expected {want}, found {_a_value_of(mismatch.classes)}"
                return "type-mismatch", title, _hint(mismatch)
            case Reason.NO_TYPE:
                wanted, given = mismatch.classes
                title = f"expected a type of class {wanted}, found one of class {given}: no type is both"
                return "type-mismatch", title, CONVERSION
            case Reason.DIFFERENT if isinstance(mismatch.expected, Nat):
                hint = "use `padEmpty`, `take` or `split` to make the sizes equal"
                return "size-mismatch", f"expected size {want}, found {have}", hint
            case Reason.DIFFERENT:
                hint = MISSING_ARGUMENT if is_function else _hint(mismatch)
                return "type-mismatch", f"expected {want}, found {have}", hint

    def escape(self, name: str, span: Span) -> NoReturn:
        """A size or type that is used outside the function that binds it."""
        title = f"`{without_numbers(name)}` is used outside the function that binds it"
        self.scope.fail("escape", title, span, "", ESCAPE_HINT)

    def _escape_title(self, found: Node) -> str:
        variables = (node for node in found.free if isinstance(node, NatVar | TypeVar))
        names = [without_numbers(variable.name) for variable in variables if UNIQUE in variable.name]
        return f"`{min(names, default='a size')}` is used outside the function that binds it"

    def not_a_function(self, t: Type, fun: s.Expr, arg: s.Expr) -> NoReturn:
        """A value that is applied to an argument."""
        title = f"expected a function, found {self.shown(t)[0]}"
        is_index = isinstance(arg, s.ArrayLiteral) and isinstance(self.solver.head(t), ArrayType | PairType)
        hint = ELEMENT_HINT if is_index else "is there one argument too many, or is a `|>` missing?"
        if isinstance(fun, s.Apply) and isinstance(self.solver.head(t), ArrayType) and not is_index:
            record = self._primitive(fun)
            if record is not None and _joins_arrays(record):
                hint = f"`{record.name}` takes two arrays: write `{record.name}(x, {record.name}(y, z))`"
        hint = (_before_arguments(lookup(arg.name)) if isinstance(arg, s.Name) else "") or hint
        labels = (
            Label(fun.span.start, fun.span.end, "this is applied"),
            Label(arg.span.start, arg.span.end, "to this"),
        )
        raise RiseError(
            Diagnostic("not-a-function", title, labels, hint, (), self.scope.source, self.scope.file)
        )

    def missing_size(self, record: PrimitiveRecord, found: str, span: Span) -> NoReturn:
        """A later argument where a primitive takes one of several sizes."""
        count = scheme_at_sizes(record.scheme)[0]
        example = ",".join(record.example.split(",")[:count])
        title = f"expected a size, found the value `{found}`"
        hint = f"`{record.name}` takes {count} size{'s' * (count != 1)} first, as in `{example}, ...)`"
        self.scope.fail("wrong-kind", title, span, "", hint)

    def undecided(self, name: str, span: Span) -> NoReturn:
        """An overloaded name whose use does not determine which primitive is meant."""
        hint = f"write one of {', '.join(self.names.overloads(name))}"
        title = f"cannot infer which primitive `{name}` means"
        self.scope.fail("undecided", title, span, "the use of its result does not determine it", hint)

    def shown(self, *nodes: Node) -> list[str]:
        """Types and sizes as text; unknowns are named `?n`, `?t` in order."""
        resolved = [self.solver.resolve(node) for node in nodes]
        names: dict[Node, Node] = {}
        for root in resolved:
            for node in self.solver.unknowns_in(root, set()):
                if isinstance(node, TypeMeta) and node not in names:
                    names[node] = TypeVar(f"?{_name('tsuvw', len(names))}", "data")
                elif isinstance(node, NatMeta) and node not in names:
                    names[node] = NatVar(f"?{_name('nmkpqr', len(names))}", None)
        return [
            without_numbers(bounded(_text(substitute_names(root, names)), MAX_TYPE_CHARACTERS))
            for root in resolved
        ]


def _before_arguments(record: PrimitiveRecord | None) -> str:
    """The hint for a function of two numbers that is written between these; empty for anything else."""
    if record is None or record not in SCALAR_FUNCTIONS or operands_of(record.name) != 2:
        return ""
    if record.operator:
        return f"write `a {record.operator} b`"
    return f"a function comes before its arguments: `{record.name}(x, y)`"


def _joins_arrays(record: PrimitiveRecord) -> bool:
    """Whether a primitive makes one array of two."""
    match scheme_of(record.scheme).body:
        case FunType(ArrayType(), FunType(ArrayType(), ArrayType())):
            return True
    return False


def _is_integer(found: Node) -> bool:
    return isinstance(found, ScalarType) and "integral" in SCALARS[found.name].classes


def _as_i64(t: Node) -> str:
    """A number `i` of a type as an i64."""
    return "i" if t == ScalarType("i64") else "cast{i64}(i)"


def _has_zero(function: s.Expr) -> bool:
    """Whether the last argument before the array is 0."""
    return isinstance(function, s.Apply) and isinstance(function.arg, s.Number) and function.arg.exact == 0


def _array_last(name: str) -> str:
    return f"the array is the last argument of `{name}`: `xs |> {name}(...)`"


def _missing_before(name: str) -> str:
    """The hint for an array that is passed to a primitive before its other arguments."""
    if has_trait(name, "reduces") or has_trait(name, "scans"):
        return f"the start value is missing: `xs |> {name}(f, start)`"
    return f"an argument before the array is missing: see the type of `{name}`"


def _no_natural(mismatch: Mismatch, want: str, have: str) -> tuple[str, str]:
    """Title and hint if an unknown size would be negative or a fraction."""
    sides = (mismatch.expected, want), (mismatch.found, have)
    for (product, _), (number, shown) in (sides, sides[::-1]):
        if isinstance(product, Nat) and isinstance(number, Nat) and number.constant is not None:
            factor = product.terms[0][1]
            if len(product.terms) == 1 and isinstance(factor, int) and number.constant % factor:
                missing = -number.constant % factor
                return (
                    f"{shown} is not a multiple of {factor}",
                    f"choose a divisor of {shown}, or `padEmpty({missing})` first",
                )
    hint = "no natural number makes them equal: choose another size, or use `padEmpty` or `take` first"
    return f"expected size {want}, found {have}", hint


def _combines(primitive: PrimitiveRecord) -> bool:
    """Whether a primitive combines two numbers into one."""
    return has_trait(primitive.name, "lanewise") and operands_of(primitive.name) == 2


def _hint(mismatch: Mismatch) -> str:
    """The hint for a value of the wrong type."""
    numbers = ScalarType | TypeVar | TypeMeta
    match mismatch.expected, mismatch.found:
        case IndexType(), ScalarType() if _is_integer(mismatch.found):
            return COMPUTED_INDEX.format(_as_i64(mismatch.found))
        case IndexType(), _:
            return INDEX_HINT
        case (ScalarType("bool"), _) | (_, ScalarType("bool")):
            return (
                "a comparison, such as `x != 0`, gives a truth value; `if` turns a truth value into a number"
            )
        case _, ScalarType(name) if is_complex(name) and mismatch.classes:
            return (
                "complex numbers have no order and no vectors: `realPart(z)`, `imagPart(z)` are real numbers"
            )
        case _, ScalarType(name) if mismatch.classes and is_only_stored(name):
            return f"{name} is only stored: compute with `cast{{f32}}(x)`"
        case expected, found if isinstance(expected, numbers) and isinstance(found, numbers):
            return CONVERSION
        case _, VectorType() if SCALAR_ONLY & frozenset(mismatch.classes):
            return "vectors cannot be compared: `asScalar` turns an array of vectors into one of numbers"
        case _, ArrayType():
            return MAP_HINT
        case _, PairType():
            return "`fst` and `snd` take a pair apart"
        case _, IndexType():
            return "`indexAsInt(i)` is an index as a number, which can be compared, added and cast"
        case ArrayType(), _:
            return "this has one axis too few: remove a `map`, or make an array of it, `[x]`"
        case PairType(), _:
            return "`pair(x, y)` is a pair, `zip(xs, ys)` an array of pairs"
    return ""


def _a_value_of(classes: tuple[str, ...]) -> str:
    if "floating" in classes:
        return "a floating number"
    return "a number" if classes and classes != ("data",) else "a value"


def _name(letters: str, count: int) -> str:
    return letters[count % len(letters)] + (str(count // len(letters)) if count >= len(letters) else "")


def _text(node: Node) -> str:
    match node:
        case Nat():
            return show_nat(node)
        case Type():
            return brief_type(node, MAX_TYPE_PARTS)
    return node.name if isinstance(node, Space) else "?"


def _of_a_row(size: Node) -> bool:
    """Whether a size contains the index of a row, which has no name."""
    return any(isinstance(node, NatVar) and node.name.startswith(UNIQUE) for node in size.free)
