"""Imports of strategies: `strategies.testing` without Hypothesis, and no import compiles a rule."""

import subprocess
import sys


def test_the_extra_that_installs_it_is_named() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import strategies.testing"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: strategies.testing draws programs by hypothesis: pip install 'rise-shine[testing]'"
    )


def test_the_command_starts_without_compiling_a_rule() -> None:
    """A strategy that needs the inverse of a rule is a function, so that it is computed when it is called."""
    code = (
        "from shine.cli.main import SUBCOMMANDS, load\nfor each in SUBCOMMANDS: load(each)\n"
        "from strategies.equations.compilation import compile_equation, compile_inverse\n"
        "assert compile_equation.cache_info().currsize == compile_inverse.cache_info().currsize == 0"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
