"""What a simulation is asked: its changes, where it begins, its scheduler, and the form's offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
from django.urls import reverse
from django.utils.http import urlencode

from clusters.models import Cluster, PodDisruptionBudget
from clusters.services.mirror.state import utilisation_of
from clusters.services.workloads import workloads_of
from clusters.wording import counts
from clusters.wording.lists import listed, side_by_side
from clusters.wording.runs import changes as words, progress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    # As it is stored.
    Entry = Mapping[str, Any]

# Of a run's changes so many are told where there is little room.
_TOLD = 2


def change_sentence(entry: Entry) -> str:
    """Say what one change does, as an order: `Add 50 replicas to Deployment shop/web`."""
    write = _SENTENCES.get(str(entry.get("change")))
    return write(entry) if write else words.UNKNOWN(change=str(entry.get("change")))


def asked(spec: Entry) -> str:
    """Say in one line what a run was asked."""
    changes = [change_sentence(each) for each in spec.get("changes", [])]
    if not changes:
        return str(words.PLACE_PENDING if _is_of_cluster(spec) else words.NOTHING)
    told = "; ".join(changes[:_TOLD])
    return words.MORE(changes=told, more=len(changes) - _TOLD) if len(changes) > _TOLD else told


def suggested_title(changes: Sequence[Entry]) -> str:
    """Return what a run is called whose title nobody wrote."""
    return asked({"base": {"kind": "cluster"}, "changes": changes})[:200]


def scheduler_sentence(spec: Entry) -> str:
    """Say who places the pods."""
    scheduler = spec.get("scheduler") or {}
    if scheduler.get("kind") == "batch":
        says = (progress.MAY_MOVE, scheduler.get("reschedules")), (progress.WHOLE_GROUPS, scheduler.get("gangs"))
        return side_by_side((str(progress.AT_ONCE), *(str(said) for said, is_so in says if is_so)))
    return str(progress.ON_SAMPLED_NODES if scheduler.get("samples") else progress.ON_EVERY_NODE)


def base_sentence(spec: Entry, cluster: str, revision: int | None) -> str:
    """Say where a run begins."""
    if not _is_of_cluster(spec):
        return str(progress.EMPTY_CLUSTER)
    return cluster if revision is None else progress.CLUSTER_AT(cluster=cluster, revision=revision)


def _is_of_cluster(spec: Entry) -> bool:
    return (spec.get("base") or {}).get("kind") != "empty"


# -- one change --------------------------------------------------------------------------------------------------------


def _nodes(entry: Entry) -> str:
    """Say which nodes a change is about."""
    names = [str(name) for name in entry.get("nodes") or ()]
    return words.chosen_nodes(names=names, selector=entry.get("selector") or "", zone=str(entry.get("zone")))


def _workload(entry: Entry) -> str:
    return f"{entry.get('kind')} {_named(entry)}"


def _named(entry: Entry) -> str:
    return f"{entry.get('namespace')}/{entry.get('name')}"


def _name(manifest: Entry) -> str:
    metadata = manifest.get("metadata") or {}
    name, namespace = metadata.get("name") or metadata.get("generateName") or "", metadata.get("namespace")
    return f"{namespace}/{name}" if namespace else str(name)


def _scale(entry: Entry) -> str:
    workload, by = _workload(entry), entry.get("by")
    if by is None:
        return words.SCALE(workload=workload, replicas=int(entry.get("replicas") or 0))
    if by < 0:
        return words.REMOVE_REPLICAS(workload=workload, replicas=-int(by))
    return words.ADD_REPLICAS(workload=workload, replicas=int(by))


def _add_workload(entry: Entry) -> str:
    manifest, replicas = entry.get("manifest") or {}, entry.get("replicas")
    workload = f"{manifest.get('kind')} {_name(manifest)}".strip()
    if replicas is None:
        return words.ADD_OBJECT(object=workload)
    return words.ADD_WORKLOAD(workload=workload, replicas=int(replicas))


def _add_nodes(entry: Entry) -> str:
    count, zones = int(entry.get("count") or 0), list(entry.get("zones") or ())
    if entry.get("like"):
        change = words.ADD_NODES_LIKE(nodes=count, like=entry["like"])
    else:
        change = words.ADD_NODES_OF_SIZE(nodes=count, cpu=str(entry.get("cpu")), memory=str(entry.get("memory")))
    return words.IN_ZONES(change=change, zones=listed(zones)) if zones else change


def _taint(taint: Entry) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint.get('key')}{value}:{taint.get('effect')}"


def _taint_nodes(entry: Entry) -> str:
    taints = [*map(_taint, entry.get("taints") or ()), *(f"{name}-" for name in entry.get("remove") or ())]
    return words.TAINT_NODES(nodes=_nodes(entry), taints=", ".join(taints))


def _label_nodes(entry: Entry) -> str:
    labels = entry.get("labels") or {}
    added = [f"{key}={value}" for key, value in labels.items() if value is not None]
    removed = [f"{key}-" for key, value in labels.items() if value is None]
    return words.LABEL_NODES(nodes=_nodes(entry), labels=", ".join((*added, *removed)))


def _lose_zone(entry: Entry) -> str:
    say = words.ZONE_UNREACHABLE if entry.get("how") == "unreachable" else words.ZONE_REMOVED
    return say(zone=str(entry.get("zone")))


def _fail_nodes(entry: Entry) -> str:
    say = words.NODES_NOT_READY if entry.get("how") == "not-ready" else words.NODES_UNREACHABLE
    return say(nodes=_nodes(entry))


def _trace(entry: Entry) -> str:
    nodes = len(entry.get("nodes") or ())
    objects = (counts.pods(len(entry.get("pods") or ())), counts.nodes(nodes) if nodes else "")
    return words.REPLAY_TRACE(objects=side_by_side(filter(None, objects)))


_SENTENCES: Mapping[str, Callable[[Entry], str]] = {
    "scale": _scale,
    "add-workload": _add_workload,
    "remove-workload": lambda entry: words.REMOVE_WORKLOAD(workload=_workload(entry)),
    "set-requests": lambda entry: words.SET_REQUESTS(workloads=len(entry.get("workloads") or ())),
    "put-budget": lambda entry: words.PUT_BUDGET(budget=_name(entry.get("manifest") or {})),
    "remove-budget": lambda entry: words.REMOVE_BUDGET(budget=_named(entry)),
    "put-priority-class": lambda entry: words.PUT_PRIORITY_CLASS(name=_name(entry.get("manifest") or {})),
    "add-nodes": _add_nodes,
    "remove-nodes": lambda entry: words.REMOVE_NODES(nodes=_nodes(entry)),
    "cordon": lambda entry: words.CORDON_NODES(nodes=_nodes(entry)),
    "uncordon": lambda entry: words.UNCORDON_NODES(nodes=_nodes(entry)),
    "label-nodes": _label_nodes,
    "taint-nodes": _taint_nodes,
    "lose-zone": _lose_zone,
    "drain-nodes": lambda entry: words.DRAIN_NODES(nodes=_nodes(entry)),
    "fail-nodes": _fail_nodes,
    "trace": _trace,
    "place": lambda entry: str(words.PLACE_ALL if entry.get("pods") == "all" else words.PLACE_PENDING),
}


@dataclass(frozen=True, slots=True)
class Offers:
    """What a cluster has to choose from; long lists are cut, and any name may be typed."""

    nodes: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    workloads: tuple[str, ...] = ()
    budgets: tuple[str, ...] = ()


# Longer addresses are cut by proxies and refused by servers.
LONGEST = 6000


def simulate_url(cluster: str, *changes: dict[str, Any]) -> str:
    """Return the address of the form with these changes in it; empty where it would be longer than browsers send."""
    query = urlencode([("change", orjson.dumps(change).decode()) for change in changes])
    return f"{reverse('run-new', kwargs={'cluster': cluster})}?{query}" if len(query) <= LONGEST else ""


def like_pod(document: Mapping[str, Any], suffix: str = "what-if") -> dict[str, Any]:
    """Return a pod like another one, under a name of its own, that no node has yet."""
    metadata = document.get("metadata") or {}
    kept = {key: metadata[key] for key in ("namespace", "labels", "annotations") if metadata.get(key)}
    spec = {key: value for key, value in (document.get("spec") or {}).items() if key != "nodeName"}
    name = f"{metadata.get('name', 'pod')}-{suffix}"
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {**kept, "name": name}, "spec": spec}


# Lists of suggestions; any other name may be typed.
_MOST = 200
_REPLICATED = frozenset({"Deployment", "StatefulSet", "ReplicaSet", "Job"})


def offers_of(cluster: Cluster) -> Offers:
    """Return names to choose from."""
    found = utilisation_of(cluster=cluster)
    workloads = [each for each in workloads_of(cluster=cluster).states if each.kind in _REPLICATED]
    budgets = PodDisruptionBudget.objects.filter(cluster=cluster).values_list("namespace", "name")
    return Offers(
        nodes=tuple(found.snapshot.nodes.names[:_MOST]),
        zones=tuple(zone.zone for zone in found.zones if zone.zone),
        workloads=tuple(f"{each.kind} {each.namespace}/{each.name}" for each in workloads[:_MOST]),
        budgets=tuple(f"{namespace}/{name}" for namespace, name in budgets.order_by("namespace", "name")[:_MOST]),
    )
