"""The target openmp: C11 with OpenMP, built by the system's compiler, called through ctypes."""
