"""Lowers sorting."""

from __future__ import annotations

from strategies.equations.rule import rule

sortToSortSeq = rule("sort xs = sortSeq xs", why="Sort with one thread.")
argsortToArgsortSeq = rule("argsort xs = argsortSeq xs", why="Sort indices with one thread.")
