"""Contractions in the notation of `numpy.einsum`: the notation, and the corresponding program."""
