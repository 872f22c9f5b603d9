"""Micro-kernels: code of a user's own that executes a specification. Depends on specifications and recognition.

A micro-kernel declares the specification that it executes, and is called as a foreign function. That its code computes
this specification is a claim, which `check_claims` tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Any, ClassVar, Final

from elevate import FloatClass, Mismatch, Rule
from elevate.argument_checks import expected
from rise.naturals import const
from rise.nodes import Node, postorder
from rise.primitives import applied
from rise.programs.foreign import Foreign, is_matrix, type_from
from rise.programs.foreign import numbers_of as numbers_in
from rise.records import dataclass
from rise.scalars import ROLES
from rise.terms import App, Expr, Lam, Var, spine
from rise.types import FragmentType, FunType, ScalarType, Type, known_sizes_of
from strategies.equations.mismatches import shown_term
from strategies.fireiron.recognition import MULTIPLYING, ProgramPart, innermost_nest, numbers_of
from strategies.fireiron.specs import Spec, refuse_step, shown_sizes
from strategies.parts.parameters import listed

#: the specification of a product of fragments
_FRAGMENTS: Final = re.compile(r"\w+\((\d+), (\d+), (\d+)\)\(FR, FR, FR\)\(Warp\)")
#: in specifications that are no sums, between the locations of operands and that of the result
ARROW: Final = "->"
#: the scope of fragments: a warp holds them
SCOPE: Final = "warp"
#: the product of two fragments that is added to a third one
FRAGMENT_PRODUCTS: Final = frozenset((("tensorMatMulAdd", 3),))
#: operations that multiply two numbers and add a third one
MULTIPLY_ADD: Final = frozenset(root for root in applied(MULTIPLYING) if root[1] == 3)
#: products of two numbers, and the sum of two numbers
MULTIPLY: Final = frozenset(root for root in applied(MULTIPLYING) if root[1] == 2)
ADD: Final = ("add", 2)


@dataclass(frozen=True, slots=True)
class MicroKernel:
    """Code that executes a specification: of single numbers, as one thread or one core does, or of matrices that a warp
    holds in fragments.

    `spec` is the specification as `specs()` prints it: `MatMul(1, 1, 1)(RF, RF, RF)(Lane)`. The code is a function
    with a parameter for each operand, and for products a last one for the sum; `type` is its type, as in a declaration
    of a foreign function, such as `f32 -> f32 -> f32 -> f32`. For a product of fragments, such as `MatMul(16, 8,
    16)(FR, FR, FR)(Warp)`, these are the types of the numbers, and the function takes a pointer to the sums of a lane,
    to which it adds, and pointers to the numbers of A and of B that the lane holds.

    For arrays of one thread or core, `type` has the types of arrays. Then the code has no result: its parameters are a
    pointer to the result and the distance of its rows, and then the same for each operand. For products, such as
    `MatMul(4, 4, 8)(RF, RF, RF)(Thread)` with the type `4.8.f32 -> 8.4.f32 -> 4.4.f32 -> 4.4.f32`, it adds to the sums;
    for moves, such as `Move(4, 4)(RF -> GL)(Thread)` with the type `4.4.f32 -> 4.4.f32`, it copies. `cuda`, `c` and
    `meaning` are those of `rise.Foreign`. Raises RiseError if these do not fit each other.

    >>> fused = MicroKernel("fused", "MatMul(1, 1, 1)(RF, RF, RF)(Lane)", "f32 -> f32 -> f32 -> f32")
    >>> fused.code.text
    'foreign fused : f32 -> f32 -> f32 -> f32'
    """

    name: str
    spec: str
    type: str
    cuda: str | None = None
    c: str | None = None
    meaning: Callable[..., Any] | None = None
    code: Foreign = field(init=False, repr=False, compare=False)
    arrays: tuple[Type, ...] = field(init=False, default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        expected(self.spec, str, "a specification", "schedule", "write it as specs() prints it, as a string")
        object.__setattr__(self, "spec", _spaced(self.spec))
        *read, result = _arrays(self.type)
        if read:
            object.__setattr__(self, "arrays", (*read, result))
            inputs = tuple(read[:-1] if ARROW not in self.spec else read)
            array = FunType(result, result)
            code = Foreign(self.name, array, self.meaning, self.c, self.cuda, inputs)
            object.__setattr__(self, "code", code)
            return
        code = Foreign(self.name, self.type, meaning=self.meaning, c=self.c, cuda=self.cuda)
        if (shape := _FRAGMENTS.fullmatch(self.spec)) is not None and len(code.signature) == len(ROLES) + 1:
            fragments = _on_fragments(code.signature, tuple(map(int, shape.groups())))
            code = Foreign(self.name, fragments, meaning=self.meaning, c=self.c, cuda=self.cuda)
        object.__setattr__(self, "code", code)

    def check(self, spec: Spec) -> None:
        """Raise StrategyError if it executes another specification, or has another number of parameters."""
        if self.spec != str(spec):
            title = f"expected {self.spec}, which `{self.name}` executes, found {spec}"
            refuse_step(
                title, spec, "decompose it further, or declare this specification for the micro-kernel"
            )
        if self.arrays:
            self._check_arrays(spec)
            return
        count = len(spec.kind.names) if spec.kind.multiplies else len(spec.kind.operands)
        if len(self.code.signature) != count + 1:
            parameters = "the operands and the sum" if spec.kind.multiplies else "the operands"
            title = f"expected {count} parameters of `{self.name}`, {parameters}, found {self.code.text}"
            refuse_step(title, spec, "a micro-kernel takes numbers and returns a number")

    def _check_arrays(self, spec: Spec) -> None:
        """Raise StrategyError if the arrays of its type have other sizes than those of the specification."""
        names = spec.kind.names if spec.kind.multiplies else spec.kind.names[:-1]
        wanted = [spec.array(name) for name in (*names, spec.kind.names[-1])]
        if list(map(known_sizes_of, self.arrays)) != wanted:
            shapes = listed(dict.fromkeys(shown_sizes(shape) for shape in wanted))
            title = f"expected arrays of {shapes} in the type of `{self.name}`, found {self.type}"
            hint = "write the types of the operands, for products also that of the sums, and the type of the result"
            refuse_step(title, spec, hint)

    def __str__(self) -> str:
        return self.name


def _spaced(text: str) -> str:
    """A specification with spaces where `specs()` prints them."""
    head, each, batch = text.partition(" for each ")
    for mark, shown in ((",", ", "), (":", ": "), (ARROW, f" {ARROW} ")):
        head = shown.join(part.strip() for part in head.split(mark))
    return head + each + batch


def _arrays(text: str) -> tuple[Type, ...]:
    """The types of the parameters and of the result of a function of arrays; only the result for other functions."""
    t = type_from(text)
    parameters: list[Type] = []
    while isinstance(t, FunType) and is_matrix(t.parameter):
        parameters.append(t.parameter)
        t = t.result
    return (*parameters, t) if is_matrix(t) else (t,)


def _on_fragments(numbers: Sequence[ScalarType], shape: Sequence[int]) -> Type:
    """The type of a function that adds the product of fragments of a shape."""
    m, n, k = map(const, shape)
    a, b, sums, result = numbers
    extents = ((m, k, n, a), (k, n, m, b), (m, n, k, sums))
    factors = [FragmentType(*one, role, SCOPE) for one, role in zip(extents, ROLES, strict=True)]
    t: Type = FragmentType(m, n, k, result, ROLES[-1], SCOPE)
    for one in reversed(factors):
        t = FunType(one, t)
    return t


@dataclass(frozen=True, slots=True)
class CallOnFragments(Rule):
    """Compute products of fragments by a micro-kernel. `hint` says what to do if it does not fit."""

    kernel: MicroKernel
    hint: str = ""
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None
    float_class: ClassVar[FloatClass] = FloatClass.APPROXIMATE
    is_scoped: ClassVar[bool] = True  # a foreign function is a free variable that the program did not have

    @property
    def name(self) -> str:
        """The name of the rule, with that of the micro-kernel."""
        return f"callOnFragments({self.kernel.name})"

    def apply(self, term: Any) -> Expr | None:
        """The program that calls the micro-kernel; None if the types of numbers differ, or there is no product."""
        t = self.kernel.code.type
        products = _products(term)
        if not isinstance(t, Type) or not products or any(_type_of(one) != t for one in products):
            return None
        for one in products:
            call: Expr = Var(self.kernel.name, t)
            for operand in spine(one)[1]:
                assert isinstance(operand, Expr), one
                call = App(call, operand)
            term = _replaced(term, one, call)
        found: Expr = term
        return found

    def mismatch(self, term: Any) -> Mismatch:
        """The reason: the types of the fragments that the program has."""
        products = _products(term)
        if not products:
            return Mismatch(
                (), f"a product that {self.kernel.name} computes", shown_term(term), hint=self.hint
            )
        numbers = [one.type for one in spine(products[0])[1] if isinstance(one, Expr)]
        types = " -> ".join(str(one.element) for one in numbers if isinstance(one, FragmentType))
        wanted = f"numbers of the types of `{self.kernel.name}`, {self.kernel.type}"
        return Mismatch((), f"{wanted}, at {self.kernel.spec}", f"{types} -> ..", hint=self.hint)


@dataclass(frozen=True, slots=True)
class CallOnArrays(Rule):
    """Compute an array by a micro-kernel: the innermost nest of a specification or, without one, the whole term."""

    kernel: MicroKernel
    spec: Spec | None = None
    part: ProgramPart = "all"
    hint: str = ""
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None
    float_class: ClassVar[FloatClass] = FloatClass.APPROXIMATE
    is_scoped: ClassVar[bool] = True  # a foreign function is a free variable that the program did not have

    @property
    def name(self) -> str:
        """The name of the rule, with that of the micro-kernel."""
        return f"callOnArrays({self.kernel.name})"

    def apply(self, term: Any) -> Expr | None:
        """The program that calls the micro-kernel; None if the types of arrays differ."""
        found = self._nest(term)
        if found is None or found[1] != self._wanted():
            return None
        assert isinstance(self.kernel.code.type, Type), self.kernel
        call = App(Var(self.kernel.name, self.kernel.code.type), found[0])
        return _replaced(term, found[0], call)

    def mismatch(self, term: Any) -> Mismatch:
        """The reason: the types of the arrays that the program has."""
        found = self._nest(term)
        if found is None:
            return Mismatch((), f"arrays that {self.kernel.name} computes", shown_term(term), hint=self.hint)
        wanted = f"arrays of the types of `{self.kernel.name}`, {self.kernel.type}"
        return Mismatch((), f"{wanted}, at {self.kernel.spec}", " -> ".join(found[1]), hint=self.hint)

    def _wanted(self) -> tuple[str, ...]:
        """The types of the numbers that it reads, and the type of the array that it computes."""
        numbers = (str(numbers_in(one)) for one in self.kernel.code.arrays_read)
        return (*(numbers if self.spec is not None else ()), str(self.kernel.arrays[-1]))

    def _nest(self, program: Expr) -> tuple[Expr, tuple[str, ...]] | None:
        """The array to compute, and the types of the numbers that it is computed from, and of the array."""
        if self.spec is None:
            return program, (str(program.type),)
        found = innermost_nest(program, self.spec, self.part)
        if found is None:
            return None
        nest, operands = found
        return nest.term, (*(str(operand.term.type) for operand in operands), str(nest.term.type))


def _products(e: Expr) -> list[Expr]:
    """The products of fragments in a program."""
    return [node for node in postorder(e) if isinstance(node, Expr) and node.root in FRAGMENT_PRODUCTS]


def _type_of(product: Expr) -> Type:
    """The type of the function that computes a product from its operands."""
    t: Type = product.type
    for operand in reversed(spine(product)[1]):
        assert isinstance(operand, Expr), product
        t = FunType(operand.type, t)
    return t


@dataclass(frozen=True, slots=True)
class CallMicroKernel(Rule):
    """Compute the numbers of the remaining specification by a micro-kernel."""

    kernel: MicroKernel
    spec: Spec
    part: ProgramPart = "all"
    hint: str = ""
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None
    float_class: ClassVar[FloatClass] = FloatClass.APPROXIMATE
    is_scoped: ClassVar[bool] = True  # a foreign function is a free variable that the program did not have

    @property
    def name(self) -> str:
        """The name of the rule, with that of the micro-kernel."""
        return f"callMicroKernel({self.kernel.name})"

    def apply(self, term: Any) -> Expr | None:
        """The program that calls the micro-kernel; None if the types of numbers differ."""
        found = self._operation(term)
        if found is None:
            return None
        nest, operation, operands = found
        if tuple(one.type for one in (*operands, operation)) != self.kernel.code.signature:
            return None
        assert isinstance(self.kernel.code.type, Type), self.kernel
        call: Expr = Var(self.kernel.name, self.kernel.code.type)
        for operand in operands:
            call = App(call, operand)
        return _replaced(term, nest, _replaced(nest, operation, call))

    def mismatch(self, term: Any) -> Mismatch:
        """The reason: the types of the numbers that the program has."""
        found = self._operation(term)
        if found is None:
            return Mismatch((), f"numbers that {self.kernel.name} computes", shown_term(term), hint=self.hint)
        _, operation, operands = found
        types = " -> ".join(str(one.type) for one in (*operands, operation))
        return Mismatch(
            (), f"numbers of the types of `{self.kernel.code.text}`, at {self.spec}", types, hint=self.hint
        )

    def _operation(self, program: Expr) -> tuple[Expr, Expr, tuple[Expr, ...]] | None:
        """The innermost nest of the specification, and the operation on numbers there, with its operands."""
        found = innermost_nest(program, self.spec, self.part)
        number = numbers_of(found[0].term, len(self.spec.shape)) if found is not None else None
        if found is None or number is None:
            return None
        nest, operands = found
        parts = list(_outside_functions(number))
        if not self.spec.kind.multiplies:
            read = tuple(operand.term for operand in operands)
            return (nest.term, number, read) if all(one in parts for one in read) else None
        sums = ((part, numbers) for part in parts if (numbers := _added(part)) is not None)
        operation, numbers = next(sums, (None, ()))
        return (nest.term, operation, numbers) if operation is not None else None


def _added(e: Expr) -> tuple[Expr, ...] | None:
    """The factors of a product and the number to which it is added; None if a term is no such sum. Integers have no
    operation that multiplies and adds.
    """
    numbers = tuple(one for one in spine(e)[1] if isinstance(one, Expr)) if isinstance(e, App) else ()
    if e.root in MULTIPLY_ADD:
        return numbers
    if e.root == ADD and numbers[1].root in MULTIPLY:
        return *(one for one in spine(numbers[1])[1] if isinstance(one, Expr)), numbers[0]
    return None


def _outside_functions(e: Expr) -> Iterator[Expr]:
    """The subterms of a term that are not inside functions, outermost first."""
    waiting = [e]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Lam):
            waiting += reversed(node.children)


def _replaced(e: Expr, old: Expr, new: Expr) -> Expr:
    """A term with one of its subterms replaced, at all of its places."""
    results: dict[Node, Expr] = {}
    for node in postorder(e):
        if isinstance(node, Expr):
            results[node] = (
                new if node is old else node.rebuild(tuple(results[child] for child in node.children))
            )
    return results[e]
