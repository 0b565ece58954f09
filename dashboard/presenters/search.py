"""What a search found, and what can be said to it, such as `drain node-1`: links, group by group."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.podgroups import POD_GROUP
from clusters.services.mirror.state import MOST_COUNTED, Hit, Hits, SearchResults, named, zones_named
from clusters.wording import columns, filters as words
from clusters.wording.states import PENDING
from dashboard.presenters.runs.listing import REPLICATED, asked_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.utils.functional import _StrOrPromise

    from clusters.models import Cluster


# -- What was found ---------------------------------------------------------------------------------------------------


class Option(Struct, frozen=True):
    """One result; `before` stands before its name, `aside` behind it."""

    url: str
    before: str
    name: str
    aside: str


class Group(Struct, frozen=True):
    """The results of one sort; `more` says how many are not listed, and nothing where all are."""

    name: str
    label: str
    options: tuple[Option, ...]
    more: str


class Shown(Struct, frozen=True):
    """All results, and how many there are in words."""

    groups: tuple[Group, ...]
    sentence: str


def shown(cluster: Cluster, text: str, results: SearchResults) -> Shown:
    """Present what was found, and the verbs that begin with the text; groups without a result are left out."""
    verbs = _verbs(cluster, text.lower()) if text else ()
    groups = (
        _group(cluster, "workloads", str(words.WORKLOADS), results.workloads),
        _group(cluster, "pods", str(words.PODS), results.pods),
        _group(cluster, "nodes", str(words.NODES), results.nodes),
        _group(cluster, "pod-groups", str(words.POD_GROUPS), results.groups),
        Group("verbs", str(words.QUESTIONS), verbs, ""),
    )
    return Shown(tuple(group for group in groups if group.options), _sentence(results, len(verbs)))


def _sentence(results: SearchResults, verbs: int) -> str:
    total = sum(found.total for found in results) + verbs
    if not total:
        return str(words.NOTHING_FOUND)
    if any(found.total > MOST_COUNTED for found in results):
        return words.MORE_THAN(results=MOST_COUNTED)
    return words.RESULTS(number=total)


def _group(cluster: Cluster, name: str, label: str, found: Hits) -> Group:
    options = tuple(option for hit in found.hits if (option := _option(cluster, name, hit)) is not None)
    hidden = found.total - len(found.hits)
    more = (
        words.MORE_THAN_LISTED(results=MOST_COUNTED) if found.total > MOST_COUNTED else words.NOT_LISTED(results=hidden)
    )
    return Group(name, label, options, more if hidden else "")


def _option(cluster: Cluster, group: str, hit: Hit) -> Option | None:
    """Return the link to a result; None for a name that no address holds, which Kubernetes would refuse as well."""
    named = {"cluster": cluster.name, "namespace": hit.namespace, "name": hit.name}
    before = f"{hit.namespace}/" if hit.namespace else ""
    try:
        if group == "nodes":
            url = reverse("node", kwargs={"cluster": cluster.name, "name": hit.name})
        elif group == "pod-groups" and hit.kind == POD_GROUP:
            url = reverse("pod-group", kwargs=named)
        elif group == "pod-groups":
            # A Workload is no group itself, and objects of other systems may have several: these are listed.
            api_group = hit.kind.partition(".")[2]
            asked = f"q={hit.namespace}/{api_group}/" if api_group else f"workload={hit.namespace}/"
            url = f"{reverse('pod-groups', kwargs={'cluster': cluster.name})}?{asked}{hit.name}"
        elif group == "workloads":
            url = reverse("workload", kwargs={**named, "kind": hit.kind})
        else:
            url = reverse("decision", kwargs=named)
    except NoReverseMatch:
        return None
    return Option(url, before, hit.name, str(PENDING) if hit.is_pending else hit.kind)


# -- What was said ----------------------------------------------------------------------------------------------------


class Verb(NamedTuple):
    """What a verb is said of: the noun, which people may say before the name, and the sort of `SearchResults`."""

    noun: str
    label: _StrOrPromise
    sort: str = ""


VERBS: Final = {
    "why": Verb("pod", columns.POD, "pods"),
    "drain": Verb("node", columns.NODE, "nodes"),
    "lose": Verb("zone", words.ZONE),
    "fits": Verb("workload", words.WORKLOAD, "workloads"),
    "more": Verb("workload", words.WORKLOAD, "workloads"),
}

# An address holds no larger number.
_COUNT: Final = re.compile(r"\d{1,9}")


def answers(cluster: Cluster, text: str, most: int) -> Shown | None:
    """Return the pages that answer what was said, at most so many; None for what begins with no verb.

    After a colon only the verbs are offered that begin so; elsewhere a verb is one once a blank follows it, as names
    hold the same words.
    """
    is_marked = text.startswith(":")
    verb, blank, said = text.removeprefix(":").lstrip().lower().replace("\0", " ").partition(" ")
    if blank and verb in VERBS:
        options = tuple(_answers(cluster, verb, said.split(), most))
    elif is_marked:
        options = _verbs(cluster, verb)
    else:
        return None
    groups = (Group("verbs", str(words.QUESTIONS), options, ""),) if options else ()
    return Shown(groups, words.RESULTS(number=len(options)) if options else str(words.NOTHING_FOUND))


def _verbs(cluster: Cluster, begun: str) -> tuple[Option, ...]:
    """Return the verbs that begin so, or are said of it, each leading to the search for it with its blank."""
    search = reverse("search", kwargs={"cluster": cluster.name})
    return tuple(
        Option(f"{search}?{urlencode({'q': f':{name} '})}", "", name, str(each.label))
        for name, each in VERBS.items()
        if name.startswith(begun) or each.noun == begun
    )


def _answers(cluster: Cluster, verb: str, said: list[str], most: int) -> Iterator[Option]:
    noun, _, sort = VERBS[verb]
    if said[:1] == [noun]:
        del said[0]
    count = said.pop() if verb == "more" and said and _COUNT.fullmatch(said[-1]) else ""
    # Several nodes may be drained; the last name may be the beginning of one.
    others = said[:-1] if verb == "drain" else []
    text = " ".join(said[len(others) :])
    before = " ".join([verb, *others, ""])
    if verb == "lose":
        for zone in zones_named(cluster=cluster, text=text)[:most]:
            lost = asked_url(cluster.name, {"change": "lose-zone", "zone": zone, "how": "gone"})
            yield Option(lost, before, zone, "")
        return
    for hit in named(cluster=cluster, sort=sort, text=text, most=most).hits:
        option = _option(cluster, sort, hit)
        if option is None:
            continue
        url = option.url
        if verb == "drain" and cluster.past:
            # The map plays what becomes of the present; a plan is of any moment.
            plan = urlencode({"node": [*others, hit.name]}, doseq=True)
            url = f"{reverse('drain', kwargs={'cluster': cluster.name})}?{plan}"
        elif verb == "drain":
            url = asked_url(cluster.name, {"change": "drain-nodes", "nodes": [*others, hit.name]})
        elif verb == "more" and hit.kind in REPLICATED:
            place = {"kind": hit.kind, "namespace": hit.namespace, "name": hit.name}
            url = asked_url(cluster.name, {"change": "scale", **place, "by": int(count or 1)})
        elif verb != "why":
            url = f"{url}#more"
        yield replace(option, url=url, before=f"{before}{option.before}", name=f"{hit.name} {count}".rstrip())
