"""What is known of a term before it runs: what its sizes must satisfy, where it writes. Runs nothing."""
