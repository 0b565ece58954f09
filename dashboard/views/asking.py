"""What is asked on the map of a cluster: changes in its address, and what they, or those of a simulation, come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson
from django import forms
from django.urls import reverse
from django.utils.http import urlencode

from clusters.documents.words import note_in_words
from clusters.models import KubeObject
from clusters.services.evaluation import Progress
from clusters.services.mirror.state import utilisation_of
from clusters.services.runs.asked import AskedOutcome, outcome_of
from clusters.services.runs.results import pending_after
from clusters.services.runs.spec import SpecError
from clusters.wording.drains import COUNTS_ALONE
from clusters.wording.maps import place
from clusters.wording.problems import both_sentences
from dashboard.forms.runs.base import text, whole
from dashboard.forms.runs.settings import BadState, of_address, packed
from dashboard.forms.runs.workloads import workload_of
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters.asked import (
    AskedNode,
    AskedView,
    FirstOf,
    LeftPod,
    OutcomeView,
    node_moves,
    outcome_map,
    outcome_sentences,
)
from dashboard.presenters.runs.listing import change_sentence, offers_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import QueryDict

    from clusters.engine.columns import NodeTable
    from clusters.models import Cluster

    Entry = Mapping[str, Any]

# What the map was looked at by stays in the address, for the way back.
LOOKED: Final = ("lens", "resource", "constraint", "cause")
_MOST_LEFT: Final = 8
_MOST_LISTED: Final = 100
_MOST_ZONES: Final = 6
_MOST_WORKLOADS: Final = 200
_GROWING: Final = ("Deployment", "StatefulSet")
_MOST_REPLICAS: Final = 10_000


class ReplicasForm(forms.Form):
    """How many more replicas of which workload."""

    workload = text("", "shop/web", offers="workloads")
    by = whole("", most=_MOST_REPLICAS, initial=1)

    def __init__(self, data: QueryDict | None = None, *, workloads: Sequence[str]) -> None:
        super().__init__(data, auto_id="ask-%s")
        self._known = workloads

    def clean_workload(self) -> tuple[str, str, str]:
        return workload_of(self.cleaned_data["workload"], self._known)


def replicas_form(cluster: Cluster, query: QueryDict) -> ReplicasForm:
    """Return the form for more replicas, with what was sent of it."""
    if "workload" not in query:
        return ReplicasForm(workloads=())
    return ReplicasForm(query, workloads=offers_of(cluster).workloads)


def with_replicas(cluster: Cluster, query: QueryDict) -> QueryDict:
    """Return a query with what the form for more replicas sent as one more change, or as it is where that is wrong."""
    form = replicas_form(cluster, query)
    if not form.is_valid():
        return query
    kind, namespace, name = form.cleaned_data["workload"]
    by = form.cleaned_data["by"] or 1
    change = {"change": "scale", "kind": kind, "namespace": namespace, "name": name, "by": by}
    found = query.copy()
    for field in ("workload", "by"):
        found.pop(field, None)
    found.appendlist("change", orjson.dumps(change).decode())
    return found


def _query(query: QueryDict, changes: Sequence[Entry]) -> str:
    looked = [(name, query.get(name, "")) for name in LOOKED if name in query]
    return urlencode(looked + [("change", orjson.dumps(each).decode()) for each in changes])


def asked_of(cluster: Cluster, query: QueryDict) -> AskedView:
    """Present what the changes of an address come to. Raises LookupError as below."""
    try:
        changes = of_address(query.getlist("change"))
    except BadState as error:
        return AskedView(problem=str(error), undo=_query(query, ()))
    here = _query(query, changes)
    view = AskedView(
        changes=[
            (change_sentence(each), _query(query, [*changes[:number], *changes[number + 1 :]]))
            for number, each in enumerate(changes)
        ],
        query=here,
        undo=_query(query, changes[:-1]),
        packed=packed(changes),
    )
    try:
        found = outcome_of(cluster=cluster, changes=changes)
    except SpecError as error:
        view.problem = both_sentences(error.problem, line=error.line)
        return view
    drained = [node for each in changes if each["change"] == "drain-nodes" for node in each["nodes"]]
    view.plan = urlencode([("node", node) for node in drained])
    if isinstance(found, Progress):
        view.is_being_computed = True
        return view
    view.notes = list(map(note_in_words, found.ends["notes"]))
    whole, node = (f"{reverse(name, kwargs={'cluster': cluster.name})}?{here}" for name in ("map", "map-node"))
    view.outcome = outcome_view(utilisation_of(cluster=cluster).snapshot.nodes, found, query, whole, f"{node}&node=")
    return view


def outcome_view(nodes: NodeTable, found: AskedOutcome, query: QueryDict, whole: str, node_address: str) -> OutcomeView:
    """Present what changes to nodes come to; `whole` is the address of the map, `node_address` begins that of a node.

    Raises LookupError for a zone or a pool that there is not.
    """
    zone, pool = query.get("zone"), query.get("pool", "")
    said, _ = outcome_sentences(found.ends, found.moves)
    drawn, added = outcome_map(nodes, found, said, zone, pool), found.ends["origins"]["added"]
    moves, others = ([move for move in found.moves if move.is_aside is aside] for aside in (False, True))
    left = [move for move in found.moves if move.is_pending]
    lost = [move for move in moves if not move.target and not move.is_pending]
    preempted = sum(move.is_preempted for move in left)
    return OutcomeView(
        said=said,
        added=added["total"],
        placed=added["placed"],
        moved=sum(bool(move.source and move.target) for move in moves),
        pending=pending_after(found.ends["origins"]).newly,
        preempted=preempted,
        uncertain=found.ends["pods"]["uncertain"],
        left=FirstOf([LeftPod.of(move) for move in left[:_MOST_LEFT]], len(left)),
        kept=FirstOf(found.kept[:_MOST_LEFT], len(found.kept)),
        lost=FirstOf(lost[:_MOST_LEFT], len(lost)),
        moves=FirstOf(moves[:_MOST_LISTED], len(moves)),
        others=FirstOf(others[:_MOST_LISTED], len(others)),
        map=DrawnMap("map", drawn, address=whole, node_address=node_address, is_opened=zone is not None),
        place="" if zone is None else place(zone=zone, pool=pool),
        whole=whole,
        beside_plan=str(COUNTS_ALONE) if found.drained and preempted else "",
    )


def of_node(cluster: Cluster, query: QueryDict, name: str) -> AskedNode:
    """Present what the changes of an address, if it has any, do to a node, and what else can be asked about it."""
    try:
        changes = of_address(query.getlist("change"))
        found = outcome_of(cluster=cluster, changes=changes) if changes else None
    except (BadState, SpecError):
        changes, found = [], None
    moves = found.moves if isinstance(found, AskedOutcome) else ()
    drain, loss = ({"change": change, "nodes": [name]} for change in ("drain-nodes", "remove-nodes"))
    return AskedNode(
        moves=node_moves(moves, name),
        drain=_query(query, [*changes, drain]),
        loss=_query(query, [*changes, loss]),
        copy=_query(query, [*changes, {"change": "add-nodes", "like": name, "count": 1}]),
    )


def zone_losses(cluster: Cluster, query: QueryDict) -> list[tuple[str, str]]:
    """Return the first zones, each with the query that asks for its loss."""
    zones = [use.zone for use in utilisation_of(cluster=cluster).zones if use.zone][:_MOST_ZONES]
    return [(name, _query(query, [{"change": "lose-zone", "zone": name, "how": "gone"}])) for name in zones]


def growing(cluster: Cluster) -> list[str]:
    """Name the first workloads that can have more replicas."""
    found = KubeObject.objects.filter(cluster=cluster, kind__in=_GROWING).order_by("namespace", "name")
    names = found.values_list("namespace", "name").distinct()[:_MOST_WORKLOADS]
    return [f"{namespace}/{name}" for namespace, name in names]
