"""Nodes that cache their hash: equal nodes have equal hashes, fields that `==` ignores do not count, and hashes are not
pickled.
"""

import pickle
from dataclasses import replace

from rise.naturals import const
from rise.types import ScalarType
from shine.imperative.nodes import Buffer
from shine.passes.gpu.effects import Effect

BUFFER = Buffer("xs", ScalarType("f32"), const(4), "Global", (0,))
EFFECT = Effect("read", BUFFER, const(0), 1, (), (), (), (0, 1))


def test_equal_nodes_have_equal_hashes() -> None:
    assert replace(BUFFER) == BUFFER and hash(replace(BUFFER)) == hash(BUFFER)
    assert hash(replace(BUFFER, name="ys")) != hash(BUFFER)


def test_fields_that_are_not_compared_are_not_hashed() -> None:
    other = replace(EFFECT, origin=(1,))
    assert other == EFFECT and hash(other) == hash(EFFECT)


def test_a_hash_is_not_pickled() -> None:
    """Hashes of strings differ between processes."""
    hash(BUFFER)
    assert not hasattr(pickle.loads(pickle.dumps(BUFFER)), "_hash")
