"""NVIDIA's assembly, in the source or beside it."""
