"""Topics: what one can subscribe to, which is a part of a page of a cluster with the page's parameters."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.core.exceptions import PermissionDenied, TooManyFieldsSent
from django.http import Http404, QueryDict
from django.urls import Resolver404, resolve
from msgspec import Struct

from clusters.models import Cluster
from clusters.wording import websockets as words
from dashboard.access import rules
from dashboard.access.rights import covers, rights_of
from dashboard.lazy_views import LazyView
from dashboard.live.parts import LivePart, find_part

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

# Characters of a page's address, which is about what browsers and servers agree on.
_LONGEST_PAGE = 2_000


class GoneError(Exception):
    """The cluster was deleted."""


class RefusedError(Exception):
    """What was asked for cannot be had; the message says why, for whoever reads the browser's console."""


class Topic(Struct, frozen=True):
    """A part, a cluster, and the page that it stands on, with nothing in its query that the part does not read.

    ``zone``: in which time zone it tells times; empty for that of the installation.

    Two browsers that show the same have equal topics, however they came to their address.
    """

    part: LivePart
    cluster_id: int
    path: str
    query: str
    zone: str = ""

    @property
    def identity(self) -> str:
        """A short name of the topic, the same in every process."""
        text = "\n".join((self.part.name, str(self.cluster_id), self.path, self.query, self.zone))
        return blake2b(text.encode(), digest_size=9).hexdigest()


def topic_of(part: str, cluster_id: int, page: str, zone: str = "") -> Topic:
    """Return the topic that a page's part is. Raises RefusedError; whether the cluster exists is not looked at."""
    if len(page) > _LONGEST_PAGE:
        raise RefusedError(str(words.ADDRESS_TOO_LONG))
    try:
        address = urlsplit(page)
        match = resolve(address.path)
        given = QueryDict(address.query)
    except (ValueError, Resolver404, TooManyFieldsSent):
        raise RefusedError(str(words.NO_ADDRESS)) from None
    # The parts of a page are registered in the module of its view.
    if isinstance(match.func, LazyView):
        match.func.load()
    found = find_part(part)
    if found is None or (found.pages and match.view_name not in found.pages):
        raise RefusedError(words.NO_PART(part=part[:64]))
    query = QueryDict(mutable=True)
    # In the page's own order, in which its links repeat them.
    for name in given:
        if name in found.parameters:
            # As forms and views read it: the last of several.
            query[name] = given[name]
    path = address.path if found.pages else ""
    return Topic(part=found, cluster_id=cluster_id, path=path, query=query.urlencode(), zone=zone)


def check(topic: Topic, user: AbstractBaseUser | AnonymousUser) -> None:
    """Raise RefusedError unless the cluster is the one that the page's address names and the user may open that page.

    Raises GoneError for a cluster that is there no more.
    """
    name = Cluster.objects.filter(pk=topic.cluster_id).values_list("name", flat=True).first()
    if name is None:
        raise GoneError
    match = resolve(topic.path) if topic.path else None
    if match is not None and match.kwargs.get("cluster", name) != name:
        raise RefusedError(str(words.NO_CLUSTER))
    try:
        if match is not None:
            rules.check(match, user, acts=False)
    except (Http404, PermissionDenied):
        raise RefusedError(str(words.FORBIDDEN)) from None
    if not covers(rights_of(user).views, topic.cluster_id):
        raise RefusedError(str(words.FORBIDDEN))
