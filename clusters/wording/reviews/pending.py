"""What a review says of pending pods, and of how often Berth agrees with kube-scheduler."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import plural

NONE: Final = gettext_lazy("No pod is pending.")
NOTHING_RECORDED: Final = gettext_lazy(
    "Why pods were pending earlier is not known: the journal holds no decision of this cluster."
)
NOT_JUDGED: Final = gettext_lazy("No decision of the period was judged.")


PENDING = plural("%(pods)s pod is pending.", "%(pods)s pods are pending.", by="pods")
CAUSES = plural("There is %(causes)s cause.", "There are %(causes)s causes.", by="causes")
RECORDED = plural(
    "%(pods)s pod was unschedulable at least once, in %(attempts)s attempts; the reasons are kube-scheduler's.",
    "%(pods)s pods were unschedulable at least once, in %(attempts)s attempts; the reasons are kube-scheduler's.",
    by="pods",
)
AGREEMENT = plural(
    "Berth agreed with kube-scheduler in %(share)s of %(decisions)s decision.",
    "Berth agreed with kube-scheduler in %(share)s of %(decisions)s decisions.",
    by="decisions",
)
