"""What a configuration means otherwise to a release, in words."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.documents.upgrade_words import defaults_in_words, drain_difference_in_words
from clusters.documents.upgrades import MOST_PODS, UpgradeDefault, upgrade_document, upgrade_pool
from clusters.engine.disruption import Block
from clusters.engine.upgrading import (
    DefaultKind,
    DrainAspect,
    DrainChange,
    NodeDrainAnswer,
    PoolDrain,
    ReplacedPod,
    UpgradePreview,
)
from clusters.engine.upgrading.drains import PodLeftPending
from clusters.engine.upgrading.rules import ChangedDefault


def said(kind: DefaultKind, name: str, before: Any, after: Any) -> list[str]:
    default = ChangedDefault("1.37", "default-scheduler", kind, "VolumeBinding", name, before, after)
    document = upgrade_document(UpgradePreview("1.36", "1.37", 1, (), (), (default,), 0, 0, None))
    assert isinstance(document.defaults[0], UpgradeDefault)
    return defaults_in_words(document)


@pytest.mark.parametrize(
    ("kind", "name", "before", "after", "sentence"),
    [
        (
            DefaultKind.PLUGIN,
            "score",
            1,
            None,
            "1.37, default-scheduler: VolumeBinding leaves score.",
        ),
        (
            DefaultKind.SETTING,
            "bindTimeoutSeconds",
            600,
            300,
            "1.37, default-scheduler: VolumeBinding has bindTimeoutSeconds 300.",
        ),
        (
            DefaultKind.SETTING,
            "shape",
            [],
            None,
            "1.37, default-scheduler: VolumeBinding has shape absent.",
        ),
    ],
)
def test_a_changed_default_is_worded(kind: DefaultKind, name: str, before: Any, after: Any, sentence: str) -> None:
    assert said(kind, name, before, after) == [sentence]


DRAINED = NodeDrainAnswer(None, (ReplacedPod("shop/web-0", "n2", is_certain=True),))


def pool(aspect: DrainAspect, before: NodeDrainAnswer, after: NodeDrainAnswer) -> PoolDrain:
    return PoolDrain("web", ("n1",), 4, (DrainChange("n1", aspect, "1.37", (), before, after),))


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (NodeDrainAnswer(None), "Drained"),
        (
            NodeDrainAnswer(Block.NO_ROOM, pending=(PodLeftPending("shop/web-0", "0/2 nodes are available."),)),
            "Replacements unschedulable: shop/web-0. 0/2 nodes are available.",
        ),
        (
            NodeDrainAnswer(Block.BUDGET, refused=("shop/web-0", "shop/web-1"), budgets=("shop/web",)),
            "Budget blocks until pods are ready: shop/web refuses shop/web-0 and shop/web-1.",
        ),
        (NodeDrainAnswer(Block.FLAG), "Needs a flag"),
    ],
)
def test_another_verdict_is_worded(after: NodeDrainAnswer, said: str) -> None:
    (written,) = upgrade_pool(pool(DrainAspect.VERDICT, DRAINED, after)).differences

    assert drain_difference_in_words(written) == (
        "Whether it is drained",
        "Drained; 1 replacement is placed.",
        said,
    )


def test_of_other_nodes_only_the_replacements_that_differ_are_written() -> None:
    stays = ReplacedPod("shop/db-0", "n3", is_certain=True)
    before = NodeDrainAnswer(None, (stays, ReplacedPod("shop/web-0", "n2", is_certain=True)))
    after = NodeDrainAnswer(None, (stays, ReplacedPod("shop/web-0", "n4", is_certain=False)))

    (written,) = upgrade_pool(pool(DrainAspect.NODES, before, after)).differences

    assert drain_difference_in_words(written)[1:] == ("shop/web-0 on n2", "shop/web-0 on n4, uncertain")
    assert written.after.replacement_count == 1


def test_pods_are_written_up_to_a_bound_and_counted() -> None:
    many = tuple(PodLeftPending(f"shop/web-{number}", "0/2") for number in range(MOST_PODS + 5))

    found = upgrade_pool(pool(DrainAspect.VERDICT, DRAINED, NodeDrainAnswer(Block.NO_ROOM, pending=many)))

    (written,) = found.differences
    assert (len(written.after.pending), written.after.pending_count) == (MOST_PODS, MOST_PODS + 5)
    assert (found.node_count, found.nodes_drained, found.nodes_changed) == (4, 1, 1)
