"""Benchmarks that asv runs over the commits: see docs/benchmarks-over-time.md."""
