"""Updates of a loop's state: which arrays a step may overwrite in place, and which stores are redundant.

A step computes the next values of some buffers from the current ones. It may update a buffer in place if it loads no
element that it has already overwritten; other buffers need a second copy. Elements that a step only stores again are
left alone: `x[i] = v` is one assignment, although the next array is computed element by element. The same holds for
an array of the caller and the result that is its new value. One subject: stores to arrays that keep other elements.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from types import MappingProxyType
from typing import Final

from rise.indices import as_digit, disjoint, is_below_there, renamed
from rise.natural_values import substitute_naturals
from rise.naturals import Atom, Nat, NatLike, NatVar, const, nat
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.types import BOOL
from shine.imperative.accesses import Access, accesses
from shine.imperative.early_loads import fewest, load_numbers, numbers_of_iterations
from shine.imperative.known_conditions import assuming, naturals_of, with_definitions
from shine.imperative.masks import changes_nothing, with_variables
from shine.imperative.nodes import (
    I64,
    Allocate,
    Assign,
    Block,
    Buffer,
    Condition,
    Define,
    DefineIndex,
    For,
    If,
    Index,
    Level,
    Load,
    Local,
    Operation,
    Procedure,
    Statement,
    Update,
    Value,
)
from shine.imperative.rewrite import Cell, Parts, rewrite_block, substitution
from shine.imperative.statements import names_of
from shine.imperative.walk import all_values, everything, map_statements


def only_changes(
    block: Block,
    names: Collection[str],
    known: Mapping[Local, Value] = MappingProxyType({}),
    fresh: Callable[[str], str] | None = None,
) -> Block:
    """The block without assignments of an element to itself, in buffers with these names, and without iterations of
    loops that do nothing else. `known` are the values of variables from outside of the block; `fresh` creates names for
    indices that are read at run time.
    """

    def changed(statement: Statement) -> tuple[Statement, ...]:
        match statement:
            case Assign(buffer, index, Load(source, same)) if buffer is source and index is same:
                return () if buffer.name in names else (statement,)
            case For(body=body) | If(body=body) if not _has_effects(body):
                return ()
            case For():
                return _few_iterations(statement, names, with_definitions(known, block), fresh)
        return (statement,)

    return map_statements(block, changed)


def _has_effects(block: Block) -> bool:
    return any(not isinstance(statement, Define | DefineIndex) for statement in block.statements)


def _few_iterations(
    loop: For, names: Collection[str], known: Mapping[Local, Value], fresh: Callable[[str], str] | None
) -> tuple[Statement, ...]:
    """The loop, or few iterations of it if all others only store values that are already there: those for whose index
    the tests for equality with numbers that are constant in the loop are false. If the numbers are equal, one iteration
    runs several times. Loops over threads of a GPU are unchanged, since all threads would run these iterations.
    """
    body = loop.body
    if isinstance(loop.kind, Level) or not all(
        isinstance(statement, _SIMPLE) for statement, _ in everything(body)
    ):
        return (loop,)
    iterations = [
        *(_at_natural(loop, end, names, known, fresh) for end in _compared(loop, known)),
        *(
            ()
            if fresh is None
            else (_at_number(loop, one, names, known, fresh) for one in _numbers_compared(loop))
        ),
    ]
    for count in range(1, 1 + min(len(iterations), MAX_ITERATIONS)):
        for some in combinations(iterations, count):
            others = assuming(body, partial(_is_any, [one.holds for one in some]), False)
            if changes_nothing(others):
                # assignments, fused to one loop, are tested from the last to the first
                made = tuple(statement for one in reversed(some) for statement in one.statements())
                if _defines_once(made):
                    return made
    return (loop,)


def _defines_once(statements: Sequence[Statement]) -> bool:
    """Whether statements of one block define no name twice."""
    names = [one.local.name for one in statements if isinstance(one, Define)]
    names += [one.buffer.name for one in statements if isinstance(one, Allocate)]
    return len(set(names)) == len(names)


@dataclass(frozen=True, slots=True)
class _Iteration:
    """One iteration of a loop: the test that holds in it alone, and its statements."""

    holds: Callable[[Value], bool]
    statements: Callable[[], tuple[Statement, ...]]


def _at_natural(
    loop: For,
    end: Nat,
    names: Collection[str],
    known: Mapping[Local, Value],
    fresh: Callable[[str], str] | None,
) -> _Iteration:
    """The iteration whose index is a natural, if there is one."""
    holds = partial(_is_equality, known, {nat(loop.index), end})

    def statements() -> tuple[Statement, ...]:
        below = [] if is_nonnegative(end) else [(const(0), end + 1)]
        below += [] if is_nonnegative(loop.count - 1 - end) else [(end, loop.count)]
        there = only_changes(_at(loop, holds, end), names, known, fresh)
        return (If(Condition(tuple(below)), there, loop.origin),) if below else there.statements

    return _Iteration(holds, statements)


def _at_number(
    loop: For,
    number: Local,
    names: Collection[str],
    known: Mapping[Local, Value],
    fresh: Callable[[str], str],
) -> _Iteration:
    """The iteration whose index is a number that is read at run time, if there is one."""
    holds = partial(_is_equality_with, loop.index, number)

    def statements() -> tuple[Statement, ...]:
        at = NatVar(fresh("at"), loop.count + 1)
        is_inside = Operation(
            "and",
            (
                Operation("ge", (number, Index(const(0), I64)), BOOL),
                Operation("lt", (number, Index(loop.count, I64)), BOOL),
            ),
            BOOL,
        )
        place = Operation("select", (is_inside, number, Index(loop.count, I64)), I64)
        there = only_changes(_at(loop, holds, nat(at)), names, known, fresh)
        guarded = If(Condition(((nat(at), loop.count),)), there, loop.origin)
        return DefineIndex(at, place, loop.origin), guarded

    return _Iteration(holds, statements)


def _at(loop: For, holds: Callable[[Value], bool], index: Nat) -> Block:
    """The body of a loop at the index for which a test holds."""
    there = rewrite_block(assuming(loop.body, holds, True), substitution({loop.index: index}))
    return with_variables(there)


_SIMPLE: Final = (Allocate, Assign, Define, DefineIndex, For, If)
#: how many iterations may take the place of a loop
MAX_ITERATIONS: Final = 2
#: from how many facts together it may follow that two elements are apart
FACTS_AT_ONCE: Final = 3


def _compared(loop: For, known: Mapping[Local, Value]) -> Iterator[Nat]:
    """The numbers with which a loop's index is compared, and which are the same in all iterations."""
    inside = {one.index for one, _ in everything(loop.body) if isinstance(one, For)}
    inside |= {one.name for one, _ in everything(loop.body) if isinstance(one, DefineIndex)}
    seen: set[Nat] = set()
    for value in all_values(loop.body):
        match value:
            case Operation("eq", (left, right)) if (pair := naturals_of(known, left, right)) is not None:
                for index, end in (pair, pair[::-1]):
                    if (
                        index is nat(loop.index)
                        and end.free.isdisjoint({loop.index, *inside})
                        and end not in seen
                    ):
                        seen.add(end)
                        yield end


def _numbers_compared(loop: For) -> Iterator[Local]:
    """The variables from outside of a loop with which its index is compared."""
    inside = {one.local for one, _ in everything(loop.body) if isinstance(one, Define)}
    found = {
        number: None
        for part in all_values(loop.body)
        if isinstance(part, Operation) and part.name == "eq"
        for number in part.arguments
        if isinstance(number, Local) and number not in inside and _is_equality_with(loop.index, number, part)
    }
    yield from found


def _is_any(tests: Sequence[Callable[[Value], bool]], value: Value) -> bool:
    return any(test(value) for test in tests)


def _is_equality(known: Mapping[Local, Value], sides: set[Nat], value: Value) -> bool:
    """Whether a value is `a = b` for these two naturals."""
    match value:
        case Operation("eq", (left, right)):
            return set(naturals_of(known, left, right) or ()) == sides
    return False


def _is_equality_with(index: NatVar, number: Local, value: Value) -> bool:
    """Whether a value is `index = number`."""
    match value:
        case Operation("eq", (Index(a, t), other) | (other, Index(a, t))):
            return t == I64 and a is nat(index) and other == number
    return False


def without_unused(block: Block, removable: Collection[Local]) -> Block:
    """The block without definitions of `removable` variables that nothing uses, and without allocations of arrays that
    nothing reads or writes, such as those without elements.
    """
    used = {part for part in all_values(block) if isinstance(part, Local)}
    accessed = {access.buffer for access in accesses(block)}

    def kept(statement: Statement) -> tuple[Statement, ...]:
        match statement:
            case Define(local) if local in removable and local not in used:
                return ()
            case Allocate(buffer) if buffer not in accessed:
                return ()
        return (statement,)

    return map_statements(block, kept)


def overwritten(
    block: Block, names: Collection[str], merged: Mapping[str, Buffer] = MappingProxyType({})
) -> frozenset[str]:
    """The buffers with these names from which a block may load an element that it has overwritten.

    No such element is loaded if every load precedes the statement that stores, or is of elements that are not stored
    before it; or if it is of the element that is stored later in the same iteration, and different iterations store
    different elements. If an inner loop accumulates in a buffer (`merged` has the outer buffer for each inner name),
    nothing else may access it from this loop on.
    """
    steps = [list(accesses(Block((statement,)))) for statement in _in_sequence(block)]
    inner: dict[str, int] = {}  # the first statement that accesses a buffer by an inner name
    for place, step in enumerate(steps):
        for access in step:
            if access.buffer.name in merged:
                inner.setdefault(merged[access.buffer.name].name, place)
    return frozenset(
        name
        for name in names
        if not _keeps_up(
            [[access for access in step if access.buffer.name == name] for step in steps],
            inner.get(name, len(steps)),
        )
    )


def updating(
    procedure: Procedure, updates: Iterable[Update], prepared: Callable[[Procedure], Procedure] | None
) -> Procedure:
    """A procedure whose calls write some of its results to arrays of the caller. If there is a function that prepares
    procedures, the body only changes elements of these arrays, wherever it loads none that it has overwritten.
    """
    made: list[Update] = []
    for update in updates:
        others = () if prepared is None else (procedure, prepared(procedure))
        for is_early, other in product((False, True), others):
            found = _in_place(_loading_early(other, update) if is_early else other, update)
            if found is not None:
                procedure, update = found, replace(update, in_place=True)
                break
        made.append(update)
    return replace(procedure, updates=tuple(made))


def _in_place(procedure: Procedure, update: Update) -> Procedure | None:
    """A procedure with an update in place; None if it may load an element that it has overwritten."""
    stored, loaded = _buffers_of(procedure, update)
    if not may_share(procedure.body, stored, loaded, _facts_of(procedure)):
        return None
    body = rewrite_block(procedure.body, Parts(cell=partial(_in_buffer, {loaded: stored})))
    return replace(procedure, body=only_changes(body, {stored.name}))


def _loading_early(procedure: Procedure, update: Update) -> Procedure:
    """The procedure whose loops first load those numbers of the current iteration that keep it from being updated in
    place; the same one if that does not suffice.
    """
    stored, loaded = _buffers_of(procedure, update)
    facts = _facts_of(procedure)
    least = _from_least(facts)
    early = numbers_of_iterations(procedure.body, loaded.name, least)

    def body_with(some: Collection[Load]) -> Block:
        return load_numbers(procedure.body, some, least, names_of(procedure.body, (stored.name,)).fresh)

    def suffice(some: Collection[Load]) -> bool:
        return may_share(body_with(some), stored, loaded, facts)

    return replace(procedure, body=body_with(fewest(early, suffice))) if suffice(early) else procedure


def _buffers_of(procedure: Procedure, update: Update) -> tuple[Buffer, Buffer]:
    """The result's buffer and the parameter's."""
    inputs = [buffer for parameter in procedure.inputs for buffer in parameter.buffers]
    return procedure.output.buffers[update.output], inputs[update.input]


def _facts_of(procedure: Procedure) -> list[Nat]:
    """Naturals that are not negative in any call."""
    return [check.subject for check in procedure.checks if check.relation == "<="]


def _in_buffer(others: Mapping[Buffer, Buffer], cell: Cell) -> Cell:
    """An element of another buffer."""
    return replace(cell, buffer=others.get(cell.buffer, cell.buffer))


def may_share(block: Block, stored: Buffer, loaded: Buffer, facts: Sequence[Nat] = ()) -> bool:
    """Whether two buffers may be one array: if it holds what `loaded` has, no load of `loaded` is of an element that
    was stored to `stored` before. The `facts` are naturals that are not negative.
    """
    changing = map_statements(block, partial(_without_copy, stored, loaded))
    steps = [
        [access for access in accesses(Block((statement,))) if access.buffer in (stored, loaded)]
        for statement in _in_sequence(changing)
    ]
    if any(access.is_store and access.buffer is loaded for step in steps for access in step):
        return False
    counts = {loop.index: loop.count for loop, _ in everything(block) if isinstance(loop, For)}
    sizes = [one for one in stored.size.free if isinstance(one, NatVar)]
    facts = [*facts, *(fact * nat(size) for fact in facts for size in sizes if size not in fact.free)]
    relevant = [
        [_guarded_by_loops(access, counts) for access in step if access.is_store or access.buffer is loaded]
        for step in steps
    ]
    fixed = {one.name for one in _in_sequence(block) if isinstance(one, DefineIndex)}  # outside of loops
    if any(
        not fixed.issuperset(_read_at_run_time(store, load))
        for step in relevant
        for store in step
        for load in step
        if store.is_store and not load.is_store
    ):
        return (
            False  # iterations with the same number store the same element: the second would load a new one
        )
    if _keeps_up(relevant, len(relevant), facts):
        return True
    values = _from_least(facts)
    shifted = [[_with_sizes(access, values) for access in step] for step in relevant]
    return bool(values) and _keeps_up(shifted, len(shifted))


def _without_copy(stored: Buffer, loaded: Buffer, statement: Statement) -> tuple[Statement, ...]:
    """A statement that changes nothing if two buffers are one array, as one that only loads the element."""
    match statement:
        case Assign(buffer, index, Load(source, same) as value, _, origin) if (buffer, source) == (
            stored,
            loaded,
        ) and index is same:
            return (Define(Local(f"copy of {loaded.name}", value.type), value, origin),)
    return (statement,)


def _from_least(facts: Iterable[Nat]) -> dict[Atom, NatLike]:
    """Sizes that are at least a number, as that number and the rest."""
    values: dict[Atom, NatLike] = {}
    for fact in facts:
        match [one for one in fact.free if isinstance(one, NatVar)]:
            case [size] if (least := nat(size) - fact).constant is not None and is_nonnegative(least - 1):
                values[size] = nat(NatVar(f"{size.name} beyond {least.constant}", None)) + least
    return values


def _with_sizes(access: Access, values: Mapping[Atom, NatLike]) -> Access:
    """An access with sizes replaced, in the ranges of its loops, too."""
    found = dict(values)
    loops: list[NatVar] = []
    for loop in access.loops:
        end = loop.upper if loop.upper is None else substitute_naturals(loop.upper, found)
        loops.append(loop if end is loop.upper else NatVar(loop.name, end))
        found[loop] = nat(loops[-1])
    return replace(
        access,
        index=substitute_naturals(access.index, found),
        loops=tuple(loops),
        guards=tuple(
            (substitute_naturals(a, found), substitute_naturals(b, found)) for a, b in access.guards
        ),
    )


def _guarded_by_loops(access: Access, counts: Mapping[NatVar, Nat]) -> Access:
    """The access with guards for loops that have fewer iterations than their index allows, such as a last block."""
    fewer = [(nat(i), counts[i]) for i in access.loops if i in counts and counts[i] is not i.upper]
    return replace(access, guards=(*access.guards, *fewer))


def _in_sequence(block: Block) -> Iterator[Statement]:
    """The statements of a block and of its branches, in order."""
    for statement in block.statements:
        if isinstance(statement, If):
            yield from _in_sequence(statement.body)
        else:
            yield statement


def _keeps_up(steps: list[list[Access]], inner: int, facts: Sequence[Nat] = ()) -> bool:
    """Whether no step loads an element of one buffer that it, or a previous step, has stored; the step `inner` and
    those after it may not access it.
    """
    if any(steps[inner:]):
        return False
    stored: list[Access] = []
    for step in steps[:inner]:
        loads = [access for access in step if not access.is_store]
        stores = [access for access in step if access.is_store]
        if any(not _apart(store, load, facts) for store in stored for load in loads):
            return False
        if loads and stores and not _only_updates_elements(step, facts):
            return False
        stored += stores
    return True


def _apart(store: Access, load: Access, facts: Sequence[Nat] = ()) -> bool:
    """Whether no element that is loaded in any iteration is stored in any iteration."""
    return _is_apart(store, renamed(load.index, load.loops), load, load.loops, facts)


def _is_apart(
    store: Access, loaded: Nat, load: Access, moving: Sequence[NatVar], facts: Sequence[Nat] = ()
) -> bool:
    """Whether an element that is stored is not the one at the index `loaded`, at another iteration of the loops
    `moving` around its load. The conditions of both, and the facts, hold.
    """
    distances = (loaded - store.index - store.lanes, store.index - loaded - load.lanes)
    guards = [most - least - 1 for least, most in store.guards]
    guards += [renamed(most - least - 1, moving) for least, most in load.guards]
    sizes = [atom for atom in store.index.free if isinstance(atom, NatVar) and atom.upper is None]
    guards += [guard * nat(size) for guard in guards for size in sizes if size not in guard.free]
    known = [*facts, *guards]
    return any(
        is_nonnegative(sum(some, start=distance))
        for count in range(1 + min(len(known), FACTS_AT_ONCE))
        for some in combinations([const(0) - fact for fact in known], count)
        for distance in distances
    )


def _only_updates_elements(step: list[Access], facts: Sequence[Nat] = ()) -> bool:
    """Whether each load of a step is of elements that the step does not store, or of an element that is stored later in
    the same iteration and in no other iteration.
    """
    for position, store in enumerate(step):
        if not store.is_store:
            continue
        is_once = _stores_once(store)
        for place, load in enumerate(step):
            is_earlier = place < position
            if load.is_store or (
                is_earlier
                and (
                    _is_loaded_earlier(store, load)
                    or (is_once and _is_of_same_element(store, load))
                    or _is_loaded_before(store, load)
                )
            ):
                continue
            if not _never_meets(store, load, facts):
                return False
    return True


def _is_of_same_element(store: Access, load: Access) -> bool:
    """Whether a load is of the element that is stored in the same iteration."""
    same_iteration = load.loops[: len(store.loops)] == store.loops
    return load.index is store.index and load.lanes == store.lanes and same_iteration


def _stores_once(store: Access) -> bool:
    """Whether different iterations store different elements."""
    return all(
        _disjoint(store, store.index, store, store.guards, loop, store.loops[depth + 1 :])
        for depth, loop in enumerate(store.loops)
    )


def _disjoint(
    store: Access,
    loaded: Nat,
    load: Access,
    guards: Iterable[tuple[Nat, Nat]],
    loop: NatVar,
    inner: Sequence[NatVar],
) -> bool:
    """Whether no element that is stored is the one at the index `loaded` for another value of a loop index; `guards`
    are the conditions on the latter. A part of an index that is less than a number by a condition is a digit: with
    `2 * j + k < N`, no two elements `N * i + 2 * j + k` of different rows are the same.
    """
    if disjoint(store.index, store.lanes, loaded, load.lanes, loop, inner):
        return True
    if store.lanes > 1 or load.lanes > 1:
        return False
    first, digits = _with_digits(store.index, store.guards, loop, "stored digit")
    second, others = _with_digits(loaded, guards, loop, "loaded digit")
    if not digits and not others:
        return False
    return disjoint(first, 1, second, 1, loop, [*inner, *digits, *others])


def _with_digits(
    index: Nat, guards: Iterable[tuple[Nat, Nat]], loop: NatVar, name: str
) -> tuple[Nat, list[NatVar]]:
    """An index in which parts that are less than a number and independent of a loop are digits, and these."""
    digits: list[NatVar] = []
    for part, end in guards:
        if loop in part.free or not part.free:
            continue
        digit = NatVar(f"{name} {len(digits)}", end)
        replaced = as_digit(index, part, digit)
        if replaced is not None:
            index = replaced
            digits.append(digit)
    return index, digits


def _never_meets(store: Access, load: Access, facts: Sequence[Nat] = ()) -> bool:
    """Whether a load is of no element that is stored, in the same iteration or in another one, such as of another
    column in `x[:, j] = x[:, j - 1]`.
    """
    own = load.loops[_shared(store, load) :]
    loaded = renamed(load.index, own)
    is_apart = (
        is_below_there(store.index + store.lanes - 1, loaded, store.index)
        or is_below_there(loaded + load.lanes - 1, store.index, store.index)
        or _is_apart(store, loaded, load, own, facts)
    )
    return is_apart and _is_apart_in_turns(store, load)


def _shared(store: Access, load: Access) -> int:
    """The number of loops around both."""
    shared = 0
    while store.loops[shared : shared + 1] == load.loops[shared : shared + 1] != ():
        shared += 1
    return shared


def _is_loaded_earlier(store: Access, load: Access) -> bool:
    """Whether a load that precedes a store in the text, in all iterations of its loops, is of no element that was
    stored in another one of these iterations.
    """
    return load.loops == store.loops[: len(load.loops)] and _is_apart_in_turns(
        store, load, _read_at_run_time(store, load)
    )


def _read_at_run_time(store: Access, load: Access) -> list[NatVar]:
    """The numbers in two indices that are read at run time, and may be others in each iteration."""
    loops = {*store.loops, *load.loops}
    return [
        atom
        for atom in sorted(store.index.free | load.index.free, key=str)
        if isinstance(atom, NatVar) and atom.upper is not None and atom not in loops
    ]


def _is_loaded_before(store: Access, load: Access) -> bool:
    """Whether a load that precedes a store in the text is of no element that was stored before: it is in a separate
    loop, which has ended when the store begins, and other iterations of the loops around both store other elements, for
    any numbers that are read at run time.
    """
    if not len(load.loops) > _shared(store, load) < len(store.loops):
        return False
    return _is_apart_in_turns(store, load, _read_at_run_time(store, load))


def _is_apart_in_turns(store: Access, load: Access, others: Collection[NatVar] = ()) -> bool:
    """Whether a load is of no element that is stored in another iteration of the loops around both; `others` may differ
    between iterations.
    """
    shared = _shared(store, load)
    own = load.loops[shared:]
    loaded = renamed(load.index, own)
    inner = [
        *store.loops[shared:],
        *(atom for atom in loaded.free if isinstance(atom, NatVar) and atom not in load.index.free),
        *others,
    ]
    guards = [(renamed(least, own), renamed(most, own)) for least, most in load.guards]
    return all(
        _disjoint(store, loaded, load, guards, loop, [*store.loops[depth + 1 : shared], *inner])
        for depth, loop in enumerate(store.loops[:shared])
    )
