"""Pending pods as one node sees them: which fit on it, and what rejects the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording import states
from clusters.wording.amounts import quantity
from clusters.wording.conclusions import uncertainty_clauses
from clusters.wording.evaluation import BY_WORKER, still
from clusters.wording.evidence import missing
from clusters.wording.nodes import takers as words
from clusters.wording.resources import resource_name
from dashboard.presenters.shared import failures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.services.decisions.takers import Candidate, Obstacle, Takers


@dataclass(frozen=True, slots=True)
class ObstacleView:
    """A plugin that rejects the pod there, its own message, and the numbers; before any node it is about the pod."""

    plugin: str
    message: str
    numbers: str


@dataclass(frozen=True, slots=True)
class TakerView:
    """Pods of one workload that are alike; `verdict` is one of the design's, `more` says how many are not named."""

    title: str
    requests: str
    verdict: str
    verdict_text: str
    sentence: str
    obstacles: tuple[ObstacleView, ...]
    pods: tuple[tuple[str, str], ...]
    more: str


def sentence(takers: Takers, node: str) -> str:
    """Say how many of the pending pods fit on the node, and what stands against the others."""
    if not takers.total:
        return str(words.NONE_PENDING)
    free = [candidate for candidate in takers.candidates if candidate.fits and not candidate.gates]
    fits = _number(candidate for candidate in free if not candidate.uncertain)
    uncertain = _number(candidate for candidate in free if candidate.uncertain)
    gated = _number(candidate for candidate in takers.candidates if candidate.fits and candidate.gates)
    close = _number(candidate for candidate in takers.candidates if candidate.is_close)
    stopped = _number(candidate for candidate in takers.candidates if candidate.is_stopped)
    foreign = _number(candidate for candidate in takers.candidates if candidate.scheduler)
    failed = _number(candidate for candidate in takers.candidates if candidate.failed)
    unasked = takers.evaluating
    others = takers.total - fits - uncertain - gated - close - stopped - foreign - failed - unasked
    rest = (
        (uncertain, words.uncertain),
        (gated, words.gated),
        (close, words.close),
        (others, words.rejected),
        (stopped, words.stopped),
        (foreign, words.foreign),
        (unasked, still),
        (failed, words.failed),
    )
    fitting = words.at_least_fitting if unasked else words.fitting
    said = [words.pending(takers.total, len(takers.candidates)), fitting(fits, node)]
    return " ".join([*said, *(say(number) for number, say in rest if number)])


def _number(candidates: Iterable[Candidate]) -> int:
    return sum(candidate.number for candidate in candidates)


def candidate_views(candidates: Sequence[Candidate]) -> list[TakerView]:
    """Present some of the candidates."""
    return [_view(candidate) for candidate in candidates]


def _view(candidate: Candidate) -> TakerView:
    verdict, text = _verdict(candidate)
    hidden = candidate.number - len(candidate.names)
    requests = [
        f"{quantity(name, number)}{'' if name == 'cpu' else f' {resource_name(name)}'}"
        for name, number in sorted(candidate.requests.items())
        if number
    ]
    return TakerView(
        title=_title(candidate),
        requests=words.requests(requests) if requests else "",
        verdict=verdict,
        verdict_text=text,
        sentence=_sentence(candidate),
        obstacles=tuple(map(_obstacle, candidate.obstacles)),
        pods=candidate.names,
        more=words.MORE(pods=hidden) if hidden else "",
    )


def _title(candidate: Candidate) -> str:
    if candidate.scheduler:
        return words.TITLE(pods=candidate.number, maker=candidate.scheduler)
    maker = candidate.workload
    if not maker.name:
        return words.BARE_TITLE(pods=candidate.number, namespace=maker.namespace)
    return words.TITLE(pods=candidate.number, maker=f"{maker.kind} {maker.namespace}/{maker.name}")


def _verdict(candidate: Candidate) -> tuple[str, str]:
    if candidate.failed:
        return "unknown", str(words.FAILED)
    if not candidate.is_asked:
        return "unknown", str(states.EVALUATING)
    if candidate.fits and candidate.uncertain:
        return "uncertain", str(states.UNCERTAIN)
    if candidate.fits:
        return ("unknown", str(words.GATED)) if candidate.gates else ("fits", str(states.FITS))
    if candidate.is_stopped:
        return "rejected", str(words.STOPPED)
    return "rejected", str(words.ONE_FILTER if candidate.is_close else states.REJECTED)


def _sentence(candidate: Candidate) -> str:
    if candidate.scheduler:
        return str(words.FOREIGN_SENTENCE)
    if candidate.failed:
        return f"{failures.what(candidate.failed)} {failures.remedy(candidate.failed)}"
    if not candidate.is_asked:
        return str(BY_WORKER)
    gates = [words.gates(candidate.gates)] if candidate.gates else []
    if not candidate.fits:
        return " ".join(gates)
    doubt = [words.UNCERTAIN_BECAUSE(clauses=uncertainty_clauses(candidate.uncertain))] if candidate.uncertain else []
    room = [_room(candidate)] if candidate.number > 1 else []
    return " ".join([_choice(candidate), *doubt, *gates, *room])


def _room(candidate: Candidate) -> str:
    if candidate.together >= candidate.number:
        return words.ROOM_FOR_ALL(pods=candidate.number)
    return words.ROOM_FOR(fitting=candidate.together, pods=candidate.number)


def _choice(candidate: Candidate) -> str:
    others = candidate.feasible - 1
    if not others:
        return str(words.ONLY_NODE)
    return words.BEST_OF(others=others) if candidate.is_best else words.OUTSCORED(others=others)


def _obstacle(obstacle: Obstacle) -> ObstacleView:
    reasons = list(dict.fromkeys(obstacle.status.reasons)) or [str(obstacle.status.code)]
    return ObstacleView(obstacle.plugin or "PreFilter", ", ".join(reasons), missing(obstacle.evidence))
