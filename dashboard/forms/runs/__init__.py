"""The forms from which a simulation is put together: one for each kind of change, and one for the rest."""

from __future__ import annotations

from dashboard.forms.runs.nodes import (
    AddNodesForm,
    CordonForm,
    DrainNodesForm,
    FailNodesForm,
    LabelNodesForm,
    LoseZoneForm,
    RemoveNodesForm,
    TaintNodesForm,
)
from dashboard.forms.runs.settings import SettingsForm
from dashboard.forms.runs.workloads import ManifestForm, RemoveBudgetForm, RemoveWorkloadForm, ScaleForm, TraceForm

# In the order in which they stand on the page; the name is what a button sends.
CHANGE_FORMS = {
    "scale": ScaleForm,
    "manifest": ManifestForm,
    "lose-zone": LoseZoneForm,
    "drain-nodes": DrainNodesForm,
    "fail-nodes": FailNodesForm,
    "add-nodes": AddNodesForm,
    "remove-nodes": RemoveNodesForm,
    "cordon": CordonForm,
    "taint-nodes": TaintNodesForm,
    "label-nodes": LabelNodesForm,
    "remove-workload": RemoveWorkloadForm,
    "remove-budget": RemoveBudgetForm,
    "trace": TraceForm,
}

__all__ = ["CHANGE_FORMS", "SettingsForm"]
