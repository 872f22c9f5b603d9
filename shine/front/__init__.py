"""Combines strategies and targets: compiles programs that are not lowered. Knows no command line."""
