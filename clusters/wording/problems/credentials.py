"""Words for what is wrong with the credentials by which a live cluster is followed."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clusters.problems.live import (
    KubeconfigUnreadable,
    NoServiceAccount,
    NotAKubeconfig,
    NoTokenGiven,
    NotOneContext,
    NoUsableContext,
    PluginFailed,
    PluginNotStarted,
    PluginSilent,
    UnknownPluginVersion,
    UnusableCredentials,
)
from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, listed
from clusters.wording.problems.registry import Words, words


def place(kubeconfig: str, context: str) -> str:
    """Name the source of credentials; a service account's has no kubeconfig."""
    if not kubeconfig:
        return pgettext("source of credentials", "the pod's service account")
    return pgettext("source of credentials", "context %(context)s of %(kubeconfig)s") % {
        "context": context,
        "kubeconfig": kubeconfig,
    }


@words.register(UnusableCredentials)
def unusable_credentials(problem: UnusableCredentials) -> Words:
    """Give the reason, where it quotes no secret."""
    found = place(problem.kubeconfig, problem.context)
    said = (
        _("The credentials of %(place)s cannot be used: %(reason)s.") % {"place": found, "reason": problem.reason}
        if problem.reason
        else _("The credentials of %(place)s cannot be used.") % {"place": found}
    )
    return Words(said, _("Check the certificates, keys and addresses that the kubeconfig names."))


@words.register(NoUsableContext)
def no_usable_context(problem: NoUsableContext) -> Words:
    """Name the context."""
    said = _("%(kubeconfig)s has no usable context “%(context)s”.") % {
        "kubeconfig": problem.kubeconfig,
        "context": problem.context,
    }
    return Words(
        said,
        _("kubectl config get-contexts lists them; the cluster and the user that it names must be there too."),
    )


@words.register(NotOneContext)
def not_one_context(problem: NotOneContext) -> Words:
    """Name the contexts that there are."""
    if not problem.contexts:
        said = _("%(kubeconfig)s has no contexts.") % {"kubeconfig": problem.kubeconfig}
        return Words(said, _("Add one with kubectl config set-context."))
    said = _("%(kubeconfig)s has %(number)s contexts: %(contexts)s.") % {
        "kubeconfig": problem.kubeconfig,
        "number": grouped(len(problem.contexts)),
        "contexts": listed(problem.contexts),
    }
    return Words(said, _("Name one of them."))


@words.register(NoServiceAccount)
def no_service_account(problem: NoServiceAccount) -> Words:
    """Say where Berth would have to run."""
    said = _("This process does not run in a pod with a service account.")
    return Words(said, _("Give the pod one (automountServiceAccountToken), or follow the cluster by a kubeconfig."))


@words.register(KubeconfigUnreadable)
def kubeconfig_unreadable(problem: KubeconfigUnreadable) -> Words:
    """Quote the operating system."""
    said = _("%(kubeconfig)s cannot be read: %(reason)s.") % {
        "kubeconfig": problem.kubeconfig,
        "reason": problem.reason,
    }
    return Words(said, _("Check the path, and that Berth's user may read it."))


@words.register(NotAKubeconfig)
def not_a_kubeconfig(problem: NotAKubeconfig) -> Words:
    """Say how to look at it."""
    said = _("%(path)s is not a kubeconfig.") % {"path": problem.path}
    return Words(said, _("KUBECONFIG=%(path)s kubectl config view must be able to read it.") % {"path": problem.path})


@words.register(UnknownPluginVersion)
def unknown_plugin_version(problem: UnknownPluginVersion) -> Words:
    """Name the versions that are known."""
    said = _("The credential plugin speaks %(found)s, which is unknown.") % {"found": problem.found}
    return Words(said, _("Use one that speaks %(known)s.") % {"known": alternatives(problem.known)})


@words.register(PluginNotStarted)
def plugin_not_started(problem: PluginNotStarted) -> Words:
    """Quote the operating system."""
    said = (
        _("The credential plugin %(command)s cannot be started: %(reason)s.")
        % {"command": problem.command, "reason": problem.reason}
        if problem.reason
        else _("The credential plugin %(command)s cannot be started.") % {"command": problem.command}
    )
    return Words(said, _run_kubectl())


@words.register(PluginSilent)
def plugin_silent(problem: PluginSilent) -> Words:
    """Say how long it had."""
    said = _("The credential plugin %(command)s gave no answer in %(seconds)s seconds.") % {
        "command": problem.command,
        "seconds": grouped(problem.seconds),
    }
    return Words(said, _run_kubectl())


@words.register(PluginFailed)
def plugin_failed(problem: PluginFailed) -> Words:
    """Give its exit status."""
    said = _(
        "The credential plugin %(command)s failed with exit status %(status)s; the watcher's log holds what it wrote."
    ) % {"command": problem.command, "status": str(problem.status)}
    return Words(said, _run_kubectl())


@words.register(NoTokenGiven)
def no_token_given(problem: NoTokenGiven) -> Words:
    """Say what is read of an answer."""
    said = _(
        "The answer of the credential plugin %(command)s holds no token; client certificates from plugins are not read."
    ) % {"command": problem.command}
    return Words(said, _run_kubectl())


def _run_kubectl() -> str:
    return _("Run kubectl with the same kubeconfig and as the same user on Berth's machine, and sign in there.")
