"""The pods that wait, as one node sees them: which it would take, and what stands against the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.evidence import resource_unit
from clusters.wording.amounts import counted, grouped
from clusters.wording.conclusions import uncertainty_clauses
from dashboard.presenters import wording
from dashboard.presenters.decisions.evidence import amount, brief
from dashboard.presenters.shared import failures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.services.decisions.takers import Candidate, Obstacle, Takers


@dataclass(frozen=True, slots=True)
class ObstacleView:
    """A filter that rejects the node, what it says, and the numbers."""

    plugin: str
    text: str
    numbers: str


@dataclass(frozen=True, slots=True)
class CandidateView:
    """Pods of one making; `verdict` is one of the design's, `more` says how many are not named."""

    title: str
    asks: str
    verdict: str
    verdict_text: str
    sentence: str
    obstacles: tuple[ObstacleView, ...]
    pods: tuple[tuple[str, str], ...]
    more: str


def sentence(takers: Takers, node: str) -> str:
    """Say how many of the pods that wait the node would take, and how many it nearly would."""
    if not takers.total:
        return "No pod waits for a node."
    free = [candidate for candidate in takers.candidates if candidate.fits and not candidate.gates]
    fits = _number(candidate for candidate in free if not candidate.uncertain)
    uncertain = _number(candidate for candidate in free if candidate.uncertain)
    gated = _number(candidate for candidate in takers.candidates if candidate.fits and candidate.gates)
    close = _number(candidate for candidate in takers.candidates if candidate.is_close)
    stopped = _number(candidate for candidate in takers.candidates if candidate.is_stopped)
    foreign = _number(candidate for candidate in takers.candidates if candidate.scheduler)
    failed = _number(candidate for candidate in takers.candidates if candidate.failed)
    unasked = _number(each for each in takers.candidates if not (each.is_asked or each.scheduler or each.failed))
    others = takers.total - fits - uncertain - gated - close - stopped - foreign - failed - unasked
    parts = [f"{grouped(fits) if fits else 'none'} {'fits' if fits == 1 else 'fit'} on {node} now, each by itself"]
    if uncertain:
        parts.append(f"of {grouped(uncertain)} that is uncertain")
    if gated:
        parts.append(f"{grouped(gated)} would, once no gate holds {'it' if gated == 1 else 'them'} back")
    if close:
        parts.append(f"{grouped(close)} would if one filter let {'it' if close == 1 else 'them'} in")
    if others:
        parts.append(f"against {grouped(others)} several filters stand")
    if stopped:
        parts.append(f"for {grouped(stopped)} the scheduler asks no node")
    if foreign:
        parts.append(f"{grouped(foreign)} {'belongs' if foreign == 1 else 'belong'} to another scheduler")
    if unasked:
        parts.append(f"{grouped(unasked)} {'was' if unasked == 1 else 'were'} not asked about")
    if failed:
        parts.append(f"{grouped(failed)} could not be computed")
    waits = counted(takers.total, "pod that waits", "pods that wait")
    kinds = len(takers.candidates)
    making = f", {counted(kinds, 'kind', 'kinds')} in all" if kinds > 1 else ""
    return f"Of {waits}{making}: {'; '.join(parts)}."


def _number(candidates: Iterable[Candidate]) -> int:
    return sum(candidate.number for candidate in candidates)


def candidate_views(candidates: Sequence[Candidate]) -> list[CandidateView]:
    """Present some of the makings."""
    return [_view(candidate) for candidate in candidates]


def _view(candidate: Candidate) -> CandidateView:
    verdict, text = _verdict(candidate)
    hidden = candidate.number - len(candidate.names)
    return CandidateView(
        title=_title(candidate),
        asks=", ".join(
            f"{amount(number, resource_unit(name))}{'' if name == 'cpu' else f' {wording.resource_name(name)}'}"
            for name, number in sorted(candidate.requests.items())
            if number
        ),
        verdict=verdict,
        verdict_text=text,
        sentence=_sentence(candidate),
        obstacles=tuple(_obstacle(each, is_before=candidate.is_stopped) for each in candidate.obstacles),
        pods=candidate.names,
        more=f"and {grouped(hidden)} more" if hidden else "",
    )


def _title(candidate: Candidate) -> str:
    if candidate.scheduler:
        return f"{counted(candidate.number, 'pod', 'pods')} of {candidate.scheduler}"
    maker = candidate.workload
    of_what = f"{maker.kind} {maker.namespace}/{maker.name}" if maker.name else f"{maker.namespace}, without controller"
    return f"{counted(candidate.number, 'pod', 'pods')} of {of_what}"


def _verdict(candidate: Candidate) -> tuple[str, str]:
    if candidate.failed:
        return "unknown", "Could not be computed"
    if not candidate.is_asked:
        return "unknown", "Not known"
    if candidate.fits and candidate.uncertain:
        return "uncertain", "Uncertain"
    if candidate.fits:
        return ("unknown", "Fits, but gated") if candidate.gates else ("fits", "Fits")
    if candidate.is_stopped:
        return "rejected", "No node is asked"
    return "rejected", "One filter in the way" if candidate.is_close else "Does not fit"


def _sentence(candidate: Candidate) -> str:
    if candidate.scheduler:
        return "No profile of this cluster's scheduler has that name; how the other one decides is not known here."
    if candidate.failed:
        return f"{failures.what(candidate.failed)} {failures.remedy(candidate.failed)}"
    if not candidate.is_asked:
        return "So many different pods wait that this node was not asked about these. Their own pages tell."
    gates = f" The scheduler does not look at it: {wording.listed(list(candidate.gates))}." if candidate.gates else ""
    if not candidate.fits:
        return gates.strip()
    doubt = f" Uncertain: {uncertainty_clauses(candidate.uncertain)}." if candidate.uncertain else ""
    room = "" if candidate.number == 1 else f" What is left would do for {_room(candidate)}."
    return f"{_choice(candidate)}{doubt}{gates}{room}"


def _room(candidate: Candidate) -> str:
    if candidate.together >= candidate.number:
        return f"all {grouped(candidate.number)}"
    return f"{grouped(candidate.together)} of the {grouped(candidate.number)}"


def _choice(candidate: Candidate) -> str:
    if candidate.feasible == 1:
        return "No other node would take it."
    others = counted(candidate.feasible - 1, "other node", "other nodes")
    if candidate.is_best:
        return f"{others[:1].upper()}{others[1:]} would take it too, and none scores higher."
    return f"{others[:1].upper()}{others[1:]} would take it too, and it would go to one that scores higher."


def _obstacle(obstacle: Obstacle, *, is_before: bool) -> ObstacleView:
    reasons = list(dict.fromkeys(obstacle.status.reasons)) or [str(obstacle.status.code)]
    if is_before:
        return ObstacleView(obstacle.plugin or "PreFilter", f"no node is asked, because {', '.join(reasons)}", "")
    said = wording.listed([wording.what_they_do(1, reason) for reason in reasons])
    return ObstacleView(obstacle.plugin, f"the node {said}", brief(obstacle.evidence))
