"""Ten questions of an operator, each answered in what one sees first at most two acts from the map of the cluster."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from itertools import takewhile
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.demo import demo_objects
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.scheduling.explanation import place
from clusters.engine.spreading.constraints import ZONE
from clusters.models import Cluster, Decision, Pod, SimulationRun
from clusters.services.decisions.explain import explain_pod
from clusters.services.disruption import budgets_of, drains_of
from clusters.services.ingest.demo import record_demo_day
from clusters.services.mirror.snapshots import last_moment
from clusters.services.mirror.state import spread_of, utilisation_of
from clusters.services.pending.pods import Needs, tried_ways
from clusters.services.runs.comparing import compare_runs
from clusters.wording.amounts import cpu, size
from clusters.wording.budgets import NEVER_ALLOW
from clusters.wording.decisions.verdict import verdict_sentence
from clusters.wording.journal.decisions import KINDS
from clusters.wording.lists import listed
from dashboard.presenters.decisions.nodes import compare, default_pair
from dashboard.presenters.decisions.page import relaxations
from dashboard.presenters.nodes.page import drain_sentence
from dashboard.presenters.runs import compare as runs_compare
from dashboard.presenters.runs.summary import affected_headline
from tests.support.mirrored import load_demo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from clusters.engine import Explanation

pytestmark = pytest.mark.browser

SIZES = ((1440, 900), (1280, 720))
# Two rows of nodes and their heading.
LEAST_OF_MAP = 150
MOST_CLICKS = 2
# What is computed by a worker is waited for as long as a busy machine may take.
PATIENCE = 240_000

# The words of the page's content that lie within the first screen, at a place that is not scrolled.
_ABOVE_THE_FOLD = """
() => {
  // What lies over the foot of the window hides what is below it.
  const strip = document.querySelector('#time-strip');
  const fold = innerHeight - (strip ? strip.getBoundingClientRect().height : 0);
  const words = [];
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const top = box.top + scrollY;
    if (box.width && box.height && top >= 0 && top + box.height <= fold && node.parentElement.checkVisibility()) {
      words.push(node.textContent);
    }
  }
  return words.join('');
}
"""


class Operator:
    """Somebody at the overview of the demo, whose links and forms are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0

    def begin(self) -> None:
        self.clicks = 0
        self.page.goto("/clusters/demo/")

    def click(self, link: Locator) -> None:
        self.clicks += 1
        assert self.clicks <= MOST_CLICKS
        link.click()
        self.page.wait_for_load_state()

    def section(self, group: str, name: str) -> None:
        """A menu and what is chosen in it are one act."""
        navigation = self.page.get_by_role("navigation", name="Main")
        navigation.locator("summary", has_text=group).click()
        self.click(navigation.get_by_role("link", name=name, exact=True))

    def screens(self) -> Iterator[str]:
        """Return what is read without scrolling, on each size of a desk."""
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            yield re.sub(r"\s+", " ", str(self.page.evaluate(_ABOVE_THE_FOLD)))

    def sees(self, words: str) -> bool:
        return all(words in screen for screen in self.screens())

    def expect_map(self) -> None:
        """Expect the beginning of a map on the first screen."""
        self.page.evaluate("scrollTo(0, 0)")
        for _ in self.screens():
            stage = self.page.locator("[data-map-stage]").bounding_box()
            strip = self.page.locator("#time-strip")
            foot = strip.bounding_box() if strip.count() else None
            size = self.page.viewport_size
            assert stage is not None
            assert size is not None
            assert stage["y"] + LEAST_OF_MAP <= (foot["y"] if foot else size["height"])


class Demo:
    """The demo as its services answer for it."""

    def __init__(self) -> None:
        self.cluster = Cluster.objects.get(name="demo")

    def explained(self, pod: Pod) -> Explanation:
        return explain_pod(cluster=self.cluster, namespace=pod.namespace, name=pod.name)

    def pod_at(self, url: str) -> Pod:
        namespace, name = url.rstrip("/").split("/")[-2:]
        return Pod.objects.get(cluster=self.cluster, namespace=namespace, name=name)


@pytest.fixture
def operator(live_berth: object, tmp_path: Path, page: Page) -> Iterator[Operator]:
    load_demo(tmp_path)
    operator = Operator(page)
    operator.begin()
    yield operator
    assert operator.clicks <= MOST_CLICKS


def test_what_the_state_of_the_cluster_answers(operator: Operator) -> None:
    """One load of the demo serves all questions that nothing has to be simulated for."""
    demo = Demo()
    for question in (
        why_is_this_pod_pending_and_what_to_change,
        why_one_node_rather_than_another,
        can_a_node_be_drained,
        how_many_more_replicas_fit,
        which_workload_is_spread_worst,
        which_budget_is_impossible_to_satisfy,
        how_much_capacity_is_stranded,
        what_happened_yesterday,
    ):
        operator.begin()
        question(operator, demo)


def why_is_this_pod_pending_and_what_to_change(operator: Operator, demo: Demo) -> None:
    page = operator.page
    operator.click(page.locator(".tray-causes").get_by_role("link", name=re.compile("[0-9] insufficient CPU$")))
    operator.click(page.locator(".tray-pods a").first)

    pod = demo.pod_at(page.url)
    explanation = demo.explained(pod)
    tried = tried_ways(cluster=demo.cluster, explanation=explanation)
    assert operator.sees(verdict_sentence(explanation))
    assert operator.sees(relaxations(explanation, tried, Needs(demo.cluster).of(pod.object)).summary)


def why_one_node_rather_than_another(operator: Operator, demo: Demo) -> None:
    page = operator.page
    operator.section("Objects", "Pods")
    judged = set(Decision.objects.filter(cluster=demo.cluster).values_list("namespace", "name"))
    links = page.locator("#results tbody th a")
    expect(links.first).to_be_visible()
    for link in links.all():
        pod = demo.pod_at(str(link.get_attribute("href")))
        # One that is explained as of its decision tells of another state than this.
        if not pod.node_name or (pod.namespace, pod.name) in judged:
            continue
        explanation = demo.explained(pod)
        pair = default_pair(explanation, pod.node_name)
        if pair is not None and explanation.total_of(pair[0]) is not None:
            break
    else:
        pytest.fail(f"none of {links.count()} pods has a node and another one to compare it with")
    operator.click(link)

    assert operator.sees(compare(explanation, *pair).sentence)


def can_a_node_be_drained(operator: Operator, demo: Demo) -> None:
    operator.section("Objects", "Nodes")
    link = operator.page.locator("#results tbody th a").first
    name = link.inner_text()
    operator.click(link)

    assert operator.sees(drain_sentence(drains_of(cluster=demo.cluster), name))


def how_many_more_replicas_fit(operator: Operator, demo: Demo) -> None:
    page = operator.page
    operator.section("Objects", "Workloads")
    operator.click(page.locator("#results").get_by_role("link", name="shop/cart", exact=True))
    expect(page.locator("#most")).to_contain_text("Room for", timeout=PATIENCE)
    objects = demo_objects()
    template = next(each for each in objects if each["kind"] == "Pod" and each["metadata"]["name"].startswith("cart-"))
    copies = (
        {**template, "metadata": {**template["metadata"], "name": f"more-{number}", "uid": f"more-{number}"}}
        for number in range(500)
    )
    placements = place(Snapshot.from_objects(objects), copies, SchedulerConfiguration.default())
    fitting = sum(1 for _ in takewhile(lambda placement: placement.node, placements))
    assert operator.sees(f"Room for {fitting} more.")


def which_workload_is_spread_worst(operator: Operator, demo: Demo) -> None:
    operator.section("Risk", "Spread")

    group = next(iter(spread_of(cluster=demo.cluster).groups.values()))
    counts = sorted((domain.pods for domain in group.domains()), reverse=True)
    assert group.constraint.topology_key == ZONE
    assert operator.sees(f"data/kafka is spread {'–'.join(map(str, counts))} over {len(counts)} zones")


def which_budget_is_impossible_to_satisfy(operator: Operator, demo: Demo) -> None:
    operator.section("Risk", "Budgets")

    states = budgets_of(cluster=demo.cluster).states.values()
    never = [state.budget.key for state in states if state.is_blocker]
    assert len(never) == 4
    # A phone has the first of the list in sight; above it all of them are named.
    assert operator.sees(NEVER_ALLOW(number=4, total=len(states), budgets=listed(never)))
    assert operator.sees("Never allows disruptions")


def how_much_capacity_is_stranded(operator: Operator, demo: Demo) -> None:
    found = utilisation_of(cluster=demo.cluster)
    left = {each.resource: each.left for each in found.stranded}
    assert left
    operator.click(operator.page.locator(".lens-rail").get_by_role("link", name="Stranded"))
    expect(operator.page.locator("#card-waste")).to_be_visible()

    for resource, amount in left.items():
        assert operator.sees(cpu(amount) if resource == "cpu" else size(amount))


def what_happened_yesterday(operator: Operator, demo: Demo) -> None:
    record_demo_day(again=True)
    end = last_moment(demo.cluster)
    assert end is not None
    day = Decision.objects.filter(cluster=demo.cluster, heard_at__gte=end - timedelta(hours=24), heard_at__lt=end)
    told = Counter(day.values_list("kind", flat=True))
    assert {"bound", "unschedulable", "preempted", "evicted"} <= told.keys()
    operator.section("Now", "Journal")

    assert operator.sees(f"decisions {told.total()}, changes of nodes ")
    for kind, number in told.items():
        assert operator.sees(str(KINDS[kind]))
        assert operator.page.locator("#happened").get_by_text(str(number), exact=True).count()


def test_what_if_a_zone_is_lost(operator: Operator) -> None:
    page = operator.page
    operator.click(page.get_by_role("link", name="Lose eu-central-1a"))
    expect(page.locator(".asked-numbers")).to_be_visible(timeout=PATIENCE)
    seen = list(operator.screens())
    operator.click(page.get_by_role("button", name="Keep as a simulation"))
    expect(page.get_by_role("link", name="Step through it")).to_be_visible(timeout=PATIENCE)

    run = SimulationRun.objects.get()
    assert run.summary is not None
    assert operator.sees(affected_headline(run.summary))
    assert all(affected_headline(run.summary) in screen for screen in seen)
    operator.expect_map()


def test_what_would_happen_under_most_allocated(operator: Operator) -> None:
    page = operator.page
    operator.click(page.get_by_role("link", name="Bin packing"))
    operator.click(page.get_by_role("button", name="Simulate both"))
    expect(page.locator("main")).to_contain_text("placed differently.", timeout=PATIENCE)

    left, right = SimulationRun.objects.order_by("pk")
    names = "As it is", "Bin packing (MostAllocated)"
    summary = runs_compare.summary_sentence(compare_runs(left, right))
    assert operator.sees(f"{runs_compare.verdict_sentence(left, right, names)} {summary}")
    operator.expect_map()
