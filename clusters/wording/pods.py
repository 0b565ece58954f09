"""Pods in words: facts, troubles, removal, preemption."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.analysis import PreemptionOutcome, Threat
from clusters.engine.disruption import LostNodeStep, NodeFault
from clusters.engine.kubelet import (
    LACKS,
    ClaimsNotBound,
    ContainerEnd,
    HeldByFinalizers,
    KubeletRejection,
    KubeletTermination,
    PendingResize,
    PodTrouble,
    StuckDeletion,
)
from clusters.engine.volumes import FORCE_DETACH_AFTER
from clusters.wording import states
from clusters.wording.amounts import age, grouped
from clusters.wording.evaluation import STILL, counted
from clusters.wording.lists import begun, first_of, listed
from clusters.wording.messages import message, plural
from clusters.wording.refusals import NO_CONTROLLER
from clusters.wording.resources import resource_amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import timedelta

    from clusters.engine.owners import Workload
    from clusters.engine.workloads import CrashLoop


# -- What scheduling reads of a pod, as a list of facts ---------------------------------------------------------------


# Terms.
OWNER: Final = pgettext_lazy("fact of a pod", "Owner")
SCHEDULER: Final = pgettext_lazy("fact of a pod", "Scheduler")
PRIORITY: Final = pgettext_lazy("fact of a pod", "Priority")
PREEMPTION: Final = pgettext_lazy("fact of a pod", "Preemption")
QOS_CLASS: Final = pgettext_lazy("fact of a pod", "QoS class")
GATES: Final = pgettext_lazy("fact of a pod", "Scheduling gates")
NODE_SELECTOR: Final = pgettext_lazy("fact of a pod", "Node selector")
NODE_AFFINITY: Final = pgettext_lazy("fact of a pod", "Node affinity")
SPREAD: Final = pgettext_lazy("fact of a pod", "Spread constraints")
TOLERATIONS: Final = pgettext_lazy("fact of a pod", "Tolerations")
VOLUMES: Final = pgettext_lazy("fact of a pod", "Volumes")
RUNTIME_CLASS: Final = pgettext_lazy("fact of a pod", "Runtime class")
REQUESTS: Final = pgettext_lazy("fact of a pod", "Requests")
RESOURCE_CLAIMS: Final = pgettext_lazy("fact of a pod", "Resource claims")
HOST_PORTS: Final = pgettext_lazy("fact of a pod", "Host ports")
AFFINITY: Final = gettext_lazy("Required pod affinity")
ANTI_AFFINITY: Final = gettext_lazy("Required pod anti-affinity")
PREFERRED_AFFINITY: Final = gettext_lazy("Preferred pod affinity")
PREFERRED_ANTI_AFFINITY: Final = gettext_lazy("Preferred pod anti-affinity")

NEVER_PREEMPTS: Final = gettext_lazy("never preempts")
REQUESTS_NOTHING: Final = pgettext_lazy("requests of a pod", "none")
ANY_LABELS: Final = gettext_lazy("any labels")
ANY_TAINT: Final = gettext_lazy("any taint")
MATCHES_NOTHING: Final = gettext_lazy("matches no node")


def requirements(texts: Iterable[str]) -> str:
    """Join requirements that all hold."""
    return pgettext("requirements", " and ").join(texts)


def alternatives(texts: Iterable[str]) -> str:
    """Join terms of which one has to hold."""
    return pgettext("node selector terms", " or ").join(texts)


KEY_EXISTS = message("%(key)s exists")


KEY_DOES_NOT_EXIST = message("%(key)s does not exist")


PODS_PER = message("pods with %(labels)s, per %(key)s")


PODS_PER_WEIGHTED = message("pods with %(labels)s, per %(key)s, weight %(weight)s")


REQUIRED = message("required: %(terms)s")


PREFERRED = message("preferred: %(term)s, weight %(weight)s")


SPREAD_CONSTRAINT = message("%(key)s maxSkew %(max_skew)s %(action)s")


TOLERATED_FOR = message("%(toleration)s for %(seconds)s s")


ALLOCATED_CLAIM = message("%(claim)s (allocated: %(devices)s)")


PENDING_CLAIM = message("%(claim)s (not allocated)")
MISSING_CLAIM = message("%(claim)s (no ResourceClaim)")
VOLUME_OF_CLAIM = message("%(volume)s (claim %(claim)s)")


# -- What to do about each reason of kubelets that did not admit a pod or ended it ------------------------------------


_TAKEN: Final = gettext_lazy("Do not set spec.nodeName, run one scheduler, and reserve room for static pods.")
_FULL: Final = gettext_lazy("Raise maxPods of the kubelet, or leave out spec.nodeName.")
_UNKNOWN: Final = gettext_lazy("Read the kubelet's log on the node.")

# NodeAffinity by name: a kubelet gives the names of filters that it repeats as its reasons.
# NodeName by name: a kubelet gives the names of filters that it repeats as its reasons.
# NodePorts by name: a kubelet gives the names of filters that it repeats as its reasons.
# TaintToleration by name: a kubelet gives the names of filters that it repeats as its reasons.
REJECTED: Final = {
    "AppArmor": gettext_lazy("Load the AppArmor profile on the node, or select nodes with it."),
    "EmptyPodSharedPoolError": gettext_lazy("Raise the pod's CPU request above the sum of its exclusive CPUs."),
    "Evicted": gettext_lazy("Free the named disk, memory or process IDs on the node."),
    "InitContainerRestartPolicyForbidden": gettext_lazy("Upgrade the kubelet, or make the sidecar a container."),
    "InvalidNodeInfo": gettext_lazy("Check that the Node exists, and the kubelet's connection and credentials."),
    "NodeAffinity": gettext_lazy("Restore the node's label, or set it by the kubelet's --node-labels."),
    "NodeName": gettext_lazy("Correct spec.nodeName, or the kubelet's --hostname-override."),
    "NodePorts": gettext_lazy("Free the host port, or use another."),
    "NodeShutdown": gettext_lazy("Wait until the node is back, or recreate the pod elsewhere."),
    "PodFeatureUnsupported": gettext_lazy("Upgrade the kubelet, enable the named feature gate, or leave it out."),
    "PodLevelResourcesNotSupported": gettext_lazy(
        "Set requests of containers, or enable PodLevelResources on the node."
    ),
    "PodOSNotSupported": gettext_lazy("Select nodes by kubernetes.io/os in nodeSelector: spec.os.name selects none."),
    "PodOSSelectorNodeLabelDoesNotMatch": gettext_lazy(
        "Remove the pod's label kubernetes.io/os, and select nodes by it in nodeSelector."
    ),
    "SMTAlignmentError": gettext_lazy("Request whole cores (full-pcpus-only), and fewer where the node has none left."),
    "SupplementalGroupsPolicyNotSupported": gettext_lazy(
        "Upgrade the container runtime, or set supplementalGroupsPolicy: Merge."
    ),
    "SysctlForbidden": gettext_lazy("Add the sysctl to the kubelet's --allowed-unsafe-sysctls, or leave it out."),
    "TaintToleration": gettext_lazy("Remove the NoExecute taint, or add a toleration."),
    "TopologyAffinityError": gettext_lazy(
        "Request what one NUMA node has, which the scheduler does not see, or set topologyManagerPolicy: best-effort."
    ),
    "UnexpectedAdmissionError": gettext_lazy("Check the device plugin on the node."),
    "UnexpectedPredicateFailureType": _UNKNOWN,
    "UnknownReason": _UNKNOWN,
}
"""What to do, by reason of a pod that was not admitted; those of resources begin with OutOf."""
ENDED: Final = {
    "DeadlineExceeded": gettext_lazy("Raise activeDeadlineSeconds, or find out what takes so long."),
    "Evicted": gettext_lazy("Request as much memory and ephemeral storage as it uses: who uses more goes first."),
    "Preempting": gettext_lazy("Reserve room for static pods on the node (kubeReserved or systemReserved)."),
    "Terminated": gettext_lazy("Drain nodes before they are shut down."),
}
"""What to do, by reason of a pod that had been admitted, and that the kubelet ended."""


def rejection_remedy(reason: str) -> str:
    """Say what to do about a pod that was not admitted."""
    if reason == f"{LACKS}pods":
        return str(_FULL)
    return str(_TAKEN if reason.startswith(LACKS) else REJECTED.get(reason, _UNKNOWN))


# -- Containers of a pod that wait to be restarted --------------------------------------------------------------------


RESTARTS: Final = pgettext_lazy("fact of a pod", "Restarts")


def crash_loop(loop: CrashLoop, *, delay: timedelta, at: datetime | None) -> str:
    """Say which restart of a container comes next, and when; ``at`` is None where it is not known when it ended."""
    most = "" if loop.is_told else "≤ "
    said = _RESTART(container=loop.container, restart=loop.restart, delay=f"{most}{age(delay)}")
    return said if at is None else f"{said}, {most}{at:%H:%M:%S %Z}"


_RESTART = message("%(container)s: CrashLoopBackOff; restart %(restart)s %(delay)s after it ended")


# -- What is wrong with a pod on its node, how its containers ended, and what to do about it --------------------------


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


_HELD_SINCE = plural(
    "Terminating since %(since)s: held by the finalizer %(finalizers)s.",
    "Terminating since %(since)s: held by the finalizers %(finalizers)s.",
    by="number",
)
_STILL_COUNTS = message("Its containers ended, but it still counts on %(node)s.")
_UNREACHABLE_SINCE = message("Terminating since %(since)s: %(node)s is unreachable.")
_NO_REPLACEMENT = message("StatefulSet %(stateful_set)s creates no replacement until the pod is gone.")
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
            named = listed(list(map(_finalizer, finalizers)))
            held = _HELD_SINCE(since=_written(since), finalizers=named, number=len(finalizers))
            return f"{held} {_STILL_COUNTS(node=node)}" if node else held
        case StuckDeletion(node, since, stateful_set):
            said = _UNREACHABLE_SINCE(node=node, since=_written(since))
            return f"{said} {_NO_REPLACEMENT(stateful_set=stateful_set)}" if stateful_set else said


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
    code = "" if end.exit_code is None else _exit_code(end.exit_code)
    return _ENDED_WITH(
        container=end.container,
        reason=end.reason or "Error",
        code=f"{code}, {_written(end.finished)}" if end.finished else code,
        restarts=end.restarts,
    )


_ENDED_WITH = plural(
    "%(container)s: %(reason)s, exit code %(code)s; %(restarts)s restart",
    "%(container)s: %(reason)s, exit code %(code)s; %(restarts)s restarts",
    by="restarts",
)


def resize_sentence(resize: PendingResize) -> str:
    """Say that a resize waits, why, and what it holds meanwhile."""
    said = _with_message(resize.reason, resize.message)
    if not resize.held:
        return said
    return _HELD_BY_RESIZE(reason=said, held=listed([resource_amount(*each) for each in resize.held]))


REPORTED_STATUS = message("Its status says: %(said)s")


REJECTED_PODS = plural("a kubelet rejected %(pods)s pod", "kubelets rejected %(pods)s pods", by="pods")


UNSTARTABLE_PODS = plural(
    "%(pods)s pod cannot start: its claim is not bound",
    "%(pods)s pods cannot start: their claims are not bound",
    by="pods",
)


STUCK_PODS = plural(
    "%(pods)s pod is terminating on an unreachable node",
    "%(pods)s pods are terminating on unreachable nodes",
    by="pods",
)


KILLED_PODS = plural(
    "a container of %(pods)s pod was OOMKilled", "containers of %(pods)s pods were OOMKilled", by="pods"
)


HELD_PODS = plural("a finalizer holds %(pods)s ended pod", "finalizers hold %(pods)s ended pods", by="pods")


def _with_message(reason: str, quoted: str) -> str:
    said = quoted.strip().rstrip(".")
    return f"{reason}: {said}" if said else reason


def _finalizer(name: str) -> str:
    setter = _SETTERS.get(name.partition("/")[0])
    return f"{name} ({setter})" if setter else name


def _exit_code(code: int) -> str:
    signal = _SIGNALS.get(code - _FIRST_SIGNAL)
    return f"{code} ({signal})" if signal else str(code)


def _written(at: str) -> str:
    return f"{datetime.fromisoformat(at):%Y-%m-%d %H:%M:%S %Z}"


# -- What the kubelet has the runtime and the kernel enforce for a pod ------------------------------------------------


EXPLAINED: Final = gettext_lazy("Shares and weights count only while the CPU is busy.")
EVICTED: Final = gettext_lazy(
    "The kubelet evicts the pod, with a grace period of 1 s, once a container's logs and writable layer (on split file "
    "systems its logs alone) exceed its ephemeral-storage limit, or all with volumes the sum of limits."
)
NOT_SCORED: Final = gettext_lazy("The score of Burstable pods depends on their node's memory.")


def weight(number: int, newer: int | None) -> str:
    """Write the weight of cgroup v2, and what newer runtimes make of the same shares where that differs."""
    if newer is None or newer == number:
        return grouped(number)
    return _("%(weight)s, or %(newer)s since runc 1.3.2 and crun 1.23") % {
        "weight": grouped(number),
        "newer": grouped(newer),
    }


LIMITS_OF_VOLUMES = message("emptyDir sizeLimits count too: %(volumes)s.")


# -- The objects around a pod -----------------------------------------------------------------------------------------


TITLE: Final = gettext_lazy("Related objects")
POD: Final = pgettext_lazy("kind of an object", "Pod")
NODE: Final = pgettext_lazy("kind of an object", "Node")
NOMINATED: Final = pgettext_lazy("kind of an object", "Nominated node")
BUDGET: Final = pgettext_lazy("kind of an object", "PodDisruptionBudget")
SERVICE: Final = pgettext_lazy("kind of an object", "Service")
POD_GROUP: Final = pgettext_lazy("kind of an object", "Pod group")
CLAIM: Final = pgettext_lazy("kind of an object", "PersistentVolumeClaim")
VOLUME: Final = pgettext_lazy("kind of an object", "PersistentVolume")
RESOURCE_CLAIM: Final = pgettext_lazy("kind of an object", "ResourceClaim")


SUMMARY = plural(
    "%(pod)s and %(objects)s object around it.", "%(pod)s and %(objects)s objects around it.", by="objects"
)


# -- What removes a pod that runs -------------------------------------------------------------------------------------


REMOVAL_TITLE: Final = gettext_lazy("What removes this pod")
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
    return f"{grouped(seconds)} s"


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


# -- Preemption from the victims' side --------------------------------------------------------------------------------


# What a pending pod means for one that runs.
THREATS: Final = {
    Threat.SELECTED: pgettext_lazy("threat to a pod", "Preempts it"),
    Threat.CANDIDATE: pgettext_lazy("threat to a pod", "May preempt it"),
    Threat.SPARED: pgettext_lazy("threat to a pod", "Spares it"),
    Threat.LEAVING: pgettext_lazy("threat to a pod", "Has preempted it"),
}
LEAVING: Final = gettext_lazy("Preempted: it is terminating; the pending pod is nominated.")
PREEMPTION_SEARCH_HINT: Final = gettext_lazy("namespace/workload")
NO_HIGHER_CLASS: Final = gettext_lazy("No PriorityClass is above it.")
# Of what a budget is worth against preemption.
BEST_EFFORT: Final = gettext_lazy("Budgets do not prevent preemption; nodes with fewer violations are preferred.")

INDEPENDENT: Final = gettext_lazy("Each pending pod is evaluated as if it came first.")


# Why a pending pod preempts none, or not the pod that is looked at.
OTHERS: Final = {
    Threat.PRIORITY: pgettext_lazy("why none is preempted", "Their priority is not higher"),
    Threat.OTHER_NODES: pgettext_lazy("why none is preempted", "They preempt on other nodes only"),
    PreemptionOutcome.FITS: pgettext_lazy("why none is preempted", "They fit without preemption"),
    PreemptionOutcome.NOT_HELPFUL: pgettext_lazy("why none is preempted", "Preemption is not helpful"),
    PreemptionOutcome.NEVER: pgettext_lazy("why none is preempted", "Their preemptionPolicy is Never"),
    PreemptionOutcome.GATED: pgettext_lazy("why none is preempted", "Scheduling gates keep them back"),
    PreemptionOutcome.TERMINATING: pgettext_lazy("why none is preempted", "They await their victims' termination"),
    PreemptionOutcome.LOWEST: pgettext_lazy("why none is preempted", "No pod on a node has a lower priority"),
    PreemptionOutcome.NO_PLUGIN: pgettext_lazy("why none is preempted", "Their profile preempts no pods"),
    PreemptionOutcome.ERROR: pgettext_lazy("why none is preempted", "The scheduler ends in an error"),
    PreemptionOutcome.UNCERTAIN: pgettext_lazy("why none is preempted", "They may fit without preemption"),
    PreemptionOutcome.OTHER_SCHEDULER: pgettext_lazy("why none is preempted", "They are of another scheduler"),
    PreemptionOutcome.NOT_EVALUATED: pgettext_lazy("why none is preempted", "Not evaluated: too many victims"),
    PreemptionOutcome.EVALUATING: states.EVALUATING,
    PreemptionOutcome.NOT_COMPUTED: pgettext_lazy("why none is preempted", "Could not be computed; the log says why"),
}


def headline(selected: int, candidate: int, evaluating: int) -> str:
    """Count the pending pods that would preempt a pod, those that might, and those that are still being evaluated."""
    if not selected and not candidate and not evaluating:
        return _("No pending pod would preempt this pod now.")
    if not selected and not candidate:
        return " ".join((_("None so far would preempt this pod."), STILL(pods=evaluating)))
    said = []
    if selected:
        said.append(
            ngettext(
                "%(pods)s pending pod would preempt this pod.",
                "%(pods)s pending pods would preempt this pod.",
                selected,
            )
            % {"pods": counted(selected, is_whole=not evaluating)}
        )
    if candidate:
        said.append(
            ngettext(
                "%(pods)s pending pod could preempt it, but prefers another node.",
                "%(pods)s pending pods could preempt it, but prefer another node.",
                candidate,
            )
            % {"pods": counted(candidate, is_whole=not evaluating)}
        )
    return " ".join([*map(begun, said), *([STILL(pods=evaluating)] if evaluating else [])])


IS_VICTIM = plural(
    "%(victims)s victim on %(node)s: this pod.",
    "%(victims)s victims on %(node)s, this pod among them.",
    by="victims",
)
WOULD_BE_VICTIM = plural(
    "%(victims)s victim on %(node)s; %(selected)s is preferred.",
    "%(victims)s victims on %(node)s; %(selected)s is preferred.",
    by="victims",
)
IS_SPARED = plural(
    "%(victims)s other pod of %(node)s makes enough room.",
    "%(victims)s other pods of %(node)s make enough room.",
    by="victims",
)
BUDGETS_VIOLATED = plural(
    "%(victims)s victim violates a budget, as on every candidate.",
    "%(victims)s victims violate budgets, as on every candidate.",
    by="victims",
)
BUDGETS_AVOIDED = plural(
    "On %(node)s %(victims)s victim violates a budget; on %(selected)s fewer do.",
    "On %(node)s %(victims)s victims violate a budget; on %(selected)s fewer do.",
    by="victims",
)
SAMPLED = message("It tries at least %(sample)s of %(nodes)s nodes from a random one on, and may select another.")
UNCERTAIN: Final = gettext_lazy("Something not computed may reject the pod there.")


def priority(value: int, name: str) -> str:
    """Write a priority with the PriorityClass that gives it."""
    return f"{grouped(value)} ({name})" if name else grouped(value)


def classes_above(classes: Sequence[tuple[str, int]]) -> str:
    """Name the PriorityClasses whose pods may preempt a pod."""
    named = [priority_class(name, value) for name, value in classes]
    return ngettext(
        "Pods of %(names)s may preempt it.",
        "Pods of %(names)s may preempt it.",
        len(classes),
    ) % {"names": first_of(named, most=8)}


CLASSES_THAT_WAIT = plural(
    "%(names)s is above it, but never preempts.", "%(names)s are above it, but never preempt.", by="number"
)


def priority_class(name: str, value: int) -> str:
    """Write a PriorityClass with its value."""
    return f"{name} ({grouped(value)})"


BUDGET_ALLOWS = plural(
    "Budget %(name)s allows %(allowed)s disruption.",
    "Budget %(name)s allows %(allowed)s disruptions.",
    by="allowed",
)


def workload(named: Workload) -> str:
    """Name a workload."""
    return f"{named.kind} {named.namespace}/{named.name}" if named.kind else str(NO_CONTROLLER)


# -- The list of pods -------------------------------------------------------------------------------------------------


WITH_MESSAGE: Final = gettext_lazy("With a message")
WITHOUT_MESSAGE: Final = gettext_lazy("Without a message")
MESSAGE: Final = gettext_lazy("Scheduler's message")
SEARCH_HINT: Final = gettext_lazy("Part of a pod's name")
OF_NODE: Final = pgettext_lazy("what a pod belongs to", "Node")
WORKLOAD: Final = pgettext_lazy("what a pod belongs to", "Workload")
USES_CLAIM: Final = pgettext_lazy("what a pod uses", "Resource claim")
OF_POD_GROUP: Final = pgettext_lazy("what a pod belongs to", "Pod group")
WITHOUT_CONTROLLER: Final = gettext_lazy("no controller")
