"""Specifications of programs: that of a program, of any kind, compared with the one that a schedule predicts.

Depends on steps and recognition. A misfit is reported with the steps that fit there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from string import ascii_lowercase
from typing import Any, ClassVar

from elevate import ExplainedPredicate, Strategy, Success, named
from rise.hardware import Architecture, family_of
from rise.records import dataclass
from rise.terms import DepLam, Expr, Lam
from strategies.fireiron.kinds import BATCH_OF_PRODUCTS, CONTRACT, MAP, REDUCE, with_axes
from strategies.fireiron.micro_kernels import MicroKernel
from strategies.fireiron.recognition import (
    ProgramPart,
    arrays_read,
    element_of,
    fits,
    innermost_nest,
    multiplies_product,
    numbers_of,
    rank_of,
    recognised,
    shapes_of,
    with_axes_of,
)
from strategies.fireiron.specs import CHAINS, MATMUL, Kind, Spec, shown_sizes, start_of
from strategies.fireiron.steps import LEGAL, LoadStep, MmaStep, Step, legal_steps
from strategies.parts.parameters import listed, types_of
from strategies.vocabulary.traversals import FOLDED


def start_in(program: Expr, kind: Kind) -> Spec | None:
    """The specification before all steps that a program has, if it is of a kind, also with other axes of operands."""
    prepared = kind.prepare(program) if has_letters(program, kind) else None
    found = recognised(prepared.program, start_of(kind, {})) if isinstance(prepared, Success) else None
    if found is None or not isinstance(prepared, Success) or multiplies_product(prepared.program, found):
        return None
    return Spec(with_axes_of(prepared.program, kind), found.sizes, found.places, found.unit)


def has_letters(program: Expr, kind: Kind) -> bool:
    """Whether the arrays of a contraction have the axes that its letters state: as many axes of the result, and axes of
    the same size for the same letter. Operands that are views of parameters with other axes may have any. Other kinds
    have no letters, or axes that are found in their nests.
    """
    if not kind.is_grouped or not kind.subscripts:
        return True
    *arrays, result = shapes_of(program)
    operands, _, letters = kind.subscripts.partition("->")
    if len(result) != len(letters):
        return False
    pairs = [*zip(operands.split(","), arrays, strict=False), (letters, result)]
    sizes: dict[str, object] = {}
    same = [len(one) == len(shape) for one, shape in pairs]
    return all(
        sizes.setdefault(letter, size) == size
        for (one, shape), is_same in zip(pairs, same, strict=True)
        if is_same
        for letter, size in zip(one, shape, strict=True)
    )


def _kinds(program: Expr) -> Iterator[Kind]:
    """The kinds that a program may be of, with letters for its axes where the author of a schedule writes these."""
    rank, count = rank_of(program), 0
    yield from (MATMUL, *CHAINS.values(), CONTRACT, replace(CONTRACT, batch="b", prepare=BATCH_OF_PRODUCTS))
    rows = _letters(REDUCE, rank)
    yield with_axes(REDUCE, f"{rows}k->{rows}")
    result = _letters(MAP, rank)
    while isinstance(program, Lam | DepLam):
        count += isinstance(program, Lam)
        program = program.body
        if count and rank:
            yield with_axes(MAP, f"{','.join(result for _ in range(count))}->{result}")


def _letters(kind: Kind, rank: int) -> str:
    """Letters for the axes of a result: those of the example of a kind, and before them those of a batch."""
    tiled = kind.example.partition("->")[2]
    return ascii_lowercase[: max(rank - len(tiled), 0)] + tiled[max(len(tiled) - rank, 0) :]


def specification(program: Expr) -> Spec | None:
    """The specification that a program has, of the first kind that it is of; None if it is of none."""
    return next((found for kind in _kinds(program) if (found := start_in(program, kind)) is not None), None)


def misfit(wanted: Spec, program: Expr, found: Spec | None) -> tuple[str, str]:
    """What the schedule of a specification expects and what a program has instead: the specification that was found, or
    one of another kind, and the steps that fit there.
    """
    if found is None or (found.kind.operands != wanted.kind.operands and not found.kind.subscripts):
        found = specification(program)
    if found is None:
        names = dict.fromkeys(kind.name for kind in (MATMUL, *CHAINS.values(), CONTRACT, MAP, REDUCE))
        count = len(wanted.kind.operands)
        title = f"found no {wanted.kind.name} of {count} array{'s' if count > 1 else ''}"
        return title, f"choose a program that is a {listed(names, 'or')}; {LEGAL}none"
    head = f"{found.kind.name}({found.kind.subscripts!r})" if found.kind.subscripts else found.kind.name
    if found.kind.is_grouped and not found.kind.subscripts:
        head = f"{CONTRACT.name} and the letters of the arrays, such as {CONTRACT.name}({CONTRACT.example!r})"
    is_other = found.kind.operands != wanted.kind.operands or found.kind.name != wanted.kind.name
    of = f", that is {head}" if is_other and found.kind.subscripts else ""
    head += "" if is_other else " and the sizes of the program, or none"
    return f"found {found}{of}", f"begin the schedule with {head}; {LEGAL}{legal_steps(found)}"


def fits_start(wanted: Spec, found: Spec | None) -> bool:
    """Whether the specification of a program is the one before all steps, with the same axes of operands."""
    return found is not None and fits(wanted, found) and found.kind.operands == wanted.kind.operands


def prepare(wanted: Spec) -> Strategy:
    """Bring a program to the form in which the steps for a specification apply."""
    kind = wanted.kind
    return named(f"to{kind.name}", HasLetters(kind) >> kind.prepare | HasForm(wanted))


@dataclass(frozen=True, slots=True)
class HasLetters(ExplainedPredicate):
    """Holds if the arrays of a program have the axes that the letters of a kind state."""

    kind: Kind
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """The letters, and the sizes of the arrays."""
        if has_letters(term, self.kind):
            return None
        return f"expected arrays with the axes {self.kind.subscripts}", ""

    def show(self, binding: int = 0) -> str:
        return f"hasLetters({self.kind.subscripts!r})"


@dataclass(frozen=True, slots=True)
class HasForm(ExplainedPredicate):
    """Fails for a program that cannot be brought to the form of a kind, and shows the specification that it has."""

    spec: Spec
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str]:
        found, hint = misfit(self.spec, term, None)
        return f"expected {self.spec} before all steps, {found}", hint

    def show(self, binding: int = 0) -> str:
        return f"hasForm({self.spec.kind.name})"


@dataclass(frozen=True, slots=True)
class HasSpec(ExplainedPredicate):
    """Holds if the innermost nest of a part of a program is the one that a schedule predicts.

    `before` is the specification before the step; None before all steps.
    """

    spec: Spec
    is_element: bool = False
    step: str = ""
    part: ProgramPart = "all"
    before: Spec | None = None
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        found = recognised(term, self.spec, self.is_element, self.part)
        if self.before is None:
            return self._misfit_of_start(term, found)
        if fits(self.spec, found):
            return None
        shown = f"found {found}" if found is not None else f"found no {self.spec.kind.name}"
        return f"expected {self.spec} after `.{self.step}`, {shown}", f"{LEGAL}{legal_steps(self.before)}"

    def _misfit_of_start(self, term: Any, found: Spec | None) -> tuple[str, str] | None:
        if found is not None:
            found = Spec(with_axes_of(term, self.spec.kind), found.sizes, found.places, found.unit)
        if self.part == "all" and multiplies_product(term, self.spec):
            found = None
        if fits_start(self.spec, found):
            return None
        title, hint = misfit(self.spec, term, found)
        return f"expected {self.spec} before all steps, {title}", hint

    def show(self, binding: int = 0) -> str:
        return f"hasSpec({self.spec})"


@dataclass(frozen=True, slots=True)
class HasFactorsFor(ExplainedPredicate):
    """Holds if matrix instructions of a shape multiply the factors of a specification in a program.

    `before` is the specification that the instruction decomposes. Instructions are those of an architecture, or of any.
    """

    shape: tuple[int, int, int]
    spec: Spec
    before: Spec
    arch: Architecture | None = None
    part: ProgramPart = "all"
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """The types that instructions of the shape multiply, and those of the program."""
        found = innermost_nest(term, self.spec, self.part)
        names = tuple(dict.fromkeys(element_of(operand.term.type) for operand in found[1])) if found else ()
        wanted = self._types(self.shape)
        if wanted and not set(names) - set(wanted):
            return None
        shape, where = shown_sizes(self.shape), f" on {self.arch.name}" if self.arch is not None else ""
        title = f"expected a matrix instruction{where}, found {shape}"
        hint = "end in another instruction, or in multiply-adds"
        if wanted:
            title = f"expected factors of {listed(wanted, 'or')} for {shape}{where}, found {listed(names)}"
            hint = "convert the factors, for example by `cast{f16}`, or end in multiply-adds"

        def multiplies(step: Step) -> bool:
            return not isinstance(step, MmaStep) or set(names) <= set(self._types(step.shape))

        return f"{title}, at {self.before}", f"{hint}; {LEGAL}{legal_steps(self.before, multiplies)}"

    def _types(self, shape: tuple[int, int, int]) -> tuple[str, ...]:
        return types_of(shape, family_of(shape), arch=self.arch)

    def show(self, binding: int = 0) -> str:
        return f"hasFactorsFor({', '.join(map(str, self.shape))})"


@dataclass(frozen=True, slots=True)
class HasOneArray(ExplainedPredicate):
    """Holds if a reduction reads one array, which a step copies. `before` is the specification before the step."""

    spec: Spec
    step: str
    before: Spec
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """The step, and the number of arrays."""
        count = arrays_read(term, self.spec)
        if count < 2:
            return None
        title = f"expected rows of one array for `{self.step}`, found rows computed from {count}, at {self.before}"
        return (
            title,
            f"omit the step; {LEGAL}{legal_steps(self.before, lambda step: not isinstance(step, LoadStep))}",
        )

    def show(self, binding: int = 0) -> str:
        return f"hasOneArray({self.spec})"


@dataclass(frozen=True, slots=True)
class HasSumsFor(ExplainedPredicate):
    """Holds if a program computes sums and no function of them, so that a micro-kernel can store what units hold.

    `before` is the specification before the epilog.
    """

    kernel: MicroKernel
    before: Spec
    part: ProgramPart = "all"
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """The micro-kernel, and that there is a function."""
        found = innermost_nest(term, start_of(self.before.kind, {}), self.part)
        number = numbers_of(found[0].term, len(self.before.shape)) if found is not None else None
        if number is None or number.root in FOLDED:
            return None
        title = f"expected sums for `{self.kernel}` to store, found a function of sums, at {self.before}"
        return title, f"store them by a move without a micro-kernel; {LEGAL}{legal_steps(self.before)}"

    def show(self, binding: int = 0) -> str:
        return f"hasSumsFor({self.kernel})"
