"""Which nodes kube-scheduler looked at, as its own log tells: at -v=10 it writes the score of every node it found."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# Flags of kube-scheduler, for one of its files alone: the rest says a lot more.
LOGS_SCORES = {"vmodule": "schedule_one=10"}
_SCORED = re.compile(rb'"Calculated node\'s final score for pod" pod="([^"]+)" node="([^"]+)"')
_BOUND = re.compile(rb'"Successfully bound pod to node" pod="([^"]+)" node="[^"]+" evaluatedNodes=([0-9]+)')


class LoggedSearch(NamedTuple):
    """The nodes that a search found, and how many it looked at."""

    found: set[str]
    looked_at: int


def logged_searches(log: Path) -> dict[str, LoggedSearch]:
    """Return the searches by the pod's namespace and name, in the order in which they took place."""
    found: dict[str, set[str]] = {}
    looked_at: dict[str, int] = {}
    with log.open("rb") as lines:
        for line in lines:
            if match := _SCORED.search(line):
                found.setdefault(match[1].decode(), set()).add(match[2].decode())
            elif match := _BOUND.search(line):
                looked_at[match[1].decode()] = int(match[2])
    return {pod: LoggedSearch(nodes, looked_at[pod]) for pod, nodes in found.items()}


def starts_of(searches: Mapping[str, LoggedSearch], order: Sequence[str]) -> dict[str, int]:
    """Return from which place in the order each search began, of all that took place one after the other.

    How far apart they are is how many nodes they looked at. Where most seem to have begun, if all that they found
    stands in one stretch, is where they did: several workers leave nodes out here and there.
    """
    count = len(order)
    place = {name: number for number, name in enumerate(order)}
    moved, votes, offsets = 0, Counter[int](), {}
    for pod, search in searches.items():
        places = sorted(place[name] for name in search.found)
        # Behind the longest stretch in which nothing was found.
        began = max(range(len(places)), key=lambda number: (places[number] - places[number - 1]) % count)
        votes[(places[began] - moved) % count] += 1
        offsets[pod] = moved
        moved += search.looked_at
    [(first, _)] = votes.most_common(1)
    return {pod: (first + offset) % count for pod, offset in offsets.items()}
