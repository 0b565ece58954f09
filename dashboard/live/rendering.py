"""Rendering a topic, as its page does."""

from __future__ import annotations

from typing import NamedTuple

from django.http import Http404, HttpRequest, QueryDict
from django.template.loader import render_to_string
from django.urls import resolve, reverse
from django.utils import timezone

from clusters.engine import ConfigurationError
from clusters.models import Cluster
from clusters.services.computing import OverTimeError, start, stop
from clusters.services.decisions.explain import escaped
from clusters.services.disruption import TooManyError
from clusters.services.evaluation import WorkersAwayError
from dashboard.limits.computing import MOST_SECONDS
from dashboard.live.topics import GoneError, Topic
from dashboard.presenters.shared import page
from dashboard.reader_zone import zone_named


class Rendered(NamedTuple):
    """A part's HTML, and the revision of the cluster that it is no older than."""

    html: str
    revision: int


def render(topic: Topic) -> Rendered:
    """Render a topic from the cluster's present state.

    What stands in a page's place when it has nothing to show (a group that is gone, a configuration that cannot be
    read, an answer that could not be computed) is said in the part's place. Raises GoneError, and ChangingTooFastError
    as the services do.
    """
    cluster = Cluster.objects.filter(pk=topic.cluster_id).first()
    if cluster is None:
        raise GoneError
    cluster.is_held = True
    request = HttpRequest()
    request.method = "GET"
    request.GET = QueryDict(topic.query)
    request.META["QUERY_STRING"] = topic.query
    place = {}
    if topic.path:
        match = resolve(topic.path)
        place = {name: value for name, value in match.kwargs.items() if name != "cluster"}
        # The address as it is now: the cluster may have got another name.
        named = {"cluster": cluster.name} if "cluster" in match.kwargs else {}
        request.path = request.path_info = reverse(match.view_name, kwargs={**place, **named})
        request.resolver_match = match
    start(MOST_SECONDS)
    try:
        with timezone.override(zone_named(topic.zone) if topic.zone else None):
            context = topic.part.context(cluster, request.GET, **place)
            return Rendered(render_to_string(topic.part.template, context, request), cluster.revision)
    except (Http404, ConfigurationError, OverTimeError, TooManyError, WorkersAwayError) as absence:
        template, problem = "live/_absent.html", page.unanswered(absence)
    except Exception as error:
        failure = escaped(error)
        if failure is None:
            raise
        template, problem = "failures/_part.html", page.failure_sentence(failure)
    finally:
        stop()
    return Rendered(render_to_string(template, {"problem": problem}, request), cluster.revision)
