from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.documents.stored_problems import encoded
from clusters.engine.problems import Quoted
from clusters.models import Cluster, Ingest
from clusters.problems.skips import MayHoldSecrets
from tests.browser.axe import violations
from tests.browser.looks import Theme, flaws_of_pages
from tests.dashboard.rows import a_cluster, a_gap, a_node, a_pod, allow_changes
from tests.support.decision_cluster import objects
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PAGES = [
    "/clusters/",
    "/upload/",
    "/clusters/prod/",
    "/clusters/prod/delete/",
    "/clusters/prod/pods/?q=nothing-like-this",
    "/clusters/empty/",
]
RUNS = [Ingest.State.READING, Ingest.State.DONE, Ingest.State.FAILED]


@pytest.fixture
def mirrored(live_berth: object, user: User) -> None:
    """Mirror two clusters, one of them empty, that the signed-in user may change."""
    allow_changes(user)
    cluster = a_cluster(gaps=[a_gap("PersistentVolume", "not in the dump")])
    for number in range(1, 61):
        a_node(cluster, f"n{number}", zone="abc"[number % 3], ready=number % 7 > 0)
        a_pod(cluster, f"web-{number}", on=f"n{number}" if number % 9 else "")
    a_cluster("empty", last_sync=None, revision=0)


@pytest.fixture
def operator_page(mirrored: None, page: Page) -> Page:
    return page


def open_page(page: Page, address: str, *, width: int, theme: Theme) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("data-bs-theme", theme)


def test_every_page_is_accessible_and_fits(operator_page: Page) -> None:
    runs = [
        Ingest.objects.create(
            cluster=Cluster.objects.get(name="prod"),
            file_name="d.json",
            state=state,
            bytes_total=10,
            bytes_read=5,
            skipped=[{"why": encoded(MayHoldSecrets("Secret")), "count": 3}],
            kept={"Pod": 3},
            error={"problem": encoded(Quoted("Broken.", "Mend it."))} if state == Ingest.State.FAILED else None,
        )
        for state in RUNS
    ]

    addresses = (*PAGES, *(f"/clusters/prod/ingests/{run.pk}/" for run in runs))
    assert flaws_of_pages(operator_page, addresses) == {}


def test_theme_is_chosen_by_keyboard_and_kept(operator_page: Page) -> None:
    open_page(operator_page, "/clusters/", width=1440, theme="light")
    html = operator_page.locator("html")

    operator_page.get_by_role("radio", name="As the system").focus()
    operator_page.keyboard.press("ArrowLeft")
    expect(html).to_have_attribute("data-bs-theme", "dark")
    operator_page.goto("/clusters/prod/")

    expect(html).to_have_attribute("data-bs-theme", "dark")
    expect(operator_page.get_by_role("radio", name="Dark")).to_be_checked()


def test_paper_is_light_in_the_dark_theme(operator_page: Page) -> None:
    open_page(operator_page, "/clusters/prod/", width=1440, theme="dark")
    seen = "document.documentElement.dataset.bsTheme"

    operator_page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printing = operator_page.evaluate(seen)
    operator_page.evaluate("dispatchEvent(new Event('afterprint'))")

    assert (printing, operator_page.evaluate(seen)) == ("light", "dark")


@pytest.fixture
def figure_page(operator_page: Page, tmp_path: Path) -> Page:
    """Return a page with a figure: what the pods of a node request, to scale."""
    load(tmp_path, "shop", objects())
    open_page(operator_page, "/clusters/shop/nodes/ash/", width=1440, theme="light")
    return operator_page


def test_figure_takes_its_colours_from_the_theme_and_has_a_drawing_for_each_width(figure_page: Page) -> None:
    label = figure_page.locator("#to-scale .figure .wide text").first
    light, dark = (figure_page.evaluate(_token("--ink", theme)) for theme in ("light", "dark"))
    expect(label).to_have_css("fill", light)

    figure_page.get_by_role("radio", name="Dark").check(force=True)

    expect(label).to_have_css("fill", dark)
    assert light != dark

    figure = figure_page.locator("#to-scale .figure")
    expect(figure.locator(".wide svg")).to_be_visible()
    expect(figure.locator(".narrow svg")).to_be_hidden()
    figure_page.set_viewport_size({"width": 390, "height": 900})
    expect(figure.locator(".narrow svg")).to_be_visible()
    expect(figure.locator(".wide svg")).to_be_hidden()
    room, drawn = figure.bounding_box(), figure.locator(".narrow svg").bounding_box()
    assert room
    assert drawn
    assert room["width"] - drawn["width"] < 2


def _token(name: str, theme: str) -> str:
    """Return a script that tells a token's colour in a theme, as browsers write colours."""
    return f"""() => {{
      const probe = document.createElement("div");
      const root = document.documentElement;
      const worn = root.dataset.bsTheme;
      root.dataset.bsTheme = "{theme}";
      probe.style.color = "var({name})";
      document.body.append(probe);
      const colour = getComputedStyle(probe).color;
      probe.remove();
      root.dataset.bsTheme = worn;
      return colour;
    }}"""


def test_filter_changes_rows_address_and_word(operator_page: Page) -> None:
    operator_page.goto("/clusters/prod/pods/")

    operator_page.get_by_role("search").get_by_label("State").select_option("Pending")
    expect(operator_page.locator("#results tbody tr")).to_have_count(6)
    operator_page.get_by_label("Search").press_sequentially("web-9")
    expect(operator_page.locator("#results tbody tr")).to_have_count(1)

    expect(operator_page.locator("#announcer")).to_have_text("1 of 60 pods shown.")
    expect(operator_page.get_by_text("59 hidden by: ")).to_be_visible()
    assert "state=pending" in operator_page.url
    assert "q=web-9" in operator_page.url
    operator_page.reload()
    expect(operator_page.get_by_role("search").get_by_label("State")).to_have_value("pending")
    expect(operator_page.locator("#results tbody tr")).to_have_count(1)


def test_paging_keeps_the_page_and_goes_back(operator_page: Page) -> None:
    operator_page.goto("/clusters/prod/nodes/")

    operator_page.get_by_role("link", name="Next").click()
    expect(operator_page.locator("#results tbody tr")).to_have_count(10)
    assert "page=2" in operator_page.url
    # The next page is read from its head.
    expect(operator_page.locator("#results tbody tr").first).to_be_in_viewport()
    operator_page.go_back()

    expect(operator_page.locator("#results tbody tr")).to_have_count(50)
    expect(operator_page.get_by_role("heading", name="Nodes")).to_be_visible()


def test_keyboard_skips_to_the_content(operator_page: Page) -> None:
    operator_page.goto("/clusters/prod/nodes/")

    operator_page.keyboard.press("Tab")
    expect(operator_page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    operator_page.keyboard.press("Enter")
    operator_page.keyboard.press("Tab")

    expect(operator_page.locator("main :focus")).to_have_count(1)


def test_switcher_stays_in_the_section_and_closes_on_escape(operator_page: Page) -> None:
    operator_page.goto("/clusters/prod/nodes/")
    switcher = operator_page.locator(".cluster-switcher summary")

    switcher.press("Enter")
    expect(operator_page.get_by_role("link", name="empty")).to_be_visible()
    operator_page.keyboard.press("Escape")
    expect(operator_page.get_by_role("link", name="empty")).to_be_hidden()
    switcher.click()
    operator_page.get_by_role("link", name="empty").click()

    expect(operator_page).to_have_url(re.compile("/clusters/empty/nodes/$"))


def test_deletion_asks_first(operator_page: Page) -> None:
    operator_page.goto("/clusters/empty/")

    operator_page.get_by_role("link", name="Delete").click()
    dialog = operator_page.get_by_role("dialog", name="Delete empty?")
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_be_hidden()
    operator_page.get_by_role("link", name="Delete").click()
    assert violations(operator_page) == []
    dialog.get_by_role("button", name="Delete empty").click()

    expect(operator_page.get_by_text("empty is deleted.")).to_be_visible()
    expect(operator_page.get_by_role("link", name="empty", exact=True)).to_have_count(0)


def test_reader_without_scripts_can_filter(operator_page: Page, plain_page: Page) -> None:
    plain_page.goto("/clusters/prod/pods/")
    plain_page.get_by_role("search").get_by_label("State").select_option("Pending")
    plain_page.get_by_role("button", name="Filter").click()

    expect(plain_page.locator("#results tbody tr")).to_have_count(6)
