"""Printing C: the parts shared by all targets that print C or CUDA C++. Independent of compilers."""
