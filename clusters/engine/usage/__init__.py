"""What pods use, as against what they request: histories of samples, percentiles, and requests that follow from them.

The scheduler itself reads requests alone. Nothing here changes a verdict.
"""
