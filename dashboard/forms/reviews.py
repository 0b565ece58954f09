"""The form of a capacity review: about what, of which time, what is in it, and whether it is made again every week.

The order itself is read by clusters.services.reports.order; what it refuses is shown beside the field that said it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings

from clusters.engine.resources import CPU, MEMORY
from clusters.models import Cluster, SimulationRun
from clusters.services.mirror.snapshots import release_of
from clusters.services.reports.order import DEFAULT_DAYS, DEFAULT_SHAPES, OF_CLUSTERS, SECTIONS, OrderError, Shape
from clusters.services.upgrading import later_releases
from clusters.wording.problems import both_sentences
from clusters.wording.reviews import pages, sections as section_words
from clusters.wording.runs import building as building_words
from dashboard.presenters.runs.listing import offers_of
from dashboard.reports import words

if TYPE_CHECKING:
    from collections.abc import Mapping


_TEXT = {"class": "form-control", "autocomplete": "off"}
_RUNS_OFFERED = 50
# Sections that there are once a field of their own is filled in.
_BY_FIELD = ("cost", "upgrade")
_RUN = re.compile("run-([0-9]{1,18})")
_LIKE = re.compile(r"like\s+(\w+)\s+([^\s/]+)/(\S+)")
# The first part of an order's field to the form's; the rest bear the same name.
_FIELDS = {"cluster": "about", "run": "about", "period": "period", "prices": "currency"}


class ReviewForm(forms.Form):
    """What a review is to be; `order()` is the order as JSON, `add_order_error` shows what it was refused for."""

    about = forms.ChoiceField(label=pages.ABOUT, widget=forms.Select(attrs={"class": "form-select"}))
    title = forms.CharField(label=pages.TITLE, max_length=200, widget=forms.TextInput(attrs=_TEXT))
    period = forms.TypedChoiceField(
        label=pages.PERIOD,
        coerce=int,
        choices=pages.PERIODS,
        help_text=pages.PERIOD_HINT,
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    start = forms.DateField(
        label=pages.START, required=False, widget=forms.DateInput(attrs={"class": "form-control", "type": "date"})
    )
    end = forms.DateField(
        label=pages.END, required=False, widget=forms.DateInput(attrs={"class": "form-control", "type": "date"})
    )
    sections = forms.MultipleChoiceField(
        label=pages.SECTIONS,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"}),
        error_messages={"required": pages.SECTIONS_MISSING},
    )
    notes = forms.CharField(
        label=pages.NOTES,
        required=False,
        help_text=pages.NOTES_HINT,
        widget=forms.Textarea(attrs={"class": "form-control", "rows": 4}),
    )
    shapes = forms.CharField(
        label=pages.SHAPES,
        required=False,
        # Errors name lines as they were typed.
        strip=False,
        widget=forms.Textarea(attrs={"class": "form-control code", "rows": 4, "spellcheck": "false"}),
    )
    currency = forms.CharField(
        label=pages.CURRENCY,
        required=False,
        help_text=pages.CURRENCY_HINT,
        widget=forms.TextInput(attrs={**_TEXT, "maxlength": 3}),
    )
    cpu_hour = forms.CharField(label=pages.CPU_HOUR, required=False, widget=forms.TextInput(attrs=_TEXT))
    memory_gib_hour = forms.CharField(label=pages.MEMORY_HOUR, required=False, widget=forms.TextInput(attrs=_TEXT))
    upgrade_to = forms.ChoiceField(
        label=section_words.TARGET,
        required=False,
        help_text=section_words.TARGET_HINT,
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    weekly = forms.BooleanField(
        label=pages.WEEKLY,
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )
    weekday = forms.TypedChoiceField(
        label=pages.WEEKDAY,
        coerce=int,
        choices=list(enumerate(pages.WEEKDAYS)),
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    hour = forms.TypedChoiceField(
        label=pages.HOUR,
        coerce=int,
        choices=[(hour, f"{hour:02d}:00") for hour in range(24)],
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    keep_days = forms.IntegerField(
        label=pages.KEEP_DAYS,
        required=False,
        min_value=1,
        max_value=3650,
        widget=forms.NumberInput(attrs={"class": "form-control"}),
    )

    def __init__(self, cluster: Cluster, data: Mapping[str, Any] | None = None, *, run: int | None = None) -> None:
        runs = SimulationRun.objects.filter(
            cluster=cluster, state=SimulationRun.State.DONE, study=None, is_of_review=False
        )
        offered = list(runs.values_list("pk", "title")[:_RUNS_OFFERED])
        if run is not None and all(pk != run for pk, _ in offered):
            offered += runs.filter(pk=run).values_list("pk", "title")
        wanted = f"run-{run}" if any(pk == run for pk, _ in offered) else "cluster"
        initial = {
            "about": wanted,
            "title": pages.TITLE_OF(cluster=cluster.name),
            "period": DEFAULT_DAYS,
            "sections": [key for key in SECTIONS if key not in _BY_FIELD],
            "shapes": "\n".join(_line(shape) for shape in DEFAULT_SHAPES),
            "weekday": 0,
            "hour": 6,
            "keep_days": 365,
        }
        super().__init__(data, initial=initial, label_suffix="")
        self.cluster = cluster
        self.fields["shapes"].help_text = pages.SHAPES_HINT(
            workload=next(iter(offers_of(cluster).workloads), "Deployment shop/web")
        )
        self.fields["hour"].label = pages.HOUR_IN(zone=settings.TIME_ZONE)
        self.fields["about"].choices = [  # type: ignore[attr-defined]
            ("cluster", pages.THE_CLUSTER(cluster=cluster.name)),
            *((f"run-{pk}", pages.A_RUN(run=str(pk), title=title)) for pk, title in offered),
        ]
        self.fields["sections"].choices = [  # type: ignore[attr-defined]
            (key, words.section_title(key)) for key in SECTIONS if key not in ("run", *_BY_FIELD)
        ]
        self.fields["upgrade_to"].choices = [  # type: ignore[attr-defined]
            ("", section_words.NO_TARGET),
            *((each.minor, each.minor) for each in later_releases(release_of(cluster))),
        ]

    @property
    def not_of_runs(self) -> str:
        """The sections that a simulation's end has not, in words."""
        return ", ".join(words.section_title(key) for key in SECTIONS if key in OF_CLUSTERS)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if bool(cleaned.get("start")) != bool(cleaned.get("end")) and not {"start", "end"} & set(self.errors):
            self.add_error("start" if cleaned.get("end") else "end", pages.BOTH_DAYS)
        if cleaned.get("weekly") and str(cleaned.get("about", "")).startswith("run-"):
            self.add_error("weekly", pages.NOT_OF_A_SIMULATION)
        if cleaned.get("weekly") and cleaned.get("start"):
            self.add_error("start", pages.ENDS_WITH_THE_REVIEW)
        if cleaned.get("weekly") and cleaned.get("keep_days") is None and "keep_days" not in self.errors:
            self.add_error("keep_days", pages.KEEP_DAYS_MISSING)
        return cleaned

    def clean_shapes(self) -> list[dict[str, Any]]:
        text: str = self.cleaned_data["shapes"]
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
        self.shape_lines = [number for number, _ in lines]
        return [_shape(line, number) for number, line in lines]

    @property
    def is_weekly(self) -> bool:
        """Whether it is to be made again every week."""
        return bool(self.cleaned_data["weekly"])

    def order(self) -> dict[str, Any]:
        """Return the order of a valid form as JSON; the service still has to read it."""
        given = self.cleaned_data
        about: str = given["about"]
        run = run_chosen(about)
        subject = {"cluster": self.cluster.name} if run is None else {"run": run}
        prices = {key: given[key] for key in ("currency", "cpu_hour", "memory_gib_hour")}
        # A review of a run is about it, one with prices is about what it costs, and one with a minor is about that.
        chosen = {"cost": any(prices.values()), "upgrade": bool(given["upgrade_to"])}
        sections = ["run", *(key for key, is_chosen in chosen.items() if is_chosen), *given["sections"]]
        return {
            **subject,
            # A title that nobody changed is that of a cluster's review.
            "title": ""
            if "run" in subject and given["title"] == pages.TITLE_OF(cluster=self.cluster.name)
            else given["title"],
            "period": _period(given),
            "notes": given["notes"],
            "sections": sections,
            "shapes": given["shapes"],
            **({"prices": prices} if any(prices.values()) else {}),
            **({"upgrade_to": given["upgrade_to"]} if given["upgrade_to"] else {}),
        }

    def add_order_error(self, error: OrderError) -> None:
        """Show what an order was refused for beside the field that said it."""
        first = re.split(r"[.\[]", error.field)[0]
        last = error.field.rpartition(".")[2]
        name = next((name for name in (last, _FIELDS.get(first, first)) if name in self.fields), None)
        place = re.match(r"shapes\[(\d+)\]", error.field)
        said = both_sentences(error.problem)
        self.add_error(
            "start" if error.field == "period.from" else "end" if error.field == "period.to" else name,
            building_words.IN_LINE(line=self.shape_lines[int(place[1])], problem=said) if place else said,
        )


def run_chosen(about: str) -> int | None:
    """Return the run that is the subject of a review, as its choice names it; None for the cluster."""
    found = _RUN.fullmatch(about)
    return int(found[1]) if found else None


def _period(given: Mapping[str, Any]) -> dict[str, Any]:
    if not given["start"]:
        return {"days": given["period"]}
    return {"from": f"{given['start']}T00:00:00Z", "to": f"{given['end']}T23:59:59Z"}


def _line(shape: Shape) -> str:
    """Write a shape as the form takes it, its amounts in the units that manifests have."""
    return f"{shape.name}: {' '.join(f'{name}={_amount(name, amount)}' for name, amount in shape.requests.items())}"


def _amount(resource: str, amount: int) -> str:
    if resource == CPU:
        return f"{amount}m" if amount % 1000 else str(amount // 1000)
    return f"{amount // 2**30}Gi" if resource == MEMORY and not amount % 2**30 else str(amount)


def _shape(line: str, number: int) -> dict[str, Any]:
    """Read one line; amounts are left to the order."""
    name, colon, rest = (part.strip() for part in line.partition(":"))
    if not colon or not rest:
        raise forms.ValidationError(pages.NOT_A_SHAPE(line=number))
    if like := _LIKE.fullmatch(rest):
        return {"name": name, "like": {"kind": like[1], "namespace": like[2], "name": like[3]}}
    shape: dict[str, Any] = {"name": name}
    more: dict[str, str] = {}
    for part in rest.replace(",", " ").split():
        resource, equals, amount = part.partition("=")
        if not equals or not resource or not amount:
            raise forms.ValidationError(pages.NOT_AN_AMOUNT(line=number, found=part))
        if resource in (CPU, MEMORY):
            shape[resource] = amount
        else:
            more[resource] = amount
    return {**shape, "resources": more} if more else shape
