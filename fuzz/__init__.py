"""Coverage-guided fuzzing of every reader: see ``python -m fuzz --help`` and the README.md of this folder."""
