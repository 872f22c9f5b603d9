"""The first hour of a user without a copy of this repository: `make first-hour`.

Makes a source distribution, lets pip build a wheel from it and install it into a fresh environment in a temporary
folder, and runs docs/first_hour.md and docs/functions.md there. Needs the package index for dependencies.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
EXTRA: Final = "testing"
PAGES: Final = ("docs/functions.md", "docs/first_hour.md")
#: what the source distribution contains besides the packages, so that developers can work on it
COMPLETE: Final = (
    "Makefile",
    "CONTRIBUTING.md",
    "tests/test_docs.py",
    "docs/tutorial.md",
    "examples/mm.rise",
    "tools",
)
SDIST: Final = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"
RUN: Final = """
import sys
from pathlib import Path
import rise
assert Path(rise.__file__).is_relative_to(sys.prefix), rise.__file__
sys.path.append(".")
from tests.test_docs import failures
for page in map(Path, sys.argv[1:]):
    found = failures(page, Path.cwd())
    print(page.name, "is true" if not found else "\\n".join(found))
    if found:
        sys.exit(1)
"""


def main() -> None:
    """Install and run. The exit status is 1 if a page does not describe what was installed."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        archive = source_distribution(place)
        python = environment(place / "fresh")
        say(f"pip install '{archive.name}[{EXTRA}]'")
        run(python, "-m", "pip", "install", "-qq", f"{archive}[{EXTRA}]", "pytest", at=place)
        work = place / "work"
        work.mkdir()
        copy_tests(archive, work)
        run(python, "-c", RUN, *(str(ROOT / page) for page in PAGES), at=work)


def source_distribution(place: Path) -> Path:
    """The archive of this folder, made by the build backend that pyproject.toml names."""
    python = environment(place / "build")
    run(python, "-m", "pip", "install", "-qq", "setuptools>=77", at=place)
    say("making the source distribution")
    name = run(python, "-c", SDIST, str(place), at=ROOT).splitlines()[-1]
    archive = place / name
    with tarfile.open(archive) as content:
        held = {member.partition("/")[2] for member in content.getnames()}
    absent = [path for path in COMPLETE if path not in held]
    if absent:
        sys.exit(f"error: the source distribution lacks {', '.join(absent)}")
    return archive


def copy_tests(archive: Path, place: Path) -> None:
    """Copy the tests in the archive, one of which runs pages, but not the packages that they test."""
    with tarfile.open(archive) as content:
        for member in content.getmembers():
            path = member.name.partition("/")[2]
            file = content.extractfile(member)
            if file is not None and path.startswith("tests/") and path.endswith(".py"):
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                (place / path).write_bytes(file.read())


def environment(place: Path) -> str:
    """The Python of a new virtual environment."""
    run(sys.executable, "-m", "venv", str(place), at=ROOT)
    return str(place / "bin" / "python")


def run(*command: str, at: Path) -> str:
    """The output of a command in a folder, without this repository on the path. Exits if the command fails."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    clean["PATH"] = os.pathsep.join((str(Path(command[0]).parent), clean.get("PATH", "")))
    ran = subprocess.run(command, cwd=at, env=clean, stdout=subprocess.PIPE, text=True, check=False)
    if "-m" not in command:
        say(ran.stdout.strip())
    if ran.returncode:
        sys.exit(ran.returncode)
    return ran.stdout


def say(text: str) -> None:
    """Print a line, and flush the output."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
