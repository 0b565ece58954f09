"""What removes a pod that runs: taints that its node has, and what follows once the node fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.disruption import LostNodeStep, NodeFault
from clusters.engine.volumes import FORCE_DETACH_AFTER
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

TITLE: Final = gettext_lazy("What removes this pod")
PICTURE: Final = gettext_lazy("From the node's failure to this pod's end")
TERMINATING: Final = pgettext_lazy("stretch of time", "pod is terminating")
FAULTS: Final = {
    NodeFault.UNREACHABLE: pgettext_lazy("how a node fails", "Unreachable"),
    NodeFault.NOT_READY: pgettext_lazy("how a node fails", "NotReady"),
}
NO_TAINT: Final = gettext_lazy("The node has no NoExecute taint: no pod is evicted by taints.")
TOLERATES_ALL: Final = gettext_lazy("The pod tolerates every NoExecute taint for ever: it stays.")
# What is not known of the plan.
PLAN: Final = gettext_lazy(
    "Counted from when the controller sees the taints or restarts. A later taint counts only "
    "if not tolerated; removing the last cancels the eviction."
)
_STEPS: Final = {
    LostNodeStep.SILENT: gettext_lazy("The kubelet stops reporting. Containers run on if the machine does."),
    LostNodeStep.REPORTS_NOT_READY: gettext_lazy("The kubelet reports NotReady. Containers may keep running."),
    LostNodeStep.UNKNOWN: gettext_lazy("Condition Ready becomes Unknown; the node is tainted NoSchedule."),
    LostNodeStep.TAINTED: gettext_lazy("The node is tainted NoExecute; the toleration begins to count."),
    LostNodeStep.NOT_TAINTED: gettext_lazy("Too many nodes are not ready: no NoExecute taint, this pod stays."),
    LostNodeStep.KEPT: gettext_lazy("The taint is tolerated for ever: the pod stays."),
    LostNodeStep.DELETED: gettext_lazy("The toleration expires: the pod is deleted through the API."),
    LostNodeStep.STAYS_TERMINATING: gettext_lazy(
        "The pod stays Terminating until the node reports again, its Node is deleted (then "
        "within a minute), or the pod is deleted by force."
    ),
    LostNodeStep.ENDS: gettext_lazy("The grace period is over: the kubelet has ended the pod."),
    LostNodeStep.REPLACED: gettext_lazy("Its controller creates the replacement."),
    LostNodeStep.REPLACED_ONCE_GONE: gettext_lazy(
        "Its StatefulSet creates the replacement only once this pod is gone."
    ),
    LostNodeStep.NOT_REPLACED: gettext_lazy("No controller recreates the pod."),
    LostNodeStep.VOLUMES_ATTACHED: gettext_lazy("Its volumes stay attached to this node until it is gone."),
    LostNodeStep.VOLUMES_DETACHED: gettext_lazy("Its volumes are unmounted and detached."),
    LostNodeStep.OUT_OF_SERVICE: gettext_lazy(
        "If the node is surely off, the taint node.kubernetes.io/out-of-service ends the wait: "
        "pods not tolerating it are deleted (Terminating ones within 20 s), volumes detached."
    ),
}


DOES_NOT_RUN = message("%(pod)s runs on no node of the cluster.")


def step(of: LostNodeStep) -> str:
    """Say what happens in a step."""
    if of is LostNodeStep.FORCE_DETACHED:
        return _(
            "%(seconds)s s later, while the node is not ready, its volumes are detached by force, "
            "unless kube-controller-manager has --disable-force-detach-on-timeout."
        ) % {"seconds": grouped(FORCE_DETACH_AFTER)}
    return str(_STEPS[of])


def after(seconds: int | None) -> str:
    """Say when a step comes, counted from the fault."""
    if seconds is None:
        return pgettext("when something happens", "then")
    return _("%(seconds)s s") % {"seconds": grouped(seconds)}


AT_ONCE = message("Evicted at once: %(taint)s is not tolerated.")
EVICTED_AFTER = plural(
    "Evicted %(seconds)s second after the controller saw %(taint)s.",
    "Evicted %(seconds)s seconds after the controller saw %(taint)s.",
    by="seconds",
)
EVICTED_AT = plural(
    "Eviction at %(moment)s: %(taint)s is tolerated for %(seconds)s second.",
    "Eviction at %(moment)s: %(taint)s is tolerated for %(seconds)s seconds.",
    by="seconds",
)
OVERRULED = message("%(taint)s came later: its shorter toleration does not count.")


def tolerated(seconds: int | None, *, is_tolerated: bool) -> str:
    """Say how long the pod tolerates one taint."""
    if not is_tolerated:
        return pgettext("how long a taint is tolerated", "not tolerated")
    if seconds is None:
        return pgettext("how long a taint is tolerated", "tolerated for ever")
    return ngettext("tolerated for %(seconds)s second", "tolerated for %(seconds)s seconds", seconds) % {
        "seconds": grouped(seconds)
    }


def since(moment: str) -> str:
    """Say since when something is so; empty where that is not known."""
    return _("since %(moment)s") % {"moment": moment} if moment else ""


def fault_ends(after: int | None, *, is_silent: bool, gone: int) -> str:
    """Say at the end of a row of the timeline what becomes of the pod."""
    if after is None:
        return pgettext("end of a timeline", "kept")
    if is_silent:
        return _("deleted after %(seconds)s s, then Terminating") % {"seconds": grouped(after)}
    return _("deleted after %(seconds)s s, ended after %(gone)s s") % {"seconds": grouped(after), "gone": grouped(gone)}


def exclusive(claims: Iterable[str]) -> str:
    """Name the claims whose volumes one node alone can attach."""
    names = list(claims)
    return ngettext(
        "A replacement elsewhere is ContainerCreating until the volume of %(claims)s is detached.",
        "A replacement elsewhere is ContainerCreating until the volumes of %(claims)s are detached.",
        len(names),
    ) % {"claims": listed(names)}
