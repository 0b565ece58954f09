"""What a changed manifest is to achieve, in words."""

from __future__ import annotations

from clusters.engine.lessons import Goal
from clusters.wording.lessons.goals import goal_words

KEYS = ("fits", "unschedulable", "fitsOn", "notOn", "chosen", "preempts", "doesNotPreempt", "admitted", "evictable",
        "fitsTimes", "skewAtMost", "gated")  # fmt: skip


def test_goals_are_told_apart_and_name_what_they_are_about() -> None:
    said = {key: goal_words(Goal(key, "shop/edge", 7, 5)) for key in KEYS}
    said["not gated"] = goal_words(Goal("gated", is_wanted=False))

    assert len(set(said.values())) == len(said)
    assert {key for key, words in said.items() if "shop/edge" in words} == {
        "fitsOn", "notOn", "chosen", "evictable", "skewAtMost",
    }  # fmt: skip
    assert {key for key, words in said.items() if "7" in words} == {"fitsTimes", "skewAtMost"}
