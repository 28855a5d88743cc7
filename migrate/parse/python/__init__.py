"""Python source by its syntax tree: names in full, guards for HIP, CUDA code in strings."""
