"""Fixtures of the simulator's tests: a cache of built programs, and kernels by the names of their files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from shine.simulator import Program, build
from tests import required_tools
from tests.simulator.corpus import KERNELS


@pytest.fixture(scope="session")
def programs(cache: Path) -> Callable[[str, bool], Program]:
    """Builds texts, or files of `kernels` by name, in the cache that tests share; equal texts are built once."""
    built: dict[tuple[str, bool], Program] = {}

    def program(text: str, check: bool = False) -> Program:
        if (text, check) not in built:
            source = (KERNELS / text).read_text(encoding="utf-8") if text.endswith(".cu") else text
            built[text, check] = build(source, check, cache=cache)
        return built[text, check]

    return program


@pytest.fixture(autouse=True)
def needs_a_compiler() -> None:
    if not required_tools.has_cxx():
        required_tools.skip_without(required_tools.CXX)
