from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clusters.documents.stored_problems import encoded
from clusters.engine.problems import Quoted
from clusters.models import Cluster, Ingest, Pod
from tests.browser.axe import violations
from tests.clusters.dumps import node, pod
from tests.dashboard.rows import a_cluster, allow_changes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.contrib.auth.models import User
    from playwright.sync_api import Page, Route, WebSocket

pytestmark = [pytest.mark.browser, pytest.mark.redis]

PROBLEM = {"file": "cluster.json", "document": 2, "problem": encoded(Quoted("No kind.", "Add one."))}


def listed(*items: Mapping[str, object]) -> bytes:
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()


@pytest.fixture
def upload_page(user: User, page: Page) -> Page:
    allow_changes(user)
    page.goto("/upload/")
    return page


def send(page: Page, content: bytes, *, name: str = "fresh", file: str = "cluster.json") -> None:
    page.get_by_label("Cluster name").fill(name)
    page.get_by_label("Dump").set_input_files({"name": file, "mimeType": "application/json", "buffer": content})
    page.get_by_role("button", name="Upload").click()


def test_dump_becomes_pages(upload_page: Page) -> None:
    secret = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "shop"}}
    send(upload_page, listed(node("n1"), pod("web", on="n1"), pod("api"), secret))

    expect(upload_page).to_have_url(re.compile(r"/clusters/fresh/ingests/\d+/$"))
    expect(upload_page.get_by_text("Revision 1.").first).to_be_visible()
    expect(upload_page.get_by_role("heading", name="Skipped, and why")).to_be_visible()
    assert violations(upload_page) == []
    upload_page.get_by_role("link", name="See its pods").click()

    expect(upload_page.get_by_text("2 pods.")).to_be_visible()
    assert Pod.objects.filter(cluster__name="fresh").count() == 2


def test_broken_dump_says_what_is_wrong_and_changes_nothing(upload_page: Page) -> None:
    send(upload_page, b'{"kind": "List", "items": [')

    expect(upload_page.get_by_text("could not be read").first).to_be_visible()
    expect(upload_page.get_by_role("link", name="Upload again")).to_be_visible()
    # No cluster was added, so none stands in the head of the page.
    expect(upload_page.locator(".in-cluster")).to_have_count(0)
    assert violations(upload_page) == []
    assert not Pod.objects.exists()
    assert not Cluster.objects.exists()


def test_refused_form_keeps_what_was_filled_in(upload_page: Page, page_errors: list[str]) -> None:
    a_cluster("prod")
    send(upload_page, listed(node("n1")), name="prod")

    expect(upload_page.get_by_role("alert")).to_contain_text("prod exists.")
    expect(upload_page.get_by_label("Cluster name")).to_have_value("prod")
    assert violations(upload_page) == []
    # The browser itself reports the answer 400 on its console.
    assert all("400" in error for error in page_errors)
    page_errors.clear()


def drop(page: Page, *names: str) -> None:
    page.evaluate(
        """(names) => {
          const data = new DataTransfer();
          for (const name of names) data.items.add(new File(["{}"], name));
          document.querySelector(".dropzone").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
        }""",
        names,
    )


def test_one_dropped_file_is_chosen_and_several_are_refused_in_the_words_of_the_server(upload_page: Page) -> None:
    drop(upload_page, "dropped.json")
    expect(upload_page.get_by_text("dropped.json, 2 B")).to_be_visible()

    upload_page.locator("#upload-form").evaluate("form => { form.dataset.saysOneFile = 'Nur eine Datei.'; }")
    drop(upload_page, "a.json", "b.json")
    expect(upload_page.get_by_role("alert")).to_have_text("Nur eine Datei.")


def test_a_file_over_the_limit_is_told_with_its_name_and_size(upload_page: Page) -> None:
    def with_a_low_limit(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r'data-limit-bytes="\d+"', 'data-limit-bytes="2048"', answer.text()))

    upload_page.route("**/upload/", with_a_low_limit)
    upload_page.reload()
    upload_page.get_by_label("Dump").set_input_files(
        {"name": "{size}.json", "mimeType": "application/json", "buffer": bytes(3 * 1024)}
    )

    expect(upload_page.get_by_text("{size}.json, 3.0 KiB")).to_be_visible()
    said = "{size}.json is 3.0 KiB, more than "
    expect(upload_page.get_by_role("alert")).to_contain_text(said)


def test_form_works_without_scripts(upload_page: Page, plain_page: Page) -> None:
    plain_page.goto("/upload/")
    send(plain_page, listed(node("n1")))

    expect(plain_page).to_have_url(re.compile(r"/clusters/fresh/ingests/\d+/$"))
    assert Cluster.objects.filter(name="fresh").exists()


@pytest.fixture(params=["by websocket", "by asking again"])
def blocked(request: pytest.FixtureRequest, page: Page) -> bool:
    """Tell whether no websocket gets through, as behind a proxy that opens them and lets nothing pass."""
    is_blocked: bool = request.param == "by asking again"
    if is_blocked:
        page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())
    return is_blocked


@pytest.fixture
def followed(page: Page, blocked: bool) -> Iterator[Page]:
    """Open the page of a run that a test moves on; it must follow without being loaded again."""
    run = Ingest.objects.create(
        cluster=a_cluster("fresh", last_sync=None, revision=0),
        file_name="cluster.json",
        state=Ingest.State.READING,
        bytes_total=100,
        bytes_read=10,
        heartbeat_at=timezone.now(),
    )
    asked: list[str] = []
    received: list[str | bytes] = []
    page.on("request", lambda request: asked.append(request.url))

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: received.append(frame))  # noqa: PLW0108 - it has to be a function

    page.on("websocket", listen)
    address = f"/clusters/fresh/ingests/{run.pk}/"
    page.goto(address)
    expect(page.locator("progress")).to_have_attribute("value", "10")
    yield page
    assert len([url for url in asked if url.endswith(address)]) == 1
    assert bool(received) == (not blocked)
    assert any(url.endswith(f"{address}progress/") for url in asked) == blocked


def move(**fields: object) -> None:
    Ingest.objects.update(**fields)


def test_progress_moves_and_the_result_appears(followed: Page) -> None:
    move(bytes_read=55)
    expect(followed.locator("progress")).to_have_attribute("value", "55")
    move(bytes_read=80)
    expect(followed.locator("progress")).to_have_attribute("value", "80")
    expect(followed.locator("#announcer")).to_have_text("Reading, 80 percent.")
    move(state=Ingest.State.DONE, revision=1, rows_added=3)

    expect(followed.get_by_text("Revision 1.").first).to_be_visible()
    expect(followed.get_by_role("link", name="See its pods")).to_be_visible()


def test_error_of_a_run_appears(followed: Page) -> None:
    move(state=Ingest.State.FAILED, error=PROBLEM)

    expect(followed.get_by_text("cluster.json, document 2")).to_be_visible()
    expect(followed.get_by_role("link", name="Upload again")).to_be_visible()
