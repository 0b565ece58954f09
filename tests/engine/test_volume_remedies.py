"""Volumes that are there, and that a pod cannot have: what to do about each."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.analysis import AddNodeForClass, CreateVolume, FreeVolume, GatherVolumes, remedies_of
from tests.engine.builders import ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.storage_builders import a_claim, a_class, a_volume, uses

STATIC = a_class(provisioner="kubernetes.io/no-provisioner")


def in_zone(name: str, zone: str, **fields: Any) -> Document:
    term = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]}
    volume = a_volume(name, **fields)
    return {**volume, "spec": {**volume["spec"], "nodeAffinity": {"required": {"nodeSelectorTerms": [term]}}}}


def reserved(uid: str, zone: str) -> Document:
    volume = in_zone("pv", zone)
    reference = {"namespace": "default", "name": "data", "uid": uid}
    return {**volume, "spec": {**volume["spec"], "claimRef": reference}, "status": {"phase": "Released"}}


@pytest.mark.parametrize(("zone", "remedy"), [("a", FreeVolume("data", "pv")), ("b", CreateVolume("data", "wait"))])
def test_a_volume_that_is_reserved_for_an_earlier_claim_is_named_where_it_would_do(zone: str, remedy: object) -> None:
    pod = a_pod(volumes=[uses("data")])

    found = explanation_of(pod, a_node("n", zone="a"), a_claim("data"), STATIC, reserved("earlier", zone))

    assert remedies_of(found) == [remedy]


@pytest.mark.parametrize(("zones", "is_told"), [(["c"], True), (["c", "a"], False)])
def test_a_class_that_provisions_where_no_node_is(zones: list[str], is_told: bool) -> None:
    allowed = [{"matchLabelExpressions": [{"key": ZONE, "values": zones}]}]
    zonal = {**a_class(provisioner="csi.example.com"), "allowedTopologies": allowed}

    found = explanation_of(a_pod(volumes=[uses("data")]), a_node("n", zone="a"), a_claim("data"), zonal)

    assert found.fits is not is_told
    assert remedies_of(found) == ([AddNodeForClass("data", "wait", ZONE, ("c",))] if is_told else [])


@pytest.mark.parametrize(("zone", "is_told"), [("b", True), ("a", False)])
def test_volumes_of_one_pod_in_two_places(zone: str, is_told: bool) -> None:
    claims = (a_claim("one", volume="pv-1"), a_claim("two", volume="pv-2"))
    volumes = (in_zone("pv-1", "a", claim="one"), in_zone("pv-2", zone, claim="two"))
    pod = a_pod(volumes=[{"name": "x", **uses("one")}, {"name": "y", **uses("two")}])

    found = explanation_of(pod, a_node("n", zone="a"), a_node("m", zone="b"), *claims, *volumes)

    assert remedies_of(found) == ([GatherVolumes("one", ("pv-1", "pv-2"))] if is_told else [])


def labelled(volume: Document, zone: str) -> Document:
    return {**volume, "metadata": {**volume["metadata"], "labels": {ZONE: zone}}}


def on_disk(volume: Document, disk: str) -> Document:
    term = volume["spec"]["nodeAffinity"]["required"]["nodeSelectorTerms"][0]
    term["matchExpressions"].append({"key": "disk", "operator": "In", "values": [disk]})
    return volume


@pytest.mark.parametrize(
    "nowhere",
    [
        labelled(in_zone("pv-1", "a", claim="one"), "b"),
        on_disk(in_zone("pv-1", "a", claim="one"), "ssd"),
    ],
)
def test_a_volume_that_no_node_reaches_is_not_kept_out_by_the_other(nowhere: Document) -> None:
    claims = (a_claim("one", volume="pv-1"), a_claim("two", volume="pv-2"))
    pod = a_pod(volumes=[{"name": "x", **uses("one")}, {"name": "y", **uses("two")}])
    volumes = (nowhere, in_zone("pv-2", "b", claim="two"))
    nodes = (a_node("n", zone="a"), a_node("m", zone="b", labels={"disk": "ssd"}))

    found = explanation_of(pod, *nodes, *claims, *volumes)

    assert not found.fits
    assert not [each for each in remedies_of(found) if isinstance(each, GatherVolumes)]
