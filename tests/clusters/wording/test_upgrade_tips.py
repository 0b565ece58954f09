"""Which plugin tips a choice, in words: never a negative number of points more."""

from __future__ import annotations

import pytest

from clusters.wording.upgrades.differences import tip


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (1, 5, "gives b 5 points more than a, before 1 more."),
        (0, 1, "gives b 1 point more than a, before as many."),
        (-1, 5, "gives b 5 points more than a, before 1 fewer."),
        (-3, 0, "gives b as many points as a, before 3 fewer."),
        (0, 0, "gives b as many points as a, as before."),
        (-7, -1, "gives b 1 point fewer than a, before 7 fewer."),
        (-7, -2, "gives b 2 points fewer than a, before 7 fewer."),
    ],
)
def test_a_lead_is_more_or_fewer_or_as_many_points(before: int, after: int, said: str) -> None:
    found = tip(plugin="ImageLocality", node_before="a", node_after="b", lead_before=before, lead_after=after)

    assert found == f"ImageLocality {said}"
