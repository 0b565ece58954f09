"""What a worker finds out comes into open pages, in a real browser: also into parts that a page got later."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from clusters.adapters import shared_redis
from clusters.models import Cluster
from clusters.services.decisions import takers
from clusters.services.evaluation import Progress, begin
from clusters.services.mirror.snapshots import digest_of
from clusters.services.pending import queue
from clusters.services.pending.pods import QUESTION
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("question", "subject", "address", "then"),
    [
        (QUESTION.name, (), "/clusters/prod/", "1 of 1 pending pod needs a change"),
        (takers.QUESTION.name, ("n1",), "/clusters/prod/nodes/n1/", "0 of 1 pending pods fit on n1 now"),
        (
            queue.QUESTION.name,
            (),
            "/clusters/prod/pods/shop/low-0/removal/",
            "1 pending pod would preempt this pod",
        ),
    ],
)
def test_an_open_page_shows_what_a_worker_found(
    live_berth: LiveBerth,
    page: Page,
    tmp_path: Path,
    settings: Any,
    question: str,
    subject: tuple[str, ...],
    address: str,
    then: str,
) -> None:
    low = pod("low-0", cpu="3", nodeName="n1")
    urgent = pod("urgent", cpu="3" if question == queue.QUESTION.name else "9", priority=1000)
    cluster = load(tmp_path, "prod", [node("n1", "a"), low, urgent])
    settings.REDIS_URL = live_berth.environment["REDIS_URL"]
    shared_redis.forget_silence()
    # As if another page had asked a worker before: while it is at it, pages do not evaluate.
    assert begin(digest_of(Cluster.objects.get(pk=cluster.pk), question, subject), Progress())
    page.goto(address)
    # What stands below is fetched once somebody comes there.
    for later in page.locator("#pending-part").all():
        later.scroll_into_view_if_needed()
    expect(page.get_by_text("1 pod is still being evaluated.").first).to_be_visible(timeout=30_000)

    work = f"finish(cluster_id={cluster.pk}, question={question!r}, subject={subject!r})"
    code = f"from clusters.services.workers import finish; {work}"
    subprocess.run([sys.executable, "manage.py", "shell", "-c", code], env=live_berth.environment, check=True)

    expect(page.get_by_text(then).first).to_be_visible(timeout=30_000)
    expect(page.get_by_text("is still being evaluated")).to_have_count(0)
