"""The kernels that are built: all that are not templates, and the requested instances of templates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rise.diagnostics import Diagnostic, did_you_mean
from shine.simulator.model import SimulatorError
from shine.simulator.text import KernelText, arguments_of_template, names_of_template

_INSTANCE: Final = re.compile(r"([\w:]+)\s*<([\w\s:<>,.+*/%()'&|!=~-]*)>")


def chosen_kernels(kernels: Sequence[KernelText], names: Sequence[str]) -> tuple[KernelText, ...]:
    """The kernels to build. A kernel is chosen by its name, with or without namespaces; a template needs arguments.

    Raises SimulatorError for a name that the text lacks, and for a template without arguments.
    """
    built = [kernel for kernel in kernels if not kernel.is_template]
    for name in names:
        match = _INSTANCE.fullmatch(name.strip())
        base = match[1] if match else name.strip()
        found = [kernel for kernel in kernels if base in (kernel.name, kernel.function)]
        if len(found) != 1:
            raise unknown_kernel(name, kernels)
        (kernel,) = found
        if kernel.is_template != (match is not None):
            wanted = (
                f"the template `{kernel.name}` with arguments"
                if kernel.is_template
                else f"`{kernel.name}`, no template"
            )
            hint = f"for example `{kernel.name}<256>`" if kernel.is_template else f"name it `{kernel.name}`"
            title = f"expected {wanted}, found `{name}`"
            raise SimulatorError(Diagnostic("unknown-kernel", title, hint=hint))
        if match is not None:
            instance = replace(
                kernel,
                name=f"{kernel.name}<{' '.join(match[2].split())}>",
                is_template=False,
                cluster=_with_arguments(kernel, match[2]),
            )
            if instance not in built:
                built.append(instance)
    return tuple(built)


def _with_arguments(kernel: KernelText, arguments: str) -> str:
    """The cluster sizes of an instance, with the template's parameters replaced."""
    given = arguments_of_template(arguments)
    values = {
        name: given[i] if i < len(given) else default
        for i, (name, default) in enumerate(names_of_template(kernel.template))
    }
    return re.sub(
        r"\w+", lambda word: f"({values[word[0]]})" if word[0] in values else word[0], kernel.cluster
    )


def kernel_number(name: str, kernels: Sequence[KernelText]) -> int:
    """Which of the kernels has this name, with or without its namespaces; blanks do not count.

    Raises SimulatorError if none has, or several.
    """

    def squeezed(text: str) -> str:
        return re.sub(r"\s+", "", text)

    wanted = squeezed(name)
    exact = [i for i, kernel in enumerate(kernels) if squeezed(kernel.name) == wanted]
    found = exact or [
        i
        for i, kernel in enumerate(kernels)
        if squeezed(re.sub(r"^[\w:]*::(?=\w+(?:<|$))", "", kernel.name)) == wanted
    ]
    if len(found) != 1:
        raise unknown_kernel(name, kernels)
    return found[0]


def unknown_kernel(name: str, kernels: Sequence[KernelText]) -> SimulatorError:
    """The error of a name that is none of these kernels'."""
    names = [kernel.name for kernel in kernels]
    title = f"expected one of the kernels {', '.join(names)}, found `{name}`"
    return SimulatorError(
        Diagnostic("unknown-kernel", title, hint=did_you_mean(name, names) or "name one of them")
    )
