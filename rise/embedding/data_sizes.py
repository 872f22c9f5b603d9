"""Sizes that data determine: the body of `indexAsNat`, in which an index of the program is a size.

Note [Data sizes] The term of the body is a function of the size. A value that is computed while the body is open is
bound in the innermost scope that its operands need, which may be outside of the body. Views such as `take(n, x)`
mention the size in their syntax only, so their bindings are moved into the body once it is complete.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, count

from rise.dsl.printer import Function, Syntax, TypeNode, TypeText, Variable
from rise.embedding.sharing import Binding, close, occurrences, parts_of
from rise.embedding.trace import Part, Scope, apply, computed
from rise.naturals import Nat, NatVar, nat
from rise.types import IndexType, Type


class UnknownSizeError(Exception):
    """Raised if a call would have to check a fact about a size that is only known inside of the program."""


def with_size(name: str, index: Part, t: Type, body: Callable[[Nat], Part]) -> Part:
    """The body's value, of a type that does not depend on the size, for an index as a size. Raises UnknownSizeError if
    the body needs a fact about the size that does not follow from the index's type.
    """
    assert isinstance(index.type, IndexType), index.type
    trace = index.trace
    taken = {*trace.sizes, *(atom.name for atom in trace.loops), *trace.data_sizes}
    found = next(
        each for each in chain([name], (f"{name}{number}" for number in count(1))) if each not in taken
    )
    size = NatVar(found, index.type.size)
    scope = Scope(trace, len(trace.scopes))
    counts, facts = [len(each.bindings) for each in trace.scopes], len(trace.facts)
    trace.scopes.append(scope)
    trace.data_sizes.append(found)
    try:
        result = body(nat(size))
    finally:
        trace.scopes.pop()
        trace.data_sizes.pop()
        for number in [number for number in trace.counts if size in number[0].free]:
            del trace.counts[number]
    if any(size in one.free for pair in list(trace.facts)[facts:] for one in pair):
        raise UnknownSizeError
    trace.sized.append(None)
    scope.bindings[:0] = _depending(size, scope, counts)
    closed = close(scope.bindings, result.syntax)
    outside = tuple(
        (variable, is_below)
        for variable, is_below in occurrences(closed)
        if id(variable) in trace.known and trace.known[id(variable)].scope.depth < scope.depth
    )
    function = Function(((Variable(found), TypeText("nat")),), closed, outside=outside)
    operands = [Part(t, variable, trace.known[id(variable)].scope) for variable, _ in outside]
    return computed(t, apply("indexAsNat", index.syntax, function), index, *operands)


def _depending(size: NatVar, scope: Scope, counts: list[int]) -> list[Binding]:
    """The bindings that were added to the enclosing scopes and mention a size, or a variable that does, which are moved
    into the scope in which the size is known.
    """
    moved: list[Binding] = []
    variables: set[int] = set()
    trace = scope.trace
    for outer, before in zip(trace.scopes, counts, strict=True):
        kept = outer.bindings[:before]
        for binding in outer.bindings[before:]:
            if _mentions(binding.syntax, size, variables):
                variables.add(id(binding.variable))
                moved.append(binding)
                key = id(binding.variable)
                trace.known[key] = trace.known[key]._replace(scope=scope)
            else:
                kept.append(binding)
        outer.bindings[:] = kept
    return moved


def _mentions(root: Syntax, size: NatVar, variables: set[int]) -> bool:
    work = [root]
    while work:
        syntax = work.pop()
        if id(syntax) in variables or (isinstance(syntax, TypeNode) and size in syntax.node.free):
            return True
        if isinstance(syntax, Function):
            work += [annotation for _, annotation in syntax.parameters if annotation is not None]
        work += parts_of(syntax)
    return False
