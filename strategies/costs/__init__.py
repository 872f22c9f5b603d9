"""What computing a value again costs, and what storing it costs. Knows no rule and no strategy."""
