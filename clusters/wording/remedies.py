"""What to do about the claims that keep a pod from every node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.analysis.remedies import (
    AddStorage,
    AwaitDeletion,
    AwaitEphemeral,
    AwaitPods,
    BindImmediate,
    BindOrSetClass,
    CompleteBinding,
    CreateClaim,
    CreateClass,
    CreateVolume,
    RecreateLost,
    RestoreVolume,
)
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from clusters.engine.analysis.remedies import Remedy


def remedy_sentence(remedy: Remedy) -> str:
    """Say in a sentence what to do about a claim."""
    match remedy:
        case CreateClaim(claim, namespace, is_none_known=True):
            return _(
                "Create the claim %(claim)s in namespace %(namespace)s, or upload the claims too: there are none here."
            ) % {"claim": claim, "namespace": namespace}
        case CreateClaim(claim, namespace):
            return _("Create the claim %(claim)s in namespace %(namespace)s: there is none of this name.") % {
                "claim": claim,
                "namespace": namespace,
            }
        case AwaitEphemeral(claim):
            return _("Wait for the claim %(claim)s, which the ephemeral volume controller creates for the pod.") % {
                "claim": claim
            }
        case AwaitDeletion(claim):
            return _("Wait until the claim %(claim)s is deleted, then create it again.") % {"claim": claim}
        case RecreateLost(claim, volume):
            return _("Create the claim %(claim)s again: it has lost its volume %(volume)s.") % {
                "claim": claim,
                "volume": volume,
            }
        case RestoreVolume(claim, volume):
            return _(
                "Restore the volume %(volume)s, which the claim %(claim)s is bound to and which does not exist, or "
                "create the claim again."
            ) % {"claim": claim, "volume": volume}
        case AwaitPods(claim, pods):
            return ngettext(
                "Wait until %(pods)s has terminated: one pod only may use the claim %(claim)s.",
                "Wait until %(pods)s have terminated: one pod only may use the claim %(claim)s.",
                len(pods),
            ) % {"claim": claim, "pods": listed(pods)}
        case _:
            return _unbound(remedy)


def _unbound(remedy: Remedy) -> str:
    match remedy:
        case BindOrSetClass(claim):
            return _("Bind the claim %(claim)s to a volume, or set its storageClassName: it has none.") % {
                "claim": claim
            }
        case CreateClass(claim, storage_class):
            return _(
                "Create the storage class %(class)s, which the claim %(claim)s names and which does not exist."
            ) % {"claim": claim, "class": storage_class}
        case CompleteBinding(claim, volume):
            return _("Bind the claim %(claim)s: it names the volume %(volume)s and is not bound to it yet.") % {
                "claim": claim,
                "volume": volume,
            }
        case BindImmediate(claim, storage_class):
            return _(
                "Bind the claim %(claim)s: its class %(class)s has volumeBindingMode Immediate, and it is not bound; "
                "or use a class with WaitForFirstConsumer."
            ) % {"claim": claim, "class": storage_class}
        case AddStorage(claim, storage_class):
            return _("Add or free storage of the class %(class)s: no node reaches enough for the claim %(claim)s.") % {
                "claim": claim,
                "class": storage_class,
            }
        case CreateVolume(claim, storage_class):
            return _(
                "Create a volume of the class %(class)s that suits the claim %(claim)s and that a node which fits the "
                "pod reaches, or use a class that provisions volumes there."
            ) % {"claim": claim, "class": storage_class}
        case _:
            raise TypeError(f"{type(remedy).__name__} has no words")
