"""The facts of single files joined: what only the whole tree can tell."""
