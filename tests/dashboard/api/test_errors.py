"""Errors of the API: a code that programs go by, beside the sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from dashboard.access.tokens import make_token

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db


def error(response: Any) -> tuple[int, str]:
    parts = response.json()["error"]
    assert set(parts) == {"code", "what", "where", "remedy"}
    return response.status_code, parts["code"]


def test_what_is_not_there_and_what_is_not_taken_have_codes_of_kubernetes_api(signed_in_client: Client) -> None:
    assert error(signed_in_client.get("/api/v1/nowhere")) == (404, "NotFound")
    assert error(signed_in_client.get("/api/v1/runs/7")) == (404, "NotFound")
    assert error(signed_in_client.delete("/api/v1/clusters/")) == (405, "MethodNotAllowed")
    assert error(signed_in_client.get("/api/v1/runs/?limit=many")) == (400, "Invalid")


def test_who_is_refused_is_told_why_in_a_code(user: User) -> None:
    program = Client()
    assert error(program.get("/api/v1/clusters/")) == (401, "Unauthorized")
    assert error(program.get("/api/v1/clusters/", headers={"Authorization": "Bearer berth_x"})) == (401, "InvalidToken")
    _, text = make_token(user=user, name="ci", may_write=False, days=None)
    headers = {"Authorization": f"Bearer {text}"}
    assert error(program.post("/api/v1/runs/", headers=headers)) == (403, "ReadOnlyToken")


def test_a_problem_with_a_simulation_has_the_code_of_its_kind(signed_in_client: Client) -> None:
    spec = {"base": {"kind": "empty"}, "changes": [{"change": "add-nodes", "cuont": 3}]}
    response = signed_in_client.post("/api/v1/runs/", {"spec": spec}, content_type="application/json")
    assert error(response) == (400, "UnknownField"), response.json()
