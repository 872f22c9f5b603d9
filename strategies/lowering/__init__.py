"""Chooses where loops and memory are, by read and write position. Chooses no tiles and no target."""
