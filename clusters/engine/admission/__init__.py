"""What the API server would make of a pod that is new: the fields it adds, by what, and why it would refuse.

Upstream (v1.34.1): ``pkg/apis/core/v1/defaults.go``, the plugins under ``plugin/pkg/admission`` in the order of
``pkg/kubeapiserver/options/plugins.go``, and ``pkg/registry/core/pod/strategy.go``. Only what scheduling reads is
emulated; webhooks and service accounts are not, and quotas are with ``clusters.engine.quotas``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.admission.creation import CreationRefusal, InvalidDefaults, LimitRangeRefusal
from clusters.engine.admission.objects import (
    TemplateNotSelected,
    second_default,
    wrongs_of_object,
)
from clusters.engine.admission.plugins import (
    BUILT_IN,
    DEFAULT_TOLERATIONS,
    LIMIT_RANGER,
    Addition,
    Admission,
    Draft,
    Refusal,
    SourceKind,
    ValueSource,
    add_tolerations,
    apply_limit_ranges,
    apply_priority,
    apply_runtime_class,
    complete_pod_level,
    fill_in,
    merge_label_keys,
    update_refusals,
    validate,
)
from clusters.engine.admission.validation import wrongs_of

__all__ = [
    "BUILT_IN",
    "DEFAULT_TOLERATIONS",
    "LIMIT_RANGER",
    "Addition",
    "Admission",
    "CreationRefusal",
    "InvalidDefaults",
    "LimitRangeRefusal",
    "Refusal",
    "SourceKind",
    "TemplateNotSelected",
    "ValueSource",
    "admit",
    "second_default",
    "update_refusals",
    "wrongs_of",
    "wrongs_of_object",
]


if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


API_SERVER: Final = "kube-apiserver"


def admit(pod: Document, snapshot: Snapshot) -> Admission:
    """Return the pod as the API server would store it, were it created now; the given document stays as it is.

    A pod that came from an API server has it all already and comes out unchanged. Where a plugin would refuse the pod,
    that is noted and the others are asked all the same. Raises QuantityError for an amount that is none.
    """
    draft, rules = Draft(pod), snapshot.release.rules
    fill_in(draft)
    if not rules.completes_pods_after_admission:
        complete_pod_level(draft, derives_limits=False)
    apply_limit_ranges(draft, snapshot)
    apply_priority(draft, snapshot)
    add_tolerations(draft)
    apply_runtime_class(draft, snapshot)
    merge_label_keys(draft)
    # What is stored is given its defaults again whenever somebody reads it.
    fill_in(draft)
    complete_pod_level(draft, derives_limits=rules.completes_pods_after_admission)
    validate(draft, snapshot)
    for wrong in wrongs_of(draft.pod, is_admitted=True):
        draft.refuse(API_SERVER, *wrong)
    return Admission(draft.pod, tuple(draft.additions), tuple(draft.refusals))
