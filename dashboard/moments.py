"""The moment of a cluster's past that an address asks about: ``at``, and ``from``, since when something changed."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.dateparse import parse_datetime, parse_time

from clusters.services.mirror.past import known_since
from clusters.services.mirror.snapshots import last_moment
from clusters.wording.filters import NO_MOMENT
from dashboard.http import BadParameterError

if TYPE_CHECKING:
    from django.http import QueryDict

    from clusters.models import Cluster
    from dashboard.http import PageRequest

AT: Final = "at"
FROM: Final = "from"
SPAN: Final = "span"
# The pod's page takes these, too, which are no moments.
_WORDS: Final = frozenset({"", "now", "decision"})
# Kubernetes is younger; further off, a day more or less is no date any more.
_FIRST_YEAR, _LAST_YEAR = 2000, 2999
_DAY: Final = timedelta(days=1)


class Recorded(NamedTuple):
    """From when to when the journal knows what ran."""

    since: datetime
    until: datetime


def recorded(cluster: Cluster) -> Recorded | None:
    """Return what the journal knows of a cluster; None where it knows no moment."""
    since = known_since(cluster)
    if since is None:
        return None
    return Recorded(since, max(since, last_moment(cluster) or timezone.now()))


def read_moment(written: str, until: datetime) -> datetime | None:
    """Return the moment that somebody wrote: ISO 8601, a date, or a time, which is the last one of it by `until`.

    Without an offset it is in the reader's time zone. None for what is no moment.
    """
    # A plus in an address stands for a blank.
    text = re.sub(r"(:\d\d(?:\.\d+)?) (\d\d:?\d\d)$", r"\1+\2", written.strip())
    try:
        clock, found = parse_time(text), parse_datetime(text)
    except ValueError:
        return None
    if clock is not None:
        found = datetime.combine(timezone.localtime(until).date(), clock.replace(tzinfo=None))
        if timezone.make_aware(found) > until:
            found -= _DAY
    if found is None or not _FIRST_YEAR <= found.year <= _LAST_YEAR:
        return None
    return timezone.make_aware(found) if timezone.is_naive(found) else found


def asked_moment(query: QueryDict, name: str, until: datetime) -> datetime | None:
    """Return the moment of a parameter; None where it asks for none. Raises BadParameterError."""
    written = query.get(name, "")
    if written in _WORDS:
        return None
    found = read_moment(written, until)
    if found is None:
        raise BadParameterError(f"{name}: {NO_MOMENT}")
    return found


def as_written(moment: datetime) -> str:
    """Return a moment as addresses have it, the same for readers in all time zones."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def canonical_address(request: PageRequest, **moments: datetime | None) -> str | None:
    """Return the address with its moments as all readers read them; None where it has them so."""
    written = {name: as_written(moment) for name, moment in moments.items() if moment is not None}
    if all(request.GET[name] == text for name, text in written.items()):
        return None
    kept = request.GET.copy()
    for name, text in written.items():
        kept[name] = text
    return f"{request.path}?{kept.urlencode()}"


# The pages that show the state of a cluster, below its address, or ask about it: what leads to them stays at the moment
# that is shown, and those that know the present alone say so. The others tell of acts, or of all times.
_STATES: Final = (
    "map/|pending/|pods/|workloads/|nodes/|devices/|pod-groups/|spread/|budgets/|drain/|quotas/|pods.csv|quotas.csv|"
    "search/|simulations/new|headroom/|usage/|upgrade/"
)


def keep_moment(content: bytes, cluster: str, query: QueryDict) -> bytes:
    """Return a page whose addresses of the cluster's state ask about the moment that its own address asks about.

    Those are in attributes and in JSON. Forms keep it in fields, and scripts take it from the page's address.
    """
    kept = urlencode([(name, query[name]) for name in (AT, FROM, SPAN) if name in query])
    place = r"(<form\b[^>]*>)|((?:href|hx-get|hx-push-url)=|(?<!=))"
    address = rf'{place}"(/clusters/{re.escape(cluster)}/(?:(?:{_STATES})[^"?#]*)?)(\?[^"#]*)?(?=[#"])'

    def moved(found: re.Match[bytes]) -> bytes:
        form, attribute, path, given = found.groups()
        if form or (given and re.search(rb"(?:[?&;]|u0026)at=", given)):
            return found[0]
        joint = "&amp;" if attribute else "\\u0026"
        more = joint.encode() + given[1:] if given else b""
        return attribute + b'"' + path + b"?" + kept.replace("&", joint).encode() + more

    return re.sub(address.encode(), moved, content)
