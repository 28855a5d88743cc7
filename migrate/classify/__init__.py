"""Each use of a CUDA name against the tables: its verdict on the target."""
