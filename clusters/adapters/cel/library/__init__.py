"""The functions of Kubernetes' CEL environment, by minor.

Upstream: ``k8s.io/apiserver/pkg/cel/environment``, as stored expressions have it.
"""

from __future__ import annotations

from typing import Final

from clusters.adapters.cel.library.conversions import AMOUNTS, CONVERSIONS, FROM_1_38, NETWORKS
from clusters.adapters.cel.library.lists import BEFORE_1_37, FROM_1_37, LISTS, OF_1_36
from clusters.adapters.cel.library.texts import TEXTS
from clusters.engine.versions import RELEASES

_ALWAYS: Final = (*CONVERSIONS, *AMOUNTS, *TEXTS, *LISTS, *NETWORKS)
_CHANGES: Final = {
    "1.34": BEFORE_1_37,
    "1.36": (*BEFORE_1_37, *OF_1_36),
    "1.37": FROM_1_37,
    "1.38": (*FROM_1_37, *FROM_1_38),
}
FUNCTIONS: Final = {
    minor: {each.name: each for each in (*_ALWAYS, *_CHANGES[max(since for since in _CHANGES if since <= minor)])}
    for minor in RELEASES
}
# What is there and not computed: URLs, named formats, times, and authorizers, of which a device has none.
UNSUPPORTED: Final = frozenset(
    [
        *("url", "isURL", "getScheme", "getHost", "getHostname", "getPort", "getEscapedPath", "getQuery"),
        *(f"format.dns1123{kind}" for kind in ("Label", "Subdomain", "LabelPrefix", "SubdomainPrefix")),
        *(
            "format.named",
            "format.dns1035Label",
            "format.dns1035LabelPrefix",
            "format.qualifiedName",
            "format.labelValue",
        ),
        *("format.uri", "format.uuid", "format.byte", "format.date", "format.datetime", "validate"),
        *("timestamp", "duration", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear"),
        *("getHours", "getMilliseconds", "getMinutes", "getMonth", "getSeconds"),
        *("path", "serviceAccount", "group", "resource", "subresource", "namespace", "name", "check", "allowed"),
        *("reason", "error", "errored", "fieldSelector", "labelSelector"),
    ]
)
# Where names of fields may stand in backticks.
ESCAPED: Final = frozenset(minor for minor in RELEASES if minor >= "1.37")
