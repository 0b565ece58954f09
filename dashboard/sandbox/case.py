"""A pod of a sandbox with its explanation, as the parts of a decision ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.http import urlencode

from clusters.wording.lessons import sandbox as words
from dashboard.explained import ExplainedCase, with_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation


@dataclass(frozen=True, slots=True)
class ExplainedSandboxPod(ExplainedCase):
    """A pod of the asking user's sandbox; `node` is the one that it got, empty while it is pending."""

    explanation: Explanation
    node: str

    @property
    def is_simulated(self) -> bool:
        """Whether a simulation decides, which takes one node of several that are equally good."""
        return True

    @property
    def own_node(self) -> str:
        """Return the node that the pod got."""
        return self.node

    @property
    def whole(self) -> str:
        """Return the name of what has the nodes."""
        return str(words.TITLE)

    @property
    def page(self) -> str:
        """Return the template of a page that has one part of the decision."""
        return "sandbox/decision_part.html"

    @property
    def context(self) -> dict[str, object]:
        """Return what pages of the decision show beside it."""
        return {"pod": self.explanation.pod.key}

    @property
    def address(self) -> dict[str, str]:
        """Return what leads to the pod in an address."""
        pod = self.explanation.pod
        return {"namespace": pod.namespace, "name": pod.name}

    def part_address(self, name: str = "", query: Sequence[tuple[str, str]] = (), **path: object) -> str:
        """Return the address of a part of the decision, or of the sandbox with the pod's decision."""
        if not name:
            return self.pod_address(**self.address)
        address = reverse(f"sandbox-decision-{name}", kwargs={**self.address, **path})
        return with_query(address, query)

    def node_address(self, name: str) -> str:
        """Return where a node stands in the table of the sandbox."""
        return f"{reverse('sandbox')}#node-{name}"

    def pod_address(self, namespace: str, name: str) -> str:
        """Return where the decision about a pod is."""
        return f"{reverse('sandbox')}?{urlencode({'pod': f'{namespace}/{name}'})}"
