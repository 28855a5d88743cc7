"""Features that HIP lacks, has later or has otherwise."""
