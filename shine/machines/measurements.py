"""Measures the clock rate and the memory bandwidth on request, and stores the results in the cache.

A record has the maximum clock rate of a processor and the bandwidth of all its channels. The share that a program gets
depends on power limits, memory modules and other programs, so it is measured. Bandwidths of caches are not measured: a
loop reaches less than caches can deliver, and bounds on times need the latter.
"""

from __future__ import annotations

import ctypes
import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Final

from rise.diagnostics import RiseError
from rise.hardware import Processor
from rise.records import dataclass
from shine.cache import body_of, default_directory, digest, stored, use
from shine.targets.openmp.compiler import build, find_compiler, processor

ROUNDS: Final = 9
#: additions in a round, each of which waits for the previous one
ADDITIONS: Final = 1 << 26
#: bytes that are read in a round: several times the last-level cache, within limits
LEAST_READ: Final = 64 << 20
MOST_READ: Final = 512 << 20
_FORMAT: Final = "1"
_TEXT: Final = """
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

#define ADD x += y; __asm__ volatile("" : "+r"(x));
#define ADD16 ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD

double additions_per_second(int64_t n, uint64_t y) {
  uint64_t x = y;
  const double start = now(CLOCK_THREAD_CPUTIME_ID);
  for (int64_t i = 0; i < n / 16; i++) { ADD16 }
  return n / (now(CLOCK_THREAD_CPUTIME_ID) - start);
}

int64_t *numbers(int64_t n) {
  int64_t *xs = malloc(n * sizeof *xs);
  if (!xs) return 0;
  #pragma omp parallel for
  for (int64_t i = 0; i < n; i++) xs[i] = i;
  return xs;
}

double bytes_per_second(const int64_t *xs, int64_t n, int64_t *result) {
  int64_t sum = 0;
  const double start = now(CLOCK_MONOTONIC);
  #pragma omp parallel for reduction(+:sum)
  for (int64_t i = 0; i < n; i++) sum += xs[i];
  const double seconds = now(CLOCK_MONOTONIC) - start;
  *result = sum;
  return n * sizeof *xs / seconds;
}
"""


@dataclass(frozen=True, slots=True)
class Measurement:
    """The best of `rounds`, and the distance of the median from it, as a fraction of the best."""

    clock: float
    clock_spread: float
    memory_bandwidth: float
    memory_spread: float
    rounds: int = ROUNDS


def measure(machine: Processor, cc: str | None = None) -> Measurement:
    """Measure this machine, which takes seconds. Raises RiseError if there is no C compiler or not enough memory."""
    cache = default_directory()
    library = build(_TEXT, find_compiler(cc, None, cache), cache, lambda path: ctypes.CDLL(str(path)))
    library.additions_per_second.restype = library.bytes_per_second.restype = ctypes.c_double
    library.numbers.restype = ctypes.c_void_p
    clocks = [
        library.additions_per_second(ctypes.c_int64(ADDITIONS), ctypes.c_uint64(3)) for _ in range(ROUNDS)
    ]
    count = min(MOST_READ, max(LEAST_READ, 4 * (machine.l3 or 0))) // 8
    numbers = library.numbers(ctypes.c_int64(count))
    if not numbers:
        raise MemoryError(f"{8 * count} bytes to measure memory with")
    result = ctypes.c_int64()
    read = [
        library.bytes_per_second(ctypes.c_void_p(numbers), ctypes.c_int64(count), ctypes.byref(result))
        for _ in range(ROUNDS)
    ]
    ctypes.CDLL(None).free(ctypes.c_void_p(numbers))
    assert result.value == count * (count - 1) // 2, "the numbers that were read add up to another sum"
    return Measurement(max(clocks), _spread(clocks), max(read), _spread(read))


def keep(measurement: Measurement, directory: Path | None = None) -> None:
    """Store a measurement in the cache, replacing an earlier one. Raises RiseError if the cache is not writable."""
    entry = _entry(directory or default_directory())
    entry.unlink(missing_ok=True)

    def make(folder: Path) -> Path:
        file = folder / "machine.json"
        file.write_text(json.dumps(asdict(measurement)), encoding="utf-8")
        return file

    use(entry, make, _read)


def stored_measurement(directory: Path | None = None) -> Measurement | None:
    """The measurement in the cache; None if there is none for this processor, or the cache cannot be used."""
    with suppress(RiseError, OSError, ValueError):
        content = stored(_entry(directory or default_directory()))
        return None if content is None else _measurement(content)
    return None


def _entry(directory: Path) -> Path:
    return directory / f"machine-{digest(_FORMAT, processor())}.json"


def _read(entry: Path) -> Measurement:
    """The measurement in an entry of the cache. Raises ValueError if the entry is malformed."""
    return _measurement(body_of(entry))


def _measurement(content: bytes) -> Measurement:
    match json.loads(content):
        case {
            "clock": float(clock),
            "clock_spread": float(clock_spread),
            "memory_bandwidth": float(memory),
            "memory_spread": float(memory_spread),
            "rounds": int(rounds),
        } if clock > 0 and memory > 0:
            return Measurement(clock, clock_spread, memory, memory_spread, rounds)
    raise ValueError(f"{content!r} is no measurement of a machine")


def _spread(samples: list[float]) -> float:
    return 1 - median(samples) / max(samples)
