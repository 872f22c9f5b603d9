"""Builds the extension module for repeated calls (`runtime/calls.c`), and prints the function that it calls.

A call through ctypes takes 10 to 20 microseconds, which is longer than many kernels run; a call through the module
takes 1.5 to 4 (decision 0032). The module is built once for each combination of Python, numpy and compiler, and needs
Python's headers. Without them, or if the build fails, all calls go through ctypes.
"""

from __future__ import annotations

import ctypes
import sysconfig
from collections.abc import Callable, Sequence, Set
from functools import lru_cache
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from rise.diagnostics import RiseError
from rise.scalars import SCALARS, is_complex
from shine.cache import digest, use
from shine.calling.repeated_calls import CallDescription, Calls
from shine.programs import call, check_written
from shine.targets.openmp.compiler import Compiler
from shine.targets.openmp.threads import AWAKE_NANOSECONDS, SETTLED_NANOSECONDS

NAME: Final = "shine_calls"
SOURCE: Final = Path(__file__).parent / "runtime" / "calls.c"
#: the function of a kernel's library that takes an array of sizes, and one of addresses of numbers and arrays
PACKED: Final = "shine_packed"
FLAGS: Final = ("-std=gnu11", "-O2", "-shared", "-fPIC")
_C_TYPES: Final = {
    "bool": "bool",
    "f8e4m3": "uint8_t",
    "f8e5m2": "uint8_t",
    "f16": "uint16_t",
    "bf16": "uint16_t",
    "f32": "float",
    "f64": "double",
    **{name: name for name in SCALARS if is_complex(name)},
}


def packed_text(symbol: str, sizes: int, numbers: Sequence[str | None]) -> str:
    """The C text of `PACKED` for the kernel `symbol`; `numbers` has the scalar types of arguments passed by value. The
    kernel is not inlined into it, so that its loops are compiled only once. Parameters have the prefix of names that no
    kernel has.
    """
    arguments = [f"shine_sizes[{position}]" for position in range(sizes)]
    for position, number in enumerate(numbers):
        passed = f"shine_passed[{position}]"
        c_type = None if number is None else _C_TYPES.get(number) or _integer(number)
        arguments.append(f"*(const {c_type} *){passed}" if c_type else passed)
    return (
        f"\n__typeof__({symbol}) {symbol} __attribute__((noinline));\n"
        f"int {PACKED}(const int64_t *shine_sizes, void *const *shine_passed) {{\n"
        f"  return {symbol}({', '.join(arguments)});\n"
        "}\n"
    )


def repeated_calls(
    description: CallDescription,
    compiler: Compiler,
    cache: Path,
    library: Any,
    wake: Callable[[], None] | None,
    shares: Callable[..., int] | None,
    deserted: Set[int],
    failed: Callable[[tuple[int, ...], int], None],
) -> Calls | None:
    """The repeated calls of a loaded kernel. `wake` wakes the threads if the kernel `shares` its work; `failed` raises
    the error of a call with these sizes and this status. None if there is no module, or if the kernel has more arrays
    than the module supports.
    """
    module = _module(compiler, cache)
    if module is None:
        return None
    updates = {update.output: update for update in description.updates}
    inputs = tuple((leaf.dtype, len(leaf.shape), not leaf.shape, -1, False) for leaf in description.inputs)
    outputs = tuple(
        (leaf.dtype, len(leaf.shape), False, update.input, update.in_place)
        if (update := updates.get(place))
        else (leaf.dtype, len(leaf.shape), False, -1, False)
        for place, leaf in enumerate(description.outputs)
    )
    # only a kernel that changes inputs in place cannot run again
    reported = failed if any(update.in_place for update in description.updates) else None
    addresses = [
        0 if function is None else _address(function) for function in (library[PACKED], wake, shares)
    ]
    try:
        calls: Calls = module.Calls(
            *addresses, deserted, reported, description.sizes, inputs, outputs, description.tree, library
        )
    except ValueError:
        return None
    return calls


def missing_headers() -> str | None:
    """The directory in which Python's headers should be, if they are missing."""
    folder = Path(sysconfig.get_path("include"))
    return None if (folder / "Python.h").is_file() else str(folder)


@lru_cache(maxsize=8)
def _module(compiler: Compiler, cache: Path) -> ModuleType | None:
    """The extension module; None if it cannot be built. Its functions hold the GIL."""
    if missing_headers() is not None or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return None
    text = SOURCE.read_text(encoding="utf-8")
    constants = (f"-DAWAKE={AWAKE_NANOSECONDS}", f"-DSETTLED={SETTLED_NANOSECONDS}")
    headers = (f"-I{sysconfig.get_path('include')}", f"-I{np.get_include()}")
    abi = str(sysconfig.get_config_var("SOABI"))
    key = digest(text, *FLAGS, *constants, *headers, np.__version__, abi, compiler.identity)
    entry = cache / f"{key}.module"

    def make(folder: Path) -> Path:
        source, library = folder / "calls.c", folder / "calls.so"
        source.write_text(text, encoding="utf-8")
        call([compiler.path, *FLAGS, *constants, *headers, source, "-o", library], folder)
        return check_written(library, compiler.path)

    try:
        return use(entry, make, _loaded)
    except (RiseError, ImportError):
        return None


def _loaded(file: Path) -> ModuleType:
    loader = ExtensionFileLoader(NAME, str(file))
    spec = spec_from_loader(NAME, loader)
    assert spec is not None, "a loader was given"
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def _address(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None, "a function has an address"
    return address


def _integer(number: str) -> str:
    """The C type of an integer type: `int8_t` for i8, `uint8_t` for u8."""
    return f"{'u' if number.startswith('u') else ''}int{number[1:]}_t"
