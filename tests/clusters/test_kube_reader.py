"""The reader against an API server: pages, watches, and every way in which they fail."""

from __future__ import annotations

import ast
import asyncio
import os
import stat
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2
import pytest
import yaml
from django.conf import settings

from clusters.adapters.kube import (
    API_KINDS,
    BadConnectionError,
    Connection,
    ForbiddenError,
    GoneError,
    Happening,
    HttpReader,
    NotServedError,
    UnauthorizedError,
    UnreachableError,
    WatchEvent,
    contexts_of,
)
from clusters.adapters.prune import KINDS, kind_of
from clusters.adapters.usage import METRICS_GROUP
from clusters.problems.live import NotAKubeconfig
from clusters.wording.problems import both_sentences
from tests.clusters.dumps import node, pod
from tests.support.answers import error_of
from tests.support.fake_apiserver import TOKEN, FakeApiServer, Object
from tests.support.problems import not_given
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Iterator

    from pytest_django import Settings

PODS = API_KINDS["Pod"]
SLICES = API_KINDS["ResourceSlice"]


@pytest.fixture
async def reader(api_server: FakeApiServer, tmp_path: Path) -> AsyncIterator[HttpReader]:
    reader = HttpReader(Connection(str(api_server.kubeconfig(tmp_path / "kubeconfig")), "fake"))
    yield reader
    await reader.close()


async def names(reader: HttpReader) -> list[str]:
    return [item["metadata"]["name"] async for page in reader.pages(PODS, "v1") for item in page.items]


async def some(events: AsyncGenerator[WatchEvent], number: int) -> list[tuple[str, str]]:
    """Return what happened to whom, without bookmarks, until there are so many."""
    heard = []
    async with aclosing(events):
        async for event in events:
            if event.happening not in (Happening.OPENED, Happening.BOOKMARK):
                heard.append((str(event.happening), event.object["metadata"]["name"]))
            if len(heard) == number:
                break
    return heard


async def first_bookmark(reader: HttpReader, since: str) -> str:
    async with aclosing(reader.watch(PODS, "v1", since)) as events:
        async for event in events:
            if event.happening is Happening.BOOKMARK:
                return event.resource_version
    raise AssertionError("the watch ended without a bookmark")


async def test_a_long_list_comes_in_pages_of_one_version(api_server: FakeApiServer, reader: HttpReader) -> None:
    api_server.put(*(pod(f"p{number:04}") for number in range(1100)))

    pages = [page async for page in reader.pages(PODS, "v1")]

    assert [len(page.items) for page in pages] == [500, 500, 100]
    assert len({page.resource_version for page in pages}) == 1
    assert [query["limit"] for _, path, query in api_server.requests if path == "/api/v1/pods"] == ["500"] * 3


async def test_a_watch_tells_what_happened_since(api_server: FakeApiServer, reader: HttpReader) -> None:
    api_server.put(pod("early"))
    since = str(api_server.version)
    api_server.put(pod("late"), pod("late", on="n1"))
    api_server.delete("Pod", "early", "shop")

    heard = await some(reader.watch(PODS, "v1", since), 3)

    assert heard == [("ADDED", "late"), ("MODIFIED", "late"), ("DELETED", "early")]


async def test_bookmarks_bring_the_version_forward(api_server: FakeApiServer, reader: HttpReader) -> None:
    since = str(api_server.version)
    api_server.put(node("n1"))

    assert int(await first_bookmark(reader, since)) == api_server.version > int(since)


async def test_messages_may_come_in_pieces(api_server: FakeApiServer, reader: HttpReader) -> None:
    api_server.piece_bytes = 7
    api_server.put(pod("a"), pod("b"))

    assert await some(reader.watch(PODS, "v1", "100"), 2) == [("ADDED", "a"), ("ADDED", "b")]


async def test_a_forgotten_version_is_gone_at_once(api_server: FakeApiServer, reader: HttpReader) -> None:
    api_server.put(pod())
    api_server.compact()

    with pytest.raises(GoneError):
        await some(reader.watch(PODS, "v1", "100"), 1)


async def test_a_version_may_be_forgotten_during_a_watch(api_server: FakeApiServer, reader: HttpReader) -> None:
    """It comes as a message then, after status 200."""
    events = reader.watch(PODS, "v1", str(api_server.version))
    assert (await anext(events)).happening is Happening.OPENED
    api_server.version += 1
    api_server.compact()

    with pytest.raises(GoneError):
        await some(events, 1)


async def test_the_rest_of_a_list_may_be_forgotten(api_server: FakeApiServer, reader: HttpReader) -> None:
    api_server.put(*(pod(f"p{number:04}") for number in range(501)))
    pages = reader.pages(PODS, "v1")
    await anext(pages)
    api_server.compact()

    with pytest.raises(GoneError):
        await anext(pages)


async def test_a_forbidden_kind_says_what_to_bind(api_server: FakeApiServer, reader: HttpReader) -> None:
    api_server.forbidden.add("Pod")

    with not_given(ForbiddenError, r"Pod \(403\).*clusterrole\.yaml"):
        await names(reader)


async def test_devices_fall_back_to_an_older_version(api_server: FakeApiServer, reader: HttpReader) -> None:
    assert await reader.served_version(SLICES) == "v1"
    api_server.served["resource.k8s.io"] = {"v1beta1"}
    assert await reader.served_version(SLICES) == "v1beta1"
    api_server.served["resource.k8s.io"] = set()
    with not_given(NotServedError, "does not serve ResourceSlice"):
        await reader.served_version(SLICES)


async def test_a_renewed_token_is_read_from_the_file(
    api_server: FakeApiServer, reader: HttpReader, tmp_path: Path
) -> None:
    api_server.put(pod())
    api_server.token = "renewed"
    with not_given(UnauthorizedError, r"context fake of .*kubeconfig \(401\).*Renew the token"):
        await names(reader)

    api_server.kubeconfig(tmp_path / "kubeconfig", token="renewed")

    assert await names(reader) == ["web"]


async def test_a_dead_api_server_is_unreachable(api_server: FakeApiServer, reader: HttpReader) -> None:
    api_server.stop()

    with not_given(UnreachableError, "does not respond"):
        await names(reader)


async def test_a_connection_that_breaks_off_ends_the_watch(api_server: FakeApiServer, reader: HttpReader) -> None:
    events = reader.watch(PODS, "v1", str(api_server.version))
    await anext(events)
    api_server.drop_connections()

    with not_given(UnreachableError, "does not respond"):
        await some(events, 1)


async def test_a_watch_on_which_nothing_happens_ends_without_complaint(
    api_server: FakeApiServer, reader: HttpReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """API servers send no bookmarks of a kind that they have had no news of; only the next watch shows who is gone."""
    monkeypatch.setattr("clusters.adapters.kube._LONGEST_SILENCE", httpx2.Timeout(5, read=0.2))
    api_server.bookmark_seconds = 60

    heard = [event.happening async for event in reader.watch(PODS, "v1", str(api_server.version))]

    assert heard == [Happening.OPENED]


async def test_many_watches_run_at_once(api_server: FakeApiServer, reader: HttpReader) -> None:
    api_server.put(pod())
    watches = [some(reader.watch(PODS, "v1", "100"), 1) for _ in range(60)]

    assert await asyncio.gather(*watches) == [[("ADDED", "web")]] * 60


# -- credentials -----------------------------------------------------------------------------------------


def changed(path: Path, part: str, **fields: object) -> Object:
    """Change the one cluster or user of a kubeconfig."""
    document: Object = yaml.safe_load(path.read_text(encoding="utf-8"))
    document[f"{part}s"][0][part] |= fields
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return document


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
async def test_a_credential_plugin_is_asked_once_and_again_when_refused(
    api_server: FakeApiServer, tmp_path: Path, version: str
) -> None:
    token_file, log = tmp_path / "token", tmp_path / "log"
    token_file.write_text(TOKEN, encoding="utf-8")
    plugin = tmp_path / "plugin"
    plugin.write_text(
        f'#!/bin/sh\necho "$KUBERNETES_EXEC_INFO" >> {log}\n'
        f'printf \'{{"status": {{"token": "%s"}}}}\' "$(cat {token_file})"\n',
        encoding="utf-8",
    )
    plugin.chmod(plugin.stat().st_mode | stat.S_IXUSR)
    path = api_server.kubeconfig(tmp_path / "kubeconfig", token="unused")
    api_version = f"client.authentication.k8s.io/{version}"
    changed(path, "user", token=None, exec={"apiVersion": api_version, "command": str(plugin)})
    reader = HttpReader(Connection(str(path), "fake"))

    await names(reader)
    await names(reader)
    assert log.read_text(encoding="utf-8").count(api_version) == 1
    api_server.token = "second"
    token_file.write_text("second", encoding="utf-8")
    await names(reader)
    assert log.read_text(encoding="utf-8").count(api_version) == 2
    await reader.close()


async def test_a_credential_plugin_is_not_told_what_is_not_for_it(
    api_server: FakeApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    seen, plugin = tmp_path / "seen", tmp_path / "plugin"
    plugin.write_text(f'#!/bin/sh\nenv > {seen}\nprintf \'{{"status": {{"token": "{TOKEN}"}}}}\'\n', encoding="utf-8")
    plugin.chmod(plugin.stat().st_mode | stat.S_IXUSR)
    settings.BERTH_EXEC_ENVIRONMENT = ["AWS_PROFILE"]
    for name in ("BERTH_SECRET_KEY", "DATABASE_URL", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "https_proxy"):
        monkeypatch.setenv(name, f"the {name}")
    path = api_server.kubeconfig(tmp_path / "kubeconfig", token="unused")
    named = [{"name": "ROLE", "value": "reader"}]
    version = "client.authentication.k8s.io/v1"
    changed(path, "user", token=None, exec={"apiVersion": version, "command": str(plugin), "env": named})
    reader = HttpReader(Connection(str(path), "fake"))

    await names(reader)
    await reader.close()

    told = dict(line.partition("=")[::2] for line in seen.read_text(encoding="utf-8").splitlines())
    assert told["PATH"] == os.environ["PATH"]
    assert (told["https_proxy"], told["AWS_PROFILE"], told["ROLE"]) == ("the https_proxy", "the AWS_PROFILE", "reader")
    assert "KUBERNETES_EXEC_INFO" in told
    assert not {"BERTH_SECRET_KEY", "DATABASE_URL", "AWS_SECRET_ACCESS_KEY", "DJANGO_SETTINGS_MODULE"} & told.keys()


async def test_a_credential_plugin_that_fails_says_so(api_server: FakeApiServer, tmp_path: Path) -> None:
    path = api_server.kubeconfig(tmp_path / "kubeconfig")
    plugin = {"apiVersion": "client.authentication.k8s.io/v1", "command": "false"}
    changed(path, "user", token=None, exec=plugin)
    reader = HttpReader(Connection(str(path), "fake"))

    with not_given(BadConnectionError, "false gave no token: exit 1"):
        await names(reader)
    await reader.close()


async def test_a_credential_plugin_does_not_outlive_who_asked(api_server: FakeApiServer, tmp_path: Path) -> None:
    process = tmp_path / "process"
    path = api_server.kubeconfig(tmp_path / "kubeconfig")
    arguments = ["-c", f"echo $$ > {process}.new; mv {process}.new {process}; exec sleep 50"]
    plugin = {"apiVersion": "client.authentication.k8s.io/v1", "command": "sh", "args": arguments}
    changed(path, "user", token=None, exec=plugin)
    reader = HttpReader(Connection(str(path), "fake"))
    asking = asyncio.create_task(names(reader))
    await asyncio.to_thread(wait_until, process.exists, seconds=20, otherwise="the plugin was not started")

    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)

    assert not (Path("/proc") / process.read_text(encoding="utf-8").strip()).exists()
    await reader.close()


def test_contexts_are_read_from_the_file(api_server: FakeApiServer, tmp_path: Path) -> None:
    assert contexts_of(api_server.kubeconfig(tmp_path / "kubeconfig")) == ["fake"]


@pytest.mark.parametrize(
    "content", ["token: secret-word\n  bad: [", "- secret-word", "contexts: secret-word", "contexts: [secret-word]", ""]
)
def test_what_is_no_kubeconfig_is_refused_without_a_word_of_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(content, encoding="utf-8")

    listed = error_of(BadConnectionError, contexts_of, path)
    opened = error_of(BadConnectionError, Connection(str(path), "fake").client)
    assert listed.problem == NotAKubeconfig(str(path))
    assert "secret-word" not in f"{listed} {opened} {both_sentences(opened.problem)}"


def test_a_context_that_is_not_there_is_named(api_server: FakeApiServer, tmp_path: Path) -> None:
    path = api_server.kubeconfig(tmp_path / "kubeconfig")

    with not_given(BadConnectionError, "no usable context “other”"):
        Connection(str(path), "other").client()


def test_a_damaged_certificate_is_refused_without_a_word_of_it(api_server: FakeApiServer, tmp_path: Path) -> None:
    path = api_server.kubeconfig(tmp_path / "kubeconfig")
    (tmp_path / "ca.crt").write_text("secret-word", encoding="utf-8")
    changed(path, "cluster", **{"certificate-authority": "ca.crt"})

    refused = error_of(BadConnectionError, Connection(str(path), "fake").client)
    said = both_sentences(refused.problem)
    assert "cannot be used" in said
    assert "secret-word" not in f"{said} {refused}"


def test_outside_of_a_pod_there_is_no_service_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)

    with not_given(BadConnectionError, "has no service account"):
        Connection("", "").client()


VERBS = {"get", "list", "watch"}
HTTP_METHODS = {"get", "head", "options", "post", "put", "patch", "delete", "request", "stream"}


def sources() -> Iterator[Path]:
    """The files that may hold a request to an API server: all that import what can send one."""
    for path in sorted((settings.BASE_DIR / "clusters").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "httpx2" in text or "lightkube" in text:
            yield path


def calls(path: Path) -> Iterator[ast.Call]:
    return (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))


def test_every_kind_of_the_mirror_is_followed() -> None:
    assert set(API_KINDS) == set(KINDS)


def test_every_version_is_one_that_the_mirror_reads() -> None:
    for kind in API_KINDS.values():
        for version in kind.versions:
            assert kind_of(kind.api_version(version), KINDS[kind.name].object_kind) is KINDS[kind.name]


def test_cluster_role_allows_exactly_what_is_read() -> None:
    role = yaml.safe_load((settings.BASE_DIR / "deploy/clusterrole.yaml").read_text(encoding="utf-8"))
    allowed = [(group, name) for rule in role["rules"] for group in rule["apiGroups"] for name in rule["resources"]]

    assert role["kind"] == "ClusterRole"
    assert sorted(allowed) == sorted((kind.group, kind.plural) for kind in API_KINDS.values())
    assert all(set(rule["verbs"]) == VERBS for rule in role["rules"])
    assert all(set(rule) == {"apiGroups", "resources", "verbs"} for rule in role["rules"])


def test_usage_is_an_option_of_the_cluster_role() -> None:
    text = (settings.BASE_DIR / "deploy/clusterrole.yaml").read_text(encoding="utf-8")
    head, optional, option = text.partition("#- apiGroups: [metrics.k8s.io]")

    allowed = yaml.safe_load(head + (optional + option).replace("#", ""))

    assert allowed["rules"][-1] == {
        "apiGroups": [METRICS_GROUP], "resources": ["nodes", "pods"], "verbs": ["get", "list"],
    }  # fmt: skip
    assert len(allowed["rules"]) == len(yaml.safe_load(text)["rules"]) + 1


def test_one_place_in_the_code_sends_requests_and_it_sends_get() -> None:
    built = [
        (path.name, ast.unparse(call.args[0]))
        for path in sources()
        for call in calls(path)
        if isinstance(call.func, ast.Attribute) and call.func.attr == "build_request"
    ]

    # Beside the API server only a Prometheus is asked, at an address that the administrator lists.
    assert built == [("kube.py", "'GET'"), ("kube.py", "'GET'")]


def test_an_extender_alone_is_sent_something_at_a_host_that_the_administrator_lists() -> None:
    streamed = [
        (path.name, ast.unparse(call.args[0]))
        for path in sources()
        for call in calls(path)
        if ast.unparse(call.func) == "client.stream"
    ]

    assert streamed == [("extenders.py", "'POST'")]


def test_nothing_goes_around_that_place() -> None:
    """Clients are opened in two modules, and no method that sends by itself is called on anything in the first."""
    for path in sources():
        if path.match("adapters/kube.py") or path.match("adapters/extenders.py"):
            continue
        for call in calls(path):
            name = ast.unparse(call.func)
            assert not name.endswith(("AsyncClient", "Client")), f"{path.name} opens {name}"
    reader = settings.BASE_DIR / "clusters/adapters/kube.py"
    used = {ast.unparse(call.func) for call in calls(reader) if isinstance(call.func, ast.Attribute)}
    assert {name for name in used if name.startswith(("client.", "self._client."))} == {
        "client.build_request",
        "client.send",
        "client.aclose",
        "client.event_hooks['request'].append",
    }
    assert not {name for name in used if name.split(".")[0] == "httpx2" and name.split(".")[-1] in HTTP_METHODS}
