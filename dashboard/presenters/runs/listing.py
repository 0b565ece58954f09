"""Simulations as rows, and what each changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from django.urls import reverse
from django.utils.http import urlencode
from msgspec import Struct, structs

from clusters.documents.problems import in_words
from clusters.engine import ConfigurationError
from clusters.engine.versions import release_with
from clusters.models import Cluster, PodDisruptionBudget, SimulationRun
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.mirror.state import utilisation_of
from clusters.services.runs.results import pending_after, placed_of
from clusters.services.workloads import workloads_of
from clusters.wording import counts
from clusters.wording.lists import IN, listed
from clusters.wording.releases import version_with_gates
from clusters.wording.runs import building as building_words, changes as changes_words, progress as progress_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Entry = Mapping[str, Any]


# -- What a simulation is asked ---------------------------------------------------------------------------------------


# Of a run's changes so many are told where there is little room.
_TOLD = 2


def change_sentence(entry: Entry) -> str:
    """Say what one change does, as an order: `Add 50 replicas to Deployment shop/web`."""
    write = _SENTENCES.get(str(entry.get("change")))
    return write(entry) if write else changes_words.UNKNOWN(change=str(entry.get("change")))


def asked(spec: Entry) -> str:
    """Say in one line what a run was asked."""
    changes = [change_sentence(each) for each in spec.get("changes", [])]
    if not changes:
        return str(changes_words.PLACE_PENDING if _is_of_cluster(spec) else changes_words.NOTHING)
    told = "; ".join(changes[:_TOLD])
    return changes_words.MORE(changes=told, more=len(changes) - _TOLD) if len(changes) > _TOLD else told


def scheduler_sentence(spec: Entry) -> str:
    """Say who places the pods."""
    scheduler = spec.get("scheduler") or {}
    if scheduler.get("kind") == "batch":
        says = (
            (progress_words.MAY_MOVE, scheduler.get("reschedules")),
            (progress_words.WHOLE_GROUPS, scheduler.get("gangs")),
        )
        return ", ".join((str(progress_words.AT_ONCE), *(str(said) for said, is_so in says if is_so)))
    return str(progress_words.ON_SAMPLED_NODES if scheduler.get("samples") else progress_words.ON_EVERY_NODE)


def base_sentence(spec: Entry, cluster: str, revision: int | None) -> str:
    """Say where a run begins."""
    if not _is_of_cluster(spec):
        return str(progress_words.EMPTY_CLUSTER)
    return cluster if revision is None else progress_words.CLUSTER_AT(cluster=cluster, revision=revision)


def _is_of_cluster(spec: Entry) -> bool:
    return (spec.get("base") or {}).get("kind") != "empty"


# -- one change --------------------------------------------------------------------------------------------------------


def _nodes(entry: Entry) -> str:
    """Say which nodes a change is about."""
    names = [str(name) for name in entry.get("nodes") or ()]
    return changes_words.chosen_nodes(names=names, selector=entry.get("selector") or "", zone=str(entry.get("zone")))


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
        return changes_words.SCALE(workload=workload, replicas=int(entry.get("replicas") or 0))
    if by < 0:
        return changes_words.REMOVE_REPLICAS(workload=workload, replicas=-int(by))
    return changes_words.ADD_REPLICAS(workload=workload, replicas=int(by))


def _add_workload(entry: Entry) -> str:
    manifest, replicas = entry.get("manifest") or {}, entry.get("replicas")
    workload = f"{manifest.get('kind')} {_name(manifest)}".strip()
    if replicas is None:
        return changes_words.ADD_OBJECT(name=workload)
    return changes_words.ADD_WORKLOAD(workload=workload, replicas=int(replicas))


def _add_nodes(entry: Entry) -> str:
    count, zones = int(entry.get("count") or 0), list(entry.get("zones") or ())
    if entry.get("like"):
        change = changes_words.ADD_NODES_LIKE(nodes=count, like=entry["like"])
    else:
        change = changes_words.ADD_NODES_OF_SIZE(
            nodes=count, cpu=str(entry.get("cpu")), memory=str(entry.get("memory"))
        )
    return IN(what=change, where=listed(zones)) if zones else change


def _taint(taint: Entry) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint.get('key')}{value}:{taint.get('effect')}"


def _taint_nodes(entry: Entry) -> str:
    taints = [*map(_taint, entry.get("taints") or ()), *(f"{name}-" for name in entry.get("remove") or ())]
    return changes_words.TAINT_NODES(nodes=_nodes(entry), taints=", ".join(taints))


def _label_nodes(entry: Entry) -> str:
    labels = entry.get("labels") or {}
    added = [f"{key}={value}" for key, value in labels.items() if value is not None]
    removed = [f"{key}-" for key, value in labels.items() if value is None]
    return changes_words.LABEL_NODES(nodes=_nodes(entry), labels=", ".join((*added, *removed)))


def _lose_zone(entry: Entry) -> str:
    say = changes_words.ZONE_UNREACHABLE if entry.get("how") == "unreachable" else changes_words.ZONE_REMOVED
    return say(zone=str(entry.get("zone")))


def _fail_nodes(entry: Entry) -> str:
    say = changes_words.NODES_NOT_READY if entry.get("how") == "not-ready" else changes_words.NODES_UNREACHABLE
    return say(nodes=_nodes(entry))


def _trace(entry: Entry) -> str:
    nodes = len(entry.get("nodes") or ())
    objects = (counts.PODS(number=len(entry.get("pods") or ())), counts.NODES(number=nodes) if nodes else "")
    return changes_words.REPLAY_TRACE(objects=", ".join(filter(None, objects)))


_SENTENCES: Mapping[str, Callable[[Entry], str]] = {
    "scale": _scale,
    "add-workload": _add_workload,
    "remove-workload": lambda entry: changes_words.REMOVE_WORKLOAD(name=_workload(entry)),
    "set-requests": lambda entry: changes_words.SET_REQUESTS(workloads=len(entry.get("workloads") or ())),
    "put-budget": lambda entry: changes_words.PUT_BUDGET(budget=_name(entry.get("manifest") or {})),
    "remove-budget": lambda entry: changes_words.REMOVE_BUDGET(budget=_named(entry)),
    "put-priority-class": lambda entry: changes_words.PUT_PRIORITY_CLASS(name=_name(entry.get("manifest") or {})),
    "add-nodes": _add_nodes,
    "remove-nodes": lambda entry: changes_words.REMOVE_NODES(nodes=_nodes(entry)),
    "cordon": lambda entry: changes_words.CORDON_NODES(nodes=_nodes(entry)),
    "uncordon": lambda entry: changes_words.UNCORDON_NODES(nodes=_nodes(entry)),
    "label-nodes": _label_nodes,
    "taint-nodes": _taint_nodes,
    "lose-zone": _lose_zone,
    "drain-nodes": lambda entry: changes_words.DRAIN_NODES(nodes=_nodes(entry)),
    "fail-nodes": _fail_nodes,
    "trace": _trace,
    "place": lambda entry: str(changes_words.PLACE_ALL if entry.get("pods") == "all" else changes_words.PLACE_PENDING),
}


class Offers(Struct, frozen=True):
    """What a cluster has to choose from, workloads with their kinds; any name may be typed.

    All workloads are here; the other long lists are cut.
    """

    nodes: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    workloads: tuple[str, ...] = ()
    budgets: tuple[str, ...] = ()

    def lists(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the suggestions of each kind."""
        return [(name, values[:_MOST]) for name, values in structs.asdict(self).items()]


# Longer addresses are cut by proxies and refused by servers.
LONGEST = 6000


def simulate_url(cluster: str, *changes: dict[str, Any]) -> str:
    """Return the address of the form with these changes in it; empty where it would be longer than browsers send."""
    return _with_changes("run-new", cluster, changes)


def asked_url(cluster: str, change: dict[str, Any]) -> str:
    """Return the address of the cluster's map on which this change is asked; empty as above."""
    return _with_changes("cluster", cluster, [change])


def _with_changes(view: str, cluster: str, changes: Iterable[dict[str, Any]]) -> str:
    query = urlencode([("change", orjson.dumps(change).decode()) for change in changes])
    return f"{reverse(view, kwargs={'cluster': cluster})}?{query}" if len(query) <= LONGEST else ""


def like_pod(document: Mapping[str, Any], suffix: str = "what-if") -> dict[str, Any]:
    """Return a pod like another one, under a name of its own, that no node has yet."""
    metadata = document.get("metadata") or {}
    kept = {key: metadata[key] for key in ("namespace", "labels", "annotations") if metadata.get(key)}
    spec = {key: value for key, value in (document.get("spec") or {}).items() if key != "nodeName"}
    name = f"{metadata.get('name', 'pod')}-{suffix}"
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {**kept, "name": name}, "spec": spec}


# Lists of suggestions; any other name may be typed.
_MOST = 200
REPLICATED = frozenset({"Deployment", "StatefulSet", "ReplicaSet", "Job"})


def offers_of(cluster: Cluster) -> Offers:
    """Return names to choose from, none of a cluster that cannot be evaluated."""
    try:
        found = utilisation_of(cluster=cluster)
        workloads = [each for each in workloads_of(cluster=cluster).states.owned if each.kind in REPLICATED]
    except (ConfigurationError, ChangingTooFastError):
        return Offers()
    budgets = PodDisruptionBudget.objects.filter(cluster=cluster).values_list("namespace", "name")
    return Offers(
        nodes=tuple(found.snapshot.nodes.names[:_MOST]),
        zones=tuple(zone.zone for zone in found.zones if zone.zone),
        workloads=tuple(f"{each.kind} {each.namespace}/{each.name}" for each in workloads),
        budgets=tuple(f"{namespace}/{name}" for namespace, name in budgets.order_by("namespace", "name")[:_MOST]),
    )


# -- Simulations in words ---------------------------------------------------------------------------------------------


State = SimulationRun.State

_BADGES = {State.QUEUED: "", State.RUNNING: "info", State.DONE: "good", State.CANCELLED: "warn", State.FAILED: "bad"}


class RunRow(NamedTuple):
    """A run in a list; ``asked`` is empty of one whose order is too long for that."""

    run: SimulationRun
    progress: Progress
    asked: str
    seed: str
    by: str


class Progress(Struct, frozen=True):
    """How a run is doing; ``problem`` and ``remedy`` of one that failed, ``field`` where its order is what is wrong."""

    badge: tuple[str, str]
    sentence: str
    percent: int | None
    is_over: bool
    is_running: bool
    field: str
    problem: str
    remedy: str


def run_row(run: SimulationRun, spec: Mapping[str, Any]) -> RunRow:
    """Present a run in a list; its cluster and who ordered it must have been fetched with it.

    ``spec``: what it was asked; of one that is too long for a list the seed alone.
    """
    return RunRow(
        run,
        progress(run, run.summary if run.state == State.DONE else None),
        asked=asked(spec) if "changes" in spec else "",
        seed=str(spec.get("seed", 0)),
        by=by(run),
    )


def by(run: SimulationRun) -> str:
    """Name who ordered a run."""
    return run.created_by.get_username() if run.created_by else str(progress_words.DELETED_USER)


def progress(run: SimulationRun, counts: Mapping[str, Any] | None = None) -> Progress:
    """Say how far a run is; of one that is done ``counts`` say what came of it."""
    state = State(run.state)
    error = in_words(run.error) if run.error else {}
    percent = min(100, 100 * run.pods_done // run.pods_total) if run.pods_total else None
    return Progress(
        badge=(str(progress_words.STATES[state]), _BADGES[state]),
        sentence=headline(counts) if counts else _sentence(run, state),
        percent=percent,
        is_over=run.is_finished,
        is_running=not run.is_finished,
        field=str(error.get("field", "")),
        problem=str(error.get("problem", "")),
        remedy=str(error.get("remedy", "")),
    )


def _sentence(run: SimulationRun, state: State) -> str:
    match state:
        case State.QUEUED:
            return str(progress_words.WAITS_FOR_WORKER)
        case State.RUNNING if run.is_stop_wanted:
            return str(progress_words.BEING_CANCELLED)
        case State.RUNNING if run.pods_total:
            return progress_words.DECIDED(done=run.pods_done, total=run.pods_total, steps=run.steps)
        case State.RUNNING:
            return str(progress_words.BEGINS)
        case State.CANCELLED if run.pods_total:
            return progress_words.CANCELLED_AFTER(done=run.pods_done, total=run.pods_total)
        case State.CANCELLED:
            return str(progress_words.CANCELLED_BEFORE)
        case State.FAILED:
            return str(progress_words.IT_FAILED)
        case _:
            return str(progress_words.IT_IS_DONE)


def headline(summary: Mapping[str, Any]) -> str:
    """Say what came of a run: how many of the pods that are to run were placed, and what it cost."""
    pods, steps, pending = summary["pods"], summary["steps"], pending_after(summary["origins"])
    placed, uncertain, wanted = placed_of(summary)
    first = progress_words.PLACED(placed=placed, wanted=wanted) if wanted else str(progress_words.NOTHING_WANTED)
    numbers = {
        "uncertain": uncertain,
        "newly": pending.newly,
        "before": pending.before,
        **{name: pods[name] for name in ("forbidden", "not-computed")},
        **{name: steps[name] for name in ("preempted", "evicted", "deleted", "refused", "held")},
    }
    told = ", ".join(progress_words.COUNTS[name](number=number) for name, number in numbers.items() if number)
    return f"{first} {told}." if told else first


def provenance(run: SimulationRun) -> list[tuple[str, str]]:
    """Return what a run was made from, as pairs of term and value."""
    spec = run.spec
    revision = run.base.revision if run.base else None
    return [
        (str(progress_words.BEGAN_WITH), base_sentence(spec, run.cluster.name if run.cluster else "", revision)),
        (str(building_words.SCHEDULER), scheduler_sentence(spec)),
        (str(progress_words.CONFIGURATION), _configuration(spec.get("configuration"))),
        (str(building_words.KUBERNETES), kubernetes_of(spec)),
        (str(building_words.SEED), str(spec.get("seed", 0))),
        (str(progress_words.ORDERED_BY), by(run)),
    ]


def kubernetes_of(spec: Mapping[str, Any]) -> str:
    """Name the minor whose scheduler a run has, with the feature gates that differ from its defaults."""
    release = release_with(spec.get("kubernetes") or "", spec.get("featureGates") or {})
    return version_with_gates(release=release.minor, changed=release.changed_gates)


def _configuration(configuration: Mapping[str, Any] | None) -> str:
    if configuration is None:
        return str(progress_words.DEFAULT_CONFIGURATION)
    names = [str(each.get("schedulerName", "default-scheduler")) for each in configuration.get("profiles") or [{}]]
    return progress_words.OWN_CONFIGURATION(profiles=", ".join(names), number=len(names))


def changes(run: SimulationRun) -> list[str]:
    """Return a run's changes in words."""
    return [change_sentence(each) for each in run.spec.get("changes", [])]
