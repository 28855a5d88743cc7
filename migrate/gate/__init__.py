"""The gate: a few figures of an assessment against the limits that a project set itself."""
