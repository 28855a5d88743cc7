"""Rules of the user's own: a small YAML form, and Python files with rules as ours are."""
