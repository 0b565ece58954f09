"""Every entry of the table of versions that differs from minor to minor has words."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from clusters.engine.upgrading.rules import amendments_of
from clusters.engine.versions import RELEASES
from clusters.wording.upgrades.differences import rule_sentence

if TYPE_CHECKING:
    from clusters.engine.upgrading import Amendment

EVERY = [each for before, after in pairwise(RELEASES.values()) for each in amendments_of(before, after)]


@pytest.mark.parametrize("amendment", EVERY)
def test_a_rule_has_a_sentence(amendment: Amendment) -> None:
    assert rule_sentence(amendment.kind, amendment.name).endswith(".")


def test_rules_have_sentences_of_their_own() -> None:
    said = {rule_sentence(each.kind, each.name) for each in EVERY}

    assert len(said) == len(set(EVERY))
