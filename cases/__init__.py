"""The cases: programs, their inputs and their answers. Knows no executor."""
