"""What is said of drains: the nodes that can be drained now, plans, and nodes that cannot be drained."""
