"""Putting a simulation together: changes are added one by one, each from a small form, then it is started."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect
from msgspec import Struct, field

from clusters.documents.words import note_in_words, read_remark
from clusters.engine import ConfigurationError
from clusters.engine.simulation import ChangeError, read_changes
from clusters.models import Cluster, SimulationRun
from clusters.services.decisions.explain import as_text
from clusters.services.mirror.snapshots import ChangingTooFastError, release_of
from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.runs.starting import create_run
from clusters.wording.problems import both_sentences
from clusters.wording.runs import building as field_words, changes as words
from dashboard.access.rights import visible
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.forms.runs import CHANGE_FORMS, SettingsForm
from dashboard.forms.runs.base import CHANGE, ChangeForm, Known
from dashboard.forms.runs.settings import MOST_CHANGES, BadState, initial_of, of_address, packed, unpacked
from dashboard.http import PageRequest, wants_fragment
from dashboard.limits.computing import refuse_too_much
from dashboard.presenters.runs.listing import Offers, asked, change_sentence, offers_of
from dashboard.presenters.shared.page import unanswered
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from django.http import HttpResponse


# The button that Enter presses: it adds whatever is filled in.
_FILLED = "filled"
_PLACE = re.compile(r"changes\[([0-9]{1,9})\]")
_PLAIN = ("title", "base", "place", "scheduler", "kubernetes", "seed")
_TICKS = ("samples", "reschedules", "gangs")


class AskedParameters(Parameters):
    """The earlier run that is to be ordered again, with changes."""

    run = whole_number()


class PressedParameters(Parameters):
    """The number of the change whose button was pressed to take it out."""

    take_out = whole_number()


class Draft(Struct):
    """A simulation that is being put together.

    ``wrong`` tells by number what is wrong with a change, ``unreadable`` are those of which nothing else can be told;
    ``notes`` are remarks about what was left out of manifests, as a spec stores them; ``kept`` are the forms that hold
    words not yet added.
    """

    cluster: Cluster
    changes: list[dict[str, Any]]
    settings: SettingsForm
    forms: dict[str, ChangeForm]
    wrong: dict[int, str] = field(default_factory=dict)
    unreadable: set[int] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    notes: list[Any] = field(default_factory=list)
    kept: set[str] = field(default_factory=set)

    @property
    def is_wrong(self) -> bool:
        """Whether anything is to be mended before it can start."""
        return bool(self.wrong or self.problems or self.settings.errors or self.wrong_forms)

    @property
    def wrong_forms(self) -> list[str]:
        """The kinds of changes whose forms have errors."""
        return [name for name, form in self.forms.items() if form.is_bound and form.errors]

    def add(self, name: str) -> None:
        """Take over what one form holds, if it is right, and leave the form empty."""
        form = self.forms[name]
        if not form.is_valid():
            return
        try:
            entries = form.entries()
            read_changes(entries)
        except ChangeError as error:
            form.add_error(_field_of(form, error.path), both_sentences(error.problem))
            return
        if len(self.changes) + len(entries) > MOST_CHANGES:
            form.add_error(None, field_words.MOST_CHANGES(most=MOST_CHANGES))
            return
        self.changes += entries
        self.notes += [note for note in form.notes() if note not in self.notes]
        self.forms[name] = CHANGE_FORMS[name](name=name, offers=form.offers)


def _field_of(form: ChangeForm, path: str) -> str | None:
    """Return the form's field that a path such as `changes[0].count` is about."""
    name = path.partition(".")[2].partition(".")[0].partition("[")[0]
    return name if name in form.fields else None


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def run_new(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show the form with the changes so far; start the simulation when asked to."""
    offers = offers_of(cluster)
    draft = _posted(request, cluster, offers) if request.method == "POST" else _asked(request, cluster, offers)
    _check(draft)
    if (
        request.method == "POST"
        and "start" in request.POST
        and not draft.is_wrong
        and (run := _started(request, draft))
    ):
        address = reverse("run", kwargs={"pk": run.pk})
        return HttpResponseClientRedirect(address) if wants_fragment(request) else redirect(address)
    # htmx puts only answers without an error into the page.
    status = 400 if draft.is_wrong and not wants_fragment(request) else 200
    template = "runs/_builder.html" if wants_fragment(request) else "runs/new.html"
    return render(request, template, _context(draft, offers), status=status)


def _asked(request: PageRequest, cluster: Cluster, offers: Offers) -> Draft:
    """Begin with what the address names: changes, or an earlier run."""
    initial, changes, problems, notes = {}, [], [], []
    earlier = AskedParameters.read(request.GET)["run"]
    if earlier is not None:
        run = get_object_or_404(visible(SimulationRun.objects.all(), request.user), pk=earlier)
        configuration = run.spec.get("configuration")
        initial = initial_of(run.spec, as_text(configuration) if configuration else "", cluster.kube_version)
        changes = [each for each in run.spec.get("changes", []) if each.get(CHANGE) != "place"]
        notes = run.spec.get("notes", [])
    else:
        try:
            changes = of_address(request.GET.getlist("change"))
        except BadState as error:
            problems = [str(error)]
    return Draft(
        cluster,
        changes,
        SettingsForm(release_of(cluster), initial=initial),
        _forms(offers),
        problems=problems,
        notes=notes,
    )


def _sent_note(note: str) -> Any:
    try:
        found = orjson.loads(note)
    except orjson.JSONDecodeError:
        return note
    return note if read_remark(found) is None else found


def _posted(request: PageRequest, cluster: Cluster, offers: Offers) -> Draft:
    """Do what a button asks for: add a change, take one away, or all that is filled in before the start."""
    sent = request.POST
    problems = []
    try:
        changes = unpacked(sent.get("changes", ""))
    except BadState as error:
        changes, problems = [], [str(error)]
    removed, added = PressedParameters.read(sent)["take_out"], sent.get("add", "")
    forms, wanted, kept = _forms(offers), [], set()
    for name, form in CHANGE_FORMS.items():
        filled = form(sent, request.FILES, name=name, offers=offers)
        if name == added or (filled.is_filled and (added == _FILLED or "start" in sent)):
            forms[name] = filled
            wanted.append(name)
        elif filled.is_filled:
            # Of what nobody asked to add nothing is wrong yet; its words stay.
            forms[name] = form(name=name, offers=offers, initial=filled.words())
            kept.add(name)
    draft = Draft(
        cluster,
        changes,
        SettingsForm(release_of(cluster), sent),
        forms,
        problems=problems,
        kept=kept,
        notes=[_sent_note(note) for note in sent.getlist("note")],
    )
    if removed is not None and removed < len(draft.changes):
        del draft.changes[removed]
        if not any("manifest" in change for change in draft.changes):
            # They were about manifests that are gone.
            draft.notes = []
    for name in wanted:
        draft.add(name)
    draft.settings.is_valid()
    return draft


def _check(draft: Draft) -> None:
    """Find out which of the changes cannot be read, or name what is not there."""
    known = Known(None if draft.settings["base"].value() == "empty" else draft.cluster)
    for number, change in enumerate(draft.changes):
        try:
            read_changes([change])
            problem = known.problem(change, draft.changes[:number])
        except ChangeError as error:
            problem = both_sentences(error.problem)
            draft.unreadable.add(number)
        except (ConfigurationError, ChangingTooFastError):
            # The worker will tell.
            problem = ""
        if problem:
            draft.wrong[number] = problem


def _started(request: PageRequest, draft: Draft) -> SimulationRun | None:
    """Order the run; without one, the draft says why."""
    try:
        refuse_too_much(request.user)
        spec = read_spec({**draft.settings.spec(draft.changes), "notes": draft.notes})
        title = (
            draft.settings.cleaned_data["title"] or asked({"base": {"kind": "cluster"}, "changes": draft.changes})[:200]
        )
        of = draft.cluster
        return create_run(cluster=of, spec=spec, title=title[:200], user=request.user)
    except SpecError as error:
        said = both_sentences(error.problem, line=error.line)
        number = _number(error.field)
        if number is not None and number < len(draft.changes):
            draft.wrong[number] = said
        else:
            draft.problems.append(f"{error.field}: {said}" if error.field else said)
    except (ConfigurationError, ChangingTooFastError) as error:
        draft.problems.append(unanswered(error))
    return None


def _number(path: str) -> int | None:
    """Return the number of the change that `changes[2].nodes` is about."""
    found = _PLACE.match(path)
    return int(found[1]) if found else None


def _forms(offers: Offers) -> dict[str, ChangeForm]:
    return {name: form(name=name, offers=offers) for name, form in CHANGE_FORMS.items()}


def _context(draft: Draft, offers: Offers) -> dict[str, Any]:
    return {
        "cluster": draft.cluster,
        "changes": [
            (
                number,
                str(words.UNREADABLE) if number in draft.unreadable else change_sentence(change),
                draft.wrong.get(number, ""),
            )
            for number, change in enumerate(draft.changes)
        ],
        "packed": packed(draft.changes),
        "settings": draft.settings,
        "plain": [draft.settings[name] for name in _PLAIN],
        "ticks": [draft.settings[name] for name in _TICKS],
        "forms": [
            {"name": name, "form": form, "is_open": name in draft.kept or bool(form.errors)}
            for name, form in draft.forms.items()
        ],
        "problems": draft.problems,
        "notes": list(map(note_in_words, draft.notes)),
        "packed_notes": [orjson.dumps(note).decode() for note in draft.notes],
        "offers_lists": offers.lists(),
        "is_wrong": draft.is_wrong,
    }
