"""Changes to nodes."""

from __future__ import annotations

from typing import Any

from django import forms

from dashboard.forms.runs.base import CHANGE, ChangeForm, Entry, NodesForm, listed, pairs, select, taint, text, whole


class LoseZoneForm(ChangeForm):
    """A zone that is lost."""

    title = "Lose a zone"
    about = "Gone: its nodes are removed, and what lay there is wanted anew. Unreachable: the nodes stop answering."
    zone = text("Zone", "zone-a", offers="zones")
    how = select(
        "How",
        (("gone", "Its nodes are gone"), ("unreachable", "Its nodes stop answering")),
        initial="gone",
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("zone"):
            self.needs("zone", "Say which zone is lost.")
        elif self.offers.zones and cleaned["zone"] not in self.offers.zones:
            self.needs("zone", f"There is no zone {cleaned['zone']}. There are {', '.join(self.offers.zones)}.")
        return cleaned

    def entries(self) -> list[Entry]:
        return [{CHANGE: "lose-zone", "zone": self.cleaned_data["zone"], "how": self.cleaned_data["how"] or "gone"}]


class DrainForm(NodesForm):
    """Nodes that are drained."""

    title = "Drain nodes"
    about = "One after another, by evictions, as far as budgets allow; what is evicted is wanted anew."

    def entries(self) -> list[Entry]:
        return [{CHANGE: "drain-nodes", **self.target()}]


class RemoveNodesForm(NodesForm):
    """Nodes that are removed."""

    title = "Remove nodes"
    about = "At once, without a drain; what lay there and has an owner is wanted anew."

    def entries(self) -> list[Entry]:
        return [{CHANGE: "remove-nodes", **self.target()}]


class CordonForm(NodesForm):
    """Nodes that take no new pods, or take them again."""

    title = "Cordon or uncordon nodes"
    what = select("What", (("cordon", "Cordon"), ("uncordon", "Uncordon")), initial="cordon")
    field_order = ("what", "nodes", "selector", "zone")

    def entries(self) -> list[Entry]:
        return [{CHANGE: self.cleaned_data["what"] or "cordon", **self.target()}]


class TaintNodesForm(NodesForm):
    """Nodes that get taints or lose them."""

    title = "Taint nodes"
    taints = text("Taints", "dedicated=gpu:NoSchedule, old-", hint="With a dash at the end a taint is taken away.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        given = listed(cleaned.get("taints") or "")
        if not given:
            self.needs("taints", "Write a taint, such as dedicated=gpu:NoSchedule.")
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

    title = "Label nodes"
    labels = text("Labels", "pool=spot, old-", hint="With a dash at the end a label is taken away.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        given = listed(cleaned.get("labels") or "")
        if not given:
            self.needs("labels", "Write a label, such as pool=spot.")
        removed: dict[str, str | None] = {
            part.removesuffix("-"): None for part in given if part.endswith("-") and "=" not in part
        }
        try:
            added = pairs(",".join(part for part in given if part.removesuffix("-") not in removed), "label")
        except forms.ValidationError as error:
            self.add_error("labels", error)
            added = {}
        cleaned["changed"] = {**added, **removed}
        return cleaned

    def entries(self) -> list[Entry]:
        return [{CHANGE: "label-nodes", **self.target(), "labels": self.cleaned_data["changed"]}]


class AddNodesForm(ChangeForm):
    """Nodes that are added."""

    title = "Add nodes"
    about = "Like a node that there is, or of a size that you give."
    count = whole("How many", most=10_000)
    like = text("Like node", "node-1", offers="nodes")
    cpu = text("Or with CPU", "8")
    memory = text("Memory", "32Gi")
    pods = whole("Pods", most=10_000)
    resources = text("Other resources", "nvidia.com/gpu=4")
    zones = text("In zones, in turn", "zone-a, zone-b", offers="zones")
    labels = text("Labels", "pool=spot")
    taints = text("Taints", "dedicated=gpu:NoSchedule")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("count"):
            self.needs("count", "Say how many nodes are added.")
        if cleaned.get("like"):
            if cleaned.get("cpu") or cleaned.get("memory"):
                self.needs("cpu", "Give the size, or a node that they are like; not both.")
        elif not cleaned.get("cpu") or not cleaned.get("memory"):
            self.needs("like", "Say which node they are like, or how much CPU and memory each has.")
        for name, what in (("resources", "resource"), ("labels", "label")):
            try:
                cleaned[name] = pairs(cleaned.get(name) or "", what)
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
