"""Settings of hypothesis for this folder."""

from hypothesis import settings

# No deadline: on a busy machine the first call of a test may wait for a core.
settings.register_profile("properties", max_examples=100)
settings.load_profile("properties")
