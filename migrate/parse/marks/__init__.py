"""Constructs that rules judge: one module a family of them, all listed in ``finders``."""
