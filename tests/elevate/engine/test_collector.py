"""Python's garbage collector runs rarely while a strategy runs, and as before afterwards."""

import gc
import os
import signal
import threading
import time

from elevate import fail, normalize
from elevate.engine.collector import _RUNS, OBJECTS, seldom_collected
from rise import parse
from strategies.rules.fusion import mapFusion
from tests.required_tools import FORK, has_fork, needs


def test_runs_set_the_threshold_and_reset_it() -> None:
    before = gc.get_threshold()
    seen = []
    program = parse("fun(x: 8.f32 => x |> map(fun(a => a)) |> map(fun(b => b)))").main
    gc.callbacks.append(lambda phase, info: seen.append(gc.get_threshold()[0]))
    try:
        with seldom_collected():
            assert gc.get_threshold() == (max(OBJECTS, before[0]), *before[1:])
            normalize(mapFusion)(program)
            assert gc.get_threshold()[0] == max(OBJECTS, before[0])
            gc.collect(0)
    finally:
        gc.callbacks.pop()
    assert set(seen) == {max(OBJECTS, before[0])}
    assert gc.get_threshold() == before
    fail(program)
    assert gc.get_threshold() == before


def test_a_collector_that_is_off_or_changed_meanwhile_is_left_alone() -> None:
    before = gc.get_threshold()
    try:
        gc.set_threshold(0)
        with seldom_collected():
            assert gc.get_threshold()[0] == 0
        gc.set_threshold(700)
        with seldom_collected():
            gc.set_threshold(333)
        assert gc.get_threshold()[0] == 333
    finally:
        gc.set_threshold(*before)


def test_the_last_of_several_threads_resets_it() -> None:
    before = gc.get_threshold()
    entered, may_end = threading.Event(), threading.Event()

    def other() -> None:
        with seldom_collected():
            entered.set()
            may_end.wait(10)

    thread = threading.Thread(target=other)
    with seldom_collected():
        thread.start()
        entered.wait(10)
    assert gc.get_threshold()[0] == max(OBJECTS, before[0])
    may_end.set()
    thread.join()
    assert gc.get_threshold() == before


@needs(FORK, has_fork())
def test_a_forked_child_does_not_wait_for_threads_of_its_parent() -> None:
    entered, may_end = threading.Event(), threading.Event()

    def other() -> None:
        with _RUNS.lock:
            entered.set()
            may_end.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    entered.wait(10)
    child = os.fork()
    if not child:
        with seldom_collected():
            os._exit(0)
    may_end.set()
    thread.join()
    for _ in range(100):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
