"""What can be wrong with the manifests and traces of a simulation, and what keeps its pods from nodes beside that."""

from __future__ import annotations

from clusters.engine.problems import Chosen, Number, Problem, message, plural
from clusters.engine.workloads import JobFailureReason


class NoName(Problem, kind="NoName"):
    """An object without a name."""

    sentence = message("The %(kind_of_object)s has no name.")
    remedy = message("Write metadata.name.")

    kind_of_object: str


class NoSpec(Problem, kind="NoSpec"):
    """An object without a spec."""

    sentence = message("The %(kind_of_object)s has no spec.")
    remedy = message("Write its spec.")

    kind_of_object: str


class NoPodTemplate(Problem, kind="NoPodTemplate"):
    """A workload without a template of pods."""

    sentence = message("There is no pod template.")
    remedy = message("Write spec.template with the spec of the pods.")


class NoContainers(Problem, kind="NoContainers"):
    """A pod without containers."""

    sentence = message("The pod has no containers.")
    remedy = message("Write one container at least.")


class NoReplicas(Problem, kind="NoReplicas"):
    """A number of replicas for an object that has none, such as a DaemonSet."""

    sentence = message("A %(kind_of_object)s has no replicas.")
    remedy = message("Leave the field out.")

    kind_of_object: str


class NegativeOrdinal(Problem, kind="NegativeOrdinal"):
    """The first ordinal of a StatefulSet is no whole number from 0 on."""

    sentence = message("%(found)s is not an ordinal.")
    remedy = message("Write 0 or more.")

    found: str


class UncountableRequest(Problem, kind="UncountableRequest"):
    """Requests of a resource that are below 0 or above what the scheduler can count, where numbers wrap around."""

    sentence = message("The pod requests less than 0 of %(resource)s, or more than the scheduler can count.")
    remedy = message("Write amounts such as 500m, 2 or 1.5Gi.")

    resource: str


class InvalidLabelSelector(Problem, kind="InvalidLabelSelector"):
    """A selector that the API server refuses; ``said`` is its message."""

    sentence = "%(said)s"
    remedy = message("Write matchLabels or matchExpressions with keys and values that labels can have.")

    said: str


# -- traces ------------------------------------------------------------------------------------------------------------


class EmptyCell(Problem, kind="EmptyCell"):
    """A cell of a trace without a value, in a column that needs one."""

    sentence = message("The cell is empty.")
    remedy = message("Write its value.")


class NotACellName(Problem, kind="NotACellName"):
    """A cell that is no name of a node or pod of at most ``most`` characters."""

    sentence = message("%(found)s is not a name.")
    remedy = plural(
        "Write at most %(most)s lower-case letter, digit, “-” or “.”.",
        "Write at most %(most)s lower-case letters, digits, “-” and “.”.",
        by="most",
    )

    found: str
    most: int


class NotACellWord(Problem, kind="NotACellWord"):
    """A cell that is no word of at most ``most`` letters."""

    sentence = message("%(found)s is not a word.")
    remedy = plural("Write at most %(most)s letter.", "Write at most %(most)s letters.", by="most")

    found: str
    most: int


class NotGpuModels(Problem, kind="NotGpuModels"):
    """A cell that holds no names of GPU models."""

    sentence = message("%(found)s does not name GPU models.")
    remedy = message("Write such as T4 or V100M16|V100M32.")

    found: str


class LeavesBeforeArrival(Problem, kind="LeavesBeforeArrival"):
    """A pod of a trace whose ``deletion_time`` is before its ``creation_time``, both in seconds."""

    sentence = message("%(deletion_time)s is before the creation_time, %(creation_time)s.")
    remedy = message("Write the time at which the pod leaves, or leave the cell empty for one that stays.")

    deletion_time: Number
    creation_time: Number


# -- steps -------------------------------------------------------------------------------------------------------------


class AwaitsOrdinal(Problem, kind="AwaitsOrdinal"):
    """A pod that is not created yet: its StatefulSet, ``namespace/name``, waits for another ``pod`` of its own."""

    sentence = message(
        "StatefulSet %(stateful_set)s has the podManagementPolicy OrderedReady: it creates this pod once %(pod)s "
        "is Running and Ready."
    )
    remedy = message("Make room for %(pod)s first.")

    stateful_set: str
    pod: str


class JobFailed(Problem, kind="JobFailed"):
    """A pod that its ``job``, ``namespace/name``, does not replace, or deletes, as it fails with a ``reason``.

    The reason is a JobFailureReason; ``limit`` is the backoffLimit or maxFailedIndexes that is exceeded.
    """

    sentence = Chosen(
        "reason",
        {
            JobFailureReason.BACKOFF_LIMIT: message(
                "Job %(job)s has failed: with its evicted pods more have failed than backoffLimit %(limit)s allows."
            ),
            JobFailureReason.MOST_INDEXES: message(
                "Job %(job)s has failed: with its evicted pods more indexes have failed than maxFailedIndexes "
                "%(limit)s allows."
            ),
            JobFailureReason.POLICY: message(
                "Job %(job)s has failed: its podFailurePolicy has the action FailJob for evicted pods."
            ),
        },
        message("Job %(job)s has failed: all of its indexes have ended, and some of them failed."),
    )
    remedy = message("Let a rule of its podFailurePolicy ignore the condition DisruptionTarget, or raise its limits.")

    job: str
    reason: str
    limit: int


class JobIndexFailed(Problem, kind="JobIndexFailed"):
    """A pod whose ``index`` of its ``job`` fails, as more of its pods failed than the ``limit`` allows."""

    sentence = message(
        "Index %(index)s of Job %(job)s has failed (backoffLimitPerIndex %(limit)s): it gets no further pod."
    )
    remedy = message(
        "Let a rule of its podFailurePolicy ignore the condition DisruptionTarget, or raise backoffLimitPerIndex."
    )

    job: str
    index: Number
    limit: int


class JobHadEnded(Problem, kind="JobHadEnded"):
    """A pod that is not replaced, as its ``job`` had ended before."""

    sentence = message("Job %(job)s has ended: it creates no more pods.")

    job: str


class PodGroupDoesNotFit(Problem, kind="PodGroupDoesNotFit"):
    """A pod of ``group`` that would find a node, where fewer than the ``missing`` pods needed together do."""

    sentence = plural(
        "Pod group %(group)s does not fit: the %(missing)s pod that it still needs finds no node.",
        "Pod group %(group)s does not fit: fewer than the %(missing)s pods that it needs together find a node.",
        by="missing",
    )

    group: str
    missing: int
