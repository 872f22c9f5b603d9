"""Builders of procedures of the imperative IR for tests. Independent of targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from rise.arguments.leaves import leaves_of
from rise.naturals import Nat, NatLike, NatVar, const, exact_quotient, nat
from rise.types import ArrayType, IndexType, PairType, ScalarType, Type, VectorType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Condition,
    Constant,
    DefineIndex,
    For,
    Guarded,
    Load,
    LoopKind,
    Operation,
    Parameter,
    Procedure,
    Statement,
    Value,
    ValueType,
)

F32 = ScalarType("f32")
I64 = ScalarType("i64")
BOOL = ScalarType("bool")


def size(name: str) -> NatVar:
    """A size."""
    return NatVar(name, None)


def array(*axes: NatLike, of: Type = F32) -> Type:
    """An array type, outermost size first."""
    return reduce(lambda t, n: ArrayType(nat(n), t), reversed(axes), of)


def pairs(types: Sequence[Type]) -> Type:
    """Types nested as pairs to the right."""
    *rest, last = types
    return reduce(lambda t, one: PairType(one, t), reversed(rest), last)


def tuples(values: Sequence[object]) -> object:
    """Values nested as tuples to the right."""
    *rest, last = values
    return reduce(lambda t, one: (one, t), reversed(rest), last)


def flatten(value: object) -> list[object]:
    """The values of tuples nested to the right."""
    found = []
    while isinstance(value, tuple):
        found.append(value[0])
        value = value[1]
    return [*found, value]


def parameter(name: str, t: Type) -> Parameter:
    """A parameter with buffers for its arrays."""
    leaves = leaves_of(name, t)
    elements = _elements(t)
    buffers = []
    for number, (leaf, element) in enumerate(zip(leaves, elements, strict=True)):
        total = reduce(lambda a, b: a * b, leaf.shape, const(1))
        buffers.append(Buffer(name if len(leaves) == 1 else f"{name}_{number}", element, total, "Global", ()))
    return Parameter(name, t, tuple(buffers))


def _elements(t: Type) -> list[ScalarType]:
    match t:
        case ArrayType(_, element) | VectorType(_, element):
            return _elements(element)
        case PairType(first, second):
            return [*_elements(first), *_elements(second)]
        case IndexType():
            return [I64]
        case ScalarType():
            return [t]
    raise AssertionError(t)


def load(buffer: Buffer, index: NatLike, lanes: int = 1, aligned: bool = False) -> Load:
    """An element, or several as a vector."""
    t: ValueType = buffer.element
    if lanes > 1:
        t = VectorType(const(lanes), buffer.element)
    return Load(buffer, nat(index), lanes, aligned, t)


def assign(buffer: Buffer, index: NatLike, value: Value, aligned: bool = False) -> Assign:
    """An assignment."""
    return Assign(buffer, nat(index), value, aligned, (9,))


def op(name: str, *arguments: Value, type: ValueType | None = None) -> Operation:
    """An operation, of its first argument's type unless another is given."""
    return Operation(name, arguments, arguments[0].type if type is None else type)


def number(value: int | float, t: ScalarType = F32) -> Constant:
    """A constant."""
    return Constant(value, t)


def loop(
    name: str, count: NatLike, body: Callable[[Nat], Sequence[Statement]], kind: LoopKind = "seq"
) -> For:
    """A loop whose body is computed from its index."""
    index = NatVar(name, nat(count))
    return For(index, nat(count), kind, Block(tuple(body(nat(index)))), (len(name),))


def procedure(
    name: str,
    sizes: Sequence[NatVar],
    inputs: Sequence[Parameter],
    output: Parameter,
    *statements: Statement,
) -> Procedure:
    """A procedure."""
    return Procedure(name, tuple(sizes), tuple(inputs), output, Block(statements))


def axpy() -> Procedure:
    """alpha * x + y."""
    n = size("n")
    alpha, x, y = parameter("alpha", F32), parameter("x", array(n)), parameter("y", array(n))
    output = parameter("output", array(n))

    def body(i: Nat) -> Sequence[Statement]:
        product = op("mul", load(alpha.buffers[0], 0), load(x.buffers[0], i))
        return [assign(output.buffers[0], i, op("add", product, load(y.buffers[0], i)))]

    return procedure("axpy", [n], [alpha, x, y], output, loop("i", n, body, "parallel"))


#: the types of inputs, functions of their elements, and the length of the vectors in which these are computed
Loop = tuple[Sequence[ScalarType], Callable[..., Sequence[Value]], int]


def elementwise(
    name: str, inputs: Sequence[ScalarType], values: Callable[..., Sequence[Value]], lanes: int = 1
) -> Procedure:
    """A kernel that computes functions of the elements of its inputs, as vectors where `lanes` > 1."""
    return elementwise_loops(name, [(inputs, values, lanes)])


def elementwise_loops(name: str, loops: Sequence[Loop]) -> Procedure:
    """A kernel with several loops as in `elementwise`, each over its own inputs, of sizes `n`, `n1`, `n2` and so on.

    Compilers take longer to start than to compile a loop, so tests of many types have one kernel for all.
    """
    sizes = [size(f"n{number or ''}") for number in range(len(loops))]
    inputs: list[Parameter] = []
    types: list[Type] = []
    computed: list[tuple[NatVar, int, Sequence[Value]]] = []
    for number, (n, (scalars, values, lanes)) in enumerate(zip(sizes, loops, strict=True)):
        axes = (n,) if lanes == 1 else (n, lanes)
        given = [parameter(f"x{i}", array(*axes, of=t)) for i, t in enumerate(scalars, start=len(inputs))]
        inputs += given
        index = NatVar(f"i{number or ''}", nat(n))
        results = values(*(load(one.buffers[0], nat(index) * lanes, lanes) for one in given))
        elements = [v.type.element if isinstance(v.type, VectorType) else v.type for v in results]
        types += [array(*axes, of=t) for t in elements]
        computed.append((index, lanes, results))
    output = parameter("output", pairs(types))
    rest = iter(output.buffers)
    bodies = [
        For(
            index,
            nat(n),
            "parallel",
            Block(tuple(assign(next(rest), nat(index) * lanes, value) for value in results)),
            (1,),
        )
        for n, (index, lanes, results) in zip(sizes, computed, strict=True)
    ]
    return procedure(name, sizes, inputs, output, *bodies)


def matmul_tiled(rows: int, width: int) -> Procedure:
    """A matrix product in tiles of `rows` by `width`; the tile is held in vectors."""
    n, k, m = size("n"), size("k"), size("m")
    A, B = parameter("A", array(n, k)), parameter("B", array(k, m))
    C = parameter("output", array(n, m))
    vector = VectorType(const(width), F32)
    acc = Buffer("acc", F32, const(rows * width), "Local", (1,))

    def outer(io: Nat) -> Sequence[Statement]:
        return [loop("jo", exact_quotient(m, width), lambda jo: tile(io, jo), "parallel")]

    def tile(io: Nat, jo: Nat) -> Sequence[Statement]:
        def each(body: Callable[[Nat, Nat], Statement]) -> For:
            return loop("ii", rows, lambda ii: [body(ii, io * rows + ii)], "unroll")

        def step(p: Nat) -> Sequence[Statement]:
            row = load(B.buffers[0], p * m + jo * width, width)

            def fused(ii: Nat, i: Nat) -> Statement:
                a = op("broadcast", load(A.buffers[0], i * k + p), type=vector)
                return assign(acc, ii * width, op("fma", a, row, load(acc, ii * width, width, True)), True)

            return [each(fused)]

        zero = op("broadcast", number(0.0), type=vector)
        return [
            Allocate(acc, (1, 2)),
            each(lambda ii, i: assign(acc, ii * width, zero, True)),
            loop("p", k, step),
            each(lambda ii, i: assign(C.buffers[0], i * m + jo * width, load(acc, ii * width, width, True))),
        ]

    body = loop("io", exact_quotient(n, rows), outer, "parallel")
    return procedure("mm", [n, k, m], [A, B], C, body)


def dot() -> Procedure:
    """The sum of products, in order."""
    n = size("n")
    x, y, output = parameter("x", array(n)), parameter("y", array(n)), parameter("output", F32)
    acc = Buffer("acc", F32, const(1), "Local", (3,))

    def step(i: Nat) -> Sequence[Statement]:
        product = op("mul", load(x.buffers[0], i), load(y.buffers[0], i))
        return [assign(acc, 0, op("add", load(acc, 0), product))]

    return procedure(
        "dot",
        [n],
        [x, y],
        output,
        Allocate(acc, (3,)),
        assign(acc, 0, number(0.0)),
        loop("i", n, step),
        assign(output.buffers[0], 0, load(acc, 0)),
    )


def stencil() -> Procedure:
    """x[i-1] + x[i] + x[i+1], with zeros beyond the ends."""
    n = size("n")
    x, output = parameter("x", array(n)), parameter("output", array(n))

    def at(i: Nat, by: int) -> Value:
        inside = Condition(((const(-1), i + by), (i + by, nat(n))))
        return Guarded(inside, load(x.buffers[0], i + by), number(0.0), F32)

    def body(i: Nat) -> Sequence[Statement]:
        return [assign(output.buffers[0], i, op("add", op("add", at(i, -1), at(i, 0)), at(i, 1)))]

    return procedure("stencil", [n], [x], output, loop("i", n, body, "parallel"))


def gather() -> Procedure:
    """xs[at[i]]."""
    n, m = size("n"), size("m")
    at, x = parameter("at", array(n, of=IndexType(nat(m)))), parameter("x", array(m))
    output = parameter("output", array(n))

    def body(i: Nat) -> Sequence[Statement]:
        j = NatVar("j", nat(m))
        read = DefineIndex(j, load(at.buffers[0], i), (5,))
        return [read, assign(output.buffers[0], i, load(x.buffers[0], nat(j)))]

    return procedure("gather", [n, m], [at, x], output, loop("i", n, body, "parallel"))


def rows_through_temporary(kind: LoopKind = "parallel") -> Procedure:
    """The rows of a matrix doubled in a temporary of symbolic size, then reversed."""
    n, m = size("n"), size("m")
    x, output = parameter("x", array(n, m)), parameter("output", array(n, m))
    t = Buffer("t", F32, nat(m), "Local", (7,))

    def row(i: Nat) -> Sequence[Statement]:
        def double(j: Nat) -> Sequence[Statement]:
            one = load(x.buffers[0], i * m + j)
            return [assign(t, j, op("add", one, one))]

        def back(j: Nat) -> Sequence[Statement]:
            return [assign(output.buffers[0], i * m + j, load(t, nat(m) - j - 1))]

        return [Allocate(t, (7,)), loop("j", m, double), loop("j", m, back)]

    return procedure("rows", [n, m], [x], output, loop("i", n, row, kind))
