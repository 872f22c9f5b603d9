"""A program that is run in a fork behaves as in a new process. Independent of examples and the command."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forks import ROOT, environment, run

FORKED = "import sys; print('shine.cli.main' in sys.modules)"
PROGRAMS = {
    "streams": "import sys; print('out \\u2460'); print('err', file=sys.stderr); print(repr(sys.stdin.read()))",
    "words": "import sys; print(sys.argv, sys.path[0], __name__, __import__('__main__').__dict__.keys() >= {'sys'})",
    "place": "import os; print(os.getcwd(), sorted(os.environ.items()))",
    "status": "raise SystemExit(3)",
    "said": "raise SystemExit('why')",
    "error": "def f():\n  raise ValueError('no')\nf()",
    "killed": "import os; os.kill(os.getpid(), 9)",
    "signals": "import signal; print([signal.getsignal(each) for each in (2, 13, 15)])",
    "files": "import os; print(sorted(os.listdir('/proc/self/fd')))",
    "threads": "import os; print(len(os.listdir('/proc/self/task')))",
    "at the end": "import atexit; atexit.register(print, 'last'); print('first')",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_fork_behaves_like_a_new_process(program: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", program, "a", "\udce9 b"]
    env = environment(SAID="so")
    process = subprocess.run(
        command, cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    fork = run(command, cwd=tmp_path, env=env)
    assert (fork.returncode, fork.stdout) == (process.returncode, process.stdout)
    assert without_source(fork.stderr) == without_source(process.stderr)


def without_source(stderr: bytes) -> list[bytes]:
    """The lines of a traceback without those of the program, which Python 3.13 knows even if it is an argument."""
    return [line for line in stderr.split(b"\n") if not line.startswith(b"    ")]


@pytest.mark.parametrize("closed", [(1,), (1, 2), (0, 2)])
def test_a_fork_has_the_closed_streams_of_a_new_process(closed: tuple[int, ...], tmp_path: Path) -> None:
    text = "import sys; print([one is None for one in (sys.stdin, sys.stdout, sys.__stderr__)], file=open('seen', 'w'))"
    command = [sys.executable, "-c", f"{text}; print(1); print(2, file=sys.stderr)"]
    seen = []
    for env in (environment(), environment(PYTHONUTF8="1")):
        ran = run(command, cwd=tmp_path, env=env, closed=closed)
        seen.append((ran.returncode, ran.stdout, ran.stderr, (tmp_path / "seen").read_text()))
    assert seen[0] == seen[1]
    assert seen[0][3] == f"{[number in closed for number in (0, 1, 2)]}\n"


def test_files_and_modules_are_run_as_programs(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("word = 'beside'")
    program = tmp_path / "program.py"
    program.write_text("import sys, beside\nprint(beside.word, __name__, __file__, sys.argv)\n1 / 0\n")
    for words in (["program.py", "x"], [str(program)]):
        command = [sys.executable, *words]
        process = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=False)
        fork = run(command, cwd=tmp_path, env=environment())
        assert (fork.returncode, fork.stdout, fork.stderr) == (1, process.stdout, process.stderr)
    command = [sys.executable, "-m", "program", "x"]
    process = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=False)
    assert run(command, cwd=tmp_path, env=environment()).stdout == process.stdout != b""


def test_only_what_python_reads_early_needs_a_new_process() -> None:
    command = [sys.executable, "-c", FORKED]
    forks = sys.platform == "linux"
    assert run(command, env=environment(SHINE_SAID="so")).stdout == f"{forks}\n".encode()
    assert run(command, env=environment(PYTHONUTF8="1")).stdout == b"False\n"
    assert run(command, env=environment(OMP_NUM_THREADS="1")).stdout == b"False\n"


def test_programs_do_not_affect_later_ones() -> None:
    change = "import os, numpy; numpy.changed = 1; os.environ['CHANGED'] = '1'; os.chdir('/')"
    assert run([sys.executable, "-c", change], env=environment()).returncode == 0
    look = "import os, numpy; print(hasattr(numpy, 'changed'), 'CHANGED' in os.environ, os.getcwd())"
    assert run([sys.executable, "-c", look], env=environment()).stdout == f"False False {ROOT}\n".encode()


def test_a_program_that_exceeds_its_time_is_killed_and_others_can_follow() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run([sys.executable, "-c", "import time; time.sleep(600)"], env=environment(), timeout=0.2)
    assert run([sys.executable, "-c", "print(1)"], env=environment(), timeout=60).stdout == b"1\n"


def test_a_given_stream_is_written_to() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    text = f"import signal; signal.signal({signal.SIGPIPE.value}, signal.SIG_DFL); print(1, flush=True)"
    ran = run([sys.executable, "-c", text], env=environment(), stdout=writer)
    os.close(writer)
    assert ran.returncode == (-signal.SIGPIPE)
