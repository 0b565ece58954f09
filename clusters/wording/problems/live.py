"""Words for why the API server of a live cluster does not give what it is asked for."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.problems.live import (
    ConnectionLost,
    CoreKindNotServed,
    EndlessMessage,
    KindNotServed,
    LiveObjectUnreadable,
    MayNotList,
    NoAnswer,
    NotConnected,
    NothingHeard,
    PathNotFound,
    RefusedWithStatus,
    StrangeAnswer,
    UnknownCredentials,
    UnknownEvent,
    VersionGone,
    WatchesEnd,
    WatchFailed,
)
from clusters.wording.amounts import grouped
from clusters.wording.clusters.kinds import needed_for, read_object
from clusters.wording.problems.credentials import place
from clusters.wording.problems.registry import Words, problem_sentence, words


@words.register(KindNotServed)
def kind_not_served(problem: KindNotServed) -> Words:
    """Say what the kind is needed for."""
    said = _("The API server does not serve %(kind)s.") % {"kind": problem.object_kind}
    return Words(said, needed_for(problem.object_kind))


@words.register(PathNotFound)
def path_not_found(problem: PathNotFound) -> Words:
    """Name what was asked for."""
    said = _("The API server does not serve %(object)s (404).") % {"object": read_object(problem.object_kind)}
    return Words(said, _("Nothing to do if it is not needed."))


@words.register(CoreKindNotServed)
def core_kind_not_served(problem: CoreKindNotServed) -> Words:
    """Name the kind."""
    said = _("The API server does not serve %(kind)s, which every API server does.") % {"kind": problem.object_kind}
    return Words(said, _("Look for a proxy in between; Berth asks again."))


@words.register(NotConnected)
def not_connected(problem: NotConnected) -> Words:
    """Say how long Berth tried."""
    said = _("The API server does not respond: no connection within %(seconds)s seconds.") % {
        "seconds": grouped(problem.seconds)
    }
    return Words(said, _check_address(problem.kubeconfig, problem.context))


@words.register(NothingHeard)
def nothing_heard(problem: NothingHeard) -> Words:
    """Say that nothing came."""
    said = _("The API server does not respond: nothing came over an open connection.")
    return Words(said, _check_address(problem.kubeconfig, problem.context))


@words.register(ConnectionLost)
def connection_lost(problem: ConnectionLost) -> Words:
    """Say that the connection ended."""
    said = _("The API server does not respond: the connection was lost.")
    return Words(said, _check_address(problem.kubeconfig, problem.context))


@words.register(NoAnswer)
def no_answer(problem: NoAnswer) -> Words:
    """Quote the reason."""
    said = _("The API server does not respond: %(reason)s.") % {"reason": problem.reason}
    return Words(said, _check_address(problem.kubeconfig, problem.context))


@words.register(UnknownCredentials)
def unknown_credentials(problem: UnknownCredentials) -> Words:
    """Say where the credentials are."""
    said = _(
        "The API server does not accept the credentials of %(place)s (401): most likely the token has expired."
    ) % {"place": place(problem.kubeconfig, problem.context)}
    return Words(said, _("Renew the token or sign in again there; Berth reads the file again by itself."))


@words.register(MayNotList)
def may_not_list(problem: MayNotList) -> Words:
    """Quote the API server."""
    asked = read_object(problem.object_kind)
    said = (
        _("Berth may not list and watch %(object)s (403): %(said)s") % {"object": asked, "said": problem.said}
        if problem.said
        else _("Berth may not list and watch %(object)s (403).") % {"object": asked}
    )
    return Words(said, _("Bind the ClusterRole in deploy/clusterrole.yaml to the account that Berth uses."))


@words.register(VersionGone)
def version_gone(problem: VersionGone) -> Words:
    """Quote the API server."""
    said = _("The API server no longer has that resource version of %(kind)s (410): %(said)s") % {
        "kind": problem.object_kind,
        "said": problem.said,
    }
    return Words(said, _("Berth lists it anew."))


@words.register(RefusedWithStatus)
def refused_with_status(problem: RefusedWithStatus) -> Words:
    """Quote the API server, where it says something."""
    said = (
        _("The API server responds with status %(status)s: %(said)s")
        % {"status": str(problem.status), "said": problem.said}
        if problem.said
        else _("The API server responds with status %(status)s.") % {"status": str(problem.status)}
    )
    return Words(said, _("Look at its log; Berth asks again."))


@words.register(WatchFailed)
def watch_failed(problem: WatchFailed) -> Words:
    """Quote the API server."""
    said = _("The watch of %(kind)s ended with an error: %(said)s") % {
        "kind": problem.object_kind,
        "said": problem.said,
    }
    return Words(said, _("Look at the API server's log."))


@words.register(WatchesEnd)
def watches_end(problem: WatchesEnd) -> Words:
    """Say that no watch lasts."""
    return Words(_("Watches end as soon as they begin."), _("Look for a proxy in between."))


@words.register(EndlessMessage)
def endless_message(problem: EndlessMessage) -> Words:
    """Say that the message is too long."""
    return Words(_("A message of the watch does not end."), _("Look for a proxy in between."))


@words.register(UnknownEvent)
def unknown_event(problem: UnknownEvent) -> Words:
    """Name the kind."""
    said = _("The watch of %(kind)s sends an event of an unknown type.") % {"kind": problem.object_kind}
    return Words(said, _("Look for a proxy in between."))


@words.register(StrangeAnswer)
def strange_answer(problem: StrangeAnswer) -> Words:
    """Name what was asked for."""
    said = _("The response about %(object)s is not the API server's.") % {"object": read_object(problem.object_kind)}
    return Words(said, _("Look for a proxy in between."))


@words.register(LiveObjectUnreadable)
def live_object_unreadable(problem: LiveObjectUnreadable) -> Words:
    """Name the object and the field, and say what becomes of the object."""
    values = {
        "kind": problem.object_kind,
        "name": problem.name,
        "field": problem.field,
        "why": problem_sentence(problem.why),
    }
    if problem.name:
        said = _("%(kind)s %(name)s: %(field)s: %(why)s") % values
    else:
        said = _("%(kind)s without a name: %(field)s: %(why)s") % values
    remedy = _("It is left out. Please report it: Berth and the API server disagree about what is valid.")
    return Words(said, remedy)


def _check_address(kubeconfig: str, context: str) -> str:
    return _("Check that it runs and that Berth's machine reaches the address in %(place)s.") % {
        "place": place(kubeconfig, context)
    }
