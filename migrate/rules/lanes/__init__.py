"""Lane masks and the builtins that take or give them."""
