"""Combines strategies and targets: compiles programs that are not lowered. Knows no command line."""

from shine.front.lowering import compile, is_lowered, load_strategy

__all__ = ["compile", "is_lowered", "load_strategy"]
