"""Coverage-guided fuzzing of every reader: ``python -m fuzz --help``, and README.md beside this file."""
