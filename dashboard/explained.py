"""Explanations as pages and the API ask for them: of pods of the mirror, and what other decisions share with those."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import urlencode

from clusters.models import Cluster, Pod
from clusters.services.decisions.explain import PodNotFound, explain_pod
from clusters.services.mirror.snapshots import configuration_of
from clusters.wording import absent, nodes as nodes_words
from clusters.wording.decisions.attempt import PROFILE as PROFILE_TITLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation, SchedulerConfiguration


# -- What explained pods have in common, wherever they are decided ----------------------------------------------------


class Case(Protocol):
    """A decision whose parts are shown: about a pod of the mirror, of a simulation, of a lesson, or of a sandbox."""

    @property
    def explanation(self) -> Explanation: ...

    @property
    def profile(self) -> str: ...

    @property
    def profile_name(self) -> str: ...

    @property
    def is_simulated(self) -> bool: ...

    @property
    def own_node(self) -> str: ...

    @property
    def whole(self) -> str: ...

    @property
    def page(self) -> str: ...

    @property
    def context(self) -> dict[str, object]: ...

    def part_address(self, name: str = "", query: Sequence[tuple[str, str]] = (), **path: object) -> str: ...

    def node_address(self, name: str) -> str: ...

    def pod_address(self, namespace: str, name: str) -> str: ...

    def row(self, node: str) -> int: ...


class ExplainedCase(ABC):
    """A pod of something that is no mirrored cluster, with its explanation."""

    __slots__ = ()

    explanation: Explanation

    @property
    @abstractmethod
    def whole(self) -> str:
        """Return the name of what has the nodes."""

    @property
    def profile(self) -> str:
        """Return the profile that somebody asked for: there is one alone."""
        return ""

    @property
    def profile_name(self) -> str:
        """Return the name of the profile that decides."""
        return PROFILE_TITLE(profile=self.explanation.profile.scheduler_name)

    def row(self, node: str) -> int:
        """Return a node's row. Raises Http404 for a node that there is not."""
        return row_of(self.explanation, node, self.whole)


def row_of(explanation: Explanation, node: str, whole: str) -> int:
    """Return a node's row. Raises Http404 for a node that the `whole` does not have."""
    row = explanation.snapshot.nodes.index.get(node)
    if row is None:
        raise Http404(nodes_words.MISSING(cluster=whole, node=node))
    return row


def with_query(address: str, query: Iterable[tuple[str, str]]) -> str:
    """Return an address with parameters behind it, but for empty ones."""
    values = [(key, value) for key, value in query if value]
    return f"{address}?{urlencode(values)}" if values else address


# -- A pod of the mirror with its explanation, as pages and the API ask for it ----------------------------------------


@dataclass(frozen=True, slots=True)
class ExplainedPod:
    """A pod with its explanation; `profile` stands in for the pod's own scheduler, empty where none was asked for."""

    cluster: Cluster
    pod: Pod
    configuration: SchedulerConfiguration
    explanation: Explanation
    profile: str

    @property
    def profile_name(self) -> str:
        """Return the name of the profile that decides."""
        return PROFILE_TITLE(profile=self.profile or self.explanation.profile.scheduler_name)

    @property
    def is_simulated(self) -> bool:
        """Whether a simulation decides."""
        return False

    @property
    def own_node(self) -> str:
        """Return the node that the pod runs on; empty while it has none."""
        return self.pod.node_name

    @property
    def whole(self) -> str:
        """Return the name of what has the nodes."""
        return self.cluster.name

    @property
    def page(self) -> str:
        """Return the template of a page that has one part of the decision."""
        return "decision/part.html"

    @property
    def context(self) -> dict[str, object]:
        """Return what pages of the decision show beside it."""
        return {"cluster": self.cluster, "pod": self.pod}

    @property
    def address(self) -> dict[str, str]:
        """Return what leads to the pod in an address."""
        return {"cluster": self.cluster.name, "namespace": self.pod.namespace, "name": self.pod.name}

    def part_address(self, name: str = "", query: Sequence[tuple[str, str]] = (), **path: object) -> str:
        """Return the address of a part of the decision, or of all; it keeps the profile that was asked for."""
        address = reverse(f"decision-{name}" if name else "decision", kwargs={**self.address, **path})
        return with_query(address, (("profile", self.profile), *query))

    def node_address(self, name: str) -> str:
        """Return where more about a node is."""
        return reverse("node", kwargs={"cluster": self.cluster.name, "name": name})

    def pod_address(self, namespace: str, name: str) -> str:
        """Return where the decision about another pod is."""
        return reverse("decision", kwargs={"cluster": self.cluster.name, "namespace": namespace, "name": name})

    def row(self, node: str) -> int:
        """Return a node's row. Raises Http404 for a node that the cluster does not have."""
        return row_of(self.explanation, node, self.cluster.name)


def pod_of(cluster: str, namespace: str, name: str) -> Pod:
    """Return a pod with its cluster. Raises Http404."""
    return get_object_or_404(
        Pod.objects.select_related("cluster"), cluster__name=cluster, namespace=namespace, name=name
    )


def explained(pod: Pod, profile: str) -> ExplainedPod:
    """Explain a pod, as the named profile would decide or its own scheduler.

    Raises UnknownScheduler, ConfigurationError, NotComputed and ChangingTooFastError, and Http404 for a profile that
    there is not and for a pod that has gone meanwhile.
    """
    configuration = configuration_of(pod.cluster)
    if profile:
        configuration = _standing_in(configuration, profile, pod.scheduler_name)
    try:
        explanation = explain_pod(
            cluster=pod.cluster, namespace=pod.namespace, name=pod.name, configuration=configuration
        )
    except (PodNotFound, Cluster.DoesNotExist):
        # A newer dump or a deletion came between the look at the row and the look at the state.
        raise Http404(absent.NO_POD(cluster=pod.cluster.name, pod=f"{pod.namespace}/{pod.name}")) from None
    return ExplainedPod(pod.cluster, pod, configuration, explanation, profile)


def _standing_in(configuration: SchedulerConfiguration, profile: str, scheduler: str) -> SchedulerConfiguration:
    """Let one profile answer for another scheduler's pods."""
    chosen = [each for each in configuration.profiles if each.scheduler_name == profile]
    if not chosen:
        raise Http404(absent.NO_PROFILE(profile=profile))
    return replace(configuration, profiles=tuple(replace(each, scheduler_name=scheduler) for each in chosen))
