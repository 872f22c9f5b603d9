"""Calls kernels: checks arguments, solves sizes, allocates results. Knows no particular target."""
