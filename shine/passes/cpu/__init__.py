"""Passes for kernels on processors: from a procedure to a procedure, one file each."""
