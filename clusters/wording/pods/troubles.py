"""What is wrong with a pod on its node, how its containers ended, and what to do about it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.kubelet import (
    ClaimsNotBound,
    ContainerEnd,
    HeldByFinalizers,
    KubeletRejection,
    KubeletTermination,
    PendingResize,
    PodTrouble,
    StuckDeletion,
)
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message
from clusters.wording.pods.kubelet_reasons import ENDED, rejection_remedy
from clusters.wording.resources import resource_amount

RESIZE: Final = pgettext_lazy("fact of a pod", "Resize")
LAST_END: Final = pgettext_lazy("fact of a pod", "Last termination")
# By the number that containers add to 128 in their exit code.
_SIGNALS: Final = {9: "SIGKILL", 15: "SIGTERM", 6: "SIGABRT", 11: "SIGSEGV"}
_FIRST_SIGNAL: Final = 128
_NAMES_ITS_NODE: Final = gettext_lazy("Instead of spec.nodeName select kubernetes.io/hostname in nodeSelector.")
_HELD: Final = gettext_lazy(
    "Repair the controller that sets it, or remove the finalizer by kubectl patch; if "
    "refused, exempt terminating pods from the mutating webhook."
)
# Who sets finalizers of pods, by their domain, or by the whole where there is none.
_SETTERS: Final = {
    "actions.github.com": "actions-runner-controller",
    "actions.summerwind.dev": "actions-runner-controller",
    "batch.kubernetes.io": gettext_lazy("the Job controller"),
    "foregroundDeletion": gettext_lazy("the garbage collector"),
    "kueue.x-k8s.io": "Kueue",
    "orphan": gettext_lazy("the garbage collector"),
    "prow.x-k8s.io": "Prow",
    "workflows.argoproj.io": "Argo Workflows",
}
_NOT_AGAIN: Final = gettext_lazy("The pod does not start again: a controller recreates it, or you do.")


_REJECTED = message("Rejected by the kubelet of %(node)s: %(reason)s.")
_ENDED = message("Ended by the kubelet of %(node)s: %(reason)s.")
_HELD_BY_RESIZE = message("%(reason)s; the scheduler counts %(held)s for it")


def trouble_sentence(trouble: PodTrouble) -> str:
    """Say what is wrong with a pod on its node."""
    match trouble:
        case KubeletRejection(node, reason, said):
            return _REJECTED(node=node, reason=_with_message(reason, said))
        case KubeletTermination(node, reason, said):
            return _ENDED(node=node, reason=_with_message(reason, said))
        case ClaimsNotBound(node, claims, devices):
            names = (*claims, *devices)
            return ngettext(
                "Cannot start on %(node)s: the claim %(claims)s is not bound, as spec.nodeName bypasses the scheduler.",
                "Cannot start on %(node)s: the claims %(claims)s are not bound, as spec.nodeName "
                "bypasses the scheduler.",
                len(names),
            ) % {"node": node, "claims": listed(names)}
        case HeldByFinalizers(node, since, finalizers):
            values = {"since": _written(since), "finalizers": listed(list(map(_finalizer, finalizers))), "node": node}
            if node:
                return (
                    ngettext(
                        "Terminating since %(since)s: held by the finalizer %(finalizers)s after its containers "
                        "ended. It still counts on %(node)s.",
                        "Terminating since %(since)s: held by the finalizers %(finalizers)s after its containers "
                        "ended. It still counts on %(node)s.",
                        len(finalizers),
                    )
                    % values
                )
            return (
                ngettext(
                    "Terminating since %(since)s: held by the finalizer %(finalizers)s.",
                    "Terminating since %(since)s: held by the finalizers %(finalizers)s.",
                    len(finalizers),
                )
                % values
            )
        case StuckDeletion(node, since, ""):
            return _("Terminating since %(since)s: %(node)s is unreachable.") % {
                "node": node,
                "since": _written(since),
            }
        case StuckDeletion(node, since, stateful_set):
            return _(
                "Terminating since %(since)s: %(node)s is unreachable. StatefulSet %(stateful_set)s "
                "creates no replacement until the pod is gone."
            ) % {"node": node, "since": _written(since), "stateful_set": stateful_set}


def trouble_remedy(trouble: PodTrouble) -> str:
    """Say what to do about it."""
    match trouble:
        case StuckDeletion():
            return _(
                "Bring %(node)s back, or if it is off for good, delete it or taint it "
                "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute."
            ) % {"node": trouble.node}
        case HeldByFinalizers():
            return str(_HELD)
        case ClaimsNotBound():
            return str(_NAMES_ITS_NODE)
        case KubeletRejection():
            return f"{rejection_remedy(trouble.reason)} {_NOT_AGAIN!s}"
        case KubeletTermination():
            return f"{ENDED[trouble.reason]!s} {_NOT_AGAIN!s}"


def end_sentence(end: ContainerEnd) -> str:
    """Say how a container last ended, and how often it was restarted."""
    values = {
        "container": end.container,
        "reason": end.reason or "Error",
        "code": "" if end.exit_code is None else _exit_code(end.exit_code),
        "at": _written(end.finished) if end.finished else "",
        "restarts": grouped(end.restarts),
    }
    if not values["at"]:
        return (
            ngettext(
                "%(container)s: %(reason)s, exit code %(code)s; %(restarts)s restart",
                "%(container)s: %(reason)s, exit code %(code)s; %(restarts)s restarts",
                end.restarts,
            )
            % values
        )
    return (
        ngettext(
            "%(container)s: %(reason)s, exit code %(code)s, at %(at)s; %(restarts)s restart",
            "%(container)s: %(reason)s, exit code %(code)s, at %(at)s; %(restarts)s restarts",
            end.restarts,
        )
        % values
    )


def resize_sentence(resize: PendingResize) -> str:
    """Say that a resize waits, why, and what it holds meanwhile."""
    said = _with_message(resize.reason, resize.message)
    if not resize.held:
        return said
    return _HELD_BY_RESIZE(reason=said, held=listed([resource_amount(*each) for each in resize.held]))


def reported_status(reason: str, message: str) -> str:
    """Quote what the status of a pod says beside its phase."""
    return _("Its status says: %(said)s") % {
        "said": f"{reason}: {message}" if reason and message else reason or message
    }


def rejected_pods(pods: int) -> str:
    """Count the pods that kubelets rejected."""
    return ngettext("a kubelet rejected %(pods)s pod", "kubelets rejected %(pods)s pods", pods) % {
        "pods": grouped(pods)
    }


def unstartable_pods(pods: int) -> str:
    """Count the pods that cannot start, as nobody binds their claims."""
    return ngettext(
        "%(pods)s pod cannot start: its claim is not bound",
        "%(pods)s pods cannot start: their claims are not bound",
        pods,
    ) % {"pods": grouped(pods)}


def stuck_pods(pods: int) -> str:
    """Count the pods that are terminating on nodes that do not answer."""
    return ngettext(
        "%(pods)s pod is terminating on an unreachable node",
        "%(pods)s pods are terminating on unreachable nodes",
        pods,
    ) % {"pods": grouped(pods)}


def killed_pods(pods: int) -> str:
    """Count the pods of which a container was ended for its memory."""
    return ngettext("a container of %(pods)s pod was OOMKilled", "containers of %(pods)s pods were OOMKilled", pods) % {
        "pods": grouped(pods)
    }


def held_pods(pods: int) -> str:
    """Count the pods whose containers have ended and that finalizers hold on nodes."""
    return ngettext(
        "a finalizer holds %(pods)s ended pod",
        "finalizers hold %(pods)s ended pods",
        pods,
    ) % {"pods": grouped(pods)}


def _with_message(reason: str, quoted: str) -> str:
    said = quoted.strip().rstrip(".")
    return f"{reason}: {said}" if said else reason


def _finalizer(name: str) -> str:
    setter = _SETTERS.get(name.partition("/")[0])
    return _("%(finalizer)s (%(setter)s)") % {"finalizer": name, "setter": setter} if setter else name


def _exit_code(code: int) -> str:
    signal = _SIGNALS.get(code - _FIRST_SIGNAL)
    return f"{code} ({signal})" if signal else str(code)


def _written(at: str) -> str:
    return f"{datetime.fromisoformat(at):%Y-%m-%d %H:%M:%S %Z}"
