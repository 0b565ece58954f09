"""Leases: each piece of work in the database has one holder, which loses it when its heartbeats stop.

The kinds of work differ in what a lost holder means, and only there:

- Runs, parts of studies and reviews go on: another worker takes them from the silent one, so each holder has a token of
  its own (`lanes.holds`, `lanes.abandoned`).
- An upload is given up, as its file must be sent again: no state is entered twice, and the state is the token
  (`ingest.runs`).
- A watch goes on, and is given back by a watcher that ends: its lease is a row of its own, which says until when it
  holds, and counts its holders (`watching.leases`).
- What a worker evaluates is in Redis, with a time to live instead of a holder: two workers at the same waste time
  and harm nothing (`evaluation.store`).
"""

from __future__ import annotations
