"""What administrators fill in, and how they search the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.contrib.auth.models import Group, User
from django.db.models import Q, QuerySet

from clusters.models import Cluster
from clusters.wording import filters as labels
from clusters.wording.access import administration as words
from dashboard.filters.base import FilterForm, choice, exact, moment, search
from dashboard.models import AuditEntry, RoleGrant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import QueryDict


# In place of the name of a cluster, which none can have.
ALL_CLUSTERS: Final = "*"


class AccountsFilter(FilterForm):
    """A part of a user's name."""

    q = search(labels.SEARCH, words.USER)

    def apply(self, users: QuerySet[User]) -> QuerySet[User]:
        """Return the users whose names have what was searched."""
        return users.filter(username__icontains=self.given().get("q", ""))


class AuditFilter(FilterForm):
    """Who did what, to which cluster, and when."""

    user = exact(words.USER, labels.WHOLE_NAME)
    action = choice(words.ACTION, AuditEntry.Action.choices)
    cluster = exact(words.CLUSTER, labels.WHOLE_NAME)
    since = moment(words.SINCE)
    until = moment(words.UNTIL)

    def apply(self, entries: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        """Return the entries that every given filter lets through."""
        meanings: Mapping[str, Callable[[Any], Q]] = {
            "user": lambda value: Q(username=value),
            "action": lambda value: Q(action=value),
            "cluster": lambda value: Q(cluster=value),
            "since": lambda value: Q(at__gte=value),
            "until": lambda value: Q(at__lt=value),
        }
        return entries.filter(*(meanings[name](value) for name, value in self.given().items()))


class RoleForm(forms.Form):
    """A role, and of which cluster; neither is chosen before somebody chooses it."""

    role = forms.ChoiceField(
        label=words.ROLE,
        choices=[("", "–"), *RoleGrant.Role.choices],
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    cluster = forms.ChoiceField(label=words.CLUSTER, widget=forms.Select(attrs={"class": "form-select"}))

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        cluster = self.fields["cluster"]
        assert isinstance(cluster, forms.ChoiceField)  # noqa: S101 - declared above
        names = Cluster.objects.order_by("name").values_list("name", flat=True)
        cluster.choices = [("", "–"), (ALL_CLUSTERS, words.ALL_CLUSTERS), *((name, name) for name in names)]

    def clean_cluster(self) -> Cluster | None:
        """Return the cluster; None for all of them."""
        return Cluster.objects.filter(name=self.cleaned_data["cluster"]).first()


class NewUserForm(forms.ModelForm):  # type: ignore[type-arg] # Django's class takes none when it runs
    """The name of a user to come."""

    class Meta:
        model = User
        fields = ("username",)
        widgets: Mapping[str, forms.Widget] = {"username": forms.TextInput(attrs={"class": "form-control"})}
        help_texts: Mapping[str, str] = {"username": ""}


class NewGroupForm(forms.ModelForm):  # type: ignore[type-arg] # as above
    """The name of a group to come."""

    class Meta:
        model = Group
        fields = ("name",)
        widgets: Mapping[str, forms.Widget] = {"name": forms.TextInput(attrs={"class": "form-control"})}
        help_texts: Mapping[str, Any] = {"name": words.GROUP_HINT}


def audit_query(query: QueryDict) -> tuple[AuditFilter, QuerySet[AuditEntry]]:
    """Return the filter that an address gives, and the entries that it lets through, newest first."""
    form = AuditFilter(query.dict())
    return form, form.apply(AuditEntry.objects.all())
