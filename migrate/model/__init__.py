"""Plain frozen data that the stages hand to each other; imports nothing else of ours."""
