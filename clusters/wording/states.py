"""The one name of each state, wherever it is shown: Kubernetes' own where it has one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.engine.conclusion import Conclusion

# A pod that has no node.
PENDING: Final = pgettext_lazy("state of a pod", "Pending")
FITS: Final = pgettext_lazy("state of a pod", "Fits")
FITS_BY_PREEMPTION: Final = pgettext_lazy("state of a pod", "Fits by preemption")
MAY_FIT_BY_PREEMPTION: Final = pgettext_lazy("state of a pod", "May fit by preemption")
UNSCHEDULABLE: Final = pgettext_lazy("state of a pod", "Unschedulable")
UNCERTAIN: Final = pgettext_lazy("state of a pod", "Uncertain")
NOMINATED: Final = pgettext_lazy("state of a pod", "Nominated")
GATED: Final = pgettext_lazy("state of a pod", "SchedulingGated")
WAITS_FOR_VOLUME: Final = pgettext_lazy("state of a pod", "Waiting for a volume")
SCHEDULER_ERROR: Final = pgettext_lazy("state of a pod", "Scheduler error")
OTHER_SCHEDULER: Final = pgettext_lazy("state of a pod", "Another scheduler")
NO_NODES: Final = pgettext_lazy("state of a pod", "No nodes")
NOT_EVALUATED: Final = pgettext_lazy("state of a pod", "Not evaluated")
NOT_COMPUTED: Final = pgettext_lazy("state of a pod", "Not computed")

# A pod that has one.
SCHEDULED: Final = pgettext_lazy("state of a pod", "Scheduled")
RUNNING: Final = pgettext_lazy("state of a pod", "Running")
SUCCEEDED: Final = pgettext_lazy("state of a pod", "Succeeded")
FAILED: Final = pgettext_lazy("state of a pod", "Failed")
NODE_NOT_FOUND: Final = pgettext_lazy("state of a pod", "Node not found")

# By the pod's phase, of pods that have a node.
OF_PHASE: Final = {"Running": RUNNING, "Succeeded": SUCCEEDED, "Failed": FAILED}

# What is concluded of a pod that is to be scheduled.
CONCLUSIONS: Final = {
    Conclusion.FITS: FITS,
    Conclusion.DOES_NOT_FIT: UNSCHEDULABLE,
    Conclusion.UNCERTAIN: UNCERTAIN,
}

# By the name of the verdict's picture, where nothing finer is said.
VERDICT_WORDS: Final = {
    "fits": FITS,
    "rejected": pgettext_lazy("verdict on a node", "Rejected"),
    "preemptible": pgettext_lazy("verdict on a node", "Resolvable by preemption"),
    "uncertain": UNCERTAIN,
    "unknown": pgettext_lazy("verdict on a node", "Unknown"),
    "chosen": pgettext_lazy("verdict on a node", "Chosen"),
}

# What filtering says of one node.
FEASIBLE: Final = pgettext_lazy("verdict on a node", "Feasible")
REJECTED_RESOLVABLE: Final = pgettext_lazy("verdict on a node", "Rejected; preemption may help")
REJECTED: Final = pgettext_lazy("verdict on a node", "Rejected; preemption is not helpful")
ENDS_IN_ERROR: Final = pgettext_lazy("verdict on a node", "Scheduler error")
