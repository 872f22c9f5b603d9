"""Static analysis of strategies, from the shapes of their rules. Runs nothing."""
