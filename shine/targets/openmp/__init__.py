"""The target openmp: C11 with OpenMP, compiled by the system's compiler and called through ctypes."""
