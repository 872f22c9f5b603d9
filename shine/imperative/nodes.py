"""The imperative IR: loops, buffers of scalars, assignments. Independent of patterns and of the syntax of targets.

Everything that a target prints or executes is explicit in this IR. A buffer is flat and has one scalar type; arrays of
pairs are several buffers. Indices are naturals in normal form over sizes and loop indices (which contain their range),
counted in elements of the buffer. Every statement and buffer has an origin: the path in the low-level program of the
subterm that it was translated from.

One subject: the nodes of a single language, which are read together.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from rise.analysis.obligations import Obligation
from rise.naturals import Nat, NatVar
from rise.programs.foreign import Foreign
from rise.records import dataclass
from rise.size_functions import SizeFunction
from rise.types import FragmentType, IndexType, ScalarType, Type, VectorType
from shine.imperative.hashes import HashedOnce

Origin: TypeAlias = tuple[int, ...]
ValueType: TypeAlias = ScalarType | VectorType
LevelName: TypeAlias = Literal["global", "block", "threads", "warp", "lane"]


#: the type of stored indices
I64: Final = ScalarType("i64")


@dataclass(frozen=True, slots=True)
class Level(HashedOnce):
    """A level of a GPU's hierarchy of threads, along dimension 0, 1 or 2: blocks of the grid, threads or warps of a
    block, lanes of a warp; or the threads of the whole grid.
    """

    name: LevelName
    dimension: int


#: how a loop runs: sequentially, unrolled, on OpenMP threads, as SIMD lanes of one thread, or on a GPU's level
LoopKind: TypeAlias = Literal["seq", "unroll", "parallel", "simd"] | Level


@dataclass(frozen=True, slots=True)
class Buffer(HashedOnce):
    """A named run of `size` elements. The space is Global for parameters, Local for temporaries of one thread, Shared
    for those of a block of threads, and Constant for known `contents`, which each function that loads them declares.

    Parameters contain scalars; a temporary may contain vectors or fragments, which its indices then count. A temporary
    in Local memory that is filled by a level of threads inside its scope is distributed: each thread, warp or lane has
    the elements that it writes. A temporary of a pipelined reduction has an equal part for each of `stages` stages.
    """

    name: str
    element: ValueType | FragmentType
    size: Nat
    space: str
    origin: Origin
    stages: int = 1
    contents: tuple[Constant, ...] = ()


@dataclass(frozen=True, slots=True)
class Load(HashedOnce):
    """The element at an index; or, if `lanes` > 1, that many consecutive scalars as a vector.

    `aligned`: whether the address is a multiple of the vector's size.
    """

    buffer: Buffer
    index: Nat
    lanes: int
    aligned: bool
    type: ValueType


@dataclass(frozen=True, slots=True)
class Constant(HashedOnce):
    """A number of a scalar type, as its exact value: an int, or a float that the type represents."""

    value: int | float
    type: ScalarType


@dataclass(frozen=True, slots=True)
class Index(HashedOnce):
    """A natural as a value of an integer type."""

    value: Nat
    type: ScalarType


@dataclass(frozen=True, slots=True)
class Operation(HashedOnce):
    """A scalar function of `docs/semantics.md` on values of one type, lane by lane on vectors.

    Names are the primitives': `add sub mul div mod neg abs min max fma sqrt exp log sin cos tanh pow lt le gt ge eq ne
    and or not select cast`, and `broadcast` (a vector of one scalar), `vector` (of its arguments), `lane` (of a
    vector, at an index). `type` is the result's; a cast converts from its argument's type. The call of a `foreign`
    function of scalars has the name `foreign NAME`.
    """

    name: str
    arguments: tuple[Value, ...]
    type: ValueType
    foreign: Foreign | None = None


@dataclass(frozen=True, slots=True)
class Local(HashedOnce):
    """A scalar or vector variable that a `Define` assigns once."""

    name: str
    type: ValueType


@dataclass(frozen=True, slots=True)
class Guarded(HashedOnce):
    """`value` if `condition` holds (only then is it evaluated), otherwise `otherwise`: for reads of padded arrays."""

    condition: Condition
    value: Value
    otherwise: Value
    type: ValueType


@dataclass(frozen=True, slots=True)
class Exchange(HashedOnce):
    """The value of another lane of the warp at an index of its registers; all lanes participate."""

    buffer: Buffer
    index: Nat
    lane: Nat
    type: ValueType


Value: TypeAlias = Load | Constant | Index | Operation | Local | Guarded | Exchange


@dataclass(frozen=True, slots=True)
class Condition(HashedOnce):
    """A conjunction of a < b for pairs (a, b) of naturals. Empty: true."""

    below: tuple[tuple[Nat, Nat], ...]


@dataclass(frozen=True, slots=True)
class Assign(HashedOnce):
    """Store a value at an index of a buffer (a vector from there on).

    `asynchronous`: on a GPU, the store may be a copy that is pending until an `AwaitCopies`. Kernels keep this only if
    the value is a load from global memory and the buffer is shared; otherwise it is an ordinary store.
    """

    buffer: Buffer
    index: Nat
    value: Value
    aligned: bool
    origin: Origin
    asynchronous: bool = False


@dataclass(frozen=True, slots=True)
class Define(HashedOnce):
    """A variable that is assigned once and visible in the following statements of the same block."""

    local: Local
    value: Value
    origin: Origin


@dataclass(frozen=True, slots=True)
class DefineIndex:
    """An integer that is read at run time (an element of an index array), as a natural for later indices."""

    name: NatVar
    value: Value
    origin: Origin


@dataclass(frozen=True, slots=True)
class Allocate(HashedOnce):
    """A temporary buffer, visible in the following statements of the same block; its elements are unspecified.

    `open`: whether the program leaves its memory open, so that a pass may move it to another memory.
    """

    buffer: Buffer
    origin: Origin
    open: bool = False


def omission(kind: str) -> str:
    """The mark of loops that do not prefetch memory of this kind, one of `rise.hardware.processors.PREFETCHES`."""
    return f"omit_prefetch_of_{kind}"


@dataclass(frozen=True, slots=True)
class For(HashedOnce):
    """`index` runs over 0 <= index < count. On a level, iterations are independent of each other.

    `allowed`: the names of the passes that the program allows to transform the loop, and of the prefetches to omit
    (`omission`). `worth`: the condition under which a parallel loop has enough work for several threads; otherwise one
    thread runs it. None: always. `code`: a foreign function that does what the loop does, and is called instead; such a
    loop has one iteration.
    """

    index: NatVar
    count: Nat
    kind: LoopKind
    body: Block
    origin: Origin
    allowed: frozenset[str] = frozenset()
    worth: Condition | None = None
    code: Foreign | None = None


@dataclass(frozen=True, slots=True)
class If(HashedOnce):
    """Run the body if the condition holds."""

    condition: Condition
    body: Block
    origin: Origin


@dataclass(frozen=True, slots=True)
class AtomicUpdate:
    """Combine an element of a buffer with a value atomically, by a primitive that is `atomic`, such as `add`."""

    name: str
    buffer: Buffer
    index: Nat
    value: Value
    origin: Origin


@dataclass(frozen=True, slots=True)
class Barrier:
    """Threads of a block, or lanes of a warp, wait for each other, and then see each other's stores."""

    scope: Literal["block", "warp"]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Prefetch:
    """Prefetch the memory at an index of a buffer, which is read or, if `stores`, written later. This is not an access:
    the index may be outside of the buffer.
    """

    buffer: Buffer
    index: Nat
    stores: bool
    origin: Origin


@dataclass(frozen=True, slots=True)
class CommitCopies:
    """Group the asynchronous assignments that a thread started since the last such statement, perhaps none."""

    origin: Origin


@dataclass(frozen=True, slots=True)
class AwaitCopies:
    """A thread waits until its asynchronous assignments are complete: all of them, in groups or not; or, if `prior` is
    a number, those in groups other than its latest `prior`.
    """

    origin: Origin
    prior: int | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A fragment in a buffer of fragments: a matrix that the lanes of a warp hold together."""

    buffer: Buffer
    index: Nat

    @property
    def type(self) -> FragmentType:
        """The type of the fragment."""
        assert isinstance(self.buffer.element, FragmentType), self.buffer
        return self.buffer.element


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix in memory: element (i, j) is at `index + i * stride + j`, or at `index + i + j * stride` if not
    `by_rows`.
    """

    buffer: Buffer
    index: Nat
    stride: Nat
    by_rows: bool


@dataclass(frozen=True, slots=True)
class LoadFragment:
    """Fill a fragment from memory. All lanes of a warp participate in this, and in the statements below."""

    target: Piece
    source: Matrix
    origin: Origin


@dataclass(frozen=True, slots=True)
class StoreFragment:
    """Store an accumulator in memory."""

    target: Matrix
    source: Piece
    origin: Origin


@dataclass(frozen=True, slots=True)
class FillFragment:
    """Set all elements of a fragment to the same number."""

    target: Piece
    value: Value
    origin: Origin


@dataclass(frozen=True, slots=True)
class MultiplyAdd:
    """target = left * right + addend, on tensor cores or by a `foreign` function; the target may be the addend."""

    target: Piece
    left: Piece
    right: Piece
    addend: Piece
    origin: Origin
    foreign: Foreign | None = None


@dataclass(frozen=True, slots=True)
class MapFragment:
    """For every number of an accumulator, run `body` and store `value`, where `parameters` are the numbers at the same
    position of the sources.
    """

    target: Piece
    sources: tuple[Piece, ...]
    parameters: tuple[Local, ...]
    body: Block
    value: Value
    origin: Origin


FragmentStatement: TypeAlias = LoadFragment | StoreFragment | FillFragment | MultiplyAdd | MapFragment
Plain: TypeAlias = Assign | Define | DefineIndex | Allocate | For | If | AtomicUpdate
Statement: TypeAlias = Plain | Barrier | Prefetch | CommitCopies | AwaitCopies | FragmentStatement


@dataclass(frozen=True, slots=True)
class Block(HashedOnce):
    """Statements in order."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """An input or the output: its name and type, and one buffer for each array of scalars in it, in order."""

    name: str
    type: Type
    buffers: tuple[Buffer, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A function of sizes that a call determines: `starts` is the input that contains, for each row, the sum of the
    previous values, and at the end the sum of all; `rows` is the number of rows. If it has a `count`, it is computed
    from the sizes. Otherwise `reaches` are the numbers of values that the kernel reads.
    """

    function: SizeFunction
    starts: Parameter
    rows: NatVar
    count: Nat | None = None
    reaches: tuple[Nat, ...] = ()


@dataclass(frozen=True, slots=True)
class PairInput:
    """An input that is passed as a dependent pair: its position in a call, its number, and its type."""

    position: int
    size: NatVar
    type: Type


@dataclass(frozen=True, slots=True)
class Update:
    """An array of the output that is the new value of an array of the inputs, which a call writes to that array.

    Both are positions: among the arrays of the output, and among those of the inputs. If it is `in_place`, the kernel
    is passed one array for both, whose elements it changes; otherwise the result is copied there after it has run.
    """

    output: int
    input: int
    in_place: bool = False


@dataclass(frozen=True, slots=True)
class Procedure:
    """A kernel: its inputs, its output, the conditions at entry, and its body.

    Sizes are the symbolic naturals, passed as integers; `checks` are the facts about them that the entry verifies for
    the sizes of a call. `explicit` has the sizes that a caller passes among the inputs, with their positions in the
    call. `distinct` are the inputs in which each row must have distinct indices, which the entry verifies, too.
    `tables` are functions of sizes, whose inputs come after the others; `measures` are the sizes among `sizes` that are
    values and sums of such functions. `foreign` are the external functions that the body calls. `pairs` are the inputs
    that a caller passes as dependent pairs; `number` is the number of the result if it is one. `is_specified` is false
    if the program leaves elements of arrays unspecified: if these are stored, elements may be read that were never
    written. `updates` are the inputs that a call changes.
    """

    name: str
    sizes: tuple[NatVar, ...]
    inputs: tuple[Parameter, ...]
    output: Parameter
    body: Block
    checks: tuple[Obligation, ...] = ()
    explicit: tuple[tuple[int, NatVar], ...] = ()
    distinct: tuple[Buffer, ...] = ()
    foreign: tuple[Foreign, ...] = ()
    tables: tuple[Table, ...] = ()
    measures: tuple[tuple[NatVar, Nat], ...] = ()
    pairs: tuple[PairInput, ...] = ()
    number: Nat | None = None
    is_specified: bool = True
    updates: tuple[Update, ...] = ()

    @property
    def given(self) -> tuple[Parameter, ...]:
        """The inputs that a caller passes."""
        return self.inputs[: len(self.inputs) - len(self.tables)]


def scalar_of(t: Type) -> ScalarType:
    """The scalar type of a buffer of numbers, vectors or indices."""
    match t:
        case ScalarType():
            return t
        case VectorType(_, ScalarType() as element):
            return element
        case IndexType():
            return I64
    raise AssertionError(f"{t!r} is no type of a buffer's elements")
