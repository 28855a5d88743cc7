"""Shared memory, launches and their limits."""
