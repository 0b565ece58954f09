from __future__ import annotations

import logging

import pytest

from dashboard import celery

TASK = "clusters.tasks.fail_abandoned_ingests"


@pytest.mark.parametrize("name", ["celery.beat", "celery.worker.strategy", "celery.app.trace"])
def test_task_of_every_minute_is_passed_over_while_it_goes_well(name: str, caplog: pytest.LogCaptureFixture) -> None:
    assert any(entry["task"] == TASK for entry in celery.app.conf.beat_schedule.values())
    log = logging.getLogger(name)
    with caplog.at_level(logging.INFO, logger=name):
        log.info("Task %(name)s received", {"name": TASK})
        log.info("Task %(name)s received", {"name": "clusters.tasks.ingest_upload"})
        log.error("Task %(name)s failed", {"name": TASK})

    assert caplog.messages == ["Task clusters.tasks.ingest_upload received", f"Task {TASK} failed"]
