"""Explanations written down: one form with a version and a JSON schema, for API, terminal, journal and exports."""
