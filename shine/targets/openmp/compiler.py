"""Finds the system's C compiler and the flags that it accepts, and builds libraries with it. Independent of programs.

Some flags fix the arithmetic (`docs/semantics.md`): no contraction, wrapping integers, f16 rounded at each operation.
Others only make programs faster, and are used if the compiler accepts them; for example, with only `-march=native`, gcc
prefers 256-bit vectors on processors with wider ones.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, TypeVar

from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from shine.cache import body_of, digest, keep_text, use
from shine.programs import Completed, call, check_written, first_error

COMPILER_NAMES: Final = ("gcc", "cc", "clang")
_LIBRARY_FLAG: Final = "-shared"
REQUIRED_FLAGS: Final = ("-std=c11", "-O3", "-ffp-contract=off", "-fwrapv", _LIBRARY_FLAG, "-fPIC")
OPTIONAL_FLAGS: Final = (
    "-fexcess-precision=16",
    "-ffloat16-excess-precision=none",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-semantic-interposition",
    "-Wno-psabi",
    "-Wno-unknown-pragmas",
)
THREADS_FLAG: Final = "-fopenmp"
SIMD_FLAG: Final = "-fopenmp-simd"  # OpenMP without threads
WIDE_VECTORS_FLAG: Final = "-mprefer-vector-width=512"
_PARALLEL_SUM: Final = """int sum(int n) {
  int s = 0;
  #pragma omp parallel for reduction(+:s)
  for (int i = 0; i < n; i++) s += i;
  return s;
}
"""
_HALF_PRODUCT: Final = "_Float16 multiply(_Float16 a, _Float16 b) { return a * b; }\n"
_ROTATION: Final = """void rotate(long n, const double *restrict x, double *restrict y, double c, double s) {
  for (long i = 0; i < n; i++) {
    y[2 * i] = x[2 * i] * c - x[2 * i + 1] * s;
    y[2 * i + 1] = x[2 * i] * s + x[2 * i + 1] * c;
  }
}
"""
_ASSEMBLY_FLAG: Final = "-save-temps=obj"  # keeps the assembly beside the library
#: instructions that round once: a product and a sum in some lanes, and a difference in others; products of complex f16
_CONTRACTED: Final = re.compile(rb"\bvf(m(addsub|subadd)[0-9]+p[hsd]|c?m(ul|add)c[ps]h)\b")
#: the processor that gcc optimises for, among the options that it lists
_TUNING: Final = re.compile(r"^\s*-mtune=\s+(\S+)$", re.MULTILINE)
_FORMAT: Final = "6"  # of the cache's entries: compilers, and what they built


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler, its flags, and a text that identifies it and the processor.

    Without OpenMP (`has_threads` is false), parallel loops run on one thread. A compiler that `contracts` fuses
    alternating sums and differences of products into instructions that round once, in spite of its flags.
    """

    path: str
    identity: str
    flags: tuple[str, ...]
    has_f16: bool
    has_threads: bool
    contracts: bool = False


def find_compiler(cc: str | None, arch: str | None, cache: Path) -> Compiler:
    """The compiler of this name or path, or the first on PATH, with flags for this processor, or for `arch`.

    Raises RiseError if there is none, and for an `arch` that it does not accept.
    """
    path = _locate(cc)
    status = Path(path).resolve().stat()
    identity = f"{path} {Path(path).resolve()} {status.st_mtime_ns} {status.st_size} {processor()}"
    entry = cache / f"compiler-{digest(_FORMAT, identity, arch or '')}.json"

    def make(folder: Path) -> Path:
        examined = _examine(path, identity, arch, folder)
        found = {
            "flags": examined.flags,
            "f16": examined.has_f16,
            "threads": examined.has_threads,
            "contracts": examined.contracts,
        }
        text = json.dumps(found)
        file = folder / "compiler.json"
        file.write_text(text, encoding="utf-8")
        return file

    return use(entry, make, partial(_read, path, identity))


@lru_cache(maxsize=16)
def description(compiler: Compiler) -> str:
    """The name and the major version of a compiler, by the macros that it defines, and for gcc the processor that it
    optimises for: `clang 16`, `gcc 12 for znver3`. Empty for other compilers.
    """
    macros = dict(
        line.split(" ", 2)[1:]
        for line in call([compiler.path, "-dM", "-E", "-x", "c", os.devnull]).stdout.splitlines()
        if line.startswith(("#define __GNUC__ ", "#define __clang_major__ "))
    )
    if "__clang_major__" in macros:
        return f"clang {macros['__clang_major__']}"
    if "__GNUC__" not in macros:
        return ""
    chosen = [flag for flag in compiler.flags if flag.startswith(("-march=", "-mtune="))]
    found = _TUNING.search(call([compiler.path, *chosen, "-Q", "--help=target"]).stdout)
    return f"gcc {macros['__GNUC__']}" + (f" for {found[1]}" if found else "")


def _read(path: str, identity: str, entry: Path) -> Compiler:
    """A compiler from an entry of the cache. Raises ValueError if that is malformed."""
    match json.loads(body_of(entry)):
        case {
            "flags": [*flags],
            "f16": bool(has_f16),
            "threads": bool(has_threads),
            "contracts": bool(contracts),
        } if all(isinstance(flag, str) for flag in flags):
            return Compiler(path, identity, tuple(flags), has_f16, has_threads, contracts)
    raise ValueError(f"{entry} does not describe a compiler")


def _locate(cc: str | None) -> str:
    for name in (cc,) if cc else COMPILER_NAMES:
        path = shutil.which(name)
        if path:
            return path
    names_text = f"`{cc}`" if cc else ", ".join(COMPILER_NAMES)
    raise RiseError(
        Diagnostic(
            "no-compiler",
            f"expected a C compiler to build for openmp, found none: looked for {names_text}",
            hint="install gcc (on Debian: apt-get install gcc libc6-dev), or use target='interpret'",
        )
    )


@lru_cache(maxsize=1)
def processor() -> str:
    """A text that identifies the model of this processor, since code is built for it."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            first = file.read(1 << 14).split("\n\n")[0]
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    prefixes = ("model name", "flags", "Features", "CPU part", "cpu family", "model\t")
    return "\n".join([platform.machine(), *(line for line in first.split("\n") if line.startswith(prefixes))])


def _examine(path: str, identity: str, arch: str | None, folder: Path) -> Compiler:
    """Try all flags at once, on a text that needs everything; if it is rejected, find out what is missing."""
    machine = [f"-march={arch}"] if arch else []
    optional = [*([] if arch else ["-march=native"]), *OPTIONAL_FLAGS]
    wide = [WIDE_VECTORS_FLAG] if "avx512f" in processor() and not arch else []
    required = (*REQUIRED_FLAGS, THREADS_FLAG, *machine)
    text = _PARALLEL_SUM + _HALF_PRODUCT + _ROTATION
    accepted = _all_but_unknown(
        path, [*required, "-Werror", _ASSEMBLY_FLAG], [*optional, *wide], text, folder
    )
    if accepted is not None:
        return Compiler(path, identity, (*required, *accepted), True, True, _is_contracted(folder))
    problem = _try(path, [*REQUIRED_FLAGS], _PARALLEL_SUM, folder)
    if problem:
        raise RiseError(
            Diagnostic(
                "no-compiler",
                f"expected a C compiler, found `{path}`, which fails: {problem}",
                hint="install gcc, or clang with libomp (on Debian: libomp-dev), and choose it: cc='...'",
            )
        )
    has_threads = not _try(path, [*REQUIRED_FLAGS, THREADS_FLAG], _PARALLEL_SUM, folder)
    required = (*REQUIRED_FLAGS, *([THREADS_FLAG] if has_threads else []), *machine)
    if arch and (problem := _try(path, [*required, "-Werror"], _PARALLEL_SUM, folder)):
        title = f"`{path}` does not accept -march={arch}: {problem}"
        is_gpu = arch.startswith(("sm_", "compute_"))
        hint = "that is a GPU: use target='cuda'" if is_gpu else "omit `arch` to build for this processor"
        raise RiseError(Diagnostic("unknown-arch", title, hint=hint))
    simd = [] if has_threads else [SIMD_FLAG]
    flags = (*required, *_accepted(path, [*required, "-Werror"], [*optional, *simd, *wide], folder))
    has_f16 = not _try(path, [*flags, "-Werror"], _HALF_PRODUCT, folder)
    contracts = not _try(path, [*flags, _ASSEMBLY_FLAG], _ROTATION, folder) and _is_contracted(folder)
    return Compiler(path, identity, flags, has_f16, has_threads, contracts)


def _accepted(path: str, base: list[str], optional: list[str], folder: Path) -> list[str]:
    """The flags that the compiler accepts: all but those that its messages name, or else those it accepts alone."""
    found = _all_but_unknown(path, base, optional, _PARALLEL_SUM, folder)
    if found is None:
        return [flag for flag in optional if not _try(path, [*base, flag], _PARALLEL_SUM, folder)]
    return found


def _all_but_unknown(
    path: str, base: list[str], optional: list[str], text: str, folder: Path
) -> list[str] | None:
    """All flags but those that the compiler's messages name; None if it rejects the text for another reason."""
    left = optional
    while problem := _try(path, [*base, *left], text, folder):
        named = [flag for flag in left if f"'{flag}'" in problem]
        if not named:
            return None
        left = [flag for flag in left if flag not in named]
    return left


def _is_contracted(folder: Path) -> bool:
    """Whether the assembly in a folder contains fused multiply-adds, which only `fma` may compile to."""
    return any(_CONTRACTED.search(path.read_bytes()) for path in folder.glob("*.s"))


def _try(path: str, flags: list[str], text: str, folder: Path) -> str:
    """The compiler's error for flags and a text; empty if it accepts them."""
    source = folder / "try.c"
    source.write_text(text, encoding="utf-8")
    library = folder / "try.so"
    library.unlink(missing_ok=True)
    ran = call([path, *flags, source, "-o", library], folder)
    if ran.status:
        return first_error(ran.stderr)
    return "" if library.is_file() else "it exits successfully but writes nothing"


T = TypeVar("T")


def _flags_around_bugs(text: str, error: str) -> Iterator[str]:
    """Flags that may allow a compiler to build a text on which it failed because of a compiler bug.

    For processors with AVX512-FP16, gcc 12 stores some selections with an instruction that does not exist, which the
    assembler rejects. Without AVX512-FP16, operations round in the same way, from f32. Also, gcc's vectorizer crashes
    on some texts.
    """
    if "_Float16" in text:
        yield "-mno-avx512fp16"
    if "internal compiler error" in error:
        yield "-fno-tree-vectorize"


def _flags_that_keep_rounding(text: str) -> tuple[str, ...]:
    """Flags with which gcc 12.2 rounds an f64 that is converted to f32 and back. By default, its SLP vectorizer drops
    both conversions of two such numbers.
    """
    return ("-fno-tree-slp-vectorize",) if "(float)" in text and "(double)" in text else ()


def _flags_against_contraction(text: str) -> Iterator[tuple[str, ...]]:
    """Flags with which gcc 12.2 does not contract. Its vectorizer fuses alternating sums and differences of products
    into one instruction in spite of `-ffp-contract=off`. The flags are in the order of their cost; the last one always
    works.
    """
    yield ("-fno-tree-slp-vectorize",)
    if "fma" not in text:
        yield ("-mno-fma", "-mno-avx512f")
    yield ("-fno-tree-vectorize",)


def build(text: str, compiler: Compiler, cache: Path, load: Callable[[Path], T]) -> T:
    """The result of `load` for the shared library of a C source, which is built unless the cache has it.

    Raises RiseError if the compiler fails. That is a bug in rise-shine, so the source is kept for the report.
    """
    if "_Float16" in text and not compiler.has_f16:
        title = f"the program computes with f16, but `{compiler.path}` has no 16-bit floating-point numbers"
        hint = "use gcc 12 or newer, clang 15 or newer, or f32"
        raise RiseError(Diagnostic("no-f16", title, hint=hint))
    name = digest(_FORMAT, text, *compiler.flags, compiler.identity)

    def make(folder: Path) -> Path:
        source, library = folder / "kernel.c", folder / "kernel.so"
        source.write_text(text, encoding="utf-8")
        flags = (*compiler.flags, *_flags_that_keep_rounding(text))
        ran = _compiled(compiler, flags, source, library)
        if ran.status:
            around = _flags_around_bugs(text, ran.stderr)
            found = next(
                (flag for flag in around if not _compiled(compiler, (*flags, flag), source, library).status),
                None,
            )
            if found is None:
                kept_source = cache / f"{name}.c"
                keep_text(text, kept_source)
                title = (
                    f"expected `{compiler.path}` to build the generated C, found {first_error(ran.stderr)}"
                )
                hint = f"this is a bug in rise-shine: please report it with {kept_source}"
                raise RiseError(Diagnostic("compiler-failed", title, hint=hint))
            flags = (*flags, found)
        if compiler.contracts and _is_contracted(folder):
            for against in _flags_against_contraction(text):
                ran = _compiled(compiler, (*flags, *against), source, library)
                if not ran.status and not _is_contracted(folder):
                    break
        return check_written(library, compiler.path)

    return use(cache / f"{name}.so", make, load)


def _compiled(compiler: Compiler, flags: Sequence[str], source: Path, library: Path) -> Completed:
    """Compile a C source and link it, in its folder. The assembly of a compiler that contracts is kept beside it, which
    takes a second run of the compiler: with the flag that keeps it in one run, gcc preprocesses in a process of its
    own, which takes longer.
    """
    linked = source
    if compiler.contracts:
        linked = source.with_suffix(".s")
        compile_only = [flag for flag in flags if flag != _LIBRARY_FLAG]
        ran = call([compiler.path, *compile_only, "-S", source, "-o", linked], source.parent)
        if ran.status:
            return ran
    return call([compiler.path, *flags, linked, "-o", library, "-lm"], source.parent)
