"""What a lesson is made of, in typed values: read from files by the services, judged by the questions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.lessons.question import Question
    from clusters.engine.lessons.terms import Term
    from clusters.engine.objects import Document


class ObjectName(NamedTuple):
    """An object by kind, namespace (empty for what belongs to the whole cluster) and name."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        """The object as the files of lessons name it: ``Kind/namespace/name``, or ``Kind/name``."""
        return "/".join(part for part in self if part)


@dataclass(frozen=True, slots=True)
class SituationParts:
    """What a situation is built of, as it was written: nothing is admitted or filled in yet.

    ``pod``: the pod in question as ``namespace/name``, or empty. ``kubernetes``: the version as which the scheduler
    decides, empty for the newest known. ``usage``: bytes of memory that pods use, by ``namespace/name``.
    """

    objects: tuple[Document, ...]
    pod: str = ""
    kubernetes: str = ""
    configuration: Document | None = None
    kubelet: Document | None = None
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepTexts:
    """What a step says in one language; ``mistakes`` by their keys, ``hints`` in the order in which they are shown."""

    title: str
    text: str
    ask: str
    reveal: str
    hints: tuple[str, ...] = ()
    mistakes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LessonTexts:
    """What a lesson says in one language; ``steps`` by their names."""

    title: str
    about: str
    steps: Mapping[str, StepTexts]


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One situation and what is asked about it.

    ``shows_decision``: with the answer the whole decision is shown, which tells more than the answer. ``terms``: the
    words that are explained beside it, in the order in which its texts use them.
    """

    name: str
    situation: SituationParts
    question: Question
    shows_decision: bool = True
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson; ``texts`` by language, ``minutes`` is how long it takes."""

    name: str
    minutes: int
    steps: tuple[LessonStep, ...]
    texts: Mapping[str, LessonTexts]

    def step(self, name: str) -> LessonStep | None:
        """The step of a name."""
        return next((each for each in self.steps if each.name == name), None)
