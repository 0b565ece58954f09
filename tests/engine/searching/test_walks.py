"""How far searches go, against a walk node by node and against workers that take turns."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.scheduling.searches import Walks


@given(fits=st.lists(st.booleans(), min_size=100, max_size=160), wanted=st.integers(1, 40))
def test_one_worker_stops_before_the_node_that_is_one_too_many(fits: list[bool], wanted: int) -> None:
    if sum(fits) <= wanted:
        fits = [True] * len(fits)
    count = len(fits)
    walks = Walks.of(np.array(fits), wanted, 1)

    for start in range(count):
        found = looked_at = 0
        while found < wanted or not fits[(start + looked_at) % count]:
            found += fits[(start + looked_at) % count]
            looked_at += 1
        assert {int(each[start]) for each in (walks.surely, walks.at_most, walks.least, walks.most)} == {looked_at}


@given(seed=st.integers(0, 2**32), workers=st.integers(2, 16))
def test_several_workers_are_less_certain_around_where_one_would_stop(seed: int, workers: int) -> None:
    chance = random.Random(seed)
    fits = np.array([chance.random() < 0.8 for _ in range(400)])
    alone, together = Walks.of(fits, 120, 1), Walks.of(fits, 120, workers)

    assert (together.surely <= alone.surely).all()
    assert (together.at_most >= np.minimum(alone.at_most, 400)).all()
    assert (together.least <= alone.least).all()
    assert (together.most >= np.minimum(alone.most, 400)).all()
    starts = np.arange(400)
    assert (together.chances(starts, np.maximum(together.surely - 1, 0)) > 0).all()
    assert (together.chances(starts, together.at_most) == 0).all()
    ahead = np.arange(400)
    assert (np.diff(together.chances(np.zeros(400, np.intp), ahead)) <= 0).all()


def test_where_every_node_fits_the_advance_is_known() -> None:
    walks = Walks.of(np.ones(1000, np.bool_), 420, 16)

    assert set(walks.least.tolist()) == set(walks.most.tolist()) == {420}
