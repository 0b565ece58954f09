"""Pods are decided in the order of the queue, whatever the order in which their bindings are written."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.journal import History, RecordedChange
from clusters.models import Decision
from clusters.services.journal.states import (
    JUST_BEFORE,
    Arrivals,
    NearbyState,
    as_queued,
    earlier_ones,
    incomparable_ones,
    interleaved,
    later_ones,
    place_in_queue,
)
from tests.clusters.dumps import pod
from tests.clusters.journal.pods import bound, refused
from tests.clusters.journal.test_searches import NODES, a_followed_cluster
from tests.engine.searching.simulated import SimulatedScheduler

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.clusters.journal.followed import Followed

AT = 1_000
Verdict, Reason = Decision.Verdict, Decision.Reason


def binding(name: str, version: int, *, came: int | None, tried: bool = False, priority: int = 0) -> RecordedChange:
    """A pod that came with one version and was bound with another."""
    document = pod(name)
    document["spec"]["priority"] = priority
    before = refused(document) if tried else document
    return RecordedChange(version, before, bound(document, "n1"), came=came)


def state(step: RecordedChange, *others: RecordedChange) -> tuple[list[RecordedChange], list[RecordedChange]]:
    history = History(Snapshot.from_objects([]))
    for each in (step, *others):
        history.add(each)
    found = as_queued(history, step)
    return list(found.without), list(found.beyond)


def test_who_came_first_is_taken_up_first() -> None:
    first, second = binding("a", AT, came=10), binding("b", AT, came=11)

    assert earlier_ones(second, [first]) == [first]
    assert later_ones(first, [second]) == [second]
    assert earlier_ones(first, [second]) == later_ones(second, [first]) == []


def test_they_are_told_in_the_order_in_which_they_came() -> None:
    came = [binding(str(number), AT + number, came=number) for number in (7, 3, 5)]

    assert [each.came for each in earlier_ones(binding("last", AT, came=9), came)] == [3, 5, 7]


def test_priority_goes_before_age() -> None:
    urgent, old = binding("urgent", AT, came=20, priority=5), binding("old", AT, came=10)

    assert earlier_ones(old, [urgent]) == [urgent]


def test_of_a_pod_that_was_tried_before_it_is_not_known_when_it_was_taken_up_again() -> None:
    old, new = binding("old", AT, came=5, tried=True), binding("new", AT, came=10)

    assert earlier_ones(new, [old]) == later_ones(old, [new]) == []
    assert earlier_ones(replace(new, before=refused(pod("new"))), [old]) == [old]


def test_a_pod_that_waited_when_another_came_is_taken_up_before_that_one_is_tried_again() -> None:
    waiting, tried = binding("waiting", AT, came=5), binding("tried", AT, came=10, tried=True)

    assert earlier_ones(tried, [waiting]) == [waiting]
    assert later_ones(waiting, [tried]) == [tried]
    assert earlier_ones(waiting, [tried]) == later_ones(tried, [waiting]) == []
    # Of a higher priority the one that is tried again may have overtaken it.
    urgent = binding("urgent", AT, came=10, tried=True, priority=5)
    assert earlier_ones(urgent, [waiting]) == later_ones(waiting, [urgent]) == []
    assert incomparable_ones(urgent, [waiting, tried]) == [waiting]


def test_pods_that_are_tried_again_are_taken_up_anywhere_among_new_ones_in_order() -> None:
    first, last = binding("first", AT + 5, came=3, tried=True), binding("last", AT - 1, came=9, tried=True)
    new = [binding(f"new-{number}", AT - 2 + 3 * number, came=20 + number) for number in range(3)]
    decided = binding("decided", AT, came=5, tried=True)
    history = History(Snapshot.from_objects([]))
    for each in (decided, first, last, *new):
        history.add(each)

    found = list(interleaved(history, decided))

    # In each the pods that are tried again stand in their own order, and so many of the new ones come before it.
    assert all(first in state.beyond and last in state.without for state in found)
    counted = [[each for each in new if _counts(each, state)] for state in found]
    assert sorted(counted, key=len) == [new[:count] for count in range(4)]
    # What was written before it is likeliest to count: that is the state of the queue.
    assert counted[0] == new[:1]
    assert found[0] == as_queued(history, decided)


def _counts(step: RecordedChange, state: NearbyState) -> bool:
    return step in state.beyond or (step.version < AT and step not in state.without)


def test_of_a_new_pod_there_is_no_order_but_that_of_the_queue() -> None:
    again = binding("again", AT - 1, came=3, tried=True)
    decided = binding("decided", AT, came=5)
    history = History(Snapshot.from_objects([]))
    for each in (again, decided):
        history.add(each)

    assert list(interleaved(history, decided)) == [as_queued(history, decided)]


def test_without_pods_of_the_other_kind_there_is_no_order_but_that_of_the_queue() -> None:
    history = History(Snapshot.from_objects([]))
    steps = [binding(str(number), AT + number, came=number, tried=True) for number in range(3)]
    for each in steps:
        history.add(each)

    assert list(interleaved(history, steps[1])) == [as_queued(history, steps[1])]


def test_of_a_pod_that_nobody_saw_come_nothing_is_known() -> None:
    unseen, seen = binding("unseen", AT, came=None), binding("seen", AT, came=10)

    assert place_in_queue(unseen) is None
    assert earlier_ones(unseen, [seen]) == later_ones(unseen, [seen]) == []
    assert earlier_ones(seen, [unseen]) == later_ones(seen, [unseen]) == []


def test_the_state_of_a_decision_is_that_of_the_queue() -> None:
    later = [binding(f"later-{number}", AT - 9 + number, came=30 + number) for number in range(3)]
    earlier = [binding(f"earlier-{number}", AT + 1 + number, came=5 + number) for number in range(4)]
    # In its place already, or never seen to come.
    others = [
        binding("in-place", AT - 20, came=1),
        binding("behind", AT + 20, came=60),
        binding("old", AT + 9, came=None),
    ]

    without, beyond = state(binding("decided", AT, came=20), *later, *earlier, *others)

    assert (without, beyond) == (later[::-1], earlier)


def test_what_is_written_much_later_is_left_as_it_is() -> None:
    slow = replace(binding("slow", AT + 1, came=5), moment=20.0)

    assert state(binding("decided", AT, came=20), slow) == ([], [])
    assert as_queued(History(Snapshot.from_objects([])), binding("decided", AT, came=20)) == JUST_BEFORE


def test_arrivals_are_kept_as_long_as_pods_are_pending() -> None:
    arrivals, document = Arrivals(), pod("a")

    assert arrivals.of("a", None, document, 3) == 3
    assert arrivals.of("a", document, refused(document), 5) == 3
    assert arrivals.of("a", refused(document), bound(document, "n1"), 8) == 3
    assert arrivals.of("a", bound(document, "n1"), None, 9) is None
    # Seen pending for the first time, or never.
    assert arrivals.of("b", document, refused(document), 5) is None
    assert arrivals.of("c", None, bound(document, "n1"), 6) is None


def burst(scheduler: SimulatedScheduler, count: int) -> list[tuple[dict[str, Any], str]]:
    """Decisions in the order in which they are taken."""
    return [({"apiVersion": "v1", **each.pod.document}, chosen) for each, chosen, _ in scheduler.bind(count)]


def hear_burst(followed: Followed, decisions: Sequence[tuple[dict[str, Any], str]], order: Sequence[int]) -> None:
    for document, _ in decisions:
        followed.hear(document)
    for place in order:
        document, chosen = decisions[place]
        followed.hear(bound(document, chosen))


@pytest.mark.django_db(transaction=True)
def test_bindings_that_are_written_in_another_order_are_judged_in_that_of_the_queue(
    follow_objects: Callable[..., Followed],
) -> None:
    chance = random.Random(21)
    objects = a_followed_cluster(chance)
    followed = follow_objects(*objects)
    scheduler = SimulatedScheduler(chance, Snapshot.from_objects(objects))
    names = []
    for _ in range(8):
        decisions = burst(scheduler, 6)
        hear_burst(followed, decisions, chance.sample(range(6), 6))
        names += [document["metadata"]["name"] for document, _ in decisions]
    for name in names:
        followed.judged(name)

    found = {each.name: each for each in Decision.objects.filter(kind=Decision.Kind.BOUND)}
    learned = [found[name] for name in names[20:]]
    assert {each.verdict for each in learned} == {Verdict.AGREES}
    assert sum(each.reason == Reason.SEARCH for each in learned) >= 2
    assert max([each.basis["search"]["places"] for each in learned if each.basis]) <= NODES / 4
