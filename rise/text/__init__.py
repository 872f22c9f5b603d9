"""Text: reading RISE programs into syntax, and sizes and types as text. Independent of primitives and printed terms."""
