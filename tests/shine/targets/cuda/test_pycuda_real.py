"""PyCUDA itself, on a library that replaces NVIDIA's driver: its own packing, streams, events, clean-up and errors.

Skipped if PyCUDA or a C++ compiler is absent.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shine.targets.cuda.loader import CONTEXT_LOST
from tests import required_tools

HERE = Path(__file__).parent
pytestmark = [
    required_tools.needs(required_tools.PYCUDA, required_tools.has_module("pycuda")),
    *(required_tools.needs(one, shutil.which(one) is not None) for one in ("g++", "nm")),
]


@dataclass(frozen=True)
class Session:
    """The output of the program, the calls of the driver, and the warnings."""

    found: dict[str, Any]
    log: list[str]
    errors: str


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Build the library, and run the program on it."""
    folder = tmp_path_factory.mktemp("libcuda")
    library = folder / "libcuda.so.1"
    flags = ("-O1", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1")
    subprocess.run(["g++", *flags, str(HERE / "fake_libcuda.cpp"), "-o", str(library)], check=True)
    rest = folder / "rest.c"
    rest.write_text("".join(f"int {name}(void) {{ return 801; }}\n" for name in missing(library)))
    build = [
        "g++",
        *flags,
        "-x",
        "c++",
        str(HERE / "fake_libcuda.cpp"),
        "-x",
        "c",
        str(rest),
        "-o",
        str(library),
    ]
    subprocess.run(build, check=True)
    log = folder / "log"
    search = ":".join(filter(None, (str(folder), os.environ.get("LD_LIBRARY_PATH"))))
    environment = os.environ | {"LD_LIBRARY_PATH": search, "FAKE_CUDA_LOG": str(log)}
    command = [sys.executable, str(HERE / "pycuda_session.py")]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return Session(json.loads(ran.stdout), log.read_text().splitlines(), ran.stderr)


def missing(library: Path) -> list[str]:
    """The functions that PyCUDA's extension calls and our library lacks."""
    spec = importlib.util.find_spec("pycuda")
    assert spec is not None and spec.submodule_search_locations
    (extension,) = Path(spec.submodule_search_locations[0]).glob("_driver*.so")
    wanted = symbols("--undefined-only", extension)
    return sorted(one for one in wanted - symbols("--defined-only", library) if one.startswith("cu"))


def symbols(which: str, library: Path) -> set[str]:
    ran = subprocess.run(["nm", "-D", which, str(library)], capture_output=True, text=True, check=True)
    return {line.split()[-1].partition("@")[0] for line in ran.stdout.splitlines() if line.strip()}


def launches(session: Session) -> list[list[str]]:
    return [line.split() for line in session.log if line.startswith("launch axpy")]


def test_the_device_is_known(session: Session) -> None:
    assert session.found["name"] == "Fake 9000" and session.found["capability"] == [9, 0]


def test_results_are_correct_on_every_stream(session: Session) -> None:
    assert [session.found[one] for one in ("host", "stream", "pycuda stream")] == [True, True, True]
    streams = [int(line[9]) for line in launches(session)]
    assert streams[0] == 0 and streams[-1] == session.found["handle"]
    assert streams[1] not in (0, 0x7F00, session.found["handle"])


def test_arrays_of_pycuda_are_used_without_a_copy(session: Session) -> None:
    assert session.found["array"] == ["DeviceArray", True]


def test_the_arguments_are_the_bytes_that_cuda_reads(session: Session) -> None:
    first = launches(session)[0]
    assert first[:9] == ["launch", "axpy", "3", "1", "1", "128", "1", "1", "50000"]
    packed = bytes.fromhex(first[10])
    alpha, x, y, output, n = struct.unpack("@fQQQi", packed)
    assert (alpha, n, len(packed)) == (2.0, 300, 36) and len({x, y, output}) == 3
    assert not np.any(np.array([x, y, output]) % 256)


def test_shared_memory_is_requested_once(session: Session) -> None:
    assert [line for line in session.log if line.startswith("attribute axpy")] == ["attribute axpy 8 50000"]


def test_a_foreign_stream_is_joined_before_and_after(session: Session) -> None:
    ours = launches(session)[1][9]
    lines = [line.split() for line in session.log]
    records = {line[1]: line[2] for line in lines if line[0] == "record"}
    waits = [(line[1], records[line[2]]) for line in lines if line[0] == "wait"]
    assert waits == [(ours, str(0x7F00)), (str(0x7F00), ours)]


def test_times_are_those_of_events(session: Session) -> None:
    assert session.found["time"] == pytest.approx(4e-3)


def test_errors_are_diagnostics(session: Session) -> None:
    assert session.found["image"][0] == "wrong-arch"
    assert session.found["memory"][0] == "out-of-memory"
    code, title, place, lost = session.found["broken"]
    assert code == "illegal-address" and "illegal memory access" in title
    assert place == "on device 0, Fake 9000, while `broken` ran" and CONTEXT_LOST in lost


def test_modules_and_memory_are_released_without_warnings(session: Session) -> None:
    assert "unload" in session.log and "free" in session.log
    assert session.errors == ""
