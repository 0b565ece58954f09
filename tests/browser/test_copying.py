"""Copying what a page names, quotes and offers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

NODE = "/clusters/demo/nodes/general-b-08/"
READ = "navigator.clipboard.readText()"
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"


@pytest.fixture
def reader(demo_page: Page) -> Page:
    demo_page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return demo_page


def test_names_messages_and_the_address_are_copied_and_it_is_said(reader: Page) -> None:
    reader.goto(NODE)
    button = reader.get_by_role("button", name="Copy the name")
    button.press("Enter")
    expect(reader.locator("#announcer")).to_have_text("Copied")
    assert reader.evaluate(READ) == "general-b-08"
    expect(button).to_be_focused()

    reader.get_by_role("button", name="Copy the address of this page").click()
    expect(reader.get_by_role("contentinfo").locator("[data-copied]")).to_be_visible()
    assert reader.evaluate(READ) == reader.url

    reader.goto("/clusters/demo/pods/?state=unschedulable")
    reader.locator("#results tbody th a").first.click()
    expect(reader).to_have_url(re.compile("/pods/[^/?]+/[^/?]+/$"))
    reader.locator("#reported-card > summary").click()
    message = reader.locator(".copyable:has(pre.said):visible").first
    message.get_by_role("button", name="Copy the message").click()
    expect(message.locator("[data-copied]")).to_be_visible()
    assert reader.evaluate(READ) == message.locator("pre").text_content()


def test_copying_needs_no_secure_address(reader: Page) -> None:
    reader.goto(NODE)
    reader.evaluate("navigator.clipboard.writeText('before')")
    reader.add_init_script(NO_CLIPBOARD)
    reader.reload()

    reader.get_by_role("button", name="Copy the name").click()

    expect(reader.locator("#announcer")).to_have_text("Copied")
    reader.get_by_label("Find a pod, node or workload").press("Control+v")
    expect(reader.get_by_label("Find a pod, node or workload")).to_have_value("general-b-08")
