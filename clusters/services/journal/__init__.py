"""The journal: what the scheduler decided, what was computed for it, and how often the two agree."""
