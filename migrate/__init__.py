"""hipassess: what moving a CUDA code base to AMD GPUs takes, before anyone moves it."""

from __future__ import annotations

__version__ = "0.1.0"
