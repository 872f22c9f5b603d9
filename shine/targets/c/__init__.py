"""C text: what the targets that print C share. Knows no compiler."""
