"""Accounts and their roles, groups, sessions and tokens; the gate lets administrators alone come here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clusters.models import Report, SimulationRun, Study
from clusters.services.runs.keeping import pods_kept
from clusters.wording import counts
from dashboard.access import audit
from dashboard.access.links import make_link
from dashboard.access.roles import RoleError, give, keeping_an_administrator, take
from dashboard.administration.forms import AccountsFilter, NewGroupForm, NewUserForm, RoleForm, audit_query
from dashboard.http import PageRequest, render_page
from dashboard.lists.files import streamed_json_lines
from dashboard.models import ApiToken, AuditEntry, RoleGrant
from dashboard.presenters.shared.page import count_line
from dashboard.tables.administration import ACCOUNTS, AUDIT

if TYPE_CHECKING:
    from django.forms import Form, ModelForm
    from django.http import HttpResponse, StreamingHttpResponse

ROWS_PER_PAGE: Final = 50
_CHUNK: Final = 1_000


@require_safe
def accounts(request: PageRequest) -> HttpResponse:
    """List users and groups with their roles."""
    form = AccountsFilter(request.GET.dict())
    sorting, every = ACCOUNTS.sorting(request.GET), User.objects.all()
    chosen = form.apply(every).order_by(*sorting.order()).prefetch_related("role_grants__cluster", "groups")
    page, total = Paginator(chosen, ROWS_PER_PAGE).get_page(request.GET.get("page")), every.count()
    groups = Group.objects.order_by("name").annotate(members=Count("user"))
    context = {
        "form": form,
        "page": page,
        "users": ACCOUNTS.of(page, sorting),
        "total": total,
        "sort": sorting.value,
        "counted": count_line(shown=page.paginator.count, total=total, noun=counts.USERS, conditions=form.conditions()),
        "groups": groups.prefetch_related("role_grants__cluster"),
        "new_group": NewGroupForm(),
    }
    return render_page(request, "administration/accounts.html", "administration/_results.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def new_user(request: PageRequest) -> HttpResponse:
    """Ask for a name, and make a user of it who signs in by a link."""
    form = NewUserForm(request.POST or None)
    if not form.is_valid():
        return render(request, "administration/new_user.html", {"form": form}, status=400 if form.errors else 200)
    user = form.save(commit=False)
    user.set_unusable_password()
    user.save()
    audit.note(request, audit.Action.USER_ADDED, subject=user.username)
    return redirect("account", pk=user.pk)


@require_POST
def new_group(request: PageRequest) -> HttpResponse:
    """Make a group, to which roles can be given before the identity provider first names it."""
    form = NewGroupForm(request.POST)
    if form.is_valid():
        return redirect("group", pk=form.save().pk)
    _complain(request, form)
    return redirect("accounts")


def _complain(request: PageRequest, form: Form | ModelForm[Group]) -> None:
    for problems in form.errors.values():
        for problem in problems:
            messages.error(request, str(problem))


@require_safe
def account(request: PageRequest, pk: int) -> HttpResponse:
    """Show a user's roles, groups, sessions, tokens, and what is kept of their work."""
    return _account(request, get_object_or_404(User, pk=pk))


def _account(request: PageRequest, user: User, link: str = "") -> HttpResponse:
    own = {"created_by": user}
    context = {
        "account": user,
        "holder": user,
        "link": link,
        "by_link": settings.BERTH_SIGNIN_LINKS,
        "form": RoleForm(),
        "grants": user.role_grants.select_related("cluster"),
        "groups": user.groups.prefetch_related("role_grants__cluster").order_by("name"),
        "sessions": len(_sessions(user)),
        "tokens": ApiToken.objects.filter(user=user),
        "now": timezone.now(),
        "simulations": SimulationRun.objects.filter(**own).count(),
        "pods": pods_kept(user),
        "most": settings.BERTH_RUN_PODS_PER_USER,
        "studies": Study.objects.filter(**own).count(),
        "reviews": Report.objects.filter(**own).count(),
    }
    return render(request, "administration/account.html", context)


@require_POST
def sign_in_link(request: PageRequest, pk: int) -> HttpResponse:
    """Show a link, on this one answer and nowhere else, that signs a user in once."""
    if not settings.BERTH_SIGNIN_LINKS:
        raise Http404
    user = get_object_or_404(User, pk=pk, is_active=True)
    link = make_link(username=user.username, base_url=request.build_absolute_uri("/"), create=False)
    audit.note(request, audit.Action.LINK_MADE, subject=user.username)
    return _account(request, user, link)


@require_POST
def enable(request: PageRequest, pk: int) -> HttpResponse:
    """Let a user sign in again, or no more: then their sessions and tokens are of no use at once."""
    user = get_object_or_404(User, pk=pk)
    user.is_active = "enabled" in request.POST
    try:
        with keeping_an_administrator():
            user.save(update_fields=["is_active"])
    except RoleError as error:
        messages.error(request, str(error))
    else:
        action = audit.Action.USER_ENABLED if user.is_active else audit.Action.USER_DISABLED
        audit.note(request, action, subject=user.username)
    return redirect("account", pk=pk)


@require_POST
def end_sessions(request: PageRequest, pk: int) -> HttpResponse:
    """Sign a user out everywhere."""
    user = get_object_or_404(User, pk=pk)
    Session.objects.filter(session_key__in=_sessions(user)).delete()
    audit.note(request, audit.Action.SESSIONS_ENDED, subject=user.username)
    return redirect("account", pk=pk)


def _sessions(user: User) -> list[str]:
    """Return the keys of a user's sessions; whose a session is stands inside of it."""
    living = Session.objects.filter(expire_date__gt=timezone.now()).iterator(_CHUNK)
    return [each.session_key for each in living if each.get_decoded().get(SESSION_KEY) == str(user.pk)]


@require_POST
def revoke_token(request: PageRequest, pk: int) -> HttpResponse:
    """Revoke somebody's token."""
    token = get_object_or_404(ApiToken.objects.select_related("user"), pk=pk)
    token.delete()
    audit.note(request, audit.Action.TOKEN_REVOKED, subject=f"{token.user.username}: {token.name}")
    return redirect("account", pk=token.user_id)


@require_safe
def group(request: PageRequest, pk: int) -> HttpResponse:
    """Show a group's roles and members."""
    found = get_object_or_404(Group, pk=pk)
    context = {
        "group": found,
        "holder": found,
        "form": RoleForm(),
        "grants": found.role_grants.select_related("cluster"),
        "members": found.user_set.order_by("username"),
    }
    return render(request, "administration/group.html", context)


@require_POST
def give_to_user(request: PageRequest, pk: int) -> HttpResponse:
    """Give a user a role."""
    return _given(request, get_object_or_404(User, pk=pk))


@require_POST
def give_to_group(request: PageRequest, pk: int) -> HttpResponse:
    """Give all in a group a role."""
    return _given(request, get_object_or_404(Group, pk=pk))


def _given(request: PageRequest, holder: User | Group) -> HttpResponse:
    form = RoleForm(request.POST)
    if form.is_valid():
        role, cluster = form.cleaned_data["role"], form.cleaned_data["cluster"]
        try:
            if give(role, holder, cluster):
                name = cluster.name if cluster else ""
                audit.note(request, audit.Action.ROLE_GIVEN, cluster=name, subject=f"{holder}: {role}")
        except RoleError as error:
            messages.error(request, str(error))
    _complain(request, form)
    return _shown(holder)


@require_POST
def take_role(request: PageRequest, pk: int) -> HttpResponse:
    """Take a role from whoever has it."""
    grant = get_object_or_404(RoleGrant.objects.select_related("user", "group", "cluster"), pk=pk)
    holder, name = grant.user or grant.group, grant.cluster.name if grant.cluster else ""
    try:
        take(grant)
        audit.note(request, audit.Action.ROLE_TAKEN, cluster=name, subject=f"{holder}: {grant.role}")
    except RoleError as error:
        messages.error(request, str(error))
    return _shown(holder)


def _shown(holder: User | Group | None) -> HttpResponse:
    assert holder is not None  # noqa: S101 - the database holds no grant of nobody
    return redirect("account" if isinstance(holder, User) else "group", pk=holder.pk)


@require_safe
def audit_log(request: PageRequest) -> HttpResponse:
    """List what was done, newest first."""
    form, entries = audit_query(request.GET)
    page, total = Paginator(entries, ROWS_PER_PAGE).get_page(request.GET.get("page")), AuditEntry.objects.count()
    context: dict[str, Any] = {
        "form": form,
        "page": page,
        "entries": AUDIT.of(page),
        "total": total,
        "counted": count_line(
            shown=page.paginator.count, total=total, noun=counts.ENTRIES, conditions=form.conditions()
        ),
    }
    return render_page(request, "administration/audit.html", "administration/_audit.html", context)


@require_safe
def audit_lines(request: PageRequest) -> StreamingHttpResponse:
    """Return what was done as JSON lines, newest first."""
    _, entries = audit_query(request.GET)
    audit.note(request, audit.Action.AUDIT_EXPORTED)
    fields = ("at", "username", "address", "request_id", "action", "cluster", "subject")
    return streamed_json_lines(request, "audit", entries.values(*fields).iterator(_CHUNK))
