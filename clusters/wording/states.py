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
EVALUATING: Final = pgettext_lazy("state of a pod", "Still being evaluated")
NOT_COMPUTED: Final = pgettext_lazy("state of a pod", "Not computed")
SCHEDULABLE: Final = pgettext_lazy("state of a pod", "Schedulable, in the queue")
# A pod that does not come to be: the API server refuses it, or its controller waits for another.
NOT_CREATED: Final = pgettext_lazy("state of a pod", "Not created")

# What every pod goes through before it has one.
CREATED: Final = pgettext_lazy("step in the life of a pod", "Created")
READY: Final = pgettext_lazy("step in the life of a pod", "Ready to be scheduled")

# A pod that has one.
NEEDS_FORCE: Final = pgettext_lazy("state of a pod", "Not evicted without --force")
SCHEDULED: Final = pgettext_lazy("state of a pod", "Scheduled")
RUNNING: Final = pgettext_lazy("state of a pod", "Running")
SUCCEEDED: Final = pgettext_lazy("state of a pod", "Succeeded")
FAILED: Final = pgettext_lazy("state of a pod", "Failed")
REJECTED_BY_KUBELET: Final = pgettext_lazy("state of a pod", "Rejected by the kubelet")
OOM_KILLED: Final = pgettext_lazy("state of a pod", "OOMKilled")
CANNOT_START: Final = pgettext_lazy("state of a pod", "Cannot start")
NODE_NOT_FOUND: Final = pgettext_lazy("state of a pod", "Node not found")
TERMINATING: Final = pgettext_lazy("state of a pod", "Terminating")
ON_A_NODE: Final = pgettext_lazy("state of a pod", "On a node")
# A pod of which no phase is recorded.
UNKNOWN: Final = pgettext_lazy("state of a pod", "Unknown")

# What a filter of lists calls the phase itself, beside the states above.
PHASE_PENDING: Final = pgettext_lazy("state of a pod", "Phase Pending")
PHASE_RUNNING: Final = pgettext_lazy("state of a pod", "Phase Running")
PHASE_SUCCEEDED: Final = pgettext_lazy("state of a pod", "Phase Succeeded")
PHASE_FAILED: Final = pgettext_lazy("state of a pod", "Phase Failed")

# By the pod's phase, of pods that have a node.
OF_PHASE: Final = {"Running": RUNNING, "Succeeded": SUCCEEDED, "Failed": FAILED}

# By the name that a template gives it.
BY_NAME: Final = {
    "pending": PENDING,
    "scheduled": SCHEDULED,
    "unschedulable": UNSCHEDULABLE,
    "uncertain": UNCERTAIN,
    "nominated": NOMINATED,
    "not-computed": NOT_COMPUTED,
    "not-created": NOT_CREATED,
}

# What is concluded of a pod that is to be scheduled.
CONCLUSIONS: Final = {
    Conclusion.FITS: FITS,
    Conclusion.UNSCHEDULABLE: UNSCHEDULABLE,
    Conclusion.UNCERTAIN: UNCERTAIN,
}

# What filtering says of one node.
FEASIBLE: Final = pgettext_lazy("verdict on a node", "Feasible")
REJECTED: Final = pgettext_lazy("verdict on a node", "Rejected")
REJECTED_FOR_GOOD: Final = pgettext_lazy("verdict on a node", "Rejected; preemption is not helpful")

# By the name of the verdict's picture, where nothing finer is said.
VERDICT_WORDS: Final = {
    "fits": FITS,
    "rejected": REJECTED,
    "preemptible": REJECTED,
    "uncertain": UNCERTAIN,
    "unknown": pgettext_lazy("verdict on a node", "Unknown"),
    "chosen": pgettext_lazy("verdict on a node", "Chosen"),
}

# Of what stands within a line: a plugin's part in an attempt.
ANSWER_NOT_COMPUTED: Final = pgettext_lazy("a plugin's answer", "not computed")
