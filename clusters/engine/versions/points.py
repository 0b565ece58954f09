"""The extension points of kube-scheduler."""

from __future__ import annotations

from enum import StrEnum


class ExtensionPoint(StrEnum):
    """Where plugins take part in scheduling, by the name of the field in a configuration."""

    PRE_ENQUEUE = "preEnqueue"
    QUEUE_SORT = "queueSort"
    PRE_FILTER = "preFilter"
    FILTER = "filter"
    POST_FILTER = "postFilter"
    PRE_SCORE = "preScore"
    SCORE = "score"
    RESERVE = "reserve"
    PERMIT = "permit"
    PRE_BIND = "preBind"
    BIND = "bind"
    POST_BIND = "postBind"
