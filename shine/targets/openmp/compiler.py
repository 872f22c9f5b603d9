"""The system's C compiler: which one, which flags it takes, and what it builds. Knows no programs.

Flags fix the arithmetic (`docs/semantics.md`): no contraction, wrapping integers, f16 rounded at each
operation. Others only make it fast, and are used where the compiler accepts them: `-march=native` alone makes
gcc prefer 256-bit vectors on processors with wider ones.
"""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, TypeVar

from rise.diagnostics import Diagnostic, RiseError
from shine.cache import body_of, digest, keep_text, use
from shine.programs import call, check_written, first_error

SEARCHED: Final = ("gcc", "cc", "clang")
REQUIRED: Final = ("-std=c11", "-O3", "-ffp-contract=off", "-fwrapv", "-shared", "-fPIC")
WANTED: Final = (
    "-fexcess-precision=16",
    "-ffloat16-excess-precision=none",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-semantic-interposition",
    "-Wno-psabi",
    "-Wno-unknown-pragmas",
)
THREADS: Final = "-fopenmp"
LANES: Final = "-fopenmp-simd"  # what is left of OpenMP without threads
WIDE_VECTORS: Final = "-mprefer-vector-width=512"
_PLAIN: Final = """int f(int n) {
  int s = 0;
  #pragma omp parallel for reduction(+:s)
  for (int i = 0; i < n; i++) s += i;
  return s;
}
"""
_HALF: Final = "_Float16 f(_Float16 a, _Float16 b) { return a * b; }\n"
_FORMAT: Final = "4"  # of what is known about a compiler, in the cache


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler, its flags, and what tells it and the processor from others.

    Without OpenMP (`has_threads` is false) parallel loops run on one thread.
    """

    path: str
    identity: str
    flags: tuple[str, ...]
    has_f16: bool
    has_threads: bool


def find_compiler(cc: str | None, arch: str | None, cache: Path) -> Compiler:
    """The compiler of this name or path, or the first that the system has; flags for the processor, or for
    `arch`.
    """
    path = _locate(cc)
    facts = Path(path).resolve().stat()
    identity = f"{path} {Path(path).resolve()} {facts.st_mtime_ns} {facts.st_size} {processor()}"
    known = cache / f"compiler-{digest(_FORMAT, identity, arch or '')}.json"

    def make(folder: Path) -> Path:
        found = _examine(path, identity, arch, folder)
        text = json.dumps({"flags": found.flags, "f16": found.has_f16, "threads": found.has_threads})
        made = folder / "compiler.json"
        made.write_text(text, encoding="utf-8")
        return made

    return use(known, make, partial(_read, path, identity))


def _read(path: str, identity: str, known: Path) -> Compiler:
    """What an entry knows of a compiler. Raises ValueError where it is none."""
    match json.loads(body_of(known)):
        case {"flags": [*flags], "f16": bool(has_f16), "threads": bool(has_threads)} if all(
            isinstance(flag, str) for flag in flags
        ):
            return Compiler(path, identity, tuple(flags), has_f16, has_threads)
    raise ValueError(f"{known} knows no compiler")


def _locate(cc: str | None) -> str:
    for name in (cc,) if cc else SEARCHED:
        path = shutil.which(name)
        if path:
            return path
    looked = f"`{cc}`" if cc else ", ".join(SEARCHED)
    raise RiseError(
        Diagnostic(
            "no-compiler",
            f"expected a C compiler to build for openmp, found none: looked for {looked}",
            hint="install gcc (on Debian: apt-get install gcc libc6-dev), or use target='interpret'",
        )
    )


@lru_cache(maxsize=1)
def processor() -> str:
    """What tells this kind of processor from others, since code is built for it."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            first = file.read(1 << 14).split("\n\n")[0]
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    kept = ("model name", "flags", "Features", "CPU part", "cpu family", "model\t")
    return "\n".join([platform.machine(), *(line for line in first.split("\n") if line.startswith(kept))])


def _examine(path: str, identity: str, arch: str | None, folder: Path) -> Compiler:
    """Try the flags: all at once, and one by one where that fails."""
    wrong = _try(path, [*REQUIRED], _PLAIN, folder)
    if wrong:
        raise RiseError(
            Diagnostic(
                "no-compiler",
                f"expected a C compiler, found `{path}`, which fails: {wrong}",
                hint="install gcc, or clang with libomp (on Debian: libomp-dev), and name it: cc='...'",
            )
        )
    has_threads = not _try(path, [*REQUIRED, THREADS], _PLAIN, folder)
    required = (*REQUIRED, THREADS) if has_threads else REQUIRED
    base = [*required, "-Werror"]
    machine = [f"-march={arch}"] if arch else ["-march=native"]
    if arch and (wrong := _try(path, [*base, *machine], _PLAIN, folder)):
        title = f"`{path}` does not take -march={arch}: {wrong}"
        raise RiseError(
            Diagnostic("unknown-arch", title, hint="leave `arch` out to build for this processor")
        )
    lanes = [] if has_threads else [LANES]
    wanted = [
        *machine,
        *WANTED,
        *lanes,
        *([WIDE_VECTORS] if "avx512f" in processor() and not arch else []),
    ]
    if _try(path, [*base, *wanted], _PLAIN, folder):
        wanted = [flag for flag in wanted if not _try(path, [*base, flag], _PLAIN, folder)]
    flags = (*required, *wanted)
    has_f16 = not _try(path, [*flags, "-Werror"], _HALF, folder)
    return Compiler(path, identity, flags, has_f16, has_threads)


def _try(path: str, flags: list[str], text: str, folder: Path) -> str:
    """What a compiler says against flags and a text; nothing if it takes them."""
    source = folder / "try.c"
    source.write_text(text, encoding="utf-8")
    made = folder / "try.so"
    made.unlink(missing_ok=True)
    ran = call([path, *flags, source, "-o", made], folder)
    if ran.status:
        return first_error(ran.stderr)
    return "" if made.is_file() else "it ends without an error, and writes nothing"


T = TypeVar("T")


def build(text: str, compiler: Compiler, cache: Path, load: Callable[[Path], T]) -> T:
    """What `load` makes of the shared library of a C source; built unless the cache has it.

    Raises RiseError where the compiler fails: that is a defect of ours, so the source is kept for the report.
    """
    if "_Float16" in text and not compiler.has_f16:
        title = f"the program computes with f16, and `{compiler.path}` has no 16-bit floating-point numbers"
        hint = "use gcc 12 or newer, clang 15 or newer, or f32"
        raise RiseError(Diagnostic("no-f16", title, hint=hint))
    name = digest(text, *compiler.flags, compiler.identity)

    def make(folder: Path) -> Path:
        source, made = folder / "kernel.c", folder / "kernel.so"
        source.write_text(text, encoding="utf-8")
        ran = call([compiler.path, *compiler.flags, source, "-o", made, "-lm"], folder)
        if ran.status != 0:
            kept = cache / f"{name}.c"
            keep_text(text, kept)
            title = f"expected `{compiler.path}` to build the generated C, found {first_error(ran.stderr)}"
            hint = f"this is a bug in rise-shine: please report it with {kept}"
            raise RiseError(Diagnostic("compiler-failed", title, hint=hint))
        return check_written(made, compiler.path)

    return use(cache / f"{name}.so", make, load)
