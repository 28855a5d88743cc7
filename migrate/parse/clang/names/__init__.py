"""What names mean at their places: CUDA's, or the project's own."""
