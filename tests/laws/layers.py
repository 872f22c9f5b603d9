"""The packages that a module may import, and the layers in each package. Contains only names."""

from collections.abc import Mapping

PACKAGES = ("elevate", "rise", "strategies", "shine")

# The longest prefix of a module's name applies. Every module may import the standard library.
MAY_IMPORT: Mapping[str, frozenset[str]] = {
    "elevate": frozenset({"elevate"}),
    "elevate.testing": frozenset({"elevate", "hypothesis"}),
    "rise": frozenset({"rise", "numpy", "lark", "ml_dtypes"}),
    "rise.testing": frozenset({"rise", "numpy", "lark", "ml_dtypes", "hypothesis"}),
    "strategies": frozenset({"strategies", "rise", "elevate"}),
    "strategies.pytest_plugin": frozenset({"pytest"}),
    "strategies.proof.scalars": frozenset({"strategies", "rise", "z3"}),
    "strategies.testing": frozenset({"strategies", "rise", "elevate", "hypothesis"}),
    "shine": frozenset({"shine", "rise", "numpy"}),
    "shine.targets.cuda.loader": frozenset({"shine", "rise", "numpy", "pycuda"}),
    "shine.__main__": frozenset({"shine.cli"}),
    "shine.front": frozenset({*PACKAGES, "numpy", "shine.front"}),
    "shine.jax": frozenset({"shine.front"}),
    "shine.torch": frozenset({"shine.front"}),
    "shine.front.jax_calls": frozenset({*PACKAGES, "numpy", "shine.front", "jax"}),
    "shine.front.torch_operators": frozenset({*PACKAGES, "numpy", "shine.front", "torch"}),
    "shine.front.paths": frozenset({"shine", "opt_einsum"}),
    "shine.front.tuner.pictures": frozenset({"shine", "shine.front", "matplotlib"}),
    "shine.front.tuner.tpe": frozenset({"strategies", "rise", "optuna"}),
    "shine.cli": frozenset(
        {*PACKAGES, "shine.front", "shine.cli", "numpy", "lark", "ml_dtypes", "typer", "rich"}
    ),
}
# Subpackages that count as packages of their own: they are layers above strategies and targets.
ABOVE = ("shine.front", "shine.cli", "shine.jax", "shine.torch")
# The layers of RISE, from the lowest: a module imports from its own package and from those before it in this list.
# `rise` means the files directly in it, except its `__init__`, by which others import the whole package.
RISE = (
    "rise",
    "rise.einsum",
    "rise.text",
    "rise.arguments",
    "rise.primitives",
    "rise.inference",
    "rise.printer",
    "rise.analysis",
    "rise.checker",
    "rise.programs",
    "rise.dsl",
    "rise.embedding",
    "rise.testing",
)
# The layers of strategies, from the lowest; `strategies` means the files directly in it.
STRATEGIES = (
    "strategies.vocabulary",
    "strategies.equations",
    "strategies.rules",
    "strategies.lowering",
    "strategies.parts",
    "strategies.fireiron",
    "strategies",
    "strategies.spaces",
)
# The higher layers that a subpackage must not import.
BELOW: Mapping[str, tuple[str, ...]] = {
    **{folder: RISE[position + 1 :] for position, folder in enumerate(RISE)},
    "rise.hardware": RISE[1:],
    "rise.embedding.numpy_definitions": ("rise.testing",),
    "elevate.analysis": ("elevate.derivations",),
    "shine.imperative": (
        "shine.calling",
        "shine.machines",
        "shine.passes",
        "shine.targets",
        "shine.translate",
    ),
    "shine.passes": ("shine.calling", "shine.machines", "shine.targets", "shine.translate"),
    "shine.translate": ("shine.calling", "shine.machines", "shine.targets"),
    "shine.targets": ("shine.machines",),
    **{folder: STRATEGIES[position + 1 :] for position, folder in enumerate(STRATEGIES)},
}
# Modules that are imported by name, on demand. PyCUDA may be absent, and starts the driver when imported. The parser
# loads lark, which takes a seventh of the time of `import rise`, and many programs read no text. Many users write text
# and no programs as Python functions. The command handles Ctrl-C before it loads anything large,
# tests rules only where Hypothesis is installed, and loads the checker only to write a certificate. Compiling a lowered
# program needs no strategies, and loading a kernel that is kept on disk needs nothing that lowers. Targets are loaded
# when they are asked for, by their names. Where an import fails, what is in the place of our packages is looked for.
# PyTorch and JAX may be absent, and take seconds to import; Matplotlib takes half a second.
# Each run of pytest loads its plugins.
MAY_IMPORT_LATE: Mapping[str, tuple[str, ...]] = {
    "rise": ("rise.embedding",),
    "shine": ("shine.front", "rise.packages"),
    "shine.front.compilation": ("shine.front.lowering",),
    "shine.front.jax_calls": ("jax",),
    "shine.front.lowering": ("strategies.saved_derivations",),
    "shine.front.jit": ("shine.front.explanation",),
    "shine.front.torch_operators": ("torch",),
    "shine.front.tuner.pictures": ("matplotlib",),
    "shine.cli.derivation_files": ("strategies.proof",),
    "shine.cli.prove": ("strategies.testing",),
    "shine.cli.request": ("shine.front.tuner",),
    "shine.cli.start": ("shine.cli.main", "rise.packages"),
    "shine.kernel": ("shine.kernel_profile",),
    "strategies.pytest_plugin": ("strategies.lookup", "strategies.proof", "strategies.testing"),
    "shine.targets.cuda.loader": ("pycuda",),
    "rise.text.reader": ("rise.text.parser",),
}
