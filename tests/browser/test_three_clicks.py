"""Somebody who has never seen Berth: six questions about the demo cluster, each answered within three clicks of `/`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from clusters.demo import demo_objects
from clusters.engine import SchedulerConfiguration, Snapshot, UnknownScheduler, explain
from clusters.engine.plugins.node_resources_fit import PODS, TOO_MANY_PODS
from clusters.engine.scheduling.explanation import place
from tests.support.constraints import about
from tests.support.mirrored import load_demo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from clusters.engine import Explanation

pytestmark = pytest.mark.browser

DEFAULT = SchedulerConfiguration.default()


class Reader:
    """Somebody at the first page, whose clicks are counted. Enter in a field counts as one; typing does not."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        page.goto("/")

    def click(self, link: Locator) -> None:
        self.clicks += 1
        link.click()

    def enter(self, field: Locator, text: str) -> None:
        self.clicks += 1
        field.fill(text)
        field.press("Enter")


@pytest.fixture
def reader(live_berth: object, tmp_path: Path, page: Page) -> Iterator[Reader]:
    """Return a reader of the demo cluster, as `make run` shows it."""
    load_demo(tmp_path)
    reader = Reader(page)
    yield reader
    assert reader.clicks <= 3


@cache
def snapshot() -> Snapshot:
    return Snapshot.from_objects(demo_objects())


def pods() -> dict[str, dict[str, Any]]:
    found = (document for document in demo_objects() if document["kind"] == "Pod")
    return {f"{pod['metadata']['namespace']}/{pod['metadata']['name']}": pod for pod in found}


def explained(pod: dict[str, Any]) -> Explanation:
    free = {**pod, "spec": {name: part for name, part in pod["spec"].items() if name != "nodeName"}}
    return explain(snapshot(), free, DEFAULT.profile_for(pod))


def stuck() -> dict[str, Explanation]:
    """Return what holds up the pods that fit nowhere."""
    found = {}
    for key, pod in pods().items():
        if pod["spec"].get("nodeName") or pod["status"].get("phase") != "Pending":
            continue
        try:
            explanation = explained(pod)
        except UnknownScheduler:
            continue
        if explanation.gates.ok and not explanation.fits:
            found[key] = explanation
    return found


def test_which_pods_are_stuck_and_why(reader: Reader) -> None:
    page = reader.page
    cause = page.locator(".tray-causes").get_by_role("link", name="node pod limit reached")
    counted = int(cause.inner_text().split()[0])
    reader.click(cause)
    reader.click(page.locator(".tray-pods").get_by_role("link", name=f"{counted - 2} more pods"))
    links = page.locator("tr[data-key] th a[href*='/pods/']")
    expect(links).to_have_count(counted)
    first = links.first.inner_text()
    reader.click(links.first)

    blocked = stuck()
    assert sum(TOO_MANY_PODS in (each.message or "") for each in blocked.values()) >= counted
    message = blocked[first].message
    assert message is not None
    assert TOO_MANY_PODS in message
    expect(page.locator("main")).to_contain_text(message.split(". ")[0])


def test_what_single_change_frees_the_most(reader: Reader) -> None:
    page = reader.page
    card = page.locator("#card-change")
    expect(card).to_contain_text("Raise the node pod limit")
    freed = int(card.locator(".glance-number").inner_text())

    fitting = [key for key, explanation in stuck().items() if fits_with_another_place(explanation)]
    assert freed == len(fitting)
    named = card.locator(".glance-lines a")
    assert {link.inner_text() for link in named.all()} <= set(fitting)


def fits_with_another_place(explanation: Explanation) -> bool:
    singles = explanation.relaxations.singles
    return any(lift.gained and [about(constraint) for constraint in lift.lifted] == [PODS] for lift in singles)


def test_why_a_pod_is_on_one_node_and_not_on_another(reader: Reader) -> None:
    page = reader.page
    key, pod = next(
        (key, pod) for key, pod in pods().items() if key.startswith("shop/catalog-") and pod["spec"].get("nodeName")
    )
    explanation = explained(pod)
    nodes = explanation.snapshot.nodes
    here = pod["spec"]["nodeName"]
    other = next(
        name for name in explanation.feasible if explanation.total_of(nodes.index[name]) != total(explanation, here)
    )
    difference = total(explanation, other) - total(explanation, here)

    page.get_by_label("Find a pod, node or workload").fill(key)
    reader.click(page.get_by_role("option", name=key.partition("/")[2]))
    expect(page.get_by_role("heading", level=1)).to_have_text(key)
    reader.enter(page.get_by_label("Why not node"), other)

    points = "1 point" if abs(difference) == 1 else f"{abs(difference)} points"
    words = f"{points} {'behind' if difference < 0 else 'ahead of'} {here}"
    expect(page.locator("#node-answer")).to_contain_text(words)


def total(explanation: Explanation, node: str) -> int:
    found = explanation.total_of(explanation.snapshot.nodes.index[node])
    assert found is not None
    return found


def test_which_workload_has_the_worst_skew(reader: Reader) -> None:
    page = reader.page
    reader.click(page.locator(".lens-rail").get_by_role("link", name="Spread"))
    reader.click(page.locator("#card-spread").get_by_role("link", name="ml/inference"))

    expect(page.get_by_role("heading", level=1)).to_contain_text("ml/inference")
    expect(page.locator("main")).to_contain_text("Skew 3")


def test_which_nodes_can_be_drained_now_and_what_blocks_the_others(reader: Reader) -> None:
    page = reader.page
    reader.click(page.locator(".lens-rail").get_by_role("link", name="Can drain"))
    reader.click(page.locator("#card-drains").get_by_role("link", name="Plan a drain"))

    expect(page.locator("main")).to_contain_text("12 of 60 nodes can be drained now")
    expect(page.get_by_role("row", name="arm-a-01")).to_contain_text("nothing")
    expect(page.get_by_role("row", name="arm-a-02")).to_contain_text("shop/sessions: 1 of 1 eviction refused")


def test_where_twenty_more_replicas_would_go(reader: Reader) -> None:
    page = reader.page
    navigation = page.get_by_role("navigation", name="Main")
    # A menu and what is chosen in it are one act.
    navigation.get_by_text("Objects").click()
    reader.click(navigation.get_by_role("link", name="Workloads"))
    reader.click(page.locator("#results").get_by_role("link", name="shop/cart", exact=True))
    reader.click(page.get_by_role("button", name="Place them"))

    template = next(pod for key, pod in pods().items() if key.startswith("shop/cart-"))
    more = [
        {**template, "metadata": {**template["metadata"], "name": f"more-{number}", "uid": f"more-{number}"}}
        for number in range(20)
    ]
    placed = [placement.node for placement in place(snapshot().copy(), more, DEFAULT)]
    expect(page.locator(".trial")).to_contain_text(f"{sum(map(bool, placed))} of 20 fit")
