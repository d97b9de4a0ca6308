"""Settings of hypothesis for this folder."""

from hypothesis import settings

# No deadline: on a busy machine the first call of a test may wait for a core.
settings.register_profile("scores", max_examples=60)
settings.load_profile("scores")
