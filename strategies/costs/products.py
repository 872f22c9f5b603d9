"""Recognises matrix products in programs that are not lowered, and their factors. Independent of costs.

Note [Products that are read]
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
Register tiles compute a product that is written, as a result or to be stored. If a reduction, a selection, or a view
that cannot be written through reads the product, it is computed number by number instead, each in a separate loop over
a row and a column, which takes some six times as long as tiles. So a product that is read is stored first, unless its
sums are known to be as short as those over coordinates, which are computed where they are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from elevate import Path
from rise.analysis.reads import Path as Part
from rise.nodes import postorder
from rise.primitives import PRIMITIVES, PROJECTIONS, applied, has_trait, lookup, with_trait
from rise.terms import App, Bound, Expr, Lam, Literal, has_primitive, mention, spine
from rise.types import ArrayType

#: the length of sums over coordinates, which are computed where they are read
MAX_COORDINATES: Final = 4
#: the primitives that combine all elements of an array
REDUCING: Final = with_trait("reduces")
#: the primitives that read their arrays number by number, perhaps in another order
READING: Final = applied(
    name
    for name, record in PRIMITIVES.items()
    if has_trait(name, "computes") or (record.level == "view" and not has_trait(name, "writable"))
)


@lru_cache(maxsize=1 << 12)
def reads_rows(body: Expr, part: Part = (), repeats: bool = False) -> bool:
    """Whether a part of the innermost variable of a body is a row of a factor of a matrix product, or contains such
    rows.

    `repeats`: whether the body is in a loop.
    """
    stack = [(body, 0, repeats)]
    while stack:
        node, depth, repeats = stack.pop()
        if not node.mentions & mention(depth):
            continue
        if repeats and any(_parts_in(one, depth, part) for one in factors_of(node)):
            return True
        is_map = node.root == ("map", 2)
        function = node.children[0].children[1] if is_map else None
        if isinstance(function, Lam):
            inner = _parts_in(node.children[1], depth, part)
            if any(reads_rows(function.body, one, True) for one in inner):
                return True
        for child in node.children:
            stack.append((child, depth + isinstance(node, Lam), repeats or is_map))
    return False


def reads_by_index(body: Expr, is_viewed: bool = False) -> bool:
    """Whether a body reads elements of its innermost variable by an index that is computed, perhaps through views;
    `is_viewed`: through at least one.
    """
    stack = [(body, 0)]
    while stack:
        node, depth = stack.pop()
        if not node.mentions & mention(depth):
            continue
        if node.root == ("idx", 2) and not isinstance(node.children[0].children[1], Literal):
            xs = node.children[1]
            while (
                isinstance(xs, App) and (found := lookup(head_name(xs))) is not None and found.level == "view"
            ):
                xs = xs.arg
            if isinstance(xs, Bound) and xs.index == depth and (not is_viewed or xs is not node.children[1]):
                return True
        stack += [(child, depth + isinstance(node, Lam)) for child in node.children]
    return False


def _parts_in(xs: Expr, variable: int, part: Part) -> list[Part]:
    """The parts of an array's elements, or of a value, that contain a part of a variable."""
    if not xs.mentions & mention(variable):
        return []
    if xs.root == ("zip", 2):
        sides = zip(PROJECTIONS, (xs.children[0].children[1], xs.children[1]), strict=True)
        return [(side, *one) for side, ys in sides for one in _parts_in(ys, variable, part)]
    record = lookup(head_name(xs))
    if record is not None and record.level == "view" and record.name not in PROJECTIONS:
        return [one for _, ys in array_operands(xs, ()) for one in _parts_in(ys, variable, part)]
    taken: Part = ()
    while isinstance(xs, App) and head_name(xs) in PROJECTIONS:
        taken, xs = (head_name(xs), *taken), xs.arg
    if not isinstance(xs, Bound):
        return [()]
    is_inside, is_around = part[: len(taken)] == taken, taken[: len(part)] == part
    return [part[len(taken) :]] if is_inside else [()] if is_around else []


def is_product(v: Expr) -> bool:
    """A matrix product, perhaps with further computations on its numbers."""
    function = spine(v)[1][0] if v.root == ("map", 2) else None
    return isinstance(function, Lam) and is_row_of_product(function.body)


def is_row_of_product(v: Expr) -> bool:
    """A map, perhaps around others, that computes sums of products."""
    return v.root == ("map", 2) and has_sum_of_products(v)


def is_sum_of_products(e: Expr) -> bool:
    """A reduction of two zipped arrays to a number."""
    return not isinstance(e.type, ArrayType) and bool(factors_of(e))


def has_sum_of_products(e: Expr) -> bool:
    """A term that computes a sum of products."""
    return may_have_sum_of_products(e) and any(
        isinstance(part, Expr) and bool(factors_of(part)) for part in postorder(e)
    )


def may_have_sum_of_products(e: Expr) -> bool:
    """Whether a term contains the primitives of a sum of products, which is decided without visiting its nodes."""
    return has_primitive(e, "zip") and has_primitive(e, *REDUCING)


def is_row_of_long_sums(v: Expr, longer_than: int) -> bool:
    """A map that computes sums of products, some of which are not known to have at most `longer_than` products."""
    return is_row_of_product(v) and any(
        isinstance(part, Expr) and bool(factors_of(part)) and _is_longer(part, longer_than)
        for part in postorder(v)
    )


def has_sums_of_products(e: Expr) -> bool:
    """A term that computes more than one sum of products, each an element of a matrix product."""
    found: set[Expr] = set()
    stack = [e]
    while stack and len(found) < 2:
        node = stack.pop()
        if is_sum_of_products(node):
            found.add(node)
        elif node.root != ("map", 2):
            stack.extend(node.children)
    return len(found) > 1


def factors_of(e: Expr) -> tuple[Expr, ...]:
    """The two arrays whose zip a term reduces; empty for other terms."""
    head = head_name(e)
    if not has_trait(head, "reduces") or not isinstance(e, App):
        return ()
    xs: Any = e.arg
    while isinstance(xs, App) and xs.root == ("map", 2):
        xs = xs.arg
    return (xs.children[0].children[1], xs.children[1]) if xs.root == ("zip", 2) else ()


def product_read_in(e: Expr) -> Path | None:
    """The position of a matrix product that is read, perhaps through views: see Note [Products that are read]."""
    return next((path for path, v in _values_read(e) if is_nest(v)), None)


def reads_product(e: Expr) -> bool:
    """A primitive that reads a matrix product, whose sums may be short."""
    return any(is_nest(v, 0) for _, v in _values_read(e))


def _values_read(e: Expr) -> Iterator[tuple[Path, Expr]]:
    """The arrays that a primitive reads, with their places, including the operands of views."""
    if e.root not in READING:
        return
    waiting = array_operands(e, ())
    while waiting:
        path, v = waiting.pop()
        yield path, v
        if (record := lookup(head_name(v))) is not None and record.level == "view":
            waiting += array_operands(v, path)


def array_operands(e: Expr, path: Path) -> list[tuple[Path, Expr]]:
    """The arrays that a primitive is applied to, with their places, the last one first."""
    found = []
    while isinstance(e, App):
        if isinstance(e.arg.type, ArrayType):
            found.append(((*path, 1), e.arg))
        e, path = e.fun, (*path, 0)
    return found


@lru_cache(maxsize=1 << 12)
def is_nest(v: Expr, longer_than: int = MAX_COORDINATES) -> bool:
    """A matrix product, or a batch of them, with sums that may be long, perhaps with computations on its numbers."""
    function: Any = spine(v)[1][0] if v.root == ("map", 2) else None
    while isinstance(function, App) and function.root == ("map", 1):
        function = function.arg
    if not isinstance(function, Lam):
        return False
    body: Expr = function.body
    rows = mention(0)
    while isinstance(body, App) and isinstance(body.fun, Lam):
        rows = rows << 1 | bool(body.arg.mentions & rows)
        body = body.fun.body
    return is_row(body, rows, longer_than) or is_nest(body, longer_than)


@lru_cache(maxsize=1 << 12)
def is_row(v: Expr, rows: int, longer_than: int = MAX_COORDINATES) -> bool:
    """A row of a matrix product: sums, not known to be short, of products of the numbers of a row, which is a part of
    one of the variables `rows` (bits of `mentions`), with those of each element of an array.
    """
    function = spine(v)[1][0] if v.root == ("map", 2) else None
    if not isinstance(function, Lam):
        return False
    stack = [(function.body, 0)]
    while stack:
        node, depth = stack.pop()
        both = mention(depth), rows << depth + 1
        sides = [tuple(bool(one.mentions & bits) for bits in both) for one in factors_of(node)]
        if sorted(sides) == [(False, True), (True, False)] and _is_longer(node, longer_than):
            return True
        stack.extend((child, depth + isinstance(node, Lam)) for child in node.children)
    return False


def _is_longer(e: Expr, numbers: int) -> bool:
    first, _ = factors_of(e)
    size = first.type.size.constant if isinstance(first.type, ArrayType) else None
    return size is None or size > numbers


@lru_cache(maxsize=1 << 12)
def rows_read_in(body: Expr) -> tuple[tuple[Expr, int], ...]:
    """The rows of matrix products that a body reads, and the named rows of factors of such products, if they depend on
    the innermost variable; each with the number of enclosing binders.
    """
    found: list[tuple[Expr, int]] = []
    stack = [(body, 0)]
    while stack:
        node, depth = stack.pop()
        if node.mentions & mention(depth):
            found += ((v, depth) for _, v in _values_read(node) if is_row(v, mention(depth)))
            if (factor := _named_factor(node)) is not None and factor.mentions & mention(depth):
                found.append((factor, depth))
            stack.extend((child, depth + isinstance(node, Lam)) for child in node.children)
    return tuple(found)


def _named_factor(e: Expr) -> Expr | None:
    """The array that a call names, if it is a row of a factor of a product that is read."""
    match e:
        case App(Lam(_, ArrayType(), body), v) if rows_read_in(body):
            return v
    return None


@lru_cache(maxsize=1 << 12)
def is_read_by_rows(body: Expr) -> bool:
    """Whether a body reads a row of sums of products that depends on its innermost variable."""
    stack = [(body, 0)]
    while stack:
        node, depth = stack.pop()
        if node.mentions & mention(depth):
            if any(v.mentions & mention(depth) and is_row_of_product(v) for _, v in _values_read(node)):
                return True
            stack.extend((child, depth + isinstance(node, Lam)) for child in node.children)
    return False


def head_name(e: Expr) -> str:
    """The name of the primitive that a term applies; empty for other terms."""
    return e.root[0] if isinstance(e.root, tuple) else ""
