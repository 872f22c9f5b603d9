"""Inlines definitions where they are named, at arguments for their heads, and closes terms. Independent of drafts.

A definition that uses another one contains it. So the definitions of a text share most of their nodes, and the rebuilt
nodes are cached for all of them: a chain of definitions costs as much as its links.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rise.dependent_binders import abstract_all, abstraction, instantiate_all
from rise.inference.effort import COST_PER_NODE, Effort
from rise.inference.wide_types import at_wide, is_wide
from rise.node_predicates import Everywhere
from rise.nodes import Node, postorder
from rise.terms import DepApp, DepLam, Expr, Literal, shift
from rise.types import IndexType, TypeVar, WideType


class Instances:
    """The nodes rebuilt so far for one text, cached by identity; it keeps both originals and results alive."""

    __slots__ = ("_done", "_has_no_sums", "_kept_alive", "checked", "effort", "has_known_indices")

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        #: nodes whose sizes were checked to be natural, by their identity
        self.checked: dict[int, Node] = {}
        self._done: dict[tuple[Any, ...], dict[Any, Any]] = {}
        self._has_no_sums = Everywhere(lambda node: not isinstance(node, WideType))
        #: whether no index literal in a term depends on a size that is bound outside of the term
        self.has_known_indices = Everywhere(
            lambda node: (
                not (isinstance(node, Literal) and node.dep_loose and isinstance(node.given, IndexType))
            )
        )
        self._kept_alive: list[Any] = []

    def at(self, e: Expr, arguments: Sequence[Any]) -> Expr:
        """A definition at arguments for its head. If it is not itself a function, such as
        `val f = g` for an open `g`, it is applied to them.
        """
        body, taken = e, 0
        while taken < len(arguments) and isinstance(body, DepLam):
            body, taken = body.body, taken + 1
        term = self._opened(e, body, tuple(arguments[:taken]))
        for argument in arguments[taken:]:
            term = self.at(term, (argument,)) if isinstance(term, DepLam) else DepApp(term, argument)
        return term  # type: ignore[no-any-return]  # a term stays one

    def _opened(self, e: Expr, body: Expr, given: tuple[Any, ...]) -> Any:
        """The body below a definition's leading binders, at arguments for these."""
        if any(map(is_wide, given)) and not self._has_no_sums(body):
            opened: list[Any] = []
            for position, argument in enumerate(given):
                assert isinstance(e, DepLam)
                opened.append(TypeVar(f"%{position}", e.kind) if is_wide(argument) else argument)
                e = e.body
            variables = tuple(new for new, old in zip(opened, given, strict=True) if new is not old)
            body = self._rebuilt(instantiate_all, body, tuple(opened))
            (body,) = self.closed(variables, self._rebuilt(at_wide, body, variables))
            given = tuple(old for new, old in zip(opened, given, strict=True) if new is not old)
        return self._rebuilt(instantiate_all, body, given)

    def closed(self, variables: Sequence[Node], *nodes: Any) -> list[Any]:
        """Nodes with the variables of dependent binders replaced by indices, the last as the innermost."""
        if not variables or not nodes:
            return list(nodes)
        given = tuple(variables)
        done = self._done.setdefault((abstract_all, *map(id, given)), {})
        before = len(done)
        self._kept_alive += (nodes, given)
        abstract = abstraction(given)
        closed = [abstract(node, done) for node in nodes]
        self.effort.spend(COST_PER_NODE * (len(done) - before))
        return closed

    def moved(self, e: Expr, by: int) -> Expr:
        """A term moved inside `by` more functions."""
        shifted = shift(e, by)
        if shifted is not e:
            self.effort.spend(COST_PER_NODE * sum(1 for _ in postorder(shifted)))
        return shifted

    def _rebuilt(self, rebuild: Any, node: Any, given: tuple[Any, ...]) -> Any:
        if not given:
            return node
        done = self._done.setdefault((rebuild, *map(id, given)), {})
        before = len(done)
        self._kept_alive += (node, given)
        rebuilt = rebuild(node, given, done)
        self.effort.spend(COST_PER_NODE * (len(done) - before))
        return rebuilt
