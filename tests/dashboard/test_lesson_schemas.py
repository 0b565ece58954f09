from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.documents.lessons import lesson_schema, schema_names

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", schema_names())
def test_a_schema_is_served_to_those_who_are_signed_in(signed_in_client: Client, client: Client, name: str) -> None:
    response = signed_in_client.get(f"/lessons/schemas/{name}.json")

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/schema+json"
    assert response.json() == lesson_schema(name)
    client.logout()
    assert client.get(f"/lessons/schemas/{name}.json").status_code == 302


def test_a_schema_that_does_not_exist_is_not_found(signed_in_client: Client) -> None:
    assert signed_in_client.get("/lessons/schemas/pod.json").status_code == 404
