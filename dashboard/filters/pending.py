"""The filter of the page about pending pods; it chooses among what was computed, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.analysis import Kind
from clusters.wording import filters as labels, pending as words
from clusters.wording.pending import KIND_WORDS
from clusters.wording.pod_groups import LABEL, cause_in_group
from dashboard.filters.base import FilterForm, choice, exact, search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.services.pending.pods import CauseGroup, ClusterPending, WaitingPod


class PendingFilter(FilterForm):
    """Text, namespace, state, one cause, workload, pod group."""

    q = search(labels.SEARCH, words.SEARCH_HINT)
    namespace = choice(labels.NAMESPACE, ())
    kind = choice(
        words.STATE_LABEL, ((kind.value, label) for kind, label in KIND_WORDS.items() if kind is not Kind.NOT_EVALUATED)
    )
    cause = choice(words.CAUSE_LABEL, ())
    workload = exact(labels.WORKLOAD, labels.WHOLE_NAME)
    group = exact(LABEL, labels.WHOLE_NAME)

    def __init__(self, data: Mapping[str, Any], *, pending: ClusterPending) -> None:
        super().__init__(data)
        groups = pending.groups.values()
        names = sorted({pod.namespace for group in groups for pod in group.pods})
        self.offer("namespace", [(name, name) for name in names])
        causes = {group.identity: cause_in_group(group.cause, group.pod_group) for group in groups}
        # Causes come and go; an address that names one that is gone finds nothing, rather than everything.
        causes.setdefault(str(data.get("cause") or ""), str(words.CAUSE_GONE))
        self.offer("cause", [(identity, label) for identity, label in causes.items() if identity])

    @property
    def chosen(self) -> str:
        """The identity of the one cause that is asked for; empty for all."""
        return self.given().get("cause", "")

    def apply(self, pending: ClusterPending) -> list[tuple[CauseGroup, list[WaitingPod]]]:
        """Return the groups of which any pod is let through, and those pods."""
        given = self.given()
        found = []
        for identity, group in pending.groups.items():
            if given.get("cause", identity) != identity or given.get("kind", group.cause.kind) != group.cause.kind:
                continue
            pods = [pod for pod in group.pods if _passes(pod, given)]
            if pods:
                found.append((group, pods))
        return found


def _passes(pod: WaitingPod, given: Mapping[str, str]) -> bool:
    text = given.get("q", "").lower()
    name = f"{pod.namespace}/{pod.name}" if "/" in text else pod.name
    return (
        (text in name.lower() or text in pod.reported.lower())
        and given.get("namespace", pod.namespace) == pod.namespace
        and given.get("workload", pod.workload.name) in (pod.workload.name, f"{pod.namespace}/{pod.workload.name}")
        and ("group" not in given or given["group"] in _group_names(pod))
    )


def _group_names(pod: WaitingPod) -> tuple[str, ...]:
    """The names by which the group of a pod may be asked for: with its namespace and without."""
    key = str(pod.pod_group.key) if pod.pod_group else ""
    return (key, key.partition("/")[2]) if key else ()
