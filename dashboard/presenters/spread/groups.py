"""What is said of a group of pods that one spread constraint counts together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.spreading import Source
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, first_of, listed
from clusters.wording.selectors import selector_text
from clusters.wording.spread import constraint as fields
from clusters.wording.spread import groups as words
from clusters.wording.spread.domains import NO_CONTROLLER
from clusters.wording.spread.keys import counted_domains, domains_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.owners import Workload
    from clusters.engine.spreading import NamedBy, SpreadGroup

# A distribution such as 5–3–0 is read at a glance up to here.
MOST_DISTRIBUTED = 6
_MOST_NAMED = 3


def workload_name(workload: Workload) -> str:
    """Name a workload by namespace and name."""
    return f"{workload.namespace}/{_own_name(workload)}"


def _own_name(workload: Workload) -> str:
    return workload.name or str(words.WITHOUT_CONTROLLER)


def group_name(group: SpreadGroup) -> str:
    """Name a group by its workloads."""
    first, *others = group.workloads
    if len(others) > 1:
        return words.AND_OTHERS(workload=workload_name(first), others=len(others))
    return listed([workload_name(first), *map(_own_name, others)])


def sentence(group: SpreadGroup) -> str:
    """Say how a group is spread, how uneven that is, and where its next pod is allowed."""
    if not group.domain_count:
        return words.no_domain(group=group_name(group), key=group.constraint.topology_key, blocks=group.blocks)
    skew = words.SKEW(skew=group.largest_skew, max_skew=group.constraint.max_skew)
    return " ".join([_distribution(group), skew, _next_pod(group)])


def _distribution(group: SpreadGroup) -> str:
    name, domains = group_name(group), counted_domains(group.constraint.topology_key, group.domain_count)
    if not len(group.held):
        return words.NO_PODS(group=name, domains=domains)
    if group.domain_count <= MOST_DISTRIBUTED:
        held = np.sort(group.counts[group.eligibility.exists])[::-1]
        return words.DISTRIBUTION(
            group=name, pods="–".join(map(grouped, held.tolist())), domains=domains, workloads=len(group.workloads)
        )
    return words.FULLEST(group=name, held=len(group.held), domains=domains, most=int(group.held.max()))


def _next_pod(group: SpreadGroup) -> str:
    within = np.flatnonzero(group.within)
    if len(within) == group.domain_count:
        return str(words.ALLOWED_EVERYWHERE)
    if not len(within):
        return words.allowed_nowhere(blocks=group.blocks)
    if len(within) <= _MOST_NAMED:
        return words.allowed_in(alternatives(group.values[each] for each in within.tolist()), blocks=group.blocks)
    every = counted_domains(group.constraint.topology_key, group.domain_count)
    return words.allowed_in(words.SOME_OF(some=len(within), domains=every), blocks=group.blocks)


def loss(group: SpreadGroup) -> str:
    """Say what the loss of the zone with most of a group's pods takes; empty where none runs."""
    found = group.zone_loss
    if not found.of:
        return ""
    if found.zone:
        return words.ZONE_LOSS(zone=found.zone, pods=found.pods, of=found.of)
    return words.NODE_LOSS(node=found.node, pods=found.pods, of=found.of)


def worst_sentence(group: SpreadGroup) -> str:
    """Say that a group has the worst skew of the cluster."""
    said = words.worst_skew if group.violation else words.largest_skew
    return said(
        workload=group_name(group),
        skew=group.largest_skew,
        max_skew=group.constraint.max_skew,
        domains=domains_name(group.constraint.topology_key),
    )


def largest_share(group: SpreadGroup) -> str:
    """Say that no other group runs a larger part of its pods in one zone."""
    found = group.zone_loss
    return words.LARGEST_SHARE(group=group_name(group), zone=found.zone or found.node, pods=found.pods, of=found.of)


def badges(group: SpreadGroup) -> tuple[tuple[str, str], ...]:
    """Return what is to be known about a group at a glance: pairs of text and kind."""
    found = []
    if group.violation:
        found.append((words.OVER_MAX_SKEW(pods=group.violation), "bad" if group.blocks else "warn"))
    if not group.domain_count:
        found.append((str(words.NO_DOMAIN), "bad" if group.blocks else "warn"))
    if group.missing_domains:
        found.append((words.MISSING_DOMAINS(domains=group.missing_domains), "warn"))
    if group.nodeless and group.source is Source.POD:
        absent = counted_domains(group.constraint.topology_key, len(group.nodeless))
        found.append((words.DOMAINS_WITHOUT_NODES(domains=absent), "info"))
    if not group.itself:
        found.append((str(words.SELECTOR_MISSES), "warn"))
    if group.unlike:
        found.append((str(words.NOT_OF_ALL), "warn"))
    if group.members.pending:
        found.append((counts.pending_pods(group.members.pending), "warn"))
    found.append((group.action, ""))
    if group.source is not Source.POD:
        found.append((str(words.DEFAULT_CONSTRAINT), "info"))
    return tuple(found)


def remarks(group: SpreadGroup) -> list[str]:
    """Return what the counts alone do not tell."""
    found = []
    if group.missing_domains:
        found.append(words.BELOW_MIN_DOMAINS(minimum=group.constraint.min_domains, domains=group.domain_count))
    found += _without_nodes(group)
    if not group.itself:
        found.append(str(words.SELECTOR_MISSES_REMARK))
    found += _unlike(group)
    if group.uncounted:
        found.append(words.UNCOUNTED(pods=group.uncounted))
    if group.eligibility.without_key:
        found.append(words.WITHOUT_KEY(nodes=group.eligibility.without_key, key=group.constraint.topology_key))
    if group.members.terminating:
        found.append(words.TERMINATING(pods=group.members.terminating))
    return found


def _without_nodes(group: SpreadGroup) -> Iterator[str]:
    """Name the domains that no node is in, together where the same objects name them."""
    by: dict[tuple[NamedBy, ...], list[str]] = {}
    for domain in group.nodeless:
        by.setdefault(domain.named_by, []).append(domain.value)
    for named_by, values in by.items():
        yield words.WITHOUT_NODES(
            values=first_of(values),
            key=group.constraint.topology_key,
            named_by=listed(str(words.NAMED_BY[each]) for each in named_by),
            number=len(values),
        )
    if by and group.minimum:
        yield words.MINIMUM_WITH_NODES(minimum=group.minimum)


def _unlike(group: SpreadGroup) -> Iterator[str]:
    """Name the counted pods that do not have the constraint: those with another one, then those without any."""
    for has_another in (True, False):
        some = [each for each in group.unlike if each.has_another is has_another]
        if some:
            yield words.unlike_pods(
                counts.pods(sum(each.pods for each in some)),
                key=group.constraint.topology_key,
                workloads=first_of([workload_name(each.workload) for each in some]),
                has_another=has_another,
            )


def facts(group: SpreadGroup) -> list[tuple[str, str]]:
    """Return the constraint field by field, and what it found."""
    constraint, members = group.constraint, group.members
    honoured = {True: "Honor", False: "Ignore"}
    workloads = ", ".join(f"{each.kind} {each.name}".strip() or str(NO_CONTROLLER) for each in group.workloads)
    return [
        (str(fields.NAMESPACE), group.namespace),
        (str(fields.WORKLOADS), workloads),
        ("topologyKey", constraint.topology_key),
        ("maxSkew", grouped(constraint.max_skew)),
        ("whenUnsatisfiable", fields.effect(str(group.action), blocks=group.blocks)),
        (str(fields.SELECTOR), selector_text(constraint.selector)),
        ("minDomains", grouped(constraint.min_domains)),
        ("nodeAffinityPolicy", honoured[constraint.honours_affinity]),
        ("nodeTaintsPolicy", honoured[constraint.honours_taints]),
        (str(fields.SOURCE), str(fields.SOURCES[group.source])),
        (str(fields.PODS), fields.pods(placed=members.placed, pending=members.pending)),
        (str(fields.GLOBAL_MINIMUM), grouped(group.minimum)),
    ]
