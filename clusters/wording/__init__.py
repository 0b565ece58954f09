"""Words for what the engine finds, shared by pages, terminal, API and reports, so that one state has one name."""
