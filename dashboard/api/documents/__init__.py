"""The forms of answers and questions, from which the OpenAPI document is made."""
