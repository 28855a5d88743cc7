"""Build files, Python, containers, CI and the like: one reader a kind of file."""
