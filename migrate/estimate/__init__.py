"""Effort: drivers counted, priced by mappings/effort.toml, made person-weeks and shared out."""
