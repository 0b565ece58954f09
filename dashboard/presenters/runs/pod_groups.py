"""The groups of pods of a simulation: what became of each pod by pod, and by the batch scheduler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.documents.run_words import both_ways, read_group
from clusters.engine.simulation import GroupEnd
from clusters.wording.runs import groups as words
from dashboard.presenters.pod_groups.links import known_pages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.simulation import GroupResult
    from clusters.models import Cluster

_BADGES: Final = {
    GroupEnd.PLACED: "good",
    GroupEnd.PARTLY_PLACED: "warn",
    GroupEnd.TOO_FEW_PODS: "info",
    GroupEnd.PREEMPTION: "warn",
    GroupEnd.GATED: "info",
    GroupEnd.UNCERTAIN: "uncertain",
}
_BAD: Final = "bad"


@dataclass(frozen=True, slots=True)
class GroupWay:
    """What one way to place pods makes of a group: how many have a node, and a badge's text and kind.

    ``counted`` stands alone where there is no answer.
    """

    counted: str
    badge: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class SimulatedGroup:
    """A group of a simulation; ``sentence`` says how the run leaves it, ``refused`` leads to the pod that it names.

    ``url``: its page, empty for one that the run's cluster does not have.
    """

    name: str
    url: str
    policy: str
    ways: tuple[GroupWay, GroupWay]
    sentence: str
    refused: str


def pod_groups(summary: Mapping[str, Any], cluster: Cluster | None) -> list[SimulatedGroup]:
    """Present the groups of a run on a cluster, those first of which pods are pending."""
    stored = sorted(summary["pod_groups"], key=lambda each: each["end"] == GroupEnd.PLACED)
    pages = known_pages(cluster, [each["group"] for each in stored])
    return [_group(each, pages.get(each["group"], "")) for each in stored]


def _group(stored: Mapping[str, Any], url: str) -> SimulatedGroup:
    result = read_group(stored)
    first, second = both_ways(stored)
    return SimulatedGroup(
        name=result.group,
        url=url,
        policy=words.policy_of(result),
        ways=(_way(first), _way(second)),
        sentence=words.group_sentence(result),
        refused=result.refused,
    )


def _way(result: GroupResult | None) -> GroupWay:
    if result is None:
        return GroupWay(str(words.NO_ANSWER_BESIDE))
    badge = words.end_word(result.end), _BADGES.get(result.end, _BAD)
    return GroupWay(words.counted_of_group(result), badge)
