"""Changes to nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms

from clusters.engine.versions import RELEASES, Release, match_release
from clusters.wording.runs import building as words
from dashboard.forms.runs.base import CHANGE, ChangeForm, Entry, NodesForm, listed, pairs, select, taint, text, whole

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


class LoseZoneForm(ChangeForm):
    """A zone that is lost."""

    title = words.LOSE_ZONE
    about = words.LOSE_ZONE_ABOUT
    zone = text(words.ZONE, "zone-a", offers="zones")
    how = select(words.HOW, (("gone", words.REMOVED), ("unreachable", words.UNREACHABLE)), initial="gone")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("zone"):
            self.needs("zone")
        elif self.offers.zones and cleaned["zone"] not in self.offers.zones:
            self.needs("zone", words.UNKNOWN_ZONE(zone=cleaned["zone"], zones=", ".join(self.offers.zones)))
        return cleaned

    def entries(self) -> list[Entry]:
        return [{CHANGE: "lose-zone", "zone": self.cleaned_data["zone"], "how": self.cleaned_data["how"] or "gone"}]


class DrainNodesForm(NodesForm):
    """Nodes that are drained."""

    title = words.DRAIN
    about = words.DRAIN_ABOUT

    def entries(self) -> list[Entry]:
        return [{CHANGE: "drain-nodes", **self.target()}]


class RemoveNodesForm(NodesForm):
    """Nodes that are removed."""

    title = words.REMOVE
    about = words.REMOVE_ABOUT

    def entries(self) -> list[Entry]:
        return [{CHANGE: "remove-nodes", **self.target()}]


class FailNodesForm(NodesForm):
    """Nodes that become unreachable or NotReady."""

    title = words.FAIL
    about = words.FAIL_ABOUT
    how = select(
        words.HOW, (("unreachable", words.STOP_REPORTING), ("not-ready", words.REPORT_NOT_READY)), initial="unreachable"
    )

    def entries(self) -> list[Entry]:
        return [{CHANGE: "fail-nodes", **self.target(), "how": self.cleaned_data["how"] or "unreachable"}]


class CordonForm(NodesForm):
    """Nodes that accept no pods, or accept them again."""

    title = words.CORDON_OR_UNCORDON
    what = select(words.WHAT, (("cordon", words.CORDON), ("uncordon", words.UNCORDON)), initial="cordon")
    field_order = ("what", "nodes", "selector", "zone")

    def entries(self) -> list[Entry]:
        return [{CHANGE: self.cleaned_data["what"] or "cordon", **self.target()}]


class TaintNodesForm(NodesForm):
    """Nodes that get taints or lose them."""

    title = words.TAINT
    taints = text(words.TAINTS, "dedicated=gpu:NoSchedule, old-", hint=words.KUBECTL_HINT)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        given = listed(cleaned.get("taints") or "")
        if not given:
            self.needs("taints")
        added = []
        for part in given:
            if part.endswith("-"):
                continue
            try:
                added.append(taint(part))
            except forms.ValidationError as error:
                self.add_error("taints", error)
        cleaned["added"] = added
        cleaned["removed"] = [part.removesuffix("-") for part in given if part.endswith("-")]
        return cleaned

    def entries(self) -> list[Entry]:
        removed = {"remove": self.cleaned_data["removed"]} if self.cleaned_data["removed"] else {}
        return [{CHANGE: "taint-nodes", **self.target(), "taints": self.cleaned_data["added"], **removed}]


class LabelNodesForm(NodesForm):
    """Nodes that get labels or lose them."""

    title = words.LABEL
    labels = text(words.LABELS, "pool=spot, old-", hint=words.KUBECTL_HINT)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        given = listed(cleaned.get("labels") or "")
        if not given:
            self.needs("labels")
        removed: dict[str, str | None] = {
            part.removesuffix("-"): None for part in given if part.endswith("-") and "=" not in part
        }
        try:
            added = pairs(",".join(part for part in given if part.removesuffix("-") not in removed), words.NO_LABEL)
        except forms.ValidationError as error:
            self.add_error("labels", error)
            added = {}
        cleaned["changed"] = {**added, **removed}
        return cleaned

    def entries(self) -> list[Entry]:
        return [{CHANGE: "label-nodes", **self.target(), "labels": self.cleaned_data["changed"]}]


class AddNodesForm(ChangeForm):
    """Nodes that are added."""

    title = words.ADD
    about = words.ADD_ABOUT
    count = whole(words.COUNT, most=10_000)
    like = text(words.LIKE, "node-1", offers="nodes")
    cpu = text(words.CPU, "8")
    memory = text(words.MEMORY, "32Gi")
    pods = whole(words.PODS, most=10_000)
    resources = text(words.RESOURCES, "nvidia.com/gpu=4")
    zones = text(words.ZONES, "zone-a, zone-b", offers="zones", shown=2)
    labels = text(words.LABELS, "pool=spot")
    taints = text(words.TAINTS, "dedicated=gpu:NoSchedule")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("count"):
            self.needs("count")
        if cleaned.get("like"):
            if cleaned.get("cpu") or cleaned.get("memory"):
                self.needs("cpu", words.NO_SIZE)
        elif not cleaned.get("cpu") or not cleaned.get("memory"):
            self.needs("like", words.NO_SIZE)
        for name, problem in (("resources", words.NO_RESOURCE), ("labels", words.NO_LABEL)):
            try:
                cleaned[name] = pairs(cleaned.get(name) or "", problem)
            except forms.ValidationError as error:
                self.add_error(name, error)
        try:
            cleaned["taints"] = [taint(part) for part in listed(cleaned.get("taints") or "")]
        except forms.ValidationError as error:
            self.add_error("taints", error)
        cleaned["zones"] = listed(cleaned.get("zones") or "")
        return cleaned

    def entries(self) -> list[Entry]:
        names = ("count", "like", "cpu", "memory", "pods", "resources", "labels", "taints", "zones")
        return [{CHANGE: "add-nodes", **{name: value for name in names if (value := self.cleaned_data.get(name))}}]


KUBERNETES_CHOICES: Final[tuple[tuple[str, _StrOrPromise], ...]] = (
    ("", words.OWN_KUBERNETES),
    *((f"v{minor}", minor) for minor in RELEASES),
)


def chosen_release(choice: str | None, own: Release) -> Release:
    """Return the release that a choice stands for, a cluster's own where none was made."""
    return match_release(choice).release if choice else own


def offered_version(version: str) -> str:
    """Return the choice that stands for a version as components report it; empty for none of them."""
    minor = match_release(version).minor
    return f"v{minor}" if minor in RELEASES else ""
