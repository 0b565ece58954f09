"""What may be changed of a pod that exists: next to nothing, and of a gated one what restricts it further."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.admission import update_refusals
from clusters.engine.admission.problems import UpdateRefused

Object = dict[str, Any]
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
GATES = [{"name": "example.com/foo"}, {"name": "example.com/bar"}]
DEFAULTS = [
    {"key": f"node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for key in ("not-ready", "unreachable")
]
TERMS = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"


def a_pod(**spec: Any) -> Object:
    container = {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "1"}}}
    stored = {"containers": [container], "schedulerName": "default-scheduler", "priority": 0, "tolerations": DEFAULTS}
    return {"kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}, "spec": {**stored, **spec}}


def gated(**spec: Any) -> Object:
    return a_pod(schedulingGates=GATES, **spec)


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
    assert fields(a_pod(**old), a_pod(**new)) != []


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
        assert refused(gated(), a_pod(schedulingGates=left)) == []
    # What one change does goes by the gates before it.
    assert refused(gated(), a_pod(nodeSelector={"disk": "ssd"})) == []
    other = {"name": "example.com/other"}
    assert refused(gated(), a_pod(schedulingGates=[first, other])) == [
        (
            "spec.schedulingGates[1].name",
            "only deletion is allowed, but found new scheduling gate 'example.com/other'",
        )
    ]
    assert fields(a_pod(), gated()) == ["spec.schedulingGates[0].name", "spec.schedulingGates[1].name"]


def test_other_affinity_of_a_gated_pod_stays() -> None:
    apart = {"podAntiAffinity": {REQUIRED: [{"topologyKey": "zone"}]}}
    both = {"affinity": {**apart, **required(term(DISK))["affinity"]}}

    assert refused(gated(affinity=apart), gated(**both)) == []
    assert fields(gated(), gated(affinity=apart)) == ["spec.affinity"]
    assert fields(gated(), gated(priorityClassName="high")) == ["spec.priorityClassName"]


def test_tolerations_are_added_and_last_as_long_as_one_likes() -> None:
    gpu = {"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}
    shorter = [{**each, "tolerationSeconds": 5} for each in DEFAULTS]

    assert refused(a_pod(), a_pod(tolerations=[gpu, *shorter])) == []
    # The API server adds those that it gives every pod, whether or not somebody left them out.
    assert refused(a_pod(), a_pod(tolerations=[])) == []
    assert refused(a_pod(tolerations=[gpu, *DEFAULTS]), a_pod()) == [
        ("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")
    ]


def test_images_change_and_resources_do_not() -> None:
    main = a_pod()["spec"]["containers"][0]
    image = a_pod(containers=[{**main, "image": "app:2"}])
    same = a_pod(containers=[{**main, "resources": {"requests": {"cpu": "1000m"}, "limits": {}}}])
    more = a_pod(containers=[{**main, "resources": {"requests": {"cpu": "2"}}}])

    assert refused(a_pod(), image) == refused(a_pod(), same) == []
    ((field, message),) = refused(a_pod(), more)
    assert field == "spec.containers[0].resources"
    assert message.startswith("pod updates may not change fields other than `spec.containers[*].image`,")
    assert refused(a_pod(), a_pod(containers=[main, {**main, "name": "two"}])) == [
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
    found = refused(a_pod(activeDeadlineSeconds=old), a_pod(activeDeadlineSeconds=new))

    assert found == ([] if message is None else [("spec.activeDeadlineSeconds", message)])


def test_what_the_scheduler_and_admission_have_set_may_be_left_out() -> None:
    placed = a_pod(nodeName="n1")
    left_out = {key: value for key, value in a_pod()["spec"].items() if key not in ("priority", "schedulerName")}

    assert refused(placed, {**a_pod(), "spec": left_out}) == []
    assert fields(a_pod(), a_pod(nodeName="n1")) == ["spec.nodeName"]


@given(st.lists(st.sampled_from("abc"), max_size=3), st.lists(st.sampled_from("abc"), max_size=4))
def test_a_term_gains_behind_what_it_has(old: list[str], new: list[str]) -> None:
    def of(keys: list[str]) -> Object:
        return required(term(*(expression(key, "x") for key in keys)), term(DISK))

    # What begins with all that there was, in order; a term of nothing stays one.
    keeps = new[: len(old)] == old and (bool(old) or not new)

    assert (refused(gated(**of(old)), gated(**of(new))) == []) is keeps
