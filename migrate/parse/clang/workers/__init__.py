"""Units read in processes of their own, with limits, results of earlier runs, a shared prelude."""
