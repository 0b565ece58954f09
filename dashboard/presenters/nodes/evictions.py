"""What a drain of one node would meet now, pod by pod."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.drain import DrainOptions, Flag, Treatment, handling_of
from clusters.engine.disruption.drain_ledger import Ledger
from clusters.engine.objects import Pod
from clusters.wording.amounts import counted, grouped
from dashboard.presenters.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.disruption import EvictionAnswer
    from clusters.engine.disruption.drain import Handling
    from clusters.engine.objects import Document

_STAYS = {
    Treatment.DAEMON_SET: "Stays: its DaemonSet would bring it back at once.",
    Treatment.STATIC: "Stays: the kubelet runs it from a file.",
}
_KINDS = {200: "good", 429: "warn"}


@dataclass(frozen=True, slots=True)
class EvictionView:
    """One pod: `code` is the answer's, empty for a pod that stays; `budgets` are those that select it."""

    namespace: str
    name: str
    code: str
    kind: str
    text: str
    wants: tuple[str, ...]
    budgets: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class EvictionsView:
    """All pods of the node: those that are asked for, in the order of their names, then those that stay."""

    sentence: str
    flags: str
    rows: tuple[EvictionView, ...]


def evictions(snapshot: Snapshot, pods: Iterable[Document], daemon_sets: frozenset[str] | None) -> EvictionsView:
    """Ask for the eviction of one pod after another, with each answer's charge to its budget kept."""
    ledger, options = Ledger(snapshot), DrainOptions(force=True)
    asked: list[tuple[EvictionView, Handling, EvictionAnswer]] = []
    staying: list[EvictionView] = []
    for pod in sorted(map(Pod, pods), key=lambda each: each.key):
        handling = handling_of(pod, options, daemon_sets)
        if handling.treatment.stays:
            staying.append(EvictionView(pod.namespace, pod.name, "", "", _STAYS[handling.treatment], (), ()))
        else:
            answer = ledger.ask(pod)
            asked.append((_asked(pod, handling, answer), handling, answer))
    return EvictionsView(
        sentence=_sentence([answer for _, _, answer in asked], staying),
        flags=_flags([handling for _, handling, _ in asked]),
        rows=(*(view for view, _, _ in asked), *staying),
    )


def _asked(pod: Pod, handling: Handling, answer: EvictionAnswer) -> EvictionView:
    text = f"{answer.ground[:1].upper()}{answer.ground[1:]}."
    if answer.detail and not answer.is_granted:
        text = answer.detail
    wants = []
    if handling.is_unmanaged and not pod.finished:
        wants.append(f"{Flag.FORCE}: nothing brings it back")
    if handling.loses_data:
        wants.append(f"{Flag.EMPTY_DIR}: its emptyDir is lost")
    return EvictionView(
        namespace=pod.namespace,
        name=pod.name,
        code=str(answer.code),
        kind=_KINDS.get(answer.code, "bad"),
        text=text,
        wants=tuple(wants),
        budgets=tuple((pod.namespace, name) for name in answer.budgets),
    )


def _sentence(answers: Sequence[EvictionAnswer], staying: Sequence[EvictionView]) -> str:
    if not answers:
        stays = f": {counted(len(staying), 'pod', 'pods')} would stay" if staying else ""
        return f"A drain has nothing to evict here{stays}."
    codes = Counter(answer.code for answer in answers)
    parts = [f"{grouped(codes[200])} answered 200 and gone"] if codes[200] else []
    if codes[429]:
        parts.append(f"{grouped(codes[429])} refused with 429 and asked for again every 5 s")
    parts += [f"{grouped(number)} refused with {code}" for code, number in sorted(codes.items()) if code > 429]
    parts += [f"{grouped(number)} refused with {code}" for code, number in sorted(codes.items()) if 200 < code < 429]
    stays = f" {counted(len(staying), 'pod', 'pods')} would stay." if staying else ""
    asks = counted(len(answers), "eviction", "evictions")
    return f"A drain started now would ask for {asks}: {listed(parts)}.{stays}"


def _flags(handlings: Sequence[Handling]) -> str:
    """Say which flags kubectl wants before it begins; empty where none."""
    force = sum(handling.is_unmanaged for handling in handlings)
    data = sum(handling.loses_data for handling in handlings)
    parts = []
    if force:
        parts.append(f"{Flag.FORCE} for {counted(force, 'pod', 'pods')} that nothing brings back")
    if data:
        parts.append(f"{Flag.EMPTY_DIR} for {counted(data, 'pod', 'pods')} with an emptyDir")
    return f"kubectl drain would not begin without {listed(parts)}." if parts else ""
