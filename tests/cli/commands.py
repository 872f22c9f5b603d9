"""Runs the command in tests: its output and exit status. Independent of commands."""

from __future__ import annotations

import json
import os
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from shine.cli.main import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True, slots=True)
class Said:
    """The exit status and the output of a command."""

    status: int
    out: str
    err: str

    @property
    def facts(self) -> Any:
        """The output of the command as JSON."""
        return json.loads(self.out)


def shine(*words: str | Path, width: int = 100) -> Said:
    """Run the command with these arguments, in a terminal of this width without colours."""
    out, err = StringIO(), StringIO()
    with patch.dict(os.environ, {"COLUMNS": str(width)}), redirect_stdout(out), redirect_stderr(err):
        status = main([str(word) for word in words])
    return Said(status, out.getvalue(), err.getvalue())
