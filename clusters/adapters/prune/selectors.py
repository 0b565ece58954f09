"""Selectors and taints, as many kinds hold them."""

from __future__ import annotations

from clusters.adapters.prune.shapes import each, fields, mapping, texts, timestamp, token

_requirements = each(fields({"key": token, "operator": token, "values": texts}))

# Values are not checked as labels are: old objects may select by a value that no label can have.
label_selector = fields({"matchLabels": mapping(token), "matchExpressions": _requirements})
node_selector_term = fields({"matchExpressions": _requirements, "matchFields": _requirements})
node_selector = fields({"nodeSelectorTerms": each(node_selector_term)})
taint = fields({"key": token, "value": token, "effect": token, "timeAdded": timestamp})
