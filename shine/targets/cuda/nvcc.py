"""Calls nvcc to compile CUDA C++ where the CUDA toolkit is installed. Independent of caches."""

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

#: environment variables with the CUDA toolkit's folder
ROOTS: Final = ("CUDA_HOME", "CUDA_PATH")


def find_program(name: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """A program of the CUDA toolkit: by path, on PATH, or below the folder that an environment variable names."""
    path = shutil.which(name, path=environment.get("PATH"))
    for root in ROOTS:
        if path is None and environment.get(root):
            path = shutil.which(str(Path(environment[root]) / "bin" / name))
    return Path(path) if path else None


def open_nvcc(path: Path) -> Toolchain:
    """nvcc as a toolchain. Raises RiseError if it cannot be run."""
    version = _version(path)
    release = version.partition("release ")[2].partition(",")[0]
    return Toolchain(f"nvcc {release}".strip(), f"{facts(path)} {version}", partial(_compile, path))


@lru_cache(maxsize=8)
def _version(path: Path) -> str:
    return call([path, "--version"]).stdout


def _compile(path: Path, source: str, arch: str, kind: str) -> Outcome:
    form = "ptx" if kind == "ptx" else "cubin"
    with scratch() as folder:
        text, output = folder / FILE, folder / f"kernel.{form}"
        text.write_text(source, encoding="utf-8")
        assembler_options = [word for option in ASSEMBLER.get(kind, ()) for word in ("-Xptxas", option)]
        command = [
            str(path),
            f"-{form}",
            f"-arch={arch}",
            *OPTIONS,
            *assembler_options,
            str(text),
            "-o",
            str(output),
        ]
        ran = call(command, folder)
        log = ran.stdout + ran.stderr
        # PTX is requested when the assembler has rejected it; nvcc has written it then
        has_output = ran.status == 0 or (kind == "ptx" and output.is_file())
        return Outcome(check_written(output, str(path)).read_bytes() if has_output else None, log)
