"""What can be wrong with the manifests and traces of a simulation, and what keeps its pods from nodes beside that."""

from __future__ import annotations

from clusters.engine.problems import Chosen, Number, PlacedError, Problem, message
from clusters.engine.workloads import JobFailureReason


class ChangeError(PlacedError):
    """A change that cannot be made: where, as in ``changes[2].replicas``, and what is wrong."""


class UncountableRequest(Problem, kind="UncountableRequest"):
    """Requests of a resource that are below 0 or above what the scheduler can count, where numbers wrap around."""

    sentence = message("The request of %(resource)s is negative or too large.")
    remedy = message("Write an amount such as 500m, 2 or 1.5Gi.")

    resource: str


# -- traces ------------------------------------------------------------------------------------------------------------


# -- steps -------------------------------------------------------------------------------------------------------------


class AwaitsOrdinal(Problem, kind="AwaitsOrdinal"):
    """A pod that is not created yet: its StatefulSet, ``namespace/name``, waits for another ``pod`` of its own."""

    sentence = message("StatefulSet %(stateful_set)s (OrderedReady) creates this pod once %(pod)s is Ready.")
    remedy = message("Make room for %(pod)s.")

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
                "Job %(job)s has failed: more pods failed than backoffLimit %(limit)s allows."
            ),
            JobFailureReason.MOST_INDEXES: message(
                "Job %(job)s has failed: more indexes failed than maxFailedIndexes %(limit)s allows."
            ),
            JobFailureReason.POLICY: message(
                "Job %(job)s has failed: its podFailurePolicy has FailJob for evicted pods."
            ),
        },
        message("Job %(job)s has failed: some of its indexes failed."),
    )
    remedy = message("Let its podFailurePolicy ignore DisruptionTarget, or raise its limits.")

    job: str
    reason: str
    limit: int


class JobIndexFailed(Problem, kind="JobIndexFailed"):
    """A pod whose ``index`` of its ``job`` fails, as more of its pods failed than the ``limit`` allows."""

    sentence = message("Index %(index)s of Job %(job)s has failed (backoffLimitPerIndex %(limit)s).")
    remedy = message("Let its podFailurePolicy ignore DisruptionTarget, or raise its limits.")

    job: str
    index: Number
    limit: int


class JobHadEnded(Problem, kind="JobHadEnded"):
    """A pod that is not replaced, as its ``job`` had ended before."""

    sentence = message("Job %(job)s has ended.")

    job: str


class PodGroupDoesNotFit(Problem, kind="PodGroupDoesNotFit"):
    """A pod of ``group`` that would find a node, where fewer than the ``missing`` pods needed together do."""

    sentence = message("Pod group %(group)s does not fit: fewer than the %(missing)s pods it needs find a node.")

    group: str
    missing: int


class UnreadableSelector(Problem, kind="UnreadableSelector"):
    """A label selector that cannot be read from a character on, counted from 1."""

    sentence = message("It cannot be read from character %(character)s on.")
    remedy = message("Write such as pool=spot,tier in (a,b),!old.")

    character: int


# -- nodes -------------------------------------------------------------------------------------------------------------


class NoNodeSelected(Problem, kind="NoNodeSelected"):
    sentence = message("No node matches %(selector)s.")
    remedy = message("Check the labels of the nodes.")

    selector: str


# -- workloads and pods ------------------------------------------------------------------------------------------------


class NotAWorkload(Problem, kind="NotAWorkload"):
    sentence = message("A %(kind_of_object)s is not a workload.")
    remedy = message("Use the change %(change)s.")

    kind_of_object: str
    change: str


class TooManyPending(Problem, kind="TooManyPending"):
    sentence = message("%(found)s pods are pending, more than %(most)s.")
    remedy = message("Begin with a smaller cluster.")

    found: int
    most: int


# -- policies ----------------------------------------------------------------------------------------------------------
