"""The temporaries of a body: where they are allocated, which values are stored in them, and where these come from and
go to. Does not assign names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from typing import Final, TypeAlias, TypeVar

from rise.naturals import const, nat
from rise.primitives import PRIMITIVES, has_trait
from rise.quotients import linear_in
from rise.records import dataclass
from rise.types import VectorType
from shine.imperative.names import UNNAMED, is_made, parted
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    Block,
    Buffer,
    Condition,
    Constant,
    Define,
    Exchange,
    FillFragment,
    For,
    Guarded,
    If,
    Index,
    Level,
    Load,
    LoadFragment,
    Local,
    MapFragment,
    MultiplyAdd,
    Operation,
    Piece,
    Statement,
    Value,
)
from shine.imperative.walk import definitions, enclosed, everything, loads, values

Flows: TypeAlias = tuple[tuple[Buffer, Buffer], ...]
Store: TypeAlias = tuple[Assign, tuple[For, ...], tuple[Condition, ...]]
_T = TypeVar("_T")
#: operations that move numbers and do not compute any
MOVES: Final = frozenset(("cast", "vector", "broadcast", "lane"))
#: operations that combine the elements of a reduction
REDUCING: Final = frozenset(name for name, record in PRIMITIVES.items() if record.neutral is not None)
#: the name of temporaries that hold the result of a choice, into which the steps of its branches flow
CHOSEN: Final = "chosen"


@dataclass(slots=True)
class Temporary:
    """The loops around the allocation of a temporary, and the stores to it, with enclosing loops and conditions."""

    loops: tuple[For, ...]
    stores: list[Store] = field(default_factory=list)
    sources: set[Buffer | None] = field(default_factory=set)


def temporaries_of(body: Block, around: Sequence[Buffer]) -> dict[Buffer, Temporary]:
    """The temporaries of a body, in order, with what is stored in them."""
    found = {buffer: Temporary(()) for buffer in around}
    vectors: dict[Value, Buffer | None] = {}
    for statement, enclosing in enclosed(body):
        match statement:
            case Define(local, value) if isinstance(local.type, VectorType):
                vectors[local] = copied(value)
            case Allocate(buffer=buffer):
                found[buffer] = Temporary(tuple(one for one in enclosing if isinstance(one, For)))
            case Assign(buffer=buffer, value=value) if buffer in found:
                loops = tuple(one for one in enclosing if isinstance(one, For))
                conditions = tuple(one.condition for one in enclosing if isinstance(one, If))
                found[buffer].stores.append((statement, loops, conditions))
                whole = _vector_of_lane(value)
                found[buffer].sources.add(vectors[whole] if whole in vectors else copied(value))
            case LoadFragment(target=Piece(buffer=buffer), source=matrix) if buffer in found:
                found[buffer].sources.add(matrix.buffer)
            case _:
                for buffer in _computed(statement):
                    if buffer in found:
                        found[buffer].sources.add(None)
    return found


def _vector_of_lane(value: Value) -> Value:
    """The vector of which a value is a lane; the value itself if it is none."""
    match value:
        case Operation("lane", (vector, _)):
            return vector
        case _:
            return value


def filling_units(store: Assign, loops: Sequence[For], buffer: Buffer) -> list[For]:
    """The loops over the units that fill a temporary, each unit one element."""
    return [
        loop
        for loop in loops
        if isinstance(loop.kind, Level) and (buffer.space == "Local" or loop.index in store.index.free)
    ]


def origins_of(kept: Mapping[Buffer, Temporary], given: AbstractSet[object]) -> Mapping[Buffer, Buffer]:
    """The array of the caller whose elements each temporary holds, perhaps copied through other temporaries."""
    return first_found(
        kept,
        lambda one: source_of(kept[one]) if one in kept else None,
        lambda one: one if one in given else None,
    )


def directions_of(kept: Mapping[Buffer, Temporary]) -> dict[Buffer, str]:
    """For each temporary, whether it holds a row or a column of an array, `_of_row` or `_of_column`: neighbours in it
    are neighbours in that array, or they are not.
    """
    return {buffer: _direction(known) for buffer, known in kept.items()}


def _direction(known: Temporary) -> str:
    found: set[str] = set()
    for store, loops, _ in known.stores:
        inner = next((loop.index for loop in reversed(loops) if loop.index in store.index.free), None)
        for load in loads(store.value):
            parts = None if inner is None else linear_in(load.index, inner)
            found.add("" if parts is None else "_of_row" if parts[0] == const(1) else "_of_column")
    return found.pop() if len(found) == 1 else ""


def source_of(known: Temporary) -> Buffer | None:
    """The array from which all elements of a temporary are copied, if there is one."""
    return next(iter(known.sources)) if len(known.sources) == 1 else None


def first_found(
    starts: Iterable[Buffer],
    following: Callable[[Buffer], Buffer | None],
    found_at: Callable[[Buffer], _T | None],
) -> Mapping[Buffer, _T]:
    """For each start, the first result of `found_at` on the path from it, where `following` gives the next step; no
    entry if the path ends or enters a cycle before. Takes linear time, since each step is taken once.
    """
    found: dict[Buffer, _T | None] = {}
    for start in starts:
        path: list[Buffer] = []
        at: Buffer | None = start
        here: _T | None = None
        while here is None and at is not None and at not in found:
            found[at] = None  # the result for a cycle
            path.append(at)
            here = found_at(at)
            at = following(at) if here is None else at
        if here is None and at is not None:
            here = found[at]
        found |= dict.fromkeys(path, here)
    return {one: here for one, here in found.items() if here is not None}


def copied(value: Value) -> Buffer | None:
    """The only array from which a value copies elements; None if there are others, or if it computes anything."""
    found: set[Buffer] = set()
    for part in values(value):
        match part:
            case Load(buffer=buffer):
                found.add(buffer)
            case Operation(name=name) if name in MOVES:
                pass
            case Guarded():
                pass
            case Index() | Local() | Exchange() | Operation():
                return None
            case _:
                pass
    return found.pop() if len(found) == 1 else None


def _computed(statement: Statement) -> Iterator[Buffer]:
    """The buffers for which a statement computes values."""
    match statement:
        case AtomicUpdate(buffer=buffer):
            yield buffer
        case FillFragment(target=piece) | MultiplyAdd(target=piece) | MapFragment(target=piece):
            yield piece.buffer
        case _:
            pass


def goals_of(body: Block, kept: Mapping[Buffer, Temporary], flows: Flows) -> dict[Buffer, set[str]]:
    """The names of the variables and temporaries to which the value of each temporary is copied unchanged."""
    found: dict[Buffer, set[str]] = {}
    for statement, _ in everything(body):
        match statement:
            case Define(Local(name), Load(buffer)) if buffer in kept and parted(name)[0] not in UNNAMED:
                found.setdefault(buffer, set()).add("".join(parted(name)))
            case _:
                pass
    parts, combined = _parts_of_results(body, kept, flows)
    changed = True
    while changed:
        changed = False
        for source, target in reversed(flows):  # in this order, targets mostly come before their sources
            if target in combined and source not in parts:
                continue  # the summands of a sum are not a sum
            base, part = parted(target.name)
            reached = found.get(target, set()) if base in UNNAMED else {base + part} - {CHOSEN}
            before = found.setdefault(source, set())
            if not reached <= before:
                before |= reached
                changed = True
    return found


def _parts_of_results(
    body: Block, kept: Mapping[Buffer, Temporary], flows: Flows
) -> tuple[set[Buffer], set[Buffer]]:
    """The temporaries that hold results of reductions, complete or partial, or that are stored elsewhere; and those
    whose values are combined from others.
    """
    variables = definitions(body)
    growing = {target for source, target in flows if source is target}
    combined = {one: list(_combined(known, variables)) for one, known in kept.items()}
    by: dict[Buffer, set[str]] = {one: {name for name, _ in combined[one]} for one in growing}
    by |= {one: set() for one, known in kept.items() if not known.sources}
    changed = True
    while changed:
        changed = False
        steps = [(source, target) for source, target in flows if source in by]
        steps += [
            (source, one)
            for one, operations in combined.items()
            for name, read in operations
            for source in read
            if name in by.get(source, ())
        ]
        for source, target in steps:
            if target not in by or not by[source] <= by[target]:
                by[target] = by.get(target, set()) | by[source]
                changed = True
    return set(by), growing | {one for one, operations in combined.items() if operations}


def _combined(known: Temporary, variables: Mapping[Local, Value]) -> Iterator[tuple[str, set[Buffer]]]:
    """The operations whose results a temporary holds, each with the arrays whose elements are its operands."""
    for store, _, _ in known.stores:
        match store.value:
            case Operation(name, arguments) if name not in MOVES:
                places = [variables.get(one, one) if isinstance(one, Local) else one for one in arguments]
                yield name, {one.buffer for one in places if isinstance(one, Load | Exchange)}
            case _:
                pass


def purposes_of(body: Block, kept: Mapping[Buffer, Temporary], flows: Flows) -> dict[Buffer, str]:
    """For each temporary, a suffix with the only variable, named in the program, for which it is computed."""
    found: dict[Buffer, set[str]] = {buffer: set() for buffer in kept}
    variables = definitions(body)
    made = {
        one: value for one, value in variables.items() if is_made(one.name) or isinstance(value, Exchange)
    }
    for local, value in variables.items():
        if local not in made:
            for buffer in _read(value, made) & kept.keys():
                found[buffer].add("".join(parted(local.name)))
    changed = True
    while changed:
        changed = False
        for source, target in reversed(flows):
            if not found[target] <= found[source]:
                found[source] |= found[target]
                changed = True
    return {buffer: f"_for_{next(iter(names))}" if len(names) == 1 else "" for buffer, names in found.items()}


def flows_of(body: Block, kept: Mapping[Buffer, Temporary]) -> Flows:
    """Pairs of a temporary and another one, or itself, that is computed by copying or reducing its elements."""
    variables = definitions(body)
    leaves = leaves_of(kept)
    found: dict[tuple[Buffer, Buffer], None] = {}
    for target, known in kept.items():
        for store, _, _ in known.stores:
            read = _read(store.value, variables)
            if target in read:
                found[target, target] = None
            sources = read - leaves[target]
            if not sources or not sources <= kept.keys() or len({leaves[one] for one in sources}) != 1:
                continue
            count = len(leaves[next(iter(sources))])
            is_reduced = count > 1 and count == len(leaves[target])
            if not (is_reduced or _is_reduced(store.value, variables)):
                continue
            for source in sorted(sources, key=lambda one: one.name):
                if len(sources) == 1 or parted(source.name)[1] == parted(target.name)[1]:
                    found[source, target] = None
    return tuple(found)


def leaves_of(kept: Mapping[Buffer, Temporary]) -> dict[Buffer, frozenset[Buffer]]:
    """For each temporary, the arrays that contain the parts of the same value, including itself."""
    values_kept: dict[object, list[Buffer]] = {}
    for buffer in kept:
        values_kept.setdefault((buffer.origin, parted(buffer.name)[0]), []).append(buffer)
    return {
        one: together for leaves in values_kept.values() for together in [frozenset(leaves)] for one in leaves
    }


def _read(value: Value, variables: Mapping[Local, Value]) -> set[Buffer]:
    """The arrays from which a value is computed, perhaps through variables."""
    found: set[Buffer] = set()
    waiting, seen = [value], set[Local]()
    while waiting:
        for one in values(waiting.pop()):
            match one:
                case Load(buffer) | Exchange(buffer):
                    found.add(buffer)
                case Local() if one in variables and one not in seen:
                    seen.add(one)
                    waiting.append(variables[one])
                case _:
                    pass
    return found


def _is_reduced(value: Value, variables: Mapping[Local, Value]) -> bool:
    """Whether a value is an element of an array, or a combination of two."""
    match value:
        case Operation(name, arguments) if name in REDUCING or has_trait(name, "chooses"):
            places = [_element(one, variables) for one in arguments]
            return None not in places and len(set(places)) > 1
        case Operation("cast", (inner,)):
            return _is_reduced(inner, variables)
        case Local() as local:
            return isinstance(variables.get(local), Load | Exchange)
        case _:
            return isinstance(value, Load | Exchange)


def _element(value: Value, variables: Mapping[Local, Value]) -> Value | None:
    """The element of an array that a value is, perhaps replaced by a number under a condition; None for others."""
    match variables.get(value, value) if isinstance(value, Local) else value:
        case (Load() | Exchange()) as element:
            return element
        case Guarded(_, inner, Constant()):
            return _element(inner, variables)
        case _:
            return None


def reaches_of(body: Block, kept: Mapping[Buffer, Temporary]) -> dict[Buffer, str]:
    """For each temporary, a suffix with the number of units whose elements it combines, by exchanges."""
    variables = definitions(body)
    found = dict.fromkeys(kept, 1)
    for target in _in_order(body, kept):
        for store, loops, _ in kept[target].stores:
            units = [nat(loop.index) for loop in loops if isinstance(loop.kind, Level)]
            steps = {
                (one.lane - unit).constant
                for one in _exchanges(store.value, variables)
                for unit in units
                if (one.lane - unit).constant is not None
            }
            sent = {one.buffer for one in _exchanges(store.value, variables) if one.buffer in kept} - {target}
            sources = sent or (_read(store.value, variables) & kept.keys()) - {target}
            if len(sources) == 1 or sent:
                found[target] = max(found[one] for one in sources) + max(
                    (abs(int(step or 0)) for step in steps), default=0
                )
    return {buffer: f"_over{reach}" for buffer, reach in found.items()}


def _exchanges(value: Value, variables: Mapping[Local, Value]) -> Iterator[Exchange]:
    """The values of other units from which a value is computed, perhaps through variables."""
    waiting, seen = [value], set[Local]()
    while waiting:
        for one in values(waiting.pop()):
            match one:
                case Exchange():
                    yield one
                case Local() if one in variables and one not in seen:
                    seen.add(one)
                    waiting.append(variables[one])
                case _:
                    pass


def _in_order(body: Block, kept: Mapping[Buffer, Temporary]) -> list[Buffer]:
    """The temporaries in the order in which they are first filled."""
    stored = (one.buffer for one, _ in everything(body) if isinstance(one, Assign))
    return [one for one in dict.fromkeys(stored) if one in kept]
