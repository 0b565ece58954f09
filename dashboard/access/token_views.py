"""One's own tokens of the API: made, shown once, listed and revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.access.forms import TokenForm
from dashboard.access.tokens import TokenError, make_token
from dashboard.models import ApiToken

if TYPE_CHECKING:
    from django.http import HttpResponse

    from dashboard.http import PageRequest


@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: PageRequest) -> HttpResponse:
    """List one's tokens, and make another; its text is on this one answer and nowhere else."""
    form = TokenForm(request.POST) if request.method == "POST" else TokenForm()
    made, text = None, ""
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        try:
            made, text = make_token(
                user=request.user, name=wanted["name"], may_write=wanted["scope"] == "write", days=wanted["days"]
            )
            form = TokenForm()
        except TokenError as error:
            form.add_error("name", str(error))
    own = ApiToken.objects.filter(user=request.user)
    context = {"form": form, "made": made, "text": text, "tokens": own, "now": timezone.now()}
    return render(request, "registration/tokens.html", context, status=400 if form.errors else 200)


@require_POST
def revoke(request: PageRequest, pk: int) -> HttpResponse:
    """Revoke one of one's own tokens, at once and for good."""
    get_object_or_404(ApiToken, pk=pk, user=request.user).delete()
    return redirect("tokens")
