"""Live clusters: list and watch, and no other verb."""

from __future__ import annotations

import asyncio
import math
import os
import random
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import httpx2
import msgspec
import orjson
import yaml
from django.conf import settings
from lightkube.config.client_adapter import ConnectionParams
from lightkube.config.kubeconfig import KubeConfig, SingleConfig
from lightkube.config.models import User, UserExec
from lightkube.core.exceptions import ConfigError
from msgspec import Struct

from clusters.adapters.bad_input import Limits, printable
from clusters.adapters.prune import KINDS, Kind, WrongField
from clusters.adapters.prune.shapes import LONGEST_TOKEN
from clusters.adapters.rows import Kept, Row, canonical, identified, table_of
from clusters.adapters.usage import METRICS_GROUP, METRICS_RELEASE, MOST_USED, UsageFound
from clusters.engine.problems import MissingField, NotOneOf, Problem, ProblemError, TooLarge
from clusters.engine.usage import PodUsage, UsedAmounts
from clusters.problems.inputs import UnreadableFile
from clusters.problems.live import (
    KindNotServed,
    LiveObjectUnreadable,
    MayNotList,
    NoAnswer,
    NoServiceAccount,
    NotAKubeconfig,
    NoUsableContext,
    PathNotFound,
    PluginFailed,
    PrometheusFailed,
    PrometheusUnreadable,
    RefusedWithStatus,
    StrangeAnswer,
    UnknownCredentials,
    UnusableCredentials,
    VersionGone,
    WatchFailed,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Iterator


# From a kubeconfig's context, or a pod's service account, to an HTTP client that is signed in.
#
# The file is read whenever a client is made, so a token that somebody renewed there is found. Nothing of its content
# is kept, and no message quotes it.

# What the watcher asks of a live cluster, and the ways in which the answer can fail to come.


class SourceError(ProblemError):
    """The cluster did not give what was asked for, for a reason that is a typed problem."""


class BadConnectionError(SourceError):
    """The kubeconfig or the service account cannot be used as it is."""


class UnreachableError(SourceError):
    """No answer, a broken one, or one that says to come back later."""


class UnauthorizedError(SourceError):
    """The API server does not know the credentials: a token that expired, most of the time."""


class ForbiddenError(SourceError):
    """The credentials are known, but may not list or watch this kind."""


class NotServedError(SourceError):
    """The API server has no such kind in this version."""


class GoneError(SourceError):
    """The resource version is older than what the API server remembers: the kind has to be listed anew."""


class Page(Struct, frozen=True):
    """A part of a list; `resource_version` is the list's, the same on every page."""

    items: list[dict[str, Any]]
    resource_version: str


class Happening(StrEnum):
    """What a watch tells."""

    OPENED = "OPENED"
    ADDED = "ADDED"
    MODIFIED = "MODIFIED"
    DELETED = "DELETED"
    BOOKMARK = "BOOKMARK"


class WatchEvent(Struct, frozen=True):
    """One message of a watch. The first is OPENED, which says that the API server answered, and carries no object."""

    happening: Happening
    object: dict[str, Any]
    resource_version: str


class ClusterReader(Protocol):
    """Reads a live cluster. Every method raises SourceError."""

    async def version(self) -> str:
        """Return the API server's version, as in v1.34.1."""
        ...

    async def served_version(self, kind: ApiKind) -> str:
        """Return the first of the kind's versions that is served. Raises NotServedError when none is."""
        ...

    def pages(self, kind: ApiKind, version: str) -> AsyncGenerator[Page]:
        """List all objects of a kind."""
        ...

    def watch(self, kind: ApiKind, version: str, resource_version: str) -> AsyncGenerator[WatchEvent]:
        """Tell what happens after `resource_version`, until the API server ends it, as it does every few minutes."""
        ...

    async def close(self) -> None:
        """End all connections."""
        ...


# Tokens from a kubeconfig's credential plugin, in each of the plugin API's versions.
#
# lightkube's own runs plugins of the two beta versions only, while newer plugins speak v1.

_VERSIONS = frozenset(f"client.authentication.k8s.io/{version}" for version in ("v1", "v1beta1", "v1alpha1"))
# A plugin that asks a person would wait for ever: nobody sits at a watcher's terminal.
_SECONDS = 60
_UNAUTHORIZED = 401
# What a plugin is told of Berth's own environment, which holds Berth's keys: enough to find programs and files, and to
# reach the network.
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY")
_PASSED_ON = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
        *("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
        *_PROXIES,
        *(name.lower() for name in _PROXIES),
    }
)


class ExecToken(httpx2.Auth):
    """Signs requests with the plugin's token, and asks the plugin again when the API server does not take it."""

    def __init__(self, plugin: UserExec) -> None:
        if plugin.apiVersion not in _VERSIONS:
            raise BadConnectionError(NotOneOf(str(plugin.apiVersion), tuple(sorted(_VERSIONS))))
        self._plugin = plugin
        self._lock = asyncio.Lock()
        self._token = ""

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        used = await self._renewed("")
        request.headers["Authorization"] = f"Bearer {used}"
        response = yield request
        if response.status_code == _UNAUTHORIZED:
            request.headers["Authorization"] = f"Bearer {await self._renewed(used)}"
            yield request

    async def _renewed(self, refused: str) -> str:
        """Return a token other than the refused one; those who ask at the same time share one run of the plugin."""
        async with self._lock:
            if self._token == refused:
                self._token = await self._ask()
            return self._token

    async def _ask(self) -> str:
        plugin = self._plugin
        info = {"apiVersion": plugin.apiVersion, "kind": "ExecCredential", "spec": {"interactive": False}}
        passed_on = {*_PASSED_ON, *settings.BERTH_EXEC_ENVIRONMENT}
        environment = {name: value for name, value in os.environ.items() if name in passed_on}
        environment["KUBERNETES_EXEC_INFO"] = orjson.dumps(info).decode()
        environment.update((variable.name, variable.value) for variable in plugin.env or ())
        try:
            process = await asyncio.create_subprocess_exec(
                plugin.command,
                *(plugin.args or ()),
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                # Straight to the watcher's log: what a plugin complains about may not be for everybody's eyes.
                stderr=None,
            )
        except OSError as error:
            raise BadConnectionError(
                PluginFailed(plugin.command, error.strerror or "" or type(error).__name__)
            ) from None
        try:
            async with asyncio.timeout(_SECONDS):
                output, _ = await process.communicate()
        except TimeoutError:
            raise BadConnectionError(PluginFailed(plugin.command, f"> {_SECONDS} s")) from None
        finally:
            # Also when the watcher is asked to stop meanwhile.
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise BadConnectionError(PluginFailed(plugin.command, f"exit {process.returncode}"))
        try:
            token = orjson.loads(output)["status"]["token"]
        except (orjson.JSONDecodeError, KeyError, TypeError):
            raise BadConnectionError(PluginFailed(plugin.command, "status.token")) from None
        return str(token)


_LARGEST_FILE = 4 * 1024 * 1024
# Reading and connecting; a watch has a patience of its own.
CONNECT_SECONDS = 10
_TIMEOUT = httpx2.Timeout(30, connect=CONNECT_SECONDS)
# Each kind holds one connection for its watch, and its lists come over others.
_LIMITS = httpx2.Limits(max_connections=100, max_keepalive_connections=40, keepalive_expiry=30)


class Connection(Struct, frozen=True):
    """Where a live cluster is found: a kubeconfig and one of its contexts, or the pod's service account where empty."""

    kubeconfig: str
    context: str

    def client(self) -> httpx2.AsyncClient:
        """Read the credentials and return a client. Raises BadConnectionError."""
        config, extras = self._config()
        user = config.user or User()
        try:
            parameters = ConnectionParams(timeout=_TIMEOUT, proxy=extras.get("proxy-url") or None)
            # The plugin is ours to run; lightkube would refuse its newest version.
            bare = config._replace(user=msgspec.structs.replace(user, exec=None))
            options = parameters.httpx_params(bare)
            if user.exec is not None:
                options["auth"] = ExecToken(user.exec)
            client = httpx2.AsyncClient(**options, limits=_LIMITS, headers={"User-Agent": "berth"})
        except (ConfigError, OSError, ValueError) as error:
            # A ValueError may quote what it could not decode; an OSError names the file.
            reason = error.strerror if isinstance(error, OSError) else str(error) if type(error) is ConfigError else ""
            raise BadConnectionError(UnusableCredentials(self.kubeconfig, self.context, reason or "")) from None
        server_name = extras.get("tls-server-name")
        if server_name:
            name = str(server_name)

            async def name_server(request: httpx2.Request) -> None:
                request.extensions["sni_hostname"] = name

            client.event_hooks["request"].append(name_server)
        return client

    def _config(self) -> tuple[SingleConfig, dict[str, Any]]:
        """Return the context's configuration, and what lightkube leaves out of its cluster."""
        if not self.kubeconfig:
            return _service_account(), {}
        document = _document(Path(self.kubeconfig))
        try:
            config = KubeConfig.from_dict(document, fname=self.kubeconfig).get(self.context)
            assert config is not None  # noqa: S101 - only without a context's name
            clusters = {entry["name"]: entry["cluster"] for entry in document["clusters"]}
        except (ConfigError, KeyError, TypeError, msgspec.ValidationError):
            raise BadConnectionError(NoUsableContext(self.kubeconfig, self.context)) from None
        return config, clusters[config.context.cluster]


def contexts_of(path: Path) -> list[str]:
    """Return the names of a kubeconfig's contexts. Raises BadConnectionError."""
    try:
        return [str(entry["name"]) for entry in _document(path)["contexts"]]
    except (KeyError, TypeError):
        raise BadConnectionError(NotAKubeconfig(str(path))) from None


def is_in_cluster() -> bool:
    """Tell whether this process runs in a pod that has a service account."""
    return "KUBERNETES_SERVICE_HOST" in os.environ


def _service_account() -> SingleConfig:
    try:
        config = KubeConfig.from_service_account().get()
    except (ConfigError, KeyError, OSError):
        config = None
    if config is None or not is_in_cluster():
        raise BadConnectionError(NoServiceAccount())
    return config


def _document(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise BadConnectionError(NotAKubeconfig(str(path)))
        document = yaml.safe_load(path.read_bytes())
    except OSError as error:
        raise BadConnectionError(UnreadableFile(error.strerror or str(error), str(path))) from None
    except (yaml.YAMLError, UnicodeDecodeError):
        # The parser's own words quote the line that it stumbled over, which may hold a token.
        raise BadConnectionError(NotAKubeconfig(str(path))) from None
    if not isinstance(document, dict):
        raise BadConnectionError(NotAKubeconfig(str(path)))
    return document


# The ClusterReader that speaks HTTP: GET requests, and nothing else.

# What is listed and watched of a live cluster: every kind of the mirror, all of which API servers serve.
#
# deploy/clusterrole.yaml allows exactly this; a test compares the two.


class ApiKind(Struct, frozen=True):
    """A kind as the API server serves it: `versions` without the group, the preferred one first."""

    name: str
    plural: str
    group: str
    versions: tuple[str, ...]
    is_namespaced: bool

    def path(self, version: str) -> str:
        """Return the address of all objects of the kind, in all namespaces."""
        return f"{api_path(self.group, version)}/{self.plural}"

    def api_version(self, version: str) -> str:
        """Return what objects carry as apiVersion."""
        return f"{self.group}/{version}" if self.group else version


def api_path(group: str, version: str) -> str:
    """Return the address under which a group's version lists what it serves."""
    return f"/apis/{group}/{version}" if group else f"/api/{version}"


def _served(kind: Kind) -> ApiKind:
    groups = (each.rpartition("/") for each in kind.versions)
    versions = tuple(version for group, _, version in groups if group == kind.group)
    return ApiKind(kind.name, kind.plural, kind.group, versions, kind.is_namespaced)


API_KINDS: dict[str, ApiKind] = {kind.name: _served(kind) for kind in KINDS.values()}

# From an object of the API server to a row of the mirror.

_LONGEST_OBJECT = Limits().object_bytes
# Three times what API servers of Kubernetes send, and what the tables hold.
_LONGEST_VERSION = 63


class UnreadableObjectError(Exception):
    """An object that the mirror cannot hold, and why."""

    def __init__(self, problem: LiveObjectUnreadable) -> None:
        super().__init__(problem)
        self.problem = problem


def uid_of(document: dict[str, Any]) -> str:
    """Return an object's UID, empty where it has none."""
    metadata = document.get("metadata")
    uid = metadata.get("uid") if isinstance(metadata, dict) else None
    return uid if isinstance(uid, str) else ""


def version_of(document: dict[str, Any]) -> str:
    """Return an object's or a list's resource version, empty where it has none that could be kept."""
    metadata = document.get("metadata")
    version = metadata.get("resourceVersion") if isinstance(metadata, dict) else None
    return version if isinstance(version, str) and len(version) <= _LONGEST_VERSION else ""


def live_row(kind: ApiKind, version: str, document: dict[str, Any]) -> Row:
    """Return an object's row. Raises UnreadableObjectError, also for an object without a UID.

    The resource version is left out: it grows with every heartbeat, and the row's digest would with it, though nothing
    that the mirror keeps has changed.
    """
    try:
        pruned = KINDS[kind.name].prune(document)
        identified(pruned, is_namespaced=kind.is_namespaced)
        metadata = pruned["metadata"]
        if "uid" not in metadata:
            raise (WrongField(MissingField("metadata.uid")).within("uid").within("metadata"))
        metadata.pop("resourceVersion", None)
        pruned["apiVersion"] = kind.api_version(version)
        pruned["kind"] = kind.name
        text = canonical(pruned, longest=_LONGEST_OBJECT)
        return table_of(kind.name).row(Kept(metadata["uid"], metadata["name"], text))
    except WrongField as error:
        problem = LiveObjectUnreadable(kind.name, _name_of(document), error.path, error.problem)
        raise UnreadableObjectError(problem) from None


def _name_of(document: dict[str, Any]) -> str:
    metadata = document.get("metadata")
    parts = (metadata.get("namespace"), metadata.get("name")) if isinstance(metadata, dict) else ()
    return "/".join(str(part) for part in parts if part)[:320]


_OBJECTS_PER_PAGE = 500
# The API server is asked to end a watch after some minutes, at another moment for each kind; it is then resumed.
_WATCH_SECONDS = (240, 420)
# A bookmark comes about once a minute, but only of a kind of which something has happened since the API server started.
# Whether a watch that is silent for longer has lost its API server shows when it is opened again.
_LONGEST_SILENCE = httpx2.Timeout(30, connect=CONNECT_SECONDS, read=75)
_LONGEST_MESSAGE = 32 * 1024 * 1024
_LONGEST_SAYING = 1000
# Of 150,000 pods with two containers it takes some 100 MiB.
LARGEST_METRICS = 256 * 1024 * 1024


class HttpReader:
    """Reads one cluster over connections that all its kinds share."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._client: httpx2.AsyncClient | None = None
        self._served: dict[str, frozenset[str] | None] = {}

    async def version(self) -> str:
        return printable(str((await self._document("/version", {}, "")).get("gitVersion", "")))

    async def served_version(self, kind: ApiKind) -> str:
        for version in kind.versions:
            try:
                document = await self._document(api_path(kind.group, version), {}, kind.name)
            except NotServedError:
                continue
            except ForbiddenError:
                # Who may not discover may still list: the list itself will say what is served.
                return version
            if any(entry.get("name") == kind.plural for entry in _objects(document, "resources", kind.name)):
                return version
        raise NotServedError(KindNotServed(kind.name))

    async def pages(self, kind: ApiKind, version: str) -> AsyncGenerator[Page]:
        query = {"limit": str(_OBJECTS_PER_PAGE)}
        while True:
            document = await self._document(kind.path(version), query, kind.name)
            yield Page(_objects(document, "items", kind.name), version_of(document))
            metadata = document.get("metadata")
            rest = metadata.get("continue") if isinstance(metadata, dict) else None
            if not rest:
                return
            query["continue"] = str(rest)

    async def watch(self, kind: ApiKind, version: str, resource_version: str) -> AsyncGenerator[WatchEvent]:
        query = {
            "watch": "true",
            "resourceVersion": resource_version,
            "timeoutSeconds": str(random.randint(*_WATCH_SECONDS)),  # noqa: S311 - to spread load, not to hide anything
            "allowWatchBookmarks": "true",
        }
        async with self._answer(kind.path(version), query, kind.name, patience=_LONGEST_SILENCE) as response:
            yield WatchEvent(Happening.OPENED, {}, resource_version)
            with suppress(httpx2.ReadTimeout):
                async for line in _lines(response):
                    yield _event(line, kind.name)

    async def metrics(self, plural: str, what: str) -> list[dict[str, Any]]:
        """Return all objects of a kind of metrics.k8s.io, which has no pages. Raises SourceError."""
        async with self._answer(f"{api_path(METRICS_GROUP, METRICS_RELEASE)}/{plural}", {}, what) as response:
            parts, size = [], 0
            async for part in response.aiter_bytes():
                parts.append(part)
                size += len(part)
                if size > LARGEST_METRICS:
                    raise UnreachableError(TooLarge(LARGEST_METRICS))
            return _objects(_parsed(b"".join(parts), what), "items", what)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _document(self, path: str, query: dict[str, str], what: str) -> dict[str, Any]:
        async with self._answer(path, query, what) as response:
            return _parsed(await response.aread(), what)

    @asynccontextmanager
    async def _answer(
        self, path: str, query: dict[str, str], what: str, *, patience: httpx2.Timeout | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """Ask, and give the answer if it is a good one; translate whatever can go wrong until it is read."""
        if self._client is None:
            self._client = self._connection.client()
        client = self._client
        request = client.build_request("GET", path, params=query)
        if patience is not None:
            request.extensions["timeout"] = patience.as_dict()
        try:
            response = await client.send(request, stream=True)
            try:
                if response.status_code != httpx2.codes.OK:
                    raise self._refusal(response.status_code, _message(await response.aread()), what)
                yield response
            finally:
                await response.aclose()
        except UnauthorizedError:
            # The next request reads the kubeconfig again, where somebody may have renewed the token.
            if self._client is client:
                await self.close()
            raise
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, OSError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and not client.is_closed:
                raise
            raise UnreachableError(self._silence(error)) from error

    def _refusal(self, status: int, message: str, what: str) -> SourceError:
        match status:
            case 401:
                return UnauthorizedError(UnknownCredentials(self._connection.kubeconfig, self._connection.context))
            case 403:
                return ForbiddenError(MayNotList(what, message))
            case 404:
                return NotServedError(PathNotFound(what))
            case 410:
                return GoneError(VersionGone(what, message))
        return UnreachableError(RefusedWithStatus(status, message))

    def _silence(self, error: Exception) -> Problem:
        kubeconfig, context = self._connection.kubeconfig, self._connection.context
        return NoAnswer(str(error) or type(error).__name__, kubeconfig, context)


async def _lines(response: httpx2.Response) -> AsyncIterator[bytes]:
    rest = b""
    async for chunk in response.aiter_bytes():
        lines = (rest + chunk).split(b"\n") if b"\n" in chunk else [rest + chunk]
        rest = lines.pop()
        if len(rest) > _LONGEST_MESSAGE:
            raise UnreachableError(StrangeAnswer(""))
        for line in lines:
            if line:
                yield line
        # A burst of events must not keep the other kinds waiting.
        await asyncio.sleep(0)


def _event(line: bytes, what: str) -> WatchEvent:
    message = _parsed(line, what)
    found = message.get("object")
    document: dict[str, Any] = found if isinstance(found, dict) else {}
    if message.get("type") == "ERROR":
        said = _said(document)
        if document.get("code") == httpx2.codes.GONE:
            raise GoneError(VersionGone(what, said))
        raise UnreachableError(WatchFailed(what, said))
    try:
        happening = Happening(str(message.get("type")))
    except ValueError:
        raise UnreachableError(StrangeAnswer(what)) from None
    return WatchEvent(happening, document, version_of(document))


def _objects(document: dict[str, Any], key: str, what: str) -> list[dict[str, Any]]:
    """Return a list of objects within an answer. Raises UnreachableError for anything else."""
    found = document.get(key) or []
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise UnreachableError(StrangeAnswer(what))
    return found


def _parsed(data: bytes, what: str) -> dict[str, Any]:
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        document = None
    if not isinstance(document, dict):
        raise UnreachableError(StrangeAnswer(what))
    return document


def _message(data: bytes) -> str:
    """Return what a Status says, or nothing of an answer that is none."""
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        return ""
    return _said(document) if isinstance(document, dict) else ""


def _said(status: dict[str, Any]) -> str:
    """Return a Status's message as it can be stored and shown."""
    return printable(str(status.get("message", ""))[:_LONGEST_SAYING])


# Usage from a Prometheus that scrapes kubelets: four fixed queries, asked of an address that the administrator lists.
#
# The series are those of cAdvisor in the kubelet's ``/metrics/cadvisor``. Of two series of one container, as after a
# restart, the greater one counts. Neither redirects nor proxies of the environment are followed.

_CPU, _MEMORY = "container_cpu_usage_seconds_total", "container_memory_working_set_bytes"
_CONTAINERS, _WHOLE_NODES = '{container!="",container!="POD"}', '{id="/"}'
_POD_LABELS = ("namespace", "pod", "container")
_QUERY = "max by ({labels}) ({series})"
_READER_TIMEOUT = httpx2.Timeout(30, connect=10)
_PROMETHEUS_LONGEST_SAYING = 300
_REDIRECTS = range(300, 400)


def read_prometheus(address: str) -> UsageFound:
    """Ask for what containers and nodes use now; nodes only where series name them. Raises UnreachableError."""
    found = UsageFound()
    at = datetime.now(UTC)
    with httpx2.Client(
        # Of the environment SSL_CERT_FILE alone counts.
        verify=httpx2.create_ssl_context(),
        trust_env=False,
        timeout=_READER_TIMEOUT,
        follow_redirects=False,
        headers={"User-Agent": "berth"},
    ) as client:
        pods: dict[tuple[str, str], dict[str, UsedAmounts]] = {}
        for (namespace, pod, container), used in _used(client, address, _POD_LABELS, _CONTAINERS).items():
            pods.setdefault((namespace, pod), {})[container] = used
        nodes = _used(client, address, ("node",), _WHOLE_NODES)
    for (namespace, pod), containers in pods.items():
        found.add_pod(at, PodUsage(namespace, pod, containers))
    for (node,), used in nodes.items():
        found.add_node(at, node, used)
    return found


def _used(
    client: httpx2.Client, address: str, labels: tuple[str, ...], chosen: str
) -> dict[tuple[str, ...], UsedAmounts]:
    """Return CPU and memory by labels; what has only one of the two is left out."""
    by = ", ".join(labels)
    cpu = dict(_vector(client, address, labels, _QUERY.format(labels=by, series=f"rate({_CPU}{chosen}[5m])")))
    memory = dict(_vector(client, address, labels, _QUERY.format(labels=by, series=f"{_MEMORY}{chosen}")))
    return {
        key: UsedAmounts(math.ceil(cores * 1000), math.ceil(memory[key]))
        for key, cores in cpu.items()
        # Clocks that jump make rates that no machine has.
        if key in memory and max(cores * 1000, memory[key]) <= MOST_USED
    }


def _vector(
    client: httpx2.Client, address: str, labels: tuple[str, ...], query: str
) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the labels and the value of each series of an answer."""
    answer = _answer(client, address, query)
    data = answer.get("data")
    result = data.get("result") if isinstance(data, dict) else None
    if answer.get("status") != "success" or not isinstance(result, list):
        raise UnreachableError(PrometheusUnreadable(address))
    for series in result:
        try:
            key = tuple(series["metric"].get(label, "") for label in labels)
            value = float(series["value"][1])
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            raise UnreachableError(PrometheusUnreadable(address)) from None
        is_named = all(isinstance(part, str) and 0 < len(part) <= LONGEST_TOKEN for part in key)
        if is_named and value >= 0:
            yield key, value


def _answer(client: httpx2.Client, address: str, query: str) -> dict[str, Any]:
    request = client.build_request("GET", f"{address}/api/v1/query", params={"query": query, "timeout": "20s"})
    try:
        response = client.send(request, stream=True)
        try:
            content = _content(response)
        finally:
            response.close()
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise UnreachableError(PrometheusFailed(address, str(error) or type(error).__name__)) from error
    if response.status_code in _REDIRECTS:
        raise UnreachableError(PrometheusFailed(address, str(response.status_code)))
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        document = None
    if response.status_code != httpx2.codes.OK:
        said = document.get("error") if isinstance(document, dict) else ""
        message = printable(str(said or response.reason_phrase)[:_PROMETHEUS_LONGEST_SAYING])
        raise UnreachableError(PrometheusFailed(address, f"{response.status_code} {message}"))
    if not isinstance(document, dict):
        raise UnreachableError(PrometheusUnreadable(address))
    return document


def _content(response: httpx2.Response) -> bytes:
    parts, size = [], 0
    for part in response.iter_bytes():
        parts.append(part)
        size += len(part)
        if size > LARGEST_METRICS:
            raise UnreachableError(TooLarge(LARGEST_METRICS))
    return b"".join(parts)
