"""From a kubeconfig's context, or a pod's service account, to an HTTP client that is signed in.

The file is read whenever a client is made, so a token that somebody renewed there is found. Nothing of its content is
kept, and no message quotes it."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
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
from lightkube.config.models import User
from lightkube.core.exceptions import ConfigError

from clusters.problems.live import (
    KubeconfigUnreadable,
    NoServiceAccount,
    NotAKubeconfig,
    NoTokenGiven,
    NoUsableContext,
    PluginFailed,
    PluginNotStarted,
    PluginSilent,
    UnknownPluginVersion,
    UnusableCredentials,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from lightkube.config.models import UserExec

    from clusters.adapters.kube.reader import ApiKind
    from clusters.engine.problems import Problem

# What the watcher asks of a live cluster, and the ways in which the answer can fail to come.


class SourceError(Exception):
    """The cluster did not give what was asked for, for a reason that is a typed problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


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


@dataclass(frozen=True, slots=True)
class Page:
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


@dataclass(frozen=True, slots=True)
class WatchEvent:
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
            raise BadConnectionError(UnknownPluginVersion(str(plugin.apiVersion), tuple(sorted(_VERSIONS))))
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
            raise BadConnectionError(PluginNotStarted(plugin.command, error.strerror or "")) from None
        try:
            async with asyncio.timeout(_SECONDS):
                output, _ = await process.communicate()
        except TimeoutError:
            raise BadConnectionError(PluginSilent(plugin.command, _SECONDS)) from None
        finally:
            # Also when the watcher is asked to stop meanwhile.
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise BadConnectionError(PluginFailed(plugin.command, process.returncode))
        try:
            token = orjson.loads(output)["status"]["token"]
        except (orjson.JSONDecodeError, KeyError, TypeError):
            raise BadConnectionError(NoTokenGiven(plugin.command)) from None
        return str(token)


_LARGEST_FILE = 4 * 1024 * 1024
# Reading and connecting; a watch has a patience of its own.
CONNECT_SECONDS = 10
_TIMEOUT = httpx2.Timeout(30, connect=CONNECT_SECONDS)
# Each kind holds one connection for its watch, and its lists come over others.
_LIMITS = httpx2.Limits(max_connections=100, max_keepalive_connections=40, keepalive_expiry=30)


@dataclass(frozen=True, slots=True)
class Connection:
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
            client.event_hooks["request"].append(_named_server(str(server_name)))
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
        raise BadConnectionError(KubeconfigUnreadable(str(path), error.strerror or str(error))) from None
    except (yaml.YAMLError, UnicodeDecodeError):
        # The parser's own words quote the line that it stumbled over, which may hold a token.
        raise BadConnectionError(NotAKubeconfig(str(path))) from None
    if not isinstance(document, dict):
        raise BadConnectionError(NotAKubeconfig(str(path)))
    return document


def _named_server(name: str) -> Any:
    async def name_server(request: httpx2.Request) -> None:
        request.extensions["sni_hostname"] = name

    return name_server
