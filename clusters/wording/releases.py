"""What is said wherever a verdict is shown of a cluster that runs another Kubernetes minor than the answers are of."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.versions import match_release


def release_notice(version: str) -> str:
    """Say that a cluster of this version may be scheduled otherwise; empty where nothing is to be said."""
    match = match_release(version)
    return "" if match.is_exact else release_differs(minor=match.minor, answered_as=match.release.compared)


def release_differs(*, minor: str, answered_as: str) -> str:
    """Say that a cluster of this minor may be scheduled otherwise than answers of another release say."""
    return _(
        "This cluster runs Kubernetes %(minor)s. Berth answers as kube-scheduler %(answered_as)s does: "
        "verdicts, scores and messages may differ."
    ) % {"minor": minor, "answered_as": answered_as}
