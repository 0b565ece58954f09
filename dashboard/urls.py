"""Every address. All but sign-in, the probes and metrics ask for a signed-in user; the middleware sees to that."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.urls.resolvers import RoutePattern

import dashboard.nav  # noqa: F401 - registers the live part that stands on every page
from dashboard.access.participants import SEAT
from dashboard.access.rules import API
from dashboard.lazy_views import Package
from dashboard.lessons import learners

administration = Package("dashboard.administration")
api = Package("dashboard.api")
classrooms = Package("dashboard.classrooms")
lessons = Package("dashboard.lessons")
pages = Package("dashboard.views")
sandbox = Package("dashboard.sandbox")

Patterns = list[URLPattern | URLResolver]

handler400 = "dashboard.failures.bad_request"
handler500 = "dashboard.api.answering.server_error"

_POD = "pods/<str:namespace>/<str:name>/"
_STEP = "<slug:lesson>/<slug:step>/"
_SIDE = f"{_STEP}<slug:side>/"
_ROOM = "<int:pk>/"

_BUDGETS = [
    path("", pages.budgets.budgets, name="budgets"),
    path("budgets.csv", pages.budgets.budgets_csv, name="budgets-csv"),
    path("blocked-drains/", pages.budgets.drains, name="blocked-drains"),
    path("blocked-drains.csv", pages.budgets.drains_csv, name="blocked-drains-csv"),
    path("<name:namespace>/<path_name:name>/", pages.budgets.budget, name="budget"),
]

_CONFIGURATION = [
    path("", pages.configuration.configuration, name="cluster-configuration"),
    path("what-if/", pages.configuration.other_configuration, name="other-configuration"),
    path("scheduler.yaml", pages.configuration.download, name="cluster-configuration-file"),
]

# Each part of a decision is a page of its own where no scripts run.
_DECISIONS = [
    path("", pages.decisions.decision, name="decision"),
    path("map/", pages.decision_parts.map_part, name="decision-map"),
    path("map/lines/", pages.decision_parts.map_lines, name="decision-map-lines"),
    path("groups/", pages.decisions.groups, name="decision-groups"),
    path("groups/<int:number>/", pages.decisions.group, name="decision-group"),
    path("nodes/", pages.decision_parts.node_names, name="decision-nodes"),
    path("nodes/<str:node>/", pages.decision_parts.node, name="decision-node"),
    path("why-not/", pages.decision_parts.why_not_node, name="decision-why-not"),
    path("search-order/", pages.decision_parts.search_order_part, name="decision-search-order"),
    path("compare/", pages.decision_parts.compare, name="decision-compare"),
    path("nodes/<str:node>/scores/<path:plugin>/", pages.decisions.cell, name="decision-cell"),
    path("what-if/", pages.what_if.what_if_page, name="what-if"),
    path("scores/", pages.decisions.scores, name="decision-scores"),
    path("card.svg", pages.decisions.picture, name="decision-card"),
    path("relaxations/<str:kind>/<int:number>/", pages.decisions.relaxation, name="decision-relaxation"),
    path("observed/<int:observation>/<str:show>/", pages.decisions.observed, name="decision-observed"),
    path("preemption/", pages.decisions.preemption, name="decision-preemption"),
    path("removal/", pages.removal.removal, name="pod-removal"),
]

_DEVICES = [
    path("", pages.devices.devices, name="devices"),
    path("devices.csv", pages.devices.devices_csv, name="devices-csv"),
    path("claims/", pages.devices.claims, name="resource-claims"),
    path("claims.csv", pages.devices.claims_csv, name="resource-claims-csv"),
    path("claims/<name:namespace>/<name:name>/", pages.devices.claim, name="resource-claim"),
    # Drivers name pools as they like, with slashes too.
    path("pools/<name:driver>/<path:pool>/", pages.devices.pool, name="device-pool"),
]

_DRAIN = [
    path("", pages.drain.drain, name="drain"),
    path("nodes.csv", pages.drain.nodes_csv, name="drain-nodes-csv"),
    path("plan.csv", pages.drain.plan_csv, name="drain-plan-csv"),
    path("progress/", pages.drain.progress, name="drain-progress"),
    path("map/", pages.drain.map_part, name="drain-map"),
    path("map/batch/", pages.drain.map_batch, name="drain-map-batch"),
    path("map/lines/", pages.drain.map_lines, name="drain-map-lines"),
    path("map/node/", pages.drain.map_node, name="drain-map-node"),
]

_JOURNAL = [
    path("", pages.journal.journal, name="journal"),
    path("decisions.csv", pages.journal.journal_csv, name="journal-csv"),
    path("chart.json", pages.journal.chart, name="journal-chart"),
    path("marks/", pages.past.marks, name="journal-marks"),
    path("changes/", pages.past.changes, name="journal-changes"),
    path("replay/", pages.journal_replay.journal_replay, name="journal-replay"),
    path("<int:pk>/", pages.journal.journaled, name="journaled"),
    path("<int:pk>/node/", pages.kept_map.kept_node, name="journaled-node"),
]

_NODES = [
    path("", pages.nodes.nodes, name="nodes"),
    # Without a slash at the end, no node can have such an address.
    path("nodes.csv", pages.nodes.nodes_csv, name="nodes-csv"),
    path("heat-map", pages.nodes.node_map, name="node-map"),
    path("free-capacity", pages.nodes.free_capacity, name="free-capacity"),
    path("<name:name>/", pages.node.node, name="node"),
    path("<name:name>/pending/", pages.node.pending, name="node-pending"),
    path("<name:name>/drain/", pages.node.drain, name="node-drain"),
    path("<name:name>/faults/", pages.node.faults, name="node-faults"),
    path("<name:name>/usage/", pages.node.usage, name="node-usage"),
    path("<name:name>/oom/", pages.node.oom, name="node-oom"),
    path("<name:name>/shutdown/", pages.node.shutdown, name="node-shutdown"),
    path("<name:name>/pressure/", pages.node.pressure, name="node-pressure"),
]

_PENDING = [
    path("", pages.pending.groups, name="pending"),
    path("pods.csv", pages.pending.pods_csv, name="pending-csv"),
    path("refused.csv", pages.pending.refused_csv, name="refused-csv"),
    path("queue/", pages.queue.queue, name="queue"),
    path("preemption/", pages.queue.preemption, name="preemption"),
    path("queue.csv", pages.queue.queue_csv, name="queue-csv"),
]

_POD_GROUPS = [
    path("", pages.pod_groups.pod_groups, name="pod-groups"),
    path("pod-groups.csv", pages.pod_groups.pod_groups_csv, name="pod-groups-csv"),
    # In 1.35 a group is named by its Workload, its name and a replica key.
    path("<name:namespace>/<path:name>/", pages.pod_groups.pod_group, name="pod-group"),
]

# Those of a cluster's list are below the cluster.
_REPORTS = [
    path("clusters/<slug:cluster>/reviews/", pages.reports.reports, name="reports"),
    path("clusters/<slug:cluster>/reviews/new", pages.reports.report_new, name="report-new"),
    path(
        "clusters/<slug:cluster>/reviews/schedules/<int:pk>/delete/",
        pages.reports.schedule_delete,
        name="schedule-delete",
    ),
    path("reviews/<int:pk>/", pages.reports.report, name="report"),
    path("reviews/<int:pk>/progress/", pages.reports.progress, name="report-progress"),
    path("reviews/<int:pk>/delete/", pages.reports.report_delete, name="report-delete"),
    path("reviews/<int:pk>/charts/<slug:anchor>.json", pages.reports.report_chart, name="report-chart"),
    path("reviews/<int:pk>/<str:form>", pages.reports.report_file, name="report-file"),
]

_RUNS = [
    path("", pages.runs.runs, name="runs"),
    path("compare/", pages.run_compare.compare, name="runs-compare"),
    path("compare/moves/", pages.run_compare.compare_moves, name="runs-compare-moves"),
    path("compare.csv", pages.run_compare.compare_csv, name="runs-compare-csv"),
    path("compare.json", pages.run_compare.compare_json, name="runs-compare-json"),
    path("<int:pk>/", pages.run.run, name="run"),
    path("<int:pk>/progress/", pages.run.progress, name="run-progress"),
    path("<int:pk>/cancel/", pages.run.cancel, name="run-cancel"),
    path("<int:pk>/delete/", pages.run.delete, name="run-delete"),
    path("<int:pk>/again/", pages.run.again, name="run-again"),
    path("<int:pk>/go-on/", pages.run.go_on, name="run-go-on"),
    path("<int:pk>/sweep/", pages.studies.sweep_new, name="sweep-new"),
    path("<int:pk>/map/", pages.run.outcome_map, name="run-map"),
    path("<int:pk>/nodes/", pages.run.node, name="run-node"),
    path("<int:pk>/nodes/<name:name>/", pages.run.node, name="run-node-of"),
    path("<int:pk>/pods/", pages.run.pod, name="run-pod"),
    path("<int:pk>/pods/<name:namespace>/<name:name>/", pages.run.pod, name="run-pod-of"),
    path("<int:pk>/pods.csv", pages.run.pods_csv, name="run-pods-csv"),
    path("<int:pk>/charts/<slug:name>.json", pages.run.chart, name="run-chart"),
    path("<int:pk>/run.json", pages.run.run_json, name="run-json"),
    path("<int:pk>/steps/", pages.run.step_asked, name="run-step"),
    path("<int:pk>/steps/<int:number>/", pages.run.state, name="run-state"),
    path("<int:pk>/decisions/<int:number>/", pages.run_decision.decision, name="run-decision"),
    path("<int:pk>/decisions/<int:number>/map/", pages.run_decision.map_part, name="run-decision-map"),
    path("<int:pk>/decisions/<int:number>/map/lines/", pages.run_decision.map_lines, name="run-decision-map-lines"),
    path("<int:pk>/decisions/<int:number>/nodes/", pages.run_decision.node_names, name="run-decision-nodes"),
    path("<int:pk>/decisions/<int:number>/nodes/<str:node>/", pages.run_decision.node, name="run-decision-node"),
    path("<int:pk>/decisions/<int:number>/why-not/", pages.run_decision.why_not_node, name="run-decision-why-not"),
    path("<int:pk>/decisions/<int:number>/compare/", pages.run_decision.compare, name="run-decision-compare"),
    path("<int:pk>/decisions/<int:number>/scores/", pages.run_decision.scores, name="run-decision-scores"),
    path(
        "<int:pk>/decisions/<int:number>/nodes/<str:node>/scores/<path:plugin>/",
        pages.run_decision.cell,
        name="run-decision-cell",
    ),
]

_SPREAD = [
    path("", pages.spread.groups, name="spread"),
    path("groups.csv", pages.spread.groups_csv, name="spread-csv"),
    path("groups/<slug:identity>/", pages.spread.group, name="spread-group"),
    path("groups/<slug:identity>/domains.csv", pages.spread.domains_csv, name="spread-group-csv"),
    path("workloads/", pages.spread.workloads, name="spread-workloads"),
    path("workloads.csv", pages.spread.workloads_csv, name="spread-workloads-csv"),
]

_STUDIES = [
    path("", pages.studies.studies, name="studies"),
    path("<int:pk>/", pages.studies.study, name="study"),
    path("<int:pk>/progress/", pages.studies.progress, name="study-progress"),
    path("<int:pk>/delete/", pages.studies.delete, name="study-delete"),
    path("<int:pk>/study.csv", pages.studies.study_csv, name="study-csv"),
]

_WORKLOADS = [
    path("", pages.workloads.workloads, name="workloads"),
    path("workloads.csv", pages.workloads.workloads_csv, name="workloads-csv"),
    path("<slug:kind>/<name:namespace>/<name:name>/", pages.workloads.workload, name="workload"),
]

_SANDBOX = [
    path("", sandbox.views.sandbox_page, name="sandbox"),
    path("node/", sandbox.views.node_panel, name="sandbox-node"),
    path("file/", sandbox.views.download, name="sandbox-file"),
    path("shared/<str:token>/", sandbox.views.shared_sandbox, name="sandbox-shared"),
    path(f"{_POD}map/", sandbox.decision.map_part, name="sandbox-decision-map"),
    path(f"{_POD}map/lines/", sandbox.decision.map_lines, name="sandbox-decision-map-lines"),
    path(f"{_POD}nodes/", sandbox.decision.node_names, name="sandbox-decision-nodes"),
    path(f"{_POD}nodes/<str:node>/", sandbox.decision.node, name="sandbox-decision-node"),
    path(f"{_POD}why-not/", sandbox.decision.why_not_node, name="sandbox-decision-why-not"),
    path(f"{_POD}compare/", sandbox.decision.compare, name="sandbox-decision-compare"),
    path(f"{_POD}scores/", sandbox.decision.scores, name="sandbox-decision-scores"),
    path(f"{_POD}nodes/<str:node>/scores/<path:plugin>/", sandbox.decision.cell, name="sandbox-decision-cell"),
]

# For users below the lessons, for participants of a classroom at their seats.
_PLAYER = [
    path("_language/", lessons.views.language, name="lessons-language"),
    path("<slug:lesson>/", lessons.views.lesson, name="lesson"),
    path(_STEP, lessons.views.step, name="lesson-step"),
    path(f"{_STEP}experiment/", lessons.experiment_views.experiment_page, name="lesson-experiment"),
    path(f"{_SIDE}map/", lessons.decision.map_part, name="lesson-decision-map"),
    path(f"{_SIDE}map/lines/", lessons.decision.map_lines, name="lesson-decision-map-lines"),
    path(f"{_SIDE}nodes/", lessons.decision.node_names, name="lesson-decision-nodes"),
    path(f"{_SIDE}nodes/<str:node>/", lessons.decision.node, name="lesson-decision-node"),
    path(f"{_SIDE}why-not/", lessons.decision.why_not_node, name="lesson-decision-why-not"),
    path(f"{_SIDE}compare/", lessons.decision.compare, name="lesson-decision-compare"),
    path(f"{_SIDE}scores/", lessons.decision.scores, name="lesson-decision-scores"),
    path(f"{_SIDE}nodes/<str:node>/scores/<path:plugin>/", lessons.decision.cell, name="lesson-decision-cell"),
]

_LESSONS: Patterns = [
    path("", lessons.views.lessons, name="lessons"),
    path("_take/pod/<slug:cluster>/<name:namespace>/<name:name>/", lessons.taking_views.of_pod, name="lesson-of-pod"),
    path("_take/step/<int:pk>/<int:number>/", lessons.taking_views.of_step, name="lesson-of-step"),
    path("_take/decision/<slug:cluster>/<int:pk>/", lessons.taking_views.of_decision, name="lesson-of-decision"),
    path("upload/", lessons.upload_views.upload, name="lessons-upload"),
    path("upload/<slug:lesson>/download/", lessons.upload_views.download, name="lesson-download"),
    path("upload/<slug:lesson>/remove/", lessons.upload_views.remove, name="lesson-remove"),
    path("", include((_PLAYER, learners.LESSONS))),
]

_TEACHING = [
    path("", classrooms.teaching_views.classrooms, name="classrooms"),
    path("new/", classrooms.teaching_views.new, name="classroom-new"),
    path(_ROOM, classrooms.room_views.room, name="classroom"),
    path(f"{_ROOM}live/", classrooms.room_views.live, name="classroom-live"),
    path(f"{_ROOM}lead/", classrooms.room_views.lead, name="classroom-lead"),
    path(f"{_ROOM}projector/", classrooms.room_views.projector, name="classroom-projector"),
    path(f"{_ROOM}projector/live/", classrooms.room_views.projected, name="classroom-projected"),
    path(f"{_ROOM}summary/", classrooms.room_views.summary, name="classroom-summary"),
    path(f"{_ROOM}results.csv", classrooms.room_views.results, name="classroom-results"),
    path(f"{_ROOM}change/", classrooms.teaching_views.change, name="classroom-change"),
    path(f"{_ROOM}remove/", classrooms.teaching_views.remove, name="classroom-remove"),
]

_CLASSROOMS: Patterns = [
    path("classrooms/", include(_TEACHING)),
    path("join/", classrooms.seat_views.join, name="join"),
    path("join/<str:code>/", classrooms.seat_views.join, name="join-with-code"),
    # Everything below it is for participants: the gate knows their addresses by this beginning.
    path(f"{SEAT}/", classrooms.seat_views.seat, name="seat"),
    path(f"{SEAT}/_turn/", classrooms.seat_views.turn, name="seat-turn"),
    path(f"{SEAT}/_leave/", classrooms.seat_views.leave, name="seat-leave"),
    path(f"{SEAT}/", include((_PLAYER, learners.LESSONS), namespace=SEAT)),
]

_ADMINISTRATION = [
    path("", administration.views.accounts, name="accounts"),
    path("users/new/", administration.views.new_user, name="account-new"),
    path("users/<int:pk>/", administration.views.account, name="account"),
    path("users/<int:pk>/role/", administration.views.give_to_user, name="account-role"),
    path("users/<int:pk>/link/", administration.views.sign_in_link, name="account-link"),
    path("users/<int:pk>/enable/", administration.views.enable, name="account-enable"),
    path("users/<int:pk>/sign-out/", administration.views.end_sessions, name="account-sign-out"),
    path("tokens/<int:pk>/revoke/", administration.views.revoke_token, name="account-token-revoke"),
    path("groups/new/", administration.views.new_group, name="group-new"),
    path("groups/<int:pk>/", administration.views.group, name="group"),
    path("groups/<int:pk>/role/", administration.views.give_to_group, name="group-role"),
    path("roles/<int:pk>/take/", administration.views.take_role, name="role-take"),
    path("audit/", administration.views.audit_log, name="audit"),
    path("audit.jsonl", administration.views.audit_lines, name="audit-lines"),
]

_PAGES: Patterns = [
    path("", pages.overview.home, name="home"),
    path("upload/", pages.uploads.upload, name="upload"),
    path("follow/", pages.live.follow, name="follow"),
    path("live/<str:part>/", pages.live.part, name="live-part"),
    path("", include(_REPORTS)),
    path("help/", pages.glossary.glossary, name="help"),
    path("agreement/", pages.agreement.agreement, name="agreement"),
    path("administration/", include(_ADMINISTRATION)),
    path("lessons/sandbox/", include(_SANDBOX)),
    path("lessons/", include(_LESSONS)),
    path("", include(_CLASSROOMS)),
    path("clusters/", pages.clusters.clusters, name="clusters"),
    path("tour/<int:step>/", pages.tour.tour_step, name="tour"),
    path("tour/end/", pages.tour.end_tour, name="tour-end"),
    path("clusters/<slug:cluster>/", pages.overview.overview, name="cluster"),
    path("clusters/<slug:cluster>/map/", pages.map.lens_map, name="map"),
    path("clusters/<slug:cluster>/map/node/", pages.map.map_node, name="map-node"),
    path("clusters/<slug:cluster>/zones/", pages.overview.zones, name="zones"),
    path("clusters/<slug:cluster>/pending-cards/", pages.overview.pending_cards, name="cluster-pending-cards"),
    path("clusters/<slug:cluster>/upload/", pages.uploads.upload_newer, name="cluster-upload"),
    path("clusters/<slug:cluster>/ingests/<int:pk>/", pages.uploads.ingest, name="ingest"),
    path("clusters/<slug:cluster>/ingests/<int:pk>/cancel/", pages.uploads.cancel, name="ingest-cancel"),
    path("clusters/<slug:cluster>/ingests/<int:pk>/progress/", pages.uploads.progress, name="ingest-progress"),
    path("clusters/<slug:cluster>/configuration/", include(_CONFIGURATION)),
    path("clusters/<slug:cluster>/rename/", pages.live.rename, name="cluster-rename"),
    path("clusters/<slug:cluster>/delete/", pages.clusters.delete, name="cluster-delete"),
    path("clusters/<slug:cluster>/search/", pages.search.search, name="search"),
    path("clusters/<slug:cluster>/pods/", pages.pods.pods, name="pods"),
    path("clusters/<slug:cluster>/pods.csv", pages.pods.pods_csv, name="pods-csv"),
    path("clusters/<slug:cluster>/pods/<name:namespace>/<name:name>/", include(_DECISIONS)),
    path("clusters/<slug:cluster>/pending/", include(_PENDING)),
    path("clusters/<slug:cluster>/workloads/", include(_WORKLOADS)),
    path("clusters/<slug:cluster>/pod-groups/", include(_POD_GROUPS)),
    path("clusters/<slug:cluster>/nodes/", include(_NODES)),
    path("clusters/<slug:cluster>/devices/", include(_DEVICES)),
    path("clusters/<slug:cluster>/journal/", include(_JOURNAL)),
    path("clusters/<slug:cluster>/drain/", include(_DRAIN)),
    path("clusters/<slug:cluster>/simulations/", pages.runs.cluster_runs, name="cluster-runs"),
    path("clusters/<slug:cluster>/simulations/new", pages.run_new.run_new, name="run-new"),
    path("clusters/<slug:cluster>/upgrade/", pages.upgrade.upgrade, name="upgrade"),
    path("clusters/<slug:cluster>/headroom/", pages.studies.headroom, name="headroom"),
    path("simulations/", include(_RUNS)),
    path("studies/", include(_STUDIES)),
    path("clusters/<slug:cluster>/spread/", include(_SPREAD)),
    path("clusters/<slug:cluster>/budgets/", include(_BUDGETS)),
    path("clusters/<slug:cluster>/quotas/", pages.quotas.quotas, name="quotas"),
    path("clusters/<slug:cluster>/quotas.csv", pages.quotas.quotas_csv, name="quotas-csv"),
    path("clusters/<slug:cluster>/usage/", pages.usage.usage, name="usage"),
    path("clusters/<slug:cluster>/usage/simulate/", pages.usage.simulate, name="usage-simulate"),
    path("clusters/<slug:cluster>/usage/usage.csv", pages.usage.usage_csv, name="usage-csv"),
    path("lessons/schemas/<slug:name>.json", pages.lesson_schemas.lesson_file_schema, name="lesson-schema"),
]


class _Operations(URLResolver):
    """The API's operations, whose types take long to make and no page needs: made when one is first asked for."""

    def _populate(self) -> None:
        """Keep them out of what Django gathers to write addresses; it finds them by their namespace."""


urlpatterns = [
    path("", include("dashboard.access.urls")),
    path("", include(_PAGES)),
    path("api/v1/docs", api.reference.reference, name="api-reference"),
    _Operations(RoutePattern("api/v1/"), "dashboard.api.urls", app_name=API, namespace=API),
    # Everything else below /api/ is an error in JSON.
    path("api/<anything:rest>", api.answering.unknown, name="api-unknown"),
    path("metrics", pages.health.metrics, name="metrics"),
    path("livez", pages.health.livez, name="livez"),
    path("readyz", pages.health.readyz, name="readyz"),
]
