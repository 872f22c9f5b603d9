"""Calling a kernel: arguments checked, sizes solved, results made. Knows no particular target."""
