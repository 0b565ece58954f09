"""Messages to workers: each that is free takes one."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from celery import group, signature
from kombu.exceptions import OperationalError

from clusters.models import Report, SimulationRun, StudyPart

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from django.db.models import Model

_log = logging.getLogger(__name__)

# By name, because tasks call services and not the other way round.
TASKS: Final[Mapping[type[Model], str]] = {
    SimulationRun: "clusters.tasks.simulate",
    StudyPart: "clusters.tasks.work_on_part",
    Report: "clusters.tasks.write_report",
}


def send_all(model: type[Model], keys: Collection[int]) -> None:
    """Have workers begin this work, rows of a model by primary key.

    Without Redis the rows wait until it is back: what resumes abandoned work sends them again.
    """
    if not keys:
        return
    try:
        group([signature(TASKS[model], args=(key,)) for key in keys]).apply_async()
    except OperationalError as error:
        words = model._meta.verbose_name_plural
        _log.warning("%d %s wait, because Redis does not answer: %s", len(keys), words, error)
