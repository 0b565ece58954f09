"""Devices that drivers offer in ResourceSlices, the claims for them, and the allocator that brings both together.

Upstream: ``k8s.io/dynamic-resource-allocation`` v0.34.1 and ``plugins/dynamicresources`` of kube-scheduler v1.34.1.
"""
