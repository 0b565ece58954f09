"""A pod of a sandbox with its explanation, as the parts of a decision ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from django.urls import reverse
from django.utils.http import urlencode

from clusters.engine.configuration import UnknownScheduler
from clusters.engine.objects import Pod
from clusters.engine.sandbox import PodAttempt, SandboxCluster, explain_attempt
from clusters.engine.simulation import Outcome
from clusters.services.computing import Cache
from clusters.wording.lessons import sandbox as words
from dashboard.explained import ExplainedCase, with_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation
    from dashboard.sandbox.storing import StoredSandbox


@dataclass(frozen=True, slots=True)
class ExplainedSandboxPod(ExplainedCase):
    """A pod of the asking user's sandbox; `node` is the one that it got, empty while it is pending."""

    explanation: Explanation
    node: str

    @property
    def is_simulated(self) -> bool:
        """Whether a simulation decides, which takes one node of several that are equally good."""
        return True

    @property
    def own_node(self) -> str:
        """Return the node that the pod got."""
        return self.node

    @property
    def whole(self) -> str:
        """Return the name of what has the nodes."""
        return str(words.TITLE)

    @property
    def page(self) -> str:
        """Return the template of a page that has one part of the decision."""
        return "sandbox/decision_part.html"

    @property
    def context(self) -> dict[str, object]:
        """Return what pages of the decision show beside it."""
        return {"pod": self.explanation.pod.key}

    @property
    def address(self) -> dict[str, str]:
        """Return what leads to the pod in an address."""
        pod = self.explanation.pod
        return {"namespace": pod.namespace, "name": pod.name}

    def part_address(self, name: str = "", query: Sequence[tuple[str, str]] = (), **path: object) -> str:
        """Return the address of a part of the decision, or of the sandbox with the pod's decision."""
        if not name:
            return self.pod_address(**self.address)
        address = reverse(f"sandbox-decision-{name}", kwargs={**self.address, **path})
        return with_query(address, query)

    def node_address(self, name: str) -> str:
        """Return where a node stands in the table of the sandbox."""
        return f"{reverse('sandbox')}#node-{name}"

    def pod_address(self, namespace: str, name: str) -> str:
        """Return where the decision about a pod is."""
        return f"{reverse('sandbox')}?{urlencode({'pod': f'{namespace}/{name}'})}"


class PodDecision(NamedTuple):
    """The decision about a pod: that of the attempt by which it got its node, or what would be decided now.

    ``node``: the one that it has, empty while it is pending.
    """

    explanation: Explanation
    node: str
    attempt: PodAttempt | None


# Users who are at their sandboxes at the same time, and the pods that they look at.
_clusters: Final[Cache[int, SandboxCluster]] = Cache("clusters of sandboxes", 32)
_decisions: Final[Cache[tuple[int, str], PodDecision | None]] = Cache("decisions of sandboxes", 64)


def cluster_of(sandbox: StoredSandbox) -> SandboxCluster:
    """Return the cluster of a sandbox as it is now."""
    objects = sandbox.history.objects
    return _clusters.get(sandbox.user.pk, lambda: SandboxCluster(objects), version=sandbox.version)


def decision_of(sandbox: StoredSandbox, key: str) -> PodDecision | None:
    """Return the decision about a pod; None for one that there is not, and for one that another scheduler schedules."""
    return _decisions.get((sandbox.user.pk, key), lambda: _decision(sandbox, key), version=sandbox.version)


def _decision(sandbox: StoredSandbox, key: str) -> PodDecision | None:
    cluster = cluster_of(sandbox)
    pod = cluster.pods.get(key)
    if pod is None:
        return None
    node = Pod(pod).node_name
    found = sandbox.history.attempt_of(key) if node else None
    if found is not None and found.attempt.outcome is Outcome.PLACED:
        explanation = explain_attempt(SandboxCluster(found.objects), found.attempt.number)
        return PodDecision(explanation, node, found.attempt)
    try:
        return PodDecision(cluster.explain(key), node, None)
    except UnknownScheduler:
        return None
