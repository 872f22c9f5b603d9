"""Standard output and error of the command: closed, full, partly read, narrow, or with a limited encoding."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.processes import DOT, PATIENCE, SHINE, shine, shine_each
from tests.examples import in_whole, some
from tests.forks import ROOT, environment
from tests.required_tools import skip_without

FULL = Path("/dev/full")
NOT_UTF_8 = b"caf\xe9.rise"


@pytest.mark.parametrize("words", [["check", DOT], ["check", DOT, "--json"], ["list", "targets"], ["--help"]])
@pytest.mark.parametrize("kind", ["full", "closed"])
def test_output_that_cannot_be_written_is_an_error(words: list[str], kind: str) -> None:
    if kind == "full":
        if not FULL.exists():
            skip_without("a system with /dev/full")
        with FULL.open("wb") as nowhere:
            ran = shine(*words, stdout=nowhere)
    else:
        ran = shine(*words, closed=[1])
    assert ran.returncode == 1
    assert ran.stderr.startswith(b"error[output]: standard output cannot be written to: "), ran.stderr
    assert ran.stderr.count(b"\n") == 2


@pytest.mark.parametrize("words", [["list", "targets"], ["list", "targets", "--json"], ["--help"]])
def test_a_reader_that_stops_reading_ends_the_command_silently(words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ran = shine(*words, stdout=writer)
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (-signal.SIGPIPE, b"")


def test_the_exit_status_reports_errors_that_cannot_be_printed() -> None:
    assert shine("check", "nowhere.rise", closed=[1, 2]).returncode == 1


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": None}
GEMM = (
    "show",
    "examples/gemm.rise",
    "--stage",
    "derivation",
    "--strategy",
    "strategies.sequential:sequential",
)


ENCODINGS: dict[str, dict[str, str | None]] = {
    "locale": ASCII,
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
}


@pytest.mark.parametrize("name", some(ENCODINGS, 3))
def test_characters_that_the_encoding_lacks_are_escaped(name: str, tmp_path: Path) -> None:
    program = tmp_path / "\u2460.rise"
    program.write_bytes((ROOT / DOT).read_bytes())
    derivation, checked = shine_each(
        [GEMM, ["check", os.fsencode(program), "--json"]], environment(**ENCODINGS[name])
    )
    assert derivation.returncode == 0, derivation.stderr
    assert b"\\u2460" in derivation.stdout
    assert checked.returncode == 0, checked.stderr
    shown = json.loads(checked.stdout.decode("ascii"))["file"]
    assert os.fsencode(shown) == os.fsencode(program) or shown == str(program)


def test_undecodable_file_names_are_shown_unchanged(tmp_path: Path) -> None:
    place, made = (
        os.path.join(os.fsencode(tmp_path), NOT_UTF_8),
        os.path.join(os.fsencode(tmp_path), b"\xe9.c"),
    )
    try:
        with open(place, "wb") as file:
            file.write((ROOT / DOT).read_bytes())
    except OSError:
        skip_without("a file system whose names need not be text")
    commands = (["compile", place, "-o", made], ["check", place, "--json"], ["check", place + b".no"])
    compiled, checked, refused = shine_each(commands, environment(PYTHONUTF8="1"))
    assert compiled.returncode == 0 and compiled.stdout.endswith(made + b"\n"), compiled.stderr
    assert os.path.exists(made)
    assert os.fsencode(json.loads(checked.stdout)["file"]) == place
    assert refused.returncode == 1 and b"caf\\udce9.rise.no cannot be read" in refused.stderr


@pytest.mark.parametrize("columns", some(["0", "x", "1", "-3"], 2))
def test_a_terminal_without_a_width_shows_everything(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = shine("check", DOT, env=environment(COLUMNS=columns))
    assert ran.stdout == b"dot : {N: nat} -> N.f32 -> N.f32 -> f32\n"


@in_whole("test_undecodable_file_names_are_shown_unchanged")
def test_a_deleted_working_directory_does_not_matter(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    there = ["sh", "-c", 'mkdir -p "$0" && cd "$0" && rmdir "$0" && exec "$@"', str(gone)]
    numpys = subprocess.run(
        [*there, sys.executable, "-c", "import ml_dtypes"], capture_output=True, check=False
    )
    if numpys.returncode:  # with Python 3.13 it cannot be imported there
        return
    command = [*there, *SHINE, "check", str(ROOT / DOT)]
    ran = subprocess.run(command, env=environment(), capture_output=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 0, ran.stderr
