"""Calls kernels: checks arguments, solves sizes, allocates results. Independent of any particular target."""
