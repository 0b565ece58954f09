"""Which Kubernetes a cluster runs, and what is said where its answers are of another minor."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.versions import Known, match_release
from clusters.wording.messages import message


def release_notice(version: str) -> str:
    """Say that a cluster of this version may be scheduled otherwise; empty where nothing is to be said."""
    match = match_release(version)
    return "" if match.is_exact else RELEASE_DIFFERS(minor=match.minor, answered_as=match.release.compared)


def version_words(version: str) -> str:
    """Say which Kubernetes minor a cluster of this version runs, and as which it is answered where that is another."""
    match = match_release(version)
    if match.known is Known.UNTOLD:
        return _("Kubernetes version unknown, answered as %(answered_as)s") % {"answered_as": match.release.minor}
    if match.known is Known.EXACT:
        return _("Kubernetes %(minor)s") % {"minor": match.minor}
    return _("Kubernetes %(minor)s, answered as %(answered_as)s") % {
        "minor": match.minor,
        "answered_as": match.release.minor,
    }


RELEASE_DIFFERS = message(
    "This cluster runs Kubernetes %(minor)s. Berth answers as kube-scheduler %(answered_as)s does: "
    "verdicts, scores and messages may differ."
)
