"""Short, slow, obviously right twins of what the core computes. Nothing here imports qnml."""
