"""Text: reading RISE programs into syntax, and sizes and types as text. Knows no primitives and no printed terms."""
