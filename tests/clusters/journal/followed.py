"""A cluster that is followed and judged, without an API server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.models import Decision
from clusters.services.journal.judge import Judge
from clusters.services.journal.ledger import Ledger
from clusters.services.watching.watcher import Pending, apply_batch, heard_of
from tests.clusters.live_batches import followed_cluster, row, statuses
from tests.support.answers import known
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from tests.clusters.journal.pods import Object

Kind, Verdict = Decision.Kind, Decision.Verdict


class Followed:
    """A cluster that is followed: what is heard goes the watcher's way, as versions 1, 2, 3 and so on."""

    def __init__(self, *objects: Object) -> None:
        self.cluster, self._lease = followed_cluster()
        self._version = 0
        self._pending = Pending({}, Ledger(is_new=True))
        for kind in ("Node", "Pod"):
            rows = {each["metadata"]["uid"]: row(each) for each in objects if each["kind"] == kind}
            self._pending.replace(kind, rows, dict.fromkeys(rows, "0"))
        self.judge = Judge(self.cluster.pk)
        self.judge.start()
        self.write()
        wait_until(lambda: self.judge.is_ready, seconds=10, otherwise="the judge did not begin")

    def hear(self, *states: Object, gone: bool = False) -> None:
        for state in states:
            self._version += 1
            uid = state["metadata"]["uid"]
            self._pending.change(state["kind"], uid, None if gone else row(state), str(self._version))

    def write(self) -> None:
        batch = self._pending.take()
        batch.statuses = statuses(*batch.listings)
        self.judge.hear(heard_of(batch, apply_batch(lease=self._lease, batch=batch)))

    def judged(self, name: str, kind: Decision.Kind = Kind.BOUND) -> Decision:
        """Write what was heard, and return a pod's decision once it is judged."""
        self.write()

        def found() -> Decision | None:
            return Decision.objects.filter(name=name, kind=kind).exclude(verdict=Verdict.WAITING).first()

        wait_until(lambda: found() is not None, seconds=20, otherwise="it was not judged")
        return known(found())

    def end(self) -> None:
        self.judge.stop()
        self.judge.join(10)
