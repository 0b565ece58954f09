"""What would make a pod fit, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dashboard.presenters import wording

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.relaxation import Lift

Kind = Literal["single", "pair", "filter"]
KINDS: tuple[Kind, ...] = ("single", "pair", "filter")
# A pair of dozens of requirements is no longer advice.
MOST = 12


@dataclass(frozen=True, slots=True)
class LiftView:
    """One way to gain nodes; `kind` and `number` address it."""

    kind: Kind
    number: int
    sentence: str


@dataclass(frozen=True, slots=True)
class RelaxationsView:
    """The ways by how much they ask; `summary` is one sentence, `hidden` says how many pairs are left out."""

    summary: str
    reductions: tuple[str, ...]
    singles: tuple[LiftView, ...]
    pairs: tuple[LiftView, ...]
    filters: tuple[LiftView, ...]
    hidden: int


def lifts(explanation: Explanation, kind: Kind) -> tuple[Lift, ...]:
    """Return the engine's answers of one kind."""
    found = explanation.relaxations
    return {"single": found.singles, "pair": found.pairs, "filter": found.filters}[kind]


def relaxations(explanation: Explanation) -> RelaxationsView:
    """Present every way, the most helpful first."""
    found = explanation.relaxations
    names = explanation.snapshot.nodes.names
    views = {
        kind: tuple(
            LiftView(kind, number, wording.gain(lift, fits=explanation.fits))
            for number, lift in enumerate(lifts(explanation, kind)[:MOST])
        )
        for kind in KINDS
    }
    return RelaxationsView(
        summary=_summary(explanation),
        reductions=tuple(wording.reduction(each, names[each.row]) for each in found.reductions),
        singles=views["single"],
        pairs=views["pair"],
        filters=views["filter"],
        hidden=sum(max(0, len(lifts(explanation, kind)) - MOST) for kind in KINDS),
    )


def _summary(explanation: Explanation) -> str:
    found = explanation.relaxations
    if explanation.fits:
        if not found.singles:
            return "No single requirement, lifted alone, would gain a node."
        return f"It fits already. One change would gain more nodes. {wording.gain(found.singles[0], fits=True)}"
    if found.singles:
        return f"One change is enough. {wording.gain(found.singles[0], fits=False)}"
    if found.pairs:
        return f"No single change is enough, but two are. {wording.gain(found.pairs[0], fits=False)}"
    return "Neither one nor two of the requirements, lifted, would make it fit anywhere."
