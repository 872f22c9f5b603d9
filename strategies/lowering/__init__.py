"""Places loops and memory, by read and write position. Does not choose tiles or targets."""
