"""From the version that a cluster reports to the release that it is answered as."""

from __future__ import annotations

import pytest

from clusters.engine.versions import ASSUMED, NEWEST, RELEASES, Known, match_release


@pytest.mark.parametrize("version", ["v1.34.7", "1.34", "v1.34.2+k3s1", "v1.34.0-eks-a1b2c3"])
def test_a_known_minor_is_answered_as_itself(version: str) -> None:
    match = match_release(version)

    assert (match.release.minor, match.minor, match.known, match.is_exact) == ("1.34", "1.34", Known.EXACT, True)


@pytest.mark.parametrize(
    ("version", "first", "compared"),
    [
        ("v1.34.1", "1.34.0", "v1.34.1"),
        ("v1.34.2", "1.34.2", "v1.34.9"),
        ("v1.34.12-gke.7", "1.34.2", "v1.34.9"),
        ("1.34", "1.34.0", "v1.34.1"),
        ("v1.35.5", "1.35.0", "v1.35.4"),
        ("v1.35.6", "1.35.6", "v1.35.4"),
        ("v1.36.4", "1.36.4", "v1.36.3"),
        ("v1.36.9+k3s1", "1.36.5", "v1.36.3"),
        ("v1.37.9", "1.37.0", "v1.37.2"),
    ],
)
def test_the_patch_counts_where_it_decides(version: str, first: str, compared: str) -> None:
    release = match_release(version).release

    assert (release.first_version, release.compared) == (first, compared)


def test_what_patches_do_otherwise() -> None:
    rules = {version: match_release(version).release.rules for version in ("1.34.1", "1.34.2", "1.35.5", "1.35.6")}
    devices = {version: match_release(version).release.devices for version in ("1.36.3", "1.36.4", "1.36.5")}

    assert (rules["1.34.1"].names_taints, rules["1.34.2"].names_taints) == (True, False)
    assert (rules["1.35.5"].scores_claims_by_position, rules["1.35.6"].scores_claims_by_position) == (True, False)
    assert [each.shares_counters_by_name for each in devices.values()] == [True, False, False]
    assert [each.counts_by_request for each in devices.values()] == [False, False, True]
    assert match_release("1.35").release.newest_patch == match_release("1.35.6").release


@pytest.mark.parametrize("minor", RELEASES)
def test_every_release_is_found_by_the_version_that_it_is_compared_with(minor: str) -> None:
    assert match_release(RELEASES[minor].compared).release is RELEASES[minor]


@pytest.mark.parametrize("version", ["", "main"])
def test_an_unknown_version_is_answered_as_what_is_assumed(version: str) -> None:
    match = match_release(version)

    assert (match.release, match.minor, match.named_minor, match.is_exact) == (ASSUMED, "", ASSUMED.minor, True)


@pytest.mark.parametrize(
    ("version", "minor"), [("v1.38.0", "1.38"), ("v2.0.1", "2.0"), ("v1.340.1", "1.340"), ("v1.99.0-gke.100", "1.99")]
)
def test_a_newer_one_is_answered_as_the_newest_and_says_so(version: str, minor: str) -> None:
    match = match_release(version)

    assert (match.release, match.minor, match.known, match.is_exact) == (NEWEST, minor, Known.NEWER, False)


@pytest.mark.parametrize(("version", "minor"), [("1.33", "1.33"), ("v1.9.0", "1.9"), ("v0.30.1", "0.30")])
def test_an_older_one_is_answered_as_the_oldest_and_says_so(version: str, minor: str) -> None:
    match = match_release(version)

    assert (match.release.minor, match.minor, match.known, match.is_exact) == ("1.34", minor, Known.OLDER, False)
