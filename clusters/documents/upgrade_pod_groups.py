"""What an upgrade changes for groups of pods, as it is written down and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.documents.explanation import Part
from clusters.documents.upgrade_rules import UpgradeRule, written_rules
from clusters.engine.group_attempt import GroupVerdict
from clusters.engine.podgroups.states import GroupPhase
from clusters.wording.upgrades import pod_groups as words

if TYPE_CHECKING:
    from clusters.documents.upgrades import UpgradeDocument
    from clusters.engine.upgrading.groups import GroupChange, GroupPlacement

# So many names of nodes and victims are written of each group; the rest is counted.
MOST_NAMES: Final = 20


class UpgradePlacement(Part, frozen=True, kw_only=True):
    """What a release does with a group; ``verdict`` is null where its pods are not tried together."""

    state: GroupPhase
    verdict: GroupVerdict | None
    min_count: int | None
    pods: int
    found: int
    nodes: tuple[str, ...]
    node_count: int
    domain: str
    victims: tuple[str, ...]
    victim_count: int


class UpgradePodGroup(Part, frozen=True, kw_only=True):
    """A group that a release places otherwise than the minor before it."""

    release: str
    rules: tuple[UpgradeRule, ...]
    group: str
    before: UpgradePlacement
    after: UpgradePlacement


class PodGroupInWords(NamedTuple):
    """A difference of a group in words."""

    before: str
    after: str


def upgrade_pod_group(change: GroupChange) -> UpgradePodGroup:
    """Write down how a group is placed otherwise."""
    return UpgradePodGroup(
        release=change.minor,
        rules=written_rules(change.amendments),
        group=change.group,
        before=_placement(change.before),
        after=_placement(change.after),
    )


def _placement(placement: GroupPlacement) -> UpgradePlacement:
    return UpgradePlacement(
        state=placement.phase,
        verdict=placement.verdict,
        min_count=placement.least,
        pods=placement.pods,
        found=placement.found,
        nodes=placement.nodes[:MOST_NAMES],
        node_count=len(placement.nodes),
        domain=placement.domain,
        victims=placement.victims[:MOST_NAMES],
        victim_count=len(placement.victims),
    )


def pod_groups_headline_of(document: UpgradeDocument) -> str:
    """Say how many groups are placed otherwise; empty where none has pending pods."""
    if not document.pod_group_count:
        return ""
    return words.headline(changed=len({each.group for each in document.pod_groups}), evaluated=document.pod_group_count)


def pod_group_in_words(difference: UpgradePodGroup) -> PodGroupInWords:
    """Say how a group is placed before and after."""
    return PodGroupInWords(_said(difference.before), _said(difference.after))


def _said(placement: UpgradePlacement) -> str:
    match placement.state:
        case GroupPhase.GATE_OFF:
            return str(words.ALONE)
        case GroupPhase.NOT_FOUND:
            return str(words.NOT_FOUND)
        case GroupPhase.WAITING_FOR_PODS:
            return words.waiting(pods=placement.pods, least=placement.min_count or 0)
    match placement.verdict:
        case GroupVerdict.SCHEDULED:
            return words.scheduled(
                found=placement.found, nodes=placement.nodes, total=placement.node_count, domain=placement.domain
            )
        case GroupVerdict.UNSCHEDULABLE:
            return words.unschedulable(found=placement.found, least=placement.min_count or 1)
        case GroupVerdict.WAITS_ON_PERMIT:
            return words.waits_on_permit(found=placement.found, least=placement.min_count or 1)
        case GroupVerdict.PREEMPTS:
            return words.preempts(placement.victims, total=placement.victim_count)
        case GroupVerdict.GATED:
            return str(words.GATED)
        case GroupVerdict.ERROR:
            return str(words.ERROR)
        case _:
            return str(words.UNCERTAIN)
