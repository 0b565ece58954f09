"""Words for scheduler configurations: whose is in force, what it sets, and what it has otherwise than another."""
