"""The searches of a cluster's scheduler as the judge follows them, and what a decision keeps of its search."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine.searching.following import FollowedState, SearchFollower
from clusters.engine.searching.starts import SearchStarts
from clusters.models import Decision

if TYPE_CHECKING:
    from clusters.engine import Explanation, SchedulerConfiguration
    from clusters.engine.searching.following import HeardAttempt, SearchFinding
    from clusters.models import FollowedSearches
    from clusters.services.journal.ledger import PodFact

Kind = Decision.Kind

# Surprises are stored in steps of a twentieth, which tells them apart well enough.
_STEPS = 20


class Searches:
    """Follows where each search for nodes begins, as long as every decision is heard in turn.

    It begins anew where decisions were missed, and where the configuration says another number of workers or another
    release, which is told of the nodes in another order.
    """

    def __init__(self) -> None:
        # Of the scheduler that is followed: its number of workers, and whether it is told of the nodes by name.
        self._known = (0, True)
        self._follower: SearchFollower | None = None
        self._resumed: FollowedSearches | None = None

    def resume(self, kept: FollowedSearches | None) -> None:
        """Go on, once the configuration is known, from what was followed up to the newest decision."""
        self._resumed = kept

    def configure(self, configuration: SchedulerConfiguration | None) -> None:
        """Take the configuration that holds from now on; None for one that cannot be read."""
        if configuration is None:
            self._follower = None
            self._resumed = None
            return
        parallelism = configuration.parallelism
        is_told_by_name = configuration.release.rules.tells_nodes_by_name
        if self._follower is None or (parallelism, is_told_by_name) != self._known:
            self._follower = SearchFollower(parallelism, is_told_by_name=is_told_by_name)
            if self._resumed is not None and self._resumed.parallelism == parallelism:
                self._follower.resume(_read(self._resumed.state))
        self._known, self._resumed = (parallelism, is_told_by_name), None

    def hear(self, fact: PodFact, explanation: Explanation, *, is_allowed: bool) -> HeardAttempt | None:
        """Read what a decision says of its search; ``is_allowed``: whether the scheduler may have decided so."""
        if self._follower is None:
            return None
        match fact.kind:
            case Kind.BOUND:
                return self._follower.hear(explanation, fact.node_name if is_allowed else None)
            case Kind.UNSCHEDULABLE:
                return self._follower.hear_refusal(explanation)
            case _:
                # The same attempt is heard of as a refusal, too.
                return None

    def take(self, heard: HeardAttempt | None) -> None:
        """Go on to the next decision."""
        if self._follower is not None and heard is not None:
            self._follower.take(heard)

    def miss(self, fact: PodFact) -> None:
        """Pass over a decision of which nothing is known but that it was taken."""
        if fact.kind == Kind.BOUND:
            self.lose()

    def lose(self) -> None:
        """Say that there may have been any decisions."""
        self._resumed = None
        if self._follower is not None:
            self._follower.lose()

    def kept(self) -> tuple[int, dict[str, Any]] | None:
        """Return what to resume from: the parallelism and the state; None where nothing is known."""
        state = None if self._follower is None else self._follower.state
        return None if state is None else (self._known[0], _written(state))


def _written(state: FollowedState) -> dict[str, Any]:
    return {
        "heard": state.heard,
        "numbers": state.numbers,
        "evidence": state.evidence,
        "surprises": np.rint(state.starts.surprises * _STEPS).astype(np.intp).tolist(),
    }


def _read(document: dict[str, Any]) -> FollowedState:
    surprises = (np.array(document["surprises"]) / _STEPS).astype(np.float32)
    by_name, by_age, heard = document["numbers"]
    # Earlier releases kept none.
    evidence = float(document.get("evidence", 0))
    return FollowedState(tuple(document["heard"]), (by_name, by_age, heard), SearchStarts(surprises), evidence)


def search_document(finding: SearchFinding) -> dict[str, Any]:
    """Return what a decision keeps of its search: the fields of ``SearchFinding``."""
    return asdict(finding)
