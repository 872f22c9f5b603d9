"""What needs strategies and targets together: programs compiled as they were written. Knows no command line."""

from shine.front.lowering import compile, is_lowered, load_strategy

__all__ = ["compile", "is_lowered", "load_strategy"]
