"""What computing a value again costs, and what storing it costs. Independent of rules and strategies."""
