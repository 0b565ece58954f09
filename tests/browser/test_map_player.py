"""The player of a pod's map in a real browser: what each step shows, changes and costs, and its keys."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import orjson
import pytest
from playwright.sync_api import expect

from bench.traces import main_thread_frames
from dashboard.presenters.decisions.maps import levels, verdict_map
from dashboard.presenters.decisions.page import strip
from tests.browser.test_decision import address, explained, open_page
from tests.browser.test_verdict_map import keys, large_page, shop_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from dashboard.pictures.verdict_map.spec import VerdictMap

__all__ = ["large_page", "shop_page"]

pytestmark = pytest.mark.browser

# A frame of sixty a second, and how many may take longer on a machine that does other work as well.
FRAME_MS = 1000 / 60
MOST_DROPPED = 0.1
# How often a decision is played at most, until so few frames took longer.
PLAYED = 3
# Of a map of 1,000 nodes in three grids, for wide and for narrow screens.
MOST_CHANGED = 100
# Has a page count the elements of its maps that differ, or are new, since it was last asked.
COUNTING = """() => {
  const changed = new Set();
  const note = (records) => {
    for (const { target, addedNodes } of records) for (const each of [target, ...addedNodes]) changed.add(each);
  };
  const stage = document.querySelector(".map-stage");
  new MutationObserver(note).observe(stage, { attributes: true, childList: true, subtree: true });
  window.countedChanges = () => {
    const count = changed.size;
    changed.clear();
    return count;
  };
}"""
# What each step shows of the tiles, by what paints them: undecided, a shade, or the key's own look.
PAINTED = """(root) => [...root.querySelectorAll(".map-stage .wide .map-tiles:not(.map-veils) path")]
  .filter((path) => path.getAttribute("d") && getComputedStyle(path).visibility === "visible")
  .map((path) => [path.dataset.key ?? null, path.getAttribute("stroke").slice(5, -1).split("-").slice(2).join("-"),
    path.classList.contains("is-out"),
    [...path.getAttribute("d").matchAll(/h(\\d+)/g)].reduce((sum, [, run]) => sum + Number(run), 0)])"""

LENGTH = """(parts) => parts.filter((part) => getComputedStyle(part).visibility === "visible")
  .reduce((sum, part) => sum + part.getTotalLength(), 0)"""


def map_of(name: str) -> VerdictMap:
    explanation = explained(name)
    return verdict_map(explanation, strip(explanation))


def painted(page: Page) -> list[tuple[str | None, str, bool, int]]:
    """Return of each path its key, what paints it, whether it is out, and how many tiles it has."""
    return [tuple(each) for each in page.locator(".verdict-map").evaluate(PAINTED)]


def act(page: Page, name: str) -> None:
    page.get_by_role("toolbar", name="Play the decision").get_by_role("button", name=name).click()


def test_nodes_drop_out_filter_by_filter(shop_page: Page) -> None:
    open_page(shop_page, "huge")
    found = map_of("huge")
    gone: set[int] = set()

    act(shop_page, "One step forward")
    expect(shop_page.locator("[data-map-caption]")).to_have_text("6 nodes to filter.")
    assert {look for _, look, _, _ in painted(shop_page)} == {"left"}
    for step in found.steps[:-1]:
        act(shop_page, "One step forward")
        expect(shop_page.locator("[data-map-caption]")).to_have_text(f"{step.name} {step.words}")
        for key, look, is_out, _ in painted(shop_page):
            assert is_out == (int(key or 0) in gone)
            assert (look == "left") == (int(key or 0) not in gone | set(step.gone))
        gone |= set(step.gone)
    act(shop_page, "One step forward")
    expect(shop_page.locator(".verdict-map")).not_to_have_class("verdict-map is-between")
    assert not any(is_out or look == "left" for _, look, is_out, _ in painted(shop_page))

    act(shop_page, "One step back")
    expect(shop_page.locator("[data-map-caption]")).to_contain_text(found.steps[-2].name)


def test_scores_shade_the_nodes_that_are_left(shop_page: Page) -> None:
    open_page(shop_page, "plain")
    explanation = explained("plain")
    for score in explanation.scores:
        if score.weighted.min() == score.weighted.max():
            continue
        step = shop_page.locator(".has-steps", has_text="Score").locator(".map-step", has_text=score.plugin)
        step.click()
        expect(step).to_have_attribute("aria-current", "step")
        shaded: Counter[str] = Counter()
        for key, look, _, tiles in painted(shop_page):
            shaded[look] += 0 if key else tiles
        assert +shaded == {f"1-{shade}": nodes for shade, nodes in Counter(levels(score.weighted).tolist()).items()}


def test_it_is_played_by_keyboard(shop_page: Page) -> None:
    open_page(shop_page, "huge")
    scale = shop_page.locator("[data-map-scale]")
    current = scale.locator("[aria-current]")
    scale.locator("[tabindex='0']").focus()
    expect(shop_page.locator(":focus")).to_contain_text("Filter")

    # The first step of Filter comes after the point itself.
    keys(shop_page, "ArrowRight")
    expect(current).to_contain_text("NodeUnschedulable")
    expect(shop_page.locator("[data-map-caption]")).to_contain_text("Rejects 1 of 6. 5 nodes are left.")
    keys(shop_page, "Home")
    expect(current).to_contain_text("PreEnqueue")
    keys(shop_page, "Enter")
    expect(shop_page.locator("#step-PreEnqueue")).to_be_visible()
    keys(shop_page, "+", "+", " ")
    play = shop_page.get_by_role("button", name="Play")
    expect(shop_page.get_by_role("button", name="Pause")).to_be_visible()
    # To its end, by itself; the focus goes along.
    expect(play).to_be_visible()
    expect(shop_page.locator(".verdict-map.is-between")).to_have_count(0)
    expect(shop_page.locator("[data-map-scale] :focus")).to_have_count(1)


def test_it_pauses_where_it_is(shop_page: Page) -> None:
    open_page(shop_page, "huge")

    act(shop_page, "Play")
    expect(shop_page.locator("[data-map-scale] [aria-current]")).to_contain_text("NodeUnschedulable")
    act(shop_page, "Pause")
    caption = shop_page.locator("[data-map-caption]").text_content()
    expect(shop_page.get_by_role("button", name="Play")).to_be_visible()
    shop_page.wait_for_timeout(100)
    assert shop_page.locator("[data-map-caption]").text_content() == caption


def test_nothing_moves_for_those_who_ask_for_that(shop_page: Page) -> None:
    tile = ".map-stage .wide .map-tiles path[data-key]"
    open_page(shop_page, "plain")
    expect(shop_page.locator(tile).first).to_have_css("transition-duration", "0s")
    shop_page.emulate_media(reduced_motion="no-preference")
    expect(shop_page.locator(tile).first).to_have_css("transition-duration", "0.24s")


def test_a_point_of_the_scale_has_an_address(shop_page: Page) -> None:
    shop_page.goto(f"{address('huge')}#step-PostFilter")
    expect(shop_page.locator("#step-PostFilter")).to_be_visible()
    expect(shop_page.locator("#step-Filter")).to_be_hidden()

    shop_page.locator("[data-map-scale]").get_by_role("button", name="PreFilter").click()
    expect(shop_page.locator("#step-PreFilter")).to_be_visible()
    assert shop_page.url.endswith("#step-PreFilter")


def test_bars_are_played_too(large_page: Callable[[int], Page]) -> None:
    page = large_page(1200)
    bar = page.locator(".map-stage .wide .map-bars > g").first.locator("path")
    whole = bar.evaluate_all(LENGTH)

    page.locator(".map-step", has_text="NodeResourcesFit").last.click()
    assert bar.evaluate_all("parts => parts.filter((part) => !part.dataset.key && part.getAttribute('d')).length") == 2
    assert bar.evaluate_all(LENGTH) == pytest.approx(whole, abs=1)


def test_a_step_changes_whole_paths_and_no_node_by_itself(large_page: Callable[[int], Page]) -> None:
    page = large_page(1000)
    page.evaluate(COUNTING)
    changed = [page.evaluate("() => window.countedChanges()") for _ in stepped(page)]
    assert min(changed) > 0
    assert max(changed) < MOST_CHANGED


def test_few_frames_are_dropped_while_playing(large_page: Callable[[int], Page], browser: Browser) -> None:
    """By the processor's time of the page's own thread; `make bench ARGS=playing` holds the closer bar."""
    page = large_page(1000)
    page.emulate_media(reduced_motion="no-preference")
    for _ in range(2):
        act(page, "Speed")
    dropped: list[float] = []
    for _ in range(PLAYED):
        frames = played(page, browser)
        # Each of its steps fades for a quarter of a second.
        assert len(frames) > 10
        dropped.append(sum(frame > FRAME_MS for frame in frames) / len(frames))
        if dropped[-1] <= MOST_DROPPED:
            break
    assert min(dropped) <= MOST_DROPPED, dropped


def played(page: Page, browser: Browser) -> list[float]:
    """Play a decision to its end, and return how many milliseconds the main thread worked for each frame."""
    browser.start_tracing(page=page, categories=["cc"])
    act(page, "Play")
    expect(page.locator(".verdict-map.is-between")).to_have_count(1)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    return main_thread_frames(orjson.loads(browser.stop_tracing())["traceEvents"])


def stepped(page: Page) -> Iterator[None]:
    """Play a decision to its end step by step."""
    caption = page.locator("[data-map-caption]")
    ended = caption.text_content()
    while True:
        act(page, "One step forward")
        if caption.text_content() == ended:
            return
        yield
