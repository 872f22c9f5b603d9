"""Combines strategies and targets: compiles programs that are not lowered. Independent of the command line."""
