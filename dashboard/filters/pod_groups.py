"""The filter of the page of pod groups; it chooses among what the engine found, not among rows of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording import filters as labels, pod_groups as words
from dashboard.filters.base import FilterForm, choice, exact, search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.group_states import PodGroupState
    from clusters.services.mirror.state import ClusterPodGroups

_GANG, _BASIC = "gang", "basic"


class PodGroupFilter(FilterForm):
    """Name of a group or of a pod in it, namespace, state, policy, Workload or controller."""

    q = search(labels.SEARCH, words.SEARCH_HINT)
    namespace = choice(labels.NAMESPACE, ())
    state = choice(labels.STATE, ((phase.value, label) for phase, label in words.PHASES.items()))
    policy = choice(words.POLICY_LABEL, ((_GANG, words.GANG_CHOICE), (_BASIC, words.BASIC)))
    workload = exact(labels.WORKLOAD, labels.WHOLE_NAME)

    def __init__(self, data: Mapping[str, Any], *, found: ClusterPodGroups) -> None:
        super().__init__(data)
        names = sorted({state.key.namespace for state in found.states.values()})
        self.offer("namespace", [(name, name) for name in names])

    def passes(self, state: PodGroupState) -> bool:
        """Tell whether every given filter lets the group through."""
        given, key = self.given(), state.key
        text = given.get("q", "")
        name = str(key) if "/" in text else str(key).partition("/")[2]
        if text and text not in name and not any(text in pod.partition("/")[2] for pod in state.members):
            return False
        if "policy" in given and (state.terms is None or state.is_gang != (given["policy"] == _GANG)):
            return False
        return (
            given.get("namespace", key.namespace) == key.namespace
            and given.get("state", state.phase.value) == state.phase.value
            and ("workload" not in given or given["workload"] in _owners(state))
        )


def _owners(state: PodGroupState) -> set[str]:
    names = {state.workload, state.controller[1] if state.controller else ""} - {""}
    return names | {f"{state.key.namespace}/{name}" for name in names}
