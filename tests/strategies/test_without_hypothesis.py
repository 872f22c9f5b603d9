"""Errors of `strategies.testing` without hypothesis."""

import subprocess
import sys


def test_the_extra_that_installs_it_is_named() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import strategies.testing"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: strategies.testing draws programs by hypothesis: pip install 'rise-shine[testing]'"
    )
