"""Traces: lists of nodes and of pods that came and went, as others publish them."""
