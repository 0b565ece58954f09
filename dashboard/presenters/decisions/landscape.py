"""The score landscape: the feasible nodes by their totals, and beyond the cliff who rejects the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from clusters.engine.configuration import scoring_strategy
from clusters.wording.decisions import verdict as words
from clusters.wording.decisions.nodes import TOTAL_AND_RANK
from dashboard.explained import STRATEGIES, WEIGHT
from dashboard.pictures.landscape import beyond, key_swatch, ribbon, stack
from dashboard.pictures.tokens import plugin_key
from dashboard.pictures.verdict_map.tiles import swatch
from dashboard.presenters.decisions.maps import rejecting_keys

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation
    from clusters.engine.status import Ints
    from dashboard.explained import Rescoring

# So many nodes have a row of their own, and so many columns the ribbon at most.
TOP = 7
COLUMNS = 240


class EqualScore(Struct, frozen=True):
    """What a plugin gives every feasible node, and one of them whose arithmetic it is."""

    plugin: str
    points: int
    node: str


class LandscapeRow(Struct, frozen=True):
    """A feasible node: `cells` are plugins that tell nodes apart, with their points.

    `is_choice`: one of those that the scheduler takes one of; `is_own`: it has the pod.
    """

    rank: int
    node: str
    total: int
    cells: tuple[tuple[str, int], ...]
    bar: SafeString
    is_choice: bool
    is_own: bool


def landscape(explanation: Explanation, own: str, first: int = 0, last: int | None = None) -> dict[str, Any]:
    """Return what shows the feasible nodes of some places in the ranking, from 0: rows for the first, a ribbon of all.

    `own` has a row wherever it stands. Bars begin at the least that each plugin gives the nodes that are shown, so that
    what tells them apart is seen.
    """
    cycle, names = explanation.cycle, explanation.snapshot.nodes.names
    order = np.argsort(-cycle.totals, kind="stable")
    last = len(order) if last is None else max(1, min(last, len(order)))
    first = max(0, min(first, last - 1))
    differing = [score for score in explanation.scores if len(np.unique(score.weighted)) > 1]
    points = np.array([score.weighted for score in differing], np.int64).reshape(len(differing), len(order))[:, order]
    rows, totals = cycle.feasible[order], cycle.totals[order]
    ranks = np.searchsorted(-totals, -totals) + 1
    keys = [plugin_key(score.plugin) for score in differing]

    shown = list(range(first, min(first + TOP, last)))
    held = np.flatnonzero(rows == explanation.snapshot.nodes.index.get(own, -1)).tolist()
    shown += [place for place in held if place not in shown]
    parts = _above_least(points[:, shown])
    longest = int(parts.sum(axis=0).max(initial=0))
    starts = np.unique(np.linspace(first, last, COLUMNS, endpoint=False).astype(np.intp))
    rejected = rejecting_keys(explanation) if last == len(order) else []
    is_many = last - first > TOP
    share = beyond(sum(key.nodes for key in rejected), last - first)
    drawn = ribbon(keys, _above_least(points[:, starts]).T.tolist(), rejected, share) if is_many else ""
    choices = set(cycle.choices.tolist())
    return {
        "keys": keys,
        "legend": [(mark_safe(key_swatch(key)), key.label) for key in keys],  # noqa: S308 - it escapes its words
        "equal": tuple(_equal(explanation, names[int(rows[0])])),
        "rows": [
            LandscapeRow(
                rank=int(ranks[place]),
                node=names[int(rows[place])],
                total=int(totals[place]),
                cells=tuple(
                    (score.plugin, int(value)) for score, value in zip(differing, points[:, place], strict=True)
                ),
                bar=mark_safe(stack(keys, parts[:, number].tolist(), longest)),  # noqa: S308
                is_choice=int(rows[place]) in choices,
                is_own=names[int(rows[place])] == own,
            )
            for number, place in enumerate(shown)
        ],
        "rejected": [(mark_safe(swatch(key)), key) for key in rejected],  # noqa: S308
        "ribbon": mark_safe(drawn),  # noqa: S308
        "data": {
            "share": 100 - share,
            "last": last,
            "columns": [
                [place, names[int(rows[place])], TOTAL_AND_RANK(points=int(totals[place]), rank=int(ranks[place]))]
                for place in starts.tolist()
            ],
        }
        if is_many
        else None,
        "first": first,
        "last": last,
        "shown": min(first + TOP, last),
        "feasible": len(order),
        "is_part": (first, last) != (0, len(order)),
        "back": max(0, first - TOP),
        "notes": tuple(_notes(explanation)),
    }


def _above_least(points: Ints) -> Ints:
    """Return points (plugins, nodes) above the least that each plugin gives."""
    found: Ints = points - points.min(axis=1, keepdims=True)
    return found


def _equal(explanation: Explanation, node: str) -> Iterable[EqualScore]:
    for score in explanation.scores:
        if len(np.unique(score.weighted)) == 1:
            yield EqualScore(score.plugin, int(score.weighted[0]), node)


def _notes(explanation: Explanation) -> Iterable[str]:
    if sampled := words.sampled_best(explanation):
        yield sampled


# A slider goes up to this weight, or to the one that is configured.
_MOST = 20


def weights(configured: Explanation, rescoring: Rescoring) -> dict[str, Any] | None:
    """Return the weights of the plugins that tell nodes apart as configured, each as configured and as asked for.

    None where no other weight makes a difference.
    """
    found = configured.profile.weights
    told = [score for score in configured.scores if score.plugin in found and len(np.unique(score.weighted)) > 1]
    if not told:
        return None
    present = scoring_strategy(configured.profile)
    return {
        "rows": [
            (f"{WEIGHT}{score.plugin}", score.plugin, score.weight, rescoring.weights.get(score.plugin, score.weight))
            for score in told
        ],
        "most": max(_MOST, *(score.weight for score in told)),
        "field": "scoringStrategy",
        "strategies": [] if present is None else list(dict.fromkeys((present, *STRATEGIES))),
        "strategy": rescoring.strategy or present,
        "configured": present,
    }
