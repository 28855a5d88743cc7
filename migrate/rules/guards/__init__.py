"""Conditions on the compiler, the CUDA version or the GPU."""
