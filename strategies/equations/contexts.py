"""Contexts in equations: `f[g x]` matches a term that contains `g x`, and `f[y]` is that term with `y` in its place.

Depends on terms and metavariables, but not on primitives or strategies.

Holes are searched from the outside in and from left to right. The term in a hole mentions nothing that is bound between
it and the whole term; each occurrence of the same term is a hole, too. A context may have several holes, as in `f[fst
p, snd p]`, and a hole may contain a context, as in `f[map (fun(y => g[e])) ys]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar

from elevate import Path
from rise.inference.equations import is_context
from rise.primitive_bits import bits_of
from rise.records import dataclass
from rise.terms import FAR_MENTIONS, App, Bound, DepLam, Expr, Lam, Var, mention, occurs, shift, spine
from strategies.equations.builder import Build, Subterms, refilled, term_builder
from strategies.equations.matcher import Bindings, Matcher
from strategies.equations.patterns import Binders, Fits, shape_test
from strategies.equations.provenance import variables_of

Declared = TypeVar("Declared", bound=Callable[[Expr], bool])


def only_with(names: Iterable[str]) -> Callable[[Declared], Declared]:
    """Declares that a predicate on terms holds only for terms that contain one of these primitives, so that others are
    not searched. Without it, large terms are searched for a sum that they do not have, once for each function in them.
    """
    bits = bits_of(names)

    def declare(predicate: Declared) -> Declared:
        setattr(predicate, _PRIMITIVES, bits)
        return predicate

    return declare


_PRIMITIVES: Final = "_primitives"
#: predicates on the terms of metavariables, by the names of these
Of: TypeAlias = Mapping[str, Callable[[Expr], bool]]


@dataclass(frozen=True, slots=True)
class Hole:
    """The pattern of a hole, and how to build it if all of its metavariables are known."""

    matcher: Matcher
    build: Build
    variables: frozenset[str]
    """The metavariables and contexts of the pattern, without those inside its contexts."""
    needs: tuple[int, ...]
    """The variables of binders around the context that the pattern mentions."""
    looks: Fits
    """Whether a node has the shape of the pattern; variables are not compared."""
    primitives: int = 0
    """The bits of primitives, of which the term in the hole contains one; 0 if there need not be one."""

    def asking(self, of: Of) -> Hole:
        """The same hole, restricted to terms whose metavariables satisfy predicates."""
        predicates = [(of[name], path) for name, path in variables_of(self.matcher.pattern) if name in of]
        shape = self.looks
        if not predicates:
            return self
        if isinstance(self.matcher.pattern, Var):
            holds = predicates[0][0]
            return replace(self, looks=holds, primitives=getattr(holds, _PRIMITIVES, 0))

        def looks(node: Any) -> bool:
            return shape(node) and all(holds(_at(node, path)) for holds, path in predicates)

        return replace(self, looks=looks)


def _at(node: Expr, path: Path) -> Expr:
    for child in path:
        node = node.children[child]
    return node


@dataclass(frozen=True, slots=True)
class Context:
    """A metavariable with holes on a left side, below `binders`; it must not mention those at indices `hidden`."""

    name: str
    binders: Binders
    hidden: tuple[int, ...]
    holes: tuple[Hole, ...]
    path: Path | None = ()
    """The place of the context in the left side; None if it is inside a hole."""

    def asking(self, of: Of) -> Context:
        """The same context, with predicates on the metavariables in its holes."""
        return replace(self, holes=tuple(hole.asking(of) for hole in self.holes))

    def may_hold(self, term: Expr) -> bool:
        """Whether a term that fits the left side may mention hidden variables only in holes. Faster than matching."""
        if not self.hidden or self.path is None:
            return True
        hidden = set(self.hidden)
        is_found = not any(hole.variables and hidden & set(hole.needs) for hole in self.holes)
        stack = [(_at(term, self.path), 0, mentions_of(self.hidden, 0))]
        while stack:
            node, depth, mentions = stack.pop()
            if not node.mentions & mentions:
                continue
            for hole in self.holes:
                if hole.looks(node):
                    is_found = is_found or bool(hole.variables)
                    break
            else:
                kind = type(node)
                if kind is Bound:
                    return False
                if kind is Lam:
                    depth += 1
                    mentions = mentions_of(self.hidden, depth)
                for child in node.children:
                    stack.append((child, depth, mentions))
        return is_found

    def fillings(self, bindings: Bindings, of: Of) -> Iterator[Bindings]:
        """All extensions of the bindings by the terms in the holes of the bound term, in order."""
        whole, _ = bindings.terms[self.name]
        predicate = of.get(self.name[:-2])
        if predicate is None or predicate(whole):
            yield from self._filled(whole, bindings, of, ())

    def _filled(self, whole: Expr, bindings: Bindings, of: Of, found: tuple[Expr, ...]) -> Iterator[Bindings]:
        if len(found) == len(self.holes):
            if not any(occurs_outside(whole, index, found) for index in self.hidden):
                yield replace(bindings, holes={**bindings.holes, self.name: found})
            return
        hole = self.holes[len(found)]
        if hole.variables <= bindings.terms.keys():
            yield from self._filled(whole, bindings, of, (*found, hole.build(bindings)))
            return
        tried: set[Expr] = set(found)
        for part in candidates(whole, hole.looks, hole.needs, hole.primitives):
            if part in tried or not hole.matcher.fits(part):
                continue
            tried.add(part)
            more = hole.matcher.bind(part, {}, bindings)
            if more is not None and all(
                of[name](more.term(name))
                for name in hole.variables & of.keys()
                if more.term(name) is not part
            ):
                yield from self._filled(whole, more, of, (*found, part))


def contexts_of(left: Expr, may_mention: Mapping[str, frozenset[str]]) -> tuple[Context, ...]:
    """The contexts of a left side; those inside a hole follow the context that has the hole."""
    contexts: list[Context] = []
    stack: list[tuple[Expr, Binders, Path | None]] = [(left, (), ())]
    while stack:
        node, binders, path = stack.pop()
        head, arguments = spine(node)
        if arguments and isinstance(head, Var) and is_context(head.name):
            inwards = enumerate(reversed(binders))
            hidden = tuple(index for index, binder in inwards if binder not in may_mention[head.name])
            holes = tuple(_hole(hole, binders, may_mention) for hole in arguments if isinstance(hole, Expr))
            contexts.append(Context(head.name, binders, hidden, holes, path))
            stack += [(hole, binders, None) for hole in arguments if isinstance(hole, Expr)]
            continue
        inside = (*binders, node.name) if isinstance(node, Lam) else binders
        stack += [
            (child, inside, None if path is None else (*path, index))
            for index, child in enumerate(node.children)
        ]
    return tuple(contexts)


def _hole(pattern: Expr, binders: Binders, may_mention: Mapping[str, frozenset[str]]) -> Hole:
    names = frozenset(name for name, _ in variables_of(pattern))
    needs = tuple(index for index in range(len(binders)) if occurs(pattern, index))
    return Hole(
        Matcher(pattern, may_mention, binders),
        term_builder(pattern, binders),
        names,
        needs,
        shape_test(pattern, False),
    )


def fillings(contexts: tuple[Context, ...], bindings: Bindings, of: Of) -> Iterator[Bindings]:
    """All extensions of the bindings by the terms in the holes of contexts, in order."""
    if not contexts:
        yield bindings
        return
    for filled in contexts[0].fillings(bindings, of):
        yield from fillings(contexts[1:], filled, of)


def candidates(
    whole: Expr, choose: Callable[[Expr], bool], needs: tuple[int, ...] = (), primitives: int = 0
) -> Iterator[Expr]:
    """The subterms that `choose` accepts, in order, that mention all of `needs` and no variable bound above them, and
    contain one of some primitives, if their bits are given. Those that occur several times below as many binders are
    visited once.
    """
    stack: list[tuple[Expr, int, bool, int]] = [(whole, 0, False, mentions_of(needs, 0))]
    seen: set[tuple[int, int, bool]] = set()
    while stack:
        node, inner, is_sized, mentions = stack.pop()
        if node.mentions & mentions != mentions or (primitives and not node.primitives & primitives):
            continue
        place = (id(node), inner, is_sized)
        if place in seen:
            continue
        seen.add(place)
        if choose(node) and not (is_sized and node.dep_loose):
            moved_out = outside(node, inner)
            if moved_out is not None:
                yield moved_out
        kind = type(node)
        if kind is App:
            fun, arg = node.children
            stack.append((arg, inner, is_sized, mentions))
            stack.append((fun, inner, is_sized, mentions))
        elif kind is Lam:
            stack.append((node.children[0], inner + 1, is_sized, mentions_of(needs, inner + 1)))
        elif node.children:
            stack.append((node.children[0], inner, is_sized or kind is DepLam, mentions))


def mentions_of(indices: tuple[int, ...], inner: int) -> int:
    """The bits of `mentions` for some variables, seen from below `inner` binders."""
    bits = 0
    for index in indices:
        bits |= mention(index + inner)
    return bits


def outside(node: Expr, inner: int) -> Expr | None:
    """The subterm as seen from outside of `inner` binders; None if it mentions one of them."""
    if inner and node.mentions & ((1 << inner) - 1):
        if not node.mentions & FAR_MENTIONS:
            return None
        lowest = _lowest_index(node)
        if lowest is not None and lowest < inner:
            return None
    return shift(node, -inner)


def _lowest_index(node: Expr) -> int | None:
    lowest: int | None = None
    stack: list[tuple[Expr, int]] = [(node, 0)]
    while stack:
        e, depth = stack.pop()
        if e.loose <= depth:
            continue
        if isinstance(e, Bound):
            index = e.index - depth
            lowest = index if lowest is None else min(lowest, index)
        elif isinstance(e, Lam):
            stack.append((e.body, depth + 1))
        else:
            stack.extend((child, depth) for child in e.children)
    return lowest


def occurs_outside(whole: Expr, index: int, found: tuple[Expr, ...]) -> bool:
    """Whether a variable occurs in a term outside of these subterms."""
    places = Subterms(found)
    stack: list[tuple[Expr, int, int]] = [(whole, 0, 0)]
    while stack:
        node, depth, dep_depth = stack.pop()
        if not node.mentions & mention(index + depth) or places.which(node, depth, dep_depth) is not None:
            continue
        if isinstance(node, Bound):
            if node.index == index + depth:
                return True
            continue
        inside, dep_inside = depth + isinstance(node, Lam), dep_depth + isinstance(node, DepLam)
        stack += [(child, inside, dep_inside) for child in node.children]
    return False


def as_function(bindings: Bindings, name: str) -> Expr:
    """The body of a context as a function of the terms in its holes."""
    return abstracted(bindings.term(f"{name}[]"), bindings.holes[f"{name}[]"])


def abstracted(body: Expr, found: tuple[Expr, ...]) -> Expr:
    """The body with every occurrence of each subterm replaced by a variable, as seen from below a function for each.

    The variable of the last subterm is the innermost.
    """
    count = len(found)
    variables = tuple(Bound(count - 1 - place, one.type) for place, one in enumerate(found))
    return refilled(body, found, variables, (), ("",) * count)
