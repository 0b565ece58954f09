"""What changes name, held against what a cluster has: people hear of a slip when they make it, not from a worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.owners import Workload
from clusters.models import Cluster, KubeObject, Pod, PodDisruptionBudget
from clusters.services.mirror.state import utilisation_of
from clusters.services.workloads import workloads_of
from clusters.wording.runs import building as words
from dashboard.forms.runs.base import CHANGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to begin with: a cluster as it is now, or nothing."""

    cluster: Cluster | None

    def problem(self, change: Entry, before: Sequence[Entry] = ()) -> str:
        """Say what a change names that is not there, as far as no change before it adds it; empty where all is there.

        Raises ConfigurationError and ChangingTooFastError.
        """
        match change.get(CHANGE):
            case "scale" | "remove-workload":
                return self._without_workload(change, before)
            case "remove-budget":
                return self._without_budget(change, before)
            case "trace":
                return ""
            case _:
                return self._without_nodes(change, before)

    def _without_nodes(self, change: Entry, before: Iterable[Entry]) -> str:
        named = [*(change.get("nodes") or ()), *([change["like"]] if change.get("like") else [])]
        if not named or any(each.get(CHANGE) in ("add-nodes", "trace") for each in before):
            return ""
        known = () if self.cluster is None else utilisation_of(cluster=self.cluster).snapshot.nodes.index
        missing = [name for name in named if name not in known]
        return words.no_such_nodes(missing) if missing else ""

    def _without_workload(self, change: Entry, before: Iterable[Entry]) -> str:
        kind, namespace, name = change["kind"], change["namespace"], change["name"]
        if (kind, namespace, name) in _put(before, "add-workload") or self._has(Workload(namespace, kind, name)):
            return ""
        return words.NO_SUCH_WORKLOAD(workload=f"{kind} {namespace}/{name}")

    def _has(self, workload: Workload) -> bool:
        if self.cluster is None:
            return False
        place = {"cluster": self.cluster, "namespace": workload.namespace, "name": workload.name}
        if workload.kind == "Pod":
            return Pod.objects.filter(**place).exists()
        # One without pods is an object still.
        found = workload in workloads_of(cluster=self.cluster).states
        return found or KubeObject.objects.filter(**place, kind=workload.kind).exists()

    def _without_budget(self, change: Entry, before: Iterable[Entry]) -> str:
        namespace, name = change["namespace"], change["name"]
        if ("PodDisruptionBudget", namespace, name) in _put(before, "put-budget"):
            return ""
        there = PodDisruptionBudget.objects.filter(cluster=self.cluster, namespace=namespace, name=name)
        if self.cluster is not None and there.exists():
            return ""
        return words.NO_SUCH_BUDGET(budget=f"{namespace}/{name}")


def _put(changes: Iterable[Entry], kind: str) -> set[tuple[str, str, str]]:
    """Return what changes of a kind add, by kind, namespace and name."""
    manifests = [each["manifest"] for each in changes if each.get(CHANGE) == kind]
    places = [(each["kind"], each.get("metadata") or {}) for each in manifests]
    return {(kind, place.get("namespace", "default"), place.get("name", "")) for kind, place in places}
