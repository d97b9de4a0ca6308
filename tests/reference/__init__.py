"""Short, slow, obviously correct reference versions of the core. Nothing here imports qnml."""
