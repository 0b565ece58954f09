"""Terms of pod affinity as they are read."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.objects import AffinityTerm
from clusters.engine.selectors import SelectorError

EMPTY_SET: dict[str, Any] = {"matchExpressions": [{"key": "app", "operator": "In", "values": []}]}
FULL_EXISTS: dict[str, Any] = {"matchExpressions": [{"key": "app", "operator": "Exists", "values": ["x"]}]}


@pytest.mark.parametrize(("pods", "namespaces"), [(EMPTY_SET, FULL_EXISTS), (FULL_EXISTS, EMPTY_SET)])
def test_of_two_unreadable_selectors_that_of_the_pods_is_told(pods: Any, namespaces: Any) -> None:
    with pytest.raises(SelectorError) as alone:
        AffinityTerm.from_dict({"labelSelector": pods}, "shop")
    with pytest.raises(SelectorError) as both:
        AffinityTerm.from_dict({"labelSelector": pods, "namespaceSelector": namespaces}, "shop")

    assert str(both.value) == str(alone.value)
