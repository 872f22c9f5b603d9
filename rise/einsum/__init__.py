"""Contractions in the notation of `numpy.einsum`: what is written, and the program that it stands for."""
