"""Information from the operating system about the processor: instruction set, features, caches, cores.

Independent of records.

Linux provides it in /proc and /sys, macOS by `sysctl`. Facts that a system does not provide are None.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Final

from rise.records import dataclass
from shine.programs import call

#: other names of instruction sets
ISAS: Final = {"AMD64": "x86_64", "amd64": "x86_64", "arm64": "aarch64"}
#: number of bytes to read from /proc/cpuinfo, which repeats its entry for each core
FIRST_PROCESSOR: Final = 1 << 14
UNITS: Final = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True, slots=True)
class Facts:
    """Information from the system. Sizes are in bytes: `l1` and `l2` of one core, `l3` of all that share it; `clock` is
    in cycles per second. `places` has the source of each number in the system.
    """

    isa: str
    model: str = ""
    vendor: str = ""
    features: frozenset[str] = frozenset()
    l1: int | None = None
    l2: int | None = None
    l3: int | None = None
    line: int | None = None
    cores: int | None = None
    clock: float | None = None
    places: Mapping[str, str] = field(default_factory=dict, compare=False)


def read_facts() -> Facts:
    """The facts of this machine."""
    isa = ISAS.get(platform.machine(), platform.machine())
    return facts_of_macos(isa, _sysctl) if sys.platform == "darwin" else facts_of_linux(isa, Path("/"))


def facts_of_linux(isa: str, root: Path) -> Facts:
    """The facts in the files of Linux below a directory; empty on other systems, which have no such files."""
    info = _first_processor(root / "proc/cpuinfo")
    cpu = root / "sys/devices/system/cpu/cpu0"
    caches = dict(_caches(cpu))
    clock = _number(_text(cpu / "cpufreq/cpuinfo_max_freq"))
    lines = [line for _, line in caches.values() if line]
    sizes = {name: size for name, (size, _) in caches.items()}
    places = {name: str(cpu / "cache") for name in (*sizes, *(["line"] if lines else []))}
    if clock:
        places["clock"] = str(cpu / "cpufreq")
    return Facts(
        isa=isa,
        model=info.get("model name", ""),
        vendor=info.get("vendor_id", info.get("CPU implementer", "")),
        features=frozenset(info.get("flags", info.get("Features", "")).split()),
        l1=sizes.get("l1"),
        l2=sizes.get("l2"),
        l3=sizes.get("l3"),
        line=lines[0] if lines else None,
        cores=_usable_cores(),
        clock=clock * 1e3 if clock else None,
        places={**places, "cores": "the processors that this process may use"},
    )


def facts_of_macos(isa: str, sysctl: Callable[[str], str]) -> Facts:
    """The facts that `sysctl` returns for names; it returns an empty text for unknown names."""

    def first(*names: str) -> int | None:
        return next((number for name in names if (number := _number(sysctl(name)))), None)

    features = {name for name in ("avx512f", "avx2_0", "fma") if sysctl(f"hw.optional.{name}") == "1"}
    l2, sharing = first("hw.perflevel0.l2cachesize", "hw.l2cachesize"), first("hw.perflevel0.cpusperl2")
    numbers = {
        "l1": first("hw.perflevel0.l1dcachesize", "hw.l1dcachesize"),
        "l2": l2 // (sharing or 1) if l2 else None,
        "l3": first("hw.l3cachesize"),
        "line": first("hw.cachelinesize"),
        "cores": first("hw.perflevel0.physicalcpu", "hw.physicalcpu"),
    }
    return Facts(
        isa=isa,
        model=sysctl("machdep.cpu.brand_string"),
        vendor=sysctl("machdep.cpu.vendor") or ("Apple" if isa == "aarch64" else ""),
        features=frozenset("avx2" if name == "avx2_0" else name for name in features),
        **numbers,
        places={name: "sysctl" for name, number in numbers.items() if number},
    )


def _first_processor(file: Path) -> dict[str, str]:
    """The entry of /proc/cpuinfo for the first processor."""
    text = _text(file, FIRST_PROCESSOR).split("\n\n")[0]
    pairs = (line.partition(":") for line in text.split("\n"))
    return {name.strip(): value.strip() for name, colon, value in pairs if colon}


def _caches(cpu: Path) -> list[tuple[str, tuple[int, int | None]]]:
    """The data caches of a processor: the name of each, its bytes per core, and the bytes of a line."""
    found = []
    siblings = _count(_text(cpu / "topology/thread_siblings_list")) or 1
    for folder in sorted((cpu / "cache").glob("index*")):
        size = _size(_text(folder / "size"))
        level = _text(folder / "level")
        if size is None or _text(folder / "type") not in ("Data", "Unified"):
            continue
        cores = max(1, (_count(_text(folder / "shared_cpu_list")) or 1) // siblings)
        share = size if level == "3" else size // cores
        found.append((f"l{level}", (share, _number(_text(folder / "coherency_line_size")))))
    return [(name, facts) for name, facts in found if name in ("l1", "l2", "l3")]


def _usable_cores() -> int | None:
    with suppress(AttributeError, OSError):  # systems without processor affinity
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


def _text(file: Path, most: int = 4096) -> str:
    """The beginning of a file; empty if it cannot be read."""
    with suppress(OSError), file.open(encoding="utf-8", errors="replace") as stream:
        return stream.read(most).strip()
    return ""


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text) and int(text) else None


def _size(text: str) -> int | None:
    """The number of bytes in a text such as `48K`."""
    found = re.fullmatch(r"([0-9]{1,12})([KMG]?)", text)
    return int(found[1]) * UNITS.get(found[2], 1) or None if found else None


def _count(text: str) -> int | None:
    """The number of elements of a list such as `0-3,8`."""
    if not re.fullmatch(r"\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*", text):
        return None
    ends = (part.split("-") for part in text.split(","))
    return sum(int(ends_[-1]) - int(ends_[0]) + 1 for ends_ in ends)


def _sysctl(name: str) -> str:
    ran = call(["/usr/sbin/sysctl", "-n", name])
    return ran.stdout.strip() if ran.status == 0 else ""
