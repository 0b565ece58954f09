"""How pages look that need no gesture: those of the demo, and those of clusters made for what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.models import Cluster
from clusters.services.pending.queue import preemptors_of
from tests.browser.looks import flaws, flaws_of_pages, wear
from tests.clusters.dumps import node, pod
from tests.clusters.test_upgrade_command import drained
from tests.clusters.usage.builders import filesystem
from tests.dashboard.test_device_evictions import tainted
from tests.dashboard.test_devices import objects as devices
from tests.dashboard.test_node_disks import GIB, measured, stats, storing
from tests.dashboard.test_node_kubelet import ash
from tests.dashboard.test_quotas import quota, web
from tests.dashboard.test_refused import refused_deployments
from tests.dashboard.test_search_order import address as ordered, load_nodes
from tests.dashboard.test_upgrade import PAGE as UPGRADE, TAINT, objects as upgrading
from tests.dashboard.test_usage import objects as using, take
from tests.engine.device_builders import DRIVER
from tests.support.batch_systems import JOB_SET, KUEUE, batch_objects
from tests.support.gangs import load_gangs
from tests.support.mirrored import load
from tests.support.racks import load_racks

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.long]

DEMO_PAGES = (
    "spread/",
    "spread/workloads/",
    "budgets/",
    "budgets/blocked-drains/",
    "budgets/shop/frontend/",
    "budgets/batch/image-resizer/",
    "budgets/payments/legacy-gateway/",
    "pending/queue/",
    "pending/queue/?state=nominated",
    "pending/preemption/",
    "usage/",
    "nodes/general-b-03/usage/",
    "workloads/Deployment/shop/storefront/",
)
DEVICES = ("", "claims/", "claims/shop/wanted/", "claims/shop/held/", f"pools/{DRIVER}/n1/")


def test_pages_of_the_demo(demo_page: Page) -> None:
    demo_page.goto("/clusters/demo/spread/")
    # The second has the longest words of the table: its next pod is allowed and exceeds maxSkew.
    groups = [demo_page.locator(".entries a", has_text=name).first for name in ("data/kafka", "ml/inference")]
    addresses = [str(group.get_attribute("href")) for group in groups]
    risks = preemptors_of(cluster=Cluster.objects.get(name="demo")).risks
    victim = f"/clusters/demo/pods/{next(risk.selected[0] for risk in risks if risk.selected)}/"
    addresses += [f"/clusters/demo/{page}" for page in DEMO_PAGES]

    assert flaws_of_pages(demo_page, [*addresses, f"{victim}removal/"]) == {}
    expect(demo_page.get_by_text("Preempts it").first).to_be_visible()

    demo_page.goto(victim)
    demo_page.locator("#removal > summary").click()
    expect(demo_page.locator("#removal-part")).to_contain_text("Preempt")
    assert flaws(demo_page) == []


def test_pages_of_clusters_made_for_them(page: Page, tmp_path: Path) -> None:
    load(tmp_path, "gpus", devices())
    load(tmp_path, "tainted", tainted(requested=True))
    load_gangs(tmp_path)
    load_gangs(tmp_path, "off", gates={"GenericWorkload": False})
    load(tmp_path, "batch", batch_objects())
    load_racks(tmp_path)
    load(tmp_path, "plain", [node("n1"), pod("web", on="n1")])
    used = {"requests.cpu": "5500m", "requests.nvidia.com/gpu": "3"}
    compute = quota("compute", {"requests.cpu": "8", "requests.nvidia.com/gpu": "3"}, used, scopes=["NotTerminating"])
    other = quota("memory", {"requests.memory": "8Gi"}, {"requests.memory": "1Gi"})
    load(tmp_path, "quotas", [node("n1"), compute, other, web("web-1"), web("web-2"), pod("bare", on="n1")])
    load(tmp_path, "refused", [node("ash"), *refused_deployments()])
    take(load(tmp_path, "used", using()), tmp_path, 30)
    load(tmp_path, "unused", using())
    images = filesystem(1, availableBytes=5 * GIB, capacityBytes=50 * GIB, inodesFree=9, inodes=10)
    disks = load(tmp_path, "disks", [ash(), storing("large", "90Gi"), storing("greedy", "1Gi")])
    greedy = stats("large", rootfs=8 * GIB), stats("greedy", logs=2 * GIB)
    measured(disks, tmp_path, *greedy, runtime={"imageFs": images, "containerFs": images})

    addresses = [
        *(f"gpus/devices/{address}" for address in DEVICES),
        "tainted/nodes/n0/",
        "tainted/pods/shop/train/?at=now",
        *(f"racks/pod-groups/ml/{name}/" for name in ("wide", "small", "urgent", "leaving", "held")),
        "racks/pods/ml/urgent-0/",
        *(f"gangs/pod-groups/{address}" for address in ("", "ml/train/", "ml/infer/", "ml/web/", "ml/lost/")),
        *(f"batch/pod-groups/{address}" for address in ("", f"ml/{KUEUE}/sample/", f"ml/{JOB_SET}/paused/")),
        "batch/pending/",
        "batch/pods/ml/sample-0/",
        "off/pod-groups/",
        "off/pod-groups/ml/train/",
        "plain/pod-groups/",
        "quotas/quotas/",
        "refused/pending/",
        "used/usage/",
        "unused/usage/",
        "disks/nodes/ash/pressure/?signal=nodefs.available",
        "disks/pods/shop/greedy/",
    ]
    assert flaws_of_pages(page, [f"/clusters/{address}" for address in addresses]) == {}


def test_the_page_of_an_upgrade(page: Page, tmp_path: Path) -> None:
    load(tmp_path, "upgrade-page", upgrading("v1.34.1", TAINT))
    assert flaws_of_pages(page, (UPGRADE,)) == {}

    load(tmp_path, "upgrade-page", drained())
    assert flaws_of_pages(page, (UPGRADE,)) == {}
    page.locator("summary", has_text="general").click()
    assert page.get_by_role("link", name="n1").is_visible()


def test_the_order_of_a_search_is_computed_once_it_is_opened(page: Page, tmp_path: Path) -> None:
    load_nodes(tmp_path, 260, full=40)
    assert flaws_of_pages(page, (ordered("search-order"), f"{ordered('why-not')}?node=n100")) == {}

    load_nodes(tmp_path, 125)
    wear(page, width=1440, theme="light")
    page.goto(ordered())
    page.locator("#search-order-card > summary").click()
    expect(page.get_by_role("cell", name="80.00 %").first).to_be_visible()
