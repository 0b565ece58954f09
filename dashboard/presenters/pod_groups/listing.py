"""Groups of pods as rows of a table and of a file, and what is said above all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.group_states import GroupPhase
from clusters.engine.owners import Controller
from clusters.engine.podgroups import schedules_groups
from clusters.engine.versions import Gate
from clusters.services.mirror.objects import WORKLOAD_KINDS
from clusters.wording import columns
from clusters.wording.amounts import grouped
from clusters.wording.pod_groups import page as words
from clusters.wording.pod_groups import states
from dashboard.presenters.overview.cards import page
from dashboard.tables.columns import DataColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from clusters.engine.group_states import PodGroupState
    from clusters.engine.versions import Release
    from clusters.models import Cluster
    from clusters.services.mirror.state import ClusterPodGroups

BADGES: Final = {
    GroupPhase.GATE_OFF: "info",
    GroupPhase.NOT_FOUND: "bad",
    GroupPhase.WAITING_FOR_PODS: "warn",
    GroupPhase.PENDING: "bad",
    GroupPhase.PARTLY_SCHEDULED: "warn",
    GroupPhase.SCHEDULED: "good",
    GroupPhase.EMPTY: "",
}
TABLE: Final[tuple[DataColumn[Any], ...]] = (
    DataColumn("name", words.COLUMN_GROUP, ("name",)),
    DataColumn("state", columns.STATE, ("state",)),
    DataColumn("policy", words.COLUMN_POLICY, ("policy",)),
    DataColumn("scheduled", words.COLUMN_SCHEDULED, ("scheduled",), is_number=True, starts_descending=True),
    DataColumn("pending", words.COLUMN_PENDING, ("pending",), is_number=True, starts_descending=True),
    DataColumn("missing", words.COLUMN_MISSING, ("missing",), is_number=True, starts_descending=True),
    DataColumn("owner", words.COLUMN_OWNER),
)
_PHASES: Final = list(GroupPhase)
_ORDERS: Final[Mapping[str, Callable[[PodGroupState], Any]]] = {
    "name": lambda state: state.key,
    "state": lambda state: _PHASES.index(state.phase),
    "policy": lambda state: (state.is_gang, state.quorum),
    "scheduled": lambda state: state.scheduled,
    "pending": lambda state: state.pending,
    "missing": lambda state: state.missing,
}


@dataclass(frozen=True, slots=True)
class Owner:
    """What a group belongs to; `url` is empty where it has no page."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class PodGroupRow:
    """One group of the list."""

    key: str
    namespace: str
    name: str
    state: str
    badge: str
    policy: str
    scheduled: str
    pending: str
    missing: str
    owner: Owner | None


def owner_of(cluster: Cluster, state: PodGroupState) -> Owner | None:
    """Present the controller that a group belongs to, or its Workload, which has no page; None without either."""
    if state.controller is not None:
        kind, name = state.controller
        is_mirrored = kind in WORKLOAD_KINDS or state.controller in _controllers(state)
        address = page("workload", cluster, kind=kind, namespace=state.key.namespace, name=name) if is_mirrored else ""
        return Owner(f"{kind} {name}", address)
    return Owner(f"Workload {state.workload}", "") if state.workload else None


def _controllers(state: PodGroupState) -> set[tuple[str, str]]:
    """The controllers of a group's pods, whatever their kind, each of which has a page."""
    found = map(Controller.of, (member.document for member in state.members.values()))
    return {(each.kind, each.name) for each in found if each is not None}


def group_row(cluster: Cluster, state: PodGroupState) -> PodGroupRow:
    """Present a group as a row."""
    return PodGroupRow(
        key=str(state.key),
        namespace=state.key.namespace,
        name=str(state.key).partition("/")[2],
        state=str(states.PHASES[state.phase]),
        badge=BADGES[state.phase],
        policy=states.policy(state),
        scheduled=grouped(state.scheduled),
        pending=grouped(state.pending),
        missing=grouped(state.missing),
        owner=owner_of(cluster, state),
    )


def ordered(found: list[PodGroupState], order: str) -> list[PodGroupState]:
    """Sort by a column; without one they stay in their usual order."""
    name = order.removeprefix("-")
    if name in _ORDERS:
        found.sort(key=lambda state: state.key)
        found.sort(key=_ORDERS[name], reverse=order.startswith("-"))
    return found


def gate_sentence(release: Release) -> str:
    """Say that the scheduler does not read groups; empty where it does."""
    if schedules_groups(release):
        return ""
    # Of gates that depend on each other the outermost that is off.
    gates = [gate for gate in (Gate.GENERIC_WORKLOAD, Gate.GANG_SCHEDULING) if gate in release.known_gates]
    return states.gate_off(release, next((gate.value for gate in gates if not release.enables(gate)), ""))


def headline(found: ClusterPodGroups) -> str:
    """Say how many groups need somebody; empty without groups, or where the scheduler does not read them."""
    if not found.states or not schedules_groups(found.snapshot.release):
        return ""
    phases = [state.phase for state in found.states.values()]
    waiting = phases.count(GroupPhase.WAITING_FOR_PODS) + phases.count(GroupPhase.NOT_FOUND)
    pending = phases.count(GroupPhase.PENDING) + phases.count(GroupPhase.PARTLY_SCHEDULED)
    return words.unmet(waiting, pending, len(phases))


def lacking(found: ClusterPodGroups) -> str:
    """Say that pods name groups of which no object is held; empty where none does."""
    number = sum(state.terms is None for state in found.states.values())
    return words.NOT_FOUND(groups=number) if number else ""


def cells(found: Iterable[PodGroupState]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row of a file for each group."""
    for state in found:
        yield (
            state.key.namespace,
            str(state.key).partition("/")[2],
            str(states.PHASES[state.phase]),
            states.policy(state),
            state.quorum or "",
            len(state.members),
            state.scheduled,
            state.pending,
            state.missing,
            state.workload,
            "/".join(state.controller or ()),
        )
