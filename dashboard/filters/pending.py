"""The filters of pending pods: by cause, in the queue, by preemption and in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.analysis import Kind
from clusters.engine.group_states import PodGroupState
from clusters.wording import (
    batch_groups as batch_groups_words,
    filters as labels,
    pending as words,
    pod_groups as pod_groups_words,
)
from clusters.wording.amounts import grouped
from clusters.wording.pending import KIND_WORDS
from clusters.wording.pod_groups import LABEL, cause_in_group
from clusters.wording.pods import PREEMPTION_SEARCH_HINT
from clusters.wording.states import NOMINATED
from dashboard.filters.base import FilterForm, choice, exact, scope, search

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.batch_groups import AnyGroupState
    from clusters.services.mirror.state import ClusterPodGroups
    from clusters.services.pending.pods import CauseGroup, ClusterPending, WaitingPod
    from clusters.services.pending.queue import QueuedPodState, WorkloadRisk


class PendingFilter(FilterForm):
    """Text, namespace, state, one cause, workload, pod group."""

    q = search(labels.SEARCH, words.SEARCH_HINT)
    namespace = scope()
    kind = choice(
        words.STATE_LABEL, ((kind.value, label) for kind, label in KIND_WORDS.items() if kind is not Kind.NOT_EVALUATED)
    )
    cause = choice(words.CAUSE_LABEL, ())
    workload = exact(labels.WORKLOAD, labels.WHOLE_NAME)
    group = exact(LABEL, labels.WHOLE_NAME)

    def __init__(self, data: Mapping[str, Any], *, pending: ClusterPending) -> None:
        super().__init__(data)
        groups = pending.groups.values()
        self.offer_namespaces({pod.namespace for group in groups for pod in group.pods})
        causes = {group.identity: cause_in_group(group.cause, group.pod_group) for group in groups}
        # Causes come and go; an address that names one that is gone finds nothing, rather than everything.
        causes.setdefault(str(data.get("cause") or ""), str(words.CAUSE_GONE))
        self.offer("cause", [(identity, label) for identity, label in causes.items() if identity])

    @property
    def chosen(self) -> str:
        """The identity of the one cause that is asked for; empty for all."""
        return str(self.given().get("cause", ""))

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


_NOMINATED = "nominated"
STATES = {**{place.value: name for place, name in words.PLACES.items()}, _NOMINATED: NOMINATED}


class QueueFilter(FilterForm):
    """Text, namespace, part of the queue, priority."""

    q = search(labels.SEARCH, words.QUEUE_SEARCH_HINT)
    namespace = scope()
    state = choice(labels.STATE, STATES.items())
    priority = choice(labels.PRIORITY, ())

    def __init__(self, data: Mapping[str, Any], *, placed: Sequence[QueuedPodState]) -> None:
        super().__init__(data)
        self.offer_namespaces({each.queued.pod.namespace for each in placed})
        classes: dict[int, set[str]] = {}
        for each in placed:
            classes.setdefault(each.queued.priority, set()).add(each.queued.priority_class)
        self.offer("priority", [(str(value), _label(value, classes[value])) for value in sorted(classes)[::-1]])

    def apply(self, placed: Sequence[QueuedPodState]) -> list[QueuedPodState]:
        """Return the pods that every given filter lets through, in the same order."""
        given = self.given()
        return [each for each in placed if _queue_passes(each, given)] if given else list(placed)


def _label(value: int, classes: set[str]) -> str:
    names = ", ".join(sorted(filter(None, classes)))
    return f"{grouped(value)} ({names})" if names else grouped(value)


def _queue_passes(placed: QueuedPodState, given: Mapping[str, str]) -> bool:
    queued, standing = placed
    pod, text, state = queued.pod, given.get("q", "").lower(), given.get("state", "")
    name = f"{pod.namespace}/{pod.name}" if "/" in text else pod.name
    return (
        (text in name.lower() or text in pod.workload.name.lower())
        and given.get("namespace", pod.namespace) == pod.namespace
        and given.get("priority", str(queued.priority)) == str(queued.priority)
        and (bool(queued.nominated_node) if state == _NOMINATED else not state or state == standing.place)
    )


class PreemptionFilter(FilterForm):
    """Text and namespace, of the workloads whose pods would go."""

    q = search(labels.SEARCH, PREEMPTION_SEARCH_HINT)
    namespace = scope()

    def __init__(self, data: Mapping[str, Any], *, risks: Sequence[WorkloadRisk]) -> None:
        super().__init__(data)
        self.offer_namespaces({risk.workload.namespace for risk in risks})

    def apply(self, risks: Sequence[WorkloadRisk]) -> list[WorkloadRisk]:
        """Return the workloads that every given filter lets through, in the same order."""
        given = self.given()
        text, namespace = given.get("q", "").lower(), given.get("namespace", "")
        return [
            risk
            for risk in risks
            if text in f"{risk.workload.namespace}/{risk.workload.name}".lower()
            and namespace in ("", risk.workload.namespace)
        ]


_GANG, _BASIC = "gang", "basic"


class PodGroupFilter(FilterForm):
    """Name of a group or of a pod in it, namespace, system, state, policy, Workload or controller."""

    q = search(labels.SEARCH, pod_groups_words.SEARCH_HINT)
    namespace = scope()
    system = choice(batch_groups_words.SYSTEM, ())
    state = choice(labels.STATE, ((phase.value, label) for phase, label in pod_groups_words.PHASES.items()))
    policy = choice(
        pod_groups_words.POLICY_LABEL, ((_GANG, pod_groups_words.GANG_CHOICE), (_BASIC, pod_groups_words.BASIC))
    )
    workload = exact(labels.WORKLOAD, labels.WHOLE_NAME)

    def __init__(self, data: Mapping[str, Any], *, found: ClusterPodGroups) -> None:
        super().__init__(data)
        states = found.states.values()
        self.offer_namespaces({state.key.namespace for state in states})
        self.offer("system", [(name, name) for name in sorted(set(map(pod_groups_words.system, states)))])

    def passes(self, state: AnyGroupState) -> bool:
        """Tell whether every given filter lets the group through."""
        given, key = self.given(), state.key
        text = given.get("q", "")
        name = str(key) if "/" in text else str(key).partition("/")[2]
        if text and text not in name and not any(text in pod.partition("/")[2] for pod in state.members):
            return False
        has_policy = state.terms is not None if isinstance(state, PodGroupState) else state.is_gang
        if "policy" in given and (not has_policy or state.is_gang != (given["policy"] == _GANG)):
            return False
        return (
            given.get("namespace", key.namespace) == key.namespace
            and given.get("system", pod_groups_words.system(state)) == pod_groups_words.system(state)
            and given.get("state", state.phase.value) == state.phase.value
            and ("workload" not in given or given["workload"] in _owners(state))
        )


def _owners(state: AnyGroupState) -> set[str]:
    workload = state.workload if isinstance(state, PodGroupState) else ""
    names = {workload, state.controller[1] if state.controller else ""} - {""}
    return names | {f"{state.key.namespace}/{name}" for name in names}
