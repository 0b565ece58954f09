"""Asks scheduler extenders over HTTP, as kube-scheduler does, if the administrator lists their hosts.

Upstream: ``send``, ``Filter``, ``Prioritize`` and ``ProcessPreemption`` of ``pkg/scheduler/extender.go``, and
``k8s.io/kube-scheduler/extender/v1``, v1.34.1. Neither redirects nor proxies of the environment are followed; what an
extender says is bounded."""

from __future__ import annotations

import asyncio
import base64
import logging
import ssl
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol
from urllib.parse import urlsplit, urlunsplit

import orjson
from django.conf import settings

from clusters.engine.objects import Document, key_of
from clusters.engine.scheduling import (
    Candidate,
    FilterReply,
    NamedVictim,
    NamedVictims,
    PreemptReply,
    ScoreReply,
    Silence,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.configuration import Extender

# Which scheduler extenders may be asked: only those whose host the administrator lists.


def listed_address(address: str) -> str:
    """Return an extender's address without user, password, query and fragment; empty unless its host is listed.

    An entry of the setting is a host, whose every port is meant, or a host with a port.
    """
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    implied = port or {"http": 80, "https": 443}[parts.scheme]
    name = f"[{host}]" if ":" in host else host
    entries = {entry.lower() for entry in settings.BERTH_EXTENDER_HOSTS}
    if not {host, name, f"{name}:{implied}"} & entries:
        return ""
    place = name if port is None else f"{name}:{port}"
    return urlunsplit((parts.scheme, place, parts.path, "", ""))


log = logging.getLogger(__name__)

# A reply that names 5,000 nodes with a message each has a quarter of this.
MOST_BYTES: Final = 4 * 1024 * 1024
# Nobody waits longer for one extender, nor for all that are asked about a pod, whatever the configuration allows the
# scheduler.
MOST_SECONDS: Final = 10.0
MOST_SECONDS_TOGETHER: Final = 20.0
# More pods than candidates for preemption have in all but the largest clusters; each is sent whole.
MOST_VICTIMS: Final = 5_000
_LONGEST_MESSAGE: Final = 1000
_LARGEST_SCORE: Final = 2**31
_LARGEST_COUNT: Final = 2**63


class ClusterObjects(Protocol):
    """Objects as a cluster's source has them; what it does not have is left out."""

    def nodes_named(self, names: Sequence[str]) -> Sequence[Document]:
        """Return nodes by their names, in this order."""

    def pods_named(self, keys: Sequence[str]) -> Sequence[Document]:
        """Return pods by ``namespace/name``, in any order."""

    def pods_on(self, node: str) -> Sequence[Document]:
        """Return the pods that are bound to a node."""


class HttpExtenders:
    """Asks the extenders of one cluster about one pod, and tells them of the cluster's objects."""

    def __init__(self, objects: ClusterObjects) -> None:
        self._objects = objects
        self._left = MOST_SECONDS_TOGETHER

    def filtered(self, extender: Extender, pod: Document, nodes: Sequence[str]) -> FilterReply | Silence:
        """Ask which of the nodes an extender keeps."""
        reply = self._asked_about_nodes(extender, extender.filter_verb, pod, nodes)
        if isinstance(reply, Silence):
            return reply
        return _filter_reply(reply, by_name=extender.node_cache_capable)

    def scored(self, extender: Extender, pod: Document, nodes: Sequence[str]) -> ScoreReply | Silence:
        """Ask how an extender scores nodes."""
        reply = self._asked_about_nodes(extender, extender.prioritize_verb, pod, nodes)
        return reply if isinstance(reply, Silence) else _score_reply(reply)

    def preempted(self, extender: Extender, pod: Document, candidates: Sequence[Candidate]) -> PreemptReply | Silence:
        """Ask what an extender leaves of the candidates for preemption."""
        if not listed_address(extender.url_prefix):
            return Silence.NOT_LISTED
        keys = list(dict.fromkeys(key for candidate in candidates for key in candidate.victims))
        if len(keys) > MOST_VICTIMS:
            return Silence.TOO_MANY_VICTIMS
        pods = {key_of(each): each for each in self._objects.pods_named(keys)}
        uids = {key: _uid_of(pods[key]) for key in keys if key in pods}
        if not all(uids.get(key) for key in keys):
            return Silence.UNIDENTIFIED
        arguments: dict[str, Any] = {"Pod": pod, "NodeNameToVictims": None, "NodeNameToMetaVictims": None}
        if extender.node_cache_capable:
            arguments["NodeNameToMetaVictims"] = _victims(candidates, {key: {"UID": uid} for key, uid in uids.items()})
        else:
            arguments["NodeNameToVictims"] = _victims(candidates, pods)
        reply = self._asked(extender, extender.preempt_verb, arguments)
        named = reply if isinstance(reply, Silence) else _named_by_uid(reply)
        return named if isinstance(named, Silence) else self._identified(named, {uid: key for key, uid in uids.items()})

    def _asked_about_nodes(self, extender: Extender, verb: str, pod: Document, nodes: Sequence[str]) -> Any:
        """Return what an extender answers about nodes, as decoded JSON, or why nothing is known of it."""
        if not listed_address(extender.url_prefix):
            return Silence.NOT_LISTED
        arguments: dict[str, Any] = {"Pod": pod, "Nodes": None, "NodeNames": None}
        if extender.node_cache_capable:
            arguments["NodeNames"] = list(nodes)
        else:
            arguments["Nodes"] = {"metadata": {}, "items": list(self._objects.nodes_named(nodes))}
        return self._asked(extender, verb, arguments)

    def _asked(self, extender: Extender, verb: str, arguments: dict[str, Any]) -> Any:
        """Return what an extender answers, as decoded JSON, or why nothing is known of it."""
        if self._left <= 0:
            return Silence.TIMED_OUT
        # Few schedulers have extenders, and fewer are listed.
        import httpx2

        address = f"{extender.url_prefix.rstrip('/')}/{verb}"
        began = monotonic()
        try:
            body = asyncio.run(_posted(extender, address, orjson.dumps(arguments), self._left))
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
            # What went wrong may hold what the address does: only its kind is logged.
            log.warning("An extender of %s could not be asked: %s", extender.address, type(error).__name__)
            return Silence.UNREACHABLE
        finally:
            self._left -= monotonic() - began
        if isinstance(body, Silence):
            return body
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError:
            return Silence.UNREADABLE

    def _identified(self, named: Sequence[_NamedByUid], known: dict[str, str]) -> PreemptReply:
        """Find the pods that an extender names, among those that it was told of and the others on their nodes."""
        nodes = []
        for node, uids, violations in named:
            found = known
            if not known.keys() >= set(uids):
                found = {**known, **{_uid_of(each): key_of(each) for each in self._objects.pods_on(node)}}
            victims = tuple(NamedVictim(uid, found.get(uid, "") if uid else "") for uid in uids)
            nodes.append(NamedVictims(node, victims, violations))
        return PreemptReply(tuple(nodes))


class _NamedByUid(NamedTuple):
    """A node, the UIDs of its victims, and how many disruption budgets their removal violates, as an extender says."""

    node: str
    uids: tuple[str, ...]
    pdb_violations: int


def _uid_of(pod: Document) -> str:
    return str((pod.get("metadata") or {}).get("uid") or "")


def _victims(candidates: Sequence[Candidate], pods: Mapping[str, Any]) -> dict[str, Any]:
    """Write candidates as upstream's Victims or MetaVictims, by their nodes."""
    return {
        candidate.node: {
            "Pods": [pods[key] for key in candidate.victims],
            "NumPDBViolations": candidate.pdb_violations,
        }
        for candidate in candidates
    }


async def _posted(extender: Extender, address: str, content: bytes, most: float) -> bytes | Silence:
    """Send a request and return the body of its answer, if it is 200, within ``most`` seconds and not too large."""
    import httpx2

    # The scheduler takes a timeout below 0 for none.
    seconds = min(float(extender.timeout) if extender.timeout > 0 else MOST_SECONDS, MOST_SECONDS, most)
    extensions = {"sni_hostname": extender.server_name} if extender.server_name else {}
    client = httpx2.AsyncClient(verify=_verified(extender), trust_env=False, follow_redirects=False, timeout=None)
    try:
        # A client's own timeout is one for each piece that arrives, and ends nobody who sends a byte at a time.
        async with asyncio.timeout(seconds), client:
            headers = {"Content-Type": "application/json"}
            async with client.stream(
                "POST", address, content=content, headers=headers, extensions=extensions
            ) as response:
                if response.status_code != httpx2.codes.OK:
                    return Silence.REFUSED
                read = bytearray()
                async for chunk in response.aiter_bytes():
                    read += chunk
                    if len(read) > MOST_BYTES:
                        return Silence.TOO_LARGE
                return bytes(read)
    except TimeoutError:
        return Silence.TIMED_OUT


def _verified(extender: Extender) -> ssl.SSLContext:
    """Return how an extender's certificate is checked: as upstream not at all with enableHTTPS and no authority.

    An authority in a file of the scheduler's is not at hand: then those of this machine count.
    """
    context = ssl.create_default_context()
    if extender.ca_data:
        context = ssl.create_default_context(cadata=base64.b64decode(extender.ca_data).decode("ascii"))
    elif extender.insecure or (extender.enable_https and not extender.ca_file):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _filter_reply(reply: Any, *, by_name: bool) -> FilterReply | Silence:
    """Read an ExtenderFilterResult."""
    if not isinstance(reply, dict):
        return Silence.UNREADABLE
    fields = _in_any_case(reply)
    names, nodes = fields.get("nodenames"), fields.get("nodes")
    kept: Any = []
    if by_name and names is not None:
        kept = names
    elif isinstance(nodes, dict):
        items = nodes.get("items") or []
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            return Silence.UNREADABLE
        described = [item.get("metadata") or {} for item in items]
        if not all(isinstance(each, dict) for each in described):
            return Silence.UNREADABLE
        kept = [each.get("name") for each in described]
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
        fields = _in_any_case(each) if isinstance(each, dict) else {}
        host, score = fields.get("host"), fields.get("score", 0)
        if not isinstance(host, str) or type(score) is not int or abs(score) > _LARGEST_SCORE:
            return Silence.UNREADABLE
        scores.append((host, score))
    return ScoreReply(tuple(scores))


def _named_by_uid(reply: Any) -> list[_NamedByUid] | Silence:
    """Read an ExtenderPreemptionResult, in which victims are UIDs whatever was sent; none at all is an answer."""
    if not isinstance(reply, dict | None):
        return Silence.UNREADABLE
    nodes = _in_any_case(reply or {}).get("nodenametometavictims") or {}
    if not isinstance(nodes, dict):
        return Silence.UNREADABLE
    found = []
    for node, victims in nodes.items():
        # The scheduler cannot read null here either.
        if not isinstance(victims, dict):
            return Silence.UNREADABLE
        fields = _in_any_case(victims)
        pods, violations = fields.get("pods") or [], fields.get("numpdbviolations") or 0
        if not isinstance(pods, list) or not all(isinstance(each, dict) for each in pods):
            return Silence.UNREADABLE
        uids = [_in_any_case(each).get("uid") or "" for each in pods]
        is_count = type(violations) is int and -_LARGEST_COUNT <= violations < _LARGEST_COUNT
        if not is_count or not all(isinstance(uid, str) for uid in uids):
            return Silence.UNREADABLE
        found.append(_NamedByUid(node, tuple(uids), violations))
    return found


def _in_any_case(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields by their names in lower case, as Go reads them."""
    return {str(name).lower(): value for name, value in fields.items()}
