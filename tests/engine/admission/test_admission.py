"""What admission adds to a new pod, by what, and why it would refuse one."""

from __future__ import annotations

from typing import Any

from clusters.engine import Snapshot
from clusters.engine.admission import Admission, SourceKind, ValueSource, admit
from clusters.engine.admission.problems import AboveMaximum, AboveRatio, BelowMinimum
from clusters.engine.versions import RELEASES

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


def limit_range(name: str, namespace: str = "shop", **limit: Any) -> Object:
    return an_object("LimitRange", name, namespace, spec={"limits": [{"type": "Container", **limit}]})


def resources(admission: Admission, number: int = 0, kind: str = "containers") -> Object:
    found: Object = admission.pod["spec"][kind][number].get("resources", {})
    return found


def refusals(admission: Admission) -> list[tuple[str, str]]:
    return [(each.by, each.field) for each in admission.refusals]


def test_a_pod_that_says_nothing_gets_what_every_pod_gets() -> None:
    given = a_pod()
    found = admitted(given)
    assert found.pod["spec"] == {
        "containers": [{"name": "web", "image": "web:1"}],
        "schedulerName": "default-scheduler",
        "priority": 0,
        "preemptionPolicy": "PreemptLowerPriority",
        "tolerations": [NOT_READY, UNREACHABLE],
    }
    assert [(each.by, each.field) for each in found.additions] == [
        ("API defaults", "spec.schedulerName"),
        ("Priority", "spec.priority"),
        ("Priority", "spec.preemptionPolicy"),
        ("DefaultTolerationSeconds", "spec.tolerations"),
        ("DefaultTolerationSeconds", "spec.tolerations"),
    ]
    assert not found.refusals
    assert given == a_pod()


def test_requests_come_from_limits_where_they_are_not_named() -> None:
    web = {"name": "web", "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2", "memory": "1Gi"}}}
    found = admitted(a_pod(containers=[web], initContainers=[{"name": "i", "resources": {"limits": {"cpu": "3"}}}]))
    assert resources(found)["requests"] == {"cpu": "1", "memory": "1Gi"}
    assert resources(found, kind="initContainers")["requests"] == {"cpu": "3"}


def test_pod_level_requests_come_from_the_containers_or_else_from_the_pod_s_limits() -> None:
    web = {"name": "web", "resources": {"requests": {"cpu": "250m"}}}
    found = admitted(a_pod(containers=[web, web], resources={"limits": {"cpu": "2", "memory": "1Gi"}}))
    assert found.pod["spec"]["resources"]["requests"] == {"cpu": "500m", "memory": "1Gi"}


def test_from_1_37_on_pods_as_a_whole_are_completed_after_limit_ranges() -> None:
    default = limit_range("limits", default={"memory": "512Mi"})
    pod = a_pod(resources={"limits": {"cpu": "2", "memory": "2Gi"}}, containers=[{"name": "web"}])

    before, after = (admit(pod, Snapshot.from_objects([default], RELEASES[minor])).pod for minor in ("1.36", "1.37"))

    assert before["spec"]["resources"]["requests"] == {"cpu": "2", "memory": "2Gi"}
    assert after["spec"]["resources"]["requests"] == {"cpu": "2", "memory": "512Mi"}


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


def test_host_network_makes_container_ports_host_ports() -> None:
    ports = [{"containerPort": 80}, {"containerPort": 81, "hostPort": 8081}]
    found = admitted(a_pod(hostNetwork=True, containers=[{"name": "web", "ports": ports}]))
    assert [port["hostPort"] for port in found.pod["spec"]["containers"][0]["ports"]] == [80, 8081]


def test_a_limit_range_fills_in_what_containers_do_not_name_and_derives_requests_from_limits() -> None:
    ranges = (
        limit_range("a", default={"cpu": "1"}, defaultRequest={"cpu": "100m"}),
        limit_range("b", max={"memory": "2Gi"}),
        limit_range("elsewhere", "other", default={"cpu": "9", "memory": "9Gi"}),
    )
    found = admitted(a_pod(containers=[{"name": "web", "resources": {"requests": {"cpu": "50m"}}}]), *ranges)
    assert resources(found) == {
        "requests": {"cpu": "50m", "memory": "2Gi"},
        "limits": {"cpu": "1", "memory": "2Gi"},
    }
    sources = {each.source for each in found.additions if each.by == "LimitRanger"}
    assert sources == {ValueSource(SourceKind.OBJECT, "LimitRange a"), ValueSource(SourceKind.OBJECT, "LimitRange b")}
    assert not found.refusals


def test_bounds_that_are_not_kept_are_named_with_what_would_do() -> None:
    ranges = (limit_range("a", min={"cpu": "500m"}, max={"memory": "1Gi"}, maxLimitRequestRatio={"cpu": "2"}),)
    web = {"name": "web", "resources": {"requests": {"cpu": "0.2"}, "limits": {"cpu": "1", "memory": "2Gi"}}}
    found = admitted(a_pod(containers=[web]), *ranges)
    assert refusals(found) == [
        ("LimitRanger", "spec.containers[0].resources.requests.cpu"),
        ("LimitRanger", "spec.containers[0].resources.limits.memory"),
        ("LimitRanger", "spec.containers[0].resources.limits.cpu"),
    ]
    low, high, far = (each.problem for each in found.refusals)
    assert low == BelowMinimum("LimitRange a", "500m", "cpu", "container", "requests", "0.2")
    assert high == AboveMaximum("LimitRange a", "1Gi", "memory", "container", "limits", "2Gi")
    assert far == AboveRatio("LimitRange a", "2", "cpu", "container", 5.0)


def test_bounds_of_a_pod_are_held_against_all_containers_together_without_overhead() -> None:
    bound = an_object("LimitRange", "a", "shop", spec={"limits": [{"type": "Pod", "max": {"cpu": "1"}}]})
    half, second, third = ({"name": name, "resources": {"limits": {"cpu": "500m"}}} for name in ("a", "b", "c"))
    runtime = an_object("RuntimeClass", "vm", overhead={"podFixed": {"cpu": "1"}})
    fine = admitted(a_pod(containers=[half, second], runtimeClassName="vm"), bound, runtime)
    assert refusals(fine) == []
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
    system = admitted(a_pod(priorityClassName="system-node-critical")).pod["spec"]
    assert system["priority"] == 2_000_001_000


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


def test_tolerations_that_say_how_long_are_kept() -> None:
    own = {"key": NOT_READY["key"], "operator": "Exists", "effect": "NoExecute"}
    assert admitted(a_pod(tolerations=[own])).pod["spec"]["tolerations"] == [own, UNREACHABLE]
    everything = {"operator": "Exists"}
    assert admitted(a_pod(tolerations=[everything])).pod["spec"]["tolerations"] == [everything]


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
    same = a_pod(runtimeClassName="vm", overhead={"cpu": "0.25"})
    assert refusals(admitted(same, runtime)) == []


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
    required = found["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][0]
    assert required["labelSelector"] == {
        "matchLabels": {"app": "web"},
        "matchExpressions": [is_hash, {"key": "tenant", "operator": "NotIn", "values": ["t"]}],
    }
    preferred = found["affinity"]["podAntiAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"][0]
    assert "labelSelector" not in preferred["podAffinityTerm"], "nothing is matched without a selector"
    assert found["topologySpreadConstraints"][0]["labelSelector"] == {"matchExpressions": [is_hash]}
