"""What warps do: masks, widths, tile sizes, and arithmetic on a thread's number."""
