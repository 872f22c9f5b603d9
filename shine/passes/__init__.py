"""What is done with a procedure between translation and printing: one pass a file. Knows no target."""
