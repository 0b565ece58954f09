"""From a kubeconfig's context, or a pod's service account, to an HTTP client that is signed in.

The file is read whenever a client is made, so a token that somebody renewed there is found. Nothing of its content is
kept, and no message quotes it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import yaml
from lightkube.config.client_adapter import ConnectionParams
from lightkube.config.kubeconfig import KubeConfig, SingleConfig
from lightkube.config.models import User
from lightkube.core.exceptions import ConfigError

from clusters.adapters.kube.exec_token import ExecToken
from clusters.adapters.kube.port import BadConnectionError
from clusters.problems.live import (
    KubeconfigUnreadable,
    NoServiceAccount,
    NotAKubeconfig,
    NoUsableContext,
    UnusableCredentials,
)

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
