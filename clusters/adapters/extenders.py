"""Asks scheduler extenders over HTTP, as kube-scheduler does, if the administrator lists their hosts.

Upstream: ``send``, ``Filter`` and ``Prioritize`` of ``pkg/scheduler/extender.go``, and
``k8s.io/kube-scheduler/extender/v1``, v1.34.1. Neither redirects nor proxies of the environment are followed; what an
extender says is bounded.
"""

from __future__ import annotations

import base64
import logging
import ssl
import time
from typing import TYPE_CHECKING, Any, Final

import httpx2
import orjson

from clusters.adapters.extender_hosts import listed_address
from clusters.engine.extending import FilterReply, ScoreReply, Silence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine.configuration import Extender
    from clusters.engine.objects import Document

log = logging.getLogger(__name__)

# A reply that names 5,000 nodes with a message each has a quarter of this.
MOST_BYTES: Final = 4 * 1024 * 1024
# Nobody waits longer for a page, whatever the configuration allows the scheduler.
MOST_SECONDS: Final = 10.0
_LONGEST_MESSAGE: Final = 1000
_LARGEST_SCORE: Final = 2**31


class HttpExtenders:
    """Asks the extenders of one cluster; ``node_objects`` returns nodes as the mirror has them, by their names."""

    def __init__(self, node_objects: Callable[[Sequence[str]], Sequence[Document]]) -> None:
        self._node_objects = node_objects

    def filtered(self, extender: Extender, pod: Document, nodes: Sequence[str]) -> FilterReply | Silence:
        """Ask which of the nodes an extender keeps."""
        reply = self._asked(extender, extender.filter_verb, pod, nodes)
        if isinstance(reply, Silence):
            return reply
        return _filter_reply(reply, by_name=extender.node_cache_capable)

    def scored(self, extender: Extender, pod: Document, nodes: Sequence[str]) -> ScoreReply | Silence:
        """Ask how an extender scores nodes."""
        reply = self._asked(extender, extender.prioritize_verb, pod, nodes)
        return reply if isinstance(reply, Silence) else _score_reply(reply)

    def _asked(self, extender: Extender, verb: str, pod: Document, nodes: Sequence[str]) -> Any:
        """Return what an extender answers, as decoded JSON, or why nothing is known of it."""
        if not listed_address(extender.url_prefix):
            return Silence.NOT_LISTED
        arguments: dict[str, Any] = {"Pod": pod, "Nodes": None, "NodeNames": None}
        if extender.node_cache_capable:
            arguments["NodeNames"] = list(nodes)
        else:
            arguments["Nodes"] = {"metadata": {}, "items": list(self._node_objects(nodes))}
        address = f"{extender.url_prefix.rstrip('/')}/{verb}"
        try:
            body = _posted(extender, address, orjson.dumps(arguments))
        except httpx2.TimeoutException:
            return Silence.TIMED_OUT
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
            # What went wrong may hold what the address does: only its kind is logged.
            log.warning("An extender of %s could not be asked: %s", extender.address, type(error).__name__)
            return Silence.UNREACHABLE
        if isinstance(body, Silence):
            return body
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError:
            return Silence.UNREADABLE


def _posted(extender: Extender, address: str, content: bytes) -> bytes | Silence:
    """Send a request and return the body of its answer, if it is 200, in time and not too large."""
    seconds = min(float(extender.timeout), MOST_SECONDS)
    end = time.monotonic() + seconds
    extensions = {"sni_hostname": extender.server_name} if extender.server_name else {}
    with (
        httpx2.Client(verify=_verified(extender), trust_env=False, follow_redirects=False, timeout=seconds) as client,
        client.stream(
            "POST", address, content=content, headers={"Content-Type": "application/json"}, extensions=extensions
        ) as response,
    ):
        if response.status_code != httpx2.codes.OK:
            return Silence.REFUSED
        read = bytearray()
        for chunk in response.iter_bytes():
            read += chunk
            if len(read) > MOST_BYTES:
                return Silence.TOO_LARGE
            if time.monotonic() > end:
                return Silence.TIMED_OUT
        return bytes(read)


def _verified(extender: Extender) -> ssl.SSLContext:
    """Return how an extender's certificate is checked: as upstream not at all with enableHTTPS and no authority."""
    context = ssl.create_default_context()
    if extender.ca_data:
        context = ssl.create_default_context(cadata=base64.b64decode(extender.ca_data).decode("ascii"))
    elif extender.insecure or extender.enable_https:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _filter_reply(reply: Any, *, by_name: bool) -> FilterReply | Silence:
    """Read an ExtenderFilterResult; Go reads the names of its fields in any case."""
    if not isinstance(reply, dict):
        return Silence.UNREADABLE
    fields = {str(name).lower(): value for name, value in reply.items()}
    names, nodes = fields.get("nodenames"), fields.get("nodes")
    kept: Any = []
    if by_name and names is not None:
        kept = names
    elif isinstance(nodes, dict):
        items = nodes.get("items") or []
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            return Silence.UNREADABLE
        kept = [(item.get("metadata") or {}).get("name") for item in items]
    failed, unresolvable = (fields.get(name) or {} for name in ("failednodes", "failedandunresolvablenodes"))
    error = fields.get("error") or ""
    texts = [error]
    for messages in (failed, unresolvable):
        if not isinstance(messages, dict):
            return Silence.UNREADABLE
        texts += [*messages, *messages.values()]
    if not isinstance(kept, list) or not all(isinstance(text, str) for text in (*kept, *texts)):
        return Silence.UNREADABLE
    return FilterReply(tuple(kept), _shortened(failed), _shortened(unresolvable), error[:_LONGEST_MESSAGE])


def _shortened(messages: dict[str, str]) -> dict[str, str]:
    return {name: message[:_LONGEST_MESSAGE] for name, message in messages.items()}


def _score_reply(reply: Any) -> ScoreReply | Silence:
    """Read a HostPriorityList."""
    scores = []
    for each in reply if isinstance(reply, list) else [None] if reply is not None else []:
        fields: dict[str, Any] = {}
        if isinstance(each, dict):
            fields = {str(name).lower(): value for name, value in each.items()}
        host, score = fields.get("host"), fields.get("score", 0)
        if not isinstance(host, str) or type(score) is not int or abs(score) > _LARGEST_SCORE:
            return Silence.UNREADABLE
        scores.append((host, score))
    return ScoreReply(tuple(scores))
