"""One file's text in, its facts out; nothing here judges."""
