"""Lowers `compress`."""

from __future__ import annotations

from strategies.equations.rule import rule

compressToCompressSeq = rule("compress m bs c xs = compressSeq m bs c xs", why="Compress with one thread.")
