"""Functions and kernels: what calls and launches what, shared memory, launch bounds."""
