"""Which plugin tips a choice, in words."""

from __future__ import annotations

from clusters.wording.upgrades.differences import tip


def test_a_lead_that_trails_is_negative() -> None:
    found = tip(plugin="ImageLocality", node_before="a", node_after="b", lead_before=-3, lead_after=1000)

    assert found == "ImageLocality: lead of b over a \u22123 before, 1\u202f000 after."
