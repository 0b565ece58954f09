"""What others recorded of scheduling attempts: kube-scheduler-simulator in annotations, kube-scheduler in its log."""

from __future__ import annotations
