"""What can be said of any plugin; the module named after a plugin says what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.evidence import Subject
    from clusters.engine.plugin import ClusterEvent


class Requeue(NamedTuple):
    """What has to happen so that the queue asks a plugin again, as a clause, and the events that stand for it."""

    when: str
    events: tuple[ClusterEvent, ...]


class Reason(NamedTuple):
    """What a reason with which a plugin rejects nodes means.

    ``phrase``: of one node, in a few words; ``counted``: a clause about a number of nodes; ``cause``: its name as what
    keeps pods pending.
    """

    phrase: str
    counted: str
    cause: str


class PluginWording:
    """How Berth speaks of a plugin; one that Kubernetes does not bring is spoken of as here."""

    def decides(self) -> str:
        """What the plugin decides, in a few words."""
        return _("not part of Kubernetes")

    def nothing_to_filter(self) -> str:
        """Why its filter is skipped for a pod, in a sentence."""
        return _("Nothing to check: its PreFilter returns Skip for this pod.")

    def nothing_to_score(self) -> str:
        """Why its score is skipped for a pod, in a sentence."""
        return _("Does not score: its PreScore returns Skip for this pod.")

    def not_computed_in_pre_enqueue(self) -> str:
        """Why its PreEnqueue is not computed for a pod, in a sentence."""
        return _("Not computed for this pod.")

    def requires(self) -> str:
        """What of pods or nodes it goes by, in the plural: named among several that keep a pod pending together."""
        return self.decides()

    def reason(self, reason: str, nodes: int) -> Reason | None:
        """What one of its reasons means, counted over so many nodes; None where the reason is not the plugin's."""
        return None

    def phrases(self, reasons: Sequence[str]) -> list[str]:
        """What its reasons for rejecting one node mean, in a few words each."""
        return [found.phrase for reason in reasons if (found := self.reason(reason, 1))]

    def counted_together(self, nodes: int) -> str:
        """A clause about a number of nodes whose reasons are of one kind and differ; empty for most plugins."""
        return ""

    def cause(self, reasons: Sequence[str]) -> str:
        """The name of what keeps pods pending for these reasons; empty where it has none for them."""
        found = self.reason(", ".join(reasons), 1)
        return found.cause if found else ""

    def lifting_all(self) -> str:
        """What lifts all that its filter checks, as a request without its capital letter."""
        return _("disable the plugin")

    def lifting_fixed(self, subject: Subject) -> str:
        """Say what would lift a constraint that nobody should lift, of the one node that is asked about."""
        return self.lifting(subject)

    def lifting(self, subject: Subject) -> str:
        """What lifts one of its constraints. Raises TypeError for a subject that is not the plugin's."""
        raise TypeError(f"{type(subject).__name__} has no words in {type(self).__module__}")

    def requeued_when(self) -> tuple[Requeue, ...]:
        """What requeues a pod that it rejected; in any release: together the events are those of its ``requeue_on``."""
        return ()

    def argument(self, field: str) -> str:
        """What a field of its arguments in a KubeSchedulerConfiguration is about; empty where that is not said."""
        return ""

    def argument_value(self, field: str, value: str) -> str:
        """The value of such a field, with what it means where its name alone does not tell."""
        return value
