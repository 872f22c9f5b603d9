"""The parts of C text that all targets which print C share. Independent of compilers."""
