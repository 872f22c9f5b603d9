"""Laws of passes: all are records in the list of a target, and a target runs those that its options enable.

Independent of individual passes.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

import rise
import shine.passes
from shine.imperative.kernels import GpuProgram
from shine.imperative.nodes import Procedure
from shine.kernel import Kernel
from shine.passes.record import Pass, Program, Settings, changing
from shine.targets import TARGETS
from shine.targets.target import Target, switches
from shine.translate import GPU_LEVELS, translate
from tests.cli.commands import shine as command
from tests.shine.procedures import axpy

#: by the threads of a grid, which `interpret` also has
DOUBLED = "val doubled = fun(xs: N.f32 => xs |> mapGlobal(0, fun(x => x + x)))"


#: the passes that no option switches, besides checks: a target cannot print or run their input
NEEDED = {
    "expand_fragments",
    "split_kernels",
    "choose_launch",
    "choose_memory",
    "expand_global",
    "expand_shared",
    "distribute_matrices",
    "distribute_registers",
    "store_once",
    "keep_copies",
    "place_barriers",
    "await_copies",
    "lay_out_shared",
}
CHECKS = ("check_", "refuse_")


def modules() -> Iterator[ModuleType]:
    """The files of passes: for all targets, for CPUs, and for GPUs."""
    for one in pkgutil.walk_packages(shine.passes.__path__, "shine.passes."):
        if not one.ispkg:
            yield importlib.import_module(one.name)


def main_functions(found: Sequence[ModuleType]) -> set[str]:
    """The functions that files are named after, except those that are part of another file's pass."""
    names: set[str] = set()
    for home in found:
        name = home.__name__.rpartition(".")[2]
        main = getattr(home, name, None)
        others = (one for one in found if one is not home)
        if inspect.isfunction(main) and not any(vars(one).get(name) is main for one in others):
            names.add(name)
    return names


def listed() -> set[str]:
    return {one.name for target in TARGETS.values() for one in target.passes}


def test_every_function_that_a_file_of_passes_is_named_after_is_a_pass_of_a_target() -> None:
    files = list(modules())
    assert {name.split(".")[2] for name in (one.__name__ for one in files)} > {"cpu", "gpu"}
    found = main_functions(files)
    assert len(found) > 20
    assert found <= listed()


def test_a_function_that_no_target_lists_is_found() -> None:
    made = ModuleType("shine.passes.reverse_loops")
    made.reverse_loops = lambda procedure: procedure  # type: ignore[attr-defined]  # as a file would define it
    assert main_functions([made]) == {"reverse_loops"}
    assert not main_functions([made]) <= listed()
    caller = ModuleType("shine.passes.caller")
    vars(caller).update(vars(made))
    assert main_functions([made, caller]) == set()


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda one: one.name)
def test_every_pass_is_a_record_that_is_listed(target: Target) -> None:
    names = [one.name for one in target.passes]
    assert names and len(set(names)) == len(names)
    assert all(one.why.endswith(".") for one in target.passes)
    facts = command("list", "passes", "--json").facts["passes"]
    found = [(one["name"], one["why"], one["option"]) for one in facts if target.name in one["targets"]]
    assert found == [(one.name, one.why, one.option or None) for one in target.passes]


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda one: one.name)
def test_the_options_of_a_target_are_its_own_and_those_of_its_passes(target: Target) -> None:
    switching = {one.option for one in target.passes if one.option}
    assert {one.name for one in target.options} == {one.name for one in target.settings} | switching
    defaults = target.complete({})
    assert all(defaults[one.option] is one.default for one in target.passes if one.option)


def test_passes_that_are_not_needed_have_an_option() -> None:
    passes = [one for target in TARGETS.values() for one in target.passes]
    unswitched = {one.name for one in passes if not one.option and not one.name.startswith(CHECKS)}
    assert unswitched == NEEDED


class Ran(Exception):
    """Raised at the point where a program would be built, after all passes."""


def spied(target: Target) -> tuple[Target, list[str]]:
    """The target with passes that record that they run, and that does not build anything."""
    ran: list[str] = []

    def noting(one: Pass) -> Pass:
        def apply(program: Program, settings: Settings) -> Program:
            ran.append(one.name)
            return one.apply(program, settings)

        return replace(one, apply=apply)

    def build(program: Any, options: Settings) -> Any:
        raise Ran(program)

    return replace(target, passes=tuple(map(noting, target.passes)), build=build), ran


def settings_of(target: Target) -> list[dict[str, bool]]:
    """All switches at their defaults, all on, all off, and each one separately off and on."""
    names = [one.name for one in switches(target.passes)]
    every = [dict.fromkeys(names, value) for value in (True, False)]
    return [{}, *every, *({name: value} for name in names for value in (True, False))]


def procedure_for(target: Target) -> Procedure:
    return (
        axpy()
        if target.levels.isdisjoint(GPU_LEVELS)
        else translate(rise.parse(DOUBLED).main, "doubled", GPU_LEVELS)
    )


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda one: one.name)
def test_a_target_runs_exactly_the_passes_that_are_on(target: Target) -> None:
    given = procedure_for(target)
    for options in settings_of(target):
        watched, ran = spied(target)
        with pytest.raises(Ran) as stopped:
            Kernel(given, watched, options)
        complete = target.complete(options)
        assert ran == [one.name for one in target.passes if not one.option or complete[one.option]]
        built = stopped.value.args[0]
        ran.clear()
        *_, (_, last) = watched.steps(given, options)
        assert last == built, "the passes that are shown are those that build"
        text, _ = watched.outlined(given, options)
        assert text == target.outline(built, target.settle(complete))[0]
        assert isinstance(built, GpuProgram) == (target.passes == TARGETS["cuda"].passes)


def test_passes_that_share_an_option_share_its_default() -> None:
    def keep(procedure: Procedure) -> Procedure:
        return procedure

    on, off = (changing(keep, "No reason.", "kept", default) for default in (True, False))
    assert [(one.name, one.default) for one in switches((on, on))] == [("kept", True)]
    with pytest.raises(AssertionError, match="differ in its default"):
        switches((on, off))
