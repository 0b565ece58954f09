"""What is said of disruption budgets."""
