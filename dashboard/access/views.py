"""Signing in by a one-time link; signing in by password is Django's own view."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils.decorators import method_decorator
from django.views.generic import FormView

from clusters.wording.access.sign_in import LINK_REJECTED
from dashboard.access.forms import SignInCodeForm
from dashboard.access.links import redeem


@method_decorator(login_not_required, name="dispatch")
class SignInLinkView(FormView[SignInCodeForm]):
    """Asks for a press of the button, so that a mail program's preview of the link does not use it up."""

    form_class = SignInCodeForm
    template_name = "registration/link.html"

    def form_valid(self, form: SignInCodeForm) -> HttpResponse:
        user = redeem(form.cleaned_data["code"])
        if user is None:
            form.add_error("code", str(LINK_REJECTED))
            return self.render_to_response(self.get_context_data(form=form), status=403)
        login(self.request, user, backend="django.contrib.auth.backends.ModelBackend")
        return HttpResponseRedirect(resolve_url(settings.LOGIN_REDIRECT_URL))
