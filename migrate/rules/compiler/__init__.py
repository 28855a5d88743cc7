"""What clang refuses and nvcc lets pass, and what headers bring or clash with."""
