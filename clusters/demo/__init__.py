"""The built-in demo cluster: a shop's 60 nodes and 900 pods that show every kind of verdict.

``demo_objects`` makes its Kubernetes objects, the same ones every time; ``STORIES`` says what each pending pod shows,
by ``namespace/name``, and ``BUDGETS`` and ``QUOTAS`` what each disruption budget and ResourceQuota does.
``docs/demo.md`` is the guide.
"""

from __future__ import annotations

from clusters.demo.budgets import BUDGETS
from clusters.demo.cluster import demo_objects
from clusters.demo.quotas import QUOTAS
from clusters.demo.stories import STORIES

__all__ = ["BUDGETS", "QUOTAS", "STORIES", "demo_objects"]
