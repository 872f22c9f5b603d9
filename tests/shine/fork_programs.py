"""Programs that fork, each run by name in a separate process: `python -m tests.shine.fork_programs NAME`.

A child that hangs is killed by a timer that it sets for itself, as its status shows.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

import rise
import shine
from rise import node_table
from shine import simulator
from shine.simulator import process as simulated
from shine.targets.cuda import nvrtc
from shine.targets.openmp import forks
from tests.quick_runtime import quick_runtime

PATIENCE = 60  # seconds after which a child is considered hung
TASKS = Path("/proc/self/task")
ADD = """extern "C" __global__ void f(float* x) {
  __shared__ float held[64];
  held[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = held[63 - threadIdx.x] + 1.0f;
}"""
ENDLESS = 'extern "C" __global__ void f(volatile int* x) { while (x[0] == 0) x[1] += 1; }'
FAULT = 'extern "C" __global__ void f(int* x) { *(volatile int*)8 = 1; }'


def compiled(threads: int | None = 2, add: float = 1.0) -> shine.Kernel:
    """A kernel whose loop runs on threads."""
    text = f"fun(xs: N.f32 => xs |> mapPar(fun(x => x + {add})))"
    return shine.compile(rise.parse(text).main, target="openmp", threads=threads, team=False)


def check(kernel: Any, add: float = 1.0) -> None:
    """Call a kernel of `compiled`."""
    assert (kernel(np.zeros(1000, np.float32)) == add).all()


def fork(work: Callable[[], object]) -> int:
    """Run a function in a child; returns its process."""
    process = os.fork()
    if process == 0:
        signal.alarm(PATIENCE)
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return process


def wait_for(process: int) -> None:
    """Wait for a child, which must have succeeded."""
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    assert status == 0, f"the child ended with {status}"


def in_child(work: Callable[[], object]) -> None:
    """Run a function in a child, and wait for it."""
    wait_for(fork(work))


def in_thread(work: Callable[[], object]) -> None:
    """Run a function in another thread, and wait for it; its exception is raised here."""
    raised: list[BaseException] = []

    def caught() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=caught)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]


def a_child_runs_kernels() -> None:
    kernel = compiled()
    check(kernel)
    for _ in range(2):
        in_child(lambda: check(kernel))
        check(kernel)


def a_child_has_threads_of_its_own() -> None:
    kernel = compiled(threads=4)
    check(kernel)

    def work() -> None:
        before = len(list(TASKS.iterdir()))
        check(kernel)
        assert len(list(TASKS.iterdir())) == before + 3

    in_child(work)


def a_child_of_a_child_runs_kernels() -> None:
    kernel = compiled()
    check(kernel)

    def work() -> None:
        in_child(lambda: check(kernel))
        check(kernel)
        in_child(lambda: check(kernel))

    in_child(work)


def a_child_compiles() -> None:
    check(compiled())
    in_child(lambda: check(compiled(add=2.0), 2.0))
    in_child(lambda: check(compiled(threads=None, add=2.0), 2.0))


def a_pool_of_processes_runs_kernels() -> None:
    kernel = compiled()
    check(kernel)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        results = pool.map_async(kernel, [np.full(100, i, np.float32) for i in range(8)]).get(PATIENCE)
    assert all((result == i + 1).all() for i, result in enumerate(results))
    check(kernel)


def a_thread_forks() -> None:
    kernel = compiled()
    check(kernel)

    def work() -> None:
        check(kernel)
        in_child(lambda: check(kernel))
        check(kernel)

    in_thread(work)
    in_thread(lambda: in_child(lambda: in_thread(lambda: check(kernel))))


def a_thread_that_forked_ends_in_the_child() -> None:
    kernel = compiled()
    children: list[int] = []

    def work() -> None:
        check(kernel)
        process = os.fork()
        if process == 0:
            signal.alarm(PATIENCE)
            check(kernel)
        else:
            children.append(process)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    wait_for(children[0])


def openmp_cannot_end_its_threads() -> None:
    """As with gcc before 9, which has no function to end them."""
    forks.END_THREADS = "no_such_function"  # type: ignore[misc]  # final for all others
    kernel = compiled()
    check(kernel)
    in_child(lambda: (check(kernel), in_thread(lambda: check(kernel)), in_child(lambda: check(kernel))))
    in_thread(lambda: (check(kernel), in_child(lambda: check(kernel))))
    check(kernel)


def another_thread_has_the_lock_of_nodes() -> None:
    with_lock_held(node_table._LOCK.held, lambda: (node_table._forget_dead(), check(compiled())))


def another_thread_has_the_lock_of_a_simulation() -> None:
    built = simulator.build(ADD)
    with_lock_held(simulated.POOL.lock.held, lambda: run_add(built))


def with_lock_held(held: Callable[[], Any], work: Callable[[], object]) -> None:
    """Run a function in a child that was forked while another thread held a lock."""
    taken, done = threading.Event(), threading.Event()

    def hold() -> None:
        with held():
            taken.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait()
    in_child(work)
    done.set()
    thread.join()
    work()


def another_thread_imports_what_is_loaded_on_first_use() -> None:
    """Its lock of the module would stay taken in the child."""
    fork_while_imported("rise.text.parser", lambda: rise.parse("1"))
    text = (
        f"fun(x: f32 => x + {time.time_ns() % 2**24}.0)"  # an f32 that no cache has: larger ones are rounded
    )
    fork_while_imported("shine.front.lowering", lambda: shine.compile(rise.parse(text), "interpret"))


def fork_while_imported(module: str, work: Callable[[], object]) -> None:
    """Run a function in a child that was forked while another thread ran it, and imported a module for it."""
    began = threading.Event()

    class Slow:
        """Makes the import take a while."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == module:
                began.set()
                time.sleep(0.1)

    assert module not in sys.modules
    sys.meta_path.insert(0, Slow())  # type: ignore[arg-type]  # all that a finder needs
    thread = threading.Thread(target=work)
    thread.start()
    assert began.wait(PATIENCE), f"{module} was not imported"
    in_child(work)
    thread.join()
    work()


def another_thread_compiles() -> None:
    """Whatever the other thread is doing at the time of the fork."""
    stopped = threading.Event()

    def work() -> None:
        at = 0
        while not stopped.is_set():
            at += 1
            text = f"fun(xs: {at}.f32 => xs |> mapSeq(fun(x => x + {at}.0)))"
            shine.compile(rise.parse(text).main, target="interpret")

    node_table._sweep_at[0] = 0  # the table is being searched all the time
    thread = threading.Thread(target=work)
    thread.start()
    kernel = compiled()
    try:
        for at in range(20):
            in_child(lambda at=at: (check(kernel), check(compiled(), 1.0), node_table._forget_dead(), at))  # type: ignore[misc]
    finally:
        stopped.set()
        thread.join()


def a_child_leaves_what_another_thread_builds() -> None:
    """A child exits as programs usually do, while another thread of its parent waits for the compiler."""
    folder = Path(sys.argv[2])
    slow = folder / "slow"
    slow.write_text(
        f'#!/bin/sh\ncase "$*" in *kernel.so*) touch {folder}/started; '
        f'while [ ! -e {folder}/go ]; do sleep 0.05; done;; esac\nexec gcc "$@"\n',
        encoding="utf-8",
    )
    slow.chmod(0o700)
    built: list[Any] = []

    def work() -> None:
        text = "fun(xs: N.f32 => xs |> mapPar(fun(x => x + 1.0)))"
        options = {"cc": str(slow), "cache": str(folder / "cache")}
        built.append(shine.compile(rise.parse(text).main, target="openmp", team=False, **options))

    thread = threading.Thread(target=work)
    thread.start()
    while not (folder / "started").exists():
        time.sleep(0.01)
    process = os.fork()
    if process == 0:
        signal.alarm(PATIENCE)
        sys.exit(0)
    wait_for(process)
    (folder / "go").touch()
    thread.join()
    check(built[0])


def another_thread_calls_nvrtc() -> None:
    """A fork waits for it, since NVRTC's own locks would stay locked in the child."""
    called, returned = threading.Event(), threading.Event()

    def compile_program(*_: object) -> int:
        called.set()
        time.sleep(0.5)
        returned.set()
        return 1

    class FakeLibrary(SimpleNamespace):
        def __getitem__(self, name: str) -> Any:
            return getattr(self, name)

    fake = FakeLibrary(
        nvrtcCreateProgram=lambda *_: 0,
        nvrtcCompileProgram=compile_program,
        nvrtcDestroyProgram=lambda _: 0,
        nvrtcGetProgramLogSize=lambda *_: 0,
        nvrtcGetProgramLog=lambda *_: 0,
        nvrtcGetErrorString=lambda _: b"refused",
    )
    thread = threading.Thread(target=lambda: nvrtc._compile(fake, (), "", "sm_90", "cubin"))
    thread.start()
    called.wait()

    def work() -> None:
        assert returned.is_set()
        assert nvrtc._compile(fake, (), "", "sm_90", "cubin").image is None

    in_child(work)
    thread.join()


def a_child_simulates() -> None:
    built = simulator.build(ADD)
    run_add(built)
    in_child(lambda: (run_add(built), in_child(lambda: run_add(built))))
    run_add(built)


def another_thread_simulates() -> None:
    """The child's own kernels run, and fault, in separate processes."""
    endless, built, fault = (simulator.build(text) for text in (ENDLESS, ADD, FAULT))
    x = np.zeros(2, np.int32)
    seconds = 10.0 * PATIENCE
    process = next(one.number for one in simulated.POOL.idle() if one.library == endless.library)
    threading.Thread(target=lambda: endless.launch("f", 1, 1, [x], seconds=seconds), daemon=True).start()
    while simulated._processor_seconds(process) < 0.1:
        time.sleep(0.01)

    def work() -> None:
        run_add(built)
        report = endless.launch("f", 1, 1, [np.ones(2, np.int32)])
        assert report.findings == () and report.finished
        report = fault.launch("f", 1, 1, [np.zeros(2, np.int32)])
        assert [one.kind for one in report.findings] == ["fault"]
        run_add(built)

    in_child(work)


def run_add(built: simulator.Program) -> None:
    """Simulate ADD."""
    x = np.arange(64, dtype=np.float32)
    assert built.launch("f", 1, 64, [x]).findings == ()
    assert (x == np.arange(64, dtype=np.float32)[::-1] + 1).all()


SCENARIOS: Final = {
    scenario.__name__: scenario
    for scenario in (
        a_child_runs_kernels,
        a_child_has_threads_of_its_own,
        a_child_of_a_child_runs_kernels,
        a_child_compiles,
        a_pool_of_processes_runs_kernels,
        a_thread_forks,
        a_thread_that_forked_ends_in_the_child,
        openmp_cannot_end_its_threads,
        another_thread_has_the_lock_of_nodes,
        another_thread_imports_what_is_loaded_on_first_use,
        another_thread_compiles,
        a_child_leaves_what_another_thread_builds,
        another_thread_calls_nvrtc,
        a_child_simulates,
        another_thread_has_the_lock_of_a_simulation,
        another_thread_simulates,
    )
}

if __name__ == "__main__":
    try:
        with quick_runtime():  # the one that other tests have built in `make test`
            SCENARIOS[sys.argv[1]]()
    except Exception:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)  # whatever other threads do
