"""No address, form or header makes a page fail: whatever comes, the answer says what is wrong with it.

`BERTH_TEST_FUZZ_SEED` and `BERTH_TEST_FUZZ_ROUNDS` look further. Each round stands alone: with the number of one
that failed in `BERTH_TEST_FUZZ_FIRST`, and one round, it is repeated.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction

from clusters.services.mirror.snapshots import forget_snapshots
from tests.dashboard.fuzz import world
from tests.dashboard.fuzz.asking import Errors, problem_of
from tests.dashboard.fuzz.harvest import Harvest, gather
from tests.dashboard.fuzz.rounds import round_of
from tests.support.routes import routes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

SEED = int(os.environ.get("BERTH_TEST_FUZZ_SEED", "1"))
ROUNDS = int(os.environ.get("BERTH_TEST_FUZZ_ROUNDS", "600"))
FIRST = int(os.environ.get("BERTH_TEST_FUZZ_FIRST", "0"))
# So that the workers of a parallel run share the rounds.
PARTS = min(10, ROUNDS)
# Of what fails, so many are told.
_TOLD = 20

pytestmark = [pytest.mark.long, pytest.mark.django_db]


@pytest.fixture(scope="module")
def operator(
    django_db_setup: None, django_db_blocker: Any, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    """Return somebody who is signed in, with the world around; all of it is rolled back in the end."""
    forget_snapshots()
    with django_db_blocker.unblock(), transaction.atomic():
        client = world.build(tmp_path_factory.mktemp("fuzz"))
        client.raise_request_exception = False
        yield client
        transaction.set_rollback(True)
    forget_snapshots()


@pytest.fixture(scope="module")
def harvest(operator: Client) -> Harvest:
    """Return what there is to ask for; it is gathered once."""
    return gather(operator, world.STARTS)


@pytest.fixture
def errors() -> Iterator[Errors]:
    """Keep what is logged as an error, and leave out what is logged of ten thousand refusals."""
    kept, root = Errors(), logging.getLogger()
    logging.disable(logging.WARNING)
    root.addHandler(kept)
    yield kept
    root.removeHandler(kept)
    logging.disable(logging.NOTSET)


def test_every_link_and_form_leads_somewhere(harvest: Harvest) -> None:
    broken = {route: sorted(codes) for route, codes in harvest.answered.items() if max(codes) >= 500}

    assert not broken
    # Pages, parts and files; what no link leads to is asked for by its pattern alone.
    assert len(harvest.answered) > 90
    assert len(harvest.forms) > 35


@pytest.mark.unmeasured
@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_that_is_asked_for_makes_a_page_fail(
    operator: Client, harvest: Harvest, errors: Errors, part: int
) -> None:
    every, failures = routes(), []
    for number in range(FIRST + part, FIRST + ROUNDS, PARTS):
        asked = round_of(SEED, number, harvest, every)
        if wrong := problem_of(operator, asked, errors):
            failures.append(f"{asked}\n{wrong}")

    again = f"To repeat one: BERTH_TEST_FUZZ_SEED={SEED} BERTH_TEST_FUZZ_FIRST=<its number> BERTH_TEST_FUZZ_ROUNDS=1"
    assert not failures, "\n\n".join([f"{len(failures)} rounds failed. {again}", *failures[:_TOLD]])
