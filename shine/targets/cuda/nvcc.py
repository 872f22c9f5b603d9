"""nvcc, called as a program: CUDA C++ to machine code where the CUDA toolkit is installed. Knows no cache."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from shine.cache import scratch
from shine.programs import call, check_written
from shine.targets.cuda.messages import FILE
from shine.targets.cuda.toolchain import ASSEMBLER, OPTIONS, Outcome, Toolchain, facts

#: variables that name the CUDA toolkit's folder
ROOTS: Final = ("CUDA_HOME", "CUDA_PATH")


def find_program(name: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """A program of the CUDA toolkit: by path, on the search path, or below the folder that a variable names."""
    found = shutil.which(name, path=environment.get("PATH"))
    for root in ROOTS:
        if found is None and environment.get(root):
            found = shutil.which(str(Path(environment[root]) / "bin" / name))
    return Path(found) if found else None


def open_nvcc(path: Path) -> Toolchain:
    """nvcc as a compiler. Raises RiseError where it cannot be run."""
    said = _version(path)
    release = said.partition("release ")[2].partition(",")[0]
    return Toolchain(f"nvcc {release}".strip(), f"{facts(path)} {said}", partial(_compile, path))


@lru_cache(maxsize=8)
def _version(path: Path) -> str:
    return call([path, "--version"]).stdout


def _compile(path: Path, source: str, arch: str, kind: str) -> Outcome:
    form = "ptx" if kind == "ptx" else "cubin"
    with scratch() as folder:
        text, made = folder / FILE, folder / f"kernel.{form}"
        text.write_text(source, encoding="utf-8")
        told = [word for option in ASSEMBLER.get(kind, ()) for word in ("-Xptxas", option)]
        command = [str(path), f"-{form}", f"-arch={arch}", *OPTIONS, *told, str(text), "-o", str(made)]
        ran = call(command, folder)
        log = ran.stdout + ran.stderr
        # PTX is asked for when the assembler refuses it, and it is there then
        is_made = ran.status == 0 or (kind == "ptx" and made.is_file())
        return Outcome(check_written(made, str(path)).read_bytes() if is_made else None, log)
