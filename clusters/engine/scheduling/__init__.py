"""An attempt to schedule a pod: the cycle, preemption, groups, and the explanation of what they found."""
