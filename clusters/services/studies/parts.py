"""Parts of studies that are no runs: worked on, resumed when their worker died, and removed with their study."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import orjson
from django.conf import settings
from django.db import OperationalError, transaction
from django.utils import timezone

from clusters.engine import UnknownScheduler
from clusters.engine.simulation.changes.problems import NoSuchProfile
from clusters.models import Study, StudyPart
from clusters.models.lane import Lane
from clusters.problems.simulations import WorkFailed
from clusters.services.lanes.holds import work_on
from clusters.services.lanes.sending import send_all
from clusters.services.runs.bases import free
from clusters.services.runs.errors import SpecError
from clusters.services.studies.answers import answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.services.lanes.holds import Hold

State = StudyPart.State


def work_on_part(part_id: int) -> bool:
    """Answer one part that waits, if it does; what keeps it from an answer is recorded in it."""
    return work_on(StudyPart.objects.select_related("study__base").filter(pk=part_id), _answer)


def _answer(part: StudyPart, hold: Hold) -> None:
    try:
        # Tuples and dataclasses become what JSON has.
        result = orjson.loads(orjson.dumps(answer(part)))
    except SpecError as error:
        hold.update(state=State.FAILED, error=error.as_dict())
    except UnknownScheduler as error:
        refused = SpecError("", NoSuchProfile(error.scheduler_name, error.known))
        hold.update(state=State.FAILED, error=refused.as_dict())
    except OperationalError:
        raise
    except Exception:
        hold.update(state=State.FAILED, error=SpecError("", WorkFailed()).as_dict())
        raise
    else:
        hold.update(state=State.DONE, result=result)


def stored_parts(study: Study, parts: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Store the parts of a study, each a label and what it asks, and have workers begin them."""
    made = StudyPart.objects.bulk_create(
        StudyPart(study=study, number=number, label=label[:200], spec=spec, lane=Lane.SIMULATIONS)
        for number, (label, spec) in enumerate(parts)
    )
    transaction.on_commit(partial(send_all, StudyPart, [part.pk for part in made]))


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
    for study in old.only("pk", "base_id"):
        delete(study)
        count += 1
    return count
