"""What a simulation was asked, in words: its changes, its scheduler, and how two orders differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import counted, grouped
from dashboard.presenters.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Entry = Mapping[str, Any]

# So many names are written out.
_NAMED = 3
# Of a run's changes so many are told where there is little room.
_TOLD = 2


def change_sentence(entry: Entry) -> str:
    """Say what one change does, as an order: `Add 50 replicas to Deployment shop/web`."""
    write = _SENTENCES.get(str(entry.get("change")))
    return write(entry) if write else f"An unknown change: {entry.get('change')}"


def asked(spec: Entry) -> str:
    """Say in one line what a run was asked."""
    changes = [change_sentence(each) for each in spec.get("changes", [])]
    if not changes:
        return "Place the pods that wait" if _is_of_cluster(spec) else "Nothing"
    more = f" and {counted(len(changes) - _TOLD, 'more change', 'more changes')}" if len(changes) > _TOLD else ""
    return "; ".join(changes[:_TOLD]) + more


def suggested_title(changes: Sequence[Entry]) -> str:
    """Return what a run is called whose title nobody wrote."""
    return asked({"base": {"kind": "cluster"}, "changes": changes})[:200]


def scheduler_sentence(spec: Entry) -> str:
    """Say who places the pods."""
    scheduler = spec.get("scheduler") or {}
    if scheduler.get("kind") == "batch":
        moves = "pods that are placed may be moved" if scheduler.get("reschedules") else "placed pods stay"
        gangs = "; groups are placed whole or not at all" if scheduler.get("gangs") else ""
        return f"All pods at once, as a flow; {moves}{gangs}"
    looks = "as many nodes as the scheduler samples" if scheduler.get("samples") else "every node"
    return f"Pod by pod, looking at {looks}"


def base_sentence(spec: Entry, cluster: str, revision: int | None) -> str:
    """Say where a run begins."""
    if not _is_of_cluster(spec):
        return "An empty cluster"
    return f"{cluster} at revision {grouped(revision)}" if revision is not None else cluster


def _is_of_cluster(spec: Entry) -> bool:
    return (spec.get("base") or {}).get("kind") != "empty"


# -- one change --------------------------------------------------------------------------------------------------------


def _nodes(entry: Entry) -> str:
    """Name the nodes that a change is about."""
    names = entry.get("nodes")
    if names:
        if len(names) <= _NAMED:
            return f"{'node' if len(names) == 1 else 'nodes'} {listed(list(names))}"
        return counted(len(names), "node", "nodes")
    if entry.get("selector"):
        return f"nodes with {entry['selector']}"
    return f"all nodes of zone {entry.get('zone')}"


def _scale(entry: Entry) -> str:
    of = f"{entry.get('kind')} {entry.get('namespace')}/{entry.get('name')}"
    by = entry.get("by")
    if by is None:
        return f"Scale {of} to {counted(int(entry.get('replicas') or 0), 'replica', 'replicas')}"
    replicas = counted(abs(int(by)), "replica", "replicas")
    return f"Add {replicas} to {of}" if by >= 0 else f"Take {replicas} from {of}"


def _manifest(entry: Entry) -> str:
    manifest = entry.get("manifest") or {}
    metadata = manifest.get("metadata") or {}
    name = metadata.get("name") or metadata.get("generateName") or ""
    namespace = metadata.get("namespace")
    return f"{manifest.get('kind')} {f'{namespace}/' if namespace else ''}{name}".strip()


def _add_workload(entry: Entry) -> str:
    replicas = entry.get("replicas")
    many = f" with {counted(int(replicas), 'replica', 'replicas')}" if replicas is not None else ""
    return f"Add {_manifest(entry)}{many}"


def _add_nodes(entry: Entry) -> str:
    nodes = counted(int(entry.get("count") or 0), "node", "nodes")
    size = f"like {entry['like']}" if entry.get("like") else f"with {entry.get('cpu')} CPU and {entry.get('memory')}"
    zones = f" in {listed(list(entry['zones']))}" if entry.get("zones") else ""
    return f"Add {nodes} {size}{zones}"


def _taint(taint: Entry) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint.get('key')}{value}:{taint.get('effect')}"


def _taint_nodes(entry: Entry) -> str:
    parts = []
    if entry.get("taints"):
        parts.append(f"Taint {_nodes(entry)} with {listed([_taint(each) for each in entry['taints']])}")
    if entry.get("remove"):
        gone = listed([str(each) for each in entry["remove"]])
        parts.append(f"take the taint {gone} from {_nodes(entry) if not parts else 'them'}")
    return _capital(" and ".join(parts)) if parts else f"Taint {_nodes(entry)}"


def _label_nodes(entry: Entry) -> str:
    labels = entry.get("labels") or {}
    set_to = [f"{key}={value}" for key, value in labels.items() if value is not None]
    gone = [key for key, value in labels.items() if value is None]
    parts = []
    if set_to:
        parts.append(f"Label {_nodes(entry)} {listed(set_to)}")
    if gone:
        parts.append(f"take the label {listed(gone)} from {_nodes(entry) if not parts else 'them'}")
    return _capital(" and ".join(parts)) if parts else f"Label {_nodes(entry)}"


def _lose_zone(entry: Entry) -> str:
    how = "its nodes stop answering" if entry.get("how") == "unreachable" else "its nodes are gone"
    return f"Lose zone {entry.get('zone')}: {how}"


def _trace(entry: Entry) -> str:
    pods = counted(len(entry.get("pods") or ()), "pod", "pods")
    nodes = entry.get("nodes")
    on = f" on {counted(len(nodes), 'node', 'nodes')} of its own" if nodes else ""
    return f"Replay a trace of {pods}{on}"


def _place(entry: Entry) -> str:
    if entry.get("pods") == "all":
        return "Take all pods but those of DaemonSets off their nodes and place them anew"
    return "Place the pods that wait"


_SENTENCES: Mapping[str, Callable[[Entry], str]] = {
    "scale": _scale,
    "add-workload": _add_workload,
    "remove-workload": lambda entry: f"Remove {entry.get('kind')} {entry.get('namespace')}/{entry.get('name')}",
    "put-budget": lambda entry: f"Put disruption budget {_manifest(entry).partition(' ')[2]}",
    "remove-budget": lambda entry: f"Remove disruption budget {entry.get('namespace')}/{entry.get('name')}",
    "put-priority-class": lambda entry: f"Put priority class {_manifest(entry).partition(' ')[2]}",
    "add-nodes": _add_nodes,
    "remove-nodes": lambda entry: f"Remove {_nodes(entry)}",
    "cordon": lambda entry: f"Cordon {_nodes(entry)}",
    "uncordon": lambda entry: f"Uncordon {_nodes(entry)}",
    "label-nodes": _label_nodes,
    "taint-nodes": _taint_nodes,
    "lose-zone": _lose_zone,
    "drain-nodes": lambda entry: f"Drain {_nodes(entry)}",
    "trace": _trace,
    "place": _place,
}


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
