"""What every page stands in: the sections, the search, the help, the keys."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error as PlaywrightError, expect
from pypdf import PdfReader

from tests.browser.looks import Theme, flaws, flaws_of_pages, in_every_look, wear

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser

OVERVIEW, PODS, NODES = "/clusters/demo/", "/clusters/demo/pods/", "/clusters/demo/nodes/"
PAGES = (
    "/help/",
    "/clusters/demo/search/?q=front",
    "/clusters/demo/search/?q=nothing-like-this",
)


def the_field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Find a pod, node or workload")


def the_choice(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Results").get_by_role("option", selected=True)


def find(page: Page, text: str) -> None:
    """Fill in the search at once, so that it asks once, and wait until there are results."""
    the_field(page).fill(text)
    expect(the_choice(page)).to_be_visible()


def test_pages_are_accessible_and_fit(demo_page: Page) -> None:
    assert flaws_of_pages(demo_page, PAGES) == {}


@in_every_look
def test_a_namespace_stays_from_list_to_list_until_it_is_given_up(demo_page: Page, width: int, theme: Theme) -> None:
    wear(demo_page, width=width, theme=theme)
    demo_page.goto(PODS)
    names = demo_page.locator("#results tbody th a")
    demo_page.get_by_label("Namespace", exact=True).select_option("payments")
    expect(demo_page.locator("#results")).to_contain_text("hidden by: Namespace: payments.")
    assert {name.split("/")[0] for name in names.all_inner_texts()} == {"payments"}
    assert flaws(demo_page) == []
    # Three rows of what a finger can hit, at most.
    assert demo_page.locator(".site-header").evaluate("head => head.offsetHeight") < 150

    # A page that it does not concern says nothing of it.
    names.first.click()
    expect(demo_page.get_by_label("Namespace", exact=True)).to_have_count(0)
    navigation = demo_page.get_by_role("navigation", name="Main")
    navigation.get_by_text("Risk").click()
    navigation.get_by_role("link", name="Budgets").click()
    expect(demo_page).to_have_url(re.compile(r"/budgets/\?namespace=payments$"))
    expect(demo_page.get_by_label("Namespace", exact=True)).to_have_value("payments")

    demo_page.get_by_label("Namespace", exact=True).select_option("All namespaces")
    expect(demo_page.locator("#results")).not_to_contain_text("hidden by")
    demo_page.goto(PODS)
    expect(demo_page).to_have_url(re.compile("/pods/$"))


def test_no_page_scrolls_sideways(demo_page: Page) -> None:
    def widths_too_narrow() -> list[int]:
        # A desk's narrow window, and what is left of it at 200 %.
        found = []
        for width in (1280, 640):
            demo_page.set_viewport_size({"width": width, "height": 720})
            if demo_page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(width)
        return found

    demo_page.goto(OVERVIEW)
    hrefs = "links => links.map((link) => link.href)"
    sections = demo_page.locator(".sections a").evaluate_all(hrefs)
    assert len(sections) > 15
    details = set[str]()
    too_narrow = {}
    for address in sections:
        demo_page.goto(address)
        too_narrow[address] = widths_too_narrow()
        details.update(demo_page.locator("#results tbody tr:first-child th a").evaluate_all(hrefs)[:1])
    for address in details:
        demo_page.goto(address)
        too_narrow[address] = widths_too_narrow()
    assert {address: widths for address, widths in too_narrow.items() if widths} == {}


def test_a_phone_shows_ten_of_a_list_until_all_are_wanted(demo_page: Page) -> None:
    wear(demo_page, width=390, theme="light")
    demo_page.goto(PODS)
    search = demo_page.locator("#filters").get_by_label("Search")
    expect(search).to_be_hidden()
    demo_page.locator("summary", has_text="Filter").click()
    search.fill("ledger-0")
    expect(demo_page.locator("#results")).to_contain_text("1 of 907 pods shown.")
    demo_page.reload()
    expect(search).to_have_value("ledger-0")
    expect(search).to_be_visible()

    demo_page.goto(PODS)
    rows = demo_page.locator("#results tbody tr")
    assert rows.count() == 50
    expect(rows.nth(9)).to_be_visible()
    expect(rows.nth(10)).to_be_hidden()
    assert demo_page.evaluate("document.documentElement.scrollHeight") < 4_000

    demo_page.get_by_label("Show all").check()
    expect(rows.nth(49)).to_be_visible()
    wear(demo_page, width=1280, theme="light")
    expect(demo_page.get_by_label("Show all")).to_be_hidden()
    demo_page.reload()
    expect(rows.nth(49)).to_be_visible()


def test_an_overview_is_printed_on_one_sheet_and_a_decision_on_two(demo_page: Page) -> None:
    def sheets(paper: str) -> list[str]:
        return [sheet.extract_text() for sheet in PdfReader(BytesIO(demo_page.pdf(format=paper))).pages]

    demo_page.goto(OVERVIEW)
    expect(demo_page.locator("#card-change")).to_be_visible()
    for paper in ("A4", "Letter"):
        (overview,) = sheets(paper)
        assert "36 pods are pending" in overview
        assert "All 60 nodes" in overview

    # One that is pending, and one that has scores.
    for state, ways in (("pending", "Other ways"), ("bound", "Ways to")):
        demo_page.goto(f"{PODS}?state={state}&q=c")
        demo_page.locator("#results tbody th a").first.click()
        expect(demo_page.locator("#map-card svg").first).to_be_visible()
        for paper in ("A4", "Letter"):
            first, *others = sheets(paper)
            assert len(others) <= 1
            assert "Every node" in first
            assert ways in "".join((first, *others))


@in_every_look
def test_what_opens_is_accessible_and_fits(demo_page: Page, width: int, theme: Theme) -> None:
    wear(demo_page, width=width, theme=theme)
    demo_page.goto(PODS)

    find(demo_page, "recommendations-api")
    assert flaws(demo_page) == []
    # What stands beside a name is one line, however long that is.
    heights = demo_page.locator("[role=option] > .small").evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert len(set(heights)) == 1
    demo_page.keyboard.press("Escape")
    demo_page.get_by_role("navigation", name="Main").get_by_text("Risk").click()
    expect(demo_page.get_by_role("link", name="Budgets")).to_be_visible()
    assert flaws(demo_page) == []
    demo_page.keyboard.press("Escape")
    expect(demo_page.get_by_role("link", name="Budgets")).to_be_hidden()
    if width == 390:
        demo_page.get_by_role("button", name="Signed in as").click()
        assert flaws(demo_page) == []
    demo_page.get_by_role("button", name="Help", exact=True).click()
    expect(demo_page.get_by_role("heading", name="Words")).to_be_visible()
    assert flaws(demo_page) == []
    demo_page.get_by_role("dialog", name="Help").get_by_role("link", name="Lessons").click()
    expect(demo_page).to_have_url(re.compile("/lessons/$"))


def test_search_is_reached_chosen_and_opened_by_keyboard(demo_page: Page) -> None:
    demo_page.goto(OVERVIEW)
    demo_page.keyboard.press("/")
    find(demo_page, "front")
    field = the_field(demo_page)

    expect(field).to_have_attribute("aria-activedescendant", "search-workloads-1")
    demo_page.keyboard.press("Escape")
    expect(the_choice(demo_page)).to_be_hidden()
    expect(field).to_have_attribute("aria-expanded", "false")
    demo_page.keyboard.press("ArrowDown")
    demo_page.keyboard.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", "search-workloads-2")
    wanted = the_choice(demo_page).get_attribute("href")
    demo_page.keyboard.press("Enter")

    expect(demo_page).to_have_url(re.compile(f"{wanted}$"))


def test_help_opens_by_key_and_gives_the_focus_back(demo_page: Page) -> None:
    demo_page.goto(NODES)
    link = demo_page.get_by_role("main").get_by_role("link").first
    link.focus()

    demo_page.keyboard.press("?")
    expect(demo_page.get_by_role("dialog", name="Help")).to_be_visible()
    expect(demo_page.get_by_text("Several nodes share the highest score:")).to_be_attached()
    expect(demo_page.get_by_role("dialog", name="Help").get_by_role("button", name="Close")).to_be_focused()
    demo_page.keyboard.press("Escape")

    expect(demo_page.get_by_role("dialog", name="Help")).to_be_hidden()
    expect(link).to_be_focused()


def test_keys_lead_to_sections_and_leave_typing_alone(demo_page: Page) -> None:
    demo_page.goto(NODES)
    demo_page.get_by_label("Search", exact=True).press_sequentially("gp?/")
    expect(demo_page.get_by_label("Search", exact=True)).to_have_value("gp?/")
    # Whoever leaves while the list is being filtered cuts that off.
    expect(demo_page.locator("#results")).to_contain_text("hidden")
    demo_page.get_by_label("Search", exact=True).blur()

    demo_page.keyboard.press("g")
    demo_page.keyboard.press("p")

    expect(demo_page).to_have_url(re.compile("/clusters/demo/pods/$"))

    # They can be turned off for good.
    demo_page.keyboard.press("?")
    demo_page.get_by_role("checkbox", name=re.compile("^Single keys")).uncheck()
    demo_page.keyboard.press("Escape")
    demo_page.reload()
    expect(demo_page.locator("html")).to_have_class(re.compile("keys-off"))

    demo_page.keyboard.press("/")
    demo_page.keyboard.press("?")

    expect(the_field(demo_page)).not_to_be_focused()
    expect(demo_page.get_by_role("dialog", name="Help")).to_be_hidden()


def test_sections_search_and_help_need_no_script(demo_page: Page, plain_page: Page) -> None:
    wear(plain_page, width=390, theme="light")
    plain_page.goto(NODES)

    plain_page.get_by_role("navigation", name="Main").get_by_text("Objects").press("Enter")
    plain_page.get_by_role("navigation", name="Main").get_by_role("link", name="Pods", exact=True).click()
    expect(plain_page).to_have_url(re.compile("/pods/$"))
    plain_page.get_by_label("Find a pod, node or workload").fill("frontend")
    plain_page.get_by_label("Find a pod, node or workload").press("Enter")
    expect(plain_page.get_by_role("heading", name="Search")).to_be_visible()
    expect(plain_page.locator(".found a").first).to_be_visible()
    plain_page.get_by_role("button", name="Signed in as").click()
    plain_page.get_by_role("link", name="Help").click()
    expect(plain_page.get_by_role("heading", name="Words")).to_be_visible()


def test_text_becomes_neither_html_nor_a_script(live_berth: LiveBerth, browser: Browser) -> None:
    with browser.new_context(base_url=live_berth.url) as context:
        page = context.new_page()
        page.goto("/sign-in/")
        for forbidden in (
            "document.body.innerHTML = '<b>text</b>'",
            "document.write('<b>text</b>')",
            "new Worker('https://elsewhere.example/worker.js')",
            "document.createElement('script').text = 'alert()'",
        ):
            with pytest.raises(PlaywrightError, match="Trusted"):
                page.evaluate(f"() => {{ {forbidden} }}")
