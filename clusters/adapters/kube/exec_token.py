"""Tokens from a kubeconfig's credential plugin, in each of the plugin API's versions.

lightkube's own runs plugins of the two beta versions only, while newer plugins speak v1.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import httpx2
import orjson
from django.conf import settings

from clusters.adapters.kube.port import BadConnectionError
from clusters.problems.live import NoTokenGiven, PluginFailed, PluginNotStarted, PluginSilent, UnknownPluginVersion

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from lightkube.config.models import UserExec

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
