"""What the API server answers to controllers, read as typed problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.admission.problems import AboveMaximum, AboveRatio, BelowMinimum, RatioOfNothing
from clusters.engine.quotas import QuotaExceeded, QuotaLedger, QuotaUnspecified, pod_charge
from clusters.engine.workloads import (
    AbsentPriorityClass,
    AbsentRuntimeClass,
    AbsentServiceAccount,
    CreationRefusal,
    InvalidField,
    NamespaceGone,
    NamespaceTerminating,
    NameTaken,
    NoCoveringQuota,
    NodeSelectorConflict,
    NotPermitted,
    PodSecurityViolated,
    PolicyDenied,
    QuotaNotCounted,
    Unclassified,
    WebhookDenied,
    WebhookFailed,
    refusal_of,
    with_limit_ranges,
)
from tests.engine.builders import a_pod
from tests.engine.quotas.quotas import a_quota, limited

if TYPE_CHECKING:
    from clusters.engine.problems import Problem

FORBIDDEN = 'pods "web-x" is forbidden: '
EXCEEDED = (
    "exceeded quota: few, requested: limits.cpu=500m,pods=1, used: limits.cpu=2,pods=1, limited: limits.cpu=2,pods=1"
)

# Each as the sources of v1.34.1 write it, and what it is read as.
ANSWERS: list[tuple[str, Problem]] = [
    (
        EXCEEDED,
        QuotaExceeded(
            "shop",
            "few",
            f"{FORBIDDEN}{EXCEEDED}",
            ("limits.cpu", "pods"),
            ("500m", "1"),
            ("2", "1"),
            ("2", "1"),
        ),
    ),
    (
        "failed quota: few: must specify limits.cpu for: main,side; requests.memory for: main",
        QuotaUnspecified(
            "shop",
            "few",
            f"{FORBIDDEN}failed quota: few: must specify limits.cpu for: main,side; requests.memory for: main",
            ("limits.cpu", "requests.memory"),
            ("main", "side"),
        ),
    ),
    (
        "failed quota: few: must specify limits.cpu,requests.memory",
        QuotaUnspecified(
            "shop",
            "few",
            f"{FORBIDDEN}failed quota: few: must specify limits.cpu,requests.memory",
            ("limits.cpu", "requests.memory"),
            (),
        ),
    ),
    ("insufficient quota to consume: pods", NoCoveringQuota("shop", "pods")),
    ("status unknown for quota: few, resources: cpu,pods", QuotaNotCounted("shop", "few", ("cpu", "pods"))),
    (
        (
            'violates PodSecurity "restricted:v1.34": host namespaces (hostNetwork=true), privileged (container "main" '
            "must not set securityContext.privileged=true)"
        ),
        PodSecurityViolated(
            "shop",
            "restricted:v1.34",
            'host namespaces (hostNetwork=true), privileged (container "main" must not set '
            "securityContext.privileged=true)",
        ),
    ),
    (
        (
            "ValidatingAdmissionPolicy 'tags' with binding 'all' denied request: no tag: exceeded quota: few, "
            "requested: pods=1, used: pods=1, limited: pods=1"
        ),
        PolicyDenied("tags", "all", "no tag: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1"),
    ),
    ("ValidatingAdmissionPolicy 'tags' denied request: no tag", PolicyDenied("tags", "", "no tag")),
    (
        'error looking up service account shop/robot: serviceaccount "robot" not found',
        AbsentServiceAccount("shop", "robot"),
    ),
    ("no PriorityClass with name urgent was found", AbsentPriorityClass("urgent")),
    ('pod rejected: RuntimeClass "kata" not found', AbsentRuntimeClass("kata")),
    (
        "unable to create new content in namespace shop because it is being terminated",
        NamespaceTerminating("shop"),
    ),
    (
        "pod node label selector conflicts with its namespace node label selector",
        NodeSelectorConflict("shop"),
    ),
    ("pod node label selector labels conflict with its namespace whitelist", NodeSelectorConflict("shop")),
    (
        (
            'User "system:serviceaccount:kube-system:replicaset-controller" cannot create resource "pods" in API group '
            '"" in the namespace "shop"'
        ),
        NotPermitted("system:serviceaccount:kube-system:replicaset-controller", "create", "pods"),
    ),
    (
        "minimum cpu usage per Container is 50m.  No request is specified",
        BelowMinimum("LimitRange", "50m", "cpu", "container", "requests", ""),
    ),
    (
        "minimum memory usage per Pod is 1.5Gi, but request is 1Gi",
        BelowMinimum("LimitRange", "1.5Gi", "memory", "pod", "requests", "1Gi"),
    ),
    (
        "maximum cpu usage per Container is 1, but limit is 2",
        AboveMaximum("LimitRange", "1", "cpu", "container", "limits", "2"),
    ),
    (
        "maximum cpu usage per Container is 1.  No limit is specified",
        AboveMaximum("LimitRange", "1", "cpu", "container", "limits", ""),
    ),
    (
        "cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000",
        AboveRatio("LimitRange", "2", "cpu", "container", 4.0),
    ),
    (
        "cpu max limit to request ratio per Pod is 2, but no request is specified or request is 0",
        RatioOfNothing("LimitRange", "2", "cpu", "pod"),
    ),
]
# What stands before an answer, by the controller that quotes it.
WRAPPERS = [
    "",
    "Error creating: ",
    "Error creating job: ",
    "create Pod web-0 in StatefulSet web failed error: ",
    "Create Pod web-0 in StatefulSet web failed error: ",
    "create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: ",
    "Create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: ",
    "create Pod web-0 in StatefulSet web failed error: failed to create PVC data-web-0: ",
    'Failed to create new replica set "web-1": ',
]


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize(("why", "problem"), ANSWERS)
def test_why_an_object_is_forbidden_is_read(wrapper: str, why: str, problem: Problem) -> None:
    assert refusal_of(f"{wrapper}{FORBIDDEN}{why}", "shop") == CreationRefusal("pods", "web-x", (problem,))


def test_several_bounds_of_limit_ranges_are_read() -> None:
    why = (
        "[minimum memory usage per Container is 64Mi, but request is 32Mi, maximum cpu usage per Container is 500m, "
        "but limit is 800m, cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000]"
    )
    assert refusal_of(f"Error creating: {FORBIDDEN}{why}", "shop").problems == (
        BelowMinimum("LimitRange", "64Mi", "memory", "container", "requests", "32Mi"),
        AboveMaximum("LimitRange", "500m", "cpu", "container", "limits", "800m"),
        AboveRatio("LimitRange", "2", "cpu", "container", 4.0),
    )


def test_several_ratios_are_read() -> None:
    said = "max limit to request ratio per Container is 2, but provided ratio is 4.000000"

    refusal = refusal_of(f"{FORBIDDEN}[cpu {said}, memory {said}]", "shop")

    assert refusal.problems == tuple(
        AboveRatio("LimitRange", "2", resource, "container", 4.0) for resource in ("cpu", "memory")
    )


@pytest.mark.parametrize("times", ["2.0.", "...", "1" * 400, "٢"])
def test_a_ratio_that_is_no_number_is_quoted_or_read_as_far_as_it_is_one(times: str) -> None:
    said = f"cpu max limit to request ratio per Container is 1, but provided ratio is {times}"

    assert refusal_of(f"{FORBIDDEN}{said}", "shop").problems


def test_a_message_of_one_long_word_is_read_in_time_that_grows_with_its_length() -> None:
    message = f"{FORBIDDEN}minimum {'a' * 2_000_000}"

    assert refusal_of(message, "shop").problems == (Unclassified(message),)


def test_a_claim_beyond_a_bound_is_read() -> None:
    message = (
        "create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: persistentvolumeclaims "
        '"data-web-0" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 5Gi'
    )
    problem = AboveMaximum("LimitRange", "1Gi", "storage", "PersistentVolumeClaim", "requests", "5Gi")
    assert refusal_of(message, "shop") == CreationRefusal("persistentvolumeclaims", "data-web-0", (problem,))


def test_the_limit_range_with_the_bound_is_named_where_it_is_one() -> None:
    refusal = refusal_of(f"{FORBIDDEN}maximum cpu usage per Container is 1, but limit is 2", "shop")

    def ranges(**bounds: str) -> list[dict[str, object]]:
        return [
            {"metadata": {"name": name}, "spec": {"limits": [{"type": "Container", "max": {"cpu": bound}}]}}
            for name, bound in bounds.items()
        ]

    def named(**bounds: str) -> str:
        (problem,) = with_limit_ranges(refusal, ranges(**bounds)).problems
        assert isinstance(problem, AboveMaximum)
        return problem.limit_range

    assert named(wide="2", narrow="1") == "LimitRange narrow"
    assert named(one="1", other="1") == named() == named(wide="2") == "LimitRange"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (
            (
                'admission webhook "policy.example.com" denied the request: exceeded quota: few, requested: pods=1, '
                "used: pods=1, limited: pods=1"
            ),
            WebhookDenied(
                "policy.example.com", "exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1"
            ),
        ),
        (
            'admission webhook "policy.example.com" denied the request without explanation',
            WebhookDenied("policy.example.com", ""),
        ),
        (
            (
                'Internal error occurred: failed calling webhook "policy.example.com": failed to call webhook: Post '
                '"https://policy.example.svc:443/pods?timeout=10s": context deadline exceeded'
            ),
            WebhookFailed(
                "policy.example.com",
                'failed to call webhook: Post "https://policy.example.svc:443/pods?timeout=10s": context deadline '
                "exceeded",
            ),
        ),
        (
            'Internal error occurred: failed calling webhook "policy.example.com"; no further details available',
            WebhookFailed("policy.example.com", "no further details available"),
        ),
        (
            "insufficient quota to match these scopes: [{PriorityClass In [high]}]",
            NoCoveringQuota("shop", "[{PriorityClass In [high]}]"),
        ),
        ('pods "web-0" already exists', NameTaken("pods", "web-0", False)),
        ('object is being deleted: pods "web-0" already exists', NameTaken("pods", "web-0", True)),
        ('namespaces "shop" not found', NamespaceGone("shop")),
        (
            (
                'Pod "web-x" is invalid: spec.containers[0].resources.requests: Invalid value: "2": must be less than '
                "or equal to cpu limit of 1"
            ),
            InvalidField(
                "Pod",
                "spec.containers[0].resources.requests",
                'Invalid value: "2": must be less than or equal to cpu limit of 1',
            ),
        ),
        ("etcdserver: request timed out", Unclassified("etcdserver: request timed out")),
        (f"{FORBIDDEN}it is Monday", Unclassified(f"{FORBIDDEN}it is Monday")),
        ("", Unclassified("")),
    ],
)
def test_other_answers_are_read_or_quoted(answer: str, problem: Problem) -> None:
    assert refusal_of(f"Error creating: {answer}", "shop").problems == (problem,)


def test_each_invalid_field_is_read() -> None:
    answer = (
        'Pod "web-x" is invalid: [spec.containers[0].image: Required value, spec.tolerations[0].operator: Unsupported '
        'value: "In": supported values: "Equal", "Exists"]'
    )
    assert refusal_of(answer, "shop").problems == (
        InvalidField("Pod", "spec.containers[0].image", "Required value"),
        InvalidField(
            "Pod", "spec.tolerations[0].operator", 'Unsupported value: "In": supported values: "Equal", "Exists"'
        ),
    )


amounts = st.sampled_from(["0", "1", "250m", "3", "1Gi", "1536Mi"])
bounds = st.dictionaries(
    st.sampled_from(["pods", "requests.cpu", "requests.memory", "limits.cpu"]), amounts, min_size=1
)


@given(
    hard=bounds,
    requests=st.dictionaries(st.sampled_from(["cpu", "memory"]), amounts),
    wrapper=st.sampled_from(WRAPPERS),
)
def test_what_a_quota_answers_here_is_read_as_what_it_is(
    hard: dict[str, str], requests: dict[str, str], wrapper: str
) -> None:
    ledger = QuotaLedger([a_quota("few", hard=hard, used=dict.fromkeys(hard, "0"))])
    refusal = ledger.refusal(pod_charge(limited("web-x", requests=requests)))
    if refusal is not None:
        assert refusal_of(wrapper + refusal.message, "default").problems == (refusal,)


@given(st.text() | st.builds("".join, st.lists(st.sampled_from([*WRAPPERS, FORBIDDEN, *(why for why, _ in ANSWERS)]))))
def test_any_answer_is_read_as_something(message: str) -> None:
    refusal = refusal_of(message, "shop")
    assert refusal.problems
    assert all(problem.kind for problem in refusal.problems)


def test_a_pod_that_a_quota_lets_in_is_not_refused() -> None:
    ledger = QuotaLedger([a_quota("few", hard={"pods": "2"}, used={"pods": "1"})])
    assert ledger.refusal(pod_charge(a_pod("web-x"))) is None
