"""When the pods of a node that fails are evicted: grace period, eviction rate of the zone, tolerations."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.nodes import ZoneState
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

PICTURE: Final = gettext_lazy("From the last report of the node to the eviction of its pods")
SECONDS: Final = pgettext_lazy("unit of a scale of time", "s")
# The stretches of the timeline.
GRACE: Final = gettext_lazy("node still counted as Ready")
TOLERATED: Final = gettext_lazy("pods stay")
NO_PODS: Final = gettext_lazy("No pod runs on the node.")
UNREACHABLE_KEEPS_RUNNING: Final = gettext_lazy(
    "An unreachable kubelet is not told: containers keep running, and evicted pods stay Terminating "
    "until it reports again or the node is deleted."
)


def seconds(number: int) -> str:
    """Write a time in seconds."""
    return _("%(seconds)s s") % {"seconds": grouped(number)}


def removed(after: int | None) -> str:
    """Say when a pod is deleted, counted from the fault."""
    return pgettext("when a pod is evicted", "never") if after is None else seconds(after)


def ends(after: int | None) -> str:
    """Say at the end of a row of the timeline what becomes of the pod."""
    return _("kept") if after is None else _("evicted after %(seconds)s s") % {"seconds": grouped(after)}


def node_sentence(*, node: str, pods: int, kept: int, first: int | None, last: int | None) -> str:
    """Say first what becomes of the pods of a node that stops reporting; ``first`` and ``last``: when the others go."""
    if not pods:
        return str(NO_PODS)
    if first is None or last is None:
        return ngettext(
            "When %(node)s stops reporting, its %(pods)s pod is kept.",
            "When %(node)s stops reporting, its %(pods)s pods are all kept.",
            pods,
        ) % {"node": node, "pods": grouped(pods)}
    gone = pods - kept
    values = {
        "node": node, "pods": grouped(gone), "all": grouped(pods), "first": seconds(first), "last": seconds(last),
    }  # fmt: skip
    if first == last:
        return (
            ngettext(
                "If %(node)s stops reporting, %(pods)s of its %(all)s pods is evicted after %(first)s.",
                "If %(node)s stops reporting, %(pods)s of its %(all)s pods are evicted after %(first)s.",
                gone,
            )
            % values
        )
    return (
        _("If %(node)s stops reporting, %(pods)s of its %(all)s pods are evicted, from %(first)s to %(last)s after.")
        % values
    )


GRACE_SENTENCE = message(
    "kube-controller-manager %(minor)s waits %(grace)s s (--node-monitor-grace-period; 50 s since 1.32, "
    "40 s before) until a node that does not report is Unknown. What a kubelet reports itself counts at once. "
    "The controller looks every 5 s, so that each step may come that much later."
)
PODS_OF_GROUP = plural("%(pods)s pod", "%(pods)s pods", by="pods")
MORE_PODS = plural("and %(pods)s more", "and %(pods)s more", by="pods")


def not_tainted(state: ZoneState | None) -> str:
    """Say why the controller would not taint the node."""
    if state is ZoneState.PARTIAL:
        return _("55 % or more of a zone of at most 50 nodes would not be ready: no pods are evicted there.")
    return _("No node would be ready: the controller then evicts no pods.")
