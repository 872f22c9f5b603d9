"""Ctrl-C: the command exits with 130, silently, and leaves no partial files, whatever it is doing."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.cli.processes import DOT, PATIENCE, SHINE, set_interrupts
from tests.examples import some
from tests.forks import ROOT, environment

#: sums generated numbers for hours, without storing an array
LONG = """
val main = fun(a: f32 =>
  generate(fun(i: idx[1000000000000000] => a * cast{f32}(indexAsInt(i)))) |> reduceSeq(fun(x, y => x / y + x), 0.0))
"""


def interrupted(process: subprocess.Popen[bytes], begun: Callable[[], bool]) -> tuple[int, bytes]:
    """Interrupt a process as soon as a condition holds; returns its status, and its output to standard error."""
    while not begun() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    try:
        _, said = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        pytest.fail("it goes on")
    return process.returncode, said


def start(*words: str, interrupts: bool = True, **variables: str) -> subprocess.Popen[bytes]:
    """Start the command; without `interrupts` it ignores them."""
    return subprocess.Popen(
        [*SHINE, *words],
        cwd=ROOT,
        env=environment(PYTHONUNBUFFERED="1", **variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=partial(set_interrupts, interrupts),
    )


@pytest.mark.parametrize("loaded", some(["numpy", "lark", "typer"], 5))
def test_an_interrupt_while_packages_are_loaded(loaded: str, tmp_path: Path) -> None:
    """A package on the path signals when it is imported, and then is slow."""
    begun = tmp_path / "begun"
    package = tmp_path / loaded
    package.mkdir()
    text = f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\ntime.sleep(600)\n"
    (package / "__init__.py").write_text(text, encoding="utf-8")
    process = start("check", DOT, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert interrupted(process, begun.exists) == (130, b"")


def test_an_interrupt_while_it_compiles(tmp_path: Path) -> None:
    begun, cache = tmp_path / "begun", tmp_path / "cache"
    cc = tmp_path / "cc"
    text = f'#!/bin/sh\ncase "$*" in *try.c*) exec gcc "$@";; esac\ntouch {begun}\nexec sleep 600\n'
    cc.write_text(text, encoding="utf-8")
    cc.chmod(0o700)
    output = tmp_path / "dot.so"
    process = start("compile", DOT, "-o", str(output), "-O", f"cc={cc}", "-O", f"cache={cache}")
    assert interrupted(process, begun.exists) == (130, b"")
    assert not output.exists()
    assert [path.suffix for path in sorted(cache.iterdir())] == [".json", ""]


def test_a_process_that_ignores_interrupts_continues(tmp_path: Path) -> None:
    """Processes that a shell script starts in the background ignore interrupts."""
    begun, cc, output = tmp_path / "begun", tmp_path / "cc", tmp_path / "dot.so"
    wait = f"while ! [ -e {tmp_path}/go ]; do sleep 0.05; done"
    text = f'#!/bin/sh\ncase "$*" in *try.c*) ;; *) touch {begun}; {wait};; esac\nexec gcc "$@"\n'
    cc.write_text(text, encoding="utf-8")
    cc.chmod(0o700)
    options = ("-O", f"cc={cc}", "-O", f"cache={tmp_path / 'cache'}")
    process = start("compile", DOT, "-o", str(output), *options, interrupts=False)
    while not begun.exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    (tmp_path / "go").touch()
    _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (0, b"")
    assert output.exists()


@pytest.mark.parametrize("target", some(["openmp", "cuda-sim", "interpret"], 3))
def test_an_interrupt_while_a_kernel_runs(target: str, tmp_path: Path) -> None:
    program = tmp_path / "long.rise"
    program.write_text(LONG, encoding="utf-8")
    output = tmp_path / "result.npy"
    words = ["run", str(program), "--output", str(output), "--target", target]
    process = start(*words, "--strategy", "strategies.sequential:sequential")
    assert process.stdout is not None
    seen = b""
    while b"inputs: random" not in seen and process.poll() is None:
        seen += process.stdout.readline()
    time.sleep(0.5)  # the kernel starts in the next line of the program: an earlier interrupt would test less
    status, said = interrupted(process, lambda: True)
    assert (status, said) == (130, b""), seen
    assert sorted(path.name for path in tmp_path.iterdir()) == ["long.rise"]
