"""The documentation is correct: the code in README.md and docs/ is run. Independent of pages.

Blocks of one page run in order, the Python ones in one namespace:

- python: executed; a block with `>>>` is a doctest, where `...` stands for anything. `python skip` is not
  run.
- console, sh: lines `$ shine ...` and `$ python ...` are run in the repository's root, and the lines below
  each are compared with what it prints, where `...` stands for anything. A command shown to fail prints a
  line that begins with `error`. Blocks of sh without `$` are set-up, and are not run. `shine` alone runs in
  this process, which saves starting Python fifty times; what needs a shell, and `python`, in their own.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest

from shine.cli.main import main
from tests import required_tools
from tests.cli.machines import without_compiler
from tests.examples import SAMPLED, some

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"( *)(```+)(.*)")
RUNNABLE = re.compile(r"(shine|python)( |$)")
#: pages that need a package of an extra
NEEDED: Final = {
    "docs/pytorch.md": ("torch", required_tools.TORCH),
    "docs/jax.md": ("jax", required_tools.JAX),
}
#: pages whose CUDA texts a compiler accepts, if there is one; in `whole`, those of all pages
COMPILED: Final = ("README.md",)
OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
SECONDS = 300
FOR_A_SHELL = re.compile(r"[|&;<>$`*?(){}\[\]~#!]")
QUOTED = re.compile(r"'[^']*'")
#: a terminal of this width without colours
PLAIN: Final = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: the text after the fence, its contents, and the line at which these begin."""

    kind: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, without the indentation of the fence."""
    opened: tuple[str, str, str, int] | None = None
    body: list[str] = []
    for number, line in enumerate(page.split("\n"), 1):
        fence = FENCE.fullmatch(line)
        match opened:
            case None if fence:
                opened, body = (fence[1], fence[2], fence[3].strip(), number + 1), []
            case (_, ticks, kind, start) if fence and fence[2] == ticks and not fence[3].strip():
                yield Block(kind, "".join(f"{each}\n" for each in body), start)
                opened = None
            case (indent, _, _, _):
                body.append(line.removeprefix(indent))
    assert opened is None, f"the block that begins at line {opened[3]} is not closed"


def failures(page: Path, root: Path) -> list[str]:
    """Run a page; returns what differs from it, each with its line."""
    names: dict[str, Any] = {"__name__": "docs"}
    found = []
    for block in blocks(page.read_text(encoding="utf-8")):
        match block.kind:
            case "python" | "py" | "pycon":
                found += run_python(block, names, str(page))
            case "console" | "sh" | "bash" | "shell":
                found += run_console(block, root)
    return [f"{page.name}:{each}" for each in found]


def run_python(block: Block, names: dict[str, Any], page: str) -> list[str]:
    if ">>>" in block.text:
        test = doctest.DocTestParser().get_doctest(block.text, names, page, page, block.line - 1)
        said: list[str] = []
        doctest.DocTestRunner(verbose=False, optionflags=OPTIONS).run(
            test, out=said.append, clear_globs=False
        )
        names.update(test.globs)
        return [f"{block.line}: {''.join(said)}"] if said else []
    try:
        exec(compile("\n" * (block.line - 1) + block.text, page, "exec"), names)
    except Exception as error:  # whatever the code of a page raises is reported
        at = error.__traceback__ and error.__traceback__.tb_next
        return [f"{at.tb_lineno if at else block.line}: {type(error).__name__}: {error}"]
    return []


def run_console(block: Block, root: Path) -> list[str]:
    """Run the commands of a block; an entry is a `$` line, its continuations, and the output below it."""
    found = []
    for entry in re.finditer(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
        command, expected = entry[1], entry[2]
        line = block.line + block.text[: entry.start()].count("\n")
        if not RUNNABLE.match(command):
            found.append(
                f"{line}: `{command}` is shown as run, and only shine and python are: write it without $"
            )
            continue
        status, printed = run_command(command, root)
        if expected.strip() and not doctest.OutputChecker().check_output(expected, printed, OPTIONS):
            found.append(f"{line}: `{command}` printed\n{printed}instead of\n{expected}")
        elif (status != 0) != bool(re.search(r"^error", expected, re.MULTILINE)):
            found.append(f"{line}: `{command}` ended with status {status}\n{printed}")
    return found


def run_command(command: str, root: Path) -> tuple[int, str]:
    """The exit status and all output of a command, as a user with the virtual environment sees it."""
    alone = command.startswith("shine ") and not FOR_A_SHELL.search(QUOTED.sub("", command))
    status, printed = run_here(command, root) if alone else run_in_a_shell(command, root)
    return status, "".join(f"{line.rstrip()}\n" for line in printed.splitlines())


def run_here(command: str, root: Path) -> tuple[int, str]:
    """Run the command `shine` in this process."""
    said = StringIO()
    _, *words = shlex.split(command.replace("\\\n", " "))
    with chdir(root), patch.dict(os.environ, PLAIN), redirect_stdout(said), redirect_stderr(said):
        return main(words), said.getvalue()


def run_in_a_shell(command: str, root: Path) -> tuple[int, str]:
    """Run any command, in a separate process."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=root,
        env={**os.environ, **PLAIN, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_page_is_correct(page: Path) -> None:
    package, tool = NEEDED.get(page.relative_to(ROOT).as_posix(), ("pytest", ""))
    if not required_tools.has_module(package):
        required_tools.skip_without(tool)
    is_compiled = not SAMPLED or page.name in COMPILED
    with nullcontext() if is_compiled else without_compiler():
        found = failures(page, ROOT)
    assert not found, "\n".join(found)


LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def broken_links(page: Path) -> list[str]:
    """Links of a page to missing files and headings."""
    found = []
    text = page.read_text(encoding="utf-8")
    for target, heading in LINK.findall(CODE.sub(lambda code: "`" * code[0].count("`"), text)):
        path = (page.parent / target) if target else page
        if "://" in target:
            continue
        if not path.exists():
            found.append(target)
        elif heading and heading not in headings(path.read_text(encoding="utf-8")):
            found.append(f"{target}#{heading}")
    return found


def headings(text: str) -> set[str]:
    """The names by which links refer to the headings of a page."""
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_are_valid(page: Path) -> None:
    assert broken_links(page) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A `word`, two\n[a](page.md) [b](#a-word-two) [c](gone.md) [`d`](#gone)\n`[e](x)`", encoding="utf-8"
    )
    assert broken_links(page) == ["gone.md", "#gone"]


LIES = [
    "```python\n1 / 0\n```",
    "```python\nx = 1\n```\ntext\n```python\nassert x == 2\n```",
    "```python\n>>> 1 + 1\n3\n```",
    "```python\n>>> x = 1\n```\n```python\nassert x == 2\n```",
    "1. a list\n   ```python\n   assert False\n   ```",
    "```python\nsyntax error\n```",
    "```console\n$ python -c 'print(1)'\n2\n```",
    "```console\n$ python -c 'print(1)'\n1\n$ python -c 'print(2)'\n1\n```",
    "```sh\n$ python -c 'print(1)'\n2\n```",
    "```console\n$ python -c 'raise SystemExit(1)'\n```",
    "```console\n$ python -c 'print(\"error: no\")'\nerror: no\n```",
    "```console\n$ make test\n```",
    "```console\n$ pythonic\n```",
]

TRUTHS = [
    "no block at all",
    "```python\nx = 1\n```\ntext\n```python\nassert x == 1\n```",
    "```python\n>>> x = 2\n>>> x\n2\n>>> list(range(99))\n[0, ..., 98]\n```\n```python\nassert x == 2\n```",
    "```python skip\n1 / 0\n```",
    "```sh\nmake test\n```",
    "````md\n```python\n1 / 0\n```\n````",
    "```console\n$ python -c 'print(1); print(2); print(3)'\n1\n...\n3\n```",
    "```console\n$ python -c \\\n  'print(1)'\n1\n```",
    "```console\n$ python -c 'print(\"error: no\"); raise SystemExit(1)'\nerror: no\n```",
    "```console\n$ python -c 'print(1)'\n```",
]


def write(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(text + "\n", encoding="utf-8")
    return page


@pytest.mark.parametrize("text", LIES)
def test_a_wrong_page_is_found(tmp_path: Path, text: str) -> None:
    assert failures(write(tmp_path, text), tmp_path) != []


@pytest.mark.parametrize("text", TRUTHS)
def test_a_correct_page_passes(tmp_path: Path, text: str) -> None:
    assert failures(write(tmp_path, text), tmp_path) == []


@pytest.mark.parametrize(
    "command",
    some(
        ["shine explain \\\n  examples/none.rise", "shine check 'examples/dot.rise' --json", "shine list"],
        apart=3,
        first=1,
    ),
)
def test_a_command_is_the_same_in_this_process(command: str) -> None:
    """The output on both streams, and the status."""
    assert run_here(command, ROOT) == run_in_a_shell(command, ROOT)


def test_a_failure_names_the_line(tmp_path: Path) -> None:
    page = write(tmp_path, "# Title\n\n```python\nx = 1\nassert x == 2\n```")
    assert failures(page, tmp_path) == ["page.md:5: AssertionError: "]
