"""What a kubelet does by itself on its node: thresholds, evictions, garbage collection, shutdown, what it enforces."""
