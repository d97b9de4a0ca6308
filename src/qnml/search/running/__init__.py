"""What every search shares: starting and stopping, certificates, batches of runs."""

__all__: list[str] = []
