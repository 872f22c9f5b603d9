"""The targets that print CUDA C++."""
