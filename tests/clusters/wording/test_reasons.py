"""Every reason for which a node is rejected has words, and each has a kind that documents can be read by."""

from __future__ import annotations

from enum import Enum

import pytest
from msgspec import structs

from clusters.documents.values import kinds_of, read_reason, value_document
from clusters.engine.devices import ResourceClaimProblem, ResourceClaimRefused
from clusters.engine.registry import PLUGINS
from clusters.engine.status import QuotedReason, Reason
from clusters.engine.volumes import ClaimProblem, ClaimRefused
from clusters.wording.plugins.reasons import (
    CLAIMS,
    WORDS,
    named_as_cause,
    nodes_by_reason,
    reason_phrase,
    reason_phrases,
)

# Those that are given before any node is looked at, and those that only their words tell.
_OF_NO_NODE = {"claim-refused", "conflicting-terms", "gates-wait", "group-waits", "quoted", "resource-claim-refused"}


def example(kind: type[Reason]) -> Reason:
    """A reason of a type, every field filled in."""
    if issubclass(kind, ClaimRefused):
        return ClaimRefused(ClaimProblem.NOT_FOUND, ("data",))
    if issubclass(kind, ResourceClaimRefused):
        return ResourceClaimRefused(ResourceClaimProblem.NOT_FOUND, ("shop/gpu",))
    given: dict[object, object] = {str: "a", tuple[str, ...]: ("a", "b")}
    return kind(*(given[field.type] for field in structs.fields(kind)))


EXAMPLES = [example(kind) for kind in kinds_of(Reason).values()]


def test_a_reason_knows_its_plugin() -> None:
    assert {each.plugin for each in EXAMPLES} - {""} <= PLUGINS.keys()


@pytest.mark.parametrize("reason", EXAMPLES, ids=lambda each: each.kind)
def test_a_reason_is_read_as_it_was_written(reason: Reason) -> None:
    document = value_document(reason)

    assert document["kind"] == reason.kind
    assert not any(isinstance(value, Enum) for value in document.values())
    assert read_reason(document) == reason


@pytest.mark.parametrize("reason", EXAMPLES, ids=lambda each: each.kind)
def test_a_reason_that_nodes_give_has_words(reason: Reason) -> None:
    if reason.kind in _OF_NO_NODE:
        assert type(reason) not in WORDS
        return
    assert type(reason) in WORDS, f"say in {reason_phrase.__module__} what this means: {reason}"
    assert str(reason) not in reason_phrases([reason])
    assert nodes_by_reason([(reason, 12)]) == f"{reason_phrase(reason)} on 12 nodes"
    assert named_as_cause([reason])


def test_every_problem_of_a_resource_claim_names_a_cause() -> None:
    assert CLAIMS.keys() == set(ResourceClaimProblem)
    assert all(named_as_cause([ResourceClaimRefused(problem)]) for problem in ResourceClaimProblem)


def test_what_only_its_words_tell_is_quoted() -> None:
    assert reason_phrases([QuotedReason("unheard of")]) == "unheard of"
    assert nodes_by_reason([(QuotedReason("unheard of"), 1)]) == "unheard of on 1 node"
    assert named_as_cause([QuotedReason("unheard of")]) == ""
