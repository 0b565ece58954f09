"""Whether a cluster runs the Kubernetes minor that the answers are of."""

from __future__ import annotations

import pytest

from clusters.engine.configuration.answered import ANSWERED_AS, OtherRelease, other_release


@pytest.mark.parametrize("version", [ANSWERED_AS, "v1.34.7", "1.34", "v1.34.2+k3s1", "v1.34.0-eks-a1b2c3", "", "main"])
def test_the_same_minor_and_an_unknown_version_are_no_other_release(version: str) -> None:
    assert other_release(version) is None


@pytest.mark.parametrize(
    ("version", "minor"),
    [("v1.36.2", "1.36"), ("1.33", "1.33"), ("v1.37.0-gke.100", "1.37"), ("v2.34.1", "2.34"), ("v1.340.1", "1.340")],
)
def test_another_minor_is_named(version: str, minor: str) -> None:
    assert other_release(version) == OtherRelease(minor)
