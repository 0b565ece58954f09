"""What runs in the shop: every workload whose pods all have a place."""

from __future__ import annotations

from clusters.demo.nodes import ARCHITECTURE, HOSTNAME, ZONE, nodes
from clusters.demo.workload import (
    AMD64,
    SPOT,
    TOLERATES_GPU,
    Claim,
    Workload,
    apart,
    dedicated,
    everywhere,
    near,
    on_pool,
    rather,
    spread,
    with_claim,
)

NOISY = {"noise": "high"}
# Where a victim of preemption is still shutting down.
NOMINATED_NODE = "general-b-03"

_ALL = tuple(node["metadata"]["name"] for node in nodes())


def _of_pool(pool: str) -> tuple[str, ...]:
    return tuple(name for name in _ALL if name.startswith(f"{pool}-"))


_SYSTEM = (
    everywhere("kube-system", "kube-proxy", _ALL, 50, 64, priority="system-node-critical"),
    everywhere("kube-system", "aws-node", _ALL, 50, 96, priority="system-node-critical"),
    everywhere("kube-system", "ebs-csi-node", _ALL, 30, 80, priority="system-node-critical"),
    everywhere("kube-system", "node-local-dns", _ALL, 25, 32, priority="system-node-critical"),
    everywhere("platform", "node-exporter", _ALL, 40, 64, priority="system-node-critical", ports=(9100,)),
    everywhere("platform", "log-agent", _ALL, 60, 128),
    everywhere("platform", "ingress", _of_pool("ingress"), 500, 512, priority="business-critical", ports=(80, 443)),
    Workload("kube-system", "coredns", 4, 100, 128, priority="system-cluster-critical", spec=spread("coredns")),
    Workload("kube-system", "metrics-server", 2, 100, 200, priority="system-cluster-critical"),
    Workload("kube-system", "cluster-autoscaler", 1, 100, 300, priority="system-cluster-critical"),
    Workload("kube-system", "ebs-csi-controller", 2, 60, 240, priority="system-cluster-critical"),
)

_SHOP = (
    Workload(
        "shop",
        "storefront",
        24,
        700,
        768,
        labels={"tier": "frontend"},
        spec={**AMD64, **spread("storefront", hard=True)},
    ),
    Workload("shop", "catalog", 20, 600, 1024, spec={**AMD64, **spread("catalog")}),
    Workload("shop", "cart", 16, 400, 512, spec=AMD64),
    Workload("shop", "recommendations", 12, 700, 2048, spec=AMD64),
    Workload("shop", "reviews", 10, 250, 384),
    Workload("shop", "notifications", 10, 150, 256),
    Workload("shop", "price-engine", 8, 800, 1024, spec={**AMD64, **apart({"app": "price-engine"}, hard=False)}),
    Workload("shop", "image-proxy", 12, 400, 384, labels={"tier": "frontend"}, spec=rather(ARCHITECTURE, "arm64")),
    Workload("shop", "sessions", 3, 500, 2048, kind="StatefulSet", spec=spread("sessions", hard=True)),
    Workload("shop", "wishlist", 8, 200, 256),
    Workload("shop", "search-proxy", 6, 200, 256, labels={"tier": "frontend"}),
)

_PAYMENTS = (
    Workload(
        "payments",
        "payments-webhooks",
        8,
        250,
        256,
        priority="business-critical",
        spec=spread("payments-webhooks"),
    ),
    Workload("payments", "fraud-rules", 8, 600, 1536, spec=AMD64),
    Workload("payments", "tokenizer", 6, 300, 256, priority="business-critical"),
    Workload("payments", "reconciliation", 4, 300, 512),
    Workload(
        "payments",
        "ledger",
        3,
        500,
        2048,
        kind="StatefulSet",
        priority="business-critical",
        claims=(Claim("journal", "gp3", 100),),
        spec={**AMD64, **spread("ledger", hard=True), **apart(NOISY, by=ZONE, namespaceSelector={})},
    ),
    Workload("payments", "ledger-archiver", 1, 200, 512, spec=with_claim("ledger-archive")),
)

_SEARCH = (
    Workload("search", "query-frontend", 10, 400, 512, spec=near({"app": "search-api"}, hard=False)),
    Workload("search", "suggest", 8, 300, 512),
    Workload("search", "crawler", 14, 200, 384, priority="batch-low", spec=SPOT),
    Workload("search", "synonyms", 4, 150, 256),
)

_DATA = (
    Workload(
        "data",
        "kafka",
        5,
        2000,
        8192,
        kind="StatefulSet",
        priority="business-critical",
        claims=(Claim("log", "local-nvme", 400),),
        on=("data-a-01", "data-a-02", "data-b-01", "data-b-02", "data-a-01"),
        spec=dedicated("data", "data"),
        crashing=1,
    ),
    Workload(
        "data",
        "postgres",
        3,
        2000,
        8192,
        kind="StatefulSet",
        priority="business-critical",
        claims=(Claim("data", "gp3", 200), Claim("wal", "gp3", 50)),
        spec={**dedicated("data", "data"), **spread("postgres", hard=True)},
    ),
    Workload("data", "kafka-connect", 6, 400, 1024),
    Workload("data", "schema-registry", 3, 150, 384),
    Workload("data", "compactor", 1, 3800, 8192, on=("data-c-02",), spec=dedicated("data", "data")),
)

_ML = (
    Workload(
        "ml",
        "inference",
        6,
        4000,
        16384,
        gpu_template="inference",
        spec={**TOLERATES_GPU, **spread("inference", by=HOSTNAME)},
    ),
    Workload(
        "ml",
        "ranking-trainer",
        2,
        12000,
        49152,
        kind="Job",
        priority="batch-low",
        extended={"nvidia.com/gpu": "2"},
        spec=TOLERATES_GPU,
    ),
    Workload("ml", "feature-store", 6, 400, 1024),
    Workload("ml", "experiment-tracker", 3, 200, 512),
    Workload("ml", "notebooks", 8, 300, 1024, priority="batch-low", spec=SPOT),
)

_PLATFORM = (
    Workload(
        "platform",
        "prometheus",
        2,
        1500,
        8192,
        kind="StatefulSet",
        claims=(Claim("tsdb", "gp3", 300),),
        spec={**AMD64, **apart({"app": "prometheus"})},
    ),
    Workload("platform", "alertmanager", 3, 100, 128, spec=apart({"app": "alertmanager"})),
    Workload("platform", "grafana", 2, 250, 512),
    Workload("platform", "loki", 3, 800, 4096, spec=AMD64),
    Workload("platform", "otel-collector", 12, 250, 384),
    Workload("platform", "cert-manager", 3, 50, 128),
    Workload("platform", "external-dns", 1, 50, 128),
    Workload("platform", "argo-cd", 5, 250, 512),
    Workload("platform", "vault", 3, 250, 384, spec=apart({"app": "vault"})),
    Workload(
        "platform",
        "waf",
        1,
        2400,
        1024,
        priority="business-critical",
        on=("ingress-c-01",),
        spec=dedicated("ingress", "ingress"),
    ),
)

_BATCH = (
    Workload("batch", "image-resizer", 14, 1500, 1024, priority="batch-low", spec=on_pool("general")),
    Workload(
        "batch",
        "clickstream",
        12,
        1500,
        1024,
        priority="batch-low",
        on=(NOMINATED_NODE,),
        spec=on_pool("general"),
    ),
    Workload("batch", "nightly-export", 12, 500, 512, kind="Job", priority="batch-low", spec=AMD64, phase="Succeeded"),
    Workload("batch", "invoice-mailer", 2, 200, 256, kind="Job", priority="batch-low", spec=AMD64, phase="Failed"),
)

_OTHERS = (
    Workload("mobile", "mobile-bff", 16, 400, 384, spec={**AMD64, **spread("mobile-bff")}),
    Workload("mobile", "push-gateway", 8, 200, 256),
    Workload("mobile", "deep-links", 4, 100, 128),
    Workload("content", "cms", 8, 400, 1024, spec=AMD64),
    Workload("content", "media", 8, 500, 768, spec=rather(ARCHITECTURE, "arm64")),
    Workload("content", "sitemap", 2, 150, 256),
    Workload("content", "landing-pages", 8, 250, 256),
    Workload("warehouse", "stock-levels", 12, 400, 512, spec=AMD64),
    Workload("warehouse", "picking", 8, 300, 384),
    Workload("warehouse", "shipping-labels", 6, 250, 256),
    Workload("warehouse", "returns", 6, 200, 256),
    Workload("internal", "backoffice", 8, 250, 512),
    Workload("internal", "crm-sync", 6, 150, 256),
    Workload("internal", "wiki", 2, 300, 1024, crashing=1),
    Workload("support", "helpdesk", 8, 250, 384),
    Workload("support", "chat", 10, 200, 256),
    Workload("support", "call-routing", 4, 200, 256),
)

RUNNING = (*_SYSTEM, *_SHOP, *_PAYMENTS, *_SEARCH, *_DATA, *_ML, *_PLATFORM, *_BATCH, *_OTHERS)
