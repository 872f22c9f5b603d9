"""Specifications: what a part of a program computes, where its arrays are, and which unit is responsible for it.

Independent of steps and terms. Sizes are numbers, or names such as `M` for sizes that are not known yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Final, NoReturn, TypeAlias, TypeVar

from elevate import Diagnostic, Strategy, StrategyError, id_
from rise.records import dataclass
from strategies.lowering.levels import PAR, Level, block_level, lane_level, thread_level, warp_level
from strategies.parts.parameters import check_sizes
from strategies.parts.product_chains import fuseWithSums, nameFirstProduct, nameRightProduct
from strategies.parts.products import hasProduct

Size: TypeAlias = int | str
OfArray = TypeVar("OfArray")
#: a chain whose right factor is a product
RIGHT: Final = "A @ (B @ C)"
#: what the sizes of a tile count, by the number of axes of the result
SIDES: Final = ((), ("elements",), ("rows", "columns"))


@dataclass(frozen=True, slots=True)
class Location:
    """Where an array is: in global memory, in shared memory, in registers, in fragments of tensor cores, or as a packed
    copy in the cache of a processor.
    """

    name: str

    def __str__(self) -> str:
        return self.name


GL: Final = Location("GL")
SH: Final = Location("SH")
RF: Final = Location("RF")
FR: Final = Location("FR")
CA: Final = Location("CA")
LOCATIONS: Final = (GL, SH, RF, FR, CA)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit that is responsible for a specification. Its tiles go to the units that `inside` names.

    Units that `is_row` are numbered along one dimension.
    """

    name: str
    inside: tuple[str, ...]
    is_row: bool = False

    def __str__(self) -> str:
        return self.name

    def level(self, dimension: int) -> Level:
        """The level of the units of this kind along a dimension."""
        return _LEVELS[self.name](dimension)


def core_level(dimension: int) -> Level:
    """The cores of a processor, which have one dimension."""
    assert dimension == 0
    return PAR


_LEVELS: Final = {
    "Block": block_level,
    "Warp": warp_level,
    "Lane": lane_level,
    "Thread": thread_level,
    "Core": core_level,
}
Lane: Final = Unit("Lane", ())
Thread: Final = Unit("Thread", ())
Warp: Final = Unit("Warp", ("Lane",))
Block: Final = Unit("Block", ("Warp", "Thread"))
Vector: Final = Unit("Vector", ())
Core: Final = Unit("Core", ("Vector",), is_row=True)
Kernel: Final = Unit("Kernel", ("Block", "Core"))
UNITS: Final = (Kernel, Block, Warp, Lane, Thread, Core, Vector)


@dataclass(frozen=True, slots=True)
class Kind:
    """What specifications of one kind compute, by the axes of their arrays.

    - `operands`, `result`: the axes of each array, in the order in which it is stored. An axis that only operands have
      is summed; with several operands, products are summed, with three of them those of a product and a matrix.
    - `prepare`: brings a program to the form in which steps apply: a nest of a map for each axis of the result.
    - `unit`, `target`: the unit and the location of the result before all steps.
    - `arrow`: printed between the locations of the operands and that of the result.
    - `subscripts`: the axes as an author writes them, in the notation of einsum; empty if the kind states them.
    - `example`: such subscripts; empty if the kind has only one form.
    - `batch`: the axes that all arrays have; for each of their elements, the rest is computed by units of its own.
    - `first`: of a chain of two products, the operands of the one that is computed first, a factor of the other one.
    """

    name: str
    operands: tuple[tuple[str, ...], ...]
    result: tuple[str, ...]
    prepare: Strategy = id_
    unit: Unit = Kernel
    target: Location = GL
    arrow: str = ", "
    subscripts: str = ""
    example: str = ""
    batch: str = ""
    first: tuple[str, ...] = ()

    @property
    def summed(self) -> tuple[str, ...]:
        """The axes that only operands have; of a chain, that of the first product comes first."""
        found = dict.fromkeys(axis for axes in self.operands for axis in axes if axis not in self.result)
        inner = self.operands_of_first(self.operands)
        return tuple(
            sorted(found, key=lambda axis: not all(axis in axes for axes in inner)) if inner else found
        )

    @property
    def axes(self) -> tuple[str, ...]:
        """All axes, those of the result first, in the order of the loops over them."""
        return *self.result, *self.summed

    @property
    def multiplies(self) -> bool:
        """Whether products are summed."""
        return len(self.operands) > 1 and bool(self.summed)

    @property
    def is_chain(self) -> bool:
        """Whether a factor of the product is a product itself."""
        return bool(self.first)

    @property
    def is_grouped(self) -> bool:
        """Whether each axis of a product is a group of axes of the arrays, so that these may have any number."""
        return self.multiplies and bool(self.example) and not self.is_chain

    @property
    def first_factor(self) -> int:
        """The number of the factor that is the first product: 0 for `(A @ B) @ C`, 1 for `A @ (B @ C)`."""
        return self.names.index(self.first[0])

    def operands_of_first(self, values: Sequence[OfArray]) -> tuple[OfArray, ...]:
        """Those of the values of all operands that belong to the operands of the first product."""
        return tuple(value for name, value in zip(self.names, values, strict=False) if name in self.first)

    def after_first(self, values: Sequence[OfArray], computed: OfArray) -> tuple[OfArray, ...]:
        """The values of all arrays when the first product is computed, which has one, too."""
        start = self.first_factor
        return (*values[:start], computed, *values[start + len(self.first) :])

    @property
    def reduces(self) -> bool:
        """Whether the elements of one array are reduced, in any order."""
        return len(self.operands) == 1 and bool(self.summed)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each operand, a letter, and that of the result."""
        return tuple(ascii_uppercase[: len(self.operands) + 1])

    @property
    def read(self) -> tuple[str, ...]:
        """The names of the operands that are read as they are, and not to compute a factor."""
        return tuple(name for name in self.names[:-1] if name not in self.first)

    def is_turned(self, operand: str) -> bool:
        """Whether the loops run over the axes of an operand in another order than it is stored."""
        axes = self.operands[self.names.index(operand)]
        return list(axes) != sorted(axes, key=self.axes.index)


@dataclass(frozen=True, slots=True)
class Spec:
    """A specification: the size of each axis, the location of each operand and of the result, and the unit."""

    kind: Kind
    sizes: tuple[Size, ...]
    places: tuple[Location, ...]
    unit: Unit

    def extents(self, axes: Sequence[str]) -> tuple[Size, ...]:
        """The sizes of axes."""
        return tuple(self.sizes[self.kind.axes.index(axis)] for axis in axes)

    @property
    def shape(self) -> tuple[Size, ...]:
        """The sizes of the result."""
        return self.sizes[: len(self.kind.result)]

    @property
    def depth(self) -> Size:
        """The number of elements in each sum; 1 if nothing is summed."""
        return self.sizes[-1] if self.kind.summed else 1

    @property
    def target(self) -> Location:
        """The location of the result."""
        return self.places[-1]

    @property
    def keeps_sums(self) -> bool:
        """Whether sums are in registers or fragments, to which a loop adds."""
        return self.target in (RF, FR)

    def place(self, operand: str) -> Location:
        """The location of an operand, or of the result."""
        return self.places[self.kind.names.index(operand)]

    def array(self, operand: str) -> tuple[Size, ...]:
        """The sizes of an operand, or of the result, in the order in which it is stored."""
        return self.extents((*self.kind.operands, self.kind.result)[self.kind.names.index(operand)])

    def at(self, operand: str, location: Location) -> Spec:
        """The same specification with an operand, or the result, in another location."""
        number = self.kind.names.index(operand)
        return replace(self, places=(*self.places[:number], location, *self.places[number + 1 :]))

    def tile(self, shape: Sequence[Size], unit: Unit) -> Spec:
        """The specification of a tile of the result."""
        return replace(self, sizes=(*shape, *self.sizes[len(shape) :]), unit=unit)

    @property
    def head(self) -> str:
        """The kind and the sizes, named by axes if an author has given these."""
        axes = self.kind.axes if self.kind.subscripts and not self.kind.is_chain else ()
        sizes = [f"{axis}: {size}" for axis, size in zip(axes, self.sizes, strict=False)]
        return f"{self.kind.name}({', '.join(sizes or map(str, self.sizes))})"

    @property
    def each(self) -> str:
        """For each element of a batch, as text."""
        return f" for each {self.kind.batch}" if self.kind.batch else ""

    def described(self, types: Sequence[str | None], layouts: Mapping[str, str]) -> str:
        """The specification with the types of numbers, and with layouts, by the names of arrays."""
        *operands, result = (
            f"{f'{element} in ' if element is not None else ''}{place}{layouts.get(name, '')}"
            for name, element, place in zip(self.kind.names, types, self.places, strict=True)
        )
        return self._with(operands, result)

    def __str__(self) -> str:
        *operands, result = map(str, self.places)
        return self._with(operands, result)

    def _with(self, operands: Sequence[str], result: str) -> str:
        return f"{self.head}({', '.join(operands)}{self.kind.arrow}{result})({self.unit}){self.each}"


#: the product of two matrices
MATMUL: Final = Kind("MatMul", (("M", "K"), ("K", "N")), ("M", "N"), fuseWithSums >> hasProduct)
#: the product of two matrices, multiplied by a third one
CHAIN: Final = Kind(
    "Chain",
    (("M", "K"), ("K", "L"), ("L", "N")),
    ("M", "N"),
    fuseWithSums >> nameFirstProduct,
    example=RIGHT,
    first=("A", "B"),
)
#: a matrix, multiplied by the product of two others
CHAIN_OF_RIGHT: Final = Kind(
    "Chain",
    (("M", "L"), ("L", "K"), ("K", "N")),
    ("M", "N"),
    fuseWithSums >> nameRightProduct,
    subscripts=RIGHT,
    example=RIGHT,
    first=("B", "C"),
)
#: chains, as an author writes them
CHAINS: Final = {"(A @ B) @ C": CHAIN, RIGHT: CHAIN_OF_RIGHT}
#: a copy of a matrix; sizes are unknown until it is part of a load
MOVE: Final = Kind("Move", (("rows", "columns"),), ("rows", "columns"), unit=Block, target=SH, arrow=" -> ")


def start_of(kind: Kind, sizes: Mapping[str, Size]) -> Spec:
    """The specification before all steps, with these sizes of axes; others have names."""
    unknown = {axis: "*".join(axis.upper()) if kind.subscripts else axis for axis in kind.axes}
    whole = tuple(sizes.get(axis, unknown[axis]) for axis in kind.axes)
    return Spec(kind, whole, (*(GL for _ in kind.operands), kind.target), kind.unit)


def move_of(shape: tuple[Size, ...], source: Location, target: Location, unit: Unit) -> Spec:
    """The specification of a copy of a matrix."""
    return Spec(MOVE, shape, (source, target), unit)


def check_numbers(least: int = 1, /, **numbers: object) -> None:
    """Raise StrategyError unless all arguments of a step are integers from `least`."""
    try:
        check_sizes(least, **numbers)
    except StrategyError as error:
        raise StrategyError(Diagnostic("schedule", error.diagnostic.title)) from None


def divides(part: Size, whole: Size) -> bool:
    """Whether a part may divide a size; if the size is not known, the derived program has an obligation."""
    return (
        not isinstance(whole, int) or not isinstance(part, int) or (0 < part <= whole and whole % part == 0)
    )


def divisors(whole: Size) -> str:
    """The largest divisors of a size, as text of a diagnostic."""
    if not isinstance(whole, int):
        return f"a divisor of {whole}"
    found = [part for part in range(1, whole + 1) if whole % part == 0]
    return " or ".join(map(str, found[-5:]))


def shown_sizes(shape: Sequence[Size]) -> str:
    """Sizes as text: `64 x K`."""
    return " x ".join(map(str, shape))


def refuse_step(title: str, spec: Spec, hint: str = "") -> NoReturn:
    """Raise the diagnostic of a step that does not fit a specification."""
    raise StrategyError(
        Diagnostic("schedule", title, hint=hint, notes=(f"the specification here is {spec}",))
    )
