"""Words of the decision journal: decisions of the scheduler, whether Berth agrees with them, and how often."""
