"""What is told of rules: explained one by one, listed, as pages of the documentation."""
