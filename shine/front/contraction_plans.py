"""`shine.contraction`: a contraction as a program, and how it is computed at given sizes: the plan.

A plan over symbolic sizes has one kernel for each choice of tiles that some sizes need; a model of the processor
decides which one runs, once for each combination of sizes. Depends on the strategy for contractions and its model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from math import prod
from typing import Any, Final, NoReturn

import numpy as np

from elevate import Strategy
from rise.argument_checks import expected
from rise.arguments.libraries import as_numpy
from rise.diagnostics import Label, RiseError, did_you_mean
from rise.einsum.elaboration import einsum_text
from rise.einsum.specs import Spec, read_spec
from rise.hardware import Processor
from rise.programs.contraction_operators import operators_of
from rise.programs.program import Program, parse
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import Expr
from rise.tracebacks import ends_at_the_users_line
from shine.front.compilation import compile
from shine.front.contractions import PROCESSOR, TYPICAL_SIZE, type_parts, underlined
from shine.front.derivation import Derivation, derive
from shine.front.machines import machine_for
from shine.front.paths import path_of
from shine.front.random_inputs import random_numbers
from shine.kernel import Kernel, Timing
from strategies.contractions import TilesBySizes, inPackedTiles
from strategies.contractions import contraction as inTiles
from strategies.costs.contractions import ContractionSizes, Prediction, Tiles, prediction
from strategies.parts.machine_tiles import block_height

SCALES: Final = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9))


@dataclass(frozen=True, slots=True)
class Groups:
    """The letters of a contraction of two operands: those of both operands and the result, those of the operand that
    has the rows, those of the operand that has the columns, and those that are summed. `reads_rows`: the last letter of
    the operand that has the rows is summed.
    """

    batch: str
    rows: str
    columns: str
    summed: str
    reads_rows: bool = False

    def sizes(self, sizes: Mapping[str, int], scalar: str, has_rows: bool) -> ContractionSizes:
        """The sizes of each matrix product. Only programs with fixed sizes have panels of rows, and only if the columns
        are adjacent.
        """
        rows, columns, summed = (
            prod(sizes[c] for c in group) for group in (self.rows, self.columns, self.summed)
        )
        row = sizes[self.columns[-1]] if has_rows and len(self.columns) > 1 else 0
        return ContractionSizes(rows, columns, summed, scalar, row, self.reads_rows)


@dataclass(frozen=True, slots=True)
class ContractionPlan:
    """A contraction: its program (`main` is the term), its strategy and kernels for the CPU, and what a model predicts.

    `shapes` are the sizes of the operands as text, `scalar` is the type of their numbers. `groups` is None unless the
    contraction is a sum of products of two operands, each with letters of its own.
    """

    program: Program
    spec: Spec
    shapes: tuple[tuple[str, ...], ...]
    scalar: str
    groups: Groups | None
    machine: Processor
    kernels: dict[Tiles | None, Kernel] = field(default_factory=dict, compare=False)
    decisions: dict[tuple[Any, ...], Kernel] = field(default_factory=dict, compare=False)

    @property
    def main(self) -> Expr:
        """The program's term."""
        return self.program.main

    @property
    def names(self) -> tuple[str, ...]:
        """The sizes that are names, in the order in which the operands have them."""
        return tuple(dict.fromkeys(name for shape in self.shapes for name in shape if not name.isdecimal()))

    @property
    def text(self) -> str:
        """The program as text."""
        return self.program.text

    def tiles(self, sizes: Mapping[str, int] | None = None) -> Tiles | None:
        """The method and the tiles for sizes by name, or for those of the program. None if they are not known, or if
        the contraction has no tiles.
        """
        found = self._sizes(sizes)
        return None if found is None else self._chosen(found)

    def strategy(self, sizes: Mapping[str, int] | None = None) -> Strategy:
        """The strategy that lowers the program for these sizes."""
        return self._strategy(self.tiles(sizes))

    def derivation(self, sizes: Mapping[str, int] | None = None) -> Derivation:
        """What the strategy does to the program, phase by phase."""
        return derive(self.strategy(sizes), self.main)

    def kernel(self, sizes: Mapping[str, int] | None = None) -> Kernel:
        """The kernel for these sizes; it computes the contraction at all sizes that the program has."""
        return self._kernel(self.tiles(sizes))

    @ends_at_the_users_line
    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """The contraction of arrays, by the kernel for their sizes."""
        key = tuple([getattr(one, "shape", None) for one in arrays])
        kernel = self.decisions.get(key)
        if kernel is None:
            kernel = self.decisions[key] = self._kernel(self.tiles(self._named(arrays)))
        try:
            return kernel(*arrays, out=out)
        except RiseError as error:
            raise underlined(error, self.spec.text) from None

    def time(self, *arrays: Any) -> Timing:
        """The time of the kernel for the sizes of these arrays."""
        return self._kernel(self.tiles(self._named(arrays))).time(*arrays)

    def predicted(self, sizes: Mapping[str, int] | None = None) -> Prediction | None:
        """The cycles that the model predicts for one thread, or None if sizes or tiles are not known."""
        found = self._sizes(sizes)
        chosen = None if found is None else self._chosen(found)
        if found is None or chosen is None:
            return None
        return prediction(self.machine, found, chosen, block_height(self.machine, 1))

    @ends_at_the_users_line
    def explain(self, sizes: Mapping[str, int] | None = None, measure: bool = False) -> str:
        """A text: what the contraction is as products of matrices, the method and tiles, the predicted time of one
        thread and what limits it; the time measured on random numbers, if `measure`; and the kernels made so far.
        """
        lines = [f"{self.spec.text} of {self.scalar}"]
        found = self._sizes(sizes)
        groups = self.groups
        if groups is None:
            lines.append("no product of matrices: lowered by strategies.openmp:parallel")
        else:
            parts = [
                ("rows", groups.rows),
                ("columns", groups.columns),
                ("products in each sum", groups.summed),
            ]
            counts = (None,) * 3 if found is None else (found.rows, found.columns, found.depth)
            shown = [
                f"{what} {letters}" if count is None else f"{count} {what} ({letters})"
                for (what, letters), count in zip(parts, counts, strict=True)
            ]
            lines.append(", ".join(shown) + (f"; for each of {groups.batch}" if groups.batch else ""))
            lines += self._choice_lines(sizes)
        if measure:
            lines.append(f"measured: {seconds_text(self._measured(sizes))}, all threads")
        for tiles, kernel in self.kernels.items():
            what = "kernel" if groups is None else f"kernel for {_tiles_text(tiles)}"
            lines.append(f"{what}: {kernel.signature}")
        return "\n".join(lines)

    def _choice_lines(self, sizes: Mapping[str, int] | None) -> list[str]:
        predicted = self.predicted(sizes)
        tiles = self.tiles(sizes)
        if predicted is None:
            return ["sizes are not known: each call chooses tiles for its own; `sizes=` shows them"]
        batch = prod(self._numbers(sizes)[c] for c in self.groups.batch) if self.groups else 1
        cycles = batch * predicted.cycles
        clock = self.machine.clock
        time = f"{cycles:,.0f} cycles" if clock is None else seconds_text(cycles / clock)
        return [
            f"method: {_tiles_text(tiles)}",
            f"predicted: {time} on {self.machine}, one thread; limited by {predicted.limit}",
        ]

    def _measured(self, sizes: Mapping[str, int] | None) -> float:
        try:
            numbers = self._numbers(sizes)
        except KeyError as missing:
            title = f"expected the size {missing.args[0]}, for arrays to measure, found none"
            hint = f"pass it: sizes={{{', '.join(f'{name!r}: 64' for name in self.names)}}}"
            self._refuse(title, hint)
        generator = np.random.default_rng(0)
        arrays = [
            random_numbers(SCALARS[self.scalar].dtype, tuple(numbers[c] for c in term.letters), generator)
            for term in self.spec.operands
        ]
        return self.time(*arrays).median

    def _chosen(self, sizes: ContractionSizes) -> Tiles | None:
        return TilesBySizes(self.machine, None, None, None, None).choice(sizes)

    def _strategy(self, tiles: Tiles | None) -> Strategy:
        if tiles is None:
            return inTiles(machine=self.machine)
        return inPackedTiles(tiles.rows, tiles.columns, method=tiles.method, machine=self.machine)

    def _kernel(self, tiles: Tiles | None) -> Kernel:
        kernel = self.kernels.get(tiles)
        if kernel is None:
            kernel = compile(
                self.program, target=PROCESSOR, strategy=self._strategy(tiles), name="contraction"
            )
            self.kernels[tiles] = kernel
        return kernel

    def _named(self, arrays: Sequence[Any]) -> dict[str, int] | None:
        """The sizes of arrays by the names that the program has for them; None if the arrays do not fit, which the
        kernel's entry reports.
        """
        found: dict[str, int] = {}
        for names, array in zip(self.shapes, arrays, strict=False):
            shape = np.shape(as_numpy("operand", array))
            if len(shape) != len(names):
                return None
            found |= {name: size for name, size in zip(names, shape, strict=True) if not name.isdecimal()}
        return found if len(arrays) == len(self.shapes) else None

    def _sizes(self, sizes: Mapping[str, int] | None) -> ContractionSizes | None:
        if self.groups is None:
            return None
        try:
            numbers = self._numbers(sizes)
        except KeyError:
            return None
        are_fixed = all(name.isdecimal() for names in self.shapes for name in names)
        are_adjacent = any(term.letters.endswith(self.groups.columns[-1]) for term in self.spec.operands)
        found = self.groups.sizes(numbers, self.scalar, are_fixed and are_adjacent)
        return found if min(found.rows, found.columns, found.depth) > 0 else None

    def _refuse(self, title: str, hint: str) -> NoReturn:
        self.spec.refuse("einsum-sizes", title, hint, Label(0, max(1, len(self.spec.text))))

    def _numbers(self, sizes: Mapping[str, int] | None) -> dict[str, int]:
        """The size of each letter. Raises KeyError if one is not known, RiseError for what are no sizes."""
        if sizes is not None:
            expected(sizes, Mapping, "sizes by name", 'as sizes={"M": 64}')
        given = sizes or {}
        names = self.names
        for other in given:
            if other not in names:
                title = f"expected sizes of {', '.join(names) or 'no names'}, found {other!r:.60}"
                hint = did_you_mean(str(other), names) or "omit it: the program has no size of this name"
                self._refuse(title, hint)
        numbers: dict[str, int] = {}
        for term, names in zip(self.spec.operands, self.shapes, strict=True):
            for letter, name in zip(term.letters, names, strict=True):
                size: Any = int(name) if name.isdecimal() else given[name]
                if not isinstance(size, int | np.integer) or isinstance(size, bool) or size < 0:
                    title = f"expected a number >= 0 as the size {name}, found {size!r:.60}"
                    self._refuse(title, 'for example sizes={"M": 64}')
                numbers[letter] = max(numbers.get(letter, 1), int(size)) if size else 0
        return numbers


@ends_at_the_users_line
def contraction(spec: str, *types: str, operators: Any = None) -> ContractionPlan:
    """The plan of a contraction, with its program: loops over the subscripts of the result around sums.

    `types` has the type of each operand as text: `"M.K.f32"`, with numbers or names as sizes.

    >>> import rise, shine
    >>> print(rise.show(shine.contraction("ab,bc->ac", "M.K.f32", "K.N.f32").main))
    fun({M: nat}, {K: nat}, {N: nat}, a: M.K.f32, b: K.N.f32 =>
      a
      |> map(fun(u0: K.f32 =>
        b
        |> transpose
        |> map(fun(v1: K.f32 =>
          zip(u0, v1) |> map(fun(p: (f32, f32) => fst(p) * snd(p))) |> reduce(add{f32}, 0.0))))))
    """
    try:
        return _contraction(spec, types, operators)
    except RiseError as error:
        raise underlined(error, spec) from None


def _contraction(spec: str, types: Sequence[str], operators: Any) -> ContractionPlan:
    shapes, scalars = zip(*map(type_parts, types), strict=True) if types else ((), ())
    read = read_spec(spec, [len(shape) for shape in shapes])
    if len(set(scalars)) > 1:
        title = f"expected operands of one type of numbers, found {' and '.join(dict.fromkeys(scalars))}"
        read.refuse("einsum-types", title, "convert the others in the program: `cast`")
    typical = [tuple(int(size) if size.isdecimal() else TYPICAL_SIZE for size in shape) for shape in shapes]
    path = path_of([one.letters for one in read.operands], read.result, typical)
    text = einsum_text(read, shapes, scalars[0], operators_of(operators, scalars[0]), path)
    return ContractionPlan(parse(text), read, shapes, scalars[0], groups_of(read, shapes), machine_for())


def groups_of(spec: Spec, shapes: Sequence[Sequence[str]]) -> Groups | None:
    """The groups of letters of a contraction of two operands. None for other contractions, and for those in which an
    operand has no letter of its own in the result, or an axis that is broadcast.
    """
    broadcast = [
        (letter, size)
        for one, shape in zip(spec.operands, shapes, strict=True)
        for letter, size in zip(one.letters, shape, strict=True)
    ]
    if len(spec.operands) != 2 or len(set(broadcast)) > len(dict(broadcast)):
        return None
    left, right = (one.letters for one in spec.operands)
    result = spec.result
    batch = "".join(c for c in result if c in left and c in right)
    own = ["".join(c for c in result if c in one and c not in batch) for one in (left, right)]
    rows, columns = sorted(own, key=lambda one: result[-1:] in one if one else True)
    summed = "".join(c for c in dict.fromkeys(left) if c in right and c not in result)
    reads_rows = any(one[-1:] in summed for one in (left, right) if rows and rows[-1] in one)
    return Groups(batch, rows, columns, summed, reads_rows) if rows and columns and summed else None


def seconds_text(seconds: float) -> str:
    """A time with its unit.

    >>> seconds_text(0.00123)
    '1.23 ms'
    """
    unit, scale = next(((unit, scale) for unit, scale in SCALES if seconds >= scale), SCALES[-1])
    return f"{seconds / scale:.3g} {unit}"


def _tiles_text(tiles: Tiles | None) -> str:
    return (
        "tiles of sizes that are not known"
        if tiles is None
        else f"{tiles.method} in tiles of {tiles.rows} x {tiles.columns}"
    )
