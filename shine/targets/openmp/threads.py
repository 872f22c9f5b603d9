"""Controls how the threads of kernels sleep and wake. Independent of kernels.

Idle threads soon go to sleep (decision 0016). The system wakes many of them on the processor of the thread that needs
them, where they wait while other processors are idle. So a library with parallel loops has a function that wakes the
team and moves each thread to its own processor; decision 0017 has measurements.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from ctypes import c_int64
from functools import partial
from threading import get_ident
from typing import Any, Final, TypeVar

from rise.records import dataclass
from shine.targets.openmp.forks import elsewhere

#: how often a thread of gcc's OpenMP looks for work before it sleeps, and the environment variable that sets it
SPINS: Final = "3000"
SPINNING: Final = "GOMP_SPINCOUNT"
#: how long threads are taken to be awake after a kernel, and to stay on their processors while kernels follow
AWAKE_NANOSECONDS: Final = 30_000
SETTLED_NANOSECONDS: Final = 5_000_000
#: the function that wakes the team, and its C; processor numbers are taken modulo 1024
WAKE: Final = "shine_wake"
_TEXT: Final = """
#if defined(_OPENMP) && defined(__linux__)
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int sched_getcpu(void);
int sched_yield(void);
int sched_getaffinity(int, size_t, void *);
int sched_setaffinity(int, size_t, const void *);

typedef struct { uint64_t taken[16]; int awake; } shine_team;

static bool shine_team_take(shine_team *team) { // whether no other thread of the team was on this processor
  const unsigned here = (unsigned)sched_getcpu() % 1024;
  const uint64_t bit = (uint64_t)1 << here % 64;
  return !(__atomic_fetch_or(&team->taken[here / 64], bit, __ATOMIC_RELAXED) & bit);
}

static void shine_team_wait(shine_team *team) { // the first thread, for the others; what was woken here can go on
  for (int look = 0; look < 1000; look++) {
    if (__atomic_load_n(&team->awake, __ATOMIC_RELAXED) == omp_get_num_threads() - 1) return;
    if (look >= 100) sched_yield();
  }
}

static void shine_team_spread(shine_team *team) { // to a processor that no other thread of the team has
  uint64_t may[16] = {0}, left[16], any = 0;
  if (shine_team_take(team) || sched_getaffinity(0, sizeof may, may)) return;
  for (int i = 0; i < 16; i++) any |= left[i] = may[i] & ~__atomic_load_n(&team->taken[i], __ATOMIC_RELAXED);
  if (!any || sched_setaffinity(0, sizeof left, left)) return;
  sched_setaffinity(0, sizeof may, may);
  shine_team_take(team);
}

void shine_wake(void) {
  shine_team team = {0};
  shine_team_take(&team);
  #pragma omp parallel@threads@
  {
    if (omp_get_thread_num() == 0) {
      shine_team_wait(&team);
    } else {
      shine_team_spread(&team);
      __atomic_fetch_add(&team.awake, 1, __ATOMIC_RELAXED);
    }
  }
}
#else
void shine_wake(void) {}
#endif
"""
S = TypeVar("S")


def waking_text(threads: int | None) -> str:
    """The C text of the function that wakes the threads of parallel loops; if their number is None, OpenMP
    chooses it.
    """
    return _TEXT.replace("@threads@", "" if threads is None else f" num_threads({threads})")


@dataclass(slots=True)
class Team:
    """The threads of a kernel, which are woken before it runs unless they are awake.

    `shares` tells whether the kernel uses them, given an array of its first `sizes` arguments; None: it always does.
    `deserted` are the threads that lost their OpenMP threads in a fork; their kernels run in another thread.
    """

    wake: Callable[[], None]
    awake_until: int = 0
    settled_until: int = 0
    deserted: Set[int] = frozenset()
    shares: Callable[[Any], int] | None = None
    sizes: int = 0

    def run(self, function: Callable[..., S], passed: tuple[Any, ...]) -> S:
        """Run a kernel, and return its status."""
        if self.deserted and get_ident() in self.deserted:
            return elsewhere(partial(self.run, function, passed))
        if self.shares is not None and not self.shares((c_int64 * self.sizes)(*passed[: self.sizes])):
            return function(*passed)
        now = time.perf_counter_ns()
        if now > self.awake_until or now > self.settled_until:
            self.wake()
            self.settled_until = now + SETTLED_NANOSECONDS
        status = function(*passed)
        self.awake_until = time.perf_counter_ns() + AWAKE_NANOSECONDS
        return status


@contextmanager
def short_waits() -> Iterator[None]:
    """Make idle threads sleep soon, unless the environment configures this. OpenMP reads it when it is first loaded."""
    if SPINNING in os.environ or "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ[SPINNING] = SPINS
    try:
        yield
    finally:
        os.environ.pop(SPINNING, None)
