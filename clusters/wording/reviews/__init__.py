"""What capacity reviews say, in every form in which they are read."""
