"""Whether a pod fits: certain only where nothing that could reject it is left out of the computation."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.conclusion import (
    AppliedQuota,
    Conclusion,
    FilteringExtender,
    ForeignPlugin,
    UncomputedField,
)
from clusters.engine.scheduling import foreign_scorers, scoring_extenders
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice, claiming

CLAIMS = claiming("gpu")
# Devices that several claims may share are not computed.
SHARED = (a_class(), a_slice(a_device(allowMultipleAllocations=True)), a_resource_claim(a_request(), name="gpu"))


def enabling(point: str, plugin: str = "Coscheduling", **disabled: Any) -> Document:
    return {"profiles": [{"plugins": {point: {"enabled": [{"name": plugin}], **disabled}}}]}


def an_extender(**fields: Any) -> Document:
    return {"extenders": [{"urlPrefix": "http://extender.example/api", **fields}]}


def test_pod_of_which_all_is_computed_fits() -> None:
    found = explanation_of(a_pod(), a_node("n0"))

    assert found.conclusion is Conclusion.FITS
    assert found.uncertainties == ()


def test_pod_with_claims_for_devices_that_may_be_shared_is_uncertain() -> None:
    found = explanation_of(a_pod(resourceClaims=CLAIMS), a_node("n0"), *SHARED)

    assert found.conclusion is Conclusion.UNCERTAIN
    assert found.uncertainties == (UncomputedField("DynamicResources", "spec.resourceClaims"),)


def test_claims_that_the_profile_does_not_look_at_leave_nothing_open() -> None:
    disabled: Document = {"profiles": [{"plugins": {"multiPoint": {"disabled": [{"name": "DynamicResources"}]}}}]}

    assert explanation_of(a_pod(resourceClaims=CLAIMS), a_node("n0"), **disabled).conclusion is Conclusion.FITS


def test_what_computed_filters_reject_everywhere_does_not_fit_whatever_is_left_open() -> None:
    pod = a_pod(resourceClaims=CLAIMS, requests={"cpu": "100"})
    found = explanation_of(pod, a_node("n0"), *SHARED, **an_extender(filterVerb="filter"))

    assert found.conclusion is Conclusion.UNSCHEDULABLE
    assert len(found.uncertainties) == 2


@pytest.mark.parametrize("point", ["multiPoint", "preEnqueue", "preFilter", "filter", "reserve", "permit", "preBind"])
def test_foreign_plugin_where_plugins_reject_makes_it_uncertain(point: str) -> None:
    found = explanation_of(a_pod(), a_node("n0"), **enabling(point))

    assert found.conclusion is Conclusion.UNCERTAIN
    assert found.uncertainties == (ForeignPlugin("Coscheduling"),)


@pytest.mark.parametrize("point", ["postFilter", "preScore", "score", "bind", "postBind"])
def test_foreign_plugin_that_cannot_reject_leaves_it_certain(point: str) -> None:
    found = explanation_of(a_pod(), a_node("n0"), **enabling(point))

    assert found.conclusion is Conclusion.FITS
    assert found.unknown_plugins == ("Coscheduling",)
    assert foreign_scorers(found.profile) == (("Coscheduling",) if point in ("preScore", "score") else ())


def test_extender_that_filters_makes_every_pod_uncertain() -> None:
    found = explanation_of(a_pod(), a_node("n0"), **an_extender(filterVerb="filter", ignorable=True))

    assert found.conclusion is Conclusion.UNCERTAIN
    assert found.uncertainties == (FilteringExtender("http://extender.example/api", (), ignorable=True),)


def test_address_is_named_without_its_password() -> None:
    extender = {"urlPrefix": "http://me:secret@extender.example/a@b", "filterVerb": "filter"}

    (found,) = explanation_of(a_pod(), a_node("n0"), extenders=[extender]).uncertainties

    assert found == FilteringExtender("http://extender.example/a@b", (), ignorable=False)


def test_extender_that_only_scores_leaves_open_which_node_is_best() -> None:
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        **an_extender(prioritizeVerb="prioritize", weight=1),
    }
    profile = SchedulerConfiguration.from_dict(configuration).profile_for(a_pod())
    found = explain(Snapshot.from_objects([a_node("n0")]), a_pod(), profile)

    assert found.conclusion is Conclusion.FITS
    assert scoring_extenders(profile, found.pod) == ("http://extender.example/api",)


@pytest.mark.parametrize("kind", ["containers", "initContainers"])
@pytest.mark.parametrize("amounts", ["requests", "limits"])
def test_extender_of_some_resources_is_asked_about_pods_that_name_them(kind: str, amounts: str) -> None:
    extender = an_extender(filterVerb="filter", managedResources=[{"name": "example.com/foo"}])
    named: dict[str, Any] = {kind: [{"name": "main", "resources": {amounts: {"example.com/foo": "1"}}}]}
    node = a_node("n0", allocatable={"example.com/foo": "4"})

    found = explanation_of(a_pod(**named), node, **extender)

    assert found.uncertainties == (
        FilteringExtender("http://extender.example/api", ("example.com/foo",), ignorable=False),
    )
    assert explanation_of(a_pod(), node, **extender).conclusion is Conclusion.FITS


def test_quotas_are_charged_for_pods_that_would_come_to_be_only() -> None:
    quota = {
        "kind": "ResourceQuota",
        "metadata": {"name": "few", "namespace": "shop"},
        "spec": {"hard": {"pods": "1"}},
    }
    snapshot, pod = Snapshot.from_objects([a_node("n0"), quota]), a_pod(namespace="shop")
    profile = SchedulerConfiguration.default().profile_for(pod)

    assert explain(snapshot, pod, profile).conclusion is Conclusion.FITS
    created = explain(snapshot, pod, profile, is_created=True)
    assert created.conclusion is Conclusion.UNCERTAIN
    assert created.uncertainties == (AppliedQuota("shop", "few"),)
