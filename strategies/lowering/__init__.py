"""Places loops and memory by read and write positions. Does not choose tiles or targets."""
