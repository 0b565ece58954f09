"""The writer and a database that takes a batch without being able to say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest
from django.db import OperationalError

from clusters.models import Cluster, Pod
from clusters.services.journal.judge import Judge
from clusters.services.journal.ledger import Ledger
from clusters.services.watching.watcher import DatabaseThread, Pending, Writer
from tests.clusters.dumps import pod
from tests.clusters.journal.pods import bound
from tests.clusters.live_batches import followed_cluster, row

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.services.journal.states import HeardBatch

pytestmark = pytest.mark.django_db(transaction=True)

Result = TypeVar("Result")


class FlakyDatabase(DatabaseThread):
    """Loses its answer when told to: the connection breaks after the commit."""

    loses_answer = False

    async def run(self, work: Callable[[], Result]) -> Result:
        result = await super().run(work)
        if self.loses_answer:
            self.loses_answer = False
            raise OperationalError("the connection was lost")
        return result


class Listening(Judge):
    """A judge that only listens."""

    def __init__(self, cluster_id: int) -> None:
        super().__init__(cluster_id)
        self.is_told_each: list[bool] = []

    def hear(self, batch: HeardBatch) -> None:
        self.is_told_each.append(batch.heard is not None)


async def test_gates_of_the_schedulers_raise_the_revision_and_are_judged_by() -> None:
    database = DatabaseThread()
    cluster, lease = await database.run(followed_cluster)
    pending, judge = Pending({}, Ledger(is_new=False)), Listening(cluster.pk)
    writer = Writer(lease=lease, pending=pending, database=database, judge=judge, list_anew=lambda kind: None)
    try:
        pending.change_scheduler("a", {"VolumeLimitScaling": True})
        await writer.write()
        pending.change_scheduler("a", {"VolumeLimitScaling": True})
        pending.change_scheduler("web", None)
        await writer.write()
        pending.change("Pod", "pod-shop-web", row(pod("web")), "1")
        pending.change_scheduler("b", {})
        await writer.write()

        found = await database.run(Cluster.objects.get)
        assert (found.revision, found.feature_gates) == (2, {"VolumeLimitScaling": None})
        assert judge.is_told_each == [True, True, True]
    finally:
        await database.close()


async def test_gates_that_the_database_did_not_take_are_kept_unless_there_are_newer_ones() -> None:
    pending = Pending({}, Ledger(is_new=False))
    pending.change_scheduler("a", {"VolumeLimitScaling": True})
    lost = pending.take()

    pending.give_back(lost)
    assert pending.take().gates == {"VolumeLimitScaling": True}

    pending.change_scheduler("a", {"VolumeLimitScaling": False})
    pending.give_back(lost)
    assert pending.take().gates == {"VolumeLimitScaling": False}


async def test_a_batch_that_was_taken_unseen_is_not_judged_by() -> None:
    """Its changes are in the mirror already when it is written again, so the history would lack them."""
    database = FlakyDatabase()
    cluster, lease = await database.run(followed_cluster)
    pending, judge = Pending({}, Ledger(is_new=False)), Listening(cluster.pk)
    writer = Writer(lease=lease, pending=pending, database=database, judge=judge, list_anew=lambda kind: None)
    web = pod("web")
    try:
        pending.change("Pod", "pod-shop-web", row(web), "1")
        await writer.write()
        pending.change("Pod", "pod-shop-web", row(bound(web, "n1")), "2")
        database.loses_answer = True
        await writer.write()
        await writer.write()
        pending.change("Pod", "pod-shop-web", None, "3")
        await writer.write()

        assert judge.is_told_each == [True, False, True]
        assert await database.run(lambda: Cluster.objects.get().revision) == 3
        assert not await database.run(Pod.objects.exists)
    finally:
        await database.close()
