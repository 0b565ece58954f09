"""What a drain of one node meets now, pod by pod."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.drain import DrainOptions, handling_of
from clusters.engine.disruption.drain_ledger import Ledger
from clusters.engine.objects import Pod
from clusters.wording.drains.pods import ground
from clusters.wording.nodes import evictions as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.disruption import EvictionAnswer
    from clusters.engine.disruption.drain import Handling
    from clusters.engine.objects import Document

_OK, _TOO_MANY_REQUESTS = 200, 429
_KINDS = {_OK: "good", _TOO_MANY_REQUESTS: "warn"}


@dataclass(frozen=True, slots=True)
class EvictionView:
    """One pod: `answer` is empty for a pod that stays, `budgets` are those that select it."""

    namespace: str
    name: str
    answer: str
    kind: str
    text: str
    flags: tuple[str, ...]
    budgets: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class EvictionsView:
    """All pods of the node: those that are evicted, in the order of their names, then those that stay."""

    sentence: str
    flags: str
    rows: tuple[EvictionView, ...]


def evictions(snapshot: Snapshot, pods: Iterable[Document], daemon_sets: frozenset[str] | None) -> EvictionsView:
    """Request the eviction of one pod after another; each answer is charged to its budget."""
    ledger, options = Ledger(snapshot), DrainOptions(force=True)
    asked: list[tuple[EvictionView, Handling, EvictionAnswer]] = []
    staying: list[EvictionView] = []
    for pod in sorted(map(Pod, pods), key=lambda each: each.key):
        handling = handling_of(pod, options, daemon_sets)
        if handling.treatment.stays:
            staying.append(EvictionView(pod.namespace, pod.name, "", "", str(words.STAYS[handling.treatment]), (), ()))
        else:
            answer = ledger.ask(pod)
            asked.append((_asked(pod, handling, answer), handling, answer))
    return EvictionsView(
        sentence=_sentence([answer for _, _, answer in asked], staying),
        flags=_flags([handling for _, handling, _ in asked]),
        rows=(*(view for view, _, _ in asked), *staying),
    )


def _asked(pod: Pod, handling: Handling, answer: EvictionAnswer) -> EvictionView:
    text = ground(answer, pod.namespace)
    if answer.detail and not answer.is_granted:
        text = answer.detail
    flags = []
    if handling.is_unmanaged and not pod.finished:
        flags.append(words.needs_force())
    if handling.loses_data:
        flags.append(words.needs_empty_dir())
    return EvictionView(
        namespace=pod.namespace,
        name=pod.name,
        answer=words.answer(answer.code),
        kind=_KINDS.get(answer.code, "bad"),
        text=text,
        flags=tuple(flags),
        budgets=tuple((pod.namespace, name) for name in answer.budgets),
    )


def _sentence(answers: Sequence[EvictionAnswer], staying: Sequence[EvictionView]) -> str:
    stays = [words.staying(len(staying))] if staying else []
    if not answers:
        return " ".join([words.nothing_to_evict(), *stays])
    codes = Counter(answer.code for answer in answers)
    said = [words.evictions(len(answers), dict(sorted(codes.items(), key=_likely_first)))]
    if codes[_TOO_MANY_REQUESTS]:
        said.append(words.repeated())
    return " ".join([*said, *stays])


def _likely_first(counted: tuple[int, int]) -> tuple[bool, bool, int]:
    """Put what is allowed first, then what a budget refuses, then the others."""
    code, _ = counted
    return code != _OK, code != _TOO_MANY_REQUESTS, code


def _flags(handlings: Sequence[Handling]) -> str:
    """Say which flags kubectl needs before it begins; empty where none."""
    force = sum(handling.is_unmanaged for handling in handlings)
    data = sum(handling.loses_data for handling in handlings)
    said = [words.force_needed(force)] if force else []
    return " ".join([*said, words.empty_dir_needed(data)] if data else said)
