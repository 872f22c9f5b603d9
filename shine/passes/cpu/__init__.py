"""Passes for CPU targets: from a procedure to a procedure, one per file."""
