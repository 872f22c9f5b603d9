"""`shine.jax.call`: a kernel as a function for JAX transformations, through XLA's foreign function interface.

Shapes are known when JAX traces a function: sizes are solved and checked then, and are part of the traced program. When
it runs, XLA calls the kernel on its buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from rise.argument_checks import Termlike
from rise.arguments.leaves import Leaf
from rise.arguments.mismatches import (
    SCALAR_NAMES,
    found_text,
    given_number,
    is_python_number,
    mismatch,
    refuse,
)
from rise.records import dataclass
from rise.tracebacks import ends_at_the_users_line
from shine.front.operators import Operator, assembled, operator_of, placeholder, refuse_missing
from shine.kernel import Kernel

#: `jax.vmap` calls the kernel once for each element of a batch
VMAP_METHOD: Final = "sequential"


@dataclass(frozen=True, slots=True, weakref_slot=True)  # jitted functions are referred to weakly
class JaxCall:
    """A kernel that is registered with XLA as `name`. Call it with JAX arrays, also in functions that `jax.jit`
    compiles.
    """

    name: str
    kernel: Kernel
    _operator: Operator = field(repr=False)

    @ends_at_the_users_line
    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """The result for arrays and numbers. Raises RiseError for arguments that do not fit."""
        jax = _jax()
        operator = self._operator
        flat = operator.bound(arguments, named)
        values = [
            _value(jax, one.leaf, value)
            for one, value in zip(operator.operands, flat, strict=True)
            if one.leaf is not None
        ]
        shown = [placeholder(value.shape, value.dtype) for value in values]
        resolved = self.kernel.resolve(shown, operator.sizes(flat))
        results = [
            jax.ShapeDtypeStruct(shape, _held(jax, "the result", leaf))
            for shape, leaf in zip(resolved.outputs, operator.outputs, strict=True)
        ]
        ends = [-1 if end is None else end for end in resolved.ends]
        run = jax.ffi.ffi_call(self.name, results, vmap_method=VMAP_METHOD)
        found = run(*values, sizes=_numbers(resolved.sizes), ends=_numbers(ends))
        return assembled(operator.result, found)


@ends_at_the_users_line
def call(program: Termlike | Kernel, **options: Any) -> JaxCall:
    """Register a program, or a kernel for openmp, with XLA. The result takes and returns JAX arrays.

    It takes arrays where the kernel does, numbers or arrays without axes where it takes numbers, and tuples for pairs.
    `jax.jit` compiles functions that call it; `jax.vmap` calls the kernel for each element of a batch; it has no
    derivative unless `jax.custom_vjp` gives one. Options are those of `shine.compile`.

    Raises RiseError if JAX is not installed, for a kernel of another target, and for a program that takes or returns
    rows of different lengths, or takes indices that must be distinct.
    """
    jax = _jax()
    operator = operator_of(program, options)
    if operator.kernel.procedure.distinct:
        title = (
            "expected a program whose arguments XLA can check, found one that takes indices which must differ"
        )
        refuse("no-operator", title, "call the kernel itself, outside of `jax.jit`")
    name = f"shine_{operator.name}"
    if name not in _CALLS:
        handler = operator.kernel.handler_for_xla(name, Path(jax.ffi.include_dir()))
        jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(handler), platform="cpu")
        _CALLS[name] = JaxCall(name, operator.kernel, operator)
    return _CALLS[name]


#: what XLA knows in this process; the kernels live as long as XLA may call them
_CALLS: Final[dict[str, JaxCall]] = {}


def _jax() -> Any:
    """The module `jax`. Raises RiseError if it is not installed."""
    try:
        return import_module("jax")
    except ImportError as problem:
        refuse_missing("jax", problem)


def _value(jax: Any, leaf: Leaf, value: Any) -> Any:
    """An argument in the form that XLA takes: a JAX or numpy array of exactly the type."""
    dtype = _held(jax, f"`{leaf.parameter}`", leaf)
    if is_python_number(value) and not leaf.shape:
        return np.asarray(given_number(leaf.parameter, leaf.type, value, dtype))
    if not isinstance(value, jax.Array | np.ndarray | np.generic):
        mismatch(leaf.parameter, leaf.type, found_text(value), "pass a JAX array")
    if not isinstance(value.dtype, np.dtype):
        hint = f"pass an array of numbers, such as `jax.random.key_data({leaf.parameter})`"
        mismatch(leaf.parameter, leaf.type, f"a jax.Array of {value.dtype}", hint)
    if not all(isinstance(length, int) for length in value.shape):
        lengths = ", ".join(map(str, value.shape))
        hint = (
            "trace the function for known shapes: XLA calls the kernel with the sizes of the traced program"
        )
        mismatch(leaf.parameter, leaf.type, f"an array of symbolic lengths: {lengths}", hint)
    return value


def _held(jax: Any, what: str, leaf: Leaf) -> np.dtype[Any]:
    """The type of an array. Raises RiseError if JAX supports it only after configuration."""
    if jax.dtypes.canonicalize_dtype(leaf.dtype) != leaf.dtype:
        title = f"expected types that JAX supports, found {SCALAR_NAMES[leaf.dtype]} for {what}, which JAX truncates"
        refuse("argument-type", title, 'call `jax.config.update("jax_enable_x64", True)` first')
    return leaf.dtype


def _numbers(values: Sequence[int]) -> Any:
    """Numbers as an attribute of a call, which must not be empty."""
    return np.array([*values, 0], np.int64)
