"""What kube-scheduler of a later Kubernetes minor decides otherwise in a cluster as it is."""

from __future__ import annotations
