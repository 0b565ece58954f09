"""Explanations as pages and the API ask for them: of pods of the mirror, and what other decisions share with those."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, Protocol

from django.http import Http404
from django.urls import reverse
from django.utils.http import urlencode
from msgspec import Struct, field
from msgspec.structs import replace

from clusters.engine.configuration import StrategyType, rescored, scoring_strategy
from clusters.models import Cluster, Pod
from clusters.services.decisions.explain import PodNotFound, explain_pod
from clusters.services.mirror.past import pod_named
from clusters.services.mirror.snapshots import configuration_of
from clusters.wording import absent
from clusters.wording.decisions.attempt import NO_PART, PROFILE as PROFILE_TITLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine import Explanation, Profile, SchedulerConfiguration


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
        raise Http404(absent.HAS_NO(cluster=whole, object_kind="node", name=node))
    return row


def with_query(address: str, query: Iterable[tuple[str, str]]) -> str:
    """Return an address with parameters behind it, but for empty ones."""
    values = [(key, value) for key, value in query if value]
    return f"{address}?{urlencode(values)}" if values else address


# -- A pod of the mirror with its explanation, as pages and the API ask for it ----------------------------------------


LARGEST_WEIGHT: Final = 100
WEIGHT: Final = "weight-"
STRATEGY: Final = "strategy"
# What may be asked for: the third strategy needs a shape.
STRATEGIES: Final = (StrategyType.LEAST_ALLOCATED, StrategyType.MOST_ALLOCATED)


class Rescoring(Struct, frozen=True):
    """Scores as somebody asks for them and not as they are configured: weights by plugin, and another strategy."""

    weights: Mapping[str, int] = field(default_factory=dict)
    strategy: StrategyType | None = None

    @property
    def is_any(self) -> bool:
        """Whether anything is asked for."""
        return bool(self.weights) or self.strategy is not None

    @property
    def query(self) -> list[tuple[str, str]]:
        """Return it as an address has it."""
        weights = [(f"{WEIGHT}{plugin}", str(weight)) for plugin, weight in self.weights.items()]
        return [*weights, (STRATEGY, self.strategy or "")]

    @property
    def words(self) -> list[str]:
        """Name it by its plugins and weights."""
        weights = [f"{plugin} × {weight}" for plugin, weight in self.weights.items()]
        return weights if self.strategy is None else [*weights, str(self.strategy)]


def _rescoring_asked(profile: Profile, query: Mapping[str, str]) -> Rescoring:
    """Read what an address asks for that the profile does not have. Raises Http404 for what nobody can have."""
    configured = {plugin: str(weight) for plugin, weight in profile.weights.items()}
    asked = {plugin: query.get(f"{WEIGHT}{plugin}") or weight for plugin, weight in configured.items()}
    weights = {plugin: weight for plugin, weight in asked.items() if weight != configured[plugin]}
    largest = max(LARGEST_WEIGHT, *profile.weights.values(), 0)
    present = scoring_strategy(profile)
    strategy = query.get(STRATEGY) or present
    if not all(re.fullmatch("[0-9]{1,10}", each) and int(each) <= largest for each in weights.values()):
        raise Http404(str(NO_PART))
    if strategy != present and (present is None or strategy not in STRATEGIES):
        raise Http404(str(NO_PART))
    return Rescoring(
        {plugin: int(weight) for plugin, weight in weights.items()},
        None if strategy is None or strategy == present else StrategyType(strategy),
    )


class ExplainedPod(Struct, frozen=True):
    """A pod with its explanation; `profile` stands in for the pod's own scheduler, empty where none was asked for.

    The configuration is rescored already, where that was asked for.
    """

    cluster: Cluster
    pod: Pod
    configuration: SchedulerConfiguration
    explanation: Explanation
    profile: str
    rescoring: Rescoring = field(default_factory=Rescoring)

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
        """Return the address of a part of the decision, or of all; it keeps what was asked for: profile and weights."""
        address = reverse(f"decision-{name}" if name else "decision", kwargs={**self.address, **path})
        return with_query(address, (("profile", self.profile), *self.rescoring.query, *query))

    def node_address(self, name: str) -> str:
        """Return where more about a node is."""
        return reverse("node", kwargs={"cluster": self.cluster.name, "name": name})

    def pod_address(self, namespace: str, name: str) -> str:
        """Return where the decision about another pod is."""
        return reverse("decision", kwargs={"cluster": self.cluster.name, "namespace": namespace, "name": name})

    def row(self, node: str) -> int:
        """Return a node's row. Raises Http404 for a node that the cluster does not have."""
        return row_of(self.explanation, node, self.cluster.name)


def pod_of(cluster: Cluster, namespace: str, name: str) -> Pod:
    """Return a pod with its cluster, as it was at the moment that is asked about. Raises Http404."""
    pod = pod_named(cluster, namespace, name)
    if pod is None:
        raise Http404(absent.HAS_NO(cluster=cluster.name, object_kind="pod", name=f"{namespace}/{name}"))
    pod.cluster = cluster
    return pod


def explained(pod: Pod, profile: str, query: Mapping[str, str] | None = None) -> ExplainedPod:
    """Explain a pod, as the named profile would decide or its own scheduler; with other weights where the query asks.

    Raises UnknownScheduler, ConfigurationError, NotComputed and ChangingTooFastError, and Http404 for a profile or
    weights that there are not and for a pod that has gone meanwhile.
    """
    configuration = configuration_of(pod.cluster)
    if profile:
        configuration = _standing_in(configuration, profile, pod.scheduler_name)
    own = configuration.profile_for(pod.object)
    rescoring = _rescoring_asked(own, query or {})
    if rescoring.is_any:
        changed = rescored(own, rescoring.weights, rescoring.strategy)
        profiles = tuple(changed if each is own else each for each in configuration.profiles)
        configuration = replace(configuration, profiles=profiles)
    try:
        explanation = explain_pod(
            cluster=pod.cluster, namespace=pod.namespace, name=pod.name, configuration=configuration
        )
    except (PodNotFound, Cluster.DoesNotExist):
        # A newer dump or a deletion came between the look at the row and the look at the state.
        raise Http404(
            absent.HAS_NO(cluster=pod.cluster.name, object_kind="pod", name=f"{pod.namespace}/{pod.name}")
        ) from None
    return ExplainedPod(pod.cluster, pod, configuration, explanation, profile, rescoring)


def _standing_in(configuration: SchedulerConfiguration, profile: str, scheduler: str) -> SchedulerConfiguration:
    """Let one profile answer for another scheduler's pods."""
    chosen = [each for each in configuration.profiles if each.scheduler_name == profile]
    if not chosen:
        raise Http404(absent.NO_PROFILE(profile=profile))
    return replace(configuration, profiles=tuple(replace(each, scheduler_name=scheduler) for each in chosen))
