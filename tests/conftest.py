"""How generated input is drawn: the same each time, or much of it with the thorough profile."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline: a machine that is shared is slow at times. Derandomised: a change fails, or does not.
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
