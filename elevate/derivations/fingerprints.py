"""Fingerprints: what tells terms apart in files and between processes. Knows no language."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from hashlib import blake2b
from typing import Any, TypeAlias

from elevate.expected import expected_term
from elevate.term import Term

Known: TypeAlias = dict[Any, bytes]
"""The digests of terms met before; share one between calls, so that a term costs what is new in it."""

SIZE = 10
"""Bytes of a digest."""


def fingerprint(term: Term, known: Known | None = None) -> str:
    """A text that depends on the structure of a term and on nothing else, equal for equal terms.

    A language whose `root` does not say all of a node gives its terms a method `digest(known)`.
    """
    own: Callable[[Known], bytes] | None = getattr(expected_term(term), "digest", None)
    memo = {} if known is None else known
    return (_digest(term, memo) if own is None else own(memo)).hex()


def _digest(term: Term, known: Known) -> bytes:
    """The digest of a term whose root says all of a node but its children."""
    waiting = [term]
    while waiting:
        node = waiting[-1]
        if node in known:
            waiting.pop()
            continue
        missing = [child for child in node.children if child not in known]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        hashed = blake2b(written(node.root), digest_size=SIZE)
        for child in node.children:
            hashed.update(known[child])
        known[node] = hashed.digest()
    return known[term]


def written(label: Hashable) -> bytes:
    """A label of texts and numbers as bytes, different for different ones."""
    return repr(label).encode()
