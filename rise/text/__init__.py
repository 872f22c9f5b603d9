"""Text: reading RISE programs, and printing them. Knows no rules and no targets."""
