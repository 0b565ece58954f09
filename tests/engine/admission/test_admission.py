"""What admission adds to a new pod, by what, and why it would refuse one."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.adapters.prune import KINDS
from clusters.adapters.schema.checking import check_pod
from clusters.demo.cluster import demo_objects
from clusters.engine import Snapshot
from clusters.engine.admission import (
    Admission,
    admit,
    update_refusals,
    wrongs_of,
)
from clusters.engine.admission.creation import as_written, claim_refusal, pod_refusal, with_defaults_of_now
from clusters.engine.admission.plugins import claim_refusals
from clusters.engine.admission.problems import AboveMaximum, BelowMinimum, UpdateRefused
from clusters.engine.versions import RELEASES
from clusters.wording.problems import both_sentences
from tests.support.refused_pods import REFUSED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.problems import Problem
    from tests.engine.builders import Document

Object = dict[str, Any]
SECONDS = {"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
NOT_READY = {"key": "node.kubernetes.io/not-ready", **SECONDS}
UNREACHABLE = {"key": "node.kubernetes.io/unreachable", **SECONDS}


def a_pod(labels: dict[str, str] | None = None, **spec: Any) -> Object:
    spec.setdefault("containers", [{"name": "web", "image": "web:1"}])
    return {"kind": "Pod", "metadata": {"name": "web", "namespace": "shop", "labels": labels or {}}, "spec": spec}


def an_object(kind: str, name: str, namespace: str = "", **parts: Any) -> Object:
    place = {"namespace": namespace} if namespace else {}
    return {"kind": kind, "metadata": {"name": name, **place}, **parts}


def admitted(pod: Object, *objects: Object) -> Admission:
    return admit(pod, Snapshot.from_objects(objects))


def resources(admission: Admission, number: int = 0, kind: str = "containers") -> Object:
    found: Object = admission.pod["spec"][kind][number].get("resources", {})
    return found


def refusals(admission: Admission) -> list[tuple[str, str]]:
    return [(each.by, each.field) for each in admission.refusals]


def test_pod_level_requests_come_from_the_containers_or_else_from_the_pod_s_limits() -> None:
    web = {"name": "web", "resources": {"requests": {"cpu": "250m"}}}
    found = admitted(a_pod(containers=[web, web], resources={"limits": {"cpu": "2", "memory": "1Gi"}}))
    assert found.pod["spec"]["resources"]["requests"] == {"cpu": "500m", "memory": "1Gi"}


def test_host_network_makes_container_ports_host_ports() -> None:
    ports = [{"containerPort": 80}, {"containerPort": 81, "hostPort": 8081}]
    found = admitted(a_pod(hostNetwork=True, containers=[{"name": "web", "ports": ports}]))
    assert [port["hostPort"] for port in found.pod["spec"]["containers"][0]["ports"]] == [80, 8081]


def test_bounds_of_a_pod_are_held_against_all_containers_together_without_overhead() -> None:
    bound = an_object("LimitRange", "a", "shop", spec={"limits": [{"type": "Pod", "max": {"cpu": "1"}}]})
    half, second, third = ({"name": name, "resources": {"limits": {"cpu": "500m"}}} for name in ("a", "b", "c"))
    runtime = an_object("RuntimeClass", "vm", overhead={"podFixed": {"cpu": "1"}})
    assert refusals(admitted(a_pod(containers=[half, second], runtimeClassName="vm"), bound, runtime)) == []
    assert refusals(admitted(a_pod(containers=[half, second, third]), bound)) == [("LimitRanger", "spec.limits.cpu")]


def test_a_class_gives_its_priority_and_policy() -> None:
    classes = (
        an_object("PriorityClass", "high", value=1000, preemptionPolicy="Never"),
        an_object("PriorityClass", "usual", value=10, globalDefault=True),
        an_object("PriorityClass", "also-usual", value=20, globalDefault=True),
    )
    high = admitted(a_pod(priorityClassName="high"), *classes).pod["spec"]
    assert (high["priority"], high["preemptionPolicy"]) == (1000, "Never")
    usual = admitted(a_pod(), *classes).pod["spec"]
    assert (usual["priorityClassName"], usual["priority"]) == ("usual", 10)
    assert admitted(a_pod(priorityClassName="system-node-critical")).pod["spec"]["priority"] == 2_000_001_000


def test_a_priority_that_is_not_the_class_s_is_refused_and_left_as_it_is() -> None:
    classes = (an_object("PriorityClass", "high", value=1000),)
    wrong = admitted(a_pod(priorityClassName="high", priority=5), *classes)
    assert refusals(wrong) == [("Priority", "spec.priority")]
    assert wrong.pod["spec"]["priority"] == 5
    assert refusals(admitted(a_pod(priorityClassName="hihg"), *classes)) == [("Priority", "spec.priorityClassName")]
    assert refusals(admitted(a_pod(priorityClassName="high", preemptionPolicy="Never"), *classes)) == [
        ("Priority", "spec.preemptionPolicy")
    ]


def test_a_mirrored_pod_keeps_its_priority_where_no_class_is_mirrored() -> None:
    kept = admitted(a_pod(priorityClassName="high", priority=1000))
    assert (refusals(kept), kept.pod["spec"]["priority"]) == ([], 1000)
    assert refusals(admitted(a_pod(priorityClassName="high"))) == [("Priority", "spec.priorityClassName")]


def test_a_runtime_class_adds_overhead_selector_and_tolerations() -> None:
    narrow = {"key": "vm", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}
    wide = {"key": "vm", "operator": "Exists"}
    runtime = an_object(
        "RuntimeClass",
        "vm",
        overhead={"podFixed": {"cpu": "250m"}},
        scheduling={"nodeSelector": {"vm": "yes"}, "tolerations": [wide]},
    )
    found = admitted(a_pod(runtimeClassName="vm", nodeSelector={"disk": "ssd"}, tolerations=[narrow]), runtime)
    spec = found.pod["spec"]
    assert spec["overhead"] == {"cpu": "250m"}
    assert spec["nodeSelector"] == {"disk": "ssd", "vm": "yes"}
    assert spec["tolerations"] == [NOT_READY, UNREACHABLE, wide]
    assert ("spec.tolerations[0]", None) in [(each.field, each.value) for each in found.additions]


def test_a_runtime_class_contradicted_is_refused() -> None:
    runtime = an_object(
        "RuntimeClass", "vm", overhead={"podFixed": {"cpu": "250m"}}, scheduling={"nodeSelector": {"vm": "yes"}}
    )
    wrong = a_pod(runtimeClassName="vm", nodeSelector={"vm": "no"}, overhead={"cpu": "1"})
    assert refusals(admitted(wrong, runtime)) == [
        ("RuntimeClass", "spec.overhead"),
        ("RuntimeClass", "spec.nodeSelector.vm"),
    ]
    assert refusals(admitted(a_pod(overhead={"cpu": "1"}))) == [("RuntimeClass", "spec.overhead")]
    assert refusals(admitted(a_pod(runtimeClassName="none"))) == [("RuntimeClass", "spec.runtimeClassName")]
    assert refusals(admitted(a_pod(runtimeClassName="vm", overhead={"cpu": "0.25"}), runtime)) == []


def test_label_keys_become_requirements_of_the_selectors() -> None:
    term = {
        "topologyKey": "zone",
        "labelSelector": {"matchLabels": {"app": "web"}},
        "matchLabelKeys": ["hash", "missing"],
        "mismatchLabelKeys": ["tenant"],
    }
    affinity = {
        "podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]},
        "podAntiAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 1, "podAffinityTerm": {"topologyKey": "zone", "matchLabelKeys": ["hash"]}}
            ]
        },
    }
    spread = [{"topologyKey": "zone", "maxSkew": 1, "labelSelector": {}, "matchLabelKeys": ["hash"]}]
    labels = {"app": "web", "hash": "1a", "tenant": "t"}
    found = admitted(a_pod(labels, affinity=affinity, topologySpreadConstraints=spread)).pod["spec"]
    is_hash = {"key": "hash", "operator": "In", "values": ["1a"]}
    assert found["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][0]["labelSelector"] == {
        "matchLabels": {"app": "web"},
        "matchExpressions": [is_hash, {"key": "tenant", "operator": "NotIn", "values": ["t"]}],
    }
    preferred = found["affinity"]["podAntiAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"][0]
    assert "labelSelector" not in preferred["podAffinityTerm"], "nothing is matched without a selector"
    assert found["topologySpreadConstraints"][0]["labelSelector"] == {"matchExpressions": [is_hash]}


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


def created_pod(*containers: Object, annotation: str = "", **spec: Any) -> Object:
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
        ({"min": {"cpu": "100m"}}, created_pod(container(requests={"cpu": "0.1"})), None),
        (
            {"min": {"cpu": "0.1"}},
            created_pod(container(requests={"cpu": "50m"})),
            "minimum cpu usage per Container is 100m, but request is 50m",
        ),
        (
            {"min": {"cpu": "100m"}},
            created_pod(container()),
            "minimum cpu usage per Container is 100m.  No request is specified",
        ),
        (
            {"max": {"memory": "1024Mi"}},
            created_pod(container(limits={"memory": "2048Mi"})),
            "maximum memory usage per Container is 1Gi, but limit is 2Gi",
        ),
        (
            {"max": {"memory": "1Gi"}},
            created_pod(container(requests={"memory": "1Gi"})),
            "maximum memory usage per Container is 1Gi.  No limit is specified",
        ),
        (
            {"maxLimitRequestRatio": {"cpu": "2"}},
            created_pod(container(requests={"cpu": "300m"}, limits={"cpu": "1"})),
            "cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333",
        ),
        (
            {"maxLimitRequestRatio": {"cpu": "2"}},
            created_pod(container(requests={"cpu": "300m"})),
            "cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0",
        ),
        (
            {"maxLimitRequestRatio": {"cpu": "2"}},
            created_pod(container()),
            "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
        ),
        (
            {"min": {"cpu": "1"}, "max": {"memory": "1Gi"}},
            created_pod(
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


@pytest.mark.parametrize("text", ["LimitRanger plugin set: ", "something else", "LimitRanger plugin set: a; b for c"])
def test_an_annotation_that_says_nothing_changes_nothing(text: str) -> None:
    pod = created_pod(container(requests={"cpu": "1"}), annotation=text)

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
    written = {**created_pod(container(requests=requests, limits=limits)), "kind": "Pod"}
    written["spec"]["resources"] = resources
    return dict(with_defaults_of_now(written, snapshot))


@pytest.mark.parametrize(("minor", "requested"), [("1.34", "2"), ("1.36", "2"), ("1.37", "100m")])
def test_what_is_derived_for_a_copy_as_a_whole_is_what_its_release_derives(minor: str, requested: str) -> None:
    bounds = a_range("bounds", DEFAULT_REQUEST)
    pod = stored("1.36", {"limits": {"cpu": "2"}}, bounds)
    assert whole(pod)["requests"] == {"cpu": "2"}

    copied = with_defaults_of_now(pod, Snapshot.from_objects([bounds], RELEASES[minor]))

    assert whole(copied) == {"limits": {"cpu": "2"}, "requests": {"cpu": requested}}


def test_the_template_tells_what_was_written_for_the_pod_as_a_whole() -> None:
    amounts = {"cpu": "1"}
    pod = stored("1.37", {"requests": amounts, "limits": amounts}, requests=amounts)
    pod["metadata"]["ownerReferences"] = [{"kind": "StatefulSet", "name": "web", "controller": True}]

    def controlled(resources: Object) -> Object:
        return {
            "kind": "StatefulSet",
            "metadata": {"name": "web", "namespace": pod["metadata"]["namespace"]},
            "spec": {"template": {"spec": {"resources": resources}}},
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

    assert whole(with_defaults_of_now(pod, Snapshot.from_objects([bounds], RELEASES[minor]))) == whole(pod)


REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
GATES = [{"name": "example.com/foo"}, {"name": "example.com/bar"}]
DEFAULTS = [
    {"key": f"node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for key in ("not-ready", "unreachable")
]
TERMS = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"


def updated_pod(**spec: Any) -> Object:
    container = {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "1"}}}
    stored = {"containers": [container], "schedulerName": "default-scheduler", "priority": 0, "tolerations": DEFAULTS}
    return {"kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}, "spec": {**stored, **spec}}


def gated(**spec: Any) -> Object:
    return updated_pod(schedulingGates=GATES, **spec)


def expression(key: str, *values: str) -> Object:
    return {"key": key, "operator": "In", "values": list(values)}


def required(*terms: Object) -> Object:
    return {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": list(terms)}}}}


def term(*expressions: Object) -> Object:
    return {"matchExpressions": list(expressions)}


def refused(old: Object, new: Object) -> list[tuple[str, str]]:
    before = deepcopy((old, new))
    found = list(update_refusals(old, new))
    assert (old, new) == before
    problems = [(field, problem) for field, problem in found if isinstance(problem, UpdateRefused)]
    assert len(problems) == len(found)
    return [(field, problem.message) for field, problem in problems]


def fields(old: Object, new: Object) -> list[str]:
    return [field for field, _ in refused(old, new)]


DISK, ZONE = expression("disk", "ssd"), expression("zone", "a")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, {"nodeSelector": {"disk": "ssd"}}),
        ({"nodeSelector": {"disk": "ssd"}}, {"nodeSelector": {"disk": "ssd", "zone": "a"}}),
        ({}, required(term(DISK))),
        (required(term(DISK)), required(term(DISK, ZONE))),
        (required(term(DISK), term(ZONE)), required(term(DISK, ZONE), term(ZONE))),
        (
            {"affinity": {"nodeAffinity": {PREFERRED: [{"weight": 1, "preference": term(DISK)}]}}},
            {"affinity": {"nodeAffinity": {PREFERRED: [{"weight": 9, "preference": term(ZONE)}]}}},
        ),
        (
            {"affinity": {"nodeAffinity": {PREFERRED: [{"weight": 1, "preference": term(DISK)}]}}},
            required(term(ZONE)),
        ),
    ],
)
def test_e30_a_gated_pod_may_be_restricted_further(old: Object, new: Object) -> None:
    assert refused(gated(**old), gated(**new)) == []
    # Without gates none of this may change.
    assert fields(updated_pod(**old), updated_pod(**new)) != []


@pytest.mark.parametrize(
    ("old", "new", "field", "message"),
    [
        (
            {"nodeSelector": {"disk": "ssd"}},
            {"nodeSelector": {"zone": "a"}},
            "spec.nodeSelector",
            "only additions to spec.nodeSelector are allowed (no mutations or deletions)",
        ),
        (
            {"nodeSelector": {"disk": "ssd"}},
            {"nodeSelector": {"disk": "hdd"}},
            "spec.nodeSelector",
            "only additions to spec.nodeSelector are allowed (no mutations or deletions)",
        ),
        (
            required(term(DISK)),
            required(term(DISK), term(ZONE)),
            TERMS,
            "no additions/deletions to non-empty NodeSelectorTerms list are allowed",
        ),
        (
            required(term(DISK)),
            {},
            TERMS,
            "no additions/deletions to non-empty NodeSelectorTerms list are allowed",
        ),
        (
            required(term(DISK)),
            required(term(ZONE, DISK)),
            f"{TERMS}[0]",
            "only additions are allowed (no mutations or deletions)",
        ),
        (
            required({}, term(DISK)),
            required(term(ZONE), term(DISK)),
            f"{TERMS}[0]",
            "only additions are allowed (no mutations or deletions)",
        ),
    ],
)
def test_e30_and_may_not_be_let_loose(old: Object, new: Object, field: str, message: str) -> None:
    assert refused(gated(**old), gated(**new)) == [(field, message)]


def test_e30_gates_go_in_any_order_and_none_is_added() -> None:
    first, second = GATES
    for left in ([first], [second], []):
        assert refused(gated(), updated_pod(schedulingGates=left)) == []
    # What one change does goes by the gates before it.
    assert refused(gated(), updated_pod(nodeSelector={"disk": "ssd"})) == []
    assert refused(gated(), updated_pod(schedulingGates=[first, {"name": "example.com/other"}])) == [
        (
            "spec.schedulingGates[1].name",
            "only deletion is allowed, but found new scheduling gate 'example.com/other'",
        )
    ]
    assert fields(updated_pod(), gated()) == ["spec.schedulingGates[0].name", "spec.schedulingGates[1].name"]


def test_tolerations_are_added_and_last_as_long_as_one_likes() -> None:
    gpu = {"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}
    shorter = [{**each, "tolerationSeconds": 5} for each in DEFAULTS]

    assert refused(updated_pod(), updated_pod(tolerations=[gpu, *shorter])) == []
    # The API server adds those that it gives every pod, whether or not somebody left them out.
    assert refused(updated_pod(), updated_pod(tolerations=[])) == []
    assert refused(updated_pod(tolerations=[gpu, *DEFAULTS]), updated_pod()) == [
        ("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")
    ]


def test_images_change_and_resources_do_not() -> None:
    main = updated_pod()["spec"]["containers"][0]
    image = updated_pod(containers=[{**main, "image": "app:2"}])
    same = updated_pod(containers=[{**main, "resources": {"requests": {"cpu": "1000m"}, "limits": {}}}])
    more = updated_pod(containers=[{**main, "resources": {"requests": {"cpu": "2"}}}])

    assert refused(updated_pod(), image) == refused(updated_pod(), same) == []
    ((field, message),) = refused(updated_pod(), more)
    assert field == "spec.containers[0].resources"
    assert message.startswith("pod updates may not change fields other than `spec.containers[*].image`,")
    assert refused(updated_pod(), updated_pod(containers=[main, {**main, "name": "two"}])) == [
        ("spec.containers", "pod updates may not add or remove containers")
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (None, 60, None),
        (60, 30, None),
        (30, 60, "must be less than or equal to previous value"),
        (30, None, "must not update from a positive integer to nil value"),
    ],
)
def test_a_deadline_only_comes_closer(old: int | None, new: int | None, message: str | None) -> None:
    found = refused(updated_pod(activeDeadlineSeconds=old), updated_pod(activeDeadlineSeconds=new))

    assert found == ([] if message is None else [("spec.activeDeadlineSeconds", message)])


@given(st.lists(st.sampled_from("abc"), max_size=3), st.lists(st.sampled_from("abc"), max_size=4))
def test_a_term_gains_behind_what_it_has(old: list[str], new: list[str]) -> None:
    def of(keys: list[str]) -> Object:
        return required(term(*(expression(key, "x") for key in keys)), term(DISK))

    # What begins with all that there was, in order; a term of nothing stays one.
    keeps = new[: len(old)] == old and (bool(old) or not new)

    assert (refused(gated(**of(old)), gated(**of(new))) == []) is keeps


def refused_claim(asked: str | None, **bounds: str) -> list[tuple[str, Problem]]:
    limit = {"type": "PersistentVolumeClaim", **{name: {"storage": bound} for name, bound in bounds.items()}}
    limits = [limit, {"type": "Container", "max": {"storage": "1"}}]
    metadata = {"name": "bounds", "namespace": "shop"}
    snapshot = Snapshot.from_objects([{"kind": "LimitRange", "metadata": metadata, "spec": {"limits": limits}}])
    requests = {} if asked is None else {"storage": asked}
    claim: Document = {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "shop"},
        "spec": {"resources": {"requests": requests}},
    }
    return [(each.field, each.problem) for each in claim_refusals(claim, snapshot)]


@pytest.mark.parametrize(
    ("asked", "bounds", "kind", "amount"),
    [
        ("1Gi", {"min": "2Gi"}, BelowMinimum, "1Gi"),
        ("3Gi", {"max": "2Gi"}, AboveMaximum, "3Gi"),
        (None, {"max": "2Gi"}, AboveMaximum, ""),
    ],
)
def test_claim_out_of_its_bounds_is_refused(
    asked: str | None, bounds: dict[str, str], kind: type[BelowMinimum | AboveMaximum], amount: str
) -> None:
    problem = kind("LimitRange bounds", "2Gi", "storage", "PersistentVolumeClaim", "requests", amount)
    assert refused_claim(asked, **bounds) == [("spec.resources.requests.storage", problem)]


def validated_pod(**spec: Any) -> Object:
    spec.setdefault("containers", [{"name": "web", "image": "web:1"}])
    metadata = {"name": "web", "namespace": "shop", "labels": {"app": "web"}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def refused_fields(pod: Object, *objects: Object) -> list[str]:
    return [each.field for each in admit(pod, Snapshot.from_objects(objects)).refusals]


def of_text(pod: Object) -> list[str]:
    return [problem.path for problem in check_pod(pod)]


@pytest.mark.parametrize("name", REFUSED)
def test_a_pod_that_the_api_server_refuses_is_refused_with_its_field(name: str) -> None:
    spec, field = REFUSED[name]
    pod = validated_pod(**spec)
    found = of_text(pod) or refused_fields(pod)
    assert field in found
    problems = [each.problem for each in check_pod(pod)] + [each.problem for each in admit(pod, Snapshot()).refusals]
    assert all(sentence.endswith((".", "?")) for sentence in [both_sentences(problem) for problem in problems])


@pytest.mark.parametrize("name", ["gpu-without-limit", "huge-pages-alone"])
def test_what_a_limit_range_may_add_is_asked_for_once_admission_had_its_say(name: str) -> None:
    pod = validated_pod(**REFUSED[name][0])
    ranges = {
        "kind": "LimitRange",
        "metadata": {"name": "usual", "namespace": "shop"},
        "spec": {"limits": [{"type": "Container", "default": {"nvidia.com/gpu": "1", "cpu": "1"}}]},
    }
    assert of_text(pod) == []
    assert refused_fields(pod)
    assert refused_fields(pod, ranges) == []


@pytest.mark.parametrize(
    "spec",
    [
        {"tolerations": [{"operator": "Exists"}]},
        {"tolerations": [{"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}]},
        {"tolerations": [{"key": "a", "effect": "NoSchedule"}]},
        {"overhead": {"cpu": "1"}},
        {"initContainers": [{"name": "first", "image": "web:1", "ports": [{"containerPort": 80, "hostPort": 80}]}]},
        {
            "affinity": {
                "nodeAffinity": {
                    "preferredDuringSchedulingIgnoredDuringExecution": [
                        {
                            "weight": 1,
                            "preference": {"matchExpressions": [{"key": "size", "operator": "Gt", "values": ["a b"]}]},
                        }
                    ]
                }
            }
        },
    ],
)
def test_what_the_api_server_takes_is_taken(spec: Object) -> None:
    assert of_text(validated_pod(**spec)) == []
    assert list(wrongs_of(validated_pod(**spec), is_admitted=True)) == []


def test_pods_of_a_cluster_are_not_refused() -> None:
    pods = [KINDS["Pod"].prune(each) for each in demo_objects() if each["kind"] == "Pod"]
    assert len(pods) > 500
    assert [wrong for pod in pods for wrong in wrongs_of(pod, is_admitted=True)] == []


REQUESTED = st.dictionaries(
    st.sampled_from(["cpu", "memory", "hugepages-2Mi"]), st.sampled_from(["0", "100m", "1", "2", "1Gi"])
)
RESOURCES = st.fixed_dictionaries({}, optional={"requests": REQUESTED, "limits": REQUESTED})
CONTAINERS = st.lists(
    st.fixed_dictionaries(
        {"name": st.just("c")}, optional={"resources": RESOURCES, "restartPolicy": st.just("Always")}
    ),
    max_size=2,
)
TOLERATIONS = st.lists(
    st.fixed_dictionaries(
        {"operator": st.sampled_from(["Exists", "Equal"])},
        optional={
            "key": st.sampled_from(["node.kubernetes.io/not-ready", "vm"]),
            "value": st.sampled_from(["yes", ""]),
            "effect": st.sampled_from(["NoExecute", "NoSchedule"]),
            "tolerationSeconds": st.sampled_from([0, 300]),
        },
    ),
    max_size=3,
)
SELECTORS: st.SearchStrategy[dict[str, Any] | None] = st.one_of(
    st.none(), st.just({}), st.just({"matchLabels": {"app": "web"}})
)
SPREAD = st.lists(
    st.fixed_dictionaries(
        {"topologyKey": st.just("zone"), "labelSelector": SELECTORS},
        optional={"matchLabelKeys": st.lists(st.sampled_from(["app", "hash"]), unique=True)},
    ),
    max_size=2,
)
PODS = st.fixed_dictionaries(
    {
        "metadata": st.fixed_dictionaries(
            {"name": st.just("p"), "namespace": st.just("n"), "labels": st.just({"app": "web"})}
        ),
        "spec": st.fixed_dictionaries(
            {"containers": CONTAINERS},
            optional={
                "initContainers": CONTAINERS,
                "resources": RESOURCES,
                "priorityClassName": st.sampled_from(["high", "none"]),
                "priority": st.sampled_from([0, 7, 1000]),
                "runtimeClassName": st.sampled_from(["vm", "none"]),
                "overhead": REQUESTED,
                "nodeSelector": st.dictionaries(st.sampled_from(["vm", "disk"]), st.sampled_from(["yes", "no"])),
                "tolerations": TOLERATIONS,
                "topologySpreadConstraints": SPREAD,
            },
        ),
    }
)
LIMITS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["Container", "Pod"])},
        optional={"default": REQUESTED, "defaultRequest": REQUESTED, "min": REQUESTED, "max": REQUESTED},
    ),
    max_size=2,
)


@given(pod=PODS, limits=st.lists(LIMITS, max_size=2), is_default=st.booleans(), tolerations=TOLERATIONS)
@settings(max_examples=60, deadline=None)
def test_a_pod_that_was_admitted_comes_out_unchanged(
    pod: dict[str, Any], limits: list[Any], is_default: bool, tolerations: list[Any]
) -> None:
    snapshot = Snapshot.from_objects(
        [
            {"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1000, "globalDefault": is_default},
            {
                "kind": "RuntimeClass",
                "metadata": {"name": "vm"},
                "overhead": {"podFixed": {"cpu": "250m"}},
                "scheduling": {"nodeSelector": {"vm": "yes"}, "tolerations": tolerations},
            },
            *(
                {"kind": "LimitRange", "metadata": {"name": f"r{number}", "namespace": "n"}, "spec": {"limits": each}}
                for number, each in enumerate(limits)
            ),
        ]
    )
    before = deepcopy(pod)
    once = admit(pod, snapshot)
    assert pod == before
    again = admit(once.pod, snapshot)
    assert again.pod == once.pod
    assert again.additions == ()
    assert again.refusals == once.refusals
    for name in ("nodeSelector", "overhead", "priority", "priorityClassName"):
        given_value = pod["spec"].get(name)
        if isinstance(given_value, dict):
            assert given_value.items() <= once.pod["spec"][name].items()
        elif given_value is not None:
            assert once.pod["spec"][name] == given_value


def test_from_1_37_on_a_pod_whose_containers_are_all_limited_is_limited_too() -> None:
    limited = {"name": "web", "resources": {"limits": {"cpu": "500m", "memory": "1Gi"}}}
    free = {"name": "side", "resources": {"limits": {"memory": "1Gi"}}}
    snapshot = Snapshot.from_objects([], RELEASES["1.37"])

    def limits(*containers: Object, **requests: str) -> Object:
        pod = a_pod(resources={"requests": requests}, containers=list(containers))
        found: Object = admit(pod, snapshot).pod["spec"]["resources"].get("limits") or {}
        return found

    assert limits(limited, free, cpu="1") == {"memory": "2Gi"}
    assert limits(limited, cpu="1") == {"cpu": "1", "memory": "1Gi"}
    assert limits(limited, cpu="100m") == {"cpu": "500m", "memory": "1Gi"}
