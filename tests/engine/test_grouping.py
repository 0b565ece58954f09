"""Groups of pod slots behave as sets do, and copies keep out of each other's way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.columns import Grouping

MOVES = st.lists(st.tuples(st.integers(0, 15), st.integers(1, 4)), max_size=60)
Groups = dict[int, set[int]]


def content(grouping: Grouping) -> Groups:
    return {group: set(grouping.slots(group).tolist()) for group in grouping}


def move(grouping: Grouping, groups: Groups, moves: list[tuple[int, int]]) -> None:
    """Put each slot into the group, or take it out of the one that it is in."""
    for slot, group in moves:
        known = next((each for each, members in groups.items() if slot in members), None)
        if known is None:
            grouping.add(slot, group)
            groups.setdefault(group, set()).add(slot)
        else:
            grouping.discard(slot, known)
            groups[known].discard(slot)
            if not groups[known]:
                del groups[known]


@given(moves=MOVES)
def test_members_are_who_joined_and_did_not_leave(moves: list[tuple[int, int]]) -> None:
    grouping, groups = Grouping(), Groups()
    move(grouping, groups, moves)

    assert content(grouping) == groups
    assert len(grouping) == len(groups)
    assert sorted(grouping.slots_of([*groups, 99]).tolist()) == sorted(
        slot for each in groups.values() for slot in each
    )
    assert all(len(grouping.slots(group)) == len(members) for group, members in groups.items())


@given(before=MOVES, mine=MOVES, copied=MOVES, again=MOVES)
def test_copies_change_alone(
    before: list[tuple[int, int]],
    mine: list[tuple[int, int]],
    copied: list[tuple[int, int]],
    again: list[tuple[int, int]],
) -> None:
    grouping, groups = Grouping(), Groups()
    move(grouping, groups, before)
    twin, twins = grouping.copy(), {group: set(members) for group, members in groups.items()}
    move(twin, twins, copied)
    move(grouping, groups, mine)
    third, thirds = twin.copy(), {group: set(members) for group, members in twins.items()}
    move(twin, twins, again)

    assert content(grouping) == groups
    assert content(twin) == twins
    assert content(third) == thirds


def test_slots_are_given_away_as_a_copy() -> None:
    grouping = Grouping()
    grouping.add(7, 1)
    given_away = grouping.slots(1)
    given_away[0] = 8

    assert grouping.slots(1).tolist() == grouping.slots_of([1]).tolist() == [7]
    assert grouping.slots(2).tolist() == grouping.slots_of([2, 3]).tolist() == []
