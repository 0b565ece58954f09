"""Admission twice is admission once, and nothing that a pod says itself is lost."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.admission import admit

AMOUNTS = st.dictionaries(
    st.sampled_from(["cpu", "memory", "hugepages-2Mi"]), st.sampled_from(["0", "100m", "1", "2", "1Gi"])
)
RESOURCES = st.fixed_dictionaries({}, optional={"requests": AMOUNTS, "limits": AMOUNTS})
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
                "overhead": AMOUNTS,
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
        optional={"default": AMOUNTS, "defaultRequest": AMOUNTS, "min": AMOUNTS, "max": AMOUNTS},
    ),
    max_size=2,
)


@given(pod=PODS, limits=st.lists(LIMITS, max_size=2), is_default=st.booleans(), tolerations=TOLERATIONS)
@settings(max_examples=150, deadline=None)
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
