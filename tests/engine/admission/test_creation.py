"""Pods and claims that controllers create: what LimitRanges set anew, and their refusals in the API server's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.admission import InvalidDefaults, LimitRangeRefusal
from clusters.engine.admission.creation import as_written, claim_refusal, pod_refusal, with_defaults_of_now
from clusters.engine.versions import RELEASES

if TYPE_CHECKING:
    from collections.abc import Mapping

Object = dict[str, Any]
ANNOTATION = "kubernetes.io/limit-ranger"


def a_range(name: str, *limits: Object, namespace: str = "shop") -> Object:
    return {
        "kind": "LimitRange",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"limits": list(limits)},
    }


def container(name: str = "web", requests: Object | None = None, limits: Object | None = None, **more: Any) -> Object:
    resources = {role: amounts for role, amounts in (("requests", requests), ("limits", limits)) if amounts}
    return {"name": name, "resources": resources, **more}


def a_pod(*containers: Object, annotation: str = "", **spec: Any) -> Object:
    annotations = {"annotations": {ANNOTATION: annotation, "other": "kept"}} if annotation else {}
    metadata = {"name": "web-1", "namespace": "shop", **annotations}
    return {"kind": "Pod", "metadata": metadata, "spec": {"containers": list(containers), **spec}}


def a_claim(storage: str | None) -> Object:
    requests = {} if storage is None else {"storage": storage}
    return {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data-web-1", "namespace": "shop"},
        "spec": {"resources": {"requests": requests}},
    }


def message(pod: Object, *ranges: Object) -> str | None:
    refusal = pod_refusal(pod, Snapshot.from_objects(ranges))
    return None if refusal is None else refusal.message


OF_CONTAINER: Object = {"type": "Container"}
MEMORY_AND_CPU = (
    "maximum memory usage per Container is 1Gi, but limit is 2Gi, "
    "minimum cpu usage per Container is 1, but request is 500m"
)


@pytest.mark.parametrize(
    ("limit", "pod", "said"),
    [
        ({"min": {"cpu": "100m"}}, a_pod(container(requests={"cpu": "0.1"})), None),
        (
            {"min": {"cpu": "0.1"}},
            a_pod(container(requests={"cpu": "50m"})),
            "minimum cpu usage per Container is 100m, but request is 50m",
        ),
        (
            {"min": {"cpu": "100m"}},
            a_pod(container()),
            "minimum cpu usage per Container is 100m.  No request is specified",
        ),
        (
            {"max": {"memory": "1024Mi"}},
            a_pod(container(limits={"memory": "2048Mi"})),
            "maximum memory usage per Container is 1Gi, but limit is 2Gi",
        ),
        (
            {"max": {"memory": "1Gi"}},
            a_pod(container(requests={"memory": "1Gi"})),
            "maximum memory usage per Container is 1Gi.  No limit is specified",
        ),
        (
            {"maxLimitRequestRatio": {"cpu": "2"}},
            a_pod(container(requests={"cpu": "300m"}, limits={"cpu": "1"})),
            "cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333",
        ),
        (
            {"maxLimitRequestRatio": {"cpu": "2"}},
            a_pod(container(requests={"cpu": "300m"})),
            "cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0",
        ),
        (
            {"maxLimitRequestRatio": {"cpu": "2"}},
            a_pod(container()),
            "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
        ),
        (
            {"min": {"cpu": "1"}, "max": {"memory": "1Gi"}},
            a_pod(
                container("a", {"cpu": "1"}, {"memory": "2Gi"}),
                container("b", {"cpu": "500m"}, {"memory": "2Gi"}),
            ),
            f"[{MEMORY_AND_CPU}]",
        ),
    ],
)
def test_bounds_of_containers_are_quoted(limit: Object, pod: Object, said: str | None) -> None:
    expected = None if said is None else f'pods "web-1" is forbidden: {said}'

    assert message(pod, a_range("bounds", {**OF_CONTAINER, **limit})) == expected


def test_bounds_of_a_pod_are_held_against_what_its_containers_have_together() -> None:
    bounds = a_range("bounds", {"type": "Pod", "max": {"memory": "1536Mi"}})
    two = [container(name, limits={"memory": "1Gi"}) for name in "ab"]
    first = container("first", limits={"memory": "3Gi"})
    said = 'pods "web-1" is forbidden: maximum memory usage per Pod is 1536Mi, but limit is '

    assert message(a_pod(two[0]), bounds) is None
    assert message(a_pod(*two), bounds) == f"{said}2Gi"
    assert message(a_pod(two[0], initContainers=[first]), bounds) == f"{said}3Gi"
    assert message(a_pod(*two, overhead={"memory": "5Gi"}), bounds) == f"{said}2Gi"
    assert message(a_pod(*two, resources={"limits": {"memory": "1.5Gi"}}), bounds) is None


def test_the_first_limit_range_by_name_answers_and_those_elsewhere_do_not() -> None:
    pod = a_pod(container(requests={"cpu": "1"}))
    ranges = [
        a_range("z", {**OF_CONTAINER, "min": {"cpu": "2"}}),
        a_range("b", {**OF_CONTAINER, "min": {"cpu": "3"}}),
        a_range("a", {**OF_CONTAINER, "min": {"cpu": "4"}}, namespace="other"),
    ]

    refusal = pod_refusal(pod, Snapshot.from_objects(ranges))

    assert refusal == LimitRangeRefusal(
        "shop",
        "b",
        'pods "web-1" is forbidden: minimum cpu usage per Container is 3, but request is 1',
        ("cpu",),
    )


def test_a_default_below_what_the_template_requests_makes_the_pod_invalid() -> None:
    bounds = a_range("bounds", {**OF_CONTAINER, "default": {"memory": "1Gi", "cpu": "0.5"}})
    snapshot = Snapshot.from_objects([bounds])
    pod = with_defaults_of_now(a_pod(container(requests={"memory": "2048Mi", "cpu": "1"})), snapshot)

    assert pod_refusal(pod, snapshot) == InvalidDefaults(
        "shop",
        'Pod "web-1" is invalid: [spec.containers[0].resources.requests: Invalid value: "2Gi": must be less than or '
        'equal to memory limit of 1Gi, spec.containers[0].resources.requests: Invalid value: "1": must be less than or '
        "equal to cpu limit of 500m]",
        ("cpu", "memory"),
    )


@pytest.mark.parametrize(
    ("storage", "said"),
    [
        ("1536Mi", None),
        ("512Mi", "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 512Mi"),
        ("3Gi", "maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi"),
    ],
)
def test_bounds_of_claims_are_quoted(storage: str, said: str | None) -> None:
    bounds = a_range(
        "bounds", {"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}, "max": {"storage": "2048Mi"}}
    )

    refusal = claim_refusal(a_claim(storage), Snapshot.from_objects([bounds]))

    assert (None if refusal is None else refusal.message) == (
        None if said is None else f'persistentvolumeclaims "data-web-1" is forbidden: {said}'
    )


# -- defaults ----------------------------------------------------------------------------------------------------------

SET = (
    "LimitRanger plugin set: cpu, memory request for container web; memory limit for container web; "
    "cpu request for init container first"
)


def defaulted() -> Object:
    web = container(requests={"cpu": "100m", "memory": "64Mi"}, limits={"cpu": "1", "memory": "128Mi"})
    return a_pod(web, annotation=SET, initContainers=[container("first", requests={"cpu": "100m"})])


def test_defaults_that_were_set_give_way_to_those_of_now() -> None:
    bounds = a_range("bounds", {**OF_CONTAINER, "default": {"memory": "1Gi"}, "defaultRequest": {"cpu": "200m"}})

    pod = with_defaults_of_now(defaulted(), Snapshot.from_objects([bounds]))

    web = {"requests": {"cpu": "200m", "memory": "1Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}}
    first = {"requests": {"cpu": "200m", "memory": "1Gi"}, "limits": {"memory": "1Gi"}}
    assert pod["spec"]["containers"][0]["resources"] == web
    assert pod["spec"]["initContainers"][0]["resources"] == first
    assert pod["metadata"]["annotations"] == {
        "other": "kept",
        ANNOTATION: "LimitRanger plugin set: cpu, memory request for container web; memory limit for container web; "
        "cpu, memory request for init container first; memory limit for init container first",
    }


def test_without_the_limit_range_nothing_is_left_of_its_defaults() -> None:
    pod = with_defaults_of_now(defaulted(), Snapshot())

    assert pod["spec"]["containers"][0]["resources"] == {"requests": {}, "limits": {"cpu": "1"}}
    assert pod["spec"]["initContainers"][0]["resources"] == {"requests": {}}
    assert pod["metadata"]["annotations"] == {"other": "kept"}


def test_a_pod_stays_as_it_is_where_limit_ranges_give_the_same_or_nothing() -> None:
    same = a_range(
        "same",
        {**OF_CONTAINER, "default": {"memory": "128Mi"}, "defaultRequest": {"cpu": "100m", "memory": "64Mi"}},
    )
    pod = defaulted()
    pod["spec"].pop("initContainers")

    assert with_defaults_of_now(pod, Snapshot.from_objects([same])) is pod
    bare = a_pod(container(requests={"cpu": "1"}, limits={"cpu": "1", "memory": "1Gi"}))
    assert with_defaults_of_now(bare, Snapshot()) is bare
    assert with_defaults_of_now(bare, Snapshot.from_objects([a_range("bounds", {"type": "Pod"})])) is bare


def test_what_a_pod_has_without_the_annotation_is_its_own() -> None:
    bounds = a_range("bounds", {**OF_CONTAINER, "default": {"memory": "1Gi"}})
    own = a_pod(container(requests={"memory": "64Mi"}))

    pod = with_defaults_of_now(own, Snapshot.from_objects([bounds]))

    assert pod["spec"]["containers"][0]["resources"] == {"requests": {"memory": "64Mi"}, "limits": {"memory": "1Gi"}}
    assert own["spec"]["containers"][0]["resources"] == {"requests": {"memory": "64Mi"}}


@pytest.mark.parametrize("text", ["LimitRanger plugin set: ", "something else", "LimitRanger plugin set: a; b for c"])
def test_an_annotation_that_says_nothing_changes_nothing(text: str) -> None:
    pod = a_pod(container(requests={"cpu": "1"}), annotation=text)

    assert with_defaults_of_now(pod, Snapshot()) is pod


DEFAULT_REQUEST = {**OF_CONTAINER, "defaultRequest": {"cpu": "100m"}}


def whole(pod: Mapping[str, Any]) -> Object:
    found: Object = pod["spec"]["resources"]
    return found


def stored(
    minor: str, resources: Object, *objects: Object, requests: Object | None = None, limits: Object | None = None
) -> Object:
    """A pod as the API server of a minor has stored it, with the note of LimitRanger."""
    snapshot = Snapshot.from_objects(objects, RELEASES[minor])
    written = {**a_pod(container(requests=requests, limits=limits)), "kind": "Pod"}
    written["spec"]["resources"] = resources
    return dict(with_defaults_of_now(written, snapshot))


@pytest.mark.parametrize(("minor", "requested"), [("1.34", "2"), ("1.36", "2"), ("1.37", "100m")])
def test_what_is_derived_for_a_copy_as_a_whole_is_what_its_release_derives(minor: str, requested: str) -> None:
    bounds = a_range("bounds", DEFAULT_REQUEST)
    pod = stored("1.36", {"limits": {"cpu": "2"}}, bounds)
    assert whole(pod)["requests"] == {"cpu": "2"}

    copied = with_defaults_of_now(pod, Snapshot.from_objects([bounds], RELEASES[minor]))

    assert whole(copied) == {"limits": {"cpu": "2"}, "requests": {"cpu": requested}}


def test_derived_amounts_follow_the_limit_ranges_of_now() -> None:
    pod = stored("1.37", {"limits": {"cpu": "2"}}, a_range("bounds", DEFAULT_REQUEST))
    assert whole(pod)["requests"] == {"cpu": "100m"}
    later = a_range("bounds", {**OF_CONTAINER, "defaultRequest": {"cpu": "300m"}})

    assert whole(with_defaults_of_now(pod, Snapshot.from_objects([later], RELEASES["1.37"])))["requests"] == {
        "cpu": "300m"
    }
    assert whole(with_defaults_of_now(pod, Snapshot.from_objects([], RELEASES["1.37"])))["requests"] == {"cpu": "2"}


def test_limits_that_1_37_derived_are_not_those_of_an_earlier_release() -> None:
    limits = {"memory": "1Gi"}
    pod = stored("1.37", {"requests": {"memory": "4Gi"}}, requests=limits, limits=limits)

    assert whole(pod)["limits"] == {"memory": "4Gi"}
    assert not whole(as_written(pod, Snapshot.from_objects([], RELEASES["1.37"]))).get("limits")
    # An earlier API server derives no limits: those that there are were written.
    assert whole(as_written(pod, Snapshot.from_objects([], RELEASES["1.36"])))["limits"] == {"memory": "4Gi"}


def test_the_template_tells_what_was_written_for_the_pod_as_a_whole() -> None:
    amounts = {"cpu": "1"}
    pod = stored("1.37", {"requests": amounts, "limits": amounts}, requests=amounts)
    pod["metadata"]["ownerReferences"] = [{"kind": "StatefulSet", "name": "web", "controller": True}]

    def controlled(resources: Object) -> Object:
        template = {"spec": {"resources": resources}}
        return {
            "kind": "StatefulSet",
            "metadata": {"name": "web", "namespace": pod["metadata"]["namespace"]},
            "spec": {"template": template},
        }

    def written(*objects: Object) -> Object:
        return whole(as_written(pod, Snapshot.from_objects(objects, RELEASES["1.37"])))

    assert written() == {"requests": {}, "limits": amounts}
    assert written(controlled({"requests": amounts, "limits": amounts})) == {"requests": amounts, "limits": amounts}
    # A template that says something else is that of another revision.
    assert written(controlled({"limits": {"cpu": "3"}})) == {"requests": {}, "limits": amounts}


AMOUNTS = st.dictionaries(st.sampled_from(["cpu", "memory"]), st.sampled_from(["1", "2", "3"]), max_size=2)


@given(st.sampled_from(["1.34", "1.36", "1.37"]), AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS)
def test_a_copy_in_its_own_release_is_what_its_original_is(
    minor: str,
    requests: Object,
    limits: Object,
    own_requests: Object,
    own_limits: Object,
    defaults: Object,
) -> None:
    bounds = a_range("bounds", {**OF_CONTAINER, "defaultRequest": defaults})
    pod = stored(minor, {"requests": requests, "limits": limits}, bounds, requests=own_requests, limits=own_limits)
    snapshot = Snapshot.from_objects([bounds], RELEASES[minor])

    assert whole(with_defaults_of_now(pod, snapshot)) == whole(pod)
