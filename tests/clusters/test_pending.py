"""What was heard stays until it is written, whatever the database does in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings, strategies as st

from clusters.adapters.kube import ForbiddenError
from clusters.engine.problems import NotAMap
from clusters.models import WatchedKind
from clusters.problems.live import LiveObjectUnreadable, MayNotList
from clusters.services.journal.ledger import Ledger
from clusters.services.watching.watcher import Backoff, Batch, Pending

if TYPE_CHECKING:
    from clusters.adapters.rows import Row

KINDS = ("Service", "Node")
UIDS = ("a", "b", "c", "d")
ROWS = st.integers(0, 9).map(lambda number: ("row", number))

Mirror = dict[str, dict[str, "Row"]]


def heard() -> st.SearchStrategy[tuple[str, Any]]:
    """A step: an object changes or goes, a kind is listed, and a batch is taken and written, or comes back."""
    change = st.tuples(st.sampled_from(KINDS), st.sampled_from(UIDS), st.one_of(st.none(), ROWS))
    listing = st.tuples(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(UIDS), ROWS))
    fate = st.sampled_from([("take", None), ("take", None), ("write", None), ("fail", None)])
    return st.one_of(change.map(lambda what: ("change", what)), fate, listing.map(lambda what: ("replace", what)), fate)


def write(batch: Batch, mirror: Mirror) -> None:
    assert not set(batch.listings) & set(batch.changes)
    for kind, rows in batch.listings.items():
        mirror[kind] = dict(rows)
    for kind, changes in batch.changes.items():
        for uid, row in changes.items():
            if row is None:
                mirror[kind].pop(uid, None)
            else:
                mirror[kind][uid] = row


@settings(max_examples=500, deadline=None)
@given(steps=st.lists(heard(), max_size=40))
def test_nothing_is_lost_and_the_last_word_counts(steps: list[tuple[str, Any]]) -> None:
    pending = Pending({}, Ledger(is_new=False))
    truth: Mirror = {kind: {} for kind in KINDS}
    mirror: Mirror = {kind: {} for kind in KINDS}
    under_way: Batch | None = None
    for action, what in [*steps, ("fail", None), ("take", None), ("write", None)]:
        match action:
            case "change":
                kind, uid, row = what
                pending.change(kind, uid, row, "1")
                truth[kind].pop(uid, None)
                if row is not None:
                    truth[kind][uid] = row
            case "replace":
                kind, rows = what
                pending.replace(kind, dict(rows), {})
                truth[kind] = dict(rows)
            case "take" if under_way is None:
                under_way = pending.take()
            case "write" if under_way is not None:
                write(under_way, mirror)
                under_way = None
            case "fail" if under_way is not None:
                pending.give_back(under_way)
                assert pending.arrived.is_set()
                under_way = None

    assert mirror == truth
    assert pending.size == 0


def test_a_batch_remembers_when_its_oldest_change_came() -> None:
    pending = Pending({}, Ledger(is_new=False))
    pending.change("Pod", "a", None, "1")
    first = pending.take()
    pending.change("Pod", "b", None, "2")
    pending.give_back(first)

    assert pending.take().first_arrival == first.first_arrival is not None


def test_a_state_keeps_its_beginning() -> None:
    pending = Pending({}, Ledger(is_new=False))
    error = ForbiddenError(MayNotList("Pod", "No."))
    pending.fail("Pod", WatchedKind.State.FORBIDDEN, error)
    since = pending.status("Pod").state_since
    pending.fail("Pod", WatchedKind.State.FORBIDDEN, error)
    assert pending.status("Pod").state_since == since

    pending.contact("Pod", "7")
    status = pending.take().statuses["Pod"]
    assert (status.state, status.problem, status.resource_version) == (WatchedKind.State.OK, None, "7")
    assert status.state_since > since


def test_what_cannot_be_read_is_said_until_the_next_list() -> None:
    pending = Pending({}, Ledger(is_new=False))
    pending.contact("Pod", "7")
    unreadable = LiveObjectUnreadable("Pod", "shop/web", "spec", NotAMap("'wrong'"))
    pending.note_unreadable(unreadable)
    pending.contact("Pod", "8")
    assert pending.status("Pod").problem == unreadable

    pending.list_anew("Pod")
    pending.contact("Pod", "9")
    assert pending.status("Pod").problem is None


def test_waiting_grows_to_a_limit_and_differs() -> None:
    backoff = Backoff(longest=10)
    waits = [backoff.next() for _ in range(12)]

    assert 0.25 <= waits[0] <= 0.5
    assert all(5 <= wait <= 10 for wait in waits[5:])
    assert len(set(waits[5:])) > 1
    backoff.reset()
    assert backoff.next() <= 0.5
