"""The parts of C text that all targets which print C share. Knows no compiler."""
