"""Fingerprints, which identify terms in files and between processes. Independent of languages."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from hashlib import blake2b
from typing import Any, TypeAlias

from elevate.argument_checks import expected_term
from elevate.term import Term
from elevate.tracebacks import ends_at_the_users_line

Known: TypeAlias = dict[Any, bytes]
"""Digests of terms by term; share it between calls, so that only new subterms cost time."""

DIGEST_BYTES = 10


@ends_at_the_users_line
def fingerprint(term: Term, known: Known | None = None) -> str:
    """A text that depends only on the structure of a term, equal for equal terms.

    The terms of a language whose `root` does not determine a node must have a method `digest(known)`.
    """
    own_digest: Callable[[Known], bytes] | None = getattr(expected_term(term), "digest", None)
    digests = {} if known is None else known
    return (_digest(term, digests) if own_digest is None else own_digest(digests)).hex()


def _digest(term: Term, known: Known) -> bytes:
    """The digest of a term whose nodes are determined by root and children."""
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
        hashed = blake2b(label_bytes(node.root), digest_size=DIGEST_BYTES)
        for child in node.children:
            hashed.update(known[child])
        known[node] = hashed.digest()
    return known[term]


def label_bytes(label: Hashable) -> bytes:
    """A label of texts and numbers as bytes, distinct for distinct labels."""
    return repr(label).encode()
