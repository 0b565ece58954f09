"""What a review says of pending pods, and of how often Berth agrees with kube-scheduler."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message, plural

NONE: Final = gettext_lazy("No pod is pending.")
NOTHING_RECORDED: Final = gettext_lazy("Earlier reasons are not known: the journal is empty.")
NOT_JUDGED: Final = gettext_lazy("No decision was judged.")


PENDING = plural("%(pods)s pod is pending.", "%(pods)s pods are pending.", by="pods")
CAUSES = message("Causes: %(causes)s.")
RECORDED = message("Pods unschedulable at least once: %(pods)s, in %(attempts)s attempts.")
AGREEMENT = plural(
    "Berth agreed with kube-scheduler in %(share)s of %(decisions)s decision.",
    "Berth agreed with kube-scheduler in %(share)s of %(decisions)s decisions.",
    by="decisions",
)
