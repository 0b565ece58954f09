"""The page of the sandbox, and what users do on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_safe

from clusters.engine.sandbox import ActKind
from clusters.services.decisions.explain import Fault, as_text
from clusters.services.sandbox import MOST_BYTES, sandbox_file
from clusters.wording import clusters as clusters_words
from clusters.wording.lessons import player as player_words, sandbox as words
from clusters.wording.limits import A_MINUTE, ASK_AGAIN
from dashboard.lessons.languages import choices
from dashboard.lessons.presenters.situation import cluster_facts
from dashboard.limits import windows
from dashboard.presenters.what_if import faults
from dashboard.sandbox import acts
from dashboard.sandbox.acts import DoneAct, RefusedActError, replace_all
from dashboard.sandbox.case import cluster_of
from dashboard.sandbox.forms import SandboxNodeForm, SandboxWorkloadForm
from dashboard.sandbox.page import node_state, sandbox_context, taints_of
from dashboard.sandbox.storing import (
    MOST_LINKS,
    ChangedElsewhereError,
    StoredSandbox,
    TooManyLinksError,
    objects_of,
    sandbox_of,
    share,
    shared,
    store,
    withdraw,
)

if TYPE_CHECKING:
    from dashboard.http import PageRequest

_ACTS: Final = "sandbox acts"
# A step of the queue is an act, too, and somebody may go through many of them.
_MOST_ACTS: Final = 120
_FILE_NAME: Final = "sandbox.yaml"


@require_http_methods(["GET", "HEAD", "POST"])
def sandbox_page(request: PageRequest) -> HttpResponse:
    """Show the sandbox of the user who asks, or do something in it."""
    sandbox = sandbox_of(request.user)
    if request.method == "POST":
        return taken(request, sandbox)
    return _page(request, sandbox)


def taken(request: PageRequest, sandbox: StoredSandbox) -> HttpResponse:
    """Do what the button says that was pressed; what cannot be done is shown with the reason."""
    counted = windows.add(_ACTS, request.user.pk, 1)
    if counted.number > _MOST_ACTS:
        problem = f"{A_MINUTE(most=_MOST_ACTS)} {ASK_AGAIN(seconds=counted.seconds_left)}"
        response = _page(request, sandbox, {"problem": problem}, status=429)
        response["Retry-After"] = str(counted.seconds_left)
        return response
    act, _, name = request.POST.get("act", "").partition(":")
    match act:
        case "add-node":
            return _add_node(request, sandbox)
        case "add-workload":
            return _add_workload(request, sandbox)
        case "share":
            return _share(request, sandbox)
        case "withdraw":
            withdraw(request.user, name)
            return redirect(f"{reverse('sandbox')}#share")
    try:
        done = _done(request, sandbox, act, name)
        return stored(request, sandbox, done)
    except RefusedActError as error:
        return refused(request, sandbox, error)


def _done(request: PageRequest, sandbox: StoredSandbox, act: str, name: str) -> DoneAct:
    match act:
        case "next" | "all":
            return acts.schedule(sandbox, is_one=act == "next")
        case "undo":
            return acts.undo(sandbox)
        case "reset":
            return acts.replace_all(sandbox, ActKind.RESET, "", sandbox.history.beginning)
        case "start":
            return acts.begin_with(sandbox, name)
        case "remove":
            return acts.remove_object(sandbox, name)
        case "apply":
            text = request.POST.get("text", "").replace("\r\n", "\n")
            return acts.put_text(sandbox, text, request.POST.get("object", ""))
        case "upload":
            return _uploaded(request, sandbox)
        case _of_a_node:
            return acts.act_on_node(sandbox, act, name)


def _uploaded(request: PageRequest, sandbox: StoredSandbox) -> DoneAct:
    file = request.FILES.get("file")
    if file is None:
        raise RefusedActError(str(clusters_words.DUMP_MISSING))
    # One byte more than may be says that there are too many.
    return acts.put_file(sandbox, file.read(MOST_BYTES + 1), file.name or "")


def stored(request: PageRequest, sandbox: StoredSandbox, done: DoneAct) -> HttpResponse:
    """Store what was done, and lead to the page. Raises RefusedActError where another window was quicker."""
    try:
        store(sandbox, done.history)
    except ChangedElsewhereError:
        raise RefusedActError(str(words.CHANGED_ELSEWHERE)) from None
    if done.notice:
        messages.warning(request, done.notice)
    return redirect(address(done.pod))


def address(pod: str = "") -> str:
    """Return the address of the sandbox, with the decision about a pod where one is named."""
    return f"{reverse('sandbox')}?{urlencode({'pod': pod})}" if pod else reverse("sandbox")


def refused(request: PageRequest, sandbox: StoredSandbox, error: RefusedActError, **more: Any) -> HttpResponse:
    """Show the page with what is wrong, and with the text in which it is."""
    context: dict[str, Any] = {"problem": error.problem, **more}
    if error.faults:
        context["faults"] = faults([Fault(each.line, each.field, each.problem) for each in error.faults])
    if "text" in request.POST:
        context["text"] = request.POST["text"].replace("\r\n", "\n")
    return _page(request, sandbox, context, status=400)


def _page(
    request: PageRequest, sandbox: StoredSandbox, more: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    edited = asked.get("object", "")
    context = sandbox_context(request, sandbox, request.GET.get("pod", ""), edited)
    return render(request, "sandbox/page.html", {**context, **(more or {})}, status=status)


# -- forms -------------------------------------------------------------------------------------------------------------


def _add_node(request: PageRequest, sandbox: StoredSandbox) -> HttpResponse:
    form = SandboxNodeForm(request.POST)
    if not form.is_valid():
        return _page(request, sandbox, {"node_form": form}, status=400)
    try:
        done = acts.put_text(sandbox, as_text(dict(form.fields_of_node.manifest())))
        return stored(request, sandbox, done)
    except RefusedActError as error:
        return refused(request, sandbox, error, node_form=form)


def _add_workload(request: PageRequest, sandbox: StoredSandbox) -> HttpResponse:
    form = SandboxWorkloadForm(request.POST, taints=taints_of(cluster_of(sandbox)))
    if not form.is_valid():
        return _page(request, sandbox, {"workload_form": form}, status=400)
    text = "---\n".join(as_text(dict(each)) for each in form.fields_of_workload.manifests())
    try:
        return stored(request, sandbox, acts.put_text(sandbox, text))
    except RefusedActError as error:
        return refused(request, sandbox, error, workload_form=form)


def _share(request: PageRequest, sandbox: StoredSandbox) -> HttpResponse:
    try:
        share(request.user, sandbox.history.objects)
    except TooManyLinksError:
        return _page(request, sandbox, {"problem": words.TOO_MANY_LINKS(number=MOST_LINKS)}, status=400)
    return redirect(f"{reverse('sandbox')}#share")


# -- parts -------------------------------------------------------------------------------------------------------------


@require_safe
def node_panel(request: PageRequest) -> HttpResponse:
    """Show a node beside the map: what it has, its pods, and what can be done with it."""
    cluster = cluster_of(sandbox_of(request.user))
    name = request.GET.get("node", "")
    facts = next((node for node in cluster_facts(cluster.situation).nodes if node.name == name), None)
    if facts is None:
        raise Http404(str(player_words.NO_OBJECT))
    return render(request, "sandbox/_node.html", {"node": facts, "state": node_state(cluster, name)})


@require_safe
def download(request: PageRequest) -> HttpResponse:
    """Answer with the sandbox as one file."""
    text = sandbox_file(cluster_of(sandbox_of(request.user)))
    return HttpResponse(
        text,
        content_type="application/yaml; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{_FILE_NAME}"'},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def shared_sandbox(request: PageRequest, token: str) -> HttpResponse:
    """Say what a link leads to, or copy it into the sandbox of the user who asks; the owner's stays as it is."""
    link = shared(token)
    if link is None:
        raise Http404(str(words.NO_LINK))
    context = {
        "link": link,
        "described": words.described(nodes=link.nodes, pods=link.pods),
        "is_own": link.owner == request.user,
        "languages": choices(),
    }
    if request.method == "POST":
        sandbox = sandbox_of(request.user)
        try:
            done = replace_all(sandbox, ActKind.COPIED, link.owner.get_username(), objects_of(link))
            return stored(request, sandbox, done)
        except RefusedActError as error:
            context["problem"] = error.problem
            return render(request, "sandbox/shared.html", context, status=400)
    return render(request, "sandbox/shared.html", context)
