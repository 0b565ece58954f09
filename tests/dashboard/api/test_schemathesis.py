"""Every operation of the OpenAPI document, asked with whatever its schema allows and does not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings as hypothesis_settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dashboard.access.tokens import make_token
from dashboard.api import urls  # noqa: F401 - declares the operations
from dashboard.api.site import api
from tests.dashboard.rows import a_cluster, a_node, a_pod, allow_changes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.contrib.auth.models import User
    from django.test import Client

    from clusters.models import Cluster

pytestmark = pytest.mark.django_db

# Whatever else a checker may think of: these are what the API promises.
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
schema = schemathesis.openapi.from_dict(api.get_openapi_schema(path_prefix="/api/v1/"))
schema.app = get_wsgi_application()
OPERATIONS = [(method.upper(), path) for path, found in schema.raw_schema["paths"].items() for method in found]


@pytest.fixture
def cluster() -> Cluster:
    found = a_cluster()
    a_node(found, "n1")
    a_pod(found, "web")
    return found


@pytest.fixture
def headers(user: User, settings: Any, tmp_path: Path) -> dict[str, str]:
    """Somebody who may do everything, so that nothing is refused before it is looked at."""
    settings.MEDIA_ROOT = tmp_path
    allow_changes(user)
    _, text = make_token(user=user, name="all", may_write=True, days=None)
    # The harness reads no compressed answers.
    return {"Authorization": f"Bearer {text}", "Accept-Encoding": "identity"}


@pytest.fixture
def lasting_connection() -> Iterator[None]:
    """Keep the test's connection, and so its transaction, from one request to the next, as Django's client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("lasting_connection")
@schema.parametrize()
@hypothesis_settings(
    max_examples=3,
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    database=None,
)
def test_every_operation_keeps_its_promise(case: Any, cluster: Cluster, headers: dict[str, str]) -> None:
    if "cluster" in (case.path_parameters or {}):
        # Else every question would end at a cluster that is not there.
        case.path_parameters["cluster"] = cluster.name
    if isinstance(case.body, dict) and "wait" in case.body:
        case.body["wait"] = 0
    case.validate_response(case.call(headers=headers), checks=CHECKS)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_nobody_gets_an_answer_without_a_token(client: Client, operation: tuple[str, str]) -> None:
    method, path = operation
    address = re.sub(r"\{[a-z]+\}", "1", path)

    for authorization in ("", "Bearer berth_wrong", "Basic b3A6b3A="):
        response = client.generic(method, address, headers={"Authorization": authorization})
        assert (response.status_code, set(response.json()["error"])) == (401, {"code", "what", "where", "remedy"})
