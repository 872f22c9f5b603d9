"""Decides which values are stored and which are recomputed, based on counts. Independent of rules and strategies.

If each number of a value is read R times and takes W operations, computing it for each reader costs R W, and storing it
costs W + R and the price of memory. If R is proved to be at most 1 for all sizes, nothing is computed twice. Otherwise
both costs are compared at typical sizes (`Prices.typical_size`), so that counts that grow with a size are large.

One subject: one decision, and the cases in which counts do not decide it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

from elevate import Path
from rise.analysis.reads import Path as Part
from rise.analysis.reads import numbers_in, reads_in
from rise.diagnostics import RiseError
from rise.natural_values import evaluate_natural
from rise.naturals import UNIT, ZERO, Nat, exact_quotient
from rise.nodes import postorder
from rise.primitives import PROJECTIONS, has_trait, lookup, operands_of, with_trait
from rise.primitives.traits import Trait
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.terms import (
    App,
    Bound,
    Expr,
    Lam,
    Primitive,
    has_primitive,
    mention,
    occurrences,
    primitives_in,
    spine,
)
from rise.types import BOOL, ArrayType, Type, element_of, is_data
from strategies.costs.prices import PROCESSOR, Prices
from strategies.costs.products import (
    READING,
    REDUCING,
    array_operands,
    head_name,
    is_product,
    is_row_of_product,
    may_have_sum_of_products,
    product_read_in,
    reads_by_index,
    reads_rows,
)

#: how often each number of a part of a value is read
Often: TypeAlias = Callable[[Part], Nat]
#: traits of primitives that compute their elements one after the other
IN_ORDER: Final[tuple[Trait, ...]] = ("scans", "scatters", "sorts", "compresses", "buffers", "rereads")
#: primitives that an array contains whose elements depend on the previous ones
COMPUTED_IN_ORDER: Final = frozenset().union(*map(with_trait, IN_ORDER), with_trait("reduces", "loops"))
FIRST, SECOND = PROJECTIONS


@dataclass(frozen=True, slots=True)
class Cost:
    """The costs of a value for each of its numbers, in additions at typical sizes: `again` if each reader recomputes
    it, and `stored` if it is computed once, stored, and loaded by each reader.
    """

    again: float
    stored: float


def cost(v: Expr, often: Nat, prices: Prices = PROCESSOR) -> Cost:
    """The costs of computing a value as often as it is read, and of storing it.

    Raises RiseError if a count has too many terms (`size-too-large`).
    """
    numbers = numbers_in(v.type)
    if numbers is ZERO:
        return Cost(0.0, 0.0)
    store = prices.near if typical(numbers, prices) <= prices.near_numbers else prices.far
    truth = prices.truth if element_of(v.type) == BOOL else 0
    reads = _at_typical(often, prices)
    work = _typical_work(v, prices) / (_at_typical(numbers, prices) or 1)
    return Cost(float(reads * work), float(work + reads + truth * (reads + 1)) + store)


@lru_cache(maxsize=1 << 14)
def is_cheaper_again(v: Expr, prices: Prices = PROCESSOR) -> bool:
    """Whether computing a number of `v` costs no more than storing and loading it near, however often it is read. False
    for a value with a loop, or with a view that reads elements more than once, since such a view may store rows itself.
    """
    if any(map(_stores_or_loops, primitives_in(v))):
        return False
    try:
        return _typical_work(v, prices) <= prices.near * _at_typical(numbers_in(v.type), prices)
    except RiseError:
        return False


def _stores_or_loops(name: str) -> bool:
    return has_trait(name, "rereads") or (has_trait(name, "computes") and not has_trait(name, "maps"))


@lru_cache(maxsize=1 << 14)
def is_tabulated(e: Expr, iterations: Nat, numbers: Nat, prices: Prices = PROCESSOR) -> bool:
    """Whether a number that is computed for each element of an inner loop is cheaper to read from a table than to
    recompute in each iteration of the outer loop.
    """
    try:
        work, times, many = (
            float(_typical_work(e, prices)),
            typical(iterations, prices),
            typical(numbers, prices),
        )
    except RiseError:
        return False
    store = prices.near if many <= prices.near_numbers else prices.far
    return times * work > work + prices.load * times + store


def typical(count: Nat, prices: Prices = PROCESSOR) -> float:
    """The value of a count if each unknown size is the typical one."""
    return float(_at_typical(count, prices))


def _typical_work(e: Expr, prices: Prices) -> Fraction:
    """The cost of reading all of a term once, in additions at typical sizes."""
    return reads_in(e).work_at(prices.typical_size, partial(_at_typical, prices=prices))


@lru_cache(maxsize=1 << 14)
def _at_typical(count: Nat, prices: Prices) -> Fraction:
    if count.constant is not None:
        return Fraction(count.constant)
    try:
        return Fraction(evaluate_natural(count, _Typical(prices.typical_size)))
    except (ArithmeticError, KeyError):  # no number at these sizes: a divisor is 0, or a power too large
        return Fraction(prices.typical_size)


class _Typical(dict[Any, int]):
    """The typical size for every variable."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def __missing__(self, _: object) -> int:
        return self.size


@lru_cache(maxsize=1 << 14)
def is_computed(e: Expr) -> bool:
    """An array that takes operations, and is neither stored nor deliberately recomputed."""
    if not is_data(e.type) or not isinstance(e.type, ArrayType):
        return False
    names = primitives_in(e)
    if is_rearrangement(e):
        return False
    if "toMem" not in names and not any(has_trait(name, "recomputes") for name in names):
        return True
    stack, seen = [e], {e}
    while stack:
        node = stack.pop()
        if node.root == ("toMem", 1) or is_recomputed(node):
            continue
        if isinstance(node, Primitive) and not _moves(node.name):
            return True
        new = [child for child in node.children if child not in seen]
        stack.extend(new)
        seen.update(new)
    return False


def is_rearrangement(e: Expr) -> bool:
    """A term that only rearranges elements, as views and maps of views do."""
    return all(map(_moves, primitives_in(e)))


def is_read_once(e: Expr) -> bool:
    """A call with an array of which each element is read at most once, whatever the sizes are."""
    match e:
        case App(Lam(_, ArrayType(), body), _):
            try:
                return is_nonnegative(UNIT - reads_in(body).of(0))
            except RiseError:
                return False
    return False


def is_recomputed(e: Expr) -> bool:
    """A value that its readers deliberately recompute: `recompute v`."""
    return has_trait(head_name(e), "recomputes")


@lru_cache(maxsize=1 << 14)
def is_view(e: Expr) -> bool:
    """A value that takes no operations and no memory."""
    return not is_computed(e) and not _has_stored_part(e)


def _has_stored_part(e: Expr) -> bool:
    return has_primitive(e, "toMem") and any(
        isinstance(node, Expr) and node.root == ("toMem", 1) for node in postorder(e)
    )


def is_stored(e: Expr) -> bool:
    """Whether a value is stored, or computed from a stored value that is named only for this purpose."""
    while isinstance(e, App) and isinstance(e.fun, Lam) and e.arg.root != ("toMem", 1):
        e = e.fun.body
    return isinstance(e, App) and (isinstance(e.fun, Lam) or e.root == ("toMem", 1))


def _moves(name: str) -> bool:
    record = lookup(name)
    return record is not None and (
        record.level == "view" or (has_trait(name, "maps") and record.level == "high")
    )


@lru_cache(maxsize=1 << 12)
def is_inlined(e: Expr, prices: Prices = PROCESSOR) -> bool:
    """A call with an array that is cheaper to compute where it is read than to store."""
    match e:
        case App(Lam(_, ArrayType(), body), v) if is_data(body.type):
            if is_view(v):
                return True
            if not is_computed(v) or is_in_order(v):
                return False
            found = occurrences(body, 0, enough=prices.copies + 1)
            if (found == 1 or _is_short(v, prices)) and is_of_indices(v, prices):
                return True
            if found > prices.copies or (found > 1 and not _is_short(v, prices, found)):
                return False
            if found > 1 and _is_made_by_rows(v) and _is_read_beside_others(body):
                return False
            try:
                if (
                    found == 1
                    and has_cheap_rows(v, prices)
                    and is_read_in_one_turn(body)
                    and not computes_product(e)
                ):
                    return True
                often = reads_in(body).of(0)
                if typical(often, prices) >= 1 and _reads_parts_of_rows(body, v):
                    return False
                if found <= 1 and is_nonnegative(UNIT - often):
                    return True
                if typical(often, prices) >= 1 and is_table(v, prices) and reads_by_index(body):
                    return False
                costs = cost(v, often, prices)
            except RiseError:
                return False
            return _is_short(v, prices, found) and costs.again <= costs.stored
    return False


def _reads_parts_of_rows(body: Expr, v: Expr) -> bool:
    """Whether a body reads the elements of a value one by one, by indices, though its rows are computed as a whole:
    those of a matrix product by tiles, those of a scan in order.
    """
    if is_product(v):
        return reads_by_index(body)
    function = spine(v)[1][0] if v.root == ("map", 2) else None
    is_whole = isinstance(function, Lam) and is_in_order(function.body)
    return (is_whole or _maps_in_order(function)) and reads_by_index(body, is_viewed=True)


def _mixes_rows(e: Expr) -> bool:
    """A view that puts other rows beside those of an array, such as a padded array: each element is chosen from a row
    of either when it is read.
    """
    record = lookup(head_name(e))
    if record is None or record.level != "view" or not _has_rows(e.type):
        return False
    return not any(
        has_trait(record.name, trait) for trait in ("rearranges", "rereads", "projects", "recomputes")
    )


def _has_rows(t: Type) -> bool:
    return isinstance(t, ArrayType) and isinstance(t.element, ArrayType)


def _is_made_by_rows(e: Expr) -> bool:
    """Rows that are computed from reductions of a row, or in order: to read an element is to compute these."""
    if e.root != ("map", 2) or not _has_rows(e.type) or is_recomputed(e):
        return False
    function: Any = spine(e)[1][0]
    if not isinstance(function, Lam):
        return _maps_in_order(function)
    body = function.body
    while isinstance(body, App) and isinstance(body.fun, Lam):
        if has_primitive(body.arg, *REDUCING):
            return True
        body = body.fun.body
    return is_in_order(body)


def _is_read_beside_others(body: Expr) -> bool:
    """Whether a body reads its innermost variable as a part of an array with other rows."""
    stack = [(body, 0)]
    while stack:
        node, depth = stack.pop()
        if not node.mentions & mention(depth):
            continue
        if _mixes_rows(node):
            return True
        stack += [(child, depth + isinstance(node, Lam)) for child in node.children]
    return False


def _rows_read_beside_others(e: Expr) -> Path | None:
    """The position of rows that a primitive reads as a part of an array with other rows, and that are computed as a
    whole.
    """
    if e.root not in READING:
        return None
    waiting = [(path, v, _mixes_rows(e)) for path, v in array_operands(e, ())]
    while waiting:
        path, v, is_beside = waiting.pop()
        if is_beside and _is_made_by_rows(v):
            return path
        if (record := lookup(head_name(v))) is not None and record.level == "view":
            is_beside = is_beside or _mixes_rows(v)
            waiting += [(inner, one, is_beside) for inner, one in array_operands(v, path)]
    return None


def _maps_in_order(function: object) -> bool:
    """Whether a primitive, perhaps applied to some of its operands, computes arrays whose elements depend on the
    previous ones.
    """
    head = spine(function)[0] if isinstance(function, Expr) else None
    return isinstance(head, Primitive) and any(has_trait(head.name, trait) for trait in IN_ORDER)


def is_table(v: Expr, prices: Prices) -> bool:
    """Whether a number of an array takes more operations than loading it from a table, but no loop. If its elements are
    read by indices that are computed, as those of a lookup table, how often each one is read is not known: the array
    may have few elements, or many of which few are read. Then it is stored, as it is by numpy.
    """
    if any(map(_stores_or_loops, primitives_in(v))):
        return False
    return _typical_work(v, prices) > prices.load * _at_typical(numbers_in(v.type), prices)


def is_of_indices(v: Expr, prices: Prices) -> bool:
    """An array whose numbers are computed only from their indices, such as those of `arange` and of triangular masks,
    with no more operations for each than the cost of storing and loading it near.
    """
    if any(map(_stores_or_loops, primitives_in(v))):
        return False
    counts = reads_in(v)
    return not counts.loads and is_nonnegative(prices.near * numbers_in(v.type) - counts.operations)


def has_cheap_rows(v: Expr, prices: Prices) -> bool:
    """Whether the elements of an array are numbers, or rows that need only maps and are near if they are stored."""
    assert isinstance(v.type, ArrayType)
    if not isinstance(v.type.element, ArrayType):
        return True
    if any(map(_stores_or_loops, primitives_in(v))):
        return False
    return typical(numbers_in(v.type.element), prices) <= prices.near_numbers


def computes_product(e: Expr) -> bool:
    """Whether a term computes rows of a matrix product; strategies for products store what such products read."""
    return may_have_sum_of_products(e) and any(
        isinstance(part, Expr) and is_row_of_product(part) for part in postorder(e)
    )


def is_read_in_one_turn(body: Expr) -> bool:
    """Whether the innermost variable of a term is only read element by element, by a map that runs once. However often
    the map's function reads an element, it is computed once, since fusion names it in that function.
    """
    index, is_mapped = 0, False
    while not (isinstance(body, Bound) and body.index == index):
        match body:
            case App(Lam(_, _, inner), v) if not occurrences(v, index):
                body, index = inner, index + 1
                continue
            case App():
                pass
            case _:
                return False
        head, operands = head_name(body), spine(body)[1]
        reading = [one for one in operands if isinstance(one, Expr) and occurrences(one, index)]
        if not head or len(reading) != 1 or not is_data(body.type):
            return False
        (operand,) = reading
        if (
            has_trait(head, "pairs")
            or has_trait(head, "unzips")
            or (has_trait(head, "rearranges") and not is_mapped)
        ):
            pass
        elif body.root == ("map", 2) and operand is operands[-1]:
            is_mapped = True
        elif not (has_trait(head, "reduces") and operand is operands[-1] and not is_mapped):
            return False
        body = operand
    return is_mapped


def is_in_order(e: Expr) -> bool:
    """An array whose elements depend on the previous ones, so that reading one means computing all of them."""
    while isinstance(e, App) and (head := head_name(e)):
        is_fold = has_trait(head, "reduces") and has_trait(head, "loops")  # its state is the array
        if (is_fold or any(has_trait(head, trait) for trait in IN_ORDER)) and not _only_moves(head):
            return True
        if not _only_moves(head):
            return False
        e = e.arg
    return False


def _only_moves(name: str) -> bool:
    record = lookup(name)
    return record is not None and record.level == "view" and not has_trait(name, "scatters")


def _is_short(e: Expr, prices: Prices, occurring: int = 1) -> bool:
    """Whether a term is short enough to be in a program this often."""
    most = min(prices.copied_nodes, 3 * prices.copied_nodes // max(1, occurring - 1))
    count, stack = 0, [e]
    while stack and count <= most:
        count += 1
        stack.extend(stack.pop().children)
    return count <= most


@lru_cache(maxsize=1 << 12)
def stored_part(e: Expr, prices: Prices = PROCESSOR) -> Path | None:
    """The position in a term of a value that is cheaper to store than to recompute.

    In a call, it is the argument or a part of it; in a loop over an array, it is the operand of views that repeat or
    reorder elements. A matrix product that still has a name, or that is read, is stored as a whole. Any other value is
    stored as its reader takes it if views only reorder elements (`split`, `join`, `transpose`), and as it is computed
    if they repeat or drop elements.
    """
    try:
        return next(_stored_parts(e, prices), None)
    except RiseError:
        return None


def _stored_parts(e: Expr, prices: Prices) -> Iterator[Path]:
    if (path := product_read_in(e)) is not None:
        yield path
    if (path := _rows_read_beside_others(e)) is not None:
        yield path
    match e:
        case App(Lam(_, ArrayType()), v) if is_product(v):
            yield (1,)
        case App(Lam(_, ArrayType(), body), v) if is_data(body.type) and not (
            reads_rows(body) or is_row_of_product(v)
        ):
            counts = reads_in(body)
            yield from _parts(v, lambda part: counts.of(0, part), (), (1,), True, prices)
        case App(App(), v) if _is_loop(e) and isinstance(v, Expr):
            function = spine(e)[1][0]
            inner: Any = function
            while isinstance(inner, Lam):
                inner = inner.body
            if isinstance(function, Lam) and is_data(inner.type):
                counts = reads_in(inner)
                yield from _parts(v, lambda part: counts.of(0, part), (), (1,), False, prices)


def _is_loop(e: Expr) -> bool:
    head = head_name(e)
    return e.root == ("map", 2) or (has_trait(head, "reduces") and len(spine(e)[1]) == operands_of(head))


def _parts(v: Expr, often: Often, part: Part, path: Path, is_named: bool, prices: Prices) -> Iterator[Path]:
    """The parts of a value that are cheaper to store, given how often it is read, in the order of operands."""
    if v.root == ("zip", 2):
        yield from _parts(v.children[0].children[1], often, (*part, FIRST), (*path, 0, 1), is_named, prices)
        yield from _parts(v.children[1], often, (*part, SECOND), (*path, 1), is_named, prices)
        return
    if not is_computed(v):
        return
    head = head_name(v)
    record = lookup(head) if head else None
    is_moved = record is not None and record.level == "view" and isinstance(v, App) and is_data(v.arg.type)
    if is_moved and not _only_reorders(v):
        assert isinstance(v, App)
        own = numbers_in(v.arg.type)
        ratio = exact_quotient(numbers_in(v.type), own) if own is not ZERO else ZERO
        yield from _parts(v.arg, lambda one: often(one) * ratio, part, (*path, 1), True, prices)
    elif (is_named or is_moved) and not isinstance(v, Bound):
        costs = cost(v, often(part), prices)
        if costs.again > costs.stored or (is_moved and stores_in_each(v)):
            yield path


def stores_in_each(v: Expr) -> bool:
    """Whether a value consists of views of a map that stores something for each of its elements, which would be stored
    again for each number if numbers were read one by one.
    """
    while isinstance(v, App) and _only_moves(head_name(v)):
        v = v.arg
    if v.root != ("map", 2):
        return False
    function = spine(v)[1][0]
    return isinstance(function, Expr) and _has_stored_part(function)


def _only_reorders(v: Expr) -> bool:
    assert isinstance(v, App)
    return has_trait(head_name(v), "rearranges") and numbers_in(v.type) == numbers_in(v.arg.type)
