"""Who uses a quota, and how many more pods like theirs it lets in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.quotas import QuotaLedger, pod_charge, quota_users
from tests.engine.builders import Document, a_pod
from tests.engine.quotas.quotas import a_quota


def of(controller: str, name: str, cpu: str) -> Document:
    pod = a_pod(name, requests={"cpu": cpu})
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": controller, "controller": True}
    pod["metadata"]["ownerReferences"] = [owner]
    return pod


def test_workloads_come_in_the_order_of_what_they_use() -> None:
    (quota,) = QuotaLedger(
        [a_quota(hard={"requests.cpu": "10", "pods": "100"}, used={"requests.cpu": "5", "pods": "3"})]
    )
    pods = [of("small", "small-0", "1"), of("large", "large-0", "1"), of("large", "large-1", "3")]
    finished = {**of("small", "small-1", "9"), "status": {"phase": "Succeeded"}}
    elsewhere = a_pod("other", namespace="other", requests={"cpu": "9"})

    (found,) = quota_users([quota], [*pods, finished, elsewhere])

    assert [(user.workload.name, user.share, user.more) for user in found] == [("large", 0.4, 1), ("small", 0.1, 5)]
    assert {name: str(amount) for name, amount in found[0].amounts.items()} == {"requests.cpu": "4", "pods": "2"}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 5)), max_size=12))
def test_what_workloads_use_is_what_the_quota_counts(pods: list[tuple[str, int]]) -> None:
    made = [of(name, f"{name}-{number}", str(cpu)) for number, (name, cpu) in enumerate(pods)]
    ledger = QuotaLedger([a_quota(hard={"requests.cpu": "100", "pods": "100"}, used={})])
    for pod in made:
        ledger.charge(pod_charge(pod))
    (quota,) = ledger

    (users,) = quota_users([quota], made)

    for resource, used in quota.used.items():
        assert sum(user.amounts[resource].nanos for user in users) == used.nanos
