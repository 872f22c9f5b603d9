"""The costs of recomputing and of storing a value. Independent of rules and strategies."""
