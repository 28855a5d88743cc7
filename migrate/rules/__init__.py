"""Hazards: one rule a module, listed in ``registry``, run by ``engine`` over facts."""
