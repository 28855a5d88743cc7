"""Kernels that program matrix cores."""
