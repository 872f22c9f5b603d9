"""The process that runs a text: what it cannot access, what ends it, and that the next launch works."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from shine.simulator import Program, SimulatorError, build
from shine.simulator.process import POOL
from tests import required_tools
from tests.examples import some

ADD = """extern "C" __global__ void add(int* x, int n) {
  __syncthreads();
  x[threadIdx.x] += n;
}"""
ENDLESS = 'extern "C" __global__ void f(volatile int* x) { while (x[0]) x[1] += 1; }'
# A system call with a given number, as machine code: x86-64's `mov eax, NUMBER; syscall; ret`.
CALL = """__attribute__((section(".text,\\"ax\\",@progbits#"))) static const unsigned char code[] = {
  0xb8, %d, 0, 0, 0, 0x0f, 0x05, 0xc3};
extern "C" __global__ void f(int* x) { x[0] = ((int (*)())code)(); }"""
only_x86_64 = required_tools.needs(required_tools.X86_64, os.uname().machine == "x86_64")


def add(programs: Callable[..., Program], check: bool = False) -> None:
    x = np.arange(64, dtype=np.int32)
    assert programs(ADD, check).launch("add", 1, 64, [x, 3]).findings == ()
    np.testing.assert_array_equal(x, np.arange(64) + 3)


def idle(program: Program) -> list[int]:
    return [process.number for process in POOL.idle() if process.library == program.library]


def children() -> set[int]:
    found = set()
    for task in Path("/proc/self/task").iterdir():
        found |= {int(word) for word in (task / "children").read_text(encoding="ascii").split()}
    return found


def test_a_process_is_kept_for_the_next_launch(programs: Callable[..., Program]) -> None:
    add(programs)
    before = idle(programs(ADD))
    assert len(before) == 1
    add(programs)
    assert idle(programs(ADD)) == before
    assert set(before) <= children()


def test_a_few_processes_are_kept(programs: Callable[..., Program]) -> None:
    for number in range(12):
        x = np.zeros(1, np.int32)
        text = f'extern "C" __global__ void f(int* x) {{ x[0] = {number}; }}'
        assert programs(text).launch("f", 1, 1, [x]).findings == () and x[0] == number
    assert len(POOL.idle()) == 8


def test_the_process_of_the_caller_is_unchanged(programs: Callable[..., Program]) -> None:
    """It contains no signal handlers, libraries or stacks of the simulator."""
    handled = [signal.getsignal(number) for number in signal.valid_signals()]
    add(programs)
    text = 'extern "C" __global__ void f(int* x) { *(volatile int*)8 = 1; }'
    assert not programs(text).launch("f", 1, 1, [np.zeros(1, np.int32)]).finished
    assert [signal.getsignal(number) for number in signal.valid_signals()] == handled
    assert "cuda-sim" not in Path("/proc/self/maps").read_text(encoding="utf-8")


def test_a_process_has_no_files_and_no_environment(programs: Callable[..., Program]) -> None:
    add(programs)
    (number,) = idle(programs(ADD))
    process = Path(f"/proc/{number}")
    assert (process / "environ").read_bytes() == b""
    files = {one.name: os.readlink(one) for one in (process / "fd").iterdir()}
    assert set(files) == {"0", "1", "2", "3"}
    assert files["1"] == files["2"] == "/dev/null"
    status = (process / "status").read_text(encoding="ascii")
    assert "NoNewPrivs:\t1" in status


@only_x86_64
@pytest.mark.parametrize("number", some([2, 41, 56, 57, 59, 62, 101, 257], 2))
def test_system_calls_are_refused(number: int, programs: Callable[..., Program]) -> None:
    """open, socket, clone, fork, execve, kill, ptrace, openat: by machine code, which no check of symbols detects."""
    x = np.full(1, 77, np.int32)
    (finding,) = programs(CALL % number).launch("f", 1, 1, [x]).findings
    assert finding.kind == "fault"
    assert "a system call" in finding.message
    add(programs)


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
def test_switches_are_limited(check: bool, programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(int* x) {
      for (;;)
        __syncthreads();
    }"""
    report = programs(text, check).launch("f", 1, 64, [np.zeros(1, np.int32)], switches=1000)
    assert str(report).startswith("budget: the kernel has not ended after 1000 switches: step at line 3")
    assert report.switches == 1001
    add(programs, check)


def test_a_process_that_was_killed_while_it_waited_is_replaced(programs: Callable[..., Program]) -> None:
    add(programs)
    (number,) = idle(programs(ADD))
    os.kill(number, signal.SIGKILL)
    while is_running(number):
        time.sleep(0.01)
    add(programs)
    assert number not in children()
    assert number not in idle(programs(ADD))


def test_a_kernel_that_is_killed_while_it_runs_leaves_the_arrays(programs: Callable[..., Program]) -> None:
    program = programs(ENDLESS)
    assert program.launch("f", 1, 1, [np.zeros(2, np.int32)]).finished
    (number,) = idle(program)
    x = np.ones(2, np.int32)
    timer = threading.Timer(0.2, os.kill, (number, signal.SIGKILL))
    timer.start()
    report = program.launch("f", 1, 1, [x])
    timer.join()
    assert not report.finished
    assert str(report) == (
        "fault: the process of `f` ended: it was killed: by the system, which may be short of memory, or by a user"
    )
    assert x.tolist() == [1, 1]
    add(programs)


def test_a_kernel_that_runs_out_of_memory_is_reported(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(int* x) { __syncthreads(); x[threadIdx.x] = 1; }"""
    for check in (False, True):
        x = np.zeros(1024, np.int32)
        report = programs(text, check).launch("f", 1, 1024, [x], memory=1 << 20)
        assert "there is no memory for the launch" in str(report)
        assert programs(text, check).launch("f", 1, 1024, [x]).findings == ()


@pytest.mark.parametrize("size", ["3ull << 29", "3ull << 31"])
def test_a_text_that_is_too_large_to_be_loaded_is_refused(size: str, tmp_path: Path) -> None:
    text = f"""__device__ char much[{size}];
    extern "C" __global__ void f(char* x) {{ x[0] = much[threadIdx.x]; }}"""
    with pytest.raises(SimulatorError, match="expected variables of less than 512 MiB"):
        build(text, cache=tmp_path)


def test_a_launch_may_have_no_time_limit(programs: Callable[..., Program]) -> None:
    x = np.zeros(64, np.int32)
    assert programs(ADD).launch("add", 1, 64, [x, 3], seconds=float("inf")).finished


def test_several_threads_run_one_program(programs: Callable[..., Program]) -> None:
    program = programs(ADD)
    arrays = [np.zeros(64, np.int32) for _ in range(4)]

    def work(x: np.ndarray) -> None:
        for _ in range(20):
            assert program.launch("add", 1, 64, [x, 1]).findings == ()

    threads = [threading.Thread(target=work, args=(x,)) for x in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((x == 20).all() for x in arrays)


def test_no_process_outlives_the_one_that_started_it(
    programs: Callable[..., Program], tmp_path: Path
) -> None:
    """Neither one that waits nor one that runs an endless kernel."""
    programs(ENDLESS)
    script = f"""
import threading, time, numpy as np
from shine.simulator import build
from shine.simulator.process import POOL
program = build({ENDLESS!r})
numbers = [process.number for process in POOL.idle()]
x = np.ones(2, np.int32)
threading.Thread(target=program.launch, args=("f", 1, 1, [x]), kwargs=dict(seconds=600), daemon=True).start()
build({ADD!r})
print(numbers[0], POOL.idle()[-1].number, flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, encoding="ascii") as caller:
        assert caller.stdout is not None
        numbers = [int(word) for word in caller.stdout.readline().split()]
        assert len(numbers) == 2 and all(Path(f"/proc/{number}").exists() for number in numbers)
        caller.kill()
    for number in numbers:
        ends = time.monotonic() + 30
        while is_running(number):
            assert time.monotonic() < ends
            time.sleep(0.02)


def test_a_late_signal_of_a_message_does_not_end_a_kernel(programs: Callable[..., Program]) -> None:
    """A process may get the signal of its request when the kernel of that request is already running."""
    program = programs("""extern "C" __global__ void f(unsigned* x, int n) {
      for (int i = 0; i < n; i++) x[0] = x[0] * 1664525 + 1013904223;
    }""")
    x = np.ones(1, np.uint32)
    assert program.launch("f", 1, 1, [x, 1]).finished
    (number,) = idle(program)
    has_ended = threading.Event()

    def signal_often() -> None:
        while not has_ended.wait(0.001):
            os.kill(number, signal.SIGIO)

    thread = threading.Thread(target=signal_often)
    thread.start()
    try:
        report = program.launch("f", 1, 1, [x, 1 << 25])
    finally:
        has_ended.set()
        thread.join()
    assert report.findings == () and report.finished
    assert idle(program) == [number]


def is_running(number: int) -> bool:
    try:
        status = Path(f"/proc/{number}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_an_interrupt_ends_the_kernel(programs: Callable[..., Program]) -> None:
    program = programs(ENDLESS)
    assert program.launch("f", 1, 1, [np.zeros(2, np.int32)]).finished
    add(programs)
    (number,) = idle(program)
    earlier = signal.signal(signal.SIGUSR1, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            program.launch("f", 1, 1, [np.ones(2, np.int32)])
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, earlier)
    assert not is_running(number)
    add(programs)


@pytest.mark.parametrize(("element", "width"), [("int", 4), ("short", 2), ("char", 1)])
def test_checks_remember_as_much_of_arrays_as_the_page_states(
    element: str, width: int, programs: Callable[..., Program]
) -> None:
    """48 bytes for each access of the smallest size, of 4 bytes at most."""
    text = f"__global__ void f({element}* x, int n) {{ for (int i = 0; i < n; i++) x[i] += 1; }}"
    size = 4 << 20
    highest = []
    for check in (False, True):
        program = programs(text, check)
        assert program.launch("f", 1, 1, [np.zeros(size, np.uint8), size // width]).findings == ()
        (number,) = idle(program)
        status = Path(f"/proc/{number}/status").read_text(encoding="ascii")
        highest.append(1024 * int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]))
    stated = 48 * size // width
    beside = 8 << 20  # the owners of pages, reads that a compare-and-swap may confirm, the program itself
    assert 0.9 * stated < highest[1] - highest[0] < stated + beside
