"""Runs Python programs in forks of one process that has imported our packages, which takes a second each time.

`run` is `subprocess.run` for commands of this Python. A fork differs from a new process in what is read before `main`:
what the interpreter, the loader and numpy take from the environment. A command that changes these variables is run in a
new process, and so are the tests of start-up. Independent of tests and of our functions.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from types import ModuleType, TracebackType
from typing import IO, Any, Final

ROOT: Final = Path(__file__).parents[1]
#: prefixes of the names of variables that are read when Python starts, or when one of its libraries is loaded
_EARLY: Final = ("PYTHON", "LC_", "LANG", "LD_", "OPENBLAS_", "OMP_", "GOMP_", "MKL_", "NPY_")
#: no threads, which forks lack
_ALONE: Final = {"OPENBLAS_NUM_THREADS": "1"}
#: what is imported once
_IMPORTED: Final = (
    "numpy.random",
    "rise.text.mistakes",
    "rise.text.parser",
    "shine.cli.catalogue",
    "shine.cli.check_derivation",
    "shine.cli.doctor",
    "shine.cli.explain",
    "shine.cli.main",
    "shine.cli.program_commands",
    "shine.cli.prove",
    "shine.cli.simulator_commands",
    "shine.cli.tune",
)
_STANDARD: Final = (0, 1, 2)
_LIMIT: Final = 1 << 20  # bytes of a message


def environment(**given: str | None) -> dict[str, str]:
    """The environment of this process, in which our packages are found, with these values; None removes a variable."""
    changed = {**os.environ, "PYTHONPATH": str(ROOT), **given}
    return {name: value for name, value in changed.items() if value is not None}


def run(
    command: Sequence[str | bytes],
    *,
    env: Mapping[str, str],
    cwd: str | Path = ROOT,
    stdout: int | IO[bytes] = subprocess.PIPE,
    timeout: float | None = None,
    closed: Sequence[int] = (),
) -> subprocess.CompletedProcess[bytes]:
    """Run `python -c TEXT`, `python -m MODULE` or `python FILE`, with arguments, without input.

    Returns what it wrote to standard error, and to standard output unless `stdout` redirects it. The standard streams
    in `closed` are closed when it starts. Raises TimeoutExpired after so many seconds.
    """
    assert command[0] == sys.executable
    if not _forks(env):
        closing = " ".join(f"{number}>&-" for number in closed)
        return subprocess.run(
            ["sh", "-c", f'exec "$@" {closing}', "sh", *command] if closed else command,
            env=env,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            timeout=timeout,
            check=False,
        )
    words = [os.fsdecode(word) for word in command[1:]]
    request = {"words": words, "env": dict(env), "cwd": str(cwd), "closed": list(closed)}
    with TemporaryFile() as out, TemporaryFile() as err, open(os.devnull, "rb") as nothing:
        kept = out if stdout == subprocess.PIPE else stdout
        places = [each if isinstance(each, int) else each.fileno() for each in (nothing, kept, err)]
        status = _ask(json.dumps(request).encode(), places, command, timeout)
        return subprocess.CompletedProcess(command, status, *(_read(file) for file in (out, err)))


def _read(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def _forks(env: Mapping[str, str]) -> bool:
    """Whether a command with this environment can run in a fork."""
    return sys.platform == "linux" and _early(env) == _early(environment())


def _early(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_EARLY)}


def _ask(message: bytes, places: list[int], command: Any, timeout: float | None) -> int:
    """Have the server run a program with these streams; its status, negative for a signal, as in `subprocess`."""
    assert len(message) < _LIMIT
    server = _server()
    server.settimeout(timeout)
    socket.send_fds(server, [message], places)
    process = int(server.recv(_LIMIT))
    try:
        return int(server.recv(_LIMIT))
    except TimeoutError:
        os.kill(process, signal.SIGKILL)
        server.settimeout(None)
        server.recv(_LIMIT)
        raise subprocess.TimeoutExpired(command, timeout or 0) from None


@cache
def _server() -> socket.socket:
    """The process that forks; it ends when this one does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.forks", str(theirs.fileno())],
        cwd=ROOT,
        env=environment(**_ALONE),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[theirs.fileno()],
        start_new_session=True,
    )
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _serve(parent: socket.socket) -> list[str]:
    """Fork for each request; returns in each child, with the words of its request."""
    while True:
        message, places, _, _ = socket.recv_fds(parent, _LIMIT, len(_STANDARD))
        if not message:
            sys.exit()
        child = os.fork()
        if child == 0:
            parent.close()
            for number, place in zip(_STANDARD, places, strict=True):
                os.dup2(place, number)
                os.close(place)
            request = json.loads(message)
            _open_streams(request["closed"])
            os.environ.clear()
            os.environ.update(request["env"])
            os.chdir(request["cwd"])
            words: list[str] = request["words"]
            return words
        for place in places:
            os.close(place)
        parent.send(b"%d" % child)
        parent.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _open_streams(closed: Sequence[int]) -> None:
    """Open the standard streams as Python does; whether they are seekable, for example, differs between forks."""
    for number, name, mode in zip(_STANDARD, ("stdin", "stdout", "stderr"), "rww", strict=True):
        old = getattr(sys, name)
        if number in closed:
            os.close(number)
            setattr(sys, name, None)
            setattr(sys, f"__{name}__", None)
            continue
        new = open(number, mode, encoding=old.encoding, errors=old.errors, closefd=False)  # noqa: SIM115 - for good
        if name == "stderr":
            new.reconfigure(line_buffering=True)
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)


def _become(words: list[str]) -> None:
    """Run the command that these words describe, as Python does."""
    match words:
        case ["-c", text, *_]:
            sys.argv = ["-c", *words[2:]]
            sys.path[0] = ""
            _execute(text, "<string>")
        case ["-m", module, *_]:
            sys.argv = words[1:]
            sys.path[0] = os.getcwd()
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case [file, *_]:
            assert not file.startswith("-"), f"the server knows no option {file}"
            sys.argv = words
            place = os.path.abspath(file)
            sys.path[0] = os.path.dirname(place)
            _execute(Path(place).read_bytes(), place, __file__=place)


def _execute(text: str | bytes, place: str, **names: str) -> None:
    """Execute a text in a new main module that has these names."""
    main = sys.modules["__main__"] = ModuleType("__main__")
    vars(main).update(names)
    exec(compile(text, place, "exec"), vars(main))


def _above(error: Exception) -> TracebackType | None:
    """The traceback without the frames between Python and the program."""
    at = error.__traceback__
    while at and at.tb_frame.f_code.co_filename == __file__:
        at = at.tb_next
    return at


if __name__ == "__main__":
    for name in _IMPORTED:
        import_module(name)
    given = _serve(socket.socket(fileno=int(sys.argv[1])))
    try:
        _become(given)
    except Exception as error:
        shown = error.with_traceback(_above(error))
        sys.excepthook(type(shown), shown, shown.__traceback__)
        sys.exit(1)
