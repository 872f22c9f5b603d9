"""Derivations after they ran: saved, replayed, compared, edited. Runs no search."""
