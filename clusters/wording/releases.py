"""What is said wherever a verdict is shown of a cluster that runs another Kubernetes minor than the answers are of."""

from __future__ import annotations

from clusters.engine.configuration.answered import ANSWERED_AS, other_release


def release_notice(version: str) -> str:
    """Say that a cluster of this version may be scheduled otherwise; empty where nothing is to be said."""
    other = other_release(version)
    if other is None:
        return ""
    return (
        f"This cluster runs Kubernetes {other.minor}. Berth answers as kube-scheduler {ANSWERED_AS} does: "
        "verdicts, scores and messages may differ."
    )
