"""Assessment in, report out: one writer a format, every one reading the same Assessment."""
