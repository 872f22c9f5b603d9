"""Open programs, as in Telamon (Beaugnon et al.): loops, memories and orders as decisions with propagation."""

from strategies.spaces.open_programs.spaces import gpu, processor

__all__ = ["gpu", "processor"]
