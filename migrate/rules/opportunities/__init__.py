"""What the target offers beyond what the code uses; no work."""
