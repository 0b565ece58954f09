"""Words by which rows, files and documents know values: they stay, whatever a class or a member is called.

Those of problems are frozen beside them, in `problem_kinds.txt`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, get_args

from django.conf import settings

from clusters.documents.values import kinds_of
from clusters.engine.analysis import REMEDIES, causes
from clusters.engine.conclusion import Conclusion, Uncertainty
from clusters.engine.disruption import drains
from clusters.engine.evidence import Comparison, Normalisation, ScorePart, Subject
from clusters.engine.group_states import GroupPhase
from clusters.engine.lessons import QUESTIONS
from clusters.engine.sandbox import ActKind
from clusters.engine.scheduling import GroupVerdict
from clusters.engine.simulation import case, changes, outcome, removable
from clusters.engine.simulation.remarks import Remark, WhyNotRead
from clusters.engine.status import Code, Phase, Reason
from clusters.engine.upgrading import AmendmentKind, AnswerAspect, DefaultKind, DrainAspect, ObstacleKind, SubjectRole

if TYPE_CHECKING:
    import enum

FROZEN = settings.BASE_DIR / "tests" / "data" / "kinds.json"
# By which a value is told from others of its family.
FAMILIES: dict[str, list[str]] = {
    "change of a run": sorted(changes.KINDS),
    "comparison": list(kinds_of(Comparison)),
    "normalisation": list(kinds_of(Normalisation)),
    "question": sorted(QUESTIONS),
    "reason": list(kinds_of(Reason)),
    "remark": sorted(each.kind for each in Remark.__subclasses__()),
    "remedy": sorted(REMEDIES),
    "score part": list(kinds_of(ScorePart)),
    "subject": list(kinds_of(Subject)),
    "uncertainty": sorted(each.kind for each in get_args(Uncertainty)),
}
# Of which a row or a document holds one member.
ENUMERATIONS: dict[str, type[enum.StrEnum]] = {
    "act": ActKind,
    "amendment": AmendmentKind,
    "answer of an upgrade": AnswerAspect,
    "block of a drain": drains.Block,
    "cause": causes.Kind,
    "code": Code,
    "conclusion": Conclusion,
    "default of an upgrade": DefaultKind,
    "drain of an upgrade": DrainAspect,
    "effect on a workload": outcome.WorkloadEffect,
    "end of a group": outcome.GroupEnd,
    "node that stays": removable.Keeps,
    "obstacle": ObstacleKind,
    "origin": case.Origin,
    "outcome": case.Outcome,
    "outlook of a drain": drains.Outlook,
    "phase": Phase,
    "phase of a group": GroupPhase,
    "quorum": outcome.Quorum,
    "role": SubjectRole,
    "verdict on a group": GroupVerdict,
    "why a kind is not read": WhyNotRead,
}


def test_stored_kinds_are_never_renamed() -> None:
    found = FAMILIES | {name: sorted(each.value for each in members) for name, members in ENUMERATIONS.items()}

    assert json.loads(FROZEN.read_text(encoding="utf-8")) == found
