"""Signing in by password or one-time link, signing out, and one's tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView, LogoutView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods, require_POST
from django.views.generic import FormView

from clusters.models import Cluster
from clusters.wording.access import sign_in as words
from clusters.wording.access.sign_in import LINK_REJECTED
from dashboard.access import audit
from dashboard.access.backends import PROXY_BACKEND
from dashboard.access.links import redeem
from dashboard.access.rights import visible
from dashboard.access.tokens import TokenError, make_token, rotate
from dashboard.access.ways_in import ID_TOKEN, public_address, ways_in
from dashboard.models import ApiToken

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.http import QueryDict
    from django.http.response import HttpResponseBase

    from dashboard.http import PageRequest


class SignInCodeForm(forms.Form):
    """The code that a one-time link carries; the page fills it in from the address where scripts run."""

    code = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}))


class TokenForm(forms.Form):
    """What a new token of the API is for, and what it may."""

    name = forms.CharField(
        max_length=100,
        help_text=words.NAME_HINT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "form-control"}),
    )
    scope = forms.ChoiceField(
        label=words.SCOPE,
        choices=(("read", words.READ), ("write", words.WRITES)),
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    clusters = forms.ModelMultipleChoiceField(
        label=words.TOKEN_CLUSTERS,
        queryset=Cluster.objects.none(),
        to_field_name="name",
        required=False,
        help_text=words.TOKEN_CLUSTERS_HINT,
        widget=forms.SelectMultiple(attrs={"class": "form-select"}),
    )
    days = forms.TypedChoiceField(
        label=words.EXPIRES,
        choices=((30, words.IN_MONTH), (90, words.IN_QUARTER), (365, words.IN_YEAR), ("", words.NEVER)),
        coerce=int,
        initial=90,
        empty_value=None,
        required=False,
        widget=forms.Select(attrs={"class": "form-select"}),
    )

    def __init__(self, data: QueryDict | None, *, user: User) -> None:
        super().__init__(data)
        clusters: forms.ModelMultipleChoiceField = self.fields["clusters"]  # type: ignore[type-arg,assignment] # as above
        clusters.queryset = visible(Cluster.objects.order_by("name"), user)


class SignInView(LoginView):
    """Shows the ways to sign in, and takes a password where that is one of them."""

    redirect_authenticated_user = True

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(**ways_in(), **context)

    def post(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        if not settings.BERTH_SIGNIN_PASSWORDS:
            return self.http_method_not_allowed(request)
        return super().post(request, *args, **options)


class SignOutView(LogoutView):
    """Signs out of Berth, and says how to sign out at the identity provider, where another session may live on."""

    def post(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        away = _provider_sign_out(request)
        by_proxy = request.session.get(BACKEND_SESSION_KEY) == PROXY_BACKEND
        response = super().post(request, *args, **options)
        if by_proxy and settings.BERTH_PROXY_SIGN_OUT:
            return HttpResponseRedirect(settings.BERTH_PROXY_SIGN_OUT)
        if not away:
            return response
        return render(request, "registration/signed_out.html", {"away": away, **ways_in()})


def _provider_sign_out(request: HttpRequest) -> str:
    """Return where whoever signed in at the provider signs out there; empty where there is no such address."""
    id_token = request.session.get(ID_TOKEN)
    if not id_token or not settings.BERTH_OIDC_ISSUER:
        return ""
    # Loaded for those alone who signed in there.
    from dashboard.access import provider

    return provider.sign_out_address(id_token, public_address(request, "sign-in"))


@method_decorator(login_not_required, name="dispatch")
class SignInLinkView(FormView):  # type: ignore[type-arg] # Django's class takes none when it runs
    """Asks for a press of the button, so that a mail program's preview of the link does not use it up."""

    form_class = SignInCodeForm
    template_name = "registration/link.html"

    def dispatch(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponseBase:
        if not settings.BERTH_SIGNIN_LINKS:
            raise Http404
        return super().dispatch(request, *args, **options)

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(**ways_in(), **context)

    def form_valid(self, form: SignInCodeForm) -> HttpResponse:
        user = redeem(form.cleaned_data["code"])
        if user is None:
            form.add_error("code", str(LINK_REJECTED))
            return self.render_to_response(self.get_context_data(form=form), status=403)
        login(self.request, user, backend="django.contrib.auth.backends.ModelBackend")
        return HttpResponseRedirect(resolve_url(settings.LOGIN_REDIRECT_URL))


@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: PageRequest) -> HttpResponse:
    """List one's tokens, and make another; its text is on this one answer and nowhere else."""
    form = TokenForm(request.POST if request.method == "POST" else None, user=request.user)
    if not form.is_valid():
        return _listed(request, form)
    wanted = form.cleaned_data
    try:
        made, text = make_token(
            user=request.user,
            name=wanted["name"],
            may_write=wanted["scope"] == "write",
            days=wanted["days"],
            clusters=wanted["clusters"],
        )
    except TokenError as error:
        form.add_error("name", str(error))
        return _listed(request, form)
    audit.note(request, audit.Action.TOKEN_MADE, subject=made.name)
    return _listed(request, TokenForm(None, user=request.user), made, text)


def _listed(request: PageRequest, form: TokenForm, made: ApiToken | None = None, text: str = "") -> HttpResponse:
    own = list(ApiToken.objects.filter(user=request.user))
    keys = {key for each in own for key in each.clusters or ()}
    names = dict(Cluster.objects.filter(pk__in=keys).values_list("pk", "name"))
    rows = [(each, sorted(names.get(key, "–") for key in each.clusters or ())) for each in own]
    context = {"form": form, "made": made, "text": text, "tokens": rows, "now": timezone.now()}
    return render(request, "registration/tokens.html", context, status=400 if form.errors else 200)


@require_POST
def rotate_token(request: PageRequest, pk: int) -> HttpResponse:
    """Give one of one's own tokens another text, which is on this one answer."""
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    text = rotate(token)
    audit.note(request, audit.Action.TOKEN_ROTATED, subject=token.name)
    return _listed(request, TokenForm(None, user=request.user), token, text)


@require_POST
def revoke(request: PageRequest, pk: int) -> HttpResponse:
    """Revoke one of one's own tokens, at once and for good."""
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    token.delete()
    audit.note(request, audit.Action.TOKEN_REVOKED, subject=token.name)
    return redirect("tokens")
