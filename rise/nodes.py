"""Interned nodes: the common base of naturals, types and terms. Independent of any particular node.

A node is frozen and interned: building the same node twice gives the same object. Bound variables are indices. The
binders keep the author's names, and every node has a nameless `key`. `==` and `hash` compare keys, so comparing terms
up to bound names takes O(1); `is` means that the names are equal, too.

There are two index spaces, one for functions (`Lam`) and one for dependent binders (naturals, types, spaces), so moving
a term below a function never changes a type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, TypeVar, dataclass_transform

from rise.free_names import NOTHING_FREE, FreeNames, joined, union
from rise.node_fields import BROKEN, kinds_of, refuse
from rise.node_table import find, publish
from rise.tracebacks import AT_THE_USERS_LINE

#: weights saturate here
MAX_WEIGHT: Final = 1 << 48
_set: Final = object.__setattr__
_new: Final = object.__new__


@dataclass_transform(frozen_default=True, eq_default=False)
class Node:
    """The base of naturals, types and terms. A class lists its fields, in order, as its slots."""

    __slots__ = ("__weakref__", "_hash", "_twin", "dep_loose", "free", "loose", "parts")

    #: 1 if the last part is under a function, 2 if all parts are under a dependent binder, 0 otherwise
    BINDER: ClassVar[int] = 0
    #: the constructor's parameters: all slots except derived ones
    FIELDS: ClassVar[tuple[str, ...]] = ()
    #: whether the first field is the name of a binder, which `==` ignores
    NAMES_BINDER: ClassVar[bool] = False
    #: all sub-nodes, types and naturals included
    parts: tuple[Node, ...]
    #: 1 + the highest index that points outside, in each index space; 0 if closed
    loose: int
    dep_loose: int
    #: the named free variables, and the unknowns of inference
    free: FreeNames
    #: None if the node contains no name, so that it is its own twin; False if the twin is not built yet
    _twin: Node | Literal[False] | None
    #: the hash of the node without names
    _hash: int

    def __init_subclass__(cls) -> None:
        cls.FIELDS = tuple(name for name in cls.__slots__ if name not in ("type", "order", "_order"))
        type.__setattr__(cls, "__match_args__", cls.FIELDS)

    def __new__(cls, *fields: Any) -> Any:
        try:
            table_key = (
                cls,
                *[id(f) if isinstance(f, Node) else f if type(f) is not tuple else _ids(f) for f in fields],
            )
            existing = find(table_key)
            return existing if existing is not None else enter(cls, table_key, fields)
        except BROKEN as error:
            with AT_THE_USERS_LINE:
                refuse(cls, fields, error)
            raise

    @property
    def key(self) -> Self:
        """The nameless twin: the same node with every bound name erased."""
        twin = self._twin
        if twin is None:
            return self
        return twin or _make_twin(self)  # type: ignore[return-value]  # a twin has its node's class

    @property
    def is_nameless(self) -> bool:
        """Whether the node contains no name of a binder; between such nodes, `==` is `is`."""
        return self._twin is None

    @property
    def fields(self) -> tuple[Any, ...]:
        """The constructor's arguments."""
        return tuple(getattr(self, name) for name in self.FIELDS)

    def with_parts(self, parts: tuple[Any, ...]) -> Node:
        """The same node with other parts."""
        rest = iter(parts)
        result: Node = type(self)(*[_refill(field, rest) for field in self.fields])
        return result

    def settle(self) -> tuple[tuple[str, Any], ...]:
        """The derived attributes of a new node. May also assert that its fields fit together."""
        return ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Node) or self._hash != other._hash:
            return False
        named = self._twin is not None or other._twin is not None
        return named and self.key is other.key

    def __hash__(self) -> int:
        return self._hash

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (rebuilt, (flattened(self),))


class Measured(Node):
    """The base of naturals and types: nodes that know their printed length."""

    __slots__ = ("height", "weight")
    if TYPE_CHECKING:
        #: derived: the number of nodes of the tree, where shared nodes count each time; at most MAX_WEIGHT
        weight: ClassVar[int]
        height: ClassVar[int]  # derived: the nesting depth


def slot(cls: type, name: str) -> Callable[[Any, Any], None]:
    """The setter of a field, for new nodes: nodes are frozen, so assignments fail."""
    setter: Callable[[Any, Any], None] = cls.__dict__[name].__set__
    return setter


_set_twin: Final = slot(Node, "_twin")
_MANY_PARTS: Final = 4
N = TypeVar("N", bound=Node)


def opened(cls: type[Node]) -> type[Any]:
    """A class like this one with mutable instances; see Note [Filling]."""
    fills = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(cls.__name__, (cls,), fills)


def _ids(items: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(id(item) if isinstance(item, Node) else item for item in items)


def _refill(field: Any, parts: Iterator[Any]) -> Any:
    if isinstance(field, Node):
        return next(parts)
    if type(field) is tuple:
        return tuple(next(parts) if isinstance(item, Node) else item for item in field)
    return field


def _nameless(field: Any) -> Any:
    if isinstance(field, Node):
        return field.key
    return tuple(map(_nameless, field)) if type(field) is tuple else field


def enter(cls: type[N], table_key: tuple[Any, ...], fields: tuple[Any, ...]) -> N:
    """Create a node and add it to the table. Returns the node of another thread if that added one first."""
    open_class, setters, kinds = _filling(cls)  # type: ignore[arg-type]  # a class can be hashed
    node: Any = _new(open_class)
    for set_field, classes, value in zip(setters, kinds, fields, strict=True):
        assert isinstance(value, classes), (cls, type(value), value)
        set_field(node, value)
    parts: list[Any] = []
    for value in fields:
        if isinstance(value, Node):
            parts.append(value)
        elif type(value) is tuple:
            parts.extend([item for item in value if isinstance(item, Node)])
    is_twin = not (cls.NAMES_BINDER and fields[0])
    loose = dep_loose = 0
    names: FreeNames = NOTHING_FREE
    is_wide = len(parts) > _MANY_PARTS
    for part in parts:
        if part.loose > loose:
            loose = part.loose
        if part.dep_loose > dep_loose:
            dep_loose = part.dep_loose
        if not is_wide:
            names = joined(names, part.free)
        if part._twin is not None:
            is_twin = False
    node.parts = tuple(parts)
    if cls.BINDER:
        loose, dep_loose = _outside(cls.BINDER, node.parts)
    node.loose, node.dep_loose = loose, dep_loose
    node.free = union([part.free for part in parts]) if is_wide else names
    node._twin = None if is_twin else False
    named = fields[1:] if cls.NAMES_BINDER else fields  # equal nodes have equal hashes
    node._hash = hash((cls, *[v._hash if isinstance(v, Node) else _hashed(v) for v in named]))
    if issubclass(cls, Measured):
        _measure(node, parts)
    node.__class__ = cls
    for name, value in node.settle():
        _set(node, name, value)
    return publish(table_key, node)  # type: ignore[no-any-return]  # filled as Any


@cache
def _filling(cls: type[Node]) -> tuple[type[Any], tuple[Any, ...], tuple[Any, ...]]:
    """The opened class (see Note [Filling]), the setters of its fields, and the classes of their values."""
    return opened(cls), tuple(slot(cls, name) for name in cls.FIELDS), kinds_of(cls)  # type: ignore[arg-type]  # as above


def _hashed(field: Any) -> Any:
    if isinstance(field, Node):
        return field._hash
    return tuple(map(_hashed, field)) if type(field) is tuple else field


def _measure(node: Any, parts: Sequence[Any]) -> None:
    """Set the weight and the height of an opened node with these parts."""
    weight, height = 1, 0
    for part in parts:
        weight += part.weight
        if part.height > height:
            height = part.height
    node.weight = weight if weight < MAX_WEIGHT else MAX_WEIGHT
    node.height = height + 1


def _make_twin(root: Node) -> Node:
    """The same node with all names of binders erased, built bottom-up."""
    stack = [root]
    while stack:
        node = stack[-1]
        waiting = [part for part in node.parts if part._twin is False]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        if node._twin is False:
            fields = [_nameless(field) for field in node.fields]
            if node.NAMES_BINDER:
                fields[0] = ""
            _set_twin(node, type(node)(*fields))
    assert root._twin
    return root._twin


def _outside(binder: int, parts: tuple[Node, ...]) -> tuple[int, int]:
    """The loose indices of a binder; those of its last part are counted from inside the binder."""
    if binder == 1 and len(parts) == 2:
        first, body = parts
        return max(first.loose, body.loose - 1), max(first.dep_loose, body.dep_loose)
    if binder == 2:
        return max(p.loose for p in parts), max(0, max(p.dep_loose for p in parts) - 1)
    *outer, body = parts
    return max([body.loose - 1, 0, *(p.loose for p in outer)]), max(p.dep_loose for p in parts)


Leaf = Callable[[Any, int, int], Any]


def transform(
    root: N,
    visit: Leaf,
    untouched: Callable[[Any, int, int], bool],
    is_dependent: bool = False,
    done: dict[Any, Any] | None = None,
) -> N:
    """Rebuild a node bottom-up, iteratively.

    `visit(node, depth, dep_depth)` returns a replacement, or None to visit the parts; `untouched` returns whether a
    node and its parts certainly stay as they are. Depths count the binders between the root and the node, in each index
    space. If `is_dependent`, functions are not counted, and a node at several depths is rebuilt once. `done` is a memo
    of earlier calls with the same `visit`, without untouched nodes; its nodes must be kept alive.
    """
    if untouched(root, 0, 0):
        return root
    if done is None:
        done = {}
    # (node, its two depths, whether its parts are done)
    stack: list[tuple[Any, int, int, bool]] = [(root, 0, 0, False)]
    while stack:
        node, depth, dep_depth, is_finished = stack.pop()
        place: Any = (id(node), depth, dep_depth) if depth or dep_depth else id(node)
        parts = node.parts
        if not is_finished:
            if place in done:
                continue
            replacement = visit(node, depth, dep_depth)
            if replacement is not None or not parts:
                done[place] = node if replacement is None else replacement
                continue
        below = dep_depth + 1 if node.BINDER == 2 else dep_depth
        deeper = depth + 1 if node.BINDER == 1 and not is_dependent else depth  # the depth of the last part
        new_parts: list[Any] = []
        waiting: list[tuple[Any, int, int, bool]] = []
        for part in parts:
            part_depth = deeper if part is parts[-1] else depth
            part_place: Any = (id(part), part_depth, below) if part_depth or below else id(part)
            new = done.get(part_place)
            if new is None:
                if is_finished or untouched(part, part_depth, below):
                    new = part
                elif part.parts:
                    waiting.append((part, part_depth, below, False))
                else:
                    replacement = visit(part, part_depth, below)
                    new = done[part_place] = part if replacement is None else replacement
            new_parts.append(new)
        if waiting:
            stack.append((node, depth, dep_depth, True))
            stack += waiting
        else:
            done[place] = _with_new_parts(node, new_parts)
    return done[id(root)]  # type: ignore[no-any-return]  # a visit keeps the sort of a node


def _with_new_parts(node: Node, parts: list[Any]) -> Node:
    """The node with these parts; the node itself if its parts are the same."""
    for old, new in zip(node.parts, parts, strict=True):
        if old is not new:
            return node.with_parts(tuple(parts))
    return node


def postorder(root: Node) -> Iterator[Node]:
    """Every distinct sub-node once, children before parents."""
    seen: set[int] = set()
    stack: list[tuple[Node, bool]] = [(root, False)]
    while stack:
        node, is_finished = stack.pop()
        if is_finished:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((part, False) for part in reversed(node.parts))


def flattened(root: Node) -> list[tuple[Any, ...]]:
    """A node as plain values: every distinct sub-node once, children first, as its class and its fields.

    In the fields `[i]` refers to the node at position i, so that nothing is nested and all sharing is kept.
    """
    places: dict[int, int] = {}
    flat: list[tuple[Any, ...]] = []
    for node in postorder(root):
        places[id(node)] = len(flat)
        flat.append((type(node), *[_stored(field, places) for field in node.fields]))
    return flat


def rebuilt(flat: list[tuple[Any, ...]]) -> Node:
    """The inverse of `flattened`; the node is interned here."""
    nodes: list[Node] = []
    for cls, *fields in flat:
        nodes.append(cls(*[_restored(field, nodes) for field in fields]))
    return nodes[-1]


def _stored(field: Any, places: dict[int, int]) -> Any:
    if isinstance(field, Node):
        return [places[id(field)]]
    return tuple([_stored(item, places) for item in field]) if type(field) is tuple else field


def _restored(field: Any, nodes: list[Node]) -> Any:
    if type(field) is list:
        return nodes[field[0]]
    return tuple([_restored(item, nodes) for item in field]) if type(field) is tuple else field


# Note [Filling]
# Nodes are frozen: assignments fail. A new node is filled through the setters of its slots. Nodes that are created
# often start as instances of an opened class, which has the same slots and allows assignments. They get their own class
# once they are filled, before any other code sees them.
