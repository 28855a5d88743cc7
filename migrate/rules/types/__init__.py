"""Types and arithmetic that differ."""
