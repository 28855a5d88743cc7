"""The memory model, asynchronous copies, coherence."""
