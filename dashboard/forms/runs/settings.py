"""What a simulation has besides its changes: where it begins, who places the pods, and how."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import TYPE_CHECKING, Any

import orjson
from django import forms

from clusters.adapters.flow import is_installed
from clusters.services.decisions.explain import BadText, parsed, read_configuration
from clusters.wording.problems import both_sentences
from clusters.wording.runs import building as words
from dashboard.forms.runs.base import CHANGE, select, text, whole
from dashboard.forms.runs.nodes import KUBERNETES_CHOICES, chosen_release, offered_version
from dashboard.forms.runs.workloads import editor

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.versions import Release

_LARGEST_SEED = 2**53 - 1


class SettingsForm(forms.Form):
    """The rest of a run's order."""

    use_required_attribute = False

    title = text(words.TITLE, words.TITLE_PLACEHOLDER, hint=words.TITLE_HINT)
    base = select(words.BASE, (("cluster", words.CLUSTER_NOW), ("empty", words.EMPTY_CLUSTER)))
    place = select(words.PLACE, (("pending", words.PENDING_FIRST), ("all", words.ALL_AGAIN)))
    scheduler = select(words.SCHEDULER, (("pods", words.POD_BY_POD), ("batch", words.ALL_AT_ONCE)))
    samples = forms.BooleanField(
        label=words.SAMPLES,
        required=False,
        help_text=words.SAMPLES_HINT,
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )
    reschedules = forms.BooleanField(
        label=words.RESCHEDULES,
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )
    gangs = forms.BooleanField(
        label=words.GANGS,
        required=False,
        help_text=words.GANGS_HINT,
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )
    kubernetes = select(words.KUBERNETES, KUBERNETES_CHOICES)
    seed = whole(words.SEED, least=0, most=_LARGEST_SEED, initial=0)
    configuration = editor("KubeSchedulerConfiguration", rows=10, hint=words.CONFIGURATION_HINT)

    def __init__(
        self,
        own: Release,
        data: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Read a configuration as the chosen minor, or else as the cluster's ``own`` release does."""
        super().__init__(data, initial=dict(initial or {}), auto_id="id_%s", label_suffix="")
        self._own = own
        if not is_installed():
            self.fields["scheduler"].help_text = words.NEEDS_SOLVER

    def clean_configuration(self) -> dict[str, Any] | None:
        given: str = self.cleaned_data["configuration"]
        if not given.strip():
            return None
        try:
            read_configuration(given, chosen_release(self.cleaned_data.get("kubernetes"), self._own))
        except BadText as error:
            raise forms.ValidationError(
                [
                    words.IN_LINE(line=each.line, problem=said) if each.line else said
                    for each in error.problems
                    for said in [f"{each.field} {both_sentences(each.problem)}"]
                ]
            ) from None
        return parsed(given)

    def spec(self, changes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the order of a run from a valid form."""
        given = self.cleaned_data
        place = [{CHANGE: "place", "pods": "all"}] if given.get("place") == "all" else []
        is_batch = given.get("scheduler") == "batch"
        return {
            "version": 1,
            "base": {"kind": given.get("base") or "cluster"},
            "changes": [*changes, *place],
            "configuration": given.get("configuration"),
            "kubernetes": given.get("kubernetes") or "",
            "scheduler": {
                "kind": "batch" if is_batch else "pods",
                "samples": bool(given.get("samples")) and not is_batch,
                "reschedules": bool(given.get("reschedules")) and is_batch,
                "gangs": "pod-group" if given.get("gangs") and is_batch else "",
            },
            "seed": given.get("seed") or 0,
        }


def initial_of(spec: Mapping[str, Any], as_text: str, version: str) -> dict[str, Any]:
    """Return what the form holds for a run that was ordered before; ``as_text`` is its configuration as YAML.

    ``version``: the cluster's own, which is chosen where the run had the same minor.
    """
    minor = offered_version(spec.get("kubernetes") or "")
    scheduler = spec.get("scheduler") or {}
    changes = spec.get("changes") or []
    return {
        "base": spec["base"]["kind"],
        "place": "all" if any(each.get(CHANGE) == "place" and each.get("pods") == "all" for each in changes) else "",
        "scheduler": scheduler.get("kind", "pods"),
        "samples": scheduler.get("samples", False),
        "reschedules": scheduler.get("reschedules", False),
        "gangs": bool(scheduler.get("gangs")),
        "kubernetes": "" if minor == offered_version(version) else minor,
        "seed": spec.get("seed", 0),
        "configuration": as_text,
    }


MOST_CHANGES = 200
# A trace of 8,000 pods has about 1.5 MiB.
_MOST_BYTES = 16 * 1024 * 1024


class BadState(ValueError):  # noqa: N818 - it is the state that is bad
    """A text that holds no changes; the message is for whoever sent it."""


def packed(changes: Sequence[dict[str, Any]]) -> str:
    """Write changes as letters, digits, dashes and underscores."""
    return base64.urlsafe_b64encode(zlib.compress(orjson.dumps(list(changes)), 6)).decode().rstrip("=")


def unpacked(text: str) -> list[dict[str, Any]]:
    """Undo `packed`. Raises BadState, also for what would be larger than anything that is taken."""
    if not text:
        return []
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), _MOST_BYTES + 1)
        if not stream.eof or len(data) > _MOST_BYTES:
            raise BadState(str(words.DAMAGED))
        return _changes(orjson.loads(data))
    except (binascii.Error, zlib.error, orjson.JSONDecodeError, ValueError) as error:
        raise BadState(str(words.DAMAGED)) from error


def of_address(texts: Iterable[str]) -> list[dict[str, Any]]:
    """Read the changes that a link names, each as JSON. Raises BadState."""
    try:
        return _changes([orjson.loads(text) for text in texts])
    except orjson.JSONDecodeError as error:
        raise BadState(str(words.DAMAGED)) from error


def _changes(found: Any) -> list[dict[str, Any]]:
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise BadState(str(words.DAMAGED))
    if len(found) > MOST_CHANGES:
        raise BadState(words.TOO_MANY_CHANGES(changes=len(found), most=MOST_CHANGES))
    return found
