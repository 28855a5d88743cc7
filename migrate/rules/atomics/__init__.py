"""Atomics that differ by scope, type or memory."""
