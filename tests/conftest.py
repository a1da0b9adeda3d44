"""What Hypothesis tries: the same every time, so that a change is judged by its own
faults, or new examples with every run, where NEW_EXAMPLES is set (`make search`)."""

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None)
if not os.environ.get("NEW_EXAMPLES"):
    settings.load_profile("same")
