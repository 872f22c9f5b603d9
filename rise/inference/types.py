"""Reads types from their syntax: names get their kinds here. Independent of terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn, TypeAlias, assert_never

from rise.dependent_binders import Done, instantiate_all
from rise.diagnostics import RiseError, did_you_mean
from rise.inference.effort import COST_PER_NODE, MAX_TYPE_WEIGHT, type_too_large
from rise.inference.foreign_names import foreign_type
from rise.inference.kinds import read_kind, read_space
from rise.inference.scope import Scope, Synonym
from rise.inference.sizes import read_natural, read_size_function
from rise.naturals import Nat
from rise.scalars import (
    FAMILY,
    ROLES,
    SCALARS,
    SIZE_FUNCTION,
    SYNONYMS,
    is_type_kind,
)
from rise.terms import Fact
from rise.text import syntax as s
from rise.text.hints import BRACKETED, DEFINITION, FUNCTION, TYPES
from rise.text.names import bounded
from rise.text.trees import Span
from rise.types import (
    Argument,
    ArrayType,
    DepFunType,
    DepPairType,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    TypeBound,
    TypeFamily,
    TypeVar,
    VectorType,
    dependent_array,
    type_at,
    type_family,
    wide,
)

#: the head of a Python function, which may be mistaken for a value with a type
_PYTHON_HEAD: Final = re.compile(r"\b(lambda|def)\b[^:\n]*:\s*\Z")
#: the kinds of arguments that are read as sizes
OF_SIZES: Final = ("nat", SIZE_FUNCTION)
#: the steps that read a type: they ask for the types of its parts
Reading: TypeAlias = Generator[s.Type, Type, Type]


def read_argument(scope: Scope, kind: str, argument: s.Type) -> Argument:
    """The argument for a dependent parameter of this kind."""
    if kind == "nat":
        return read_natural(scope, argument)
    if kind == "space":
        return read_space(scope, argument)
    if kind == SIZE_FUNCTION:
        return read_size_function(scope, argument)
    return read_type(scope, argument)


def read_type(scope: Scope, syntax: s.Type) -> Type:
    """Read a type. One loop for all forms of types, so it is iterative in their nesting."""
    depth = len(scope.bound)
    waiting: list[tuple[s.Type, Reading]] = []
    try:
        node, read = syntax, _read(scope, syntax)
        while waiting or not isinstance(read, Type):
            part = read if isinstance(read, Type) else None
            if not isinstance(read, Type):
                waiting.append((node, read))
            whole, reading = waiting[-1]
            try:
                node = next(reading) if part is None else reading.send(part)
            except StopIteration as stop:
                waiting.pop()
                read = _refuse_large(scope, stop.value, whole.span)
            else:
                read = _read(scope, node)
    except RiseError:
        scope.unbind(depth)
        raise
    return read


def _read(scope: Scope, syntax: s.Type) -> Type | Reading:
    """A type that consists of no others, or the steps that read one: they ask for the types of their parts."""
    match syntax:
        case s.TypeName(span, name):
            return _type_name(scope, name, span)
        case s.Arrow(_, parameter, result):
            return _two(FunType, parameter, result)
        case s.PairType(_, first, second):
            return _two(PairType, first, second)
        case s.ArrayType(_, size, element):
            return _array(scope, ArrayType, size, element)
        case s.DependentArray(_, size, element):
            return _dependent_array(scope, size, element)
        case s.IndexMap(_, name, body):
            return _index_map(scope, name, body)
        case s.DependentPair(_, name, kind, body):
            return _dependent_pair(scope, name, kind, body)
        case s.ExplicitArrow(_, name, kind, result):
            return _dependent_function(scope, name, kind, False, result)
        case s.ImplicitArrow(_, name, kind, result):
            return _dependent_function(scope, name, kind, True, result)
        case s.TypeCall():
            return _read_call(scope, syntax)
        case s.TypeNat() | s.TypeBinary():
            _refuse_other(scope, syntax)
    assert_never(syntax)


def _read_call(scope: Scope, call: s.TypeCall) -> Type | Reading:
    """A type that is written as a name with arguments. Names of the text come before those of the language."""
    match call:
        case s.TypeCall(span, name, arguments) if name in scope.synonyms:
            return _synonym(scope, scope.synonyms[name], arguments, span)
        case s.TypeCall(_, "Array", (size, element)):
            return _array(scope, ArrayType, size, element)
        case s.TypeCall(_, "vec", (size, element)):
            return _array(scope, VectorType, size, element)
        case s.TypeCall(_, name, (argument,)) if (family := _family(scope, name)) is not None:
            return type_at(family, read_natural(scope, argument))
        case s.TypeCall(_, "idx", (size,)):
            return IndexType(read_natural(scope, size))
        case s.TypeCall(_, "Wide", (narrow,)):
            return _wide(narrow)
        case s.TypeCall(_, "Fragment", (m, n, k, element, role)):
            return _fragment(scope, (m, n, k), element, role)
        case s.TypeCall(_, "Fragment", (m, n, k, element, role, holder)):
            return _fragment(scope, (m, n, k), element, role, holder)
    _refuse_other(scope, call)


def _two(make: Callable[[Type, Type], Type], first: s.Type, second: s.Type) -> Reading:
    left = yield first
    right = yield second
    return make(left, right)


def _array(scope: Scope, make: Callable[[Nat, Type], Type], size: s.Type, element: s.Type) -> Reading:
    count = read_natural(scope, size)  # before the element: capitals are bound in the order of the text
    return make(count, (yield element))


def _dependent_array(scope: Scope, size: s.Type, element: s.Type) -> Reading:
    count = read_natural(scope, size)
    return dependent_array(count, _as_family(scope, (yield element), element))


def _index_map(scope: Scope, name: str, body: s.Type) -> Reading:
    scope.bind(name, "nat")
    t = yield body
    scope.unbind()
    return type_family(name, t)


def _dependent_pair(scope: Scope, name: str, kind: s.Type, body: s.Type) -> Reading:
    _refuse_other_kind(scope, kind)
    return DepPairType((yield from _index_map(scope, name, body)))


def _dependent_function(scope: Scope, name: str, kind: s.Type, is_implicit: bool, result: s.Type) -> Reading:
    scope.bind(name, read_kind(scope, kind))
    t = yield result
    return DepFunType(name, scope.unbind(), is_implicit, t)


def _synonym(scope: Scope, synonym: Synonym, arguments: Sequence[s.Type], span: Span) -> Reading:
    _refuse_other_count(scope, synonym, len(arguments), span)
    kinds = [kind for _, kind in synonym.parameters]
    with_kinds = list(zip(arguments, kinds, strict=True))
    sizes = iter([read_argument(scope, kind, size) for size, kind in with_kinds if kind in OF_SIZES])
    given: list[Argument] = []
    for argument, kind in with_kinds:
        given.append(next(sizes) if kind in OF_SIZES else (yield argument))
    return _expanded(scope, synonym, given, span)


def _wide(narrow: s.Type) -> Reading:
    return wide((yield narrow))


def _fragment(
    scope: Scope, sizes: Sequence[s.Type], element: s.Type, role: s.Type, *holder: s.Type
) -> Reading:
    t = yield element
    m, n, k = (read_natural(scope, size) for size in sizes)
    held_by = _holders(scope, *holder)
    return FragmentType(m, n, k, t, _role(scope, role), held_by)


def _refuse_large(scope: Scope, t: Type, span: Span) -> Type:
    if t.weight > MAX_TYPE_WEIGHT:
        raise scope.placed(type_too_large(t.weight), span)
    return t


def _refuse_other(scope: Scope, syntax: s.Type) -> NoReturn:
    hint = _type_hint(scope, syntax)
    scope.fail("expected-type", "expected a type", syntax.span, "this is not a type", hint)


def _as_family(scope: Scope, t: Type, syntax: s.Type) -> Type:
    if isinstance(t, TypeFamily) or (isinstance(t, TypeVar | TypeBound) and t.kind == FAMILY):
        return t
    hint = "write `n..(i |-> (i + 1).f32)`, or `n.f32` if all elements have the same type"
    scope.fail("expected-type", "expected a type for each index", syntax.span, "this is one type", hint)


def _refuse_other_kind(scope: Scope, kind: s.Type) -> None:
    if read_kind(scope, kind) != "nat":
        title = "expected `nat` as the kind of a dependent pair's number, found another kind"
        scope.fail("wrong-kind", title, kind.span, "", "write `(n: nat ** n.f32)`")


def _family(scope: Scope, name: str) -> Any:
    """The family of types with this name, or None."""
    meaning = scope.lookup(name) or scope.free(name, FAMILY)
    return meaning if isinstance(meaning, TypeVar | TypeBound) and meaning.kind == FAMILY else None


def read_synonym(scope: Scope, syntax: s.Synonym) -> Synonym:
    """Read the definition of a name for a type, which may only use its parameters."""
    parameters: dict[str, str] = {}
    for param in syntax.parameters:
        kind = "nat" if param.type is None else read_kind(scope, param.type)
        if param.name in parameters:
            title = f"`{syntax.name}` has two parameters named `{param.name}`"
            scope.fail("defined-twice", title, param.span, "again here", "rename one of them")
        if kind == "space":
            title = "expected a size or a type as the parameter of a type, found a space"
            scope.fail("wrong-kind", title, param.span)
        parameters[param.name] = kind
    for name, kind in parameters.items():
        scope.bind(name, kind)
    try:
        t = read_type(scope, syntax.type)
    except RiseError as error:
        label = error.diagnostic.labels[0]
        text = scope.source[label.start : label.end]
        if re.match(rf"{re.escape(syntax.name)}(?![A-Za-z0-9_'])", text):
            title = f"the type `{syntax.name}` contains itself"
            hint = "a synonym is replaced by its type, which would never end: write another type here"
            at_name = Span(label.start, label.start + len(syntax.name))
            scope.fail("recursion", title, at_name, "here", hint)
        if not error.diagnostic.title.startswith("the size"):
            raise
        hint = f"make the size a parameter: `type {syntax.name}[...] = ...`"
        raise RiseError(replace(error.diagnostic, hint=hint)) from None
    scope.unbind(0)
    written = " ".join(scope.source[syntax.span.start : syntax.span.end].split())
    return Synonym(syntax.name, tuple(parameters.items()), t, written, syntax.doc)


def _expanded(scope: Scope, synonym: Synonym, given: list[Argument], span: Span) -> Type:
    """The type of a synonym at its arguments. Errors are reported at its place."""
    done: Done = {}
    try:
        t: Type = instantiate_all(synonym.type, given, done)
    except ZeroDivisionError:
        scope.fail("size-zero-divisor", "a size is divided by zero", span, "", "write a size >= 1")
    except RiseError as error:
        raise scope.placed(error, span) from None
    scope.effort.spend(COST_PER_NODE * len(done))
    return t


def _refuse_other_count(scope: Scope, synonym: Synonym, count: int, span: Span) -> None:
    if count != len(synonym.parameters):
        title = f"expected {synonym.shown}, found `{synonym.name}` with {count} argument{'s' * (count != 1)}"
        hint = f"write {synonym.shown}, with arguments in place of the names" if synonym.parameters else ""
        scope.fail("synonym", title, span, "", hint or f"write `{synonym.name}` without arguments")


def _type_hint(scope: Scope, syntax: Any) -> str:
    """The hint for syntax that is not a type: what the author may have meant."""
    match syntax:
        case s.TypeCall(_, name) if name in BRACKETED:
            return f"write {BRACKETED[name]}"
        case s.TypeCall(_, name, args) if name in SCALARS or name in SYNONYMS:
            sizes = (scope.source[size.span.start : size.span.end] for size in args)
            shown = ".".join(size if size.isalnum() else f"({size})" for size in sizes)
            return f"write an array type with its size first: `{bounded(shown)}.{name}`"
        case s.TypeCall(_, name):
            return did_you_mean(name, [*BRACKETED, *scope.synonyms]) or TYPES
    return TYPES


def _role(scope: Scope, syntax: s.Type) -> str:
    match syntax:
        case s.TypeName(_, name) if name in ROLES:
            return name
    scope.fail(
        "expected-role", f"expected a fragment's role: {', '.join(ROLES)}", syntax.span, "this is not a role"
    )


def _holders(scope: Scope, *syntax: s.Type) -> str:
    match syntax:
        case ():
            return "warp"
        case (s.TypeName(_, name),):
            return name
    scope.fail("expected-scope", "expected the scope of a fragment, such as warp", syntax[0].span)


def _type_name(scope: Scope, name: str, span: Span) -> Type:
    known = SYNONYMS.get(name, name)
    bound = scope.lookup(name)
    if isinstance(bound, Type):
        return bound
    if bound is None and known in SCALARS:
        return ScalarType(known)
    if bound is None and name in scope.synonyms:
        _refuse_other_count(scope, scope.synonyms[name], 0, span)
        return scope.synonyms[name].type
    if bound is None:
        free = scope.free(name, "data")
        if isinstance(free, Type):
            return free
    else:
        scope.refuse("a type", name, bound, span)
    scope.refuse_word("a type", name, span)
    names = [*SCALARS, *SYNONYMS, *scope.synonyms, *(n for n, kind in scope.bound if is_type_kind(kind))]
    otherwise = TYPES if scope.is_closed else f"make it a parameter: `fun({{{name}: data}}, ...)`"
    hint = _habit(scope, span) or foreign_type(name) or did_you_mean(name, names) or otherwise
    scope.fail("unknown-name", f"the type `{name}` is not defined", span, "not defined here", hint)


def _habit(scope: Scope, span: Span) -> str:
    """The replacement for the head of a Python function that was read as a value with a type."""
    head = _PYTHON_HEAD.search(scope.source, 0, span.start)
    return "" if head is None else FUNCTION if head[1] == "lambda" else DEFINITION


def read_fact(scope: Scope, fact: s.Fact) -> Fact:
    """Read a fact about sizes."""
    if fact.relation == "!=":
        hint = "write a fact with `divides`, `<`, `<=`, `>`, `>=` or `==`"
        scope.fail("fact", "expected a fact about divisibility or order, found `!=`", fact.span, "", hint)
    return Fact(fact.relation, read_natural(scope, fact.left), read_natural(scope, fact.right))
