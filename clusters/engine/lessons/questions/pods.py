"""Which pods go, or cannot go?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.disruption.drain import DrainOptions
from clusters.engine.disruption.drain_plan import first_answers, residents_of
from clusters.engine.disruption.eviction import Ground, eviction_answer
from clusters.engine.disruption.taint_eviction import driven_out
from clusters.engine.lessons.answers import read_words
from clusters.engine.lessons.mistakes import Mistake, MistakeKind
from clusters.engine.lessons.orders import oom_ranks
from clusters.engine.lessons.problems import DrainOrderUnknown
from clusters.engine.lessons.question import Judgement, Question, UnsolvableError
from clusters.engine.objects import Pod, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.engine.disruption.drain_plan import PlannedPod
    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation

_EVICTABLE, _VICTIMS, _LEAVING, _BLOCKED, _OOM = "evictable", "victims", "leaving", "blocked", "oomKilledFirst"


@dataclass(frozen=True, slots=True)
class PodsQuestion(Question):
    """All pods of a sort. The answer is a list of ``namespace/name`` in any order, which may be empty.

    ``which`` is one of

    - ``evictable``: pods with a node whose eviction the API server allows now, each by itself; with ``on`` of one node;
    - ``victims``: those that preemption removes for the pod in question, of candidates that it prefers alike any;
    - ``leaving``: those that NoExecute taints evict, at once or later; with ``on`` of one node;
    - ``blocked``: those that a drain does not evict of the nodes ``drain``, one node after the other while no
      replacement is ready, as ``kubectl drain`` with the flags ``force`` and ``deleteEmptyDirData``; pods of
      DaemonSets and static pods are passed over;
    - ``oomKilledFirst``: those of the node ``on`` with the highest oom_score_adj.
    """

    which: str
    on: str = ""
    drain: tuple[str, ...] = ()
    force: bool = False
    delete_empty_dir_data: bool = False

    kind: ClassVar[str] = "pods"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset({MistakeKind.MISSED, MistakeKind.EXTRA})

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        fields = arguments.fields("which", *_ARGUMENTS)
        which = fields.choice("which", tuple(_FOUND))
        fields.only("which", *(name for name, uses in _ARGUMENTS.items() if which in uses))
        if which == _BLOCKED:
            drain = fields.names("drain")
            return cls(which, "", drain, fields.flag("force"), fields.flag("deleteEmptyDirData"))
        on = fields.name("on") if which == _OOM else fields.text_or_none("on") or ""
        return cls(which, on)

    def solution(self, situation: Situation) -> RawAnswer:
        return self.acceptable(situation)[0]

    def acceptable(self, situation: Situation) -> list[list[str]]:
        """Every set of pods that is right, each in order of name. Raises UnsolvableError."""
        return [sorted(found) for found in _FOUND[self.which](self, situation)]

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = self.acceptable(situation), read_words(answer, situation.pods)
        if any(set(each) == set(given) for each in right):
            return Judgement()
        nearest = min(right, key=lambda each: len(set(each) ^ set(given)))
        missed = (Mistake(MistakeKind.MISSED, pod) for pod in nearest if pod not in given)
        extra = (Mistake(MistakeKind.EXTRA, pod) for pod in given if pod not in nearest)
        return Judgement((*missed, *extra))


def _evictable(asked: PodsQuestion, situation: Situation) -> list[list[str]]:
    return [
        [
            key
            for key, pod in situation.pods.items()
            if Pod(pod).node_name in situation.chosen_nodes(asked.on)
            and eviction_answer(situation.snapshot, pod).is_granted
        ]
    ]


def _victims(_: PodsQuestion, situation: Situation) -> list[list[str]]:
    found = situation.preemption()
    return [[]] if found is None else [list(each.victims) for each in found.choices]


def _leaving(asked: PodsQuestion, situation: Situation) -> list[list[str]]:
    return [[key for node in situation.chosen_nodes(asked.on) for key, _ in driven_out(situation.snapshot, node)]]


def _blocked(asked: PodsQuestion, situation: Situation) -> list[list[str]]:
    for node in asked.drain:
        situation.chosen_nodes(node)
    options = DrainOptions(force=asked.force, empty_dirs=asked.delete_empty_dir_data)
    pods = [pod for node in asked.drain for pod in situation.pods_on(node)]
    daemon_sets = frozenset(map(key_of, situation.snapshot.objects("DaemonSet")))
    residents = residents_of(pods, options, daemon_sets)
    found = first_answers(situation.snapshot, asked.drain, residents, situation.waiting)
    for node in asked.drain:
        _check_order([each for each in found if each.node == node])
    return [
        [
            each.pod
            for each in found
            if not each.handling.treatment.stays and (each.answer is None or not each.answer.is_granted)
        ]
    ]


def _check_order(asked: list[PlannedPod]) -> None:
    """Raise UnsolvableError where it depends on their order which pods of a node a budget lets go."""
    answers = [(each.pod.partition("/")[0], each.answer) for each in asked if each.answer is not None]
    granted = {(namespace, answer.budgets) for namespace, answer in answers if answer.is_charged}
    if any((space, answer.budgets) in granted for space, answer in answers if answer.ground is Ground.EXHAUSTED):
        raise UnsolvableError(DrainOrderUnknown(asked[0].node))


def _oom_killed_first(asked: PodsQuestion, situation: Situation) -> list[list[str]]:
    ranks = oom_ranks(situation, asked.on)
    first = min(ranks.values(), default=0)
    return [[key for key, rank in ranks.items() if rank == first]]


_FOUND: Final[Mapping[str, Callable[[PodsQuestion, Situation], list[list[str]]]]] = {
    _EVICTABLE: _evictable,
    _VICTIMS: _victims,
    _LEAVING: _leaving,
    _BLOCKED: _blocked,
    _OOM: _oom_killed_first,
}
_ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "on": (_EVICTABLE, _LEAVING, _OOM),
    "drain": (_BLOCKED,),
    "force": (_BLOCKED,),
    "deleteEmptyDirData": (_BLOCKED,),
}
