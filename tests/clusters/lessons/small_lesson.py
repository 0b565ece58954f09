"""A small lesson for tests: two steps, in English alone."""

from __future__ import annotations

from typing import Final

LESSON: Final = """\
apiVersion: lessons.berth.io/v1
kind: Lesson
minutes: 5
steps:
  - name: where
    objects: [cluster.yaml]
    pod: web
    question:
      node:
  - name: later
    add: [more/node.yaml]
    remove: [Pod/old]
    pod: default/web
    question:
      nodes:
        which: feasible
"""

CLUSTER: Final = """\
apiVersion: v1
kind: Node
metadata:
  name: node-1
status:
  capacity: {cpu: "2", memory: 4Gi}
---
apiVersion: v1
kind: Pod
metadata:
  name: old
spec:
  nodeName: node-1
  containers:
    - name: old
      resources:
        requests: {cpu: 1500m}
---
apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      resources:
        requests: {cpu: "1"}
"""

MORE: Final = """\
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-2"}, "status": {"capacity": {"cpu": "4"}}}
"""

TEXTS: Final = """\
title: A small lesson
about: What becomes of a pod.
steps:
  where:
    title: Where?
    text: A pod is pending.
    ask: Choose a node.
    hints: [Add up the requests.]
    reveal: kube-scheduler takes {answer}.
    mistakes:
      rejected/NodeResourcesFit: The requests do not fit.
  later:
    title: And now?
    text: A node has joined, a pod has gone.
    ask: Choose all feasible nodes.
    hints: [Begin anew.]
    reveal: These are {answer}.
"""

FILES: Final = {
    "cluster.yaml": CLUSTER,
    "lesson.yaml": LESSON,
    "more/node.yaml": MORE,
    "texts/en.yaml": TEXTS,
}


def changed(file: str, old: str, new: str) -> dict[str, str]:
    """Return the files with a passage of one of them replaced."""
    assert old in FILES[file]
    return {**FILES, file: FILES[file].replace(old, new, 1)}
