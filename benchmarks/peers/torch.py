"""PyTorch: matrix products by MKL or oneDNN, everything else by its own kernels. No `torch.compile`."""

from __future__ import annotations

from functools import partial

import torch

from peers import Array, Peer, Run


def shared(array: Array) -> torch.Tensor:
    """A tensor that shares the memory of an array."""
    return torch.from_numpy(array)


def mm(a: Array, b: Array) -> Run:
    """A run that writes to an existing tensor."""
    left, right = shared(a), shared(b)
    return partial(torch.mm, left, right, out=left.new_empty((len(a), b.shape[1])))


def einsum(spec: str, a: Array, b: Array, out: Array) -> Run:
    """A run that copies the result to an existing tensor, in the order of its axes; there is no other way."""
    left, right, result = shared(a), shared(b), shared(out)
    return lambda: result.copy_(torch.einsum(spec, left, right))


def softmax(rows: Array) -> Run:
    """A run that writes to an existing tensor."""
    read = shared(rows)
    return partial(torch.softmax, read, 1, out=torch.empty_like(read))


def layer_norm(scale: Array, shift: Array, rows: Array) -> Run:
    """A run that returns a new tensor; there is no other way."""
    read, factor, offset = shared(rows), shared(scale), shared(shift)
    return partial(torch.layer_norm, read, (rows.shape[1],), factor, offset, 1e-5)


def peer(threads: int) -> Peer:
    """PyTorch, with its threads set by `set_num_threads`."""
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    kernels = {
        "mm": mm,
        "einsum": einsum,
        "softmax": softmax,
        "layer_norm": layer_norm,
        "dot": lambda xs, ys: partial(torch.dot, shared(xs), shared(ys)),
        "sum": lambda xs: partial(torch.sum, shared(xs)),
        "max": lambda xs: partial(torch.max, shared(xs)),
    }
    return Peer("torch", torch.__version__, "torch.set_num_threads", kernels)
