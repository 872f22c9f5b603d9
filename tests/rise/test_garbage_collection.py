"""Python's cyclic garbage collector is off while a text is read or printed, and as before afterwards."""

import gc
import os
import sys
import weakref
from collections.abc import Callable

import pytest

import rise
from rise import garbage_collection as module
from rise.garbage_collection import collections_off, new_objects_spared
from tests import forks, required_tools


def passes_alone(test: Callable[[pytest.MonkeyPatch], None]) -> Callable[[], None]:
    """A test that runs in a separate process, since full collections of all objects of the tests take seconds."""

    def run() -> None:
        call = f"with pytest.MonkeyPatch.context() as patch: module.{test.__name__}.alone(patch)"
        text = f"import pytest; import tests.rise.test_garbage_collection as module\n{call}"
        ran = forks.run([sys.executable, "-c", text], env=forks.environment())
        assert ran.returncode == 0, ran.stderr.decode()

    run.alone = test  # type: ignore[attr-defined]  # what the process calls
    return run


def collections(text: str) -> int:
    """The number of collections while a text was read and printed."""
    runs = 0

    def notice(phase: str, info: object) -> None:
        nonlocal runs
        runs += phase == "start"

    gc.callbacks.append(notice)
    try:
        rise.show(rise.parse(text).main)
        rise.parse_expr(text)
    finally:
        gc.callbacks.remove(notice)
    return runs


def test_nothing_is_collected_while_a_text_is_read_and_printed() -> None:
    short, long = (f"[{', '.join(['[1, 2]'] * count)}]" for count in (1, 300))
    collections(short)
    assert collections(long) <= collections(short) + 2  # at most one after each
    assert gc.isenabled()


def test_the_collector_is_on_again_after_an_error() -> None:
    with pytest.raises(rise.RiseError):
        rise.parse("fun(x => y)")
    assert gc.isenabled()


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        rise.parse("1.0")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_nested_uses_end_with_the_outermost() -> None:
    with collections_off():
        with collections_off():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


@required_tools.needs(required_tools.FORK, required_tools.has_fork())
def test_it_is_on_in_a_forked_child() -> None:
    with collections_off():
        child = os.fork()
        if child == 0:
            os._exit(0 if gc.isenabled() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@passes_alone
def test_garbage_of_long_work_is_collected_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Knot:
        """An object that refers to itself."""

        def __init__(self) -> None:
            self.itself = self

    monkeypatch.setattr(module, "_MANY_OBJECTS", 100)
    monkeypatch.setattr(module, "_MOST_UNSEEN_OBJECTS", 5_000)
    module._made_since_full_collection.clear()
    alive: list[weakref.ref[Knot]] = []
    most = 0
    for _ in range(50):
        with collections_off():
            alive += [weakref.ref(Knot()) for _ in range(500)]
        most = max(most, sum(knot() is not None for knot in alive))
    assert 500 < most <= 5_500  # not after each, but before there are more


@passes_alone
def test_objects_that_a_caller_froze_stay_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MANY_OBJECTS", 100)
    gc.freeze()
    frozen = gc.get_freeze_count()
    with collections_off():
        kept = [[number] for number in range(100_000)]
    assert abs(gc.get_freeze_count() - frozen) < len(kept) / 2  # some frozen objects may be freed meanwhile


@passes_alone
def test_objects_of_work_that_is_seldom_collected_are_spared_the_next_collection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_MANY_OBJECTS", 100)
    usual = gc.get_threshold()
    gc.set_threshold(1_500_000, *usual[1:])
    gc.unfreeze()
    gc.collect()
    module._made_since_full_collection.clear()
    try:
        with new_objects_spared():
            kept = [[number] for number in range(1_000)]
            with collections_off():
                kept += [[number] for number in range(1_000)]
            kept += [[number] for number in range(1_000)]
        young = {id(each) for each in gc.get_objects(0)}
        assert young.isdisjoint(map(id, kept))
        once, again = module._made_since_full_collection
        assert 900 < once < 1_500 and 900 < again < 1_500
    finally:
        gc.set_threshold(*usual)


@passes_alone
def test_short_work_does_not_count_frozen_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting visits each object, however many were created before."""
    counted: list[None] = []
    monkeypatch.setattr(module, "_MANY_OBJECTS", 100)
    monkeypatch.setattr(gc, "get_freeze_count", lambda: counted.append(None) or 1)
    usual = gc.get_threshold()
    gc.set_threshold(1_500_000, *usual[1:])
    try:
        before = [[number] for number in range(1_000)]
        with collections_off():
            pass
        assert counted == [] and len(before) == 1_000
        with collections_off():
            meanwhile = [[number] for number in range(1_000)]
        assert counted == [None] and len(meanwhile) == 1_000
    finally:
        gc.set_threshold(*usual)
