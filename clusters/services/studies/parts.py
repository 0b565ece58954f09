"""Parts of studies that are no runs: worked on, resumed when their worker died, and removed with their study."""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import orjson
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clusters.engine import UnknownScheduler
from clusters.models import Study, StudyPart
from clusters.services.runs.bases import free
from clusters.services.runs.errors import RunTakenError, SpecError
from clusters.services.runs.holds import Hold, Pulse
from clusters.services.runs.sending import send_all
from clusters.services.runs.starting import MOST_BEGUN
from clusters.services.studies.answers import answer

if TYPE_CHECKING:
    from collections.abc import Sequence

_log = logging.getLogger(__name__)

_TASK: Final = "clusters.tasks.work_on_part"
_LOST: Final = timedelta(seconds=60)

State = StudyPart.State


def work_on_part(part_id: int) -> None:
    """Answer one part that waits; what keeps it from an answer is recorded in it."""
    part = StudyPart.objects.select_related("study__base", "study__cluster").filter(pk=part_id).first()
    hold = None if part is None else Hold.take(part)
    if part is None or hold is None:
        _log.info("Part %d does not wait for a worker.", part_id)
        return
    try:
        with Pulse(hold):
            _answer(part, hold)
    except RunTakenError:
        _log.warning("Part %d is another worker's by now.", part_id)


def _answer(part: StudyPart, hold: Hold) -> None:
    try:
        # Tuples and dataclasses become what JSON has.
        result = orjson.loads(orjson.dumps(answer(part)))
    except SpecError as error:
        hold.update(state=State.FAILED, error=error.as_dict())
    except UnknownScheduler as error:
        remedy = "Name a scheduler that the configuration has."
        hold.update(state=State.FAILED, error={"problem": f"{error}.", "remedy": remedy})
    except Exception:
        problem = {"problem": "Berth failed while it worked on this.", "remedy": "The worker's log says why."}
        hold.update(state=State.FAILED, error=problem)
        raise
    else:
        hold.update(state=State.DONE, result=result)


def resume_abandoned() -> int:
    """Have other workers answer parts whose workers are dead, or whose messages are lost; return how many."""
    now = timezone.now()
    silent = StudyPart.objects.filter(state=State.RUNNING, heartbeat_at__lt=now - settings.BERTH_RUNS_SILENCE)
    error = {
        "problem": f"{MOST_BEGUN} workers ended while they worked on it.",
        "remedy": "Give workers more memory, or ask about a smaller cluster.",
    }
    silent.filter(begun__gte=MOST_BEGUN).update(state=State.FAILED, worker="", error=error)
    keys = list(silent.filter(begun__lt=MOST_BEGUN).values_list("pk", flat=True))
    StudyPart.objects.filter(
        pk__in=keys, state=State.RUNNING, heartbeat_at__lt=now - settings.BERTH_RUNS_SILENCE
    ).update(state=State.QUEUED, worker="", heartbeat_at=now)
    if not StudyPart.objects.filter(state=State.RUNNING).exists():
        told = Q(heartbeat_at__gte=now - _LOST) | Q(study__created_at__gte=now - _LOST)
        lost = list(StudyPart.objects.filter(state=State.QUEUED).exclude(told).values_list("pk", flat=True))
        StudyPart.objects.filter(pk__in=lost).update(heartbeat_at=now)
        keys += lost
    send_all(_TASK, keys)
    return len(keys)


def stored_parts(study: Study, parts: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Store the parts of a study, each a label and what it asks, and have workers begin them."""
    made = StudyPart.objects.bulk_create(
        StudyPart(study=study, number=number, label=label[:200], spec=spec)
        for number, (label, spec) in enumerate(parts)
    )
    transaction.on_commit(partial(send_all, _TASK, [part.pk for part in made]))


def delete(study: Study) -> None:
    """Delete a study with all its parts and runs; workers that have some notice before they write again."""
    bases = {study.base_id, *study.runs.values_list("base_id", flat=True)}
    study.delete()
    for base_id in bases:
        free(base_id)


def prune() -> int:
    """Delete studies that are older than runs are kept, unless a review refers to a run of theirs."""
    before = timezone.now() - settings.BERTH_RUNS_KEPT
    old = Study.objects.filter(created_at__lt=before).exclude(runs__reports__isnull=False)
    count = 0
    for study in old:
        delete(study)
        count += 1
    return count
