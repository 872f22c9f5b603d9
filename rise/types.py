"""Types: scalars, vectors, indices, pairs, arrays, rows, fragments, functions. Independent of terms and inference.

Types are interned nodes (`rise.nodes`): `==` is equality up to bound names. Sizes are naturals. Dependent functions
bind naturals, types and spaces; such a variable is an index in the dependent index space.

One subject: the nodes, and substitution in types.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar, Final, TypeAlias

from rise.binary_nodes import enter_two
from rise.dependent_indices import replace_indices
from rise.natural_nodes import unknown
from rise.naturals import HEIGHT_OF_SUM, Nat, NatBound, NatVar, nat
from rise.node_fields import BROKEN, refuse
from rise.node_table import lookup
from rise.nodes import Measured, Node, transform
from rise.scalars import FAMILY, SCALAR_ONLY, SCALARS, is_complex, kind_classes
from rise.size_functions import SizeFunBound, SizeFunction, SizeFunVar
from rise.tracebacks import AT_THE_USERS_LINE


class Type(Measured):
    """The base of types."""

    __slots__ = ()


class TypeOfTwo(Type):
    """The base of types with exactly two parts."""

    __slots__ = ()

    def __new__(cls, first: Node, second: Node) -> Any:
        key = (cls, id(first), id(second))
        entry = lookup(key)
        if entry is not None and (existing := entry()) is not None:
            return existing
        try:
            return enter_two(cls, key, first, second)
        except BROKEN as error:
            with AT_THE_USERS_LINE:
                refuse(cls, (first, second), error)
            raise

    def with_parts(self, parts: tuple[Any, ...]) -> Any:
        return type(self)(*parts)


class ScalarType(Type):
    """A machine number or truth value, by name: `bool f8e4m3 f8e5m2 i8 ... u64 f16 bf16 f32 f64 c64 c128`."""

    __slots__ = ("name",)
    name: str

    def settle(self) -> tuple[tuple[str, Any], ...]:
        assert self.name in SCALARS, (
            f"no scalar type is called {self.name!r}\nuse one of: {', '.join(SCALARS)}"
        )
        return ()


class VectorType(TypeOfTwo):
    """`vec[n, t]`: n scalars that one instruction processes."""

    __slots__ = ("size", "element")
    size: Nat
    element: Type


class IndexType(Type):
    """`idx[n]`: an integer i with 0 <= i < n."""

    __slots__ = ("size",)
    size: Nat


class PairType(TypeOfTwo):
    """`(s, t)`."""

    __slots__ = ("first", "second")
    first: Type
    second: Type


class ArrayType(TypeOfTwo):
    """`n.t`: n elements of type t."""

    __slots__ = ("size", "element")
    size: Nat
    element: Type


class TypeFamily(Type):
    """`(i |-> body)`: a type for each natural. Build it with `type_family`."""

    __slots__ = ("name", "body")
    BINDER: ClassVar[int] = 2
    NAMES_BINDER: ClassVar[bool] = True
    name: str
    body: Type

    def with_parts(self, parts: tuple[Any, ...]) -> Type:
        return type_family(self.name, parts[0])


class FamilyCall(Type):
    """`f(i)`: the type of an unknown or variable family for a natural. Build it with `type_at`."""

    __slots__ = ("family", "argument")
    family: Type
    argument: Nat

    def with_parts(self, parts: tuple[Any, ...]) -> Type:
        return type_at(parts[0], nat(parts[1]))


class WideType(Type):
    """`Wide[t]`: the type in which sums of t are kept, as long as t is not known. Build it with `wide`."""

    __slots__ = ("narrow",)
    narrow: Type

    def with_parts(self, parts: tuple[Any, ...]) -> Type:
        return wide(parts[0])


class DepArrayType(TypeOfTwo):
    """`n..(i |-> t)`: n elements; the type of the i-th depends on i. Build it with `dependent_array`."""

    __slots__ = ("size", "family")
    size: Nat
    family: Type

    def with_parts(self, parts: tuple[Any, ...]) -> Type:
        return dependent_array(nat(parts[0]), parts[1])


class DepPairType(Type):
    """`(n: nat ** t)`: a number n, and a value of a type that depends on it."""

    __slots__ = ("family",)
    family: Type


class FragmentType(Type):
    """`Fragment[m, n, k, t, role]`: a matrix that a warp holds in its registers (GPGPU 2022, section 4).

    The first two sizes are the rows and columns of the matrix: A is `[m, k, n]`, B `[k, n, m]`, the accumulator
    `[m, n, k]`. The scope says whose registers hold it: those of a warp. Shape and types determine the instruction.
    """

    __slots__ = ("rows", "columns", "depth", "element", "role", "scope")
    rows: Nat
    columns: Nat
    depth: Nat
    element: Type
    role: str
    scope: str


class FunType(TypeOfTwo):
    """`s -> t`."""

    __slots__ = ("parameter", "result")
    parameter: Type
    result: Type


class DepFunType(Type):
    """`(n: nat) -> t` or, when implicit, `{n: nat} -> t`; the kind is `nat`, `space` or a class of types."""

    __slots__ = ("name", "kind", "implicit", "result")
    BINDER: ClassVar[int] = 2
    NAMES_BINDER: ClassVar[bool] = True
    name: str
    kind: str
    implicit: bool
    result: Type


class TypeVar(Type):
    """A named type variable of a class."""

    __slots__ = ("name", "kind")
    name: str
    kind: str

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("free", frozenset((self,))),)


class TypeBound(Type):
    """A type bound by the `index`-th dependent binder outwards, with its class."""

    __slots__ = ("index", "kind")
    index: int
    kind: str

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("dep_loose", self.index + 1),)


class TypeMeta(Type):
    """An unknown of inference; the solver keeps its classes."""

    __slots__ = ("ident",)
    ident: int
    __eq__, __hash__ = object.__eq__, object.__hash__  # it contains no name: equal ones are identical

    def __new__(cls, ident: int) -> Any:
        return unknown(cls, ident)


class Space(Node):
    """A memory: Global, Shared, Local (registers) or Constant."""

    __slots__ = ("name",)
    name: str

    def __repr__(self) -> str:
        return f"<{self.name}>"


class SpaceBound(Node):
    """A space bound by the `index`-th dependent binder outwards."""

    __slots__ = ("index",)
    index: int

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("dep_loose", self.index + 1),)


class SpaceMeta(Node):
    """An unknown space of inference."""

    __slots__ = ("ident",)
    ident: int

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("free", frozenset((self,))),)


#: the types with exactly two parts, of any kind
OF_TWO: Final = frozenset((VectorType, PairType, ArrayType, FunType))
#: the arguments of dependent functions
Argument: TypeAlias = Nat | Type | Space | SpaceBound | SpaceMeta | SizeFunction
BOOL: Final = ScalarType("bool")
I32: Final = ScalarType("i32")
I64: Final = ScalarType("i64")
F32: Final = ScalarType("f32")
F64: Final = ScalarType("f64")


def classes_of(t: Type) -> frozenset[str] | None:
    """The classes of a type; None if they depend on an unknown of inference."""
    excluded: frozenset[str] = frozenset()
    while isinstance(t, VectorType):
        t, excluded = t.element, SCALAR_ONLY
        if isinstance(t, ScalarType) and is_complex(t.name):  # vectors of them have no arithmetic
            return frozenset(("data",))
    match t:
        case ScalarType(name):
            return SCALARS[name].classes - excluded
        case TypeVar(_, kind) | TypeBound(_, kind):
            return kind_classes(kind) - excluded
        case TypeMeta():
            return None
        case WideType(narrow):
            classes = classes_of(narrow)
            return None if classes is None else classes - excluded
        case FunType() | DepFunType():
            return frozenset()
        case TypeFamily():
            return frozenset((FAMILY,))
        case _:
            return frozenset(("data",))


def is_data(t: Type) -> bool:
    """Whether values of the type can be stored, that is, it is not a function type."""
    return not isinstance(t, FunType | DepFunType)


def element_of(t: Type) -> Type:
    """The element type of an array below all its axes; other types unchanged."""
    while isinstance(t, ArrayType):
        t = t.element
    return t


def known_sizes_of(t: Type) -> tuple[int, ...]:
    """The sizes of an array whose sizes are all numbers, outermost first; none for other types."""
    sizes: list[int] = []
    while isinstance(t, ArrayType):
        assert t.size.constant is not None, t
        sizes.append(int(t.size.constant))
        t = t.element
    return tuple(sizes)


#: the variables of dependent binders
INDEXED: Final = frozenset((NatBound, TypeBound, SpaceBound, SizeFunBound))


def bound_like(variable: Node, index: int) -> Any:
    """The variable of the same kind with another index, in the form that terms and types contain."""
    if isinstance(variable, TypeBound):
        return TypeBound(index, variable.kind)
    made = type(variable)(index)
    return nat(made) if isinstance(made, NatBound) else made


def shift_dependent(node: Any, by: int) -> Any:
    """Move a node below dependent binders, or out of dependent binders if `by` < 0."""
    if node.dep_loose == 0 or by == 0:
        return node
    if type(node) is Nat and node.height == HEIGHT_OF_SUM:
        return node.renamed(lambda atom: NatBound(atom.index + by) if type(atom) is NatBound else atom)

    return replace_indices(node, lambda variable, depth: bound_like(variable, variable.index + by))


def instantiate_dependent(node: Any, argument: Any) -> Any:
    """Substitute an argument for the innermost dependent variable of a node; the other indices decrease."""
    if node.dep_loose == 0:
        return node
    if node.is_nameless and argument.is_nameless:
        return _instantiated_before(node, argument)
    return _instantiated(node, argument)


def _instantiated(node: Any, argument: Any) -> Any:
    def put(variable: Any, depth: int) -> Any:
        index: int = variable.index
        return shift_dependent(argument, depth) if index == depth else bound_like(variable, index - 1)

    return replace_indices(node, put)


_instantiated_before: Final = lru_cache(maxsize=1 << 12)(_instantiated)


def abstract_dependent(node: Any, variable: Node) -> Any:
    """Turn a named variable into the innermost dependent index: the body of a binder of that name."""
    shifted = shift_dependent(node, 1)

    def visit(inner: Node, depth: int, dep_depth: int) -> Any:
        if inner is not variable:
            return None
        match inner:
            case TypeVar(_, kind):
                return TypeBound(dep_depth, kind)
            case SpaceMeta():
                return SpaceBound(dep_depth)
            case SizeFunVar():
                return SizeFunBound(dep_depth)
            case _:
                return nat(NatBound(dep_depth))

    return transform(
        shifted, visit, lambda inner, depth, dep_depth: variable not in inner.free, is_dependent=True
    )


def type_family(name: str, body: Type) -> Type:
    """The family of a body over the innermost dependent variable; `(i |-> f(i))` is f."""
    if isinstance(body, FamilyCall) and body.argument is _ROW and not _mentions_row(body.family):
        simplified: Type = instantiate_dependent(body.family, _MARK)
        return simplified
    return TypeFamily(name, body)


def constant_family(body: Type) -> Type:
    """The family with the same type for every natural."""
    return TypeFamily("", shift_dependent(body, 1))


def type_at(family: Type, argument: Nat) -> Type:
    """The type of a family for a natural."""
    if isinstance(family, TypeFamily):
        result: Type = instantiate_dependent(family.body, argument)
        return result
    return FamilyCall(family, argument)


def wide(t: Type) -> Type:
    """The type in which sums of t are kept: f32 for floats of 16 bits, otherwise t.

    >>> wide(ScalarType("f16")).name, wide(ScalarType("i8")).name
    ('f32', 'i8')
    """
    match t:
        case ScalarType(name):
            return ScalarType(SCALARS[name].wide or name)
        case VectorType(size, element):
            return VectorType(size, wide(element))
        case TypeVar() | TypeBound() | TypeMeta():
            return WideType(t)
    return t


def dependent_array(size: Nat, family: Type) -> Type:
    """The array whose elements have the types of a family; an ordinary array if all have the same type."""
    if isinstance(family, TypeFamily) and not _mentions_row(family.body):
        return ArrayType(size, instantiate_dependent(family.body, _MARK))
    return DepArrayType(size, family)


def _mentions_row(node: Node) -> bool:
    return bool(node.dep_loose) and _MARK_NAME in instantiate_dependent(node, _MARK).free


_ROW: Final = nat(NatBound(0))
_MARK_NAME: Final = NatVar("%row", None)  # a name that no text can contain
_MARK: Final = nat(_MARK_NAME)
