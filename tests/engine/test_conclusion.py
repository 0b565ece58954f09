"""Whether a pod fits: certain only where nothing that could reject it is left out of the computation."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.admission.problems import AboveMaximum, AboveRatio, BelowMinimum, RatioOfNothing
from clusters.engine.conclusion import (
    Conclusion,
    FilteringExtender,
)
from clusters.engine.problems import NoSuchObject, Problem
from clusters.engine.quotas import QuotaExceeded, QuotaLedger, QuotaUnspecified, pod_charge
from clusters.engine.scheduling import Part, foreign_scorers, scoring_extenders, stages
from clusters.engine.status import Phase, has_same_reasons, read_refusal
from clusters.engine.workloads import (
    CreationRefusal,
    InvalidField,
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
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice, claiming
from tests.engine.quotas.quotas import a_quota, limited
from tests.support.answers import known

CLAIMS = claiming("gpu")


# Devices that several claims may share are not computed.
SHARED = (a_class(), a_slice(a_device(allowMultipleAllocations=True)), a_resource_claim(a_request(), name="gpu"))


def enabling(point: str, plugin: str = "Coscheduling", **disabled: Any) -> Document:
    return {"profiles": [{"plugins": {point: {"enabled": [{"name": plugin}], **disabled}}}]}


def an_extender(**fields: Any) -> Document:
    return {"extenders": [{"urlPrefix": "http://extender.example/api", **fields}]}


def test_what_computed_filters_reject_everywhere_does_not_fit_whatever_is_left_open() -> None:
    pod = a_pod(resourceClaims=CLAIMS, requests={"cpu": "100"})
    found = explanation_of(pod, a_node("n0"), *SHARED, **an_extender(filterVerb="filter"))

    assert found.conclusion is Conclusion.UNSCHEDULABLE
    assert len(found.uncertainties) == 2


@pytest.mark.parametrize("point", ["postFilter", "preScore", "score", "bind", "postBind"])
def test_foreign_plugin_that_cannot_reject_leaves_it_certain(point: str) -> None:
    found = explanation_of(a_pod(), a_node("n0"), **enabling(point))

    assert found.conclusion is Conclusion.FITS
    assert found.unknown_plugins == ("Coscheduling",)
    assert foreign_scorers(found.profile) == (("Coscheduling",) if point in ("preScore", "score") else ())


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

    assert explanation_of(a_pod(**named), node, **extender).uncertainties == (
        FilteringExtender("http://extender.example/api", ("example.com/foo",), ignorable=False),
    )
    assert explanation_of(a_pod(), node, **extender).conclusion is Conclusion.FITS


TAINTED = "node(s) had untolerated taint(s)"
GOLD: Document = {"key": "gold", "effect": "NoSchedule"}


@pytest.mark.parametrize(
    ("plugins", "added"),
    [
        pytest.param({}, "no new claims to deallocate, preemption: {}", id="as shipped"),
        pytest.param(
            {"postFilter": {"disabled": [{"name": "DynamicResources"}]}}, "preemption: {}", id="without devices"
        ),
        pytest.param(
            {"postFilter": {"disabled": [{"name": "DefaultPreemption"}]}},
            "no new claims to deallocate",
            id="no preemption",
        ),
        pytest.param({"postFilter": {"disabled": [{"name": "*"}]}}, "", id="nothing"),
        pytest.param({"preFilter": {"disabled": [{"name": "DynamicResources"}]}}, "not found", id="unprepared"),
    ],
)
def test_every_post_filter_plugin_has_its_say(plugins: Document, added: str) -> None:
    configuration = SchedulerConfiguration.from_dict(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [{"plugins": plugins}],
        }
    )
    snapshot = Snapshot.from_objects([a_node("a", taints=[GOLD])])
    preempting = "0/1 nodes are available: 1 Preemption is not helpful for scheduling."

    explanation = explain(snapshot, a_pod(), configuration.profiles[0])

    assert explanation.message == f"{explanation.fit_error} {added.format(preempting)}".rstrip()


@pytest.mark.parametrize(
    ("message", "reasons"),
    [
        (
            (
                "0/3 nodes are available: 3 cannot allocate all claims. still not schedulable, preemption: 0/3 nodes "
                "are available: 3 Preemption is not helpful for scheduling."
            ),
            {"cannot allocate all claims": 3},
        ),
        (
            "0/2 nodes are available: 2 cannot allocate all claims. deallocation of ResourceClaim completed.",
            {"cannot allocate all claims": 2},
        ),
        (
            "0/5 nodes are available: 1 PodToleratesNodeTaints, 4 PodExceedsFreeCPU.",
            {"Insufficient cpu": 4, TAINTED: 1},
        ),
        (
            (
                "No nodes are available that match all of the following predicates:: Insufficient cpu (3), "
                "MatchNodeSelector (2)."
            ),
            {"Insufficient cpu": 3, "node(s) didn't match Pod's node affinity/selector": 2},
        ),
        (
            (
                "pod (web-1) failed to fit in any node\nfit failure summary on nodes : PodExceedsFreeMemory (1), "
                "PodExceedsFreeCPU (2)"
            ),
            {"Insufficient memory": 1, "Insufficient cpu": 2},
        ),
        ("Failed for reason PodExceedsFreeCPU and possibly others", {"Insufficient cpu": 1}),
    ],
)
def test_a_refusal_is_read_in_any_form_that_schedulers_have_written(message: str, reasons: dict[str, int]) -> None:

    assert known(read_refusal(message)).reasons == reasons


@pytest.mark.parametrize(
    ("message", "is_same"),
    [
        ("Failed for reason PodExceedsFreeCPU and possibly others", True),
        ("Failed for reason PodExceedsFreeMemory and possibly others", False),
        (
            (
                "No nodes are available that match all of the predicates: PodExceedsFreeCPU (2), "
                "PodToleratesNodeTaints (3)."
            ),
            True,
        ),
        ("No nodes are available that match all of the predicates: PodExceedsFreeCPU (2).", False),
        ("3/3 tasks in gang unschedulable", False),
    ],
)
def test_a_message_of_an_earlier_form_is_compared_by_its_reasons(message: str, is_same: bool) -> None:
    refusal = (
        "0/5 nodes are available: 1 node(s) had untolerated taint {a: }, 2 Insufficient cpu, 2 node(s) had untolerated "
        "taint {b: }."
    )

    assert has_same_reasons(message, refusal) is is_same


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
        NoSuchObject("ServiceAccount", f"{'shop'}/{'robot'}"),
    ),
    ("no PriorityClass with name urgent was found", NoSuchObject("PriorityClass", "urgent")),
    ('pod rejected: RuntimeClass "kata" not found', NoSuchObject("RuntimeClass", "kata")),
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


@pytest.mark.parametrize(("why", "problem"), ANSWERS)
def test_why_an_object_is_forbidden_is_read(why: str, problem: Problem) -> None:
    for wrapper in WRAPPERS:
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


def test_a_message_of_one_long_word_is_read_in_time_that_grows_with_its_length() -> None:
    message = f"{FORBIDDEN}minimum {'a' * 2_000_000}"

    assert refusal_of(message, "shop").problems == (Unclassified(message),)


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
        ('namespaces "shop" not found', NoSuchObject("Namespace", "shop")),
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


PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
NOT_A_NUMBER = (
    'running PreScore plugin "NodeAffinity": [0].matchExpressions[0].values[0]: Invalid value: "abc": '
    "for 'Gt', 'Lt' operators, the value must be an integer"
)
NO_OWNER = "PVC default/old-tmp was not created for pod default/old (pod is not owner)"
WITHOUT_PRE_SCORE: Document = {
    "profiles": [{"plugins": {"multiPoint": {"disabled": [{"name": "PodTopologySpread"}]}, "score": {"enabled": [
        {"name": "PodTopologySpread"}]}}}]
}  # fmt: skip


def preferring_a_number(**fields: Any) -> Document:
    preference = {"matchExpressions": [{"key": "cores", "operator": "Gt", "values": ["abc"]}]}
    return a_pod(affinity={"nodeAffinity": {PREFERRED: [{"weight": 1, "preference": preference}]}}, **fields)


def pod_with_claim(**fields: Any) -> Document:
    return a_pod(volumes=[{"persistentVolumeClaim": {"claimName": "data"}}], **fields)


def a_cluster_with_a_stolen_claim(*names: str, on: str) -> list[Document]:
    """Nodes that count volumes, and on one of them a pod whose ephemeral volume's claim is another's."""
    template = {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
    old = a_pod("old", node=on)
    old["spec"]["volumes"] = [{"name": "tmp", "ephemeral": {"volumeClaimTemplate": template}}]
    claims = [
        {
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": name, "namespace": "default", "uid": name},
            "spec": {**template["spec"], "storageClassName": "fast"},
        }
        for name in ("data", "old-tmp")
    ]
    drivers = [{"name": "d", "allocatable": {"count": 9}}]
    csi_nodes = [{"kind": "CSINode", "metadata": {"name": name}, "spec": {"drivers": drivers}} for name in names]
    fast = {
        "kind": "StorageClass",
        "metadata": {"name": "fast"},
        "provisioner": "d",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    return [*map(a_node, names), *csi_nodes, *claims, fast, old]


def test_a_spread_constraint_that_cannot_be_read_ends_the_cycle_in_pre_filter() -> None:
    selector = {"matchExpressions": [{"key": "app", "operator": "Near"}]}
    constraint = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector}
    hard = explanation_of(a_pod(topologySpreadConstraints=[constraint]), a_node("n0"))
    soft = explanation_of(
        a_pod(topologySpreadConstraints=[{**constraint, "whenUnsatisfiable": "ScheduleAnyway"}]),
        a_node("n0"),
        a_node("n1"),
    )

    wrong = '"Near" is not a valid label selector operator'
    assert hard.message == (
        'running PreFilter plugin "PodTopologySpread": get constraints from pod: '
        f"obtaining pod's hard topology spread constraints: {wrong}"
    )
    assert soft.message == (
        'running PreScore plugin "PodTopologySpread": calculating preScoreState: '
        f"obtaining pod's soft topology spread constraints: {wrong}"
    )


def test_a_profile_that_scores_without_the_plugins_pre_score_schedules_nothing() -> None:
    explanation = explanation_of(a_pod(), a_node("n0"), a_node("n1"), **WITHOUT_PRE_SCORE)

    assert explanation.message == (
        'running Score plugins: plugin "PodTopologySpread" failed with: '
        'error reading "PreScorePodTopologySpread" from cycleState: not found'
    )
    assert not explanation.fits


def test_a_score_beyond_int64_ends_the_cycle() -> None:
    """(allocatable − requested) × 100 leaves int64, so that the score is negative."""
    nodes = [a_node(name, allocatable={"memory": "100Pi", "cpu": "0"}) for name in ("n0", "n1")]
    explanation = explanation_of(a_pod(requests={"memory": "1Gi"}), *nodes)

    assert explanation.error is not None
    assert (explanation.error.phase, explanation.error.node) == (Phase.WEIGHING, "n0")
    assert explanation.message is not None
    assert explanation.message.startswith(
        'applying score defaultWeights on Score plugins: plugin "NodeResourcesFit" returns an invalid score -'
    )
    assert explanation.message.endswith(", it should in the range of [0, 100] after normalizing")
    assert explanation_of(a_pod(requests={"memory": "1Gi"}), nodes[0]).fits


def test_a_dry_run_that_fails_replaces_the_text_about_preemption() -> None:
    cluster = a_cluster_with_a_stolen_claim("n0", on="n0")
    victim = a_pod("victim", node="n0", requests={"cpu": "7"}, priority=-1)
    explanation = explanation_of(pod_with_claim(requests={"cpu": "2"}, priority=0), *cluster, victim)

    preemption = known(explanation.preemption)
    assert (preemption.eligible, preemption.failed, preemption.candidates) == (True, True, ())
    assert explanation.message == (
        f'0/1 nodes are available: 1 Insufficient cpu. preemption: running "NodeVolumeLimits" filter plugin: {NO_OWNER}'
    )


@pytest.mark.parametrize(
    ("pod", "cluster", "point"),
    [
        (preferring_a_number(), [a_node("n0"), a_node("n1")], "preScore"),
        (pod_with_claim(), a_cluster_with_a_stolen_claim("n0", "n1", on="n0"), "filter"),
    ],
)
def test_nothing_is_reached_after_an_error(pod: Document, cluster: list[Document], point: str) -> None:
    explanation = explanation_of(pod, *cluster)
    found = {stage.point: stage for stage in stages(explanation)}

    failed = [part for part in found[point].parts if part.part is Part.REJECTED]
    assert [part.plugin for part in failed] == [known(explanation.error).plugin]
    assert not any(found[later].reached for later in ("postFilter", "score", "normalizeScore", "reserve", "bind"))


def test_amounts_beyond_int64_never_fail_a_cluster() -> None:
    """Two such containers of one bound pod wrap, as they do in the scheduler's own sum."""
    huge = a_pod("huge", node="n0")
    huge["spec"]["containers"] = [
        {"name": name, "resources": {"requests": {"cpu": cpu}}} for name, cpu in (("a", "9223372036854775"), ("b", "2"))
    ]

    assert Snapshot.from_objects([a_node("n0"), huge]).nodes.requested[0, 0] == -9223372036854774616
    assert explanation_of(a_pod(requests={"cpu": "1"}), a_node("n0"), huge).as_recorded()["feasible"] in (["n0"], [])
