"""Diagnostics of elaboration: what was expected, what was found, what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NoReturn

from rise.diagnostics import Diagnostic, Label, RiseError, did_you_mean
from rise.inference.kinds import Scope
from rise.inference.names import UNIQUE, Names, plain
from rise.inference.solver import Mismatch, Reason, Solver
from rise.naturals import Nat, NatMeta, NatVar
from rise.nodes import Node, postorder
from rise.scalars import kind_name
from rise.schemes import substitute_names
from rise.text import syntax as s
from rise.text.names import bounded
from rise.text.nat_printer import show_nat
from rise.text.trees import Span
from rise.text.type_printer import show_type
from rise.types import ArrayType, DepFunType, FunType, PairType, ScalarType, Space, Type, TypeMeta, TypeVar

LONGEST: Final = 300  # characters of a type that are shown
MOST_NAMES: Final = 1000  # innermost ones, that a misspelt name is compared with
CONVERSION: Final = "no conversion is implicit: write cast{t}(x) where one is meant"
MISSING_ARGUMENT: Final = "an argument may be missing"
ESCAPE_HINT: Final = "bind it further outside, or write the type of the parameter that takes it"


@dataclass(slots=True)
class Complaints:
    """Makes the diagnostics of one elaboration."""

    scope: Scope
    names: Names
    solver: Solver
    recursive: str = ""
    order: Mapping[str, int] = field(default_factory=dict)  # of all definitions of the text

    def unknown_name(self, name: str, span: Span) -> NoReturn:
        """A name that means nothing; or a definition that names itself, or a later one."""
        if name == self.recursive:
            hint = "recursion is not in the language; use iterate, reduce or scan"
            self.scope.fail("recursion", f"the definition of `{name}` names itself", span, "here", hint)
        if name in self.order:
            hint = f"move the definition of `{name}` above this one"
            self.scope.fail("used-before", f"`{name}` is used before its definition", span, "here", hint)
        local = (one for one, _ in self.scope.names[-MOST_NAMES:])
        hint = (
            did_you_mean(name, [*local, *self.names.visible()])
            or "`shine list primitives` shows all primitives"
        )
        self.scope.fail("unknown-name", f"`{name}` is not known", span, "not known here", hint)

    def ill_typed(self, mismatch: Mismatch, span: Span, expected: Type, found: Type) -> RiseError:
        """Two types that should be one."""
        shown = self._shown(mismatch.expected, mismatch.found, expected, found)
        want, have, expected_whole, found_whole = shown
        code, title, hint = self._told(mismatch, want, have)
        notes: tuple[str, ...] = ()
        if (want, have) != (expected_whole, found_whole):
            notes = (f"expected as a whole: {expected_whole}", f"found as a whole: {found_whole}")
        labels = (Label(span.start, span.end, f"this is {found_whole}"),)
        return RiseError(Diagnostic(code, title, labels, hint, notes, self.scope.source, self.scope.file))

    def _told(self, mismatch: Mismatch, want: str, have: str) -> tuple[str, str, str]:
        """Code, title and hint of a mismatch between two shown types or sizes."""
        is_function = isinstance(mismatch.found, FunType | DepFunType)
        match mismatch.reason:
            case Reason.ESCAPE:
                return "escape", self._escape_title(mismatch.found), ESCAPE_HINT
            case Reason.UNDECIDED:
                hint = "write the types of the parameters, or give the implicit sizes in braces"
                title = f"expected size {want}, found {have}; nothing tells whether they are equal"
                return "size-mismatch", title, hint
            case Reason.NO_NATURAL:
                return ("size-mismatch", *_no_natural(mismatch, want, have))
            case Reason.ENDLESS:
                return "type-mismatch", f"a type would contain itself: {want} = {have}", "apply it to less"
            case Reason.CLASS if is_function:
                title = f"expected a type of values, found the function {have}"
                return "type-mismatch", title, MISSING_ARGUMENT
            case Reason.CLASS:
                title = f"expected a type of class {kind_name(frozenset(mismatch.classes))}, found {have}"
                return "type-mismatch", title, _hint(mismatch)
            case Reason.CLASS_OF_FOUND:
                title = f"expected {want}, found {_a_value_of(mismatch.classes)}"
                return "type-mismatch", title, _hint(mismatch)
            case Reason.DIFFERENT if isinstance(mismatch.expected, Nat):
                hint = "sizes are equal only when their normal forms are; pad, take or split to make them so"
                return "size-mismatch", f"expected size {want}, found {have}", hint
            case Reason.DIFFERENT:
                hint = MISSING_ARGUMENT if is_function else _hint(mismatch)
                return "type-mismatch", f"expected {want}, found {have}", hint

    def escape(self, name: str, span: Span) -> NoReturn:
        """A size or type outside of the function that binds it."""
        title = f"`{plain(name)}` is used outside of the function that binds it"
        self.scope.fail("escape", title, span, "", ESCAPE_HINT)

    def _escape_title(self, found: Node) -> str:
        names = [
            plain(one.name) for one in found.free if isinstance(one, NatVar | TypeVar) and UNIQUE in one.name
        ]
        return f"`{min(names, default='a size')}` is used outside of the function that binds it"

    def not_a_function(self, t: Type, fun: s.Expr, arg: s.Expr) -> NoReturn:
        """A value that is applied."""
        title = f"expected a function, found {self._shown(t)[0]}"
        hint = "one argument too many, or a missing `|>`?"
        labels = (
            Label(fun.span.start, fun.span.end, "this is applied"),
            Label(arg.span.start, arg.span.end, "to this"),
        )
        raise RiseError(
            Diagnostic("not-a-function", title, labels, hint, (), self.scope.source, self.scope.file)
        )

    def undecided(self, name: str, span: Span) -> NoReturn:
        """An overloaded name whose use does not tell which one is meant."""
        hint = f"write one of {', '.join(self.names.overloads(name))}"
        title = f"nothing tells which `{name}` is meant"
        self.scope.fail("undecided", title, span, "no use of its result decides", hint)

    def _shown(self, *nodes: Node) -> list[str]:
        """The texts of types and sizes; unknowns are called `?n`, `?t` in order."""
        resolved = [self.solver.resolve(node) for node in nodes]
        names: dict[Node, Node] = {}
        for root in resolved:
            for node in postorder(root):
                if isinstance(node, TypeMeta) and node not in names:
                    names[node] = TypeVar(f"?{_called('tsuvw', len(names))}", "data")
                elif isinstance(node, NatMeta) and node not in names:
                    names[node] = NatVar(f"?{_called('nmkpqr', len(names))}", None)
        return [plain(bounded(_text(substitute_names(root, names)), LONGEST)) for root in resolved]


def _no_natural(mismatch: Mismatch, want: str, have: str) -> tuple[str, str]:
    """Title and hint, where an unknown size would be negative or a fraction."""
    sides = (mismatch.expected, want), (mismatch.found, have)
    for (one, _), (other, shown) in (sides, sides[::-1]):
        if isinstance(one, Nat) and isinstance(other, Nat) and other.constant is not None:
            factor = one.terms[0][1]
            if len(one.terms) == 1 and isinstance(factor, int) and other.constant % factor:
                missing = -other.constant % factor
                return (
                    f"{shown} is not a multiple of {factor}",
                    f"choose a divisor of {shown}, or `padEmpty({missing})` first",
                )
    hint = "no natural number makes them equal: choose another size, or pad or take first"
    return f"expected size {want}, found {have}", hint


def _hint(mismatch: Mismatch) -> str:
    """What to do about a value of another type."""
    numbers = ScalarType | TypeVar | TypeMeta
    match mismatch.expected, mismatch.found:
        case (ScalarType("bool"), _) | (_, ScalarType("bool")):
            return "comparisons, such as `x != 0`, make truth values; `if` makes numbers of them"
        case expected, found if isinstance(expected, numbers) and isinstance(found, numbers):
            return CONVERSION
        case _, ArrayType():
            return "`map(f)` applies a function to every element"
        case _, PairType():
            return "`fst` and `snd` take a pair apart"
    return ""


def _a_value_of(classes: tuple[str, ...]) -> str:
    if "floating" in classes:
        return "a floating number"
    return "a number" if classes and classes != ("data",) else "a value"


def _called(letters: str, count: int) -> str:
    return letters[count % len(letters)] + (str(count // len(letters)) if count >= len(letters) else "")


def _text(node: Node) -> str:
    match node:
        case Nat():
            return show_nat(node)
        case Type():
            return show_type(node)
    return node.name if isinstance(node, Space) else "?"
