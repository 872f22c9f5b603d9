"""Prints terms that were built in Python as text: chooses names and adds parentheses. Independent of Python functions.

A variable is identified by its object, not its name: names are chosen here so that none shadows another.

Note [Names in texts]
A text is built in two steps. First, every name in it is resolved to its meaning: a variable, or something that is not
bound in the text (a primitive, a definition, a free variable, a size in capitals). Then variables get names that have
no other meaning anywhere in the text. So no table of names is needed to distinguish them. Values and sizes are
distinguished by kind: in the text of a type, `N` is a size, even if a value is called `N`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, NamedTuple, TypeAlias

from rise.diagnostics import Diagnostic, RiseError
from rise.dsl.mentioned_names import Mentions, mentions, words
from rise.inference.names import is_reserved
from rise.inference.schemes import substitute_names
from rise.naturals import Nat, NatVar
from rise.nodes import Node
from rise.records import dataclass
from rise.size_functions import SizeFunVar
from rise.terms import Expr
from rise.text.names import Binding, Names
from rise.text.nat_printer import show_nat
from rise.text.type_printer import show_type
from rise.types import Type, TypeVar

#: the prefix of the names of typed terms
EMBEDDED: Final = "term'"


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A parameter, or a free variable, which has a type (or a kind)."""

    name: str
    free: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class TypeText:
    """A type, a kind or a size as a user's text. Names in it denote the innermost size, type or space of that name.

    In braces, as in `{nat}`, it is the kind of an implicit parameter.
    """

    text: str

    @property
    def is_implicit(self) -> bool:
        return self.text.startswith("{") and self.text.endswith("}")

    @property
    def bare(self) -> str:
        """The text without surrounding braces."""
        return self.text[1:-1] if self.is_implicit else self.text


@dataclass(frozen=True, slots=True, eq=False)
class TypeNode:
    """A type or a size as a node. Its free sizes and types denote the innermost ones of the same name."""

    node: Type | Nat


@dataclass(frozen=True, slots=True, eq=False)
class TextPiece:
    """A piece of text. `name` is the definition that it refers to, if any."""

    text: str
    is_atom: bool = True
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedTerm:
    """A typed term, with the types of its free variables. The text refers to it like a definition."""

    expr: Expr
    context: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Application:
    """`fun(a, b)`."""

    fun: Syntax
    arguments: tuple[Syntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ImplicitApplication:
    """`fun{f32}`."""

    fun: Syntax
    inside: tuple[Syntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Parenthesized:
    """Pieces of text and terms in parentheses: `(a + b)`, `(if c then a else b)`."""

    pieces: tuple[str | Syntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayLiteral:
    """`[a, b]`."""

    elements: tuple[Syntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """`fun(x: t, y => body)`. `runs_once` if it runs as often as the code around it. `outside`, where it is known, are
    the uses of variables that are bound outside, each with a flag that is True inside a function in the body.
    """

    parameters: tuple[tuple[Variable, Annotation], ...]
    body: Syntax
    runs_once: bool = False
    outside: tuple[tuple[Variable, bool], ...] | None = None


Annotation: TypeAlias = TypeText | TypeNode | None
Compound: TypeAlias = Application | ImplicitApplication | Parenthesized | ArrayLiteral | Function
Syntax: TypeAlias = Variable | TextPiece | TypeText | TypeNode | EmbeddedTerm | Compound


class _Bind(NamedTuple):
    """The place where a parameter gets its name."""

    variable: Variable


class _Leave(NamedTuple):
    """The end of a parameter's function."""

    variable: Variable


class _Renamed(NamedTuple):
    """A type or a size, with the variables for its names."""

    node: Type | Nat
    names: Mapping[Node, Variable]


_Token: TypeAlias = str | Variable | EmbeddedTerm | _Bind | _Leave | _Renamed
_Work: TypeAlias = "_Token | Syntax"


@dataclass(slots=True)
class _Tracer:
    """The tokens of the text, in order, and the names that variables must not get. See Note [Names in texts]."""

    others: set[str]
    scope: dict[str, list[Variable]] = field(default_factory=dict)  # sizes, types and spaces by name
    tokens: list[_Token] = field(default_factory=list)

    def trace(self, root: Syntax) -> None:
        """Append the tokens of a term."""
        work: list[_Work] = [root]
        while work:
            match work.pop():
                case str() as text:
                    self.say(text)
                case _Leave(variable) as left:
                    self.tokens.append(left)
                    names = self.scope.get(variable.name)
                    if names and names[-1] is variable:
                        names.pop()
                case TextPiece(text, is_atom):
                    self.say(text if is_atom else f"({text})")
                case TypeText(text):
                    self.mention(text, mentions(text))
                case TypeNode(node):
                    self.tokens.append(self.renamed(node))
                case Application(fun, arguments):
                    work += [")", *_separated(arguments), "(", *_head(fun)]
                case ImplicitApplication(fun, inside):
                    work += ["}", *_separated(inside), "{", *_head(fun)]
                case Parenthesized(pieces):
                    work += [")", *reversed(pieces), "("]
                case ArrayLiteral(elements):
                    work += ["]", *_separated(elements), "["]
                case Function(parameters, body):
                    self.say("fun(")
                    for number, (variable, annotation) in enumerate(parameters):
                        self.say(", " if number else "")
                        self.parameter(variable, annotation)
                    self.say(" => ")
                    work += [")", *(_Leave(variable) for variable, _ in parameters), body]
                case Variable() | EmbeddedTerm() | _Bind() | _Renamed() as token:
                    self.tokens.append(token)

    def say(self, text: str) -> None:
        """Append text that contains no variables."""
        self.others |= words(text)
        self.tokens.append(text)

    def parameter(self, variable: Variable, annotation: Annotation) -> None:
        """Append a parameter with its type or kind. Facts after a kind may use the parameter."""
        match annotation:
            case TypeText() as type_text:
                type_mentions = mentions(type_text.bare, of_parameter=True)
                if type_text.is_implicit or type_mentions.is_kind:
                    self.scope.setdefault(variable.name, []).append(variable)
                opening, closing = ("{", "}") if type_text.is_implicit else ("", "")
                self.tokens += [opening, _Bind(variable), ": "]
                self.mention(type_text.bare, type_mentions)
                self.tokens.append(closing)
            case TypeNode(node):
                self.tokens += [_Bind(variable), ": ", self.renamed(node)]
            case None:
                self.tokens.append(_Bind(variable))

    def mention(self, text: str, mentioned: Mentions) -> None:
        """Append a user's text, with names replaced by the variables that they denote."""
        self.others |= mentioned.others
        done = 0
        for name, start, end in mentioned.names:
            variable = self.meaning(name)
            if variable is not None:
                self.tokens += [text[done:start], variable]
                done = end
        self.tokens.append(text[done:])

    def renamed(self, node: Type | Nat) -> _Renamed:
        """A type or a size, with the variables that it uses."""
        names: dict[Node, Variable] = {}
        for named_node in named_in(node):
            variable = self.meaning(named_node.name)
            if variable is not None:
                names[named_node] = variable
        return _Renamed(node, names)

    def meaning(self, name: str) -> Variable | None:
        """The size, type or space that a name denotes; None if it is not bound in the text."""
        variables = self.scope.get(name)
        if variables:
            return variables[-1]
        self.others.add(name)
        return None


@dataclass(slots=True)
class _Writer:
    """The names of the variables in scope, and the text so far."""

    names: Names
    free: Mapping[str, str]
    is_whole: bool
    chosen: dict[int, Binding] = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    embedded: dict[Expr, str] = field(default_factory=dict)

    def write(self, tokens: Sequence[_Token]) -> None:
        """Append the text of the tokens."""
        for token in tokens:
            match token:
                case str() as text:
                    self.pieces.append(text)
                case _Bind(variable):
                    binding = self.chosen[id(variable)] = self.names.bind_ordinary(variable.name)
                    self.pieces.append(binding.name)
                case _Leave(variable):
                    self.names.release(self.chosen.pop(id(variable)), self.names.ordinary)
                case Variable() as variable:
                    self.pieces.append(self._name_of(variable))
                case EmbeddedTerm(expr):
                    self.pieces.append(self._embedded(expr))
                case _Renamed(node, names):
                    given = {old: _renamed(old, self._name_of(variable)) for old, variable in names.items()}
                    node = substitute_names(node, given)
                    self.pieces.append(show_nat(node) if isinstance(node, Nat) else show_type(node))

    def _embedded(self, expr: Expr) -> str:
        """The name of a typed term; no variable may have this name."""
        if expr not in self.embedded:
            number = len(self.embedded) + 1
            while f"{EMBEDDED}{number}" in self.free:
                number += len(self.free)
            self.embedded[expr] = f"{EMBEDDED}{number}"
        return self.embedded[expr]

    def _name_of(self, variable: Variable) -> str:
        binding = self.chosen.get(id(variable))
        if variable.free or (binding is None and not self.is_whole):
            return variable.name
        if binding is None:
            title = f"the variable `{variable.name}` is used outside of its function"
            hint = "use a variable only in what its own `fun` or `lambda` returns"
            raise RiseError(Diagnostic("escape", title, hint=hint))
        return binding.name


def named_in(node: Type | Nat) -> list[NatVar | TypeVar | SizeFunVar]:
    """The free sizes, types and functions of sizes in a type or a size that have names, in order of their names."""
    named = [free for free in node.free if isinstance(free, NatVar | TypeVar | SizeFunVar)]
    return sorted(named, key=lambda free: free.name)


def _is_reserved(name: str) -> bool:
    return is_reserved(name) or name.startswith(EMBEDDED)


def _renamed(node: Node, name: str) -> Any:
    """A size, a type or a function of sizes with another name."""
    match node:
        case NatVar():
            return NatVar(name, None)
        case TypeVar(_, kind):
            return TypeVar(name, kind)
    return SizeFunVar(name)


class Text(NamedTuple):
    """A whole text, the types of its free variables, and the typed terms that its names denote."""

    text: str
    context: dict[str, str]
    embedded: dict[str, Expr]


def write(root: Syntax, is_whole: bool = True) -> Text:
    """The text of a term. In a whole term, parameters occur only inside their functions; in a part, anywhere."""
    context = _free_names(root)
    tracer = _Tracer(set(context))
    tracer.trace(root)
    writer = _Writer(Names(free=tracer.others, is_reserved=_is_reserved), context, is_whole)
    writer.write(tracer.tokens)
    free = {name: type for name, type in context.items() if type}
    return Text("".join(writer.pieces), free, {name: expr for expr, name in writer.embedded.items()})


def _free_names(root: Syntax) -> dict[str, str]:
    """The free names of a term: variables with their types, and definitions without a type."""
    types: dict[str, str] = {}
    for node in _nodes(root):
        for name, type in _free_in(node).items():
            if types.setdefault(name, type) != type:
                title = f"the free variable `{name}` has two types: {types[name]} and {type}"
                raise RiseError(Diagnostic("two-types", title, hint="rename one of them"))
    return types


def _free_in(node: Syntax) -> Mapping[str, str]:
    match node:
        case Variable(name, type) if type:
            return {name: type}
        case TextPiece(_, _, name) if name:
            return {name: ""}
        case EmbeddedTerm(_, context):
            return context
    return {}


def _nodes(root: Syntax) -> Iterator[Syntax]:
    """Every distinct subterm once, in the order of the text."""
    seen: set[int] = set()
    work: list[Syntax] = [root]
    while work:
        node = work.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        match node:
            case Application(fun, arguments):
                work += [*reversed(arguments), fun]
            case ImplicitApplication(fun, inside):
                work += [*reversed(inside), fun]
            case Parenthesized(pieces):
                work += [piece for piece in reversed(pieces) if not isinstance(piece, str)]
            case ArrayLiteral(elements):
                work += reversed(elements)
            case Function(_, body):
                work.append(body)


def _head(fun: Syntax) -> list[_Work]:
    """The function of an application, in parentheses if necessary."""
    return [")", fun, "("] if isinstance(fun, Function) else [fun]


def _separated(items: Sequence[_Work]) -> list[_Work]:
    """Terms in reverse order, with commas between them."""
    work: list[_Work] = []
    for item in reversed(items):
        work += [", ", item] if work else [item]
    return work
