"""The sentences about topology spreading."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.spreading.constraints import HOSTNAME, ZONE
from clusters.engine.spreading.groups import Source
from clusters.wording.amounts import counted, grouped
from clusters.wording.selectors import selector_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.spreading.groups import SpreadGroup
    from clusters.engine.workloads.pod_template import Workload

# A distribution such as 5–3–0 is read at a glance up to here.
MOST_DISTRIBUTED = 6
_MOST_NAMED = 3

_NOUNS = {
    ZONE: ("zone", "zones"),
    "topology.kubernetes.io/region": ("region", "regions"),
    HOSTNAME: ("node", "nodes"),
}
SOURCES = {
    Source.POD: "the pods themselves",
    Source.SYSTEM: "Kubernetes' own defaults, because the pods have none",
    Source.LIST: "the defaults of the scheduler's profile, because the pods have none",
}


def nouns(key: str) -> tuple[str, str]:
    """Return what a domain of a topology key is called, one and many."""
    return _NOUNS.get(key, (f"value of {key}", f"values of {key}"))


def workload_name(workload: Workload) -> str:
    """Name a workload by namespace and name."""
    return f"{workload.namespace}/{workload.name or '(pods without a controller)'}"


def group_name(group: SpreadGroup) -> str:
    """Name a group by its workloads."""
    first, *others = group.workloads
    if not others:
        return workload_name(first)
    if len(others) == 1:
        return f"{workload_name(first)} and {others[0].name or '(pods without a controller)'}"
    return f"{workload_name(first)} and {len(others)} other workloads"


def sentence(group: SpreadGroup) -> str:
    """Say how a group lies, by how much that is uneven, and where its next pod may go."""
    one, many = nouns(group.constraint.topology_key)
    name = group_name(group)
    if not group.domain_count:
        outcome = "its pods wait until one does" if group.blocks else "so the constraint prefers nothing"
        return f"{name} is to be spread over {many}, but none counts: {outcome}."
    skew = f"skew {grouped(group.largest_skew)}, allowed {grouped(group.constraint.max_skew)}"
    verb = "are" if len(group.workloads) > 1 else "is"
    return f"{name} {verb} {_lies(group, one, many)}: {skew}; {_next_pod(group, one, many)}."


def _lies(group: SpreadGroup, one: str, many: str) -> str:
    if not len(group.held):
        return f"on none of {counted(group.domain_count, one, many)} yet"
    if group.domain_count <= MOST_DISTRIBUTED:
        held = np.sort(group.counts[group.eligibility.exists])[::-1]
        return f"spread {'–'.join(map(grouped, held.tolist()))} over {one if len(held) == 1 else many}"
    most = grouped(int(group.held.max()))
    return f"on {grouped(len(group.held))} of {counted(group.domain_count, one, many)}, at most {most} on one"


def _next_pod(group: SpreadGroup, one: str, many: str) -> str:
    open_to = np.flatnonzero(group.within)
    if len(open_to) == group.domain_count:
        return f"the next pod may enter any {one}"
    if not len(open_to):
        return "the next pod may enter none" if group.blocks else f"the next pod worsens it in any {one}"
    named = len(open_to) <= _MOST_NAMED
    names = _either(group.values[number] for number in open_to.tolist())
    where = names if named else f"{grouped(len(open_to))} of {counted(group.domain_count, one, many)}"
    if not group.blocks:
        return f"the next pod may enter any {one}, but stays within maxSkew only in {where}"
    return f"the next pod may enter {where} only"


def _either(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def badges(group: SpreadGroup) -> tuple[tuple[str, str], ...]:
    """Return what is to be known about a group at a glance: pairs of text and kind."""
    found = []
    if group.violation:
        found.append((f"{grouped(group.violation)} over maxSkew", "bad" if group.blocks else "warn"))
    if not group.domain_count:
        found.append(("No domain counts", "bad" if group.blocks else "warn"))
    if group.missing_domains:
        found.append((f"{grouped(group.missing_domains)} short of minDomains", "warn"))
    if not group.itself:
        found.append(("Does not count its own pods", "warn"))
    if group.members.pending:
        found.append((f"{counted(group.members.pending, 'pod waits', 'pods wait')}", "warn"))
    found.append((group.action, ""))
    if group.source is not Source.POD:
        found.append(("Default constraint", "info"))
    return tuple(found)


def remarks(group: SpreadGroup) -> list[str]:
    """Return what the counts alone do not tell."""
    one, many = nouns(group.constraint.topology_key)
    found = []
    if group.missing_domains:
        found.append(
            f"minDomains asks for {counted(group.constraint.min_domains, one, many)} and "
            f"{grouped(group.domain_count)} count, so the global minimum is taken to be 0."
        )
    if not group.itself:
        found.append(
            "The pods do not match the constraint's own selector, so a new one changes no count and may follow the "
            "others into the fullest domain."
        )
    if group.uncounted:
        found.append(
            f"{counted(group.uncounted, 'matching pod lies', 'matching pods lie')} on nodes that do not count."
        )
    if group.eligibility.without_key:
        label = group.constraint.topology_key
        found.append(
            f"{counted(group.eligibility.without_key, 'node lacks', 'nodes lack')} the label {label} and so "
            f"{'is' if group.eligibility.without_key == 1 else 'are'} in no domain."
        )
    if group.members.terminating:
        found.append(f"{counted(group.members.terminating, 'pod is', 'pods are')} being deleted and not counted.")
    return found


def facts(group: SpreadGroup) -> list[tuple[str, str]]:
    """Return the constraint field by field, and what it found."""
    constraint, members = group.constraint, group.members
    honoured = {True: "Honor", False: "Ignore"}
    effect = "pods wait rather than exceed maxSkew" if group.blocks else "maxSkew is a preference"
    return [
        ("Namespace", group.namespace),
        ("Workloads", ", ".join(f"{each.kind} {each.name}".strip() or "no controller" for each in group.workloads)),
        ("topologyKey", constraint.topology_key),
        ("maxSkew", grouped(constraint.max_skew)),
        ("whenUnsatisfiable", f"{group.action}: {effect}"),
        ("Counts pods with", selector_text(constraint.selector)),
        ("minDomains", grouped(constraint.min_domains)),
        ("nodeAffinityPolicy", honoured[constraint.honours_affinity]),
        ("nodeTaintsPolicy", honoured[constraint.honours_taints]),
        ("Comes from", SOURCES[group.source]),
        (
            "Pods that have it",
            f"{grouped(members.placed)} on nodes, {grouped(members.pending)} waiting",
        ),
        ("Global minimum", grouped(group.minimum)),
    ]
