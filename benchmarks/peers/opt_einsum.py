"""opt_einsum: contractions as matrix products by numpy, in a good order."""

from __future__ import annotations

from functools import partial

import opt_einsum

from peers import Array, Peer, Run


def einsum(spec: str, a: Array, b: Array, out: Array) -> Run:
    """A run that writes to an existing array."""
    return partial(opt_einsum.contract, spec, a, b, out=out)


def peer(threads: int) -> Peer:
    """opt_einsum on arrays of numpy, with numpy's number of threads."""
    return Peer("opt_einsum", opt_einsum.__version__, "as numpy", {"einsum": einsum})
