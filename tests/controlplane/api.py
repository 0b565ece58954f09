"""The tests' own way to an API server: plain dicts in and out, and nothing of Berth's in between."""

from __future__ import annotations

import base64
import json
import ssl
import tempfile
import time
from typing import TYPE_CHECKING, Any, Self

import httpx2
import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Object = dict[str, Any]
"""A Kubernetes object as the API server writes it."""

MERGE = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
STRATEGIC_MERGE = "application/strategic-merge-patch+json"
_MANY = 500
_PATIENCE_SECONDS = 30


class ApiError(Exception):
    """The API server said no: its HTTP status, and the Status object that says why."""

    def __init__(self, status: int, body: Object) -> None:
        self.status = status
        self.body = body
        self.reason = str(body.get("reason", ""))
        self.message = str(body.get("message", ""))
        super().__init__(f"{status} {self.reason}: {self.message}")


class Api:
    """One user's connection to an API server. May be used by several threads."""

    def __init__(self, kubeconfig: Path) -> None:
        cluster, user = _entries(kubeconfig)
        headers = {"Authorization": f"Bearer {user['token']}"} if "token" in user else {}
        self._client = httpx2.Client(base_url=cluster["server"], verify=tls(kubeconfig), headers=headers, timeout=30)
        self._resources: dict[tuple[str, str], tuple[str, bool]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._client.close()

    def create(self, manifest: Mapping[str, Any]) -> Object:
        metadata = manifest["metadata"]
        path = self.path(manifest["apiVersion"], manifest["kind"], namespace=metadata.get("namespace"))
        return self._send("POST", path, content=orjson.dumps(manifest))

    def apply(self, manifest: Mapping[str, Any], *, dry_run: bool = False) -> Object:
        """Apply as `kubectl apply --server-side` does; the server refuses fields that the kind does not have."""
        name, namespace = manifest["metadata"]["name"], manifest["metadata"].get("namespace")
        path = self.path(manifest["apiVersion"], manifest["kind"], name, namespace=namespace)
        query = {"fieldManager": "tests", "fieldValidation": "Strict", **({"dryRun": "All"} if dry_run else {})}
        headers = {"Content-Type": "application/apply-patch+yaml"}
        return self._send("PATCH", path, content=orjson.dumps(manifest), params=query, headers=headers)

    def get(self, api_version: str, kind: str, name: str, *, namespace: str | None = None) -> Object:
        return self._send("GET", self.path(api_version, kind, name, namespace=namespace))

    def find(self, api_version: str, kind: str, name: str, *, namespace: str | None = None) -> Object | None:
        """Return the object, or None when there is none of that name."""
        try:
            return self.get(api_version, kind, name, namespace=namespace)
        except ApiError as error:
            if error.status != httpx2.codes.NOT_FOUND:
                raise
            return None

    def objects(self, api_version: str, kind: str, *, namespace: str | None = None, **query: str) -> list[Object]:
        """Return all objects of a kind, in one namespace or everywhere, read page by page."""
        path = self.path(api_version, kind, namespace=namespace)
        found: list[Object] = []
        page = {**query, "limit": str(_MANY)}
        while True:
            answer = self._send("GET", path, params=page)
            found += answer["items"]
            token = answer["metadata"].get("continue")
            if not token:
                return found
            page["continue"] = token

    def patch(
        self,
        api_version: str,
        kind: str,
        name: str,
        change: Mapping[str, Any] | list[Object],
        *,
        namespace: str | None = None,
        subresource: str | None = None,
        how: str = MERGE,
    ) -> Object:
        path = self.path(api_version, kind, name, namespace=namespace, subresource=subresource)
        return self._send("PATCH", path, content=orjson.dumps(change), headers={"Content-Type": how})

    def delete(
        self,
        api_version: str,
        kind: str,
        name: str,
        *,
        namespace: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Object:
        path = self.path(api_version, kind, name, namespace=namespace)
        return self._send("DELETE", path, content=orjson.dumps(options or {}))

    def delete_all(
        self, api_version: str, kind: str, *, namespace: str, options: Mapping[str, Any], **query: str
    ) -> Object:
        """Delete all objects of a kind in a namespace, or those that a selector in the query chooses."""
        path = self.path(api_version, kind, namespace=namespace)
        return self._send("DELETE", path, content=orjson.dumps(options), params=query)

    def post(self, path: str, body: Mapping[str, Any]) -> Object:
        """Post to any path, such as a subresource that is not a kind of its own."""
        return self._send("POST", path, content=orjson.dumps(body))

    def evict(self, namespace: str, pod: str) -> Object:
        """Ask for an eviction; ApiError 429 when a budget does not allow it."""
        body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": pod, "namespace": namespace}}
        return self.post(self.path("v1", "Pod", pod, namespace=namespace, subresource="eviction"), body)

    def snapshot(self, api_version: str, kind: str, **query: str) -> tuple[list[Object], str]:
        """Return all objects of a kind and the resourceVersion from which to watch on."""
        answer = self._send("GET", self.path(api_version, kind), params={**query, "resourceVersion": "0"})
        return answer["items"], answer["metadata"]["resourceVersion"]

    def watch(self, api_version: str, kind: str, *, since: str, **query: str) -> Iterator[tuple[str, Object]]:
        """Yield (type, object) until the server ends the watch. ApiError 410 when `since` is too long ago."""
        params = {**query, "watch": "1", "resourceVersion": since, "allowWatchBookmarks": "1"}
        path = self.path(api_version, kind)
        patience = httpx2.Timeout(30, read=None)
        with self._client.stream("GET", path, params=params, timeout=patience) as response:
            if response.is_error:
                response.read()
                raise _error(response)
            for line in response.iter_lines():
                event = orjson.loads(line)
                if event["type"] == "ERROR":
                    raise ApiError(event["object"]["code"], event["object"])
                yield event["type"], event["object"]

    def path(
        self,
        api_version: str,
        kind: str,
        name: str | None = None,
        *,
        namespace: str | None = None,
        subresource: str | None = None,
    ) -> str:
        """Return the path of a kind, of one object or of its subresource, as the server's discovery tells it."""
        plural, namespaced = self._resource(api_version, kind)
        if namespaced and name is not None and namespace is None:
            raise ValueError(f"{kind} {name} is in a namespace, but none is given")
        parts = [_prefix(api_version)]
        if namespaced and namespace is not None:
            parts += ["namespaces", namespace]
        parts += [part for part in (plural, name, subresource) if part is not None]
        return "/".join(parts)

    def _resource(self, api_version: str, kind: str) -> tuple[str, bool]:
        """Return the plural under which a kind is served, and whether its objects are in namespaces."""
        if (api_version, kind) not in self._resources:
            for entry in self._send("GET", _prefix(api_version))["resources"]:
                if "/" not in entry["name"]:
                    self._resources[api_version, entry["kind"]] = entry["name"], entry["namespaced"]
        return self._resources[api_version, kind]

    def _send(self, method: str, path: str, **arguments: Any) -> Object:
        response = self._client.request(method, path, **arguments)
        # A server that is short of time says when to ask again; only questions can be repeated without thought.
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while method == "GET" and "Retry-After" in response.headers and time.monotonic() < deadline:
            time.sleep(int(response.headers["Retry-After"]))
            response = self._client.request(method, path, **arguments)
        if response.is_error:
            raise _error(response)
        body: Object = orjson.loads(response.content)
        return body


def tls(kubeconfig: Path) -> ssl.SSLContext:
    """Return how to speak to the API server as a kubeconfig's user, as far as that is a certificate."""
    cluster, user = _entries(kubeconfig)
    context = ssl.create_default_context(cadata=_decoded(cluster["certificate-authority-data"]))
    if "client-certificate-data" in user:
        # The standard library reads certificates and keys from files only.
        with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
            file.write(_decoded(user["client-certificate-data"]) + _decoded(user["client-key-data"]))
            file.flush()
            context.load_cert_chain(file.name)
    return context


def _entries(kubeconfig: Path) -> tuple[Object, Object]:
    """Return the cluster and the user of a kubeconfig that has one of each."""
    document = json.loads(kubeconfig.read_text(encoding="utf-8"))
    return document["clusters"][0]["cluster"], document["users"][0]["user"]


def _prefix(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


def _error(response: httpx2.Response) -> ApiError:
    try:
        body = orjson.loads(response.content)
    except orjson.JSONDecodeError:
        body = {"message": response.text}
    return ApiError(response.status_code, body)


def _decoded(text: str) -> str:
    return base64.b64decode(text).decode()
