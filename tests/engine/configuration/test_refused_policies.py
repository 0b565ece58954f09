"""A Policy that no kube-scheduler took is refused, by the path of the field in the Policy."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import ConfigurationError, SchedulerConfiguration

SHAPE = {"shape": [{"utilization": 0, "score": 0}, {"utilization": 0, "score": 10}]}


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"predicate": []}, "predicate"),
        ({"predicates": {}}, "predicates"),
        ({"predicates": [{"name": "Fits"}]}, "predicates[0].name"),
        ({"predicates": [{"name": "Fits", "argument": {}}]}, "predicates[0].argument"),
        (
            {"predicates": [{"name": "A", "argument": {"labelsPresence": {"label": "x"}}}]},
            "predicates[0].argument.labelsPresence.label",
        ),
        ({"priorities": [{"name": "EqualPriority"}]}, "priorities[0].weight"),
        ({"priorities": [{"name": "EqualPriority", "weight": 0}]}, "priorities[0].weight"),
        ({"priorities": [{"name": "EqualPriority", "weight": 2**31}]}, "priorities[0].weight"),
        ({"priorities": [{"name": "Ratio", "weight": 1}]}, "priorities[0].name"),
        (
            {
                "priorities": [
                    {"name": "EqualPriority", "weight": 1},
                    {"name": "A", "weight": 1, "argument": {"requestedToCapacityRatioArguments": SHAPE}},
                ]
            },
            "priorities[1].argument.requestedToCapacityRatioArguments.shape[1].utilization",
        ),
        (
            {
                "priorities": [
                    {"name": "A", "weight": 1, "argument": {"requestedToCapacityRatioArguments": {"shape": []}}},
                    {"name": "B", "weight": 1, "argument": {"requestedToCapacityRatioArguments": {"shape": []}}},
                ]
            },
            "priorities[1]",
        ),
        (
            {
                "priorities": [
                    {"name": "A", "weight": 1, "argument": {"serviceAntiAffinity": {"label": "a"}}},
                    {"name": "B", "weight": 2, "argument": {"serviceAntiAffinity": {"label": "b"}}},
                ]
            },
            "priorities[1].weight",
        ),
        ({"hardPodAffinitySymmetricWeight": 101}, "hardPodAffinitySymmetricWeight"),
        ({"alwaysCheckAllPredicates": "yes"}, "alwaysCheckAllPredicates"),
        ({"extenders": [{"managedResources": [{"name": "cpu"}]}]}, "extenders[0].managedResources[0].name"),
        ({"extenders": ["http://x"]}, "extenders[0]"),
    ],
)
def test_a_policy_that_no_kube_scheduler_took_is_refused_by_its_own_paths(fields: dict[str, Any], path: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        SchedulerConfiguration.from_dict({"kind": "Policy", "apiVersion": "v1", **fields})

    assert raised.value.path == path
