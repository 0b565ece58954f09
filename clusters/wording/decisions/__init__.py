"""Explanations of single pods in words: the verdict, the nodes, scores, preemption and the attempt's steps."""
