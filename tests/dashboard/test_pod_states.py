"""The states that a pod goes through, with its own marked, on its page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.clusters.dumps import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PATH = ["Created", "SchedulingGated", "Ready to be scheduled", "Scheduled", "Running"]
REJECTED = {"phase": "Failed", "reason": "OutOfcpu", "message": "Pod was rejected: Node didn't have enough resource"}


@pytest.mark.parametrize(
    ("document", "path", "own"),
    [
        (pod(schedulingGates=[{"name": "example.com/foo"}]), PATH, "SchedulingGated"),
        (pod(), PATH, "Ready to be scheduled"),
        # Nothing decides for its scheduler here.
        (pod(schedulerName="volcano"), PATH, "Ready to be scheduled"),
        ({**pod(on="n1"), "status": {"phase": "Pending"}}, PATH, "Scheduled"),
        (pod(on="n1"), PATH, "Running"),
        ({**pod(on="n1"), "status": {"phase": "Succeeded"}}, [*PATH, "Succeeded"], "Succeeded"),
        ({**pod(on="n1"), "status": REJECTED}, [*PATH[:-1], "Failed"], "Failed"),
    ],
)
def test_the_page_of_a_pod_draws_its_states_and_marks_its_own(
    document: dict[str, Any], path: list[str], own: str, tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "shop", [node("n1"), document])

    html = signed_in_client.get("/clusters/shop/pods/shop/web/").text

    (drawn,) = re.findall(r'<ol class="pod-states".*?</ol>', html, re.DOTALL)
    items = re.findall(r"<li([^>]*)>([^<]+)</li>", drawn)
    assert [name for _, name in items] == path
    assert [name for attributes, name in items if 'aria-current="step"' in attributes] == [own]
    passed_by = [name for attributes, name in items if "Only with scheduling gates" in attributes]
    assert passed_by == ([] if own == "SchedulingGated" else ["SchedulingGated"])
