"""What the scheduler's reasons for rejecting a node mean: as a phrase about one node, and counted over several."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.plugins import wording_of_reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.status import Status
    from clusters.wording.plugins import PluginWording

_RULED_OUT = re.compile(r"node\(s\) didn't satisfy plugin\(s\) \[(?P<plugins>.*)\]")


def as_reported(status: Status) -> str:
    """Join the reasons of a status as the scheduler spells them, or quote its code where it gives none."""
    return ", ".join(status.reasons) or str(status.code)


def reason_phrases(reasons: Iterable[str]) -> str:
    """Say in a few words each why one node rejects a pod: `unschedulable (cordoned), insufficient CPU and memory`."""
    given: dict[PluginWording | None, list[str]] = {}
    for reason in dict.fromkeys(reasons):
        given.setdefault(wording_of_reason(reason), []).append(reason)
    phrases: list[str] = []
    for wording, own in given.items():
        phrases += wording.phrases(own) if wording else map(_phrase_of_no_plugin, own)
    return ", ".join(phrases)


def _phrase_of_no_plugin(reason: str) -> str:
    if match := _RULED_OUT.fullmatch(reason):
        return _("left out by %(plugins)s in PreFilter") % {"plugins": listed(match["plugins"].split())}
    return reason


def nodes_with_reason(count: int, reason: str) -> str:
    """Say how many nodes a reason of the scheduler is about: `41 nodes have insufficient CPU`."""
    wording = wording_of_reason(reason)
    if wording and (found := wording.reason(reason, count)):
        return found.counted
    if match := _RULED_OUT.fullmatch(reason):
        return ngettext(
            "%(nodes)s node is left out by %(plugins)s in PreFilter",
            "%(nodes)s nodes are left out by %(plugins)s in PreFilter",
            count,
        ) % {"nodes": grouped(count), "plugins": listed(match["plugins"].split())}
    return ngettext("%(nodes)s node: %(reason)s", "%(nodes)s nodes: %(reason)s", count) % {
        "nodes": grouped(count),
        "reason": reason,
    }


def nodes_by_reason(found: Sequence[tuple[str, int]]) -> str:
    """Say how many nodes give which reason, most first, those of one kind put together where they differ."""
    wordings = {reason: _counted_together(reason) for reason, _number in found}
    differing = Counter(wordings.values())
    counts: Counter[str | PluginWording] = Counter()
    for reason, number in found:
        wording = wordings[reason]
        # A plugin whose reasons are of one kind gives one of them for a node, so that the numbers add up.
        counts[reason if wording is None or differing[wording] == 1 else wording] += number
    return "; ".join(
        nodes_with_reason(number, each) if isinstance(each, str) else each.counted_together(number)
        for each, number in counts.most_common()
    )


def _counted_together(reason: str) -> PluginWording | None:
    """Return how Berth speaks of a plugin whose reasons are counted together where they differ; None of others."""
    wording = wording_of_reason(reason)
    return wording if wording and wording.counted_together(1) else None
