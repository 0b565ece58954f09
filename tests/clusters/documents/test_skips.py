"""What an ingest skipped, as rows hold it, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.documents.problems import WordedSkip, worded_skip
from clusters.documents.stored_problems import stored_skips
from clusters.problems.skips import LongHistory, MayHoldSecrets, OtherApiVersion, OtherFileName, OtherLines, Skip
from clusters.wording.problems import skipped_thing
from tests.clusters.wording.test_problems import example

if TYPE_CHECKING:
    from clusters.engine.problems import Problem


@pytest.mark.parametrize(
    ("reason", "worded"),
    [
        (MayHoldSecrets("Secret"), WordedSkip("Secret", "It may hold secrets and is never read.", 3, "MayHoldSecrets")),
        (
            OtherApiVersion("ReplicaSet", "extensions/v1beta1"),
            WordedSkip("ReplicaSet (extensions/v1beta1)", "Its API version is not read.", 3, "OtherApiVersion"),
        ),
        (
            OtherFileName(".txt"),
            WordedSkip("*.txt files", "By name they are neither JSON nor YAML.", 3, "OtherFileName"),
        ),
        (
            OtherFileName(""),
            WordedSkip("files without an extension", "By name they are neither JSON nor YAML.", 3, "OtherFileName"),
        ),
        (OtherLines(), WordedSkip("lines", "They are not about an attempt.", 3, "OtherLines")),
        (
            LongHistory("result-history", 1000),
            WordedSkip(
                "results of a simulator",
                "Only the latest 1\u202f000 attempts of result-history are kept.",
                3,
                "LongHistory",
            ),
        ),
    ],
)
def test_what_is_skipped_is_worded_from_what_a_row_stores(reason: Problem, worded: WordedSkip) -> None:
    (stored,) = stored_skips([(reason, 3)])

    assert worded_skip(stored) == worded


def test_every_reason_tells_what_is_skipped() -> None:
    kinds = Skip.__subclasses__()

    assert len(kinds) > 20
    assert [each.__name__ for each in kinds if not skipped_thing(example(each))] == []
