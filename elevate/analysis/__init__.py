"""What is known of a strategy before it runs, from the shapes of its rules. Runs nothing."""
