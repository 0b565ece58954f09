"""What a configuration means otherwise to a release, in words."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.documents.upgrade_words import defaults_in_words
from clusters.documents.upgrades import UpgradeDefault, upgrade_document
from clusters.engine.upgrading import DefaultKind, UpgradePreview
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
