"""The cases: programs, their inputs and their answers. Independent of executors."""
