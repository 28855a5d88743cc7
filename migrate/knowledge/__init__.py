"""What is known of CUDA and ROCm: mappings/ as frozen tables, and the questions they answer."""
