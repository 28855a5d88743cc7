"""Code written for 32 lanes."""
