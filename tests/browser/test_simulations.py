"""Simulations in a real browser: put together, followed, stepped through and compared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from clusters.models import Cluster, SimulationRun
from clusters.services.runs.spec import read_spec
from clusters.services.runs.starting import stored_run
from clusters.services.runs.working import work
from clusters.services.studies.asking import (
    create_headroom,
    create_removable,
    create_sweep,
    labelled_runs,
    work_on_part,
)
from dashboard.forms.runs.studies import sized
from tests.browser.looks import PICTURES, flaws, flaws_of_pages, wear
from tests.clusters.test_workloads import deployed, zones
from tests.support.decision_cluster import pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from playwright.sync_api import Page

    from clusters.models import Study

pytestmark = pytest.mark.browser

NEW = "/clusters/shop/simulations/new"
MORE = {"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "web", "by": 40}
LOST = {"change": "lose-zone", "zone": "b", "how": "gone"}


@pytest.fixture
def shop_page(live_berth: object, tmp_path: Path, page: Page) -> Page:
    """Return a page of somebody who sees four nodes in three zones, and a Deployment."""
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2})])
    return page


def order(*changes: dict[str, Any]) -> Any:
    return read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": list(changes)})


def simulated(user: User, title: str, *changes: dict[str, Any]) -> SimulationRun:
    """Simulate something here and now, without the worker."""
    run = stored_run(cluster=Cluster.objects.get(name="shop"), spec=order(*changes), title=title, user=user)
    work(run.pk)
    run.refresh_from_db()
    assert run.state == SimulationRun.State.DONE, run.error
    return run


def answered(study: Study) -> Study:
    """Answer the parts of a study here and now."""
    for part in study.parts.all():
        work_on_part(part.pk)
    return study


def test_the_pages_look_right(shop_page: Page, user: User) -> None:
    cluster = Cluster.objects.get(name="shop")
    left, right = simulated(user, "40 more of web", MORE), simulated(user, "The same without a zone", MORE, LOST)
    shapes = [{"mix": [{"manifest": sized(name, cpu, "1Gi")}]} for name, cpu in (("small", "500m"), ("large", "3"))]
    room = answered(create_headroom(cluster=cluster, spec=order(), shapes=shapes, title="Room", user=user))
    pages = [
        f"{NEW}?run={right.pk}",
        f"/simulations/{right.pk}/",
        f"/simulations/{right.pk}/steps/{right.steps - 1}/",
        f"/simulations/{right.pk}/decisions/0/",
        f"/simulations/compare/?left={left.pk}&right={right.pk}",
        f"/studies/{room.pk}/",
    ]
    if PICTURES:
        pages += more_pages(cluster, user, right)
    assert flaws_of_pages(shop_page, pages) == {}


def more_pages(cluster: Cluster, user: User, run: SimulationRun) -> list[str]:
    """Return what only whoever wants to see it needs to look at: lists, forms, and studies of other kinds."""
    waiting = stored_run(cluster=cluster, spec=order(MORE), title="Waits", user=user)
    gone = answered(create_removable(cluster=cluster, spec=order(), title="Removable nodes", user=user))
    variants = [{"kind": "as-is"}, {"kind": "most-allocated"}]
    sweep = create_sweep(cluster=cluster, spec=order(MORE), variants=variants, title="Two ways", user=user)
    for _, each in labelled_runs(sweep):
        work(each.pk)
    stuck = run.pods.filter(outcome="unschedulable").order_by("step")[0]
    return [
        "/simulations/",
        "/clusters/shop/simulations/",
        NEW,
        f"/simulations/{waiting.pk}/",
        f"/simulations/{run.pk}/decisions/{stuck.step}/",
        f"/simulations/{run.pk}/sweep/",
        "/clusters/shop/headroom/",
        "/studies/",
        f"/studies/{gone.pk}/",
        f"/studies/{sweep.pk}/",
    ]


def test_a_workload_that_is_chosen_keeps_its_arrows_alone(shop_page: Page, user: User, tmp_path: Path) -> None:
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2}), pod("alone", nodeName="b1")])
    left, right = simulated(user, "40 more of web", MORE), simulated(user, "The same without a zone", MORE, LOST)
    wear(shop_page, width=1440, theme="dark")
    shop_page.goto(f"/simulations/compare/?left={left.pk}&right={right.pk}")
    arrows = shop_page.locator("#moves-map .wide .map-moves > g")
    expect(shop_page.get_by_role("link", name="All workloads: ")).to_have_attribute("aria-current", "true")
    every = arrows.count()

    shop_page.get_by_role("link", name="Pod shop/alone").focus()
    shop_page.keyboard.press("Enter")
    expect(arrows).to_have_count(1)
    assert every > 1
    expect(shop_page.get_by_role("link", name="Pod shop/alone")).to_have_attribute("aria-current", "true")
    shop_page.get_by_text("The moves in words").click()
    expect(shop_page.locator("#moves-map .map-openings li")).to_contain_text(["1 pod from b1 to"])
    assert flaws(shop_page, only_colours=True) == []
    shop_page.get_by_role("link", name="All workloads: ").click()
    expect(arrows).to_have_count(every)


def test_a_walk_from_a_workload_to_a_step_of_its_simulation(shop_page: Page) -> None:
    shop_page.goto("/clusters/shop/workloads/Deployment/shop/web/")
    shop_page.get_by_role("link", name="Simulate 20 more").click()
    expect(shop_page.locator(".asked-changes")).to_contain_text("Add 20 replicas to Deployment shop/web")
    shop_page.get_by_role("button", name="Keep as a simulation").click()
    shop_page.get_by_role("link", name="Change and run again").click()
    expect(shop_page.locator(".builder-changes")).to_contain_text("Add 20 replicas to Deployment shop/web")
    shop_page.locator("summary", has_text="Lose a zone").click()
    shop_page.locator("#id_lose-zone-zone").fill("nowhere")
    shop_page.locator("button[name=add][value=lose-zone]").click()
    expect(shop_page.locator(".errorlist")).to_contain_text("There is no zone nowhere")
    # Enter adds what is filled in.
    shop_page.locator("#id_lose-zone-zone").fill("b")
    shop_page.locator("#id_lose-zone-zone").press("Enter")
    expect(shop_page.locator(".builder-changes > li")).to_have_count(2)
    shop_page.locator("summary", has_text="Add from a manifest").click()
    expect(shop_page.locator(".builder .ace_editor").first).to_be_visible()
    shop_page.get_by_role("button", name="Run the simulation").click()
    expect(shop_page.locator("#outcome h2")).to_contain_text("Added pods: 20 of 20 placed. On ", timeout=20_000)

    shop_page.get_by_role("link", name="Step through it").click()
    sentence = shop_page.locator(".scrubber-sentence")
    expect(sentence).to_contain_text("Step 1 ")
    slider = shop_page.locator("#scrubber-step")
    slider.focus()
    slider.press("End")
    expect(sentence).to_contain_text("Step 20 ")
    expect(shop_page).to_have_url(re.compile(r"/steps/19/$"))
    shop_page.get_by_role("link", name="Previous step").click()
    expect(sentence).to_contain_text("Step 19 ")
    shop_page.get_by_role("link", name="Decision of this step").click()
    expect(shop_page.locator("#scores")).to_contain_text("taken")
    # The same map as on the page of a pod: a node opens beside it, and it plays.
    stage = shop_page.locator("[data-map-stage]")
    expect(stage).to_have_attribute("role", "application")
    stage.focus()
    stage.press("Enter")
    expect(shop_page.locator("[data-map-answer]")).to_contain_text("a1")
    shop_page.get_by_role("button", name="One step forward").click()
    expect(shop_page.locator("[data-map-caption]")).to_contain_text("to filter")


def test_steps_are_played_on_the_map_and_failures_are_found(shop_page: Page, user: User) -> None:
    run = simulated(user, "40 more of web", MORE)
    stuck = [each.step for each in run.pods.filter(outcome="unschedulable").order_by("step")]
    shop_page.goto(f"/simulations/{run.pk}/steps/0/")
    stage, ring = shop_page.locator("[data-map-stage]"), shop_page.locator(".wide .map-ring-own")
    slider, sentence = shop_page.locator("#scrubber-step"), shop_page.locator(".scrubber-sentence")
    expect(ring).to_have_count(1)
    expect(stage).to_have_attribute("role", "application")
    top = stage.bounding_box()
    expect(shop_page.get_by_role("link", name="Previous failure")).to_have_attribute("aria-disabled", "true")

    slider.focus()
    slider.press("PageUp")
    expect(shop_page).to_have_url(re.compile(rf"/steps/{stuck[0]}/$"))
    expect(slider).to_have_value(str(stuck[0] + 1))
    expect(ring).to_have_count(0)
    # Each step's map can be walked, and stands where the one before did.
    expect(stage).to_have_attribute("role", "application")
    found = stage.bounding_box()
    assert found
    assert top
    assert (found["x"], found["y"]) == (top["x"], top["y"])
    expect(shop_page.locator(".scrubber-queue .is-shown")).to_have_count(1)
    shop_page.get_by_role("link", name="Next failure").click()
    expect(sentence).to_contain_text(f"Step {stuck[1] + 1} ")
    slider.press("PageDown")
    expect(sentence).to_contain_text(f"Step {stuck[0] + 1} ")

    # To the end by itself, from two steps before it.
    slider.press("End")
    expect(sentence).to_contain_text(f"Step {run.steps} ")
    for back in (1, 2):
        shop_page.get_by_role("link", name="Previous step").click()
        expect(sentence).to_contain_text(f"Step {run.steps - back} ")
    slider.focus()
    for key in ("+", "+", "+", " "):
        slider.press(key)
    expect(shop_page.locator("[data-step-speed]")).to_have_text("8")
    expect(sentence).to_contain_text(f"Step {run.steps} ")
    expect(slider).to_have_value(str(run.steps))
    expect(shop_page.get_by_role("button", name="Play")).to_be_visible()


def test_without_scripts_a_simulation_is_put_together_all_the_same(shop_page: Page, plain_page: Page) -> None:
    plain_page.goto(NEW)
    plain_page.locator("summary", has_text="Add replicas").click()
    plain_page.locator("#id_scale-workload").fill("Deployment shop/web")
    plain_page.locator("#id_scale-count").fill("3")
    plain_page.locator("button[name=add][value=scale]").click()
    expect(plain_page.locator(".builder-changes")).to_contain_text("Add 3 replicas to Deployment shop/web")
    plain_page.get_by_role("button", name="Run the simulation").click()
    expect(plain_page.locator("h1")).to_have_text("Add 3 replicas to Deployment shop/web")
