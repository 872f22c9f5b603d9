"""Checks Python values against types: sizes as numbers, rows of different lengths, mismatches.

Independent of terms.
"""
