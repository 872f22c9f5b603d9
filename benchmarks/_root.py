"""Importing this module puts the repository first on the path: `cases` is then its package, not `cases.py` here."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
