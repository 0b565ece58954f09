"""Selectors and taints, as many kinds hold them."""

from __future__ import annotations

from clusters.adapters.prune.shapes import each, fields, labels, texts, timestamp, token

_requirements = each(fields({"key": token, "operator": token, "values": texts}))

label_selector = fields({"matchLabels": labels, "matchExpressions": _requirements})
node_selector_term = fields({"matchExpressions": _requirements, "matchFields": _requirements})
node_selector = fields({"nodeSelectorTerms": each(node_selector_term)})
taint = fields({"key": token, "value": token, "effect": token, "timeAdded": timestamp})
