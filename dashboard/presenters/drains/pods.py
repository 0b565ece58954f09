"""What a plan says of one pod: whether it may be evicted, where its replacement goes, why it blocks its node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption import Block, Ground, Treatment
from clusters.wording.drains import pods as words
from dashboard.presenters.shared import failures
from dashboard.presenters.shared.quotes import Quote

if TYPE_CHECKING:
    from clusters.engine.disruption import Blocker, Eviction, EvictionAnswer, Handling, Landing


@dataclass(frozen=True, slots=True)
class Why:
    """Why a pod blocks the drain of its node: the scheduler's message about its replacement, and what Berth says."""

    text: str = ""
    quote: Quote | None = None

    def __str__(self) -> str:
        """Return all of it in one line."""
        return " ".join(filter(None, (self.quote.whole if self.quote is not None else "", self.text)))


def unplaced(landing: Landing) -> Why:
    """Say why a replacement is not placed."""
    if landing.is_gated:
        return Why(words.replacement_gated())
    if landing.failed:
        return Why(failures.what(landing.failed))
    if landing.scheduler:
        return Why(words.OTHER_SCHEDULER(scheduler=landing.scheduler))
    return Why(words.PREEMPTIBLE(nodes=landing.victims) if landing.victims else "", Quote(landing.message))


def unreplaced(eviction: Eviction) -> str:
    """Say why an evicted pod has no replacement."""
    if eviction.handling.is_unmanaged:
        return str(words.IS_NOT_RECREATED)
    if eviction.answer.ground is Ground.TERMINATING:
        return str(words.ALREADY_REPLACED)
    return str(words.NO_REPLACEMENT)


def notes(eviction: Eviction) -> list[tuple[str, str]]:
    """Return what is to be known of an eviction beside where the pod goes: pairs of text and kind."""
    found = (
        (eviction.handling.loses_data, words.EMPTY_DIR_LOST, "warn"),
        (eviction.handling.is_unmanaged, words.NOT_RECREATED, "bad"),
        (bool(eviction.moved), words.MOVES_AGAIN, "info"),
    )
    return [(str(text), kind) for holds, text, kind in found if holds]


def now(handling: Handling, answer: EvictionAnswer | None, namespace: str) -> str:
    """Say what becomes of a pod if the drain began now."""
    if answer is None:
        if handling.treatment is Treatment.HELD:
            return words.needed_flags(handling)
        return str(words.STAYS.get(handling.treatment, words.NOT_BEGUN))
    return words.ground(answer, namespace) if answer.is_granted else words.refused(answer)


def blocker(pod: Blocker) -> Why:
    """Say why a pod blocks the drain of its node."""
    if pod.kind is Block.FLAG:
        return Why(words.needed_flags(pod.handling))
    if pod.kind is Block.NO_ROOM:
        return unplaced(pod.landing) if pod.landing is not None else Why()
    return Why(words.refused(pod.answer) if pod.answer is not None else "")
